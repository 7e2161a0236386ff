//! A formula as a hypergraph, in which only what is together in an edge counts.

use rustsat::types::Lit;

/// An edge for each clause and each constraint: the literals in it, and a label that tells kinds of edges apart.
#[derive(Clone, Debug, Default)]
pub(super) struct Hypergraph {
    pub(super) lits: Vec<Lit>,
    /// `ends[e]` is where edge `e` ends in `lits`.
    ends: Vec<u32>,
    labels: Vec<u64>,
    /// All edges are counts, but for clauses with a tenth of the literals, and few enough to look for
    /// [`lines`](super::lines).
    pub(super) is_counts: bool,
}

impl Hypergraph {
    /// The most literals that edges may have together: positions among them are four bytes.
    pub(super) const MOST: usize = 1 << 31;

    /// An empty graph with room for so many edges, and so many literals in them.
    pub(super) fn with_room(edges: usize, lits: usize) -> Self {
        let (ends, labels) = (Vec::with_capacity(edges), Vec::with_capacity(edges));
        Self { lits: Vec::with_capacity(lits), ends, labels, is_counts: false }
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

    /// The number of edges.
    pub(super) const fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn edges(&self) -> impl Iterator<Item = (u64, &[Lit])> {
        let mut start = 0;
        self.labels.iter().zip(&self.ends).map(move |(&label, &end)| {
            let edge = &self.lits[start as usize..end as usize];
            start = end;
            (label, edge)
        })
    }
}
