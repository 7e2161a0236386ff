//! The bound that a diagram enforces, layer by layer, and the nodes that it is made of.

use std::ops::Range;

use rustsat::types::Lit;

/// The constraint that a diagram encodes: the heaviest true literals of all layers weigh at most `bound`, the greatest
/// of its bounds.
#[derive(Clone, Copy)]
pub(super) struct DiagramProblem<'a> {
    /// The literals, layer by layer.
    pub(super) terms: &'a [(Lit, u64)],
    /// Where the layers end.
    pub(super) ends: &'a [usize],
    pub(super) bound: u64,
    /// The most remainders that are looked at, each as often as its layer has literals.
    pub(super) budget: usize,
    /// Each literal of a layer implies the one before.
    pub(super) chains: bool,
}

impl DiagramProblem<'_> {
    /// The places of the literals of a layer.
    pub(super) fn literals(&self, layer: usize) -> Range<usize> {
        layer.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[layer]
    }
}

/// The continuation after a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Child {
    /// Whatever the rest is, the bound is kept.
    Always,
    /// The bound is exceeded.
    Never,
    /// The bound is kept if this literal, a negated input, is true.
    If(Lit),
    /// The bound is kept if the node of this number says so.
    Node(u32),
}

/// A decision on one layer.
#[derive(Clone, Copy, Debug)]
pub(super) struct DiagramNode {
    /// The choices: literals, each with the child if it is true, from the end of those of the node before.
    pub(super) choices: u32,
    /// The child if all of them are false.
    pub(super) omitted: Child,
    /// On the path of false literals: it holds, and is no variable.
    pub(super) holds: bool,
}
