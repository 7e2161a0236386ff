//! [`LocalWatchdog`]: for each literal an answer tells that the others leave no room for it.

use crate::constraint::Constraint;
use crate::encode::{Encoding, GoOn};
use crate::pb::digits::unary::{LadderStyle, UnaryLadder, binary, halves};
use crate::pb::prepared::ClauseLog;

/// A watchdog for each literal: the local polynomial watchdog, generalised arc consistent.
///
/// For each literal x of weight w the others are counted as by [`GlobalWatchdog`](crate::GlobalWatchdog), with the
/// bound less w; if they are too many, x is false. Literals whose weight is a power of two need none of their own: one
/// watchdog for the whole sum makes them false, because each stands in one count only.
///
/// | relation | clauses of n literals with weights below 2ᵇ | enforcing clauses |
/// |---|---|---|
/// | at most, at least | O(b·n²) counts of others | at most 3 a literal, and those of the global watchdog |
/// | exactly | both | both |
///
/// Counts are totalizers, as published, or for long lists odd-even merges of sorted bits where these are smaller: the
/// binary merger of Manthey, Philipp and Steinke. Watchdogs share what they can: counts without a literal are made of
/// counts of halves, and all is shared below the lowest bit of a weight. Of a group of which at most one is true,
/// literals of the same weight are watched by one count of the other groups, for *at most*; *at least* makes no use of
/// groups.
///
/// Use it where solvers need all that follows, and a diagram is too large: for up to 20 or so large weights without
/// structure, and for lists from 100 literals on.
///
/// Sources: O. Bailleux, Y. Boufkhad, O. Roussel, *New Encodings of Pseudo-Boolean Constraints into CNF*, SAT 2009,
/// LNCS 5584, pages 181–194; N. Manthey, T. Philipp, P. Steinke, *A More Compact Translation of Pseudo-Boolean
/// Constraints into CNF Such That Generalized Arc Consistency Is Maintained*, KI 2014, LNCS 8736, pages 123–134.
///
/// ```
/// use cnfkit::{ClauseSink, Cnf, Constraint, Encoding, LocalWatchdog, PbRelation, Plan, Terms};
/// let mut cnf = Cnf::new();
/// let x: Vec<_> = cnf.new_lits(10).into_iter().zip([8, 6, 7, 4, 3, 6, 3, 8, 1, 8]).collect();
/// let constraint = Constraint::weights(Terms::new(&x), PbRelation::AtMost(22));
/// let size = LocalWatchdog::default().plan(&constraint).unwrap().size();
/// assert!(size.vars <= 102 && size.clauses <= 221);
/// ```
#[doc(alias = "binmerge")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct LocalWatchdog {
    /// The most variables and clauses together of *at most* or of *at least*: what needs more is not planned.
    pub budget: u64,
}

crate::encode::options!(LocalWatchdog { budget: u64 = 10_000_000 });

impl LocalWatchdog {
    pub(crate) fn prepared(
        &self,
        constraint: &Constraint<'_>,
        go_on: &mut GoOn<'_>,
    ) -> Option<(Option<ClauseLog>, Option<ClauseLog>)> {
        let (ref terms, relation) = constraint.weighted()?;
        halves(terms, relation, |terms, bound| {
            let style = LadderStyle { bases: binary(terms), watched: true, splits: true, linked: false };
            UnaryLadder::plan(terms, bound, &[style], self.budget, go_on)
        })
    }
}

impl Encoding for LocalWatchdog {
    crate::encode::by_terms!();

    crate::encode::named!("local-watchdog");
}

#[cfg(test)]
mod tests {
    use rustsat::types::Lit;

    use super::*;
    use crate::constraint::Terms;
    use crate::pb::digits::unary::tests::{PRIMES, check_below_peers, digit_suite};
    use crate::relation::PbRelation;
    use crate::testing::pb::drawn;

    digit_suite!(LocalWatchdog, Gac);

    /// Far below the local watchdog of pindakaas 0.6.1 on the shapes of its benchmark.
    #[test]
    fn sizes_are_below_the_watchdog_of_pindakaas() {
        let rows = [
            (drawn(10, 8, 1), [1_850, 3_786], [323, 650]),
            (drawn(10, 512, 1), [5_789, 11_754], [1_629, 3_320]),
            (PRIMES.with_bound(), [2_115, 4_336], [674, 1_381]),
            (drawn(40, 4, 2), [61_495, 123_783], [5_224, 10_486]),
            (drawn(16, 8, 3), [7_564, 15_183], [1_238, 2_482]),
        ];
        check_below_peers(&LocalWatchdog::default(), 3, &rows);
    }

    /// Totalizers alone take 135,896.
    #[test]
    fn long_lists_are_merged() {
        let terms: Vec<_> = (0..160).map(|var| (Lit::positive(var), u64::from(var * 7 % 3 + 1))).collect();
        let bound = terms.iter().map(|&(_, weight)| weight).sum::<u64>() / 2;
        let constraint = Constraint::weights(Terms::new(&terms), PbRelation::AtMost(bound));
        let size = LocalWatchdog::default().plan(&constraint).unwrap().size();
        assert!(size.vars + size.clauses <= 120_488, "{size}");
    }
}
