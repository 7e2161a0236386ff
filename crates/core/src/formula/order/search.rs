//! The order of variables that attract each other, step by step: see [`positions`].

use super::apart::{self, SplitGraph};
use super::effort::OrderEffort;
use super::hypergraph::Hypergraph;
use super::members::Members;
use super::{arrange, lines, proximity};

/// An order of variables.
pub(super) struct Positions {
    /// The position of each variable, all different.
    pub(super) of: Vec<u32>,
    /// It goes by the [`lines`] of a grid.
    pub(super) is_by_lines: bool,
}

/// The position of each variable below `n_vars`. Variables without neighbours come last, by number. Where the time
/// `is_over`, which is asked now and then, the rest of the search is left out.
pub(super) fn positions(n_vars: usize, graph: &Hypergraph, is_over: &mut dyn FnMut() -> bool) -> Positions {
    let mut of = vec![u32::MAX; n_vars];
    let is_by_lines = search(graph, OrderEffort::of(graph.lits.len()), None, &mut of, is_over);
    Positions { of, is_by_lines }
}

/// A position of each variable below `n_vars`, by which the literals of each edge are in the same order as by
/// [`positions`]; those of different edges need not be.
pub(super) fn positions_within(n_vars: usize, graph: &Hypergraph, is_over: &mut dyn FnMut() -> bool) -> Positions {
    let effort = OrderEffort::of(graph.lits.len());
    let mut of = vec![u32::MAX; n_vars];
    let is_by_lines = match apart::split(graph, effort, &mut of) {
        None => search(graph, effort, None, &mut of, is_over),
        Some(SplitGraph { rest, .. }) if rest.len() == 0 => false,
        Some(SplitGraph { rest, members }) => search(&rest, effort, Some(members), &mut of, is_over),
    };
    Positions { of, is_by_lines }
}

/// Gives positions to the variables of a graph, and to all others that have none, where `all` variables are in edges of
/// several literals together with those that were taken out of the graph before; whether they are by lines.
fn search(
    graph: &Hypergraph,
    effort: OrderEffort,
    all: Option<usize>,
    positions: &mut [u32],
    is_over: &mut dyn FnMut() -> bool,
) -> bool {
    let mut members = Members::new(positions.len(), graph, effort.rounds, all);
    members.is_even = graph.is_counts;
    let lines = members.is_even.then(|| sequence(&members, effort, is_over));
    let lines = lines.filter(|sequence| lines::are_lines(&members, sequence));
    members.is_even = false;
    let is_by_lines = lines.is_some();
    let sequence = lines.unwrap_or_else(|| sequence(&members, effort, is_over));
    let mut next = 0..;
    for (&id, position) in sequence.iter().zip(&mut next) {
        positions[members.var(id)] = position;
    }
    let others = positions.iter_mut().filter(|position| **position == u32::MAX);
    others.zip(sequence.len() as u32..).for_each(|(position, next)| *position = next);
    is_by_lines
}

/// All ids in an order in which those are close that attract each other.
fn sequence(members: &Members, effort: OrderEffort, is_over: &mut dyn FnMut() -> bool) -> Vec<u32> {
    let mut sequence: Vec<u32> = (0..members.len() as u32).collect();
    for sweep in 0..effort.sweeps {
        if sweep > 0 {
            sequence.reverse();
        }
        sequence = proximity::sweep(members, &sequence, effort.factor, is_over).unwrap_or(sequence);
    }
    arrange::improve(members, &mut sequence, effort.passes, effort.reach, is_over);
    sequence
}
