//! *At most a bound by weight* as a decision diagram whose nodes stand for intervals of bounds.
//!
//! The literals are decided one after the other, the heaviest first. After some of them, the rest of the constraint
//! depends on the *remainder*, the weight that may still be used up, and many remainders allow the same sets of
//! literals: of two literals of weight 4, a remainder of 4, 5, 6 or 7 allows one. So a node is made for each *interval*
//! of remainders that allow the same sets of the literals left, not for each remainder. With the interval of both its
//! children known, that of a node follows: the remainders that lead into both children's intervals. A remainder is
//! looked up among the intervals of its layer before a node is made for it, which gives the reduced diagram without
//! ever building a larger one.
//!
//! A node says: *the literals from here on weigh at most the remainder*. That can only become false when a literal
//! becomes true, so two clauses a node are enough, for a node v that decides x: v and x imply the child behind x, v
//! implies the child behind not x, which says less. All of them only define. The root holds, and so does every node
//! that is reached by deciding all literals to be false: these nodes need no variable, and the clauses that leave them,
//! *x implies the child behind x*, are the ones that enforce, one for each such node.
//!
//! | | |
//! |---|---|
//! | auxiliaries | one for each node but those on the path of false literals, and those that are a literal |
//! | clauses | at most two for each auxiliary, one for each node on the path of false literals |
//! | strength | generalised arc consistent |
//! | enforcing clauses | at most n |
//!
//! Its size is linear in the bound at worst for each literal, and not polynomial in the length of the weights as
//! numbers: [`Diagram::plan`] gives up at a limit.
//!
//! Source: I. Abío, R. Nieuwenhuis, A. Oliveras, E. Rodríguez-Carbonell, V. Mayer-Eichberger, *A New Look at BDDs for
//! Pseudo-Boolean Constraints*, Journal of Artificial Intelligence Research 45, 2012, pages 443–480.

use rustsat::types::Lit;

use crate::encode::{PbPlan, PseudoBoolean, Terms};
use crate::relation::PbRelation;
use crate::sink::{ClauseSink, Size};

/// A decision diagram whose nodes stand for intervals of remainders, heavy literals first; generalised arc consistent.
///
/// An auxiliary says: *the literals from here on weigh at most so much*. Small where few remainders tell sets of
/// literals apart, as for few literals of any weights, or for many of few weights.
///
/// | relation | auxiliaries | clauses |
/// |---|---|---|
/// | at most, at least | one for each node but those on the path of false literals | at most two for each auxiliary, and n |
/// | exactly | both | both |
///
/// Source: I. Abío, R. Nieuwenhuis, A. Oliveras, E. Rodríguez-Carbonell, V. Mayer-Eichberger, *A New Look at BDDs for
/// Pseudo-Boolean Constraints*, Journal of Artificial Intelligence Research 45, 2012, pages 443–480.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IntervalDiagram {
    /// The number of remainders that may be looked at, which is at least the number of nodes: what needs more is not
    /// planned.
    pub budget: usize,
}

impl Default for IntervalDiagram {
    /// At most 1,000,000 remainders.
    fn default() -> Self {
        Self { budget: 1_000_000 }
    }
}

impl PseudoBoolean for IntervalDiagram {
    type Plan = (Option<Diagram>, Option<Diagram>);

    fn plan(&self, terms: &Terms<'_>, relation: PbRelation) -> Option<Self::Plan> {
        let most = match relation.most() {
            None => None,
            Some(most) => Some(Diagram::plan(terms.all(), most, self.budget)?),
        };
        let least = match relation.least() {
            None => None,
            Some(least) => {
                let negated: Vec<(Lit, u64)> = terms.all().iter().map(|&(lit, weight)| (!lit, weight)).collect();
                let total: u64 = negated.iter().map(|&(_, weight)| weight).sum();
                Some(Diagram::plan(&negated, total - least, self.budget)?)
            }
        };
        Some((most, least))
    }
}

/// The continuation after a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Child {
    /// Whatever the rest is, the bound is kept.
    Always,
    /// The bound is exceeded.
    Never,
    /// The bound is kept if this literal, a negated input, is true.
    If(Lit),
    /// The bound is kept if the node of this number says so.
    Node(usize),
}

#[derive(Clone, Copy, Debug)]
struct Node {
    /// The literal that is decided.
    input: Lit,
    /// The child if it is true.
    chosen: Child,
    /// The child if it is false.
    omitted: Child,
    /// On the path of false literals: it holds, and is no variable.
    holds: bool,
}

/// All remainders from `low` to `high` have this child.
#[derive(Clone, Copy)]
struct Interval {
    low: u64,
    high: u64,
    child: Child,
}

/// A planned diagram: its size is known, and it can be written.
#[derive(Clone, Debug)]
pub struct Diagram {
    /// Children come before their parents.
    nodes: Vec<Node>,
    root: Child,
}

impl Diagram {
    /// Plans that the true literals of `terms` weigh at most `bound`; `None` when more than `budget` remainders would
    /// have to be looked at. There are at least as many remainders as nodes.
    ///
    /// The variables are distinct, the weights are at least 1, and their sum is below 2⁶⁴.
    pub(crate) fn plan(terms: &[(Lit, u64)], bound: u64, budget: usize) -> Option<Self> {
        let mut terms = terms.to_vec();
        // Heavy ones first: what is left of the bound has few values near the root.
        terms.sort_by_key(|&(_, weight)| std::cmp::Reverse(weight));
        let mut layers = Layers::new(&terms);
        let mut nodes = Vec::new();
        let mut looked_at = 0;
        // Layers and remainders that are asked for, each on behalf of the one below it on the stack.
        let mut open = vec![(0, bound)];
        while let Some(&(layer, left)) = open.last() {
            if layers.find(layer, Some(left)).is_some() {
                open.pop();
                continue;
            }
            let (input, weight) = terms[layer];
            let Some(chosen) = layers.find(layer + 1, left.checked_sub(weight)) else {
                open.push((layer + 1, left - weight));
                continue;
            };
            let Some(omitted) = layers.find(layer + 1, Some(left)) else {
                open.push((layer + 1, left));
                continue;
            };
            looked_at += 1;
            if looked_at > budget {
                return None;
            }
            let child = match (chosen.child, omitted.child) {
                (chosen, omitted) if chosen == omitted => chosen,
                (Child::Never, Child::Always) => Child::If(!input),
                (chosen, omitted) => {
                    nodes.push(Node { input, chosen, omitted, holds: false });
                    Child::Node(nodes.len() - 1)
                }
            };
            let (low, high) = match chosen.child {
                Child::Never => (0, weight - 1),
                _ => (chosen.low + weight, chosen.high.saturating_add(weight)),
            };
            layers.insert(layer, Interval { low: low.max(omitted.low), high: high.min(omitted.high), child });
            open.pop();
        }
        let root = layers.find(0, Some(bound))?.child;
        let mut on_path = root;
        while let Child::Node(index) = on_path {
            nodes[index].holds = true;
            on_path = nodes[index].omitted;
        }
        Some(Self { nodes, root })
    }
}

impl PbPlan for Diagram {
    fn size(&self) -> Size {
        let clause = |child, own: usize| match child {
            Child::Always => Size::ZERO,
            Child::Node(index) if self.nodes[index].holds => Size::ZERO,
            Child::Never => Size::clause(own),
            Child::If(_) | Child::Node(_) => Size::clause(own + 1),
        };
        let node = |node: &Node| {
            let own = usize::from(!node.holds);
            Size::variables(own as u64) + clause(node.chosen, own + 1) + clause(node.omitted, own)
        };
        self.nodes.iter().map(node).sum::<Size>() + clause(self.root, 0)
    }

    fn write<S: ClauseSink + ?Sized>(&self, sink: &mut S) -> Result<(), S::Error> {
        // Each node as it was written: a variable, or true.
        let mut written: Vec<Child> = Vec::with_capacity(self.nodes.len());
        let meaning = |child, written: &[Child]| match child {
            Child::Node(index) => written[index],
            other => other,
        };
        for node in &self.nodes {
            let (chosen, omitted) = (meaning(node.chosen, &written), meaning(node.omitted, &written));
            if node.holds {
                written.push(Child::Always);
                input_implies(sink, node.input, chosen)?;
                must(sink, omitted)?;
            } else {
                let own = sink.new_lit();
                written.push(Child::If(own));
                node_and_input_imply(sink, own, node.input, chosen)?;
                node_implies(sink, own, omitted)?;
            }
        }
        must(sink, meaning(self.root, &written))
    }
}

fn must<S: ClauseSink + ?Sized>(sink: &mut S, child: Child) -> Result<(), S::Error> {
    match child {
        Child::If(lit) => sink.add_clause(&[lit]),
        Child::Never => sink.add_clause(&[]),
        Child::Always | Child::Node(_) => Ok(()),
    }
}

fn input_implies<S: ClauseSink + ?Sized>(sink: &mut S, input: Lit, child: Child) -> Result<(), S::Error> {
    match child {
        Child::If(lit) => sink.add_clause(&[!input, lit]),
        Child::Never => sink.add_clause(&[!input]),
        Child::Always | Child::Node(_) => Ok(()),
    }
}

fn node_and_input_imply<S: ClauseSink + ?Sized>(
    sink: &mut S,
    own: Lit,
    input: Lit,
    child: Child,
) -> Result<(), S::Error> {
    match child {
        Child::If(lit) => sink.define(&[!own, !input, lit]),
        Child::Never => sink.define(&[!own, !input]),
        Child::Always | Child::Node(_) => Ok(()),
    }
}

fn node_implies<S: ClauseSink + ?Sized>(sink: &mut S, own: Lit, child: Child) -> Result<(), S::Error> {
    match child {
        Child::If(lit) => sink.define(&[!own, lit]),
        Child::Never => sink.define(&[!own]),
        Child::Always | Child::Node(_) => Ok(()),
    }
}

/// The intervals found so far, by the literal that is decided next.
struct Layers {
    /// The total weight of the literals from each number on; 0 after the last.
    rest: Vec<u64>,
    /// Disjoint and ascending.
    intervals: Vec<Vec<Interval>>,
}

impl Layers {
    fn new(terms: &[(Lit, u64)]) -> Self {
        let mut rest = vec![0; terms.len() + 1];
        for (layer, (_, weight)) in terms.iter().enumerate().rev() {
            rest[layer] = rest[layer + 1] + weight;
        }
        Self { rest, intervals: vec![Vec::new(); terms.len()] }
    }

    /// The interval that a remainder is in, if it is known; a remainder of `None` is below zero.
    fn find(&self, layer: usize, left: Option<u64>) -> Option<Interval> {
        let Some(left) = left else {
            return Some(Interval { low: 0, high: 0, child: Child::Never });
        };
        if left >= self.rest[layer] {
            return Some(Interval { low: self.rest[layer], high: u64::MAX, child: Child::Always });
        }
        let intervals = &self.intervals[layer];
        let after = intervals.partition_point(|interval| interval.low <= left);
        intervals[..after].last().filter(|interval| left <= interval.high).copied()
    }

    fn insert(&mut self, layer: usize, interval: Interval) {
        let intervals = &mut self.intervals[layer];
        let at = intervals.partition_point(|other| other.low < interval.low);
        intervals.insert(at, interval);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Engine, Recorder, inputs};
    use crate::{Constrain, Tally};

    crate::testing::pb_suite!(suite: IntervalDiagram::default(), Gac);

    /// Calls `check` with all weights from 1 to `heaviest` for `n` literals.
    fn each_weights(n: usize, heaviest: u64, check: &mut dyn FnMut(&[u64])) {
        let mut weights = vec![1; n];
        loop {
            check(&weights);
            let Some(at) = weights.iter().position(|&weight| weight < heaviest) else { return };
            weights[at] += 1;
            weights[..at].fill(1);
        }
    }

    fn terms(lits: &[Lit], weights: &[u64]) -> Vec<(Lit, u64)> {
        lits.iter().copied().zip(weights.iter().copied()).collect()
    }

    /// Every partial assignment: a contradiction if and only if what is true is too heavy, and false is what would be.
    fn check_propagation(recorder: &Recorder, cond: Option<Lit>, lits: &[Lit], weights: &[u64], bound: u64) {
        let mut engine = Engine::new(recorder);
        assert!(cond.is_none_or(|cond| engine.assume(cond)), "{weights:?} {bound}");
        for code in 0..3_usize.pow(lits.len() as u32) {
            let digit = |i: usize| code / 3_usize.pow(i as u32) % 3;
            let mark = engine.mark();
            let weight: u64 = (0..lits.len()).filter(|&i| digit(i) == 1).map(|i| weights[i]).sum();
            let mut consistent = true;
            for (i, &lit) in lits.iter().enumerate().filter(|&(i, _)| digit(i) > 0) {
                consistent &= engine.assume(if digit(i) == 1 { lit } else { !lit });
            }
            assert_eq!(consistent, weight <= bound, "{weights:?} {bound} {code}");
            for i in (0..lits.len()).filter(|&i| consistent && digit(i) == 0) {
                let expected = if weight + weights[i] > bound { Some(false) } else { None };
                assert_eq!(engine.value(lits[i]), expected, "{weights:?} {bound} {code} {i}");
            }
            assert!(!consistent || engine.satisfiable(), "{weights:?} {bound} {code}");
            engine.undo(mark);
        }
    }

    #[test]
    fn propagates_everything_and_is_as_large_as_planned() {
        for (n, heaviest) in [(1, 5), (2, 5), (3, 4), (4, 4), (5, 2)] {
            let lits: Vec<Lit> = inputs(n).iter().map(|lit| lit.var().lit(lit.vidx() % 3 == 1)).collect();
            each_weights(n, heaviest, &mut |weights| {
                for bound in 0..weights.iter().sum::<u64>() + 2 {
                    let diagram = Diagram::plan(&terms(&lits, weights), bound, usize::MAX).unwrap();
                    let mut recorder = Recorder::new(n);
                    diagram.write(&mut recorder).unwrap();
                    assert_eq!(recorder.size(n), diagram.size(), "{weights:?} {bound}");
                    check_propagation(&recorder, None, &lits, weights, bound);
                    if n <= 3 {
                        let mut recorder = Recorder::new(n + 1);
                        let cond = Lit::negative(n as u32);
                        diagram.write(&mut recorder.when(&[cond])).unwrap();
                        check_propagation(&recorder, Some(cond), &lits, weights, bound);
                        assert!(Engine::new(&recorder).assume(!cond));
                        assert!(recorder.clauses.len() - recorder.defined <= n);
                    }
                }
            });
        }
    }

    /// Remainders that allow the same are one node: with weights that differ a little, and as in a sequential counter.
    #[test]
    fn equal_remainders_are_shared() {
        let lits = inputs(12);
        let nodes =
            |weights: &[u64], bound| Diagram::plan(&terms(&lits, weights), bound, usize::MAX).unwrap().nodes.len();
        let plain = nodes(&[1; 12], 4);
        assert_eq!(nodes(&[1_000_000_007; 12], 4_000_000_028), plain);
        assert_eq!(nodes(&(1_000..1_012).collect::<Vec<_>>(), 4_500), plain);
        assert!(plain <= 5 * 8, "{plain}");
        let mut seen = Tally::new(12);
        Diagram::plan(&terms(&lits, &[1; 12]), 4, usize::MAX).unwrap().write(&mut seen).unwrap();
        assert_eq!(seen.size(), Size { vars: 31, clauses: 67, lits: 158 });
    }

    #[test]
    fn weights_without_structure_stop_at_the_budget() {
        let lits = inputs(64);
        let weights: Vec<u64> = (1..=64_u64).map(|i| i.pow(3).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20).collect();
        let bound = weights.iter().sum::<u64>() / 2;
        let start = std::time::Instant::now();
        assert!(Diagram::plan(&terms(&lits, &weights), bound, 100_000).is_none());
        assert!(start.elapsed().as_secs() < 20);
        // A long list: no stack overflows.
        let lits = inputs(200_000);
        let diagram = Diagram::plan(&terms(&lits, &vec![1; 200_000]), 1, usize::MAX).unwrap();
        assert!(diagram.size().cost() < 4 * 200_000);
    }
}
