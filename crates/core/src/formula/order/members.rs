//! Which variables are in which edges, both ways, by numbers of our own: *ids*.
//!
//! Variables that occur more often have lower ranks; those that occur equally often are ranked by colour, those of the
//! same colour by the caller's number, the only place where that matters. Ids are in the order of the caller's numbers:
//! what is near in a formula is so in memory, and nothing depends on them. Edges of one literal connect nothing and are
//! left out.

use super::colour::colours;
use super::hypergraph::Hypergraph;

/// Variables that are placed or moved between two looks at the clock.
pub(super) const PACE: usize = 1 << 10;

/// The attraction that an edge of n literals is shared out in: 1/n for each pair.
const ONE: u32 = 1 << 20;

/// The attraction of two variables in a binary clause; by far the most, because one decides the other.
pub(super) const BINARY: u32 = 4 * ONE;

pub(super) struct Members {
    /// The caller's number of each id, ascending.
    vars: Vec<u32>,
    /// The ids by rank, the lowest first.
    pub(super) ranked: Vec<u32>,
    /// The ids in each edge, one edge after the other.
    ids: Vec<u32>,
    all_edges: Vec<MemberEdge>,
    /// The edges of each id, one id after the other.
    edges: Vec<u32>,
    /// Where the edges of each id start in `edges`, and where the last end.
    starts: Vec<u32>,
    /// The number of ids, and of variables in edges that were taken out of the graph before.
    pub(super) all: usize,
}

/// Where the ids of an edge are, and the attraction between any two of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct MemberEdge {
    start: u32,
    end: u32,
    pub(super) weight: u32,
}

impl Members {
    pub(super) fn new(n_vars: usize, graph: &Hypergraph, rounds: usize, all: Option<usize>) -> Self {
        let mut degrees = vec![0_u32; n_vars];
        let connecting = || graph.edges().map(|(_, lits)| lits).filter(|lits| lits.len() > 1);
        connecting().flatten().for_each(|lit| degrees[lit.vidx()] += 1);

        let colours = colours(n_vars, graph, rounds);
        let vars: Vec<u32> = (0..n_vars as u32).filter(|&var| degrees[var as usize] > 0).collect();
        let (mut id_of, mut starts) = (vec![0_u32; n_vars], Vec::with_capacity(vars.len() + 1));
        let mut total = 0;
        // By degree, the highest first, by colour, and by number.
        let key = |(id, &var): (u32, &u32)| {
            id_of[var as usize] = id;
            starts.push(total);
            let (degree, colour) = (degrees[var as usize], colours[var as usize]);
            total += degree;
            u128::from(!degree) << 96 | u128::from(colour) << 32 | u128::from(id)
        };
        let mut ranked: Vec<u128> = (0..).zip(&vars).map(key).collect();
        ranked.sort_unstable();
        let ranked = ranked.into_iter().map(|key| key as u32).collect();

        let (mut edges, mut free) = (vec![0_u32; total as usize], starts.clone());
        starts.push(total);
        let (mut ids, mut all_edges) = (Vec::with_capacity(total as usize), Vec::new());
        for lits in connecting() {
            let start = ids.len() as u32;
            for lit in lits {
                let id = id_of[lit.vidx()];
                ids.push(id);
                let free = &mut free[id as usize];
                edges[*free as usize] = all_edges.len() as u32;
                *free += 1;
            }
            let weight = if lits.len() == 2 { BINARY } else { (ONE / lits.len() as u32).max(1) };
            all_edges.push(MemberEdge { start, end: ids.len() as u32, weight });
        }
        let all = all.unwrap_or(vars.len());
        Self { vars, ranked, ids, all_edges, edges, starts, all }
    }

    /// The number of ids.
    pub(super) const fn len(&self) -> usize {
        self.vars.len()
    }

    /// All edges, by number.
    pub(super) fn all_edges(&self) -> &[MemberEdge] {
        &self.all_edges
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
    pub(super) fn ids(&self, edge: MemberEdge) -> &[u32] {
        &self.ids[edge.start as usize..edge.end as usize]
    }
}
