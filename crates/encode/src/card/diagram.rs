//! [`DecisionDiagram`]: the bound as a decision diagram, one literal after the other.

use rustsat::types::Lit;

use crate::encode::ByRelation;
use crate::relation::Relation;
use crate::size::Size;
use crate::writer::{Full, Writer};

/// The reduced decision diagram of the bound: one auxiliary for each node, which is an if-then-else on one literal.
///
/// Node (i, b) says that at most b of the literals from number i on are true. At most k asserts the root (0, k), at
/// least k denies (0, k − 1), exactly k does both on the same nodes.
///
/// | relation | auxiliaries | clauses | enforcing |
/// |---|---|---|---|
/// | at most k | (k+1)(n−k) − 1 | (k+1)(2(n−k) − 1) | 1 |
/// | at least k | k(n−k+1) − 1 | (2k−1)(n−k+1) | 1 |
/// | exactly k | (k+1)(n−k) + k − 1 | the sum of both | 2 |
///
/// Nodes are monotone, so each branch needs one clause for each direction; true nodes bound from above, false nodes
/// from below. The encoding is generalised arc consistent with any options.
///
/// It is a little larger than the [`SequentialCounter`](crate::SequentialCounter), to which it is dual; in return a
/// condition touches one clause only. It is good where the sequential counter is (capacities, small k), under
/// conditions above all.
///
/// Sources: N. Eén, N. Sörensson, *Translating pseudo-Boolean constraints into SAT*, JSAT 2, 2006, pages 1–26; I. Abío,
/// R. Nieuwenhuis, A. Oliveras, E. Rodríguez-Carbonell, V. Mayer-Eichberger, *A new look at BDDs for pseudo-Boolean
/// constraints*, JAIR 45, 2012, pages 443–480.
///
/// ```
/// use cnfkit::{AtMostK, DecisionDiagram};
/// let size = DecisionDiagram::default().amk_size(20, 5);
/// assert_eq!((size.vars, size.clauses), (89, 174));
/// ```
#[doc(alias = "DecisionDiagramEncoder")]
#[doc(alias = "bdd")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct DecisionDiagram {
    /// Both directions for each node (the whole if-then-else): exactly one model per model of the inputs, for counting.
    pub full: bool,
}

crate::encode::options!(DecisionDiagram { full: bool = false });

/// The nodes (i, b) below the roots (0, `high`) and (0, `low`), and the directions that they have.
#[derive(Clone, Copy)]
struct CountDiagram {
    n: usize,
    low: usize,
    high: usize,
    /// The first number b from which a true node makes those below it true, if any does.
    most: Option<usize>,
    /// The first number b from which a false node makes those below it false, if any does.
    least: Option<usize>,
}

impl DecisionDiagram {
    fn diagram(self, n: usize, relation: Relation) -> CountDiagram {
        let (less, most) = (relation.least().map(|least| least - 1), relation.most());
        let (low, high) = (less.or(most).unwrap_or(0), most.or(less).unwrap_or(0));
        if self.full {
            return CountDiagram { n, low, high, most: Some(low), least: Some(high) };
        }
        CountDiagram { n, low, high, most, least: less }
    }
}

impl CountDiagram {
    /// Defines all nodes, the last literal's first; returns those with i = 0, from (0, `low`) on.
    fn encode(self, to: &mut Writer<'_>, lits: &[Lit]) -> Result<Vec<Lit>, Full> {
        let width = self.high + 1;
        let (mut row, mut below) = (Vec::with_capacity(width), Vec::with_capacity(width));
        let mut below_first = 0;
        for (i, &x) in lits.iter().enumerate().rev() {
            let left = self.n - i;
            let first = self.low.saturating_sub(i);
            row.clear();
            for b in first..=self.high.min(left - 1) {
                if left == 1 {
                    row.push(!x);
                    continue;
                }
                let node: Lit = to.lit();
                row.push(node);
                let then = b.checked_sub(1).map(|less| below[less - below_first]);
                // At most b of b literals is true and no node.
                let otherwise = (b + 1 < left).then(|| below[b - below_first]);
                if self.most.is_some_and(|root| b + i >= root) {
                    match then {
                        Some(then) => to.define(&[!x, !node, then])?,
                        None => to.define(&[!x, !node])?,
                    }
                    if let Some(otherwise) = otherwise {
                        to.define(&[!node, otherwise])?;
                    }
                }
                if self.least.is_some_and(|root| b <= root) {
                    if let Some(then) = then {
                        to.define(&[!then, node])?;
                    }
                    match otherwise {
                        Some(otherwise) => to.define(&[x, !otherwise, node])?,
                        None => to.define(&[x, node])?,
                    }
                }
            }
            (row, below, below_first) = (below, row, first);
        }
        Ok(below)
    }

    /// Nodes with the same b are in a band: all those up to (n − b − 1, b) that a root reaches.
    fn size(self) -> Size {
        let n = self.n as u64;
        let (low, high) = (self.low as u64, self.high as u64);
        let apart = high - low;
        let mut size = Size::variables((low + 1).saturating_mul(n - low).saturating_add(apart * (n - high)) - 1);
        if let Some(root) = self.most {
            // Bands 0 to `root`, and those between the roots when this direction starts at the lower one.
            let root = root as u64;
            let band = |length| Size::clauses(length, 3) + Size::clauses(length - 1, 2);
            size += Size::clauses(n - root - 1, 2) * 2 + band(n - root) * root;
            if root < high {
                size += band(n - high);
            }
        }
        if let Some(root) = self.least {
            let band = |length| Size::clauses(length + 1, 2) + Size::clauses(length - 1, 3);
            size += Size::clauses(n - low - 1, 3) + band(n - low) * low;
            if root > self.low {
                size += band(n - high);
            }
        }
        size
    }
}

impl ByRelation for DecisionDiagram {
    fn encode(&self, to: &mut Writer<'_>, lits: &[Lit], relation: Relation) -> Result<(), Full> {
        let diagram = self.diagram(lits.len(), relation);
        let root = diagram.encode(to, lits)?;
        if let Some(most) = relation.most() {
            to.clause(&[root[most - diagram.low]])?;
        }
        if let Some(least) = relation.least() {
            to.clause(&[!root[least - 1 - diagram.low]])?;
        }
        Ok(())
    }

    fn size(&self, n: usize, relation: Relation) -> Size {
        let enforcing = u64::from(relation.least().is_some()) + u64::from(relation.most().is_some());
        self.diagram(n, relation).size() + Size::clauses(enforcing, 1)
    }

    fn one_model(&self) -> bool {
        self.full
    }

    crate::encode::named!("decision-diagram");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AtMostK;
    use crate::card::tests::{check_one_model_each, check_sizes_and_large};
    use crate::testing::{card_suite, guarded, relations};

    const PLAIN: DecisionDiagram = DecisionDiagram { full: false };
    const FULL: DecisionDiagram = DecisionDiagram { full: true };

    card_suite!(plain: PLAIN, Gac);
    card_suite!(full: FULL, Gac);

    #[test]
    fn sizes_up_to_64_and_large() {
        check_sizes_and_large(&PLAIN);
        check_sizes_and_large(&FULL);
    }

    #[test]
    fn full_has_one_model_per_model_of_the_inputs() {
        check_one_model_each(&FULL);
    }

    #[test]
    fn formulas_of_the_table() {
        for (n, k) in (3..40_u64).flat_map(|n| (1..n).map(move |k| (n, k))) {
            let sizes = [PLAIN.amk_size(n as usize, k as usize), PLAIN.alk_size(n as usize, k as usize)];
            let most = ((k + 1) * (n - k) - 1, (k + 1) * (2 * (n - k) - 1));
            let least = (k * (n - k + 1) - 1, (2 * k - 1) * (n - k + 1));
            // One clause does without a diagram.
            assert!(k + 1 == n || (sizes[0].vars, sizes[0].clauses) == most, "at most {k} of {n}: {}", sizes[0]);
            assert!(k == 1 || (sizes[1].vars, sizes[1].clauses) == least, "at least {k} of {n}: {}", sizes[1]);
            let exact = PLAIN.exk_size(n as usize, k as usize);
            assert_eq!((exact.vars, exact.clauses), ((k + 1) * (n - k) + k - 1, most.1 + least.1));
        }
    }

    #[test]
    fn a_condition_touches_one_clause_a_bound() {
        assert_eq!(relations(5).map(|relation| guarded(&PLAIN, relation, 12)), [1, 1, 2]);
    }
}
