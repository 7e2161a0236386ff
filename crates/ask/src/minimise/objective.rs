//! The terms of an objective, for counters and by strata.

use rustc_hash::FxHashSet;
use rustsat::types::Lit;

use cnfkit_core::internals::{gcd, sort};

/// An objective in other words: for every solution, `parts` times its cost is at least what is `paid` and the sum of
/// its true literals among `terms`.
#[derive(Clone, Debug)]
#[cfg_attr(not(feature = "relaxation"), allow(dead_code))] // nothing makes one
pub(super) struct Reduced {
    pub(super) parts: u128,
    pub(super) paid: u128,
    pub(super) terms: Vec<(Lit, u128)>,
    /// Nothing is lost: the cost is exactly that.
    pub(super) is_exact: bool,
    /// By variable, its value in the relaxation.
    pub(super) values: Vec<f64>,
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

/// The number of different weights from which on a sum is not counted.
const DIFFERENT: usize = 10;

/// True of terms that counters of their cores, or of all of them, are small for: few of the weights are different.
pub(super) fn counts_well(terms: &[(Lit, u128)]) -> bool {
    terms.iter().map(|&(_, weight)| weight).collect::<FxHashSet<_>>().len() < DIFFERENT
}

/// The terms, heaviest first, in groups that can be minimised one after the other: whatever one group costs less
/// is more than all groups after it together can cost.
pub(super) fn levels(mut terms: Vec<(Lit, u128)>) -> Vec<Vec<(Lit, u128)>> {
    sort::by_wide_key(&mut terms, |&(_, weight)| !weight);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heavier_literals_are_repeated() {
        let (a, b) = (Lit::negative(0), Lit::negative(1));
        assert_eq!(counted(&[(a, (1 << 64) + 2), (b, 3)]), [(a, u64::MAX), (a, 3), (b, 3)]);
    }

    #[test]
    fn groups_that_cannot_make_up_for_each_other() {
        let objective = |weights: &[u128]| {
            let levels = levels((0..).map(Lit::positive).zip(weights.iter().copied()).collect());
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
