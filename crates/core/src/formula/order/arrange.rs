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
//! A variable that stayed is not looked at again before one within its reach has moved. To find the best place within
//! reach takes the attraction to every variable on the way, a sum over its edges. As no attraction is negative, the
//! pulls alone are a bound on what moving further could still gain, and most looks end there after a few variables.
//!
//! For example, in a chain a–c–b–d of three equal attractions arranged a b c d, the pulls are −1, −2, 2, 1: b is
//! attracted to c and d, both right of it. Exchanging b and c changes the cost by −2 − 2 + 2 = −2, from 5 to 3.

use std::ops::Range;

use super::members::{Members, PACE};

/// The most places that a variable may move at a time, either way.
pub(super) const MOST_REACH: usize = 8;

/// Moves each variable up to `reach` places, of [`MOST_REACH`], to where the cost is least, left to right and right to
/// left in turn, `passes` times or until nothing moves or the time `is_over`.
pub(super) fn improve(
    members: &Members,
    sequence: &mut [u32],
    passes: usize,
    reach: usize,
    is_over: &mut dyn FnMut() -> bool,
) {
    if passes == 0 {
        return;
    }
    let reach = reach.min(MOST_REACH);
    let mut search = ArrangementSearch::new(members, sequence);
    let n = search.sequence.len();
    for pass in 0..passes {
        let mut moved = false;
        for i in 0..n {
            if i % PACE == 0 && is_over() {
                return;
            }
            moved |= search.step(if pass % 2 == 0 { i } else { n - 1 - i }, reach);
        }
        if !moved {
            break;
        }
    }
}

/// The pull of the id at each place of this sequence.
fn pulls(members: &Members, sequence: &[u32]) -> Vec<i64> {
    let mut pulls = vec![0; members.len()];
    // How many members of each edge were passed so far.
    let mut passed = vec![0_i64; members.n_edges()];
    for (&id, pull) in sequence.iter().zip(&mut pulls) {
        for &edge in members.edges(id) {
            let left = &mut passed[edge as usize];
            let right = members.ids(edge).len() as i64 - 1 - *left;
            *pull += (*left - right) * i64::from(members.weight(edge));
            *left += 1;
        }
    }
    pulls
}

struct ArrangementSearch<'a> {
    members: &'a Members,
    sequence: &'a mut [u32],
    /// The pull of what is at each place.
    pulls: Vec<i64>,
    /// The weight of each edge of the variable that is being moved, 0 for all others.
    near: Vec<u32>,
    /// The places within reach of which something has moved since a step last began there.
    awake: Vec<bool>,
}

impl<'a> ArrangementSearch<'a> {
    fn new(members: &'a Members, sequence: &'a mut [u32]) -> Self {
        let (n, pulls) = (sequence.len(), pulls(members, sequence));
        let near = vec![0; members.n_edges()];
        Self { members, pulls, sequence, near, awake: vec![true; n] }
    }
}

/// The best way to move to one side.
#[derive(Clone, Copy, Debug, Default)]
struct BestMove {
    /// The change of cost: at most 0.
    gain: i64,
    /// Past how many.
    past: usize,
}

impl ArrangementSearch<'_> {
    /// Moves the variable at `place` to the best place within reach; whether it moved.
    fn step(&mut self, place: usize, reach: usize) -> bool {
        // A pull changes only where its variable moves: with the same ones around it, this one stays again.
        if !std::mem::take(&mut self.awake[place]) {
            return false;
        }
        let (first, end) = (place.saturating_sub(reach), (place + reach + 1).min(self.sequence.len()));
        let (members, id) = (self.members, self.sequence[place]);
        members.edges(id).iter().for_each(|&edge| self.near[edge as usize] = members.weight(edge));
        let (mut to_right, mut to_left) = ([0; MOST_REACH], [0; MOST_REACH]);
        let around = |places: Range<usize>| self.pulls[places.clone()].iter().zip(&self.sequence[places]);
        let right = self.look(self.pulls[place], around(place + 1..end), 1, &mut to_right);
        let left = self.look(-self.pulls[place], around(first..place).rev(), -1, &mut to_left);
        members.edges(id).iter().for_each(|&edge| self.near[edge as usize] = 0);
        if right.gain < left.gain {
            (place..place + right.past).zip(&to_right).for_each(|(at, &both)| self.exchange(at, at + 1, both));
            self.awake[first..(end + right.past).min(self.sequence.len())].fill(true);
        } else if left.past > 0 {
            let places = (place - left.past..place).rev();
            places.zip(&to_left).for_each(|(at, &both)| self.exchange(at + 1, at, -both));
            self.awake[first.saturating_sub(left.past)..end].fill(true);
        }
        left.past + right.past > 0
    }

    /// The best way past some of those `around`, with the attraction to each of them; `side`: 1 to the right, −1 to
    /// the left; `own`: the pull to the other side.
    fn look<'p, P>(&self, own: i64, around: P, side: i64, attractions: &mut [i64; MOST_REACH]) -> BestMove
    where
        P: Iterator<Item = (&'p i64, &'p u32)> + Clone,
    {
        // The change of cost by moving past each, if it did not attract, and the least by moving past those from it on.
        let mut changes = [0; MOST_REACH];
        changes.iter_mut().zip(around.clone()).for_each(|(change, (pull, _))| *change = own - side * pull);
        let mut least = changes;
        for past in (1..MOST_REACH).rev() {
            least[past - 1] += least[past].min(0);
        }
        // `more`: by how much the own pull has changed on the way.
        let (mut way, mut more, mut sum) = (BestMove::default(), 0, 0);
        for ((_, &other), past) in around.zip(0..MOST_REACH) {
            if sum + more + least[past] >= way.gain {
                break;
            }
            let both = self.attraction(other);
            attractions[past] = both;
            sum += more + changes[past] + 2 * both;
            more += 2 * both;
            if sum < way.gain {
                (way.gain, way.past) = (sum, past + 1);
            }
        }
        way
    }

    /// Exchanges the variable that is being moved, at `from`, with its neighbour at `to`; `both`: how much they
    /// attract each other, less than 0 to the left.
    fn exchange(&mut self, from: usize, to: usize, both: i64) {
        self.pulls[from] += 2 * both;
        self.pulls[to] -= 2 * both;
        self.pulls.swap(from, to);
        self.sequence.swap(from, to);
    }

    /// The attraction between `other` and the variable that is being moved.
    fn attraction(&self, other: u32) -> i64 {
        self.members.edges(other).iter().map(|&edge| i64::from(self.near[edge as usize])).sum()
    }
}

#[cfg(test)]
mod tests {
    use rustsat::types::Lit;

    use super::super::hypergraph::Hypergraph;
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

    /// The least cost when the id at `place` moves at most `reach` places.
    fn least_cost(members: &Members, sequence: &[u32], place: usize, reach: usize) -> i64 {
        let places = place.saturating_sub(reach)..=(place + reach).min(sequence.len() - 1);
        let moved = places.map(|to| {
            let mut other = sequence.to_vec();
            let id = other.remove(place);
            other.insert(to, id);
            cost(members, &other)
        });
        moved.min().unwrap()
    }

    #[test]
    fn steps_keep_the_pulls_right_and_go_to_the_best_place() {
        let mut random = Random::new(1);
        for _ in 0..200 {
            let mut graph = Hypergraph::default();
            for _ in 0..random.below(12) {
                let mut vars: Vec<u32> = (0..9).collect();
                random.shuffle(&mut vars);
                graph.add(1, vars[..2 + random.below(5)].iter().map(|&var| Lit::positive(var)));
            }
            let members = Members::new(9, &graph, 2, None);
            let mut sequence: Vec<u32> = (0..members.len() as u32).collect();
            random.shuffle(&mut sequence);
            let mut search = ArrangementSearch::new(&members, &mut sequence);
            let mut before = cost(&members, search.sequence);
            let reach = 1 + random.below(MOST_REACH);
            for _ in 0..30 {
                if members.len() == 0 {
                    break;
                }
                let place = random.below(members.len());
                let least = least_cost(&members, search.sequence, place, reach);
                let moved = search.step(place, reach);
                let after = cost(&members, search.sequence);
                assert_eq!(search.pulls, pulls(&members, search.sequence));
                assert_eq!((after, moved), (least, least < before));
                before = after;
            }
            let was = cost(&members, search.sequence);
            improve(&members, &mut sequence, 6, 8, &mut || false);
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
        let members = Members::new(4, &graph, 0, None);
        let mut sequence: Vec<u32> = (0..4).collect();
        sequence.sort_unstable_by_key(|&id| members.var(id));
        improve(&members, &mut sequence, 1, 1, &mut || false);
        let vars: Vec<usize> = sequence.iter().map(|&id| members.var(id)).collect();
        assert_eq!(vars, [0, 2, 1, 3]);
    }
}
