//! [`BinaryMerger`]: watchdogs for all literals, with sorted bits that are merged.

use super::unary::{Ladder, Style, binary, halves};
use crate::constraint::Constraint;
use crate::encode::{Encoding, GoOn};
use crate::pb::prepared::ClauseLog;

/// Sorted bits, merged from bit to bit, for the sum and without each literal: generalised arc consistent.
///
/// It does for each literal what [`LocalWatchdog`](crate::LocalWatchdog) does, with merges of sorted lists in place of
/// totalizers where that is smaller: odd-even merges for long lists. The list of one bit without a literal is merged
/// from lists that other literals use, too.
///
/// | relation | clauses of n literals with weights below 2ᵇ | enforcing clauses |
/// |---|---|---|
/// | at most, at least | O(b·n²·log n) | at most 3 a literal, and one for each literal that has the highest bit |
/// | exactly | both | both |
///
/// An auxiliary says: *these literals' bits up to i add up to at least j times 2ⁱ*, and is only ever made true. Groups
/// are dealt with as by the watchdogs.
///
/// Use it as [`LocalWatchdog`](crate::LocalWatchdog), for lists from 100 literals on.
///
/// Source: N. Manthey, T. Philipp, P. Steinke, *A More Compact Translation of Pseudo-Boolean Constraints into CNF Such
/// That Generalized Arc Consistency Is Maintained*, KI 2014, LNCS 8736, pages 123–134.
///
/// ```
/// use cnfkit::{BinaryMerger, ClauseSink, Cnf, Constraint, Encoding, PbRelation, Plan, Terms};
/// let mut cnf = Cnf::new();
/// let x: Vec<_> = cnf.new_lits(8).into_iter().zip([3, 5, 7, 11, 13, 17, 19, 23]).collect();
/// let constraint = Constraint::weights(Terms::new(&x), PbRelation::AtMost(42));
/// let size = BinaryMerger::default().plan(&constraint).unwrap().size();
/// assert!(size.vars <= 204 && size.clauses <= 470);
/// ```
#[doc(alias = "binmerge")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct BinaryMerger {
    /// The most variables and clauses together of *at most* or of *at least*: what needs more is not planned.
    pub budget: u64,
}

crate::encode::options!(BinaryMerger { budget: u64 = 10_000_000 });

impl BinaryMerger {
    pub(crate) fn prepared(
        &self,
        constraint: &Constraint<'_>,
        go_on: &mut GoOn<'_>,
    ) -> Option<(Option<ClauseLog>, Option<ClauseLog>)> {
        let (ref terms, relation) = constraint.weighted()?;
        halves(terms, relation, |terms, bound| {
            let style = Style { bases: binary(terms), watched: true, splits: true, linked: false };
            Ladder::plan(terms, bound, &[style], self.budget, go_on)
        })
    }
}

impl Encoding for BinaryMerger {
    crate::encode::by_terms!();

    crate::encode::named!("binary-merger");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LocalWatchdog;
    use crate::pb::digits::unary::tests::{digit_suite, sizes};
    use crate::testing::pb::drawn;

    digit_suite!(BinaryMerger, Gac);

    #[test]
    fn never_larger_than_totalizers_and_smaller_for_long_lists() {
        for (n, most) in [(10, 8), (40, 4), (32, 8), (160, 3)] {
            let (weights, bound) = drawn(n, most, 3);
            let [local] = [sizes(&LocalWatchdog::default(), &weights, bound)[0]];
            let merged = sizes(&BinaryMerger::default(), &weights, bound)[0];
            assert!(merged <= local, "{n}: {merged}, {local}");
            assert!(n < 160 || 10 * merged < 9 * local, "{n}: {merged}, {local}");
        }
    }
}
