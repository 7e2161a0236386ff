//! A lower bound on the cost by double counting: what each count or sum of the formula asks of the objective's
//! literals, added up over constraints that share none of them.

use rustc_hash::{FxHashMap, FxHashSet};
use rustsat::types::Lit;

use cnfkit_core::internals::{Clock, sort};
use cnfkit_core::{Formula, SolveError, Sum};

/// No solution has true literals that cost less. In time linear in the formula, but for sorting.
///
/// # Errors
/// When the clock runs out.
pub(super) fn least_cost(formula: &Formula, objective: &[(Lit, u128)], clock: &Clock) -> Result<u128, SolveError> {
    let costs: FxHashMap<Lit, u128> = objective.iter().copied().collect();
    let mut bounds: Vec<(u128, Vec<Lit>)> = Vec::new();
    for constraint in formula.constraints() {
        clock.check()?;
        if !constraint.cond.is_empty() || constraint.iff.is_some() {
            continue;
        }
        let (terms, least, most): (Vec<(Lit, u64)>, _, _) = match constraint.sum {
            Sum::Count { lits, relation } => {
                let bound = |bound: Option<usize>| bound.map(|bound| bound as u128);
                (lits.iter().map(|&lit| (lit, 1)).collect(), bound(relation.least()), bound(relation.most()))
            }
            Sum::Weights { terms, relation } => {
                (terms.all().to_vec(), relation.least().map(u128::from), relation.most().map(u128::from))
            }
            Sum::Parity { .. } => continue,
        };
        let all: u128 = terms.iter().map(|&(_, weight)| u128::from(weight)).sum();
        let sides = [(false, least), (true, most.map(|most| all.saturating_sub(most)))];
        bounds.extend(sides.into_iter().filter_map(|(negates, least)| {
            let own = terms.iter().map(|&(lit, weight)| (if negates { !lit } else { lit }, weight));
            side(own.map(|(lit, weight)| (costs.get(&lit).copied(), lit, u128::from(weight))), least?)
        }));
    }
    sort::by_wide_key(&mut bounds, |&(cost, _)| !cost);
    let mut taken: FxHashSet<Lit> = FxHashSet::default();
    let mut least = 0;
    for (cost, lits) in bounds {
        if lits.iter().all(|lit| !taken.contains(lit)) {
            least += cost;
            taken.extend(lits);
        }
    }
    Ok(least)
}

/// The least cost at which weights of literals, some of which cost something, sum up to `least`, and these literals;
/// none where it is nothing. The cheapest go first, one of them in part, and those without a cost before all others.
fn side(terms: impl Iterator<Item = (Option<u128>, Lit, u128)>, mut least: u128) -> Option<(u128, Vec<Lit>)> {
    let mut own = Vec::new();
    for (cost, lit, weight) in terms {
        match cost {
            Some(cost) => own.push((cost, lit, weight)),
            None => least = least.saturating_sub(weight),
        }
    }
    if least == 0 {
        return None;
    }
    // By cost of one unit of weight; of long numbers whole ones, then the fraction.
    sort::by(&mut own, |&(a, _, v), &(b, _, w): &(u128, Lit, u128)| match a.checked_mul(w).zip(b.checked_mul(v)) {
        Some((one, other)) => one.cmp(&other),
        None => (a / v, (a % v) * w).cmp(&(b / w, (b % w) * v)),
    });
    let mut paid = 0;
    for &(cost, _, weight) in &own {
        let part = weight.min(least);
        paid += (cost / weight) * part + ((cost % weight) * part).div_ceil(weight);
        least -= part;
    }
    (paid > 0).then(|| (paid, own.into_iter().map(|(_, lit, _)| lit).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cnfkit_core::internals::Random;
    use cnfkit_core::{CardEncoding, ClauseSink, Constrain, PbEncoding};

    fn bound(formula: &Formula, objective: &[(Lit, u128)]) -> u128 {
        least_cost(formula, objective, &Clock::default()).expect("there is no limit")
    }

    #[test]
    fn bounds_are_met_where_the_count_is_the_bound() {
        let mut formula = Formula::new();
        let x = formula.new_lits(10);
        formula.at_most(&x, 3, CardEncoding::Auto).unwrap();
        let costs = |lits: &[Lit], cost: u128| lits.iter().map(|&lit| (!lit, cost)).collect::<Vec<_>>();
        assert_eq!(bound(&formula, &costs(&x, 1)), 7);
        assert_eq!(bound(&formula, &costs(&x[..6], 5)), 15);
        let y = formula.new_lits(4);
        let terms: Vec<(Lit, u64)> = y.iter().copied().zip([3, 5, 7, 11]).collect();
        formula.pb_at_least(&terms, 14, PbEncoding::Auto).unwrap();
        let own = y.iter().copied().zip([9, 7, 6, 50]);
        let both: Vec<(Lit, u128)> = costs(&x, 1).into_iter().chain(own).collect();
        assert_eq!(bound(&formula, &both), 7 + 6 + 7 + 6); // two thirds of 9
    }

    #[test]
    fn no_solution_costs_less() {
        let mut random = Random::new(10);
        let mut tight = 0;
        for _ in 0..400 {
            let mut formula = Formula::new();
            let x = formula.new_lits(8);
            for _ in 0..=random.below(3) {
                let mut lits = x.clone();
                random.shuffle(&mut lits);
                lits.iter_mut().for_each(|lit| *lit = if random.chance(0.3) { !*lit } else { *lit });
                let terms: Vec<(Lit, u64)> = lits[..5].iter().map(|&lit| (lit, 1 + random.below(6) as u64)).collect();
                let said = match random.below(4) {
                    0 => formula.at_most(&lits[..6], 3, CardEncoding::Auto),
                    1 => formula.at_least(&lits[..6], 2, CardEncoding::Auto),
                    2 => formula.pb_at_least(&terms, 1 + random.below(12) as u64, PbEncoding::Auto),
                    _ => formula.pb_at_most(&terms, 1 + random.below(12) as u64, PbEncoding::Auto),
                };
                said.unwrap();
            }
            let objective: Vec<(Lit, u128)> = (x.iter().filter(|_| random.chance(0.7)).copied().collect::<Vec<_>>())
                .into_iter()
                .map(|lit| (if random.chance(0.5) { !lit } else { lit }, 1 + random.below(9) as u128))
                .collect();
            let cost = |bits: u32| -> Option<u128> {
                let is_true = |lit: Lit| (bits >> lit.vidx() & 1 == 1) == lit.is_pos();
                let holds = formula.clauses().all(|clause| clause.iter().any(|&lit| is_true(lit)))
                    && formula.constraints().all(|constraint| constraint.holds(is_true));
                let cost = objective.iter().filter(|&&(lit, _)| is_true(lit)).map(|&(_, cost)| cost).sum();
                holds.then_some(cost)
            };
            let bound = bound(&formula, &objective);
            let Some(least) = (0..1 << 8).filter_map(cost).min() else { continue };
            assert!(bound <= least, "{bound} for {least}");
            tight += usize::from(bound == least && least > 0);
        }
        assert!(tight > 20, "{tight}");
    }
}
