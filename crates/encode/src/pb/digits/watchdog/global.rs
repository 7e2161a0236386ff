//! [`GlobalWatchdog`]: one answer tells that the sum is too large.

use crate::constraint::Constraint;
use crate::encode::{Encoding, GoOn};
use crate::pb::digits::unary::{LadderStyle, UnaryLadder, binary, halves};
use crate::pb::prepared::ClauseLog;

/// Bits of the weights, counted in unary bit by bit, and one count that is forbidden: the global polynomial watchdog.
///
/// The literals whose weights have bit i are counted in unary, together with half of the count of bit i − 1, rounded
/// down, and bit i of a constant, the *tare*, that makes bound + 1 a multiple of the highest bit. The sum is too large
/// if and only if the count of the highest bit is at least one certain number. An auxiliary says: *bits up to i add up
/// to at least j times 2ⁱ*; it is only ever made true.
///
/// | relation | auxiliaries and clauses of n literals with weights below 2ᵇ | enforcing clauses |
/// |---|---|---|
/// | at most, at least | O(b·n·log² n) clauses | at most as many as literals have the highest bit, and 1 |
/// | exactly | both | both |
///
/// Only auxiliaries on which the forbidden count depends are there: of each count every second, and of sums only those
/// that the bound can meet. Counts are added up by totalizers, large ones by odd-even merges, whichever is smaller.
/// Literals of a group are one bit, which is made true by each of them, for *at most*; *at least* makes no use of
/// groups.
///
/// Unit propagation notices every contradiction, but does not derive every literal that follows:
/// [`LocalWatchdog`](crate::LocalWatchdog) does. For each of *exactly*'s halves by itself that holds too.
///
/// Use it where weights are many or large and a diagram or a generalized totalizer would be too large, and a solver
/// should still notice at once when a bound is broken. With weights that are no sums of few powers of two,
/// [`MixedRadixSorter`](crate::MixedRadixSorter) is smaller.
///
/// Source: O. Bailleux, Y. Boufkhad, O. Roussel, *New Encodings of Pseudo-Boolean Constraints into CNF*, SAT 2009, LNCS
/// 5584, pages 181–194. What is never asked for is left out here.
///
/// ```
/// use cnfkit::{ClauseSink, Cnf, Constraint, Encoding, GlobalWatchdog, PbRelation, Plan, Terms};
/// let mut cnf = Cnf::new();
/// let x: Vec<_> = cnf.new_lits(10).into_iter().zip([8, 6, 7, 4, 3, 6, 3, 8, 1, 8]).collect();
/// let constraint = Constraint::weights(Terms::new(&x), PbRelation::AtMost(22));
/// let size = GlobalWatchdog::default().plan(&constraint).unwrap().size();
/// assert!(size.vars <= 37 && size.clauses <= 75);
/// ```
#[doc(alias = "WatchdogEncoder")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct GlobalWatchdog {
    /// The most variables and clauses together of *at most* or of *at least*: what needs more is not planned.
    pub budget: u64,
    /// Says of answers next to each other of the same count that the higher one implies the lower. It costs less than
    /// one clause of two literals for each auxiliary, and no unit propagation from the inputs depends on it, but
    /// solvers often need fewer conflicts.
    pub linked: bool,
}

crate::encode::options!(GlobalWatchdog { budget: u64 = 10_000_000, linked: bool = false });

impl GlobalWatchdog {
    pub(crate) fn prepared(
        &self,
        constraint: &Constraint<'_>,
        go_on: &mut GoOn<'_>,
    ) -> Option<(Option<ClauseLog>, Option<ClauseLog>)> {
        let (ref terms, relation) = constraint.weighted()?;
        halves(terms, relation, |terms, bound| {
            let style = LadderStyle { bases: binary(terms), watched: false, splits: true, linked: self.linked };
            UnaryLadder::plan(terms, bound, &[style], self.budget, go_on)
        })
    }
}

impl Encoding for GlobalWatchdog {
    crate::encode::by_terms!();

    crate::encode::named!("global-watchdog");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pb::digits::unary::tests::{PRIMES, check_below_peers, digit_suite};
    use crate::testing::pb::drawn;

    digit_suite!(GlobalWatchdog, Consistent);
    crate::testing::pb_suite!(linked: GlobalWatchdog { linked: true, ..GlobalWatchdog::default() }, Consistent);

    /// Below the watchdog of pindakaas 0.6.1, in all of its forms, on the shapes of its benchmark.
    #[test]
    fn sizes_are_below_the_watchdog_of_pindakaas() {
        let rows = [
            (drawn(10, 8, 1), [155, 344], [112, 226]),
            (drawn(10, 512, 1), [524, 1_080], [364, 736]),
            (PRIMES.with_bound(), [271, 564], [182, 370]),
            (drawn(40, 4, 2), [1_255, 2_549], [974, 1_949]),
            (drawn(16, 8, 3), [395, 798], [284, 566]),
            (drawn(32, 8, 3), [1_225, 2_450], [920, 1_839]),
        ];
        check_below_peers(&GlobalWatchdog::default(), 1, &rows);
    }
}
