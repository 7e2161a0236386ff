//! The order of variables that attract each other, step by step: see [`positions`].

use super::apart::{self, SplitGraph};
use super::hypergraph::Hypergraph;
use super::members::Members;
use super::{arrange, proximity};

/// How thorough the search for an order is.
#[derive(Clone, Copy, Debug)]
pub(super) struct OrderEffort {
    /// Rounds of colour refinement.
    pub(super) rounds: usize,
    /// Times that [`proximity`] runs.
    pub(super) sweeps: usize,
    /// An edge tells its members of what was placed when that has grown to so many quarters of what it told before.
    factor: u32,
    /// Times that [`arrange`] goes through all variables.
    passes: usize,
    /// Places that a variable may move at a time, either way.
    reach: usize,
}

impl OrderEffort {
    /// Up to so many literals in all edges everything is done in full, in some 0.1 s.
    ///
    /// Chosen with the limit below so that 10⁶ variables in 10⁷ literals take less than 3 s of CPU time (`cargo bench
    /// -p cnfkit-speed --bench order`).
    pub(super) const FULL: usize = 400_000;

    /// Up to so many, edges say less often what was placed, and variables move less far; beyond, they do not move.
    const SOME: usize = 4_000_000;

    pub(super) const fn of(lits: usize) -> Self {
        if lits <= Self::FULL {
            Self { rounds: 3, sweeps: 2, factor: 5, passes: 6, reach: 8 }
        } else if lits <= Self::SOME {
            Self { rounds: 3, sweeps: 2, factor: 8, passes: 2, reach: 3 }
        } else {
            Self { rounds: 2, sweeps: 1, factor: 16, passes: 0, reach: 0 }
        }
    }
}

/// The position of each variable below `n_vars`, all different. Variables without neighbours come last, by number.
/// Where the time `is_over`, which is asked now and then, the rest of the search is left out.
pub(super) fn positions(n_vars: usize, graph: &Hypergraph, is_over: &mut dyn FnMut() -> bool) -> Vec<u32> {
    let mut positions = vec![u32::MAX; n_vars];
    search(graph, OrderEffort::of(graph.lits.len()), None, &mut positions, is_over);
    positions
}

/// A position of each variable below `n_vars`, by which the literals of each edge are in the same order as by
/// [`positions`]; those of different edges need not be.
pub(super) fn positions_within(n_vars: usize, graph: &Hypergraph, is_over: &mut dyn FnMut() -> bool) -> Vec<u32> {
    let effort = OrderEffort::of(graph.lits.len());
    let mut positions = vec![u32::MAX; n_vars];
    match apart::split(graph, effort, &mut positions) {
        None => search(graph, effort, None, &mut positions, is_over),
        Some(SplitGraph { rest, .. }) if rest.len() == 0 => {}
        Some(SplitGraph { rest, members }) => search(&rest, effort, Some(members), &mut positions, is_over),
    }
    positions
}

/// Gives positions to the variables of a graph, and to all others that have none, where `all` variables are in edges of
/// several literals together with those that were taken out of the graph before.
fn search(
    graph: &Hypergraph,
    effort: OrderEffort,
    all: Option<usize>,
    positions: &mut [u32],
    is_over: &mut dyn FnMut() -> bool,
) {
    let members = Members::new(positions.len(), graph, effort.rounds, all);
    let mut sequence: Vec<u32> = (0..members.len() as u32).collect();
    for sweep in 0..effort.sweeps {
        if sweep > 0 {
            sequence.reverse();
        }
        sequence = proximity::sweep(&members, &sequence, effort.factor, is_over).unwrap_or(sequence);
    }
    arrange::improve(&members, &mut sequence, effort.passes, effort.reach, is_over);
    let mut next = 0..;
    for (&id, position) in sequence.iter().zip(&mut next) {
        positions[members.var(id)] = position;
    }
    let others = positions.iter_mut().filter(|position| **position == u32::MAX);
    others.zip(sequence.len() as u32..).for_each(|(position, next)| *position = next);
}
