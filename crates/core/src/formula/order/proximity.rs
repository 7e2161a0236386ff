//! Proximity: one variable after the other is placed, always the one that those already placed attract most.
//!
//! The attraction of a variable is a sum over its edges of the edge's weight times how many of its members are
//! placed. To bring that up to date at every placement takes time quadratic in the length of an edge. So an edge
//! tells the members that are left only when the number of those placed has grown by some factor since it last did:
//! an edge of n literals does so O(log n) times. The first few placements are told at once, and short edges are
//! exact. An edge that most variables are in says nothing: it attracts all alike.

use super::members::{BINARY, Members, PACE};

/// Edges of more than so many members, and more than half of all variables, are left out: fewer cost nothing anyway.
pub(super) const FEW: usize = 64;

/// An edge while its members are placed.
struct EdgeState {
    /// Its members among all ids.
    start: u32,
    end: u32,
    /// How many are placed, and how many were when it last told the others.
    placed: u32,
    told: u32,
}

/// All ids in the order in which they are placed; where nothing attracts, the first of `starts` that is left is next,
/// and ties go to what is earlier in `starts`. An edge tells of placements that make `factor` quarters of what it
/// told before. `None` where the time `is_over`.
pub(super) fn sweep(
    members: &Members,
    starts: &[u32],
    factor: u32,
    is_over: &mut dyn FnMut() -> bool,
) -> Option<Vec<u32>> {
    // The first id is in the most edges.
    let degree = if starts.is_empty() { 0 } else { members.edges(0).len() };
    let mut queue = Queue::new(starts, degree as u64 * u64::from(BINARY).max(starts.len() as u64));
    let mut states: Vec<EdgeState> =
        members.extents().map(|(start, end)| EdgeState { start, end, placed: 0, told: 0 }).collect();
    let mut sequence = Vec::with_capacity(members.len());
    let mut telling: Vec<(&[u32], u64)> = Vec::new();
    while let Some(id) = queue.pop() {
        if sequence.len() % PACE == 0 && is_over() {
            return None;
        }
        sequence.push(id);
        telling.clear();
        // First all counts, then what follows from them: so memory is asked for the next edge before it has answered.
        members.edges(id).iter().for_each(|&edge| states[edge as usize].placed += 1);
        for &edge in members.edges(id) {
            let EdgeState { start, end, placed, told } = &mut states[edge as usize];
            let len = (*end - *start) as usize;
            let is_silent = u64::from(*placed) * 4 < u64::from(*told) * u64::from(factor);
            if is_silent || *placed as usize == len || len > FEW && 2 * len > members.all {
                continue;
            }
            let attraction = u64::from(*placed - *told) * u64::from(members.weight_of(len));
            telling.push((&members.ids[*start as usize..*end as usize], attraction));
            *told = *placed;
        }
        queue.raise(&telling);
    }
    Some(sequence)
}

/// Ids by attraction, the highest first, ties by rank: a tree in which each node is the maximum of its children, and
/// the last nodes are the ids. Attractions only grow, so most that are raised are below what their node has already.
struct Queue<'a> {
    /// Of each id, its attraction and, in the `low` bits, how many ranks there are from its own on; 0 if it is placed.
    tree: Vec<u64>,
    /// Nodes before the ids.
    inner: usize,
    ranked: &'a [u32],
    low: u32,
    /// The bits of attractions that are left out, where not all have room.
    cut: u32,
}

const CHILDREN: usize = 8;

impl<'a> Queue<'a> {
    /// No attraction is above `most`.
    fn new(ranked: &'a [u32], most: u64) -> Self {
        let inner = ranked.len().saturating_sub(1).div_ceil(CHILDREN - 1);
        let mut tree = vec![0; CHILDREN * inner + 1];
        ranked.iter().rev().zip(1..).for_each(|(&id, left)| tree[inner + id as usize] = left);
        let low = usize::BITS - ranked.len().leading_zeros();
        let mut queue = Self { tree, inner, ranked, low, cut: low.saturating_sub(most.leading_zeros()) };
        (0..inner).rev().for_each(|node| queue.update(node));
        queue
    }

    fn update(&mut self, node: usize) {
        if let Some(&[a, b, c, d, e, f, g, h]) = self.tree[CHILDREN * node + 1..].first_chunk::<CHILDREN>() {
            self.tree[node] = a.max(b).max(c.max(d)).max(e.max(f).max(g.max(h)));
        }
    }

    /// Attracts ids more, unless they are placed. First all ids, then the nodes above: so memory is asked for the next
    /// id before it has answered for the last.
    fn raise(&mut self, telling: &[(&[u32], u64)]) {
        for &(ids, by) in telling {
            let by = by >> self.cut << self.low;
            for &id in ids {
                let key = &mut self.tree[self.inner + id as usize];
                *key += if *key == 0 { 0 } else { by };
            }
        }
        for &id in telling.iter().flat_map(|(ids, _)| *ids) {
            let mut node = self.inner + id as usize;
            let key = self.tree[node];
            while node > 0 {
                node = (node - 1) / CHILDREN;
                if self.tree[node] >= key {
                    break;
                }
                self.tree[node] = key;
            }
        }
    }

    /// Places the first.
    fn pop(&mut self) -> Option<u32> {
        let left = (self.tree[0] & ((1 << self.low) - 1)) as usize;
        let id = *self.ranked.get(self.ranked.len() - left)?;
        let mut node = self.inner + id as usize;
        self.tree[node] = 0;
        while node > 0 {
            node = (node - 1) / CHILDREN;
            self.update(node);
        }
        Some(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// The next is the one attracted most, then of the lowest rank, also where attractions have no room for all bits.
    #[test]
    fn the_queue_has_the_most_attracted_first() {
        let mut random = Random::new(1);
        for n in 0..80 {
            let mut ranked: Vec<u32> = (0..n).collect();
            random.shuffle(&mut ranked);
            let cut = random.below(3) as u32;
            let low = u32::BITS - n.leading_zeros();
            let mut queue = Queue::new(&ranked, u64::MAX >> (low - cut.min(low)));
            assert_eq!(queue.cut, cut.min(low));
            let mut left: Vec<(u64, u32)> = ranked.iter().map(|&id| (0, id)).collect();
            while !left.is_empty() {
                let ids: [Vec<u32>; 2] = [0; 2].map(|_| (0..n).filter(|_| random.below(4) == 0).collect());
                let by = [0; 2].map(|_| (1 + random.below(3) as u64) << queue.cut);
                let telling = &[(&ids[0][..], by[0]), (&ids[1][..], by[1])][..random.below(3)];
                queue.raise(telling);
                for (attraction, id) in &mut left {
                    *attraction += telling.iter().filter(|(ids, _)| ids.contains(id)).map(|(_, by)| by).sum::<u64>();
                }
                let most = left.iter().map(|&(attraction, _)| attraction).max();
                let at = left.iter().position(|&(attraction, _)| Some(attraction) == most).unwrap();
                assert_eq!(queue.pop(), Some(left.remove(at).1));
            }
            assert_eq!(queue.pop(), None);
        }
    }
}
