//! The constraints on sums of weights that are left to encode when none is said twice, and none that follows from
//! another bound on the same terms.
//!
//! As for counts, every constraint becomes an interval of sums, and those on the same terms under the same condition
//! become one, the intersection; terms whose literals are all negated are the same terms, with the interval mirrored.
//! Folding has divided out what weights have in common. Where a bound is so tight that it changed weights, constraints
//! on the same literals are different ones.

use std::cmp::Ordering;

use rustc_hash::FxHashMap;
use rustsat::types::Lit;

use crate::offer::{Aim, PbOffer};
use crate::relation::PbRelation;

/// A constraint: the sum is at least `lo` and at most `hi`, all of the condition given.
#[derive(Clone, Debug)]
pub(in crate::formula) struct PbItem {
    /// The numbers of the constraints.
    pub(in crate::formula) from: Vec<u32>,
    /// Sorted.
    pub(in crate::formula) cond: Vec<Lit>,
    pub(in crate::formula) terms: Vec<(Lit, u64)>,
    /// Where groups end; empty where there are none.
    pub(in crate::formula) group_ends: Vec<usize>,
    /// The greatest sum of terms, groups aside.
    total: u64,
    /// `lo > hi`: impossible.
    lo: u64,
    hi: u64,
    /// The literal that says so, instead of the bounds, and the relation as it was given.
    pub(in crate::formula) iff: Option<(Lit, PbRelation)>,
    pub(in crate::formula) in_order: bool,
    pub(in crate::formula) aim: Aim,
}

impl PbItem {
    fn new(from: u32, offer: &PbOffer<'_>) -> Self {
        let &PbOffer { cond, iff, terms, group_ends, relation, in_order, aim } = offer;
        let mut cond = cond.to_vec();
        cond.sort_unstable();
        cond.dedup();
        let total = terms.iter().map(|&(_, weight)| weight).sum();
        Self {
            from: vec![from],
            cond,
            terms: terms.to_vec(),
            group_ends: group_ends.to_vec(),
            total,
            lo: relation.least().unwrap_or(0),
            hi: relation.most().unwrap_or(total),
            iff: iff.map(|r| (r, relation)),
            in_order,
            aim,
        }
    }

    /// The relations to encode, one or two of them; none where they contradict each other.
    pub(in crate::formula) fn relations(&self) -> Vec<PbRelation> {
        if let Some((_, relation)) = self.iff {
            return vec![relation];
        }
        match (self.lo, self.hi) {
            (lo, hi) if lo > hi => Vec::new(),
            (lo, hi) if lo == hi => vec![PbRelation::Exactly(lo)],
            (0, hi) => vec![PbRelation::AtMost(hi)],
            (lo, hi) if hi == self.total => vec![PbRelation::AtLeast(lo)],
            (lo, hi) => vec![PbRelation::AtMost(hi), PbRelation::AtLeast(lo)],
        }
    }

    /// The condition is never met.
    fn is_void(&self) -> bool {
        self.cond.windows(2).any(|pair| pair[0] == !pair[1])
    }

    /// True if the literals of one item's terms are those of the other's, or all negated, with the same weights:
    /// `Some(negated)`.
    fn same(&self, other: &Self) -> Option<bool> {
        let is_alike = self.iff.is_none()
            && other.iff.is_none()
            && self.cond == other.cond
            && self.in_order == other.in_order
            && self.group_ends == other.group_ends
            && self.terms.len() == other.terms.len();
        let matches = |flip: bool| {
            self.terms
                .iter()
                .zip(&other.terms)
                .all(|(&(one, a), &(two, b))| a == b && one == if flip { !two } else { two })
        };
        match () {
            () if !is_alike => None,
            () if matches(false) => Some(false),
            () if self.group_ends.is_empty() && matches(true) => Some(true),
            () => None,
        }
    }

    /// The interval of the sum of negated literals.
    fn mirrored(&self) -> (u64, u64) {
        if self.lo > self.hi { (1, 0) } else { (self.total - self.hi, self.total - self.lo) }
    }

    /// The same constraint on the negations of all literals. It has no groups.
    pub(in crate::formula) fn negate(&mut self) {
        (self.lo, self.hi) = self.mirrored();
        self.terms.iter_mut().for_each(|(lit, _)| *lit = !*lit);
        if let Some((_, relation)) = &mut self.iff {
            // A bound is at most the total.
            *relation = relation.of_negated(self.total).unwrap_or(*relation);
        }
    }

    /// A hash that is equal for all items that [`same`](Self::same) takes for the same.
    fn hash(&self) -> u64 {
        let mix = |sum: u64, x: u64| {
            let x = (sum ^ x).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            (x ^ (x >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9)
        };
        let terms = self.terms.iter().fold(0, |sum, &(lit, weight)| mix(mix(sum, lit.vidx() as u64), weight));
        self.cond.iter().fold(terms, |sum, lit| mix(sum, lit.lidx() as u64))
    }
}

/// The constraints of a formula that need encoding, in the order in which they were given.
#[derive(Debug, Default)]
pub(in crate::formula) struct PbItems(Vec<PbItem>);

impl PbItems {
    pub(in crate::formula) fn new<'a>(offers: impl Iterator<Item = PbOffer<'a>>) -> Self {
        let mut items: Vec<PbItem> = Vec::new();
        let mut first: FxHashMap<u64, usize> = FxHashMap::default();
        for item in (0..).zip(offers).map(|(from, offer)| PbItem::new(from, &offer)).filter(|item| !item.is_void()) {
            let mut hash = item.hash();
            let found = loop {
                let Some(&before) = first.get(&hash) else { break None };
                if let Some(flipped) = items[before].same(&item) {
                    break Some((before, flipped));
                }
                hash = hash.wrapping_add(1); // another constraint by chance
            };
            let Some((before, flipped)) = found else {
                first.insert(hash, items.len());
                items.push(item);
                continue;
            };
            let (lo, hi) = if flipped { item.mirrored() } else { (item.lo, item.hi) };
            let before = &mut items[before];
            before.from.extend(&item.from);
            (before.lo, before.hi) = (before.lo.max(lo), before.hi.min(hi));
            if item.aim == Aim::Solving {
                before.aim = Aim::Solving;
            }
        }
        Self(items)
    }

    pub(in crate::formula) fn iter(&self) -> impl Iterator<Item = &PbItem> {
        self.0.iter()
    }

    pub(in crate::formula) fn iter_mut(&mut self) -> impl Iterator<Item = &mut PbItem> {
        self.0.iter_mut()
    }

    /// Sorts by keys that are computed once; equal ones stay in order.
    pub(super) fn sort_by_keys<K>(&mut self, key: impl Fn(&PbItem) -> K, compare: impl Fn(&K, &K) -> Ordering) {
        let mut keyed: Vec<(K, PbItem)> = self.0.drain(..).map(|item| (key(&item), item)).collect();
        keyed.sort_by(|(one, _), (other, _)| compare(one, other));
        self.0.extend(keyed.into_iter().map(|(_, item)| item));
    }

    pub(in crate::formula) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(in crate::formula) fn len(&self) -> usize {
        self.0.len()
    }
}
