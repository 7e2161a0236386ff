//! Proximity: one variable after the other is placed, always the one that those already placed attract most.
//!
//! The attraction of a variable is a sum over its edges of the edge's weight times how many of its members are
//! placed. To bring that up to date at every placement takes time quadratic in the length of an edge. So an edge
//! tells the members that are left only when the number of those placed has grown by some factor since it last did:
//! an edge of n literals does so O(log n) times. The first few placements are told at once, and short edges are
//! exact. An edge that most variables are in says nothing: it attracts all alike.

use super::members::{Members, PACE};

/// Edges of more than so many members, and more than half of all variables, are left out: fewer cost nothing anyway.
const FEW: usize = 64;

/// All ids in the order in which they are placed; where nothing attracts, the first of `starts` that is left is next,
/// and ties go to what is earlier in `starts`. An edge tells of placements that make `factor` quarters of what it
/// told before. `None` where the time `is_over`.
pub(super) fn sweep(
    members: &Members,
    starts: &[u32],
    factor: u32,
    is_over: &mut dyn FnMut() -> bool,
) -> Option<Vec<u32>> {
    let mut queue = Queue::new(starts);
    // How many members of each edge are placed, and how many were when it last told the others.
    let mut counts = vec![(0_u32, 0_u32); members.n_edges()];
    let mut sequence = Vec::with_capacity(members.len());
    let mut rest = starts.iter().copied();
    while let Some(id) = queue.pop().or_else(|| rest.find(|&id| queue.place(id))) {
        if sequence.len() % PACE == 0 && is_over() {
            return None;
        }
        sequence.push(id);
        for &edge in members.edges(id) {
            let ids = members.ids(edge);
            if ids.len() > FEW && 2 * ids.len() > members.len() {
                continue;
            }
            let (there, told) = &mut counts[edge as usize];
            *there += 1;
            if u64::from(*there) * 4 >= u64::from(*told) * u64::from(factor) && (*there as usize) < ids.len() {
                let attraction = u64::from(*there - *told) * u64::from(members.weight(edge));
                *told = *there;
                ids.iter().for_each(|&id| queue.raise(id, attraction));
            }
        }
    }
    Some(sequence)
}

/// Ids by attraction, the highest first, ties by rank. A heap in which each has four children, and which knows where
/// each id is: attractions only grow.
struct Queue {
    heap: Vec<u32>,
    entries: Vec<Entry>,
}

#[derive(Clone, Copy)]
struct Entry {
    attraction: u64,
    rank: u32,
    /// The place in the heap, [`WAITING`] before that, [`PLACED`] after.
    place: u32,
}

const WAITING: u32 = u32::MAX;
const PLACED: u32 = u32::MAX - 1;

const CHILDREN: usize = 4;

impl Queue {
    fn new(ranked: &[u32]) -> Self {
        let mut entries = vec![Entry { attraction: 0, rank: 0, place: WAITING }; ranked.len()];
        ranked.iter().zip(0..).for_each(|(&id, rank)| entries[id as usize].rank = rank);
        Self { heap: Vec::new(), entries }
    }

    /// Places an id that nothing attracts; false when it was placed before.
    fn place(&mut self, id: u32) -> bool {
        let waiting = self.entries[id as usize].place == WAITING;
        self.entries[id as usize].place = PLACED;
        waiting
    }

    fn is_before(&self, a: u32, b: u32) -> bool {
        let (a, b) = (self.entries[a as usize], self.entries[b as usize]);
        (b.attraction, a.rank) < (a.attraction, b.rank)
    }

    fn put(&mut self, id: u32, place: usize) {
        self.heap[place] = id;
        self.entries[id as usize].place = place as u32;
    }

    /// Attracts an id more, unless it is placed.
    fn raise(&mut self, id: u32, by: u64) {
        let entry = &mut self.entries[id as usize];
        let mut place = match entry.place {
            PLACED => return,
            WAITING => {
                self.heap.push(id);
                self.heap.len() - 1
            }
            place => place as usize,
        };
        entry.attraction += by;
        while let Some(parent) = place.checked_sub(1).map(|place| place / CHILDREN) {
            let above = self.heap[parent];
            if !self.is_before(id, above) {
                break;
            }
            self.put(above, place);
            place = parent;
        }
        self.put(id, place);
    }

    /// Places the first.
    fn pop(&mut self) -> Option<u32> {
        let last = self.heap.pop()?;
        let Some(&first) = self.heap.first() else {
            self.entries[last as usize].place = PLACED;
            return Some(last);
        };
        self.entries[first as usize].place = PLACED;
        let mut place = 0;
        loop {
            let children = CHILDREN * place + 1..(CHILDREN * place + 1 + CHILDREN).min(self.heap.len());
            let Some(best) = children.reduce(|a, b| if self.is_before(self.heap[b], self.heap[a]) { b } else { a })
            else {
                break;
            };
            let below = self.heap[best];
            if !self.is_before(below, last) {
                break;
            }
            self.put(below, place);
            place = best;
        }
        self.put(last, place);
        Some(first)
    }
}
