//! A generalized totalizer that is written piece by piece: a tree of sums in which output s of a node says that the
//! weights below it sum up to at least s, for sums s that can be.
//!
//! Of each node only a *window* of outputs is written, those that the bounds asked for need, and for each side apart:
//! clauses that make outputs true serve upper bounds, clauses that make them false serve lower ones. A window only ever
//! widens. Its clauses are those of the whole node with a head inside; what lies beyond the window's end is taken for
//! its last output, what lies before its start for its first, and of such clauses only those that no other implies are
//! written. When the window widens, they stay: they are true, and of no more use.
//!
//! Sums are listed up to the highest bound asked for, and one beyond. A higher bound appends to these lists, so that
//! places in them stay valid.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use rustsat::types::Lit;

use crate::gcd::gcd;
use crate::size::Size;
use crate::sort;
use crate::writer::{Full, Writer};

/// The side from which a bound comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// At most: inputs make outputs true.
    Upper,
    /// At least: inputs make outputs false.
    Lower,
}

#[derive(Clone, Debug)]
struct CounterNode {
    children: Option<(usize, usize)>,
    /// The greatest sum.
    total: u64,
    /// All sums are multiples of this.
    unit: u64,
    /// The sums above 0, ascending: those up to the tree's `cap`, and one beyond if there is one.
    sums: Vec<u64>,
    /// The output for each of them, where some window has it.
    outputs: Vec<Option<Lit>>,
    /// The window of each side, as places in `sums`.
    windows: [Range<usize>; 2],
}

/// Weighted literals, and the outputs that are written.
#[derive(Clone, Debug, Default)]
pub(super) struct CounterTree {
    /// Children come before parents; the last is the root.
    nodes: Vec<CounterNode>,
    /// Sums are listed up to this.
    cap: u64,
}

/// A step that was planned: the new windows of one side, for each node.
pub(super) struct Growth {
    side: Side,
    windows: Vec<Range<usize>>,
    pub(super) size: Size,
}

impl CounterTree {
    /// The sum of all weights.
    pub(super) fn total(&self) -> u64 {
        self.nodes.last().map_or(0, |root| root.total)
    }

    /// Adds literals; their weights are above 0, and all weights together are below 2⁶⁴.
    ///
    /// Equal weights come together first, because their sums are few; then those parts whose sums are fewest.
    pub(super) fn plant(&mut self, terms: &[(Lit, u64)]) {
        if terms.is_empty() {
            return;
        }
        let root = self.nodes.len().checked_sub(1);
        let mut sorted: Vec<(Lit, u64)> = terms.to_vec();
        sort::by_key(&mut sorted, |&(_, weight)| weight);
        let mut parts = BinaryHeap::new();
        for class in sorted.chunk_by(|a, b| a.1 == b.1) {
            let part = self.balanced(class);
            parts.push(self.key(part));
        }
        while let Some(Reverse((_, a))) = parts.pop() {
            let Some(Reverse((_, b))) = parts.pop() else {
                if let Some(root) = root {
                    self.join(root, a);
                }
                break;
            };
            let joined = self.join(a, b);
            parts.push(self.key(joined));
        }
    }

    /// A part in the order in which parts are joined: fewest sums first.
    fn key(&self, part: usize) -> Reverse<(u64, usize)> {
        let CounterNode { total, unit, .. } = self.nodes[part];
        Reverse((total / unit, part))
    }

    fn balanced(&mut self, terms: &[(Lit, u64)]) -> usize {
        if let &[(lit, weight)] = terms {
            self.nodes.push(CounterNode {
                children: None,
                total: weight,
                unit: weight,
                sums: vec![weight],
                outputs: vec![Some(lit)],
                windows: [0..1, 0..1],
            });
            return self.nodes.len() - 1;
        }
        let (left, right) = terms.split_at(terms.len() / 2);
        let left = self.balanced(left);
        let right = self.balanced(right);
        self.join(left, right)
    }

    fn join(&mut self, left: usize, right: usize) -> usize {
        let (a, b) = (&self.nodes[left], &self.nodes[right]);
        self.nodes.push(CounterNode {
            children: Some((left, right)),
            total: a.total + b.total,
            unit: gcd(a.unit.into(), b.unit.into()) as u64,
            sums: Vec::new(),
            outputs: Vec::new(),
            windows: [0..0, 0..0],
        });
        self.nodes.len() - 1
    }

    /// Lists sums up to `cap`, and one beyond; `false` where that takes more than `budget` steps: then nothing has
    /// changed.
    fn list_sums(&mut self, cap: u64, budget: u64) -> bool {
        let mut steps = 0_u64;
        let mut lists: Vec<Option<Vec<u64>>> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let Some((left, right)) = node.children.filter(|_| node.sums.is_empty() || cap > self.cap) else {
                lists.push(None);
                continue;
            };
            let list = |child: usize| lists[child].as_deref().unwrap_or(&self.nodes[child].sums);
            let (a, b) = (list(left), list(right));
            let mut sums: Vec<u64> = Vec::new();
            let mut beyond: Option<u64> = None;
            let (longer, shorter) = if a.len() < b.len() { (b, a) } else { (a, b) };
            // Row by row: the sums so far, and the longer list moved by one of the shorter.
            for start in std::iter::once(0).chain(shorter.iter().copied()) {
                let row = std::iter::once(0).chain(longer.iter().copied()).map(|sum| sum + start);
                let room = cap.checked_sub(start);
                let fits = room.map_or(0, |room| 1 + longer.partition_point(|&sum| sum <= room));
                if fits <= longer.len() {
                    let over = at(longer, fits) + start;
                    beyond = Some(beyond.map_or(over, |beyond| beyond.min(over)));
                }
                steps = steps.saturating_add(sums.len() as u64 + fits as u64);
                if steps > budget {
                    return false;
                }
                sums = merged(&sums, row.take(fits).filter(|&sum| sum > 0));
            }
            sums.extend(beyond);
            lists.push(Some(sums));
        }
        for (node, list) in self.nodes.iter_mut().zip(lists) {
            if let Some(list) = list {
                debug_assert!(list.starts_with(&node.sums), "sums are only appended");
                node.outputs.resize(list.len(), None);
                node.sums = list;
            }
        }
        self.cap = self.cap.max(cap);
        true
    }

    /// The step after which every output for a threshold in `least..=most` is written; both are above 0 and up to the
    /// total. `None` where that takes more than `budget` clauses.
    pub(super) fn plan(&mut self, side: Side, least: u64, most: u64, budget: u64) -> Option<Growth> {
        if !self.list_sums(most.max(self.cap), budget.saturating_mul(8)) {
            return None;
        }
        let mut windows: Vec<Range<usize>> =
            self.nodes.iter().map(|node| node.windows[side as usize].clone()).collect();
        let root = self.nodes.len().checked_sub(1)?;
        let place = |threshold: u64| self.nodes[root].sums.partition_point(|&sum| sum < threshold);
        windows[root] = hull(&windows[root], place(least)..place(most) + 1);
        let mut size = Size::ZERO;
        for index in (0..self.nodes.len()).rev() {
            let node = &self.nodes[index];
            let window = windows[index].clone();
            let Some((left, right)) = node.children.filter(|_| window != node.windows[side as usize]) else { continue };
            let (first, last) = (node.sums[window.start], node.sums[window.end - 1]);
            for (child, other) in [(left, right), (right, left)] {
                let (sums, rest) = (&self.nodes[child].sums, self.nodes[other].total);
                let start = sums.partition_point(|&sum| sum < first.saturating_sub(rest));
                let end = (sums.partition_point(|&sum| sum < last) + 1).min(sums.len());
                windows[child] = hull(&windows[child], start..end);
            }
            let fresh = node.outputs[window.clone()].iter().filter(|output| output.is_none()).count();
            size += Size::variables(fresh as u64) + Size::clauses(self.each_order(index, &window).count() as u64, 2);
            self.each_clause(index, side, &window, &mut |a, b, _| {
                size += Size::clause(1 + usize::from(a.is_some()) + usize::from(b.is_some()));
                if size.clauses > budget { Err(()) } else { Ok(()) }
            })
            .ok()?;
        }
        Some(Growth { side, windows, size })
    }

    /// Writes what was planned.
    pub(super) fn grow(&mut self, to: &mut Writer<'_>, growth: &Growth) -> Result<(), Full> {
        let side = growth.side;
        for (index, window) in growth.windows.iter().enumerate() {
            let Some((left, right)) = self.nodes[index].children.filter(|_| !window.is_empty()) else { continue };
            if *window == self.nodes[index].windows[side as usize] {
                continue;
            }
            for output in &mut self.nodes[index].outputs[window.clone()] {
                output.get_or_insert_with(|| to.lit());
            }
            let (a, b, own) = (&self.nodes[left].outputs, &self.nodes[right].outputs, &self.nodes[index].outputs);
            let written = "an output of the window";
            for place in self.each_order(index, window) {
                to.define(&[!own[place + 1].expect(written), own[place].expect(written)])?;
            }
            self.each_clause(index, side, window, &mut |left, right, head| {
                let sign = |lit: Lit| if side == Side::Upper { !lit } else { lit };
                let head = !sign(own[head].expect(written));
                let left = left.map(|place| sign(a[place].expect(written)));
                let right = right.map(|place| sign(b[place].expect(written)));
                match (left, right) {
                    (Some(left), Some(right)) => to.define(&[left, right, head]),
                    (Some(one), None) | (None, Some(one)) => to.define(&[one, head]),
                    (None, None) => to.define(&[head]),
                }
            })?;
            self.nodes[index].windows[side as usize] = window.clone();
        }
        Ok(())
    }

    /// The output of the root for `threshold`, if it is written for `side`.
    pub(super) fn output(&self, side: Side, threshold: u64) -> Option<Lit> {
        let root = self.nodes.last()?;
        let place = root.sums.partition_point(|&sum| sum < threshold);
        // A sum beyond the list is one that was never asked for.
        let listed = threshold <= self.cap || root.children.is_none();
        if listed && root.windows[side as usize].contains(&place) { root.outputs[place] } else { None }
    }

    /// The places whose successor's output implies theirs, where that is not written.
    fn each_order(&self, node: usize, window: &Range<usize>) -> impl Iterator<Item = usize> + use<'_> {
        let windows = &self.nodes[node].windows;
        let has = |window: &Range<usize>, place: usize| window.contains(&place) && window.contains(&(place + 1));
        (window.start..window.end - 1).filter(move |&place| windows.iter().all(|window| !has(window, place)))
    }

    /// Calls `each` for all clauses that a node lacks for this window of this side, with the places of the children's
    /// outputs and of its own.
    fn each_clause<E>(
        &self,
        node: usize,
        side: Side,
        window: &Range<usize>,
        each: &mut dyn FnMut(Option<usize>, Option<usize>, usize) -> Result<(), E>,
    ) -> Result<(), E> {
        let CounterNode { children: Some((left, right)), sums, windows, .. } = &self.nodes[node] else { return Ok(()) };
        let pairs = ChildSums { a: &self.nodes[*left].sums, b: &self.nodes[*right].sums, sums };
        let old = &windows[side as usize];
        let (before, after) = if old.is_empty() {
            (window.clone(), window.end..window.end)
        } else {
            (window.start..old.start, old.end..window.end)
        };
        for heads in [before, after].iter().filter(|heads| !heads.is_empty()) {
            match side {
                Side::Upper => pairs.up(heads, each)?,
                Side::Lower => pairs.down(heads, each)?,
            }
        }
        match side {
            Side::Upper if old.is_empty() || window.end != old.end => pairs.up_beyond(window.end - 1, each),
            Side::Lower if old.is_empty() || window.start != old.start => pairs.down_before(window.start, each),
            _ => Ok(()),
        }
    }
}

/// The sums of two children and of their parent.
struct ChildSums<'a> {
    a: &'a [u64],
    b: &'a [u64],
    sums: &'a [u64],
}

/// The sum at a place counted from 1, where place 0 is the sum 0.
fn at(list: &[u64], place: usize) -> u64 {
    place.checked_sub(1).map_or(0, |place| list[place])
}

impl ChildSums<'_> {
    /// The number of places from 0 on in `b`, for a sum `start` in `a`, that together are below `limit`.
    fn below(&self, start: u64, limit: u64) -> usize {
        if start >= limit { 0 } else { 1 + self.b.partition_point(|&sum| sum < limit - start) }
    }

    /// At least s in one child and at least t in the other: at least s + t, for all that is among `heads`.
    fn up<E>(
        &self,
        heads: &Range<usize>,
        each: &mut dyn FnMut(Option<usize>, Option<usize>, usize) -> Result<(), E>,
    ) -> Result<(), E> {
        let (first, last) = (self.sums[heads.start], self.sums[heads.end - 1]);
        for i in 0..=self.a.len() {
            let start = at(self.a, i);
            if start > last {
                break;
            }
            for j in self.below(start, first)..self.below(start, last + 1) {
                let sum = start + at(self.b, j);
                let head = heads.start + self.sums[heads.clone()].partition_point(|&other| other < sum);
                each(i.checked_sub(1), j.checked_sub(1), head)?;
            }
        }
        Ok(())
    }

    /// Implications to output `last` from sums beyond it: of all pairs with a greater sum, those that no other pair
    /// implies.
    fn up_beyond<E>(
        &self,
        last: usize,
        each: &mut dyn FnMut(Option<usize>, Option<usize>, usize) -> Result<(), E>,
    ) -> Result<(), E> {
        let sum = self.sums[last];
        for i in 0..=self.a.len() {
            let start = at(self.a, i);
            let j = self.below(start, sum);
            let enough = j <= self.b.len() && start + at(self.b, j) > sum;
            let is_implied = i > 0 && j <= self.b.len() && at(self.a, i - 1) + at(self.b, j) >= sum;
            if enough && !is_implied {
                each(i.checked_sub(1), j.checked_sub(1), last)?;
            }
        }
        Ok(())
    }

    /// At most s in one child and at most t in the other: less than whatever sum follows s + t, for all that is among
    /// `heads`.
    fn down<E>(
        &self,
        heads: &Range<usize>,
        each: &mut dyn FnMut(Option<usize>, Option<usize>, usize) -> Result<(), E>,
    ) -> Result<(), E> {
        let (first, last) = (at(self.sums, heads.start), self.sums[heads.end - 1]);
        for i in 0..=self.a.len() {
            let start = at(self.a, i);
            if start >= last {
                break;
            }
            for j in self.below(start, first)..self.below(start, last) {
                let sum = start + at(self.b, j);
                let head = heads.start + self.sums[heads.clone()].partition_point(|&other| other <= sum);
                each(next(self.a, i), next(self.b, j), head)?;
            }
        }
        Ok(())
    }

    /// Exclusions of output `first` by sums before it: of all pairs with a sum below the one before it, those that no
    /// other pair implies.
    fn down_before<E>(
        &self,
        first: usize,
        each: &mut dyn FnMut(Option<usize>, Option<usize>, usize) -> Result<(), E>,
    ) -> Result<(), E> {
        let (sum, before) = (self.sums[first], at(self.sums, first));
        for i in 0..=self.a.len() {
            let start = at(self.a, i);
            let Some(j) = self.below(start, sum).checked_sub(1) else { break };
            let is_head = start + at(self.b, j) == before;
            let is_implied = i < self.a.len() && self.a[i] + at(self.b, j) < sum;
            if !is_head && !is_implied {
                each(next(self.a, i), next(self.b, j), first)?;
            }
        }
        Ok(())
    }
}

/// The place of the sum after place `place`, the latter counted from 1.
fn next(list: &[u64], place: usize) -> Option<usize> {
    (place < list.len()).then_some(place)
}

fn hull(a: &Range<usize>, b: Range<usize>) -> Range<usize> {
    match (a.is_empty(), b.is_empty()) {
        (true, _) => b,
        (_, true) => a.clone(),
        _ => a.start.min(b.start)..a.end.max(b.end),
    }
}

/// Both ascending lists as one, without repeats.
fn merged(a: &[u64], b: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut all = Vec::with_capacity(a.len());
    let mut a = a.iter().copied().peekable();
    for next in b {
        while let Some(before) = a.next_if(|&sum| sum < next) {
            all.push(before);
        }
        a.next_if_eq(&next);
        all.push(next);
    }
    all.extend(a);
    all
}
