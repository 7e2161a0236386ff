//! [`SequentialWeightCounter`]: sums of weights, added up literal by literal.

use super::both::plan;
use super::leaf::TreeInputs;
use super::tree::{Budget, TreeStyle, chain};
use crate::constraint::Constraint;
use crate::encode::{Encoding, GoOn};
use crate::pb::prepared::ClauseTemplate;

/// A register after each literal, of outputs *the literals up to here weigh at least so much*.
///
/// The literals keep their order. Beyond the published counter, which has an output for each number up to the bound, a
/// register has an output only for sums that can be, and that some choice of the later literals tells apart, seen from
/// the bound. *At least* is said of the negated literals. *Exactly* is whichever is smaller: both sides, or one counter
/// whose outputs are defined in both directions and stand for sums that can still come out at the bound.
///
/// | | at most, at least | exactly |
/// |---|---|---|
/// | auxiliaries | one for each output, fewer than n·bound | both, or one shared counter |
/// | clauses | at most two for each output, and n | both |
/// | of 40 literals of weights 1 to 4, the bound half the sum | 1,005 + 1,977 | 1,005 + 3,951 |
/// | enforcing clauses | at most n | more: every sum that cannot come out at the bound |
/// | auxiliaries are forced | true | both |
///
/// Generalised arc consistent; *exactly* is as strong as both sides, or stronger. The literals of a
/// [group](crate::Terms::grouped) are added in one step; strength is then that of the sum and the groups' *at most one*
/// together.
///
/// It follows the order of the literals, which helps a solver where that order means something, and its clauses are
/// short. An [`IntervalDiagram`](crate::IntervalDiagram) is the same with the heaviest literals first, and smaller;
/// planning a counter takes time for each sum, planning a diagram only for each output.
///
/// Source: S. Hölldobler, N. Manthey, P. Steinke, *A compact encoding of pseudo-Boolean constraints into SAT*, KI 2012,
/// LNCS 7526, pages 107–118.
///
/// ```
/// use cnfkit::{Constraint, Encoding, SequentialWeightCounter, Lit, PbRelation, Terms};
/// let terms: Vec<_> = (0..40).map(|var| (Lit::positive(var), u64::from(var % 4) + 1)).collect();
/// let sum = Constraint::weights(Terms::new(&terms), PbRelation::AtMost(50));
/// assert!(SequentialWeightCounter::default().plan(&sum).is_some());
/// assert!(SequentialWeightCounter::default().budget(10).plan(&sum).is_none());
/// ```
#[doc(alias = "SWC")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct SequentialWeightCounter {
    /// The most clauses: what needs more, or as many sums in all registers together, or eight steps of planning for
    /// each, is not planned. *Exactly* has as much for both sides, and for one counter.
    pub budget: usize,
}

crate::encode::options!(SequentialWeightCounter { budget: usize = 1_000_000 });

impl SequentialWeightCounter {
    pub(crate) fn prepared(&self, constraint: &Constraint<'_>, _: &mut GoOn<'_>) -> Option<ClauseTemplate> {
        let (ref terms, relation) = constraint.weighted()?;
        let tree = |side: &TreeInputs| chain(&(0..side.len() as u32).collect::<Vec<u32>>());
        plan(terms, relation, TreeStyle::Forbidden, tree, &mut Budget::new(self.budget))
    }
}

impl Encoding for SequentialWeightCounter {
    crate::encode::by_terms!();

    crate::encode::named!("sequential-weight-counter");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pb::digits::unary::tests::{PRIMES, check_below_peers};
    use crate::testing::pb::drawn;

    crate::testing::pb_suite!(suite: SequentialWeightCounter::default(), Gac);
    crate::testing::pb_groups!(groups: SequentialWeightCounter::default());

    /// Below the sequential counter of pindakaas 0.6.1 on the shapes of its benchmark.
    #[test]
    fn sizes_are_below_those_of_pindakaas() {
        let rows = [
            (drawn(10, 8, 1), [719, 927], [175, 257]),
            (drawn(10, 512, 1), [25_887, 23_797], [166, 77]),
            (PRIMES.with_bound(), [1_027, 827], [65, 80]),
            (drawn(40, 4, 2), [8_094, 8_660], [2_982, 4_956]),
            (drawn(16, 8, 3), [1_860, 1_983], [588, 936]),
            (drawn(32, 8, 3), [8_311, 9_391], [3_076, 5_068]),
        ];
        check_below_peers(&SequentialWeightCounter::default(), 1, &rows);
    }
}
