//! All answers of one part at once, by number of traps.
//!
//! Open cells that the same numbers touch are interchangeable; together they are a *group*, and `x` traps in a group of
//! `m` cells can lie in C(m, x) ways. Groups are decided one after another. In between, a *state* says how many traps
//! each number still needs of which some groups are decided and some are not; these numbers are the *frontier*. Ways to
//! decide the groups so far that lead to the same state have the same continuations, so that it is enough to know how
//! many ways there are with 0, 1, 2 … traps: a *row*. States are the nodes of a lattice, layer after layer; an edge
//! decides one group.
//!
//! This is dynamic programming over a path decomposition: time and memory grow with the number of states, which is
//! exponential in the frontier alone, not in the cells. [`groups`](super::groups) finds an order that keeps the
//! frontier narrow; [`Limit`] ends what is wide all the same.
//!
//! An example: the numbers 1 and 1, the first with cells a, b, c, the second with b, c, d. The groups are {a}, {b, c},
//! {d}. After {a}, the first number needs 1 (a gem, no trap so far) or 0 (a trap, one so far). After {b, c}, the second
//! needs 1 or 0: from 1 either way of one trap in {b, c} leads to 0, from 0 no trap leads to 1. After {d} nothing is
//! left, with rows meeting at one trap (2 ways) and two (1 way).

use super::groups::{GroupTransition, PartGroups};
use super::ways::Ways;
use crate::board::GemBoard;
use crate::error::GemError;
use crate::infer::deduce::BoardState;
use cnfkit_core::SolveError;
use cnfkit_core::internals::Clock;

/// The reason why counting a part ended early.
#[derive(Debug)]
pub(crate) enum Limit {
    /// It has more states than fit: its first cell, and how many cells it has.
    Entangled { cell: u32, cells: usize },
    /// The time was over, or the solver failed.
    Solve(SolveError),
}

impl Limit {
    /// The error of a question about this board.
    pub(crate) fn error(self, board: &GemBoard) -> GemError {
        match self {
            Self::Solve(error) => error.into(),
            Self::Entangled { cell, cells } => {
                let (row, column) = board.map.position(cell as usize);
                GemError::Entangled { row, column, cells }
            }
        }
    }
}

impl From<SolveError> for Limit {
    fn from(error: SolveError) -> Self {
        Self::Solve(error)
    }
}

/// The most edges of a lattice, 12 bytes each and 32 while they are sorted: 160 MiB, and about a tenth of a second to
/// build.
///
/// `cargo run --release -p cnfkit-peers -- totals` shows both sides: boards of 30 × 30 cells with density .35 and .4
/// shown need a small part of it, and from 60 × 60 on no order of the groups is good enough.
const MOST_EDGES: usize = 1 << 22;
/// The most entries of all rows, 8 or 16 bytes each: at most 512 MiB.
const MOST_WAYS: usize = 1 << 25;
/// Edges between two looks at the clock: about a millisecond.
const EDGES_A_LOOK: usize = 1 << 14;

/// A group of the edge's layer gets `traps` traps, which leads from one state to another.
#[derive(Clone, Copy, Debug)]
struct LatticeEdge {
    from: u32,
    to: u32,
    traps: u32,
}

/// The place of the ways of a state: the first is for `low` traps so far.
#[derive(Clone, Copy, Debug)]
struct WaysRow {
    start: usize,
    low: u32,
    len: u32,
}

impl WaysRow {
    const fn range(self) -> std::ops::Range<usize> {
        self.start..self.start + self.len as usize
    }
}

/// The lattice of one part after another; keeps its memory.
#[derive(Debug)]
pub(crate) struct Lattice<W> {
    graph: StateGraph,
    /// Ways that lead to each state.
    forward: Vec<W>,
    /// The weight of the ways that lead on from each state.
    backward: Vec<W>,
    /// Logarithm of what `forward` was divided by.
    ln_scale: f64,
}

/// States and edges, whatever their ways are counted in.
#[derive(Debug)]
struct StateGraph {
    groups: PartGroups,
    edges: Vec<LatticeEdge>,
    /// The end of the edges of each step.
    edge_ends: Vec<usize>,
    /// Of all states, layer by layer; the first layer is one state, and so is the last unless there is no answer.
    rows: Vec<WaysRow>,
    /// The end of the states of each layer.
    layer_ends: Vec<usize>,
    keys: Vec<u128>,
    next: Vec<(u128, u32, u32)>,
}

/// Sorts by state, by traps, and by where a step comes from; each number of traps is an ascending run.
fn in_order(next: &mut [(u128, u32, u32)]) {
    next.sort_by_key(|&(key, from, traps)| (key, traps, from));
}

impl<W: Ways> Lattice<W> {
    pub(crate) fn new(state: &BoardState<'_>) -> Self {
        Self { graph: StateGraph::new(state), forward: Vec::new(), backward: Vec::new(), ln_scale: 0.0 }
    }

    /// The lattice of a part: its open cells, and all numbers that touch them.
    pub(crate) fn build(
        &mut self,
        state: &BoardState<'_>,
        cells: &[u32],
        numbers: &[u32],
        clock: &Clock,
    ) -> Result<(), Limit> {
        if self.graph.connect(state, cells, numbers, clock)? && self.weigh(clock)? {
            return Ok(());
        }
        Err(Limit::Entangled { cell: cells.iter().copied().min().unwrap_or(0), cells: cells.len() })
    }

    /// Counts the ways to each state; false when the rows are too long.
    fn weigh(&mut self, clock: &Clock) -> Result<bool, SolveError> {
        let Self { graph, forward, .. } = self;
        self.ln_scale = 0.0;
        graph.rows.clear();
        forward.clear();
        graph.rows.push(WaysRow { start: 0, low: 0, len: 1 });
        forward.push(W::ONE);
        let mut looked = 0;
        for (step, group) in graph.groups.steps().iter().enumerate() {
            let first = forward.len();
            let LatticeLayer { edges, before, after, end } =
                layer(&graph.edges, &graph.edge_ends, &graph.layer_ends, &mut graph.rows, step, first);
            if end > MOST_WAYS {
                return Ok(false);
            }
            forward.resize(end, W::ZERO);
            let (done, new) = forward.split_at_mut(first);
            for edge in edges {
                let (from, to) = (before[edge.from as usize], after[edge.to as usize]);
                let ways = W::choose(group.cells, edge.traps);
                let at = to.start - first + (from.low + edge.traps - to.low) as usize;
                for (to, &from) in new[at..].iter_mut().zip(&done[from.range()]) {
                    to.add_product(from, ways);
                }
            }
            self.ln_scale += W::keep_in_range(new);
            if end >= looked + EDGES_A_LOOK {
                looked = end;
                clock.check()?;
            }
        }
        Ok(true)
    }

    /// The number of ways with each number of traps: the first number, the ways from there on, and the logarithm of the
    /// factor by which they are to be multiplied. No ways: no answer.
    pub(crate) fn ways(&self) -> (u32, &[W], f64) {
        let layer_ends = &self.graph.layer_ends;
        let layers = layer_ends.len();
        let is_dead = layers > 1 && layer_ends[layers - 1] == layer_ends[layers - 2];
        match self.graph.rows.last() {
            Some(row) if !is_dead => (row.low, &self.forward[row.range()], self.ln_scale),
            _ => (0, &[], 0.0),
        }
    }

    /// Visits each group with what its ways weigh in all when `t` traps in the part weigh `rest[t − low]`, `low` being
    /// the first of [`ways`](Self::ways): its cells, and a weight for each number of traps in the group. Weights of one
    /// group have a factor in common.
    pub(crate) fn marginals(&mut self, rest: &[W], mut visit: impl FnMut(&[u32], &[W])) {
        let Self { graph: StateGraph { groups, edges, edge_ends, rows, layer_ends, .. }, forward, backward, .. } = self;
        backward.clear();
        backward.resize(forward.len(), W::ZERO);
        let Some(last) = rows.last() else { return };
        backward[last.range()].copy_from_slice(&rest[..last.len as usize]);
        let mut weights = Vec::new();
        for (step, group) in groups.steps().iter().enumerate().rev() {
            let edges = &edges[step.checked_sub(1).map_or(0, |before| edge_ends[before])..edge_ends[step]];
            let from_layer = step.checked_sub(1).map_or(0, |before| layer_ends[before]);
            let to_layer = layer_ends[step];
            let split = rows[to_layer].start;
            let (before, after) = backward.split_at_mut(split);
            weights.clear();
            weights.resize(group.cells as usize + 1, W::ZERO);
            for edge in edges {
                let (from, to) = (rows[from_layer + edge.from as usize], rows[to_layer + edge.to as usize]);
                let ways = W::choose(group.cells, edge.traps);
                let at = to.start - split + (from.low + edge.traps - to.low) as usize;
                let mut sum = W::ZERO;
                let to = &after[at..at + from.len as usize];
                for ((before, &after), &forward) in before[from.range()].iter_mut().zip(to).zip(&forward[from.range()])
                {
                    before.add_product(after, ways);
                    sum.add_product(forward, after);
                }
                weights[edge.traps as usize].add_product(sum, ways);
            }
            let from_start = rows[from_layer].start;
            W::keep_in_range(&mut before[from_start..]);
            visit(groups.cells(group), &weights);
        }
    }

    /// The number of groups.
    pub(crate) fn n_groups(&self) -> usize {
        self.graph.groups.steps().len()
    }

    /// The cells of a group.
    pub(crate) fn cells(&self, step: usize) -> &[u32] {
        self.graph.groups.cells(&self.graph.groups.steps()[step])
    }

    /// The state that an edge leads to, and how many traps it puts into its group.
    pub(crate) fn edge(&self, edge: usize) -> (u32, u32) {
        (self.graph.edges[edge].to, self.graph.edges[edge].traps)
    }

    /// The state that an edge comes from.
    pub(crate) fn from(&self, edge: usize) -> u32 {
        self.graph.edges[edge].from
    }

    /// The first edge, from edge `least` on, of this step that leads to a state with so many traps up to there.
    pub(crate) fn way_to(&self, step: usize, to: u32, traps: u32, least: usize) -> Option<usize> {
        let before = step.checked_sub(1);
        let start = before.map_or(0, |before| self.graph.edge_ends[before]);
        let from_layer = before.map_or(0, |before| self.graph.layer_ends[before]);
        let edges = &self.graph.edges[start..self.graph.edge_ends[step]];
        let first = edges.partition_point(|edge| edge.to < to).max(least.saturating_sub(start));
        let mut ways = edges[first..].iter().take_while(|edge| edge.to == to);
        let found = ways.position(|edge| {
            let row = self.graph.rows[from_layer + edge.from as usize];
            let at = traps.checked_sub(edge.traps + row.low).filter(|&at| at < row.len);
            at.is_some_and(|at| self.forward[row.start + at as usize] != W::ZERO)
        });
        found.map(|at| start + first + at)
    }

    /// One way with so many traps, of which there must be one: cells, and whether each is a trap.
    pub(crate) fn pick(&self, traps: u32, mut put: impl FnMut(u32, bool)) {
        let mut traps = traps;
        let mut to = 0;
        for step in (0..self.n_groups()).rev() {
            let found = self.way_to(step, to, traps, 0);
            debug_assert!(found.is_some(), "a state without a way to it");
            let Some(edge) = found.map(|edge| self.graph.edges[edge]) else { return };
            for (at, &cell) in self.cells(step).iter().enumerate() {
                put(cell, at < edge.traps as usize);
            }
            traps -= edge.traps;
            to = edge.from;
        }
    }
}

impl StateGraph {
    fn new(state: &BoardState<'_>) -> Self {
        Self {
            groups: PartGroups::new(state.board),
            edges: Vec::new(),
            edge_ends: Vec::new(),
            rows: Vec::new(),
            layer_ends: Vec::new(),
            keys: Vec::new(),
            next: Vec::new(),
        }
    }

    /// Finds states and edges; false when they are too many.
    fn connect(
        &mut self,
        state: &BoardState<'_>,
        cells: &[u32],
        numbers: &[u32],
        clock: &Clock,
    ) -> Result<bool, SolveError> {
        let Self { groups, edges, edge_ends, layer_ends, keys, next, .. } = self;
        if !groups.plan(state, cells, numbers) {
            return Ok(false);
        }
        edges.clear();
        edge_ends.clear();
        layer_ends.clear();
        keys.clear();
        keys.push(0);
        layer_ends.push(1);
        let (mut states, mut looked) = (1, 0);
        for step in groups.steps() {
            next.clear();
            for (from, &key) in keys.iter().enumerate() {
                let (key, fewest, most) = groups.open(step, key);
                next.extend((fewest..=most).map(|traps| (GroupTransition::take(step, key, traps), from as u32, traps)));
                if edges.len() + next.len() > MOST_EDGES {
                    return Ok(false);
                }
            }
            in_order(next);
            keys.clear();
            for &(key, from, traps) in &*next {
                if keys.last() != Some(&key) {
                    keys.push(key);
                }
                edges.push(LatticeEdge { from, to: keys.len() as u32 - 1, traps });
            }
            states += keys.len();
            edge_ends.push(edges.len());
            layer_ends.push(states);
            if edges.len() >= looked + EDGES_A_LOOK {
                looked = edges.len();
                clock.check()?;
            }
        }
        Ok(true)
    }
}

/// One step of a lattice: its edges, the rows of the states that they lead from and to, and where the last one ends.
struct LatticeLayer<'a> {
    edges: &'a [LatticeEdge],
    before: &'a [WaysRow],
    after: &'a [WaysRow],
    end: usize,
}

/// Makes the rows of a step, the ways of which start at `first`.
fn layer<'a>(
    edges: &'a [LatticeEdge],
    edge_ends: &[usize],
    layer_ends: &[usize],
    rows: &'a mut Vec<WaysRow>,
    step: usize,
    first: usize,
) -> LatticeLayer<'a> {
    let (first_edge, from_layer) = step.checked_sub(1).map_or((0, 0), |before| (edge_ends[before], layer_ends[before]));
    let edges = &edges[first_edge..edge_ends[step]];
    rows.resize(layer_ends[step + 1], WaysRow { start: 0, low: u32::MAX, len: 0 });
    let (before, after) = rows.split_at_mut(layer_ends[step]);
    let before = &before[from_layer..];
    for edge in edges {
        let (from, to) = (before[edge.from as usize], &mut after[edge.to as usize]);
        // `len` is the end until all edges are seen.
        to.low = to.low.min(from.low + edge.traps);
        to.len = to.len.max(from.low + from.len + edge.traps);
    }
    let mut end = first;
    for row in &mut *after {
        row.len -= row.low;
        row.start = end;
        end += row.len as usize;
    }
    LatticeLayer { edges, before, after, end }
}
