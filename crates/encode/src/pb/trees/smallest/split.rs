//! The cheapest tree over groups in order of weight, by dynamic programming.
//!
//! A stretch of neighbouring groups needs an output for each of its sums that the sums of all other groups tell apart
//! from the sum below it. For example *at most 9* of the weights 2, 3, 5, 5: the stretch 2, 3 has the sums 2, 3 and 5,
//! the others weigh 0, 5 or 10. With 5 of the others only a sum of 5 is too much, with 10 everything is, with 0 nothing
//! is; so the stretch needs one output, *at least 5*. That depends on the stretch alone. So the cheapest tree of a
//! stretch is a cut in two with the least sum of the cheapest trees of both parts and the clauses and variables of the
//! merge between them. The price of a merge counts an auxiliary as eliminated where a single clause makes it true, or a
//! single clause uses it.

use super::problem::WantedSums;
use crate::encode::GoOn;
use crate::pb::trees::sums::{Work, maximal_pairs, minimal_pairs, sumset};
use crate::pb::trees::tree::{NodeMerge, TreeNode, balanced};

/// Items of a programme; beyond, groups that are neighbours in order of weight are one item.
const MOST_ITEMS: usize = 40;

/// Steps of a programme, of some nanoseconds each.
const STEPS: u64 = 20_000_000;

/// Cheapest trees for one or two ways to count, while `go_on`.
pub(super) fn trees(problem: &WantedSums<'_>, go_on: &mut GoOn<'_>) -> Vec<Vec<TreeNode>> {
    let side = problem.side();
    let mut order = side.heavy_first();
    order.reverse();
    let chunk = order.len().div_ceil(MOST_ITEMS);
    let items: Vec<&[u32]> = order.chunks(chunk).collect();
    let both = matches!(problem, WantedSums::Exactly(..));
    let programme = |&discount: &bool| go_on().then(|| Programme::run(problem, &items, both, discount))?;
    [true, false].iter().filter_map(programme).collect()
}

struct Programme {
    items: usize,
    /// For each stretch the numbers of its outputs; 0, or the least value, is first.
    numbers: Vec<Vec<u64>>,
    /// For each stretch its price, and where it is cut.
    best: Vec<(i64, u32)>,
    /// The first number over the bound.
    over: u64,
    both: bool,
    discount: bool,
    work: Work,
    up: Vec<(u32, u32)>,
    down: Vec<(u32, u32)>,
    uses: [Vec<u32>; 2],
}

impl Programme {
    fn run(problem: &WantedSums<'_>, items: &[&[u32]], both: bool, discount: bool) -> Option<Vec<TreeNode>> {
        let n = items.len();
        let over = problem.side().bound + 1;
        let mut programme = Self {
            items: n,
            numbers: Vec::new(),
            best: vec![(0, 0); (n + 1) * (n + 1)],
            over,
            both,
            discount,
            work: Work::new(STEPS),
            up: Vec::new(),
            down: Vec::new(),
            uses: [Vec::new(), Vec::new()],
        };
        programme.numbers = programme.all_numbers(problem, items)?;
        for len in 2..=n {
            for from in 0..=n - len {
                let to = from + len;
                let mut best = (i64::MAX, 0);
                for cut in from + 1..to {
                    let price = programme.best[programme.at(from, cut)].0
                        + programme.best[programme.at(cut, to)].0
                        + programme.merge(from, cut, to)?;
                    best = best.min((price, cut as u32));
                }
                let at = programme.at(from, to);
                programme.best[at] = best;
            }
        }
        let mut nodes = Vec::new();
        programme.tree(items, 0, n, &mut nodes);
        Some(nodes)
    }

    const fn at(&self, from: usize, to: usize) -> usize {
        from * (self.items + 1) + to
    }

    fn tree(&self, items: &[&[u32]], from: usize, to: usize, nodes: &mut Vec<TreeNode>) -> u32 {
        if to == from + 1 {
            let first = nodes.len() as u32;
            nodes.extend(balanced(items[from]).into_iter().map(|node| match node {
                TreeNode::Sum(a, b) => TreeNode::Sum(a + first, b + first),
                group @ TreeNode::Group(_) => group,
            }));
        } else {
            let cut = self.best[self.at(from, to)].1 as usize;
            let left = self.tree(items, from, cut, nodes);
            let right = self.tree(items, cut, to, nodes);
            nodes.push(TreeNode::Sum(left, right));
        }
        nodes.len() as u32 - 1
    }

    /// The numbers of outputs of each stretch.
    fn all_numbers(&mut self, problem: &WantedSums<'_>, items: &[&[u32]]) -> Option<Vec<Vec<u64>>> {
        let n = items.len();
        let over = self.over;
        let mut sums: Vec<Vec<u64>> = vec![Vec::new(); (n + 1) * (n + 1)];
        for from in 0..=n {
            let at = self.at(from, from);
            sums[at] = vec![0];
            for to in from + 1..=n {
                let mut all = sums[self.at(from, to - 1)].clone();
                for &group in items[to - 1] {
                    all = sumset(&all, &problem.side().sums(group as usize, over), over, &mut self.work)?;
                }
                self.work.step(all.len() as u64)?;
                let at = self.at(from, to);
                sums[at] = all;
            }
        }
        let mut numbers: Vec<Vec<u64>> = vec![Vec::new(); (n + 1) * (n + 1)];
        for from in 0..n {
            for to in from + 1..=n {
                let own = &sums[self.at(from, to)];
                let rest = sumset(&sums[self.at(0, from)], &sums[self.at(to, n)], over, &mut self.work)?;
                self.work.step((own.len() + rest.len()) as u64)?;
                let at = self.at(from, to);
                numbers[at] = if self.both { values(own, &rest, over - 1) } else { outputs(own, &rest, over) };
            }
        }
        Some(numbers)
    }

    /// The price of the merge of two stretches.
    fn merge(&mut self, from: usize, cut: usize, to: usize) -> Option<i64> {
        let [own, a, b] = [self.at(from, to), self.at(from, cut), self.at(cut, to)];
        let root = to - from == self.items;
        let inner = [cut - from > 1, to - cut > 1];
        let Self { numbers, up, down, uses, work, over, .. } = self;
        let (a, b) = (&numbers[a][..], &numbers[b][..]);
        if self.both {
            let own = &numbers[own][..];
            if a.is_empty() || b.is_empty() || own.is_empty() {
                return Some(0);
            }
            if root {
                // Each output of the one is an output of the other.
                let (pairs, kept) = (2 * (a.len() as i64 - 1), a.len() as i64 - 1);
                return Some(if self.discount { pairs - 3 * kept } else { pairs });
            }
            let last = own[own.len() - 1];
            let mut price = 0;
            for (index, &value) in own.iter().enumerate() {
                let before = index.checked_sub(1).map_or(0, |before| own[before] + 1);
                if index > 0 {
                    minimal_pairs(a, b, before, up);
                    price += 1 + up.len() as i64;
                }
                maximal_pairs(a, b, value, down);
                price += down.len() as i64;
                work.step((up.len() + down.len()) as u64 + 4)?;
            }
            minimal_pairs(a, b, last + 1, up);
            return Some(price + up.len() as i64);
        }
        let merge = NodeMerge { sums: [a, b], inner, over: *over };
        if !root && let Some(sorted) = merge.sorted(numbers[own][1..].iter().copied()) {
            work.step(4 * sorted.places.len() as u64)?;
            if let Some(price) = sorted.price {
                return Some(price as i64);
            }
        }
        let mut price = 0;
        for (uses, numbers) in uses.iter_mut().zip([a, b]) {
            uses.clear();
            uses.resize(numbers.len(), 0);
        }
        let own: &[u64] = if root { &[0, *over] } else { &numbers[own] };
        let mut single = 0;
        for (index, &number) in own.iter().enumerate().skip(1) {
            minimal_pairs(a, b, number, up);
            work.step(up.len() as u64 + 2)?;
            let mut clauses = 0;
            let mut count = |(i, k): (u32, u32)| {
                clauses += 1;
                uses[0][i as usize] += 1;
                uses[1][k as usize] += 1;
            };
            if number == *over {
                merge.over(up, count);
                price += clauses;
            } else {
                let next = own.get(index + 1).copied().unwrap_or(*over);
                let linked = merge.output(up, next, &mut count);
                clauses += i64::from(linked);
                price += clauses + 1;
                single += i64::from(clauses == 1);
            }
        }
        if self.discount {
            price -= 2 * single;
            let once = [0, 1].map(|side| {
                let counted = [a, b][side].iter().zip(&uses[side]).skip(1);
                if inner[side] { counted.filter(|&(&number, &uses)| uses == 1 && number < *over).count() } else { 0 }
            });
            price -= 2 * once[0].max(once[1]) as i64;
        }
        Some(price)
    }
}

/// The least of `own` that some number of `rest` takes over the bound, for each; 0 is first. Both are up to `over`.
fn outputs(own: &[u64], rest: &[u64], over: u64) -> Vec<u64> {
    let mut found = vec![0];
    for &other in rest.iter().rev() {
        let least = over - other;
        let at = own.partition_point(|&sum| sum < least);
        if let Some(&sum) = own.get(at).filter(|&&sum| found.last() != Some(&sum)) {
            found.push(sum);
        }
    }
    found
}

/// Those of `own` that some number of `rest` completes to the bound.
fn values(own: &[u64], rest: &[u64], bound: u64) -> Vec<u64> {
    let completes = |&&sum: &&u64| sum <= bound && rest.binary_search(&(bound - sum)).is_ok();
    own.iter().filter(completes).copied().collect()
}
