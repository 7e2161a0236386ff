//! An objective over distinct variables: costs of literals that are above 0, and a constant.

use rustc_hash::{FxHashMap, FxHashSet};
use rustsat::types::Lit;

use cnfkit_core::internals::gcd;

/// A constant and weighted literals of distinct variables, by variable. No sum of what a formula can hold overflows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Objective {
    /// The value where no literal is true.
    pub(super) offset: i128,
    /// Each literal that costs something, with what it costs.
    pub(super) terms: Vec<(Lit, u128)>,
}

impl Objective {
    /// Sums up repeated literals, turns negative weights into those of the negations, and takes what a literal and its
    /// negation have in common for a constant.
    pub(super) fn new(terms: impl IntoIterator<Item = (Lit, i128)>) -> Self {
        let mut offset = 0_i128;
        let mut by_var: FxHashMap<u32, i128> = FxHashMap::default();
        for (lit, weight) in terms {
            // w·~x = w − w·x.
            let sum = by_var.entry(lit.vidx32()).or_default();
            if lit.is_neg() {
                (offset, *sum) = (offset + weight, *sum - weight);
            } else {
                *sum += weight;
            }
        }
        let mut terms: Vec<(Lit, u128)> = Vec::with_capacity(by_var.len());
        for (var, sum) in by_var {
            if sum < 0 {
                offset += sum;
            }
            if sum != 0 {
                terms.push((Lit::new(var, sum < 0), sum.unsigned_abs()));
            }
        }
        terms.sort_unstable_by_key(|&(lit, _)| lit.vidx32());
        Self { offset, terms }
    }

    /// The cost of the true literals, without the constant.
    pub(super) fn cost(&self, is_true: impl Fn(Lit) -> bool) -> u128 {
        self.terms.iter().filter(|&&(lit, _)| is_true(lit)).map(|&(_, weight)| weight).sum()
    }

    /// The number of different weights.
    pub(super) fn n_weights(&self) -> usize {
        self.terms.iter().map(|&(_, weight)| weight).collect::<FxHashSet<_>>().len()
    }

    /// The value of a cost.
    pub(super) fn value(&self, cost: u128) -> i128 {
        self.offset + cost as i128
    }

    /// Weights of at most 2⁶⁴ − 1, for a counter: heavier literals are repeated.
    pub(super) fn counted(terms: &[(Lit, u128)]) -> Vec<(Lit, u64)> {
        let mut counted = Vec::with_capacity(terms.len());
        for &(lit, mut weight) in terms {
            while weight > 0 {
                let part = u64::try_from(weight).unwrap_or(u64::MAX);
                counted.push((lit, part));
                weight -= u128::from(part);
            }
        }
        counted
    }

    /// The terms, heaviest first, in groups that can be minimised one after the other: whatever one group costs less
    /// is more than all groups after it together can cost.
    pub(super) fn levels(&self) -> Vec<Vec<(Lit, u128)>> {
        let mut terms = self.terms.clone();
        terms.sort_by_key(|&(_, weight)| std::cmp::Reverse(weight));
        let mut rest: u128 = terms.iter().map(|&(_, weight)| weight).sum();
        let mut levels = vec![Vec::new()];
        // Differences between costs of the groups so far are multiples of this.
        let mut unit = 0;
        for (lit, weight) in terms {
            if unit > rest {
                levels.push(Vec::new());
                unit = 0;
            }
            unit = gcd(unit, weight);
            rest -= weight;
            levels.last_mut().expect("there is one").push((lit, weight));
        }
        levels
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(terms: &[(Lit, i64)]) -> Objective {
        Objective::new(terms.iter().map(|&(lit, weight)| (lit, weight.into())))
    }

    #[test]
    fn folded() {
        let (a, b) = (Lit::positive(0), Lit::positive(1));
        let objective = of(&[(a, 3), (!a, 5), (b, -4), (b, 1), (!b, 0), (a, i64::MIN), (a, i64::MIN)]);
        assert_eq!(objective.offset, 5 - 3 - 2 - (1 << 64));
        assert_eq!(objective.terms, [(!a, (1 << 64) + 2), (!b, 3)]);
        assert_eq!(objective.value(objective.cost(|lit| lit == a || lit == b)), 3 - 3 - (1 << 64));
        assert_eq!(of(&[(a, 2), (!a, 2), (b, 1), (b, -1)]), Objective { offset: 2, terms: vec![] });
        let counted = Objective::counted(&objective.terms);
        assert_eq!(counted, [(!a, u64::MAX), (!a, 3), (!b, 3)]);
    }

    #[test]
    fn groups_that_cannot_make_up_for_each_other() {
        let objective = |weights: &[i64]| {
            let terms: Vec<(Lit, i64)> = (0..).map(Lit::positive).zip(weights.iter().copied()).collect();
            let levels = of(&terms).levels();
            levels.iter().map(|level| level.iter().map(|&(_, weight)| weight).collect()).collect::<Vec<Vec<u128>>>()
        };
        assert_eq!(objective(&[1, 2, 4, 8]), [[8], [4], [2], [1]]);
        assert_eq!(objective(&[100, 1, 100, 30, 30]), [vec![100, 100], vec![30, 30], vec![1]]);
        assert_eq!(objective(&[100, 90, 9]), [[100], [90], [9]]);
        assert_eq!(objective(&[100, 90, 80, 9]), [vec![100, 90, 80], vec![9]]);
        assert_eq!(objective(&[100, 90, 10]), [[100, 90, 10]]);
        assert_eq!(objective(&[5, 5, 5]), [[5, 5, 5]]);
        assert_eq!(objective(&[]), [[0_u128; 0]]);
    }
}
