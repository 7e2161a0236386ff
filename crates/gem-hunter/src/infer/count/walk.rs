//! All ways of one part with a given number of traps, one after another.

use super::lattice::Lattice;
use super::ways::Ways;

/// The course of the present way through a lattice: back from its end, group by group.
#[derive(Clone, Debug)]
pub(crate) struct LatticeWalk {
    /// Traps of the way.
    traps: u32,
    /// One for each group, the last group first.
    stages: Vec<Stage>,
}

#[derive(Clone, Debug)]
struct Stage {
    edge: usize,
    /// Traps in this group and those before it.
    traps: u32,
    /// The cells of the group that are traps, ascending.
    chosen: Vec<u32>,
}

impl LatticeWalk {
    /// Before the first of the ways with so many traps.
    pub(crate) const fn new(traps: u32) -> Self {
        Self { traps, stages: Vec::new() }
    }

    /// Goes to the next way, of which [`Lattice::pick`] gives the first; false when there is no other.
    pub(crate) fn advance<W: Ways>(&mut self, lattice: &Lattice<W>) -> bool {
        if self.stages.is_empty() {
            return self.descend(lattice);
        }
        while let Some(mut stage) = self.stages.pop() {
            let step = lattice.n_groups() - 1 - self.stages.len();
            let (to, _) = lattice.edge(stage.edge);
            if !next_choice(&mut stage.chosen, lattice.cells(step).len() as u32) {
                let Some(edge) = lattice.way_to(step, to, stage.traps, stage.edge + 1) else { continue };
                stage = Stage { edge, traps: stage.traps, chosen: (0..lattice.edge(edge).1).collect() };
            }
            self.stages.push(stage);
            return self.descend(lattice);
        }
        false
    }

    /// Takes the first way from where the walk is; false when there is none.
    fn descend<W: Ways>(&mut self, lattice: &Lattice<W>) -> bool {
        while let Some(step) = lattice.n_groups().checked_sub(self.stages.len() + 1) {
            let (to, traps) = match self.stages.last() {
                None => (0, self.traps),
                Some(stage) => {
                    let in_group = stage.chosen.len() as u32;
                    (lattice.from(stage.edge), stage.traps - in_group)
                }
            };
            let Some(edge) = lattice.way_to(step, to, traps, 0) else { return false };
            self.stages.push(Stage { edge, traps, chosen: (0..lattice.edge(edge).1).collect() });
        }
        true
    }

    /// The present way: cells, and whether each is a trap.
    pub(crate) fn read<W: Ways>(&self, lattice: &Lattice<W>, mut put: impl FnMut(u32, bool)) {
        for (stage, step) in self.stages.iter().zip((0..lattice.n_groups()).rev()) {
            for (at, &cell) in lattice.cells(step).iter().enumerate() {
                put(cell, stage.chosen.binary_search(&(at as u32)).is_ok());
            }
        }
    }
}

/// The next choice of as many of `0..n`, in lexicographic order.
fn next_choice(chosen: &mut [u32], n: u32) -> bool {
    let len = chosen.len();
    let Some(at) = (0..len).rev().find(|&at| chosen[at] < n - (len - at) as u32) else { return false };
    let first = chosen[at] + 1;
    for (by, item) in chosen[at..].iter_mut().enumerate() {
        *item = first + by as u32;
    }
    true
}
