//! Local search for an arrangement in which what attracts each other is close: the *minimum linear arrangement*,
//! where the cost is the sum over all pairs of their attraction times their distance. To find the best is NP-hard
//! (Garey, Johnson, Stockmeyer, *Some simplified NP-complete graph problems*, TCS 1976).
//!
//! # Invariant
//!
//! The *pull* of a variable is its attraction to everything left of it less that to everything right of it. Let a
//! stand directly left of b, and let w be their attraction to each other. Exchanging them moves a one place away from
//! all that is left of it and one nearer to all that is right of it but b, and b the other way round, so the cost
//! changes by
//!
//! > pull(a) − pull(b) + 2w.
//!
//! Their distance stays 1. For everything else nothing changes sides, so that only two pulls change: pull(a) grows by
//! 2w, pull(b) falls by 2w. A move by several places is a row of such exchanges. So the pulls are computed once, in
//! [`pulls`], and kept right by every move; an edge of any length costs its members one addition each.
//!
//! A variable that stayed is not looked at again before one within its reach has moved.
//!
//! For example, in a chain a–c–b–d of three equal attractions arranged a b c d, the pulls are −1, −2, 2, 1: b is
//! attracted to c and d, both right of it. Exchanging b and c changes the cost by −2 − 2 + 2 = −2, from 5 to 3.

use super::members::Members;

/// Moves each variable up to `reach` places to where the cost is least, left to right and right to left in turn,
/// `passes` times or until nothing moves.
pub(super) fn improve(members: &Members, sequence: &mut [u32], passes: usize, reach: usize) {
    let mut search = Search::new(members, sequence);
    let n = search.sequence.len();
    for pass in 0..passes {
        let mut moved = false;
        for i in 0..n {
            moved |= search.step(if pass % 2 == 0 { i } else { n - 1 - i }, reach);
        }
        if !moved {
            break;
        }
    }
}

/// The pull of each id in this sequence.
fn pulls(members: &Members, sequence: &[u32]) -> Vec<i64> {
    let mut pulls = vec![0; members.len()];
    // How many members of each edge were passed so far.
    let mut passed = vec![0_i64; members.n_edges()];
    for &id in sequence {
        for &edge in members.edges(id) {
            let left = &mut passed[edge as usize];
            let right = members.ids(edge).len() as i64 - 1 - *left;
            pulls[id as usize] += (*left - right) * i64::from(members.weight(edge));
            *left += 1;
        }
    }
    pulls
}

struct Search<'a> {
    members: &'a Members,
    sequence: &'a mut [u32],
    pulls: Vec<i64>,
    /// The weight of each edge of the variable that is being moved, 0 for all others.
    near: Vec<u32>,
    /// The number of steps so far.
    now: u32,
    /// The last step that put another variable at each place.
    changed: Vec<u32>,
    /// The last step that began at each place.
    looked: Vec<u32>,
}

impl<'a> Search<'a> {
    fn new(members: &'a Members, sequence: &'a mut [u32]) -> Self {
        let (n, pulls) = (sequence.len(), pulls(members, sequence));
        let near = vec![0; members.n_edges()];
        Self { members, pulls, sequence, near, now: 0, changed: vec![0; n], looked: vec![0; n] }
    }
}

impl Search<'_> {
    /// Moves the variable at `place` to the best place within reach; whether it moved.
    fn step(&mut self, place: usize, reach: usize) -> bool {
        // A pull changes only where its variable moves: with the same ones around it, this one stays again.
        let around = place.saturating_sub(reach)..(place + reach + 1).min(self.sequence.len());
        if self.changed[around].iter().all(|&changed| changed < self.looked[place]) {
            return false;
        }
        self.now += 1;
        self.looked[place] = self.now;
        let id = self.sequence[place];
        let members = self.members;
        members.edges(id).iter().for_each(|&edge| self.near[edge as usize] = members.weight(edge));
        let (gain_right, right) = self.look(id, self.sequence[place + 1..].iter().take(reach), 1);
        let (gain_left, left) = self.look(id, self.sequence[..place].iter().rev().take(reach), -1);
        if gain_right < gain_left {
            for at in place..place + right {
                self.exchange(at, at + 1, 1);
            }
        } else {
            for at in (place + 1 - left..=place).rev() {
                self.exchange(at, at - 1, -1);
            }
        }
        members.edges(id).iter().for_each(|&edge| self.near[edge as usize] = 0);
        left + right > 0 && gain_right.min(gain_left) < 0
    }

    /// The best change of cost from moving `id` past some of `others`, and past how many; `side`: 1 to the right, −1
    /// to the left.
    fn look<'b>(&self, id: u32, others: impl Iterator<Item = &'b u32>, side: i64) -> (i64, usize) {
        let (mut best, mut pull, mut sum) = ((0, 0), self.pulls[id as usize], 0);
        for (&other, past) in others.zip(1..) {
            let both = self.attraction(other);
            sum += side * (pull - self.pulls[other as usize]) + 2 * both;
            pull += side * 2 * both;
            if sum < best.0 {
                best = (sum, past);
            }
        }
        best
    }

    /// Exchanges the variable that is being moved, at `from`, with its neighbour at `to`.
    fn exchange(&mut self, from: usize, to: usize, side: i64) {
        let (id, other) = (self.sequence[from], self.sequence[to]);
        let both = side * 2 * self.attraction(other);
        self.pulls[id as usize] += both;
        self.pulls[other as usize] -= both;
        self.sequence.swap(from, to);
        (self.changed[from], self.changed[to]) = (self.now, self.now);
    }

    /// The attraction between `other` and the variable that is being moved.
    fn attraction(&self, other: u32) -> i64 {
        self.members.edges(other).iter().map(|&edge| i64::from(self.near[edge as usize])).sum()
    }
}

#[cfg(test)]
mod tests {
    use rustsat::types::Lit;

    use super::super::Hypergraph;
    use super::*;
    use crate::random::Random;

    /// The cost by its definition.
    fn cost(members: &Members, sequence: &[u32]) -> i64 {
        let mut places = vec![0_i64; sequence.len()];
        sequence.iter().zip(0..).for_each(|(&id, place)| places[id as usize] = place);
        let of_edge = |edge: u32| {
            let ids = members.ids(edge);
            let pairs = ids.iter().enumerate().flat_map(|(i, &a)| ids[i + 1..].iter().map(move |&b| (a, b)));
            let distance: i64 = pairs.map(|(a, b)| (places[a as usize] - places[b as usize]).abs()).sum();
            distance * i64::from(members.weight(edge))
        };
        (0..members.n_edges() as u32).map(of_edge).sum()
    }

    #[test]
    fn steps_keep_the_pulls_right_and_lower_the_cost() {
        let mut random = Random::new(1);
        for _ in 0..200 {
            let mut graph = Hypergraph::default();
            for _ in 0..random.below(12) {
                let mut vars: Vec<u32> = (0..9).collect();
                random.shuffle(&mut vars);
                graph.add(1, vars[..2 + random.below(5)].iter().map(|&var| Lit::positive(var)));
            }
            let members = Members::new(9, &graph, 2);
            let mut sequence: Vec<u32> = (0..members.len() as u32).collect();
            random.shuffle(&mut sequence);
            let mut search = Search::new(&members, &mut sequence);
            let mut before = cost(&members, search.sequence);
            for _ in 0..30 {
                if members.len() == 0 {
                    break;
                }
                let moved = search.step(random.below(members.len()), 1 + random.below(8));
                let after = cost(&members, search.sequence);
                assert_eq!(search.pulls, pulls(&members, search.sequence));
                assert!(if moved { after < before } else { after == before }, "{before} {after} {moved}");
                before = after;
            }
            let was = cost(&members, search.sequence);
            improve(&members, &mut sequence, 6, 8);
            assert!(cost(&members, &sequence) <= was);
        }
    }

    /// The example of the file's first lines.
    #[test]
    fn a_chain() {
        let mut graph = Hypergraph::default();
        for (a, b) in [(0, 2), (2, 1), (1, 3)] {
            graph.add(1, [Lit::positive(a), Lit::positive(b)]);
        }
        let members = Members::new(4, &graph, 0);
        let mut sequence: Vec<u32> = (0..4).collect();
        sequence.sort_unstable_by_key(|&id| members.var(id));
        improve(&members, &mut sequence, 1, 1);
        let vars: Vec<usize> = sequence.iter().map(|&id| members.var(id)).collect();
        assert_eq!(vars, [0, 2, 1, 3]);
    }
}
