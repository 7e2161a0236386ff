//! The constraints that are left when none is said twice, and none that follows from another bound on the same
//! literals.
//!
//! Every constraint becomes an interval: its sum is between `lo` and `hi`. Constraints on the same literals, or on
//! their negations, with the same weights, under the same condition and not by two encodings that are named become one
//! interval, the intersection. So *at most 3* makes *at most 5* of the same literals superfluous, and *at most 3* with
//! *at least 3* becomes *exactly 3*, on one counter. A reified count is merged with nothing but its own repetitions, a
//! reified sum of weights with nothing. All this takes time linear in the formula, but for sorting the literals of
//! counts that are alike. Folding has divided out the common factor of the weights; where a bound is so tight that it
//! changed weights, constraints on the same literals are different ones.
//!
//! Literals that unit clauses decide stay in: constraints that are alike are encoded alike then, with the same
//! auxiliaries at the same places, and solvers need more conflicts where they are not (pigeons into holes that some
//! of them shun: 268 instead of 165 with CaDiCaL).

use rustc_hash::{FxBuildHasher, FxHashMap};
use rustsat::types::Lit;

use super::go_on::GoOn;
use super::keep::{Asked, Kept};
use crate::constraint::{Constraint, Goal, Sum, Terms};
use crate::encode::Full;
use crate::relation::PbRelation;
use crate::sort;

/// Constraints between two questions whether to go on.
const LOOKS: usize = 1 << 8;

/// Asks at one constraint in many whether to go on.
fn look(at: usize, go_on: &mut GoOn<'_>) -> Result<(), Full> {
    if at.is_multiple_of(LOOKS) { go_on() } else { Ok(()) }
}

/// The constraints of a formula on their way to clauses: counts, then sums of weights, in the order in which they were
/// given. Each stage changes them in place.
#[derive(Clone, Debug, Default)]
pub(super) struct Items {
    /// Conditions of all items, and the literals of counts.
    lits: Vec<Lit>,
    /// The terms of sums of weights.
    terms: Vec<(Lit, u64)>,
    /// Where groups end among the terms of a sum.
    ends: Vec<usize>,
    pub(super) all: Vec<Item>,
    /// Constraints that were merged, by number, with the first of their item.
    pub(super) merged: Vec<(u32, u32)>,
}

/// A constraint: its sum is at least `lo` and at most `hi`, all of the condition given.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    /// The number of the constraint, of the first if there were several.
    pub(super) from: u32,
    cond: Part,
    /// Literals, or terms.
    sum: Part,
    /// The ends of groups; `None` for a count.
    groups: Option<Part>,
    /// 0 ≤ `lo`, `hi` ≤ `total`; `lo > hi`: impossible.
    pub(super) lo: u64,
    pub(super) hi: u64,
    /// The greatest sum, groups aside.
    pub(super) total: u64,
    /// The literal that says so, instead of the bounds, and the relation as it was given.
    pub(super) iff: Option<(Lit, PbRelation)>,
    pub(super) in_order: bool,
    pub(super) asked: Asked,
    /// Both sides of *exactly* are encoded one by one.
    pub(super) by_sides: bool,
    /// Folding would change nothing: neither the bounds nor the groups are new.
    pub(super) is_folded: bool,
}

#[derive(Clone, Copy, Debug)]
struct Part {
    start: u32,
    end: u32,
}

impl Part {
    const fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl Item {
    pub(super) const fn is_count(&self) -> bool {
        self.groups.is_none()
    }

    /// The number of literals.
    pub(super) const fn n(&self) -> usize {
        (self.sum.end - self.sum.start) as usize
    }

    pub(super) const fn is_impossible(&self) -> bool {
        self.lo > self.hi
    }

    pub(super) const fn is_plain(&self) -> bool {
        self.cond.start == self.cond.end && self.iff.is_none()
    }

    /// The relations to encode, one or two of them; none where they contradict each other.
    pub(super) fn relations(&self) -> [Option<PbRelation>; 2] {
        if let Some((_, relation)) = self.iff {
            return [Some(relation), None];
        }
        match (self.lo, self.hi) {
            (lo, hi) if lo > hi => [None, None],
            (lo, hi) if lo == hi && !self.by_sides => [Some(PbRelation::Exactly(lo)), None],
            (0, hi) => [Some(PbRelation::AtMost(hi)), None],
            (lo, hi) if hi == self.total => [Some(PbRelation::AtLeast(lo)), None],
            (lo, hi) => [Some(PbRelation::AtMost(hi)), Some(PbRelation::AtLeast(lo))],
        }
    }

    /// The interval of the sum of negated literals.
    const fn of_negated(&self) -> (u64, u64) {
        if self.is_impossible() { (1, 0) } else { (self.total - self.hi, self.total - self.lo) }
    }
}

impl Items {
    /// The constraints that a formula keeps, merged; an error of `go_on`, which is asked now and then, ends that.
    pub(super) fn new(kept: &Kept, go_on: &mut GoOn<'_>) -> Result<Self, Full> {
        let mut items = Self::default();
        items.lits.reserve(kept.n_lits());
        items.all.reserve(kept.len());
        for (from, constraint) in (0..).zip(kept.iter()) {
            look(from as usize, go_on)?;
            items.add(from, &constraint, kept.asked(from as usize));
        }
        items.merge(go_on)?;
        // Counts first.
        sort::by_key(&mut items.all, |item| (!item.is_count()).into());
        Ok(items)
    }

    pub(super) fn cond(&self, item: &Item) -> &[Lit] {
        &self.lits[item.cond.range()]
    }

    /// The literals of a count; none of a sum of weights.
    pub(super) fn lits(&self, item: &Item) -> &[Lit] {
        if item.is_count() { &self.lits[item.sum.range()] } else { &[] }
    }

    pub(super) fn lits_mut(&mut self, item: &Item) -> &mut [Lit] {
        if item.is_count() { &mut self.lits[item.sum.range()] } else { &mut [] }
    }

    /// The terms of a sum of weights; none of a count.
    pub(super) fn terms(&self, item: &Item) -> Terms<'_> {
        match item.groups {
            None => Terms::new(&[]),
            Some(groups) => Terms::of(&self.terms[item.sum.range()], &self.ends[groups.range()]),
        }
    }

    /// All literals of the sum.
    pub(super) fn sum_lits(&self, item: &Item) -> impl Iterator<Item = Lit> {
        self.lits(item).iter().copied().chain(self.terms(item).all().iter().map(|&(lit, _)| lit))
    }

    /// The constraint that an item makes with one of its relations.
    pub(super) fn constraint(&self, item: &Item, relation: PbRelation) -> Constraint<'_> {
        let mut constraint = match item.groups {
            None => Constraint::count(self.lits(item), relation.counted()),
            Some(_) => Constraint::weights(self.terms(item), relation),
        };
        (constraint.cond, constraint.iff) = (self.cond(item), item.iff.map(|(r, _)| r));
        (constraint.in_order, constraint.encoding) = (item.in_order, item.asked.encoding_name());
        constraint
    }

    /// Puts other terms, as many as there were, in the place of those of a sum, in these groups.
    pub(super) fn set_terms(&mut self, at: usize, terms: &[(Lit, u64)], ends: &[usize]) {
        let item = &mut self.all[at];
        self.terms[item.sum.range()].copy_from_slice(terms);
        let start = self.ends.len() as u32;
        self.ends.extend_from_slice(ends);
        item.groups = Some(Part { start, end: self.ends.len() as u32 });
    }

    /// Leaves out the groups of a sum.
    pub(super) fn ungroup(&mut self, at: usize) {
        let item = &mut self.all[at];
        item.groups = item.groups.map(|groups| Part { end: groups.start, ..groups });
        item.is_folded = false;
    }

    /// Says the same of the negations of all literals of a sum, which has no groups.
    pub(super) fn negate(&mut self, at: usize) {
        let item = &mut self.all[at];
        (item.lo, item.hi) = item.of_negated();
        if let Some((_, relation)) = &mut item.iff {
            // A bound is at most the total.
            *relation = relation.of_negated(item.total).unwrap_or(*relation);
        }
        self.terms[item.sum.range()].iter_mut().for_each(|(lit, _)| *lit = !*lit);
    }

    fn add(&mut self, from: u32, constraint: &Constraint<'_>, asked: Asked) {
        let start = self.lits.len();
        self.lits.extend_from_slice(constraint.cond);
        self.lits[start..].sort_unstable();
        if self.lits[start..].windows(2).any(|pair| pair[0] == !pair[1]) {
            self.lits.truncate(start);
            return; // a condition that is never met
        }
        let mut distinct = self.lits.split_off(start);
        distinct.dedup();
        self.lits.append(&mut distinct);
        let part = |start: usize, end: usize| Part { start: start as u32, end: end as u32 };
        let cond = part(start, self.lits.len());
        let (sum, groups, relation, total) = match constraint.sum {
            Sum::Count { lits, relation } => {
                let start = self.lits.len();
                self.lits.extend_from_slice(lits);
                (part(start, self.lits.len()), None, PbRelation::from(relation), lits.len() as u64)
            }
            Sum::Weights { terms, relation } => {
                let (start, groups) = (self.terms.len(), self.ends.len());
                self.terms.extend_from_slice(terms.all());
                self.ends.extend_from_slice(terms.ends());
                let total = terms.all().iter().map(|&(_, weight)| weight).sum();
                let groups = part(groups, self.ends.len());
                (part(start, self.terms.len()), Some(groups), relation, total)
            }
        };
        let (lo, hi) = (relation.least().unwrap_or(0), relation.most().unwrap_or(total).min(total));
        let (lo, hi) = if lo > hi { (1, 0) } else { (lo, hi) };
        let iff = constraint.iff.map(|r| (r, relation));
        let in_order = constraint.in_order;
        self.all.push(Item {
            from,
            cond,
            sum,
            groups,
            lo,
            hi,
            total,
            iff,
            in_order,
            asked,
            by_sides: false,
            is_folded: true,
        });
    }

    /// Makes one item of those that [`same`](Self::same) takes for the same; it stands where the first stood.
    fn merge(&mut self, go_on: &mut GoOn<'_>) -> Result<(), Full> {
        let mut first: FxHashMap<u64, usize> = FxHashMap::with_capacity_and_hasher(self.all.len(), FxBuildHasher);
        let mut kept = 0;
        let mut scratch = (Vec::new(), Vec::new());
        for at in 0..self.all.len() {
            look(at, go_on)?;
            let item = self.all[at];
            let mut hash = self.hash(&item);
            let found = loop {
                let Some(&before) = first.get(&hash) else { break None };
                if let Some(flipped) = self.same(&self.all[before], &item, &mut scratch) {
                    break Some((before, flipped));
                }
                hash = hash.wrapping_add(1); // another constraint by chance
            };
            let Some((before, flipped)) = found else {
                first.insert(hash, kept);
                self.all[kept] = item;
                kept += 1;
                continue;
            };
            let (lo, hi) = if flipped { item.of_negated() } else { (item.lo, item.hi) };
            self.merged.push((self.all[before].from, item.from));
            let before = &mut self.all[before];
            (before.lo, before.hi) = (before.lo.max(lo), before.hi.min(hi));
            before.is_folded = false;
            // A name wins, then what is for solving.
            if before.asked.goal().is_some() && item.asked != Asked::Open(Goal::Size) {
                before.asked = item.asked;
            }
        }
        self.all.truncate(kept);
        Ok(())
    }

    /// A hash that is equal for all items that [`same`](Self::same) takes for the same.
    fn hash(&self, item: &Item) -> u64 {
        let each = |lit: u64| {
            let x = (lit ^ (lit >> 15)).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            (x ^ (x >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9)
        };
        // The negations of all literals have the negated sum.
        let signed = |lit: Lit, x: u64| if lit.is_neg() { x.wrapping_neg() } else { x };
        let both = |sum: u64| sum.min(sum.wrapping_neg());
        let sum_of = |lit: &Lit| signed(*lit, each(lit.vidx() as u64));
        let lits = both(self.lits(item).iter().fold(0, |sum: u64, lit| sum.wrapping_add(sum_of(lit))));
        let terms = self.terms(item).all().iter();
        let terms = terms.map(|(lit, weight)| signed(*lit, each(each(lit.vidx() as u64) ^ weight)));
        let terms = both(terms.fold(0, u64::wrapping_add));
        let cond = self.cond(item).iter().fold(0_u64, |sum, lit| sum.wrapping_add(each(lit.lidx() as u64)));
        let iff = item.iff.map_or(0, |(r, _)| r.lidx() as u64 + 1);
        each(lits ^ terms).wrapping_add(each(cond.wrapping_mul(3))).wrapping_add(each(iff))
    }

    /// `Some(false)` if two items are about the same sum, `Some(true)` if the literals of one are the negations of the
    /// other's.
    fn same(&self, a: &Item, b: &Item, (left, right): &mut (Vec<Lit>, Vec<Lit>)) -> Option<bool> {
        let alike = a.n() == b.n()
            && a.iff == b.iff
            && a.in_order == b.in_order
            && (a.asked == b.asked || a.asked.goal().is_some() || b.asked.goal().is_some())
            && a.is_count() == b.is_count()
            && self.cond(a) == self.cond(b);
        if !alike {
            return None;
        }
        if !a.is_count() {
            let (a, b, iff) = (self.terms(a), self.terms(b), a.iff);
            let matches = |flip: bool| {
                a.all().iter().zip(b.all()).all(|(&(one, x), &(two, y))| x == y && one == if flip { !two } else { two })
            };
            return match () {
                () if iff.is_some() || a.ends() != b.ends() => None,
                () if matches(false) => Some(false),
                () if !a.is_grouped() && matches(true) => Some(true),
                () => None,
            };
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
