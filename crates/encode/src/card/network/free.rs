//! [`Network`]: the planner with everything it may use.

use super::mode::{Policy, Splits, Steps, Wires};
use super::planned::Planned;

/// Clauses a variable: above this weight it is not known which ways to merge are likely
/// (`cargo test --lib limits_of_merges -- --ignored --nocapture` compares weights 0, 1 and 5).
const MEASURED_WEIGHT: u32 = 10;

/// The network by dynamic programming: the cheapest that is made of free splits, direct sorters, and merges of two to
/// four sequences, direct or odd-even.
///
/// The inputs are split into two to four parts of any size, each part sorted likewise, and the sorted parts merged.
/// Only outputs on which the bound depends are made. At the top there is no output: the counts of the parts are
/// forbidden to add up. An output that only two wires together make true has no variable: it is their conjunction. How
/// to split, and how to merge, is what minimises clauses + [`weight`](Self::weight) · variables.
///
/// | | at most k | at least k | exactly k |
/// |---|---|---|---|
/// | auxiliaries + clauses of (20, 5), weight 1 | 46 + 128 | 31 + 103 | 48 + 252 |
/// | auxiliaries + clauses of (1000, 10), weight 1 | 4059 + 12,450 | 3776 + 10,850 | |
/// | growth | O(n·log² k) | O(n·log² k) | O(n·log² k) |
/// | enforcing clauses | at most min(k, n − k) + 2 | the same | at most 2·min(k, n − k) + 2 |
/// | auxiliaries are forced | true | true, of the negated inputs | both |
/// | literals a clause | 2.8 on average; conjunctions make some longer | 2.8 to 3.9 | 2.7 |
///
/// [`amk_size`](crate::AtMostK::amk_size) and its relatives give the exact numbers. The encoding is generalised arc
/// consistent.
///
/// The smallest encoding here that is generalised arc consistent, for most n and k. Its size is that of a plan, which
/// takes up to a fifth of a millisecond for n ≤ 20, up to some ten milliseconds for n = 10,000 and half a second for a
/// million; a plan is kept, so that the next constraint of the same n and k on the same thread does without. Beyond 24
/// inputs not every split is tried, and from 129 to 4,096 few, so that networks are small but not proven smallest.
/// Prefer a [`Totalizer`](crate::Totalizer) or [`SequentialCounter`](crate::SequentialCounter) where they solve faster:
/// the smallest is not always the fastest.
///
/// Sources: I. Abío, R. Nieuwenhuis, A. Oliveras, E. Rodríguez-Carbonell, *A parametric approach for smaller and better
/// encodings of cardinality constraints*, CP 2013, LNCS 8124, pages 80–96 (splits and direct merges by cost); M.
/// Karpiński, M. Piotrów, *Encoding cardinality constraints using multiway merge selection networks*, Constraints 24,
/// 2019, pages 234–251 (merging four at once).
///
/// ```
/// use cnfkit::{AtMostK, ClauseSink, Cnf, Constrain, Network};
/// let mut cnf = Cnf::new();
/// let x = cnf.new_lits(20);
/// cnf.at_most(&x, 5, &Network::default()).unwrap();
/// assert_eq!((cnf.n_vars() - 20, cnf.n_clauses()), (46, 128));
/// assert!(Network::default().weight(0).amk_size(20, 5).clauses < 128); // fewest clauses
/// ```
#[doc(alias = "sortnetwrk")]
#[doc(alias = "SortingNetworkEncoder")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Network {
    /// The price of a variable, in clauses; 1 by default. 0 asks for the fewest clauses, 5 is what Abío et al. use.
    pub weight: u8,
    /// Defines every variable in both directions: exactly one model per model of the inputs, for counting.
    pub full: bool,
}

crate::encode::options!(Network { weight: u8 = 1, full: bool = false });

impl Planned for Network {
    const NAME: &'static str = "network";

    fn policy(self) -> Policy {
        let weight = self.weight.into();
        let steps = if weight > MEASURED_WEIGHT { Steps::All } else { Steps::Likely };
        let wires = if self.full { Wires::TwoSided } else { Wires::Conjoined };
        Policy { weight, ways: 4, direct: true, splits: Splits::Free, steps, wires }
    }
}
