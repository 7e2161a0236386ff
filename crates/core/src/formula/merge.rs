//! The constraints that are left when none is said twice, and none that follows from another bound on the same
//! literals.
//!
//! Every constraint becomes an interval: its sum is between `lo` and `hi`. Constraints on the same literals, or on
//! their negations, with the same weights, under the same condition and not by two encodings that are named become one
//! interval, the intersection. So *at most 3* makes *at most 5* of the same literals superfluous, and *at most 3* with
//! *at least 3* becomes *exactly 3*, on one counter. A reified count is merged with its own repetitions, and with
//! others where one counter for all is smaller. A reified sum of weights is merged with nothing; once groups are known,
//! bounds on the same terms, reified or not and under any conditions, take one structure where that is smaller. All
//! this takes time linear in the formula, but for sorting and for plans of m such sums, which are made log m times.
//! Folding has divided out the common factor of the weights; where a bound is so tight that it changed weights,
//! constraints on the same literals are different ones.
//!
//! Literals that unit clauses decide stay in: constraints that are alike are encoded alike then, with the same
//! auxiliaries at the same places, and solvers need more conflicts where they are not (pigeons into holes that some
//! of them shun: 268 instead of 165 with CaDiCaL).

use std::hash::BuildHasher;

use rustc_hash::{FxBuildHasher, FxHashMap};
use rustsat::types::Lit;

use super::go_on::TryGoOn;
use super::keep::{AskedEncoding, KeptConstraints};
use super::parities::ParityRows;
use crate::constraint::{Constraint, Goal, Sum, Terms};
use crate::encode::{Full, ReifiedRange};
use crate::relation::PbRelation;
use crate::sort;

/// Constraints between two questions whether to go on.
const LOOKS: usize = 1 << 8;

/// Says for a constraint, by number, which items take its place; `None` where it is one itself.
pub(super) type Substituting<'s> =
    dyn FnMut(&mut Items, (u32, &Constraint<'_>), &mut TryGoOn<'_>) -> Result<Option<Vec<MergeItem>>, Full> + 's;

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
    /// The ranges that literals say of counts with one counter.
    ranges: Vec<ReifiedRange>,
    /// The bounds that are said of sums by one structure.
    members: Vec<MergeItem>,
    pub(super) all: Vec<MergeItem>,
    /// Constraints that were merged, by number, with the first of their item.
    pub(super) merged: Vec<(u32, u32)>,
    /// Something is smaller, or said twice, as equal literals are one.
    pub(super) gains: bool,
    /// The constraints, by number, in which equal literals are one.
    pub(super) substituted: Vec<u32>,
    /// The parities, which are no items.
    pub(super) parities: ParityRows,
}

/// A constraint that holds where all of its condition do.
#[derive(Clone, Copy, Debug)]
pub(super) struct MergeItem {
    /// The number of the constraint, of the first if there were several.
    pub(super) from: u32,
    cond: Extent,
    sum: ItemSum,
    pub(super) says: Says,
    /// The greatest sum, groups aside.
    pub(super) total: u64,
    pub(super) in_order: bool,
    pub(super) asked: AskedEncoding,
    pub(super) folding: Folding,
}

/// The places of the literals of an item, or of its terms, and where its groups end.
#[derive(Clone, Copy, Debug)]
enum ItemSum {
    Count(Extent),
    Weights { terms: Extent, ends: Extent },
}

/// The way in which a sum of weights is folded before it is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Folding {
    /// Nothing is left to fold: neither the bounds nor the groups are new.
    Done,
    Again,
    /// Again, and both sides of *exactly* are encoded one by one.
    BySides,
}

/// The statement of an item about its sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Says {
    /// It is at least the first, which is no greater, and at most the second.
    Between(u64, u64),
    Never,
    /// The literal says this relation.
    Iff(Lit, PbRelation),
    /// Several literals say ranges of a count, by one counter for all.
    Ranges(Extent),
    /// Members say bounds on one sum of weights, each under its own condition, by one structure for all.
    Members(Extent),
}

impl Says {
    pub(super) const fn between(lo: u64, hi: u64) -> Self {
        if lo > hi { Self::Never } else { Self::Between(lo, hi) }
    }

    /// A statement that means this, about the negated literals.
    fn of_negated(self, total: u64) -> Self {
        match self {
            Self::Between(lo, hi) => Self::Between(total - hi, total - lo),
            Self::Never => Self::Never,
            // A bound is at most the total.
            Self::Iff(r, relation) => Self::Iff(r, relation.of_negated(total).unwrap_or(relation)),
            Self::Ranges(_) | Self::Members(_) => self,
        }
    }

    /// Both of two, which are the same where they are reified.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Between(lo, hi), Self::Between(least, most)) => Self::between(lo.max(least), hi.min(most)),
            (Self::Between(..), other) => other,
            (one, _) => one,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extent {
    start: u32,
    end: u32,
}

impl Extent {
    /// The place of these behind all others.
    fn of<T: Copy>(more: &[T], all: &mut Vec<T>) -> Self {
        let start = all.len() as u32;
        all.extend_from_slice(more);
        Self { start, end: all.len() as u32 }
    }

    const fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl MergeItem {
    pub(super) const fn is_count(&self) -> bool {
        matches!(self.sum, ItemSum::Count(_))
    }

    /// The number of literals.
    pub(super) const fn n(&self) -> usize {
        let (ItemSum::Count(lits) | ItemSum::Weights { terms: lits, .. }) = self.sum;
        (lits.end - lits.start) as usize
    }

    pub(super) const fn is_impossible(&self) -> bool {
        matches!(self.says, Says::Never)
    }

    /// The bounds of a count that has no condition, is not reified, and not impossible.
    pub(super) const fn plain_count(&self) -> Option<(u64, u64)> {
        match (self.sum, self.says) {
            (ItemSum::Count(_), Says::Between(lo, hi)) if self.cond.start == self.cond.end => Some((lo, hi)),
            _ => None,
        }
    }

    /// The literal that says so, where it is one.
    const fn iff(&self) -> Option<Lit> {
        if let Says::Iff(r, _) = self.says { Some(r) } else { None }
    }

    /// True if literals say what the sum is, or may do so.
    pub(super) const fn is_reified(&self) -> bool {
        matches!(self.says, Says::Iff(..) | Says::Ranges(_) | Says::Members(_))
    }

    /// The relations to encode, one or two of them; none where they contradict each other, and of
    /// [ranges](Items::ranges) and [members](Items::members).
    pub(super) fn relations(&self) -> [Option<PbRelation>; 2] {
        match self.says {
            Says::Iff(_, relation) => [Some(relation), None],
            Says::Never | Says::Ranges(_) | Says::Members(_) => [None, None],
            Says::Between(lo, hi) if lo == hi && self.folding != Folding::BySides => {
                [Some(PbRelation::Exactly(lo)), None]
            }
            Says::Between(0, hi) => [Some(PbRelation::AtMost(hi)), None],
            Says::Between(lo, hi) if hi == self.total => [Some(PbRelation::AtLeast(lo)), None],
            Says::Between(lo, hi) => [Some(PbRelation::AtMost(hi)), Some(PbRelation::AtLeast(lo))],
        }
    }
}

impl Items {
    /// The constraints that a formula keeps, merged, with what `substitute` puts in the place of some; an error of
    /// `go_on`, which is asked now and then, ends that.
    pub(super) fn new(
        kept: &KeptConstraints,
        substitute: &mut Substituting<'_>,
        go_on: &mut TryGoOn<'_>,
    ) -> Result<Self, Full> {
        let mut items = Self::default();
        items.lits.reserve(kept.n_lits());
        items.all.reserve(kept.len());
        let mut first = FxHashMap::with_capacity_and_hasher(kept.len(), FxBuildHasher);
        let mut keys = (Vec::new(), Vec::new());
        for (from, constraint) in (0..).zip(kept.iter()) {
            let asked = kept.asked(from as usize);
            if (from as usize).is_multiple_of(LOOKS) {
                go_on()?;
            }
            if let Some(new) = substitute(&mut items, (from, &constraint), go_on)? {
                let merged = items.merged.len();
                new.into_iter().for_each(|item| items.add(item, &mut first, &mut keys));
                items.gains |= items.merged.len() > merged;
            } else if let Some(item) = items.item(from, &constraint, asked) {
                items.add(item, &mut first, &mut keys);
            }
        }
        items.share_counters(go_on)?;
        // Counts first.
        sort::by_key(&mut items.all, |item| (!item.is_count()).into());
        Ok(items)
    }

    pub(super) fn cond(&self, item: &MergeItem) -> &[Lit] {
        &self.lits[item.cond.range()]
    }

    /// The literals of a count; none of a sum of weights.
    pub(super) fn lits(&self, item: &MergeItem) -> &[Lit] {
        if let ItemSum::Count(lits) = item.sum { &self.lits[lits.range()] } else { &[] }
    }

    pub(super) fn lits_mut(&mut self, item: &MergeItem) -> &mut [Lit] {
        if let ItemSum::Count(lits) = item.sum { &mut self.lits[lits.range()] } else { &mut [] }
    }

    /// The terms of a sum of weights; none of a count.
    pub(super) fn terms(&self, item: &MergeItem) -> Terms<'_> {
        match item.sum {
            ItemSum::Count(_) => Terms::new(&[]),
            ItemSum::Weights { terms, ends } => Terms::of(&self.terms[terms.range()], &self.ends[ends.range()]),
        }
    }

    /// All literals of the sum.
    pub(super) fn sum_lits(&self, item: &MergeItem) -> impl Iterator<Item = Lit> {
        self.lits(item).iter().copied().chain(self.terms(item).all().iter().map(|&(lit, _)| lit))
    }

    /// The ranges that literals say by one counter; none of other items.
    pub(super) fn ranges(&self, item: &MergeItem) -> &[ReifiedRange] {
        if let Says::Ranges(ranges) = item.says { &self.ranges[ranges.range()] } else { &[] }
    }

    /// The bounds that are said by one structure; none of other items.
    pub(super) fn members(&self, item: &MergeItem) -> &[MergeItem] {
        if let Says::Members(members) = item.says { &self.members[members.range()] } else { &[] }
    }

    /// The constraints that items make.
    pub(super) fn constraints(&self, items: &[MergeItem]) -> Vec<Constraint<'_>> {
        let of = |item| MergeItem::relations(item).into_iter().flatten().map(|said| self.constraint(item, said));
        items.iter().flat_map(of).collect()
    }

    /// The literals that say what the sum is, and the conditions of members.
    pub(super) fn reified(&self, item: &MergeItem) -> impl Iterator<Item = Lit> {
        let said = item.iff().into_iter().chain(self.ranges(item).iter().map(|range| range.r));
        let members = self.members(item).iter();
        said.chain(members.flat_map(|member| self.cond(member).iter().copied().chain(member.iff())))
    }

    /// The constraint that an item makes with one of its relations.
    pub(super) fn constraint(&self, item: &MergeItem, relation: PbRelation) -> Constraint<'_> {
        let mut constraint = match item.sum {
            ItemSum::Count(_) => Constraint::count(self.lits(item), relation.counted()),
            ItemSum::Weights { .. } => Constraint::weights(self.terms(item), relation),
        };
        (constraint.cond, constraint.iff) = (self.cond(item), item.iff());
        (constraint.in_order, constraint.encoding) = (item.in_order, item.asked.encoding_name());
        constraint
    }

    /// Puts other terms, as many as there were, in the place of those of a sum, in these groups.
    pub(super) fn set_terms(&mut self, at: usize, new: &[(Lit, u64)], new_ends: &[usize]) {
        let ItemSum::Weights { terms, ends } = &mut self.all[at].sum else { return };
        self.terms[terms.range()].copy_from_slice(new);
        *ends = Extent::of(new_ends, &mut self.ends);
    }

    /// Leaves out the groups of a sum of weights, whose sides are encoded one by one.
    pub(super) fn ungroup(&mut self, at: usize) {
        let item = &mut self.all[at];
        if let ItemSum::Weights { ends, .. } = &mut item.sum {
            (ends.end, item.folding) = (ends.start, Folding::BySides);
        }
    }

    /// Says the same of the negations of all literals of a sum of weights, which has no groups.
    pub(super) fn negate(&mut self, at: usize) {
        let item = &mut self.all[at];
        let ItemSum::Weights { terms, .. } = item.sum else { return };
        item.says = item.says.of_negated(item.total);
        self.terms[terms.range()].iter_mut().for_each(|(lit, _)| *lit = !*lit);
    }

    /// The item of a constraint; none if its condition is never met, and of a parity.
    pub(super) fn item(&mut self, from: u32, constraint: &Constraint<'_>, asked: AskedEncoding) -> Option<MergeItem> {
        let mut cond = constraint.cond.to_vec();
        cond.sort_unstable();
        cond.dedup();
        if cond.windows(2).any(|pair| pair[0] == !pair[1]) {
            return None;
        }
        let cond = Extent::of(&cond, &mut self.lits);
        let (sum, relation, total) = match constraint.sum {
            Sum::Count { lits, relation } => {
                let sum = ItemSum::Count(Extent::of(lits, &mut self.lits));
                (sum, PbRelation::from(relation), lits.len() as u64)
            }
            Sum::Weights { terms, relation } => {
                let total = terms.all().iter().map(|&(_, weight)| weight).sum();
                let (terms, ends) = (terms.all(), Extent::of(terms.ends(), &mut self.ends));
                (ItemSum::Weights { terms: Extent::of(terms, &mut self.terms), ends }, relation, total)
            }
            Sum::Parity { .. } => return None,
        };
        let says = match constraint.iff {
            Some(r) => Says::Iff(r, relation),
            None => Says::between(relation.least().unwrap_or(0), relation.most().unwrap_or(total).min(total)),
        };
        let in_order = constraint.in_order;
        Some(MergeItem { from, cond, sum, says, total, in_order, asked, folding: Folding::Done })
    }

    /// Adds an item, or makes one of it and the `first` with this [`key`](Self::key), unless encodings of different
    /// names were asked for.
    fn add(&mut self, item: MergeItem, first: &mut FxHashMap<u64, usize>, (key, other): &mut (Vec<u64>, Vec<u64>)) {
        let is_turned = self.key(&item, key);
        let mut hash = FxBuildHasher.hash_one(&*key);
        while let Some(&at) = first.get(&hash) {
            let was_turned = self.key(&self.all[at], other);
            let before = &mut self.all[at];
            let is_open = before.asked.goal().or(item.asked.goal()).is_some();
            if (is_open || before.asked == item.asked) && key == other {
                let says = if is_turned == was_turned { item.says } else { item.says.of_negated(item.total) };
                (before.says, before.folding) = (before.says.and(says), Folding::Again);
                // A name wins, then what is for solving.
                if before.asked.goal().is_some() && item.asked != AskedEncoding::Open(Goal::Size) {
                    before.asked = item.asked;
                }
                return self.merged.push((before.from, item.from));
            }
            hash = hash.wrapping_add(1); // another constraint by chance, or by another encoding
        }
        first.insert(hash, self.all.len());
        self.all.push(item);
    }

    /// The words that items have in common if they are about the same sum in the same way, or if the literals of one
    /// are the negations of the other's: true if the words are those of the negations, so that the first is positive. A
    /// reified item, or one with groups, has nothing in common with its negations, a reified sum of weights with none.
    fn key(&self, item: &MergeItem, words: &mut Vec<u64>) -> bool {
        let (cond, terms) = (self.cond(item), self.terms(item));
        let unbounded = u64::MAX;
        let [r, least, most] = match item.says {
            Says::Iff(r, relation) if item.is_count() => {
                [r.lidx() as u64, relation.least().unwrap_or(unbounded), relation.most().unwrap_or(unbounded)]
            }
            Says::Iff(..) => [unbounded, unbounded, item.from.into()],
            _ => [unbounded; 3],
        };
        words.clear();
        let kind = u64::from(item.is_count()) + 2 * u64::from(item.in_order);
        words.extend([kind, r, least, most, cond.len() as u64, item.n() as u64]);
        words.extend(cond.iter().map(|lit| lit.lidx() as u64));
        let start = words.len();
        words.extend(self.lits(item).iter().map(|lit| lit.lidx() as u64));
        if !item.in_order {
            words[start..].sort_unstable();
        }
        words.extend(terms.all().iter().map(|(lit, _)| lit.lidx() as u64));
        let is_turned =
            item.iff().is_none() && !terms.is_grouped() && words.get(start).is_some_and(|word| word & 1 == 1);
        if is_turned {
            words[start..].iter_mut().for_each(|word| *word ^= 1);
        }
        words.extend(terms.all().iter().map(|&(_, weight)| weight));
        words.extend(terms.ends().iter().map(|&end| end as u64));
        is_turned
    }
}

mod counters;
mod shared_sums;
#[cfg(test)]
mod tests;
