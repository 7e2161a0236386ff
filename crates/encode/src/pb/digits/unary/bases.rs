//! Bases for the digits of weights.

use crate::constraint::Terms;
use crate::sort;

/// Bases that are tried for a place.
const BASES: [u64; 6] = [2, 3, 5, 7, 11, 13];
/// Lists of bases that are extended by one more.
const BEAM: usize = 4;
/// Weights that are looked at, evenly spread.
const LOOKED_AT: usize = 1_000;

/// Lists of bases by their estimated cost, the best first; the empty list, which adds up weights as they are, is one of
/// those that are considered.
pub(in crate::pb::digits) fn mixed(terms: &Terms<'_>, bound: u64) -> Vec<Vec<u64>> {
    let every = terms.len().div_ceil(LOOKED_AT);
    let weights: Vec<u64> = terms.all().iter().step_by(every).map(|&(_, weight)| weight).collect();
    let heaviest = weights.iter().copied().max().unwrap_or(1);
    let whole = Prefix { bases: Vec::new(), product: 1, weights, cost: 0.0, carried: 0.0, room: bound };
    let mut found = vec![(whole.estimate(), Vec::new())];
    let mut beam = vec![whole];
    while !beam.is_empty() {
        let mut longer: Vec<(f64, Prefix)> = Vec::new();
        for prefix in &beam {
            for base in BASES.into_iter().filter(|base| prefix.product.saturating_mul(*base) <= heaviest) {
                let next = prefix.with(base);
                longer.push((next.estimate(), next));
            }
        }
        sort::by(&mut longer, |a, b| a.0.total_cmp(&b.0).then_with(|| a.1.bases.cmp(&b.1.bases)));
        longer.truncate(BEAM);
        found.extend(longer.iter().map(|(cost, prefix)| (*cost, prefix.bases.clone())));
        beam = longer.into_iter().map(|(_, prefix)| prefix).collect();
    }
    sort::by(&mut found, |a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(&b.1)));
    found.into_iter().map(|(_, bases)| bases).collect()
}

/// Bases of the lowest places, and what is left of the weights above them.
struct Prefix {
    bases: Vec<u64>,
    product: u64,
    weights: Vec<u64>,
    /// About how many clauses the places take so far.
    cost: f64,
    carried: f64,
    room: u64,
}

impl Prefix {
    /// With one more base.
    fn with(&self, base: u64) -> Self {
        let mut weights = self.weights.clone();
        // The compiler divides by numbers that it knows without dividing.
        let (sum, count) = match base {
            2 => divide::<2>(&mut weights),
            3 => divide::<3>(&mut weights),
            5 => divide::<5>(&mut weights),
            7 => divide::<7>(&mut weights),
            11 => divide::<11>(&mut weights),
            _ => divide::<13>(&mut weights),
        };
        let mut bases = Vec::with_capacity(self.bases.len() + 1);
        bases.extend_from_slice(&self.bases);
        bases.push(base);
        let (cost, carried) = self.place(sum as f64, count, base as f64);
        Self { bases, product: self.product * base, weights, cost, carried, room: self.room / base }
    }

    /// About how many clauses it takes with all that is left in the highest place.
    fn estimate(&self) -> f64 {
        let sum = self.weights.iter().map(|&weight| weight as f64).sum::<f64>();
        let count = self.weights.iter().filter(|&&weight| weight > 0).count();
        let room = self.room as f64 + 2.0;
        self.place(sum, count, sum.min(room) + self.carried + 1.0).0
    }

    /// The clauses with one more place, where so many digits have this sum, and what it carries: sorting what has
    /// digits there, and adding what is carried.
    fn place(&self, sum: f64, count: usize, step: f64) -> (f64, f64) {
        let Self { cost, carried, room, .. } = *self;
        let sum = sum.min(room as f64 + 2.0);
        // A tree of sums: at each level each digit is at most merged with all of another.
        let levels = (count as f64 + 1.0).log2().ceil();
        let sorted = (sum * levels).min(sum * sum).max(sum * (sum + 1.0).log2());
        let merged = (sum + 1.0) * (carried + 1.0) / step;
        let own = sorted + merged.min(3.0 * (sum + carried) * (sum + carried + 2.0).log2());
        (cost + own, ((sum + carried) / step).floor())
    }
}

/// Divides all weights, and returns the sum of the remainders and how many are not 0.
fn divide<const BASE: u64>(weights: &mut [u64]) -> (u64, usize) {
    let (mut sum, mut count) = (0, 0);
    for weight in weights {
        let digit = *weight % BASE;
        sum += digit;
        count += usize::from(digit > 0);
        *weight /= BASE;
    }
    (sum, count)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each base has an arm of its own, whose divisor has to be that base.
    #[test]
    fn weights_are_divided_by_the_base_that_is_added() {
        for base in BASES {
            let weights = vec![5 * base + 1, base - 1, 1_000 * base];
            let empty = Prefix { bases: Vec::new(), product: 1, weights, cost: 0.0, carried: 0.0, room: 1 << 20 };
            let prefix = empty.with(base);
            assert_eq!((prefix.weights, prefix.product, prefix.bases), (vec![5, 0, 1_000], base, vec![base]));
        }
    }
}
