//! [`Totalizer`]: unary numbers, added up in a balanced tree (`tree.rs`) that is cut to the bound.

use rustsat::types::Lit;

use super::count::trivial_size;
use super::tree::{AllowedCounts, TotalizerTree};
use super::{Count, Counter};
use crate::encode::ByRelation;
use crate::relation::Relation;
use crate::size::Size;
use crate::writer::{Full, Writer};

/// A balanced tree that adds up unary numbers, cut to the outputs that the bound can meet.
///
/// A node over m literals has an output for each count from max(1, c − (n − m)) to min(m, k), where c is k + 1 for at
/// most k and k for at least k; the root has none: its children's outputs are forbidden to add up. More than k at any
/// node makes true one variable that they all share. A lower bound above n/2 is encoded on the false literals.
///
/// | | at most k | at least k | exactly k |
/// |---|---|---|---|
/// | auxiliaries | O(n·log k) | O(n·log k) | one shared tree |
/// | clauses | O(n·k), at most (k + 2)²/2 a node | O(n·k) | both |
/// | enforcing clauses | at most k + 2 | at most k + 2 | at most 2k + 2 |
/// | auxiliaries are forced | true | false | both |
///
/// [`amk_size`](crate::AtMostK::amk_size) and its relatives give the exact numbers, from closed forms for the two kinds
/// of node on each level. The encoding is generalised arc consistent with any options.
///
/// It is strong on covering constraints (at least k), and for k up to 20 or so a good choice for anything. Its number
/// of clauses is quadratic when k grows with n: networks are smaller then.
///
/// Source: O. Bailleux, Y. Boufkhad, *Efficient CNF encoding of Boolean cardinality constraints*, CP 2003, LNCS 2833,
/// pages 108–122; the bounded form follows M. Büttner, J. Rintanen, *Satisfiability planning with constraints on the
/// number of actions*, ICAPS 2005, and R. Martins, S. Joshi, V. Manquinho, I. Lynce, *Incremental cardinality
/// constraints for `MaxSAT`*, CP 2014, LNCS 8656, pages 531–548.
///
/// ```
/// use cnfkit::{AtMostK, Totalizer};
/// let size = Totalizer::default().alk_size(1000, 10);
/// assert!(size.vars <= 4_237 && size.clauses <= 13_157);
/// ```
#[doc(alias = "TotalizerEncoder")]
#[doc(alias = "DbTotalizer")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Totalizer {
    /// Adds to each node that output j + 1 implies output j. These clauses are redundant, and often help a solver.
    pub order: bool,
    /// Defines every auxiliary in both directions: exactly one model per model of the inputs, for counting.
    pub full: bool,
    /// Defines every auxiliary in both directions but the shared overflow: no more variables, about twice the clauses
    /// of a bound in one direction, and often fewer conflicts. Without a condition there is one model per model of the
    /// inputs here, too. It adds nothing to [`full`](Self::full).
    pub two_sided: bool,
}

crate::encode::options!(Totalizer { order: bool = false, full: bool = false, two_sided: bool = false });

impl Totalizer {
    fn tree(self, n: usize, (least, most): AllowedCounts) -> TotalizerTree {
        let up = most.map(|most| (most + 1, most + 1));
        let down = least.map(|least| (least, least));
        let tree = TotalizerTree { n, up, down, order: self.order, overflow: most.map(|most| most + 1) };
        if !(self.full || self.two_sided) {
            return tree;
        }
        let both = match (up, down) {
            (Some((most, _)), Some((least, _))) => Some((least, most)),
            (one, other) => one.or(other),
        };
        if self.full {
            return TotalizerTree { up: both, down: both, overflow: None, ..tree };
        }
        // The overflow is only ever made true.
        TotalizerTree { up: both, down: both.map(|(least, last)| (least, most.unwrap_or(last))), ..tree }
    }

    /// All outputs from `first` to `last`.
    fn counting(self, n: usize, first: usize, last: usize) -> TotalizerTree {
        let all = Some((first, last));
        TotalizerTree { n, up: all, down: all, order: self.order, overflow: None }
    }

    /// True if the false literals are counted: a lower bound above n/2 is an upper bound below it on them, whose
    /// overflow can be shared.
    fn negates(n: usize, relation: Relation) -> bool {
        relation.least().is_some_and(|least| least > n / 2)
    }
}

impl Counter for Totalizer {
    fn count_to(&self, to: &mut Writer<'_>, lits: &[Lit], upto: usize) -> Result<Count, Full> {
        let n = lits.len();
        let outputs = if n == 0 || upto == 0 { Vec::new() } else { self.counting(n, 1, upto).count(to, lits)? };
        Ok(Count::new(n, outputs))
    }

    fn count_size(&self, n: usize, upto: usize) -> Size {
        trivial_size(n, upto).unwrap_or_else(|| self.counting(n, 1, upto).count_size())
    }
}

impl ByRelation for Totalizer {
    fn encode(&self, to: &mut Writer<'_>, lits: &[Lit], relation: Relation) -> Result<(), Full> {
        let n = lits.len();
        if !Self::negates(n, relation) {
            let bounds = (relation.least(), relation.most());
            return self.tree(n, bounds).enforce(to, lits, bounds);
        }
        let relation = relation.mirrored(n);
        let lits: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
        let bounds = (relation.least(), relation.most());
        self.tree(n, bounds).enforce(to, &lits, bounds)
    }

    fn size(&self, n: usize, relation: Relation) -> Size {
        let relation = if Self::negates(n, relation) { relation.mirrored(n) } else { relation };
        let bounds = (relation.least(), relation.most());
        self.tree(n, bounds).enforce_size(bounds)
    }

    fn between(&self, to: &mut Writer<'_>, lits: &[Lit], least: usize, most: usize) -> Result<(), Full> {
        let n = lits.len();
        if least > n / 2 {
            let negated: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
            return self.between(to, &negated, n - most, n - least);
        }
        let bounds = (Some(least), Some(most));
        self.tree(n, bounds).enforce(to, lits, bounds)
    }

    /// Where the bounds are far apart, their outputs are, too: then two trees have fewer.
    fn between_size(&self, n: usize, least: usize, most: usize) -> Option<Size> {
        if least > n / 2 {
            return self.between_size(n, n - most, n - least);
        }
        let bounds = (Some(least), Some(most));
        (most - least <= n / 2).then(|| self.tree(n, bounds).enforce_size(bounds))
    }

    fn outputs(&self, to: &mut Writer<'_>, lits: &[Lit], first: usize, last: usize) -> Result<Vec<Lit>, Full> {
        self.counting(lits.len(), first, last).count(to, lits)
    }

    fn outputs_size(&self, n: usize, first: usize, last: usize) -> Option<Size> {
        Some(self.counting(n, first, last).count_size())
    }

    fn one_model(&self) -> bool {
        self.full
    }

    crate::encode::named!("totalizer");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AtMostK;
    use crate::card::tests::{check_one_model_each, check_sizes_and_large};
    use crate::testing::{card_suite, guarded, relations};

    const PLAIN: Totalizer = Totalizer { order: false, full: false, two_sided: false };
    const ORDER: Totalizer = Totalizer { order: true, ..PLAIN };
    const FULL: Totalizer = Totalizer { full: true, ..PLAIN };
    const BOTH: Totalizer = Totalizer { order: true, full: true, ..PLAIN };
    const TWO_SIDED: Totalizer = Totalizer { two_sided: true, ..PLAIN };
    const ORDERED: Totalizer = Totalizer { two_sided: true, ..ORDER };

    card_suite!(plain: PLAIN, Gac);
    card_suite!(order: ORDER, Gac);
    card_suite!(full: FULL, Gac);
    card_suite!(both: BOTH, Gac);
    card_suite!(two_sided: TWO_SIDED, Gac);
    card_suite!(ordered: ORDERED, Gac);

    #[test]
    fn sizes_up_to_64_and_large() {
        [PLAIN, ORDER, FULL, BOTH, TWO_SIDED, ORDERED].iter().for_each(|enc| check_sizes_and_large(enc));
    }

    /// No *at least k* is larger than that of the totalizer in rustsat 0.7.5.
    #[test]
    fn at_least_is_at_or_below_its_peer() {
        for (n, k, vars, clauses) in
            [(8, 3, 15, 28), (20, 5, 59, 124), (50, 10, 197, 567), (100, 10, 413, 1_233), (1_000, 10, 4_237, 13_157)]
        {
            let size = PLAIN.alk_size(n, k);
            assert!(size.vars <= vars && size.clauses <= clauses, "{k} of {n}: {size}");
        }
    }

    /// Outputs that no bound can meet are not there, from above or from below.
    #[test]
    fn sizes_are_cut_on_both_sides() {
        let sizes = |n, k| {
            let [most, least, exact] = [PLAIN.amk_size(n, k), PLAIN.alk_size(n, n - k), PLAIN.exk_size(n, k)];
            assert_eq!((most, exact), (least, PLAIN.exk_size(n, n - k)), "{k} of {n}");
            [(most.vars, most.clauses), (exact.vars, exact.clauses)]
        };
        assert_eq!(sizes(100, 10), [(413, 1_393), (413, 2_625)]);
        assert_eq!(sizes(100, 50), [(572, 3_072), (572, 6_144)]);
        assert_eq!((PLAIN.amk_size(100, 90).vars, PLAIN.amk_size(100, 90).clauses), (412, 1_232));
    }

    #[test]
    fn a_condition_touches_only_the_top() {
        for (n, k) in (3..30).flat_map(|n| (1..n).map(move |k| (n, k))) {
            for enc in [PLAIN, TWO_SIDED] {
                let [most, least, exact] = relations(k).map(|relation| guarded(&enc, relation, n));
                let bound = 2 + k.min(n - k);
                assert!(
                    most <= k + 2 && least <= bound && exact <= 2 * bound - 2,
                    "{k} of {n}: {most} {least} {exact}"
                );
            }
        }
    }

    /// Two-sided totalizers have no more outputs than one-sided ones: the overflow stays shared.
    #[test]
    fn two_sided_has_the_variables_of_one_side() {
        for (n, k) in (4..=64).flat_map(|n| (2..n - 1).map(move |k| (n, k))) {
            for size in [Totalizer::amk_size, Totalizer::alk_size, Totalizer::exk_size] {
                let [one, two, full] = [PLAIN, TWO_SIDED, FULL].map(|enc| size(&enc, n, k));
                assert!(
                    two.vars == one.vars && one.clauses <= two.clauses && two.clauses <= full.clauses,
                    "{k} of {n}"
                );
            }
        }
        assert!(TWO_SIDED.amk_size(20, 5).cost() < FULL.amk_size(20, 5).cost());
    }

    #[test]
    fn full_has_one_model_per_model_of_the_inputs() {
        [FULL, BOTH, TWO_SIDED].iter().for_each(|enc| check_one_model_each(enc));
    }
}
