//! Bases for the digits of weights.

use crate::encode::Terms;

/// Bases that are tried for a place.
const BASES: [u64; 6] = [2, 3, 5, 7, 11, 13];
/// So many lists of bases are extended by one more.
const BEAM: usize = 4;
/// So many weights are looked at, evenly spread.
const LOOKED_AT: usize = 1_000;

/// Lists of bases by their estimated cost, the best first; the empty list, which adds up weights as they are, is one of
/// those that are considered.
pub(in crate::pb) fn mixed(terms: &Terms<'_>, bound: u64) -> Vec<Vec<u64>> {
    let every = terms.len().div_ceil(LOOKED_AT);
    let weights: Vec<u64> = terms.all().iter().step_by(every).map(|&(_, weight)| weight).collect();
    let heaviest = weights.iter().copied().max().unwrap_or(1);
    let mut found = vec![(estimate(&weights, bound, &[]), Vec::new())];
    let mut beam: Vec<Vec<u64>> = vec![Vec::new()];
    while !beam.is_empty() {
        let mut longer: Vec<(f64, Vec<u64>)> = Vec::new();
        for bases in &beam {
            let product: u64 = bases.iter().product();
            for base in BASES.into_iter().filter(|base| product.saturating_mul(*base) <= heaviest) {
                let mut bases = bases.clone();
                bases.push(base);
                longer.push((estimate(&weights, bound, &bases), bases));
            }
        }
        longer.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(&b.1)));
        longer.truncate(BEAM);
        beam = longer.iter().map(|(_, bases)| bases.clone()).collect();
        found.append(&mut longer);
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(&b.1)));
    found.into_iter().map(|(_, bases)| bases).collect()
}

/// About how many clauses it takes: sorting what has digits in each place, and adding what is carried.
fn estimate(weights: &[u64], bound: u64, bases: &[u64]) -> f64 {
    let mut weights = weights.to_vec();
    let (mut cost, mut carried, mut room) = (0.0, 0.0, bound);
    for base in bases.iter().copied().map(Some).chain([None]) {
        let digit = |weight: u64| base.map_or(weight, |base| weight % base);
        let sum: f64 = weights.iter().map(|&weight| digit(weight) as f64).sum::<f64>().min(room as f64 + 2.0);
        let count = weights.iter().filter(|&&weight| digit(weight) > 0).count() as f64;
        // A tree of sums: at each level each digit is at most merged with all of another.
        let levels = (count + 1.0).log2().ceil();
        let sorted = (sum * levels).min(sum * sum).max(sum * (sum + 1.0).log2());
        let step = base.map_or(sum + carried + 1.0, |base| base as f64);
        let merged = (sum + 1.0) * (carried + 1.0) / step;
        cost += sorted + merged.min(3.0 * (sum + carried) * (sum + carried + 2.0).log2());
        carried = ((sum + carried) / step).floor();
        if let Some(base) = base {
            weights.iter_mut().for_each(|weight| *weight /= base);
            room /= base;
        }
    }
    cost
}
