//! One linear order of the variables in which those that occur together stand together: the order in which the
//! literals of cardinality constraints are encoded.
//!
//! An encoding combines neighbouring literals first, and its auxiliaries say how many of a run of neighbours are
//! true. A solver learns from them what holds within such a run, so a run should hold what clauses and other
//! constraints connect. The numbers that a program happens to give its variables are at best an accident of that
//! kind.
//!
//! The formula is a [`Hypergraph`] here, with an edge for each clause and constraint. Two variables in a clause of n
//! literals, or in a constraint on n, attract each other by 1/n, in a binary clause by 4. [`positions`] takes four
//! steps:
//!
//! 1. *Colours* ([`colour`]): a few rounds of colour refinement, so that ties are broken by structure and not by
//!    number.
//! 2. *Members* ([`members`]): variables are renumbered by how often they occur and their colour; from here on
//!    nothing depends on the caller's numbers, unless two variables have the same colour.
//! 3. *Proximity* ([`proximity`]), twice, the second time starting where the first ended: the next variable is the
//!    one that those already placed attract most.
//! 4. *Arrangement* ([`arrange`]): variables move a few places while that brings what attracts each other closer.
//!
//! Time is O(s log s) for s literals in all edges; how thorough steps 3 and 4 are is cut down from [`Effort::FULL`]
//! on. All sums are of integers, so that no order of summation, and hence no order of clauses, makes a difference.
//!
//! Source of step 3 and the weights: Reeves, Filipe, Hsu, Martins, Heule, *The Impact of Literal Sorting on
//! Cardinality Constraint Encodings*, AAAI 2025, who call it *Proximity*. The second sweep, the local search and the
//! ties by colour are ours.

mod arrange;
mod colour;
mod members;
mod opposed;
mod places;
mod proximity;

use rustsat::types::Lit;

use self::members::Members;
pub(super) use self::places::Places;

/// An edge for each clause and each constraint: the literals in it, and a label that tells kinds of edges apart.
#[derive(Clone, Debug, Default)]
pub(super) struct Hypergraph {
    lits: Vec<Lit>,
    /// `ends[e]` is where edge `e` ends in `lits`.
    ends: Vec<u32>,
    labels: Vec<u64>,
}

impl Hypergraph {
    /// The most literals that edges may have together: positions among them are four bytes.
    pub(super) const MOST: usize = 1 << 31;

    /// An empty graph with room for so many edges, and so many literals in them.
    pub(super) fn with_room(edges: usize, lits: usize) -> Self {
        Self { lits: Vec::with_capacity(lits), ends: Vec::with_capacity(edges), labels: Vec::with_capacity(edges) }
    }

    /// Adds an edge. Two edges have the same `label` if and only if they say the same of their literals.
    pub(super) fn add(&mut self, label: u64, lits: impl IntoIterator<Item = Lit>) {
        self.lits.extend(lits);
        self.ends.push(self.lits.len() as u32);
        self.labels.push(label);
    }

    /// Numbers the variables that occur from 0 on, in the same order; the result has the number of each before that.
    pub(super) fn compact(&mut self) -> Vec<u32> {
        let mut vars: Vec<u32> = self.lits.iter().map(|lit| lit.vidx32()).collect();
        vars.sort_unstable();
        vars.dedup();
        for lit in &mut self.lits {
            *lit = Lit::new(vars.partition_point(|&var| var < lit.vidx32()) as u32, lit.is_neg());
        }
        vars
    }

    fn edges(&self) -> impl Iterator<Item = (u64, &[Lit])> {
        let mut start = 0;
        self.labels.iter().zip(&self.ends).map(move |(&label, &end)| {
            let edge = &self.lits[start as usize..end as usize];
            start = end;
            (label, edge)
        })
    }
}

/// Variables that are placed or moved between two looks at the clock.
const PACE: usize = 1 << 10;

/// How thorough the search for an order is.
#[derive(Clone, Copy, Debug)]
struct Effort {
    /// Rounds of colour refinement.
    rounds: usize,
    /// Times that [`proximity`] runs.
    sweeps: usize,
    /// An edge tells its members of what was placed when that has grown to so many quarters of what it told before.
    factor: u32,
    /// Times that [`arrange`] goes through all variables.
    passes: usize,
    /// Places that a variable may move at a time, either way.
    reach: usize,
}

impl Effort {
    /// Up to so many literals in all edges everything is done in full, in some 0.1 s.
    ///
    /// Chosen with the limit below so that 10⁶ variables in 10⁷ literals take less than 3 s of CPU time (`cargo bench
    /// -p cnfkit-speed --bench order`).
    const FULL: usize = 400_000;

    /// Up to so many, edges say less often what was placed, and variables move less far; beyond, they do not move.
    const SOME: usize = 4_000_000;

    const fn of(lits: usize) -> Self {
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
    let effort = Effort::of(graph.lits.len());
    let members = Members::new(n_vars, graph, effort.rounds);
    let mut sequence: Vec<u32> = (0..members.len() as u32).collect();
    for sweep in 0..effort.sweeps {
        if sweep > 0 {
            sequence.reverse();
        }
        sequence = proximity::sweep(&members, &sequence, effort.factor, is_over).unwrap_or(sequence);
    }
    arrange::improve(&members, &mut sequence, effort.passes, effort.reach, is_over);
    let mut positions = vec![u32::MAX; n_vars];
    let mut next = 0..;
    for (&id, position) in sequence.iter().zip(&mut next) {
        positions[members.var(id)] = position;
    }
    let others = positions.iter_mut().filter(|position| **position == u32::MAX);
    others.zip(sequence.len() as u32..).for_each(|(position, next)| *position = next);
    positions
}

#[cfg(test)]
mod tests;
