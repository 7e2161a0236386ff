//! The constraints that are left to encode when none is said twice, and none that follows from another bound on the
//! same literals.
//!
//! Every constraint becomes an interval: between `lo` and `hi` of its literals are true. Constraints on the same
//! literals, or on their negations, under the same condition become one interval, the intersection. So *at most 3*
//! makes *at most 5* of the same literals superfluous, and *at most 3* with *at least 3* becomes *exactly 3*, on one
//! counter. A reified constraint is merged with nothing but its own repetitions. All this takes time linear in the
//! formula, but for sorting the literals of constraints that are alike.
//!
//! Literals that unit clauses decide stay in: constraints that are alike are encoded alike then, with the same
//! auxiliaries at the same places, and solvers need more conflicts where they are not (pigeons into holes that some
//! of them shun: 268 instead of 165 with CaDiCaL).

use rustc_hash::{FxBuildHasher, FxHashMap};
use rustsat::types::Lit;

use super::Formula;
use super::twice::{self, Bounds};
use crate::offer::{Aim, Offer};
use crate::relation::Relation;

/// The constraints of a formula that need encoding, in the order in which they were given.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// Conditions and literals of all items.
    lits: Vec<Lit>,
    pub(super) items: Vec<Item>,
    /// Constraints that were merged, by number, with the first of their item.
    pub(super) merged: Vec<(u32, u32)>,
}

/// A constraint: at least `lo` and at most `hi` of its literals are true, all of the condition given.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    /// The number of the constraint, of the first if there were several.
    pub(super) from: u32,
    start: u32,
    cond_end: u32,
    end: u32,
    /// 0 ≤ `lo`, `hi` ≤ n; `lo > hi`: impossible.
    lo: u32,
    hi: u32,
    /// The literal that says so, instead of the bounds, and the relation as it was given.
    iff: Option<(Lit, Relation)>,
    pub(super) in_order: bool,
    pub(super) aim: Aim,
}

impl Item {
    /// The relations to encode, one or two of them.
    pub(super) fn relations(&self) -> [Option<Relation>; 2] {
        let (lo, hi, n) = (self.lo as usize, self.hi as usize, self.n());
        match (lo, hi) {
            _ if lo == hi => [Some(Relation::Exactly(lo)), None],
            (0, _) => [Some(Relation::AtMost(hi)), None],
            (_, hi) if hi == n => [Some(Relation::AtLeast(lo)), None],
            _ => [Some(Relation::AtMost(hi)), Some(Relation::AtLeast(lo))],
        }
    }

    pub(super) const fn n(&self) -> usize {
        (self.end - self.cond_end) as usize
    }

    pub(super) const fn iff(&self) -> Option<(Lit, Relation)> {
        self.iff
    }

    pub(super) const fn is_impossible(&self) -> bool {
        self.lo > self.hi
    }
}

impl Plan {
    pub(super) fn new(formula: &Formula) -> Self {
        let mut plan = Self::default();
        plan.lits.reserve(formula.kept.n_lits());
        plan.items.reserve(formula.kept.len());
        (0..).zip(formula.constraints()).for_each(|(from, constraint)| plan.add(from, &constraint));
        plan.merge();
        plan.count_twice(formula);
        if formula.by_mean {
            let Self { lits, items, .. } = &mut plan;
            items.sort_by_cached_key(|item| {
                let lits = &lits[item.cond_end as usize..item.end as usize];
                lits.iter().map(|lit| lit.vidx()).sum::<usize>() / lits.len().max(1)
            });
        }
        plan
    }

    /// Tightens bounds by what other constraints on the same literals say of their sums: see [`twice`]. Constraints
    /// that are to be small stay as they are, unless they contradict each other.
    fn count_twice(&mut self, formula: &Formula) {
        let unconditional = |item: &Item| item.start == item.cond_end && item.iff.is_none() && !item.is_impossible();
        let of: Vec<usize> = (0..self.items.len()).filter(|&at| unconditional(&self.items[at])).collect();
        let bounds = of.iter().map(|&at| {
            let item = &self.items[at];
            Bounds { lits: self.lits(item), lo: item.lo, hi: item.hi, is_clause: false }
        });
        let bounds = twice::tighten(formula.n_vars(), bounds.collect(), formula.clauses());
        let bounds: Vec<(u32, u32)> = bounds.into_iter().map(|bounds| (bounds.lo, bounds.hi)).collect();
        for (at, (lo, hi)) in of.into_iter().zip(bounds) {
            let item = &mut self.items[at];
            // A bound on the other side is worth its clauses only if the constraint becomes exact by it.
            let more = [item.lo == 0 && lo > 0, item.hi as usize == item.n() && hi < item.hi].contains(&true);
            if lo > hi || item.aim == Aim::Solving && (lo == hi || !more) {
                (item.lo, item.hi) = (lo, hi);
            }
        }
    }

    pub(super) fn lits(&self, item: &Item) -> &[Lit] {
        &self.lits[item.cond_end as usize..item.end as usize]
    }

    pub(super) fn cond(&self, item: &Item) -> &[Lit] {
        &self.lits[item.start as usize..item.cond_end as usize]
    }

    /// The literals of which an item says, without a condition, that at most one is true.
    pub(super) fn at_most_one(&self, item: &Item) -> Option<Vec<Lit>> {
        if item.iff.is_some() || item.start != item.cond_end || item.is_impossible() {
            return None;
        }
        match (item.hi, item.lo as usize) {
            (1, _) => Some(self.lits(item).to_vec()),
            (_, lo) if lo + 1 == item.n() => Some(self.lits(item).iter().map(|&lit| !lit).collect()),
            _ => None,
        }
    }

    fn add(&mut self, from: u32, constraint: &Offer<'_>) {
        let &Offer { cond, iff, lits, relation, in_order, aim } = constraint;
        let start = self.lits.len();
        self.lits.extend_from_slice(cond);
        self.lits[start..].sort_unstable();
        if self.lits[start..].windows(2).any(|pair| pair[0] == !pair[1]) {
            self.lits.truncate(start);
            return; // a condition that is never met
        }
        let (start, cond_end) = (start as u32, self.lits.len() as u32);
        self.lits.extend_from_slice(lits);
        let n = lits.len();
        let (lo, hi) = (relation.least().unwrap_or(0), relation.most().unwrap_or(n).min(n));
        let (lo, hi) = if lo > hi { (1, 0) } else { (lo as u32, hi as u32) };
        let end = self.lits.len() as u32;
        self.items.push(Item { from, start, cond_end, end, lo, hi, iff: iff.map(|r| (r, relation)), in_order, aim });
    }

    /// Makes one item of those on the same literals, or on their negations, under the same condition; it stands where
    /// the first stood.
    fn merge(&mut self) {
        let mut first: FxHashMap<u64, usize> = FxHashMap::with_capacity_and_hasher(self.items.len(), FxBuildHasher);
        let mut kept = 0;
        let mut scratch = (Vec::new(), Vec::new());
        for at in 0..self.items.len() {
            let item = self.items[at];
            let mut hash = self.hash(&item);
            let found = loop {
                let Some(&before) = first.get(&hash) else { break None };
                if let Some(flipped) = self.same(&self.items[before], &item, &mut scratch) {
                    break Some((before, flipped));
                }
                hash = hash.wrapping_add(1); // another constraint by chance
            };
            let Some((before, flipped)) = found else {
                first.insert(hash, kept);
                self.items[kept] = item;
                kept += 1;
                continue;
            };
            let n = item.n() as u32;
            let (lo, hi) = match () {
                () if item.is_impossible() => (1, 0),
                () if flipped => (n - item.hi, n - item.lo),
                () => (item.lo, item.hi),
            };
            self.merged.push((self.items[before].from, item.from));
            let before = &mut self.items[before];
            (before.lo, before.hi) = (before.lo.max(lo), before.hi.min(hi));
            if item.aim == Aim::Solving {
                before.aim = Aim::Solving;
            }
        }
        self.items.truncate(kept);
    }

    /// A hash that is equal for all items that [`same`](Self::same) takes for the same.
    fn hash(&self, item: &Item) -> u64 {
        let each = |lit: u64| {
            let x = (lit ^ (lit >> 15)).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            (x ^ (x >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9)
        };
        let vars = self.lits(item).iter().fold(0_u64, |sum, lit| sum.wrapping_add(each(lit.vidx() as u64)));
        let cond = self.cond(item).iter().fold(0_u64, |sum, lit| sum.wrapping_add(each(lit.lidx() as u64)));
        let iff = item.iff.map_or(0, |(r, _)| r.lidx() as u64 + 1);
        each(vars).wrapping_add(each(cond.wrapping_mul(3))).wrapping_add(each(iff))
    }

    /// `Some(false)` if two items are about the same literals, `Some(true)` if those of one are the negations of the
    /// other's.
    fn same(&self, a: &Item, b: &Item, (left, right): &mut (Vec<Lit>, Vec<Lit>)) -> Option<bool> {
        if a.n() != b.n() || self.cond(a).len() != self.cond(b).len() || a.iff != b.iff || a.in_order != b.in_order {
            return None;
        }
        if self.cond(a) != self.cond(b) {
            return None;
        }
        let (one, other) = (sort(self.lits(a), left), sort(self.lits(b), right));
        if one == other {
            Some(false)
        } else if a.iff.is_none() && one.iter().zip(other).all(|(&one, &other)| one == !other) {
            Some(true)
        } else {
            None
        }
    }
}

/// The literals in order, in a buffer that is used again.
fn sort<'a>(lits: &[Lit], into: &'a mut Vec<Lit>) -> &'a [Lit] {
    into.clear();
    into.extend_from_slice(lits);
    into.sort_unstable();
    into
}
