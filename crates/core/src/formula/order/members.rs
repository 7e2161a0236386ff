//! Which variables are in which edges, both ways, by numbers of our own: *ids*.
//!
//! Variables that occur more often have lower ids; those that occur equally often are sorted by colour, those of the
//! same colour by the caller's number, the only place where that matters. Edges of one literal connect nothing and
//! are left out.

use super::colour::colours;
use super::hypergraph::Hypergraph;

/// Variables that are placed or moved between two looks at the clock.
pub(super) const PACE: usize = 1 << 10;

/// The attraction that an edge of n literals is shared out in: 1/n for each pair.
const ONE: u32 = 1 << 20;

/// The attraction of two variables in a binary clause; by far the most, because one decides the other.
pub(super) const BINARY: u32 = 4 * ONE;

/// The attraction of two variables in any other edge, where it is the same in all.
const EVEN: u32 = ONE / 64;

pub(super) struct Members {
    /// The caller's number of each id.
    vars: Vec<u32>,
    /// The ids in each edge, one edge after the other.
    pub(super) ids: Vec<u32>,
    /// Where each edge ends in `ids`.
    ends: Vec<u32>,
    /// The edges of each id, one id after the other.
    edges: Vec<u32>,
    /// Where the edges of each id start in `edges`, and where the last end.
    starts: Vec<u32>,
    /// The number of ids, and of variables in edges that were taken out of the graph before.
    pub(super) all: usize,
    /// Two attract each other as much in an edge of any length, but for binary ones: see [`lines`](super::lines).
    pub(super) is_even: bool,
}

impl Members {
    pub(super) fn new(n_vars: usize, graph: &Hypergraph, rounds: usize, all: Option<usize>) -> Self {
        let mut degrees = vec![0_u32; n_vars];
        let connecting = || graph.edges().map(|(_, lits)| lits).filter(|lits| lits.len() > 1);
        connecting().flatten().for_each(|lit| degrees[lit.vidx()] += 1);

        let colours = colours(n_vars, graph, rounds);
        // By degree, the highest first, by colour, and by number.
        let key = |var: u32| {
            let (degree, colour) = (degrees[var as usize], colours[var as usize]);
            u128::from(!degree) << 96 | u128::from(colour) << 32 | u128::from(var)
        };
        let mut ranked: Vec<u128> = (0..n_vars as u32).filter(|&var| degrees[var as usize] > 0).map(key).collect();
        ranked.sort_unstable();
        let vars: Vec<u32> = ranked.into_iter().map(|key| key as u32).collect();

        let mut id_of = vec![0_u32; n_vars];
        vars.iter().zip(0..).for_each(|(&var, id)| id_of[var as usize] = id);
        let mut starts = Vec::with_capacity(vars.len() + 1);
        starts.push(0);
        let mut total = 0;
        starts.extend(vars.iter().map(|&var| {
            total += degrees[var as usize];
            total
        }));

        let mut edges = vec![0_u32; total as usize];
        let mut free = starts.clone();
        let (mut ids, mut ends) = (Vec::with_capacity(total as usize), Vec::new());
        for lits in connecting() {
            for lit in lits {
                let id = id_of[lit.vidx()];
                ids.push(id);
                let free = &mut free[id as usize];
                edges[*free as usize] = ends.len() as u32;
                *free += 1;
            }
            ends.push(ids.len() as u32);
        }
        let all = all.unwrap_or(vars.len());
        Self { vars, ids, ends, edges, starts, all, is_even: false }
    }

    /// The number of ids.
    pub(super) const fn len(&self) -> usize {
        self.vars.len()
    }

    pub(super) const fn n_edges(&self) -> usize {
        self.ends.len()
    }

    /// The caller's number.
    pub(super) fn var(&self, id: u32) -> usize {
        self.vars[id as usize] as usize
    }

    /// The edges with this id.
    pub(super) fn edges(&self, id: u32) -> &[u32] {
        &self.edges[self.starts[id as usize] as usize..self.starts[id as usize + 1] as usize]
    }

    /// The ids in this edge.
    pub(super) fn ids(&self, edge: u32) -> &[u32] {
        let start = if edge == 0 { 0 } else { self.ends[edge as usize - 1] };
        &self.ids[start as usize..self.ends[edge as usize] as usize]
    }

    /// Where each edge begins in `ids`, and where it ends.
    pub(super) fn extents(&self) -> impl Iterator<Item = (u32, u32)> {
        std::iter::once(0).chain(self.ends.iter().copied()).zip(self.ends.iter().copied())
    }

    /// The attraction between any two in this edge.
    pub(super) fn weight(&self, edge: u32) -> u32 {
        self.weight_of(self.ids(edge).len())
    }

    /// The attraction between any two in an edge of so many.
    pub(super) fn weight_of(&self, members: usize) -> u32 {
        match members {
            2 => BINARY,
            _ if self.is_even => EVEN,
            _ => (ONE / members as u32).max(1),
        }
    }
}
