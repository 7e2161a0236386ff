//! [`MixedRadixSorter`]: weights in a mixed radix that suits them, each digit sorted.

use super::unary::{LadderStyle, UnaryLadder, binary, halves, mixed};
use crate::constraint::Constraint;
use crate::encode::{Encoding, GoOn};
use crate::pb::prepared::ClauseLog;

/// Digits of the weights in a mixed radix, counted in unary place by place, and one count that is forbidden.
///
/// With bases b₁, b₂, … the places are worth 1, b₁, b₁·b₂, …: weights 3, 6 and 21 have one digit each with bases 3 and
/// 2, and four different bits in binary. The digits of a place are counted in unary, together with what the place below
/// carries; a constant makes bound + 1 a multiple of the highest place, so that no digit but the highest has to be
/// compared. An auxiliary says: *places up to i add up to at least j times place i*; it is only ever made true.
///
/// The bases, primes up to 13 in any order, are searched for by an estimate of the clauses, and the best lists and the
/// binary one are compared by their true size. So it is never larger than
/// [`GlobalWatchdog`](crate::GlobalWatchdog), which is the case of base 2. Without any base it is a generalized
/// totalizer cut to the bound.
///
/// | relation | auxiliaries and clauses | enforcing clauses |
/// |---|---|---|
/// | at most, at least | at most those of `GlobalWatchdog` | at most one for each value of the highest digits, and 1 |
/// | exactly | both | both |
///
/// Unit propagation notices every contradiction, but does not derive every literal that follows. Literals of a group
/// are one digit, for *at most*; *at least* makes no use of groups.
///
/// Use it for many weights that are multiples of few numbers: prices, durations in minutes.
///
/// Sources: N. Eén, N. Sörensson, *Translating pseudo-Boolean constraints into SAT*, Journal on Satisfiability, Boolean
/// Modeling and Computation 2, 2006, pages 1–26, section 5.3; M. Codish, Y. Fekete, C. Fuhs, P. Schneider-Kamp,
/// *Optimal Base Encodings for Pseudo-Boolean Constraints*, TACAS 2011, LNCS 6605, pages 189–204. There digits are
/// compared with the bound's one by one; the constant is the watchdogs' tare.
///
/// ```
/// use cnfkit::{ClauseSink, Cnf, Constraint, Encoding, GlobalWatchdog, MixedRadixSorter, PbRelation, Plan, Terms};
/// let mut cnf = Cnf::new();
/// let x: Vec<_> = cnf.new_lits(8).into_iter().zip([15, 30, 45, 60, 15, 75, 30, 90]).collect();
/// let constraint = Constraint::weights(Terms::new(&x), PbRelation::AtMost(180));
/// let mixed = MixedRadixSorter::default().plan(&constraint).unwrap().size();
/// let binary = GlobalWatchdog::default().plan(&constraint).unwrap().size();
/// assert!(2 * mixed.cost() < binary.cost());
/// ```
#[doc(alias = "MixedRadixEncoder")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct MixedRadixSorter {
    /// The most variables and clauses together of *at most* or of *at least*: what needs more is not planned.
    pub budget: u64,
}

crate::encode::options!(MixedRadixSorter { budget: u64 = 10_000_000 });

/// The number of lists of bases that are tried, the best by estimate, beside the binary one: more for few terms, where
/// that takes microseconds.
const fn tried(terms: usize) -> usize {
    match terms {
        0..=32 => 8,
        33..=200 => 3,
        _ => 1,
    }
}

impl MixedRadixSorter {
    pub(crate) fn prepared(
        &self,
        constraint: &Constraint<'_>,
        go_on: &mut GoOn<'_>,
    ) -> Option<(Option<ClauseLog>, Option<ClauseLog>)> {
        let (ref terms, relation) = constraint.weighted()?;
        halves(terms, relation, |terms, bound| {
            let mut lists = mixed(terms, bound);
            lists.truncate(tried(terms.len()));
            let binary = binary(terms);
            if !lists.contains(&binary) {
                lists.push(binary);
            }
            let style = |bases| LadderStyle { bases, watched: false, splits: true, linked: false };
            UnaryLadder::plan(terms, bound, &lists.into_iter().map(style).collect::<Vec<_>>(), self.budget, go_on)
        })
    }
}

impl Encoding for MixedRadixSorter {
    crate::encode::by_terms!();

    crate::encode::named!("mixed-radix-sorter");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GlobalWatchdog;
    use crate::pb::digits::unary::tests::{PRIMES, digit_suite, sizes};
    use crate::testing::pb::drawn;

    digit_suite!(MixedRadixSorter, Consistent);

    /// Below the mixed radix sorters of pindakaas 0.6.1 on the shapes of its benchmark, and at or below the watchdog.
    #[test]
    fn sizes_are_below_those_of_pindakaas() {
        for ((weights, bound), peers) in [
            (drawn(10, 8, 1), [369, 371]),
            (drawn(10, 512, 1), [1_013, 1_019]),
            (PRIMES.with_bound(), [557, 560]),
            (drawn(40, 4, 2), [1_964, 1_967]),
            (drawn(16, 8, 3), [769, 771]),
            (drawn(32, 8, 3), [2_174, 2_178]),
        ] {
            let found = sizes(&MixedRadixSorter::default(), &weights, bound);
            let watchdog = sizes(&GlobalWatchdog::default(), &weights, bound);
            assert!(found[0] < peers[0] && found[1] < peers[1], "{weights:?}: {found:?}");
            assert!(found[0] <= watchdog[0] && found[1] <= watchdog[1], "{weights:?}: {found:?}, {watchdog:?}");
        }
    }
}
