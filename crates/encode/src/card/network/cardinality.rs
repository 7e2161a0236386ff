//! [`CardinalityNetwork`]: the planner held to equal parts and single literals, as published.

use super::mode::{Policy, Splits, Steps, Wires};
use super::planned::Planned;

/// The cardinality network: halves (or quarters), sorted and merged odd with odd and even with even places.
///
/// Only outputs on which the bound depends are there. At the top the two halves' counts are forbidden to add up, so
/// that no unit clause is needed.
///
/// | | at most k | at least k | exactly k |
/// |---|---|---|---|
/// | auxiliaries | O(n·log² k), two a comparator | as at most n − k | one shared network |
/// | clauses | O(n·log² k), three a comparator | as at most n − k | six a comparator |
/// | enforcing clauses | at most min(k, n − k) + 2 | the same | at most 2·min(k, n − k) + 2 |
/// | auxiliaries are forced | true | true, of the negated inputs | both |
///
/// [`amk_size`](crate::AtMostK::amk_size) and its relatives give the exact numbers. The encoding is generalised arc
/// consistent with any options.
///
/// It is for large n and k, where counters are quadratic. [`Network`](crate::Network) has the same idea with more
/// freedom, and is smaller; this one is regular, as published.
///
/// Sources: R. Asín, R. Nieuwenhuis, A. Oliveras, E. Rodríguez-Carbonell, *Cardinality networks: a theoretical and
/// empirical study*, Constraints 16, 2011, pages 195–221; I. Abío, R. Nieuwenhuis, A. Oliveras, E. Rodríguez-Carbonell,
/// *A parametric approach for smaller and better encodings of cardinality constraints*, CP 2013, LNCS 8124, pages 80–96
/// ([`direct`](Self::direct)); M. Karpiński, M. Piotrów, *Encoding cardinality constraints using multiway merge
/// selection networks*, Constraints 24, 2019, pages 234–251 ([`four_way`](Self::four_way)).
///
/// ```
/// use cnfkit::{AtMostK, CardinalityNetwork};
/// let mixed = CardinalityNetwork::default();
/// let pure = mixed.direct(false);
/// assert!(mixed.amk_size(100, 10).cost() < pure.amk_size(100, 10).cost());
/// ```
#[doc(alias = "cardnetwrk")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct CardinalityNetwork {
    /// Sorts and merges a few directly, without comparators, where that is cheaper; on by default.
    pub direct: bool,
    /// Quarters instead of halves, merged four at once; off by default.
    pub four_way: bool,
    /// The price of a variable, in clauses, when [`direct`](Self::direct) compares; 5 by default, as in the paper.
    pub weight: u8,
    /// Defines every variable in both directions: exactly one model per model of the inputs, for counting.
    pub full: bool,
}

crate::encode::options!(CardinalityNetwork {
    direct: bool = true,
    four_way: bool = false,
    weight: u8 = 5,
    full: bool = false
});

impl Planned for CardinalityNetwork {
    const NAME: &'static str = "cardinality-network";

    fn policy(self) -> Policy {
        let ways = if self.four_way { 4 } else { 2 };
        let wires = if self.full { Wires::TwoSided } else { Wires::Single };
        Policy {
            weight: self.weight.into(),
            ways,
            direct: self.direct,
            splits: Splits::Equal,
            steps: Steps::All,
            wires,
        }
    }
}
