//! [`GeneralizedTotalizer`]: sums of weights, added up in a balanced tree, heavy weights beside heavy ones.

use super::both::plan;
use super::leaf::TreeInputs;
use super::tree::{Budget, TreeStyle, balanced};
use crate::constraint::Constraint;
use crate::encode::{Encoding, GoOn};
use crate::pb::prepared::ClauseTemplate;

/// A tree that adds up weights, where an output says *the literals below weigh at least so much*.
///
/// The literals are put in order of weight and halved again and again. Beyond the published totalizer, a node has an
/// output only for sums that some choice of the other literals tells apart, seen from the bound; an output that is
/// reached makes lower ones true; more than the bound at any node makes true one variable that all nodes share; and of
/// the root there is none, its children's outputs are forbidden to add up. *At least* is said of the negated literals.
/// *Exactly* is whichever is smaller: both sides, or one tree whose outputs are defined in both directions and stand
/// for sums that can still come out at the bound.
///
/// | | at most, at least | exactly |
/// |---|---|---|
/// | auxiliaries | one for each output and the overflow | both, or one shared tree |
/// | clauses | for each output at most min(p, q) + 1, where its children have p and q sums | both |
/// | of 40 literals of weights 1 to 4, the bound half the sum | 256 + 1,014 | 255 + 1,977 |
/// | enforcing clauses | at most min(p, q) + 2, of the root | more: every sum that cannot come out at the bound |
/// | auxiliaries are forced | true | both |
///
/// Generalised arc consistent; *exactly* is as strong as both sides, or stronger. The literals of a
/// [group](crate::Terms::grouped) are one leaf, whose outputs are its distinct weights; strength is then that of the
/// sum and the groups' *at most one* together.
///
/// It is small where many weights are equal or have a common divisor, so that few sums can be told apart, and where the
/// bound is low. Weights without structure have as many sums as there are choices: see [`budget`](Self::budget).
///
/// Source: S. Joshi, R. Martins, V. Manquinho, *Generalized totalizer encoding for pseudo-Boolean constraints*, CP
/// 2015, LNCS 9255, pages 200–209. Groups: M. Bofill, J. Coll, P. Nightingale, J. Suy, F. Ulrich-Oltean, M. Villaret,
/// *SAT encodings for pseudo-Boolean constraints together with at-most-one constraints*, Artificial Intelligence 302,
/// 2022, article 103604.
///
/// ```
/// use cnfkit::{Constraint, Encoding, GeneralizedTotalizer, Lit, PbRelation, Terms};
/// let terms: Vec<_> = (0..40).map(|var| (Lit::positive(var), u64::from(var % 4) + 1)).collect();
/// let sum = Constraint::weights(Terms::new(&terms), PbRelation::AtMost(50));
/// assert!(GeneralizedTotalizer::default().plan(&sum).is_some());
/// assert!(GeneralizedTotalizer::default().budget(10).plan(&sum).is_none());
/// ```
#[doc(alias = "GeneralizedTotalizerEncoder")]
#[doc(alias = "GTE")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct GeneralizedTotalizer {
    /// The most clauses: what needs more, or as many sums at all nodes together, or eight steps of planning for each,
    /// is not planned. *Exactly* has as much for both sides, and for one tree.
    pub budget: usize,
}

crate::encode::options!(GeneralizedTotalizer { budget: usize = 1_000_000 });

impl GeneralizedTotalizer {
    pub(crate) fn prepared(&self, constraint: &Constraint<'_>, _: &mut GoOn<'_>) -> Option<ClauseTemplate> {
        let (ref terms, relation) = constraint.weighted()?;
        let tree = |side: &TreeInputs| balanced(&side.heavy_first());
        plan(terms, relation, TreeStyle::Shared, tree, &mut Budget::new(self.budget))
    }
}

impl Encoding for GeneralizedTotalizer {
    crate::encode::by_terms!();

    crate::encode::named!("generalized-totalizer");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pb::digits::unary::tests::{PRIMES, check_below_peers};
    use crate::testing::pb::drawn;

    crate::testing::pb_suite!(suite: GeneralizedTotalizer::default(), Gac);
    crate::testing::pb_groups!(groups: GeneralizedTotalizer::default());

    /// Below the totalizer of pindakaas 0.6.1 on the shapes of its benchmark.
    #[test]
    fn sizes_are_below_those_of_pindakaas() {
        let rows = [
            (drawn(10, 8, 1), [227, 344], [122, 181]),
            (drawn(10, 512, 1), [725, 991], [109, 84]),
            (PRIMES.with_bound(), [112, 157], [74, 91]),
            (drawn(40, 4, 2), [2_117, 3_686], [1_270, 2_232]),
            (drawn(16, 8, 3), [403, 610], [353, 555]),
            (drawn(32, 8, 3), [1_702, 2_869], [1_508, 2_625]),
        ];
        check_below_peers(&GeneralizedTotalizer::default(), 1, &rows);
    }
}
