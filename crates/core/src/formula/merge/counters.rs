//! Reified counts of the same literals, or of their negations, by one counter: where that has fewer variables + clauses
//! than one structure for each, they become one item.

use rustc_hash::{FxHashMap, FxHashSet};
use rustsat::types::Lit;

use super::{Extent, Items, MergeItem, Says};
use crate::constrain::IffPlan;
use crate::encode::{Encoding, Full, ReifiedRange};
use crate::formula::go_on::TryGoOn;
use crate::formula::keep::AskedEncoding;
use crate::sort;

/// An item, and whether its literals are the negations of those in its key.
pub(super) type Place = (usize, bool);

/// Items that are part of another: the place of each, its first constraint and that of the other.
pub(super) type ItemParts = Vec<(usize, u32, u32)>;

/// Counts by one counter, and what it takes.
struct SharedCounter<'e> {
    enc: &'e dyn Encoding,
    n: usize,
    /// The place of each, by the first outputs.
    all: Vec<(usize, ReifiedRange)>,
    /// One that needs the last of all outputs.
    last: ReifiedRange,
    cost: u64,
    /// The part of the cost that ties literals to outputs.
    ties: u64,
}

impl SharedCounter<'_> {
    /// The cost with another, whose outputs are no earlier; `None` where there is no such counter.
    fn with(&self, range: &ReifiedRange) -> Option<u64> {
        let ends = [self.all.first()?.1, self.last, *range];
        let of_ends: u64 = ends.iter().map(|end| end.tie_size(self.n).cost()).sum();
        let outputs = self.enc.plan_ranges(self.n, &ends)?.size().cost().saturating_sub(of_ends);
        Some(outputs.saturating_add(self.ties).saturating_add(range.tie_size(self.n).cost()))
    }
}

impl Items {
    /// Makes one item of reified counts of the same literals where one counter for them is smaller.
    pub(super) fn share_counters(&mut self, go_on: &mut TryGoOn<'_>) -> Result<(), Full> {
        let mut parts = ItemParts::default();
        for places in self.alike(|item| item.is_count() && item.is_reified()) {
            for counter in self.counters(&places, go_on)?.iter().filter(|counter| counter.all.len() > 1) {
                let ranges: Vec<ReifiedRange> = counter.all.iter().map(|&(_, range)| range).collect();
                let says = Says::Ranges(Extent::of(&ranges, &mut self.ranges));
                let at: Vec<usize> = counter.all.iter().map(|&(at, _)| at).collect();
                let first = self.join(&at, &mut parts);
                (self.all[first].sum, self.all[first].says) = (self.all[places[0].0].sum, says);
            }
        }
        self.leave_out(&parts);
        Ok(())
    }

    /// The places of items about the same terms, or about the negations of all, by the same encoding, several each; of
    /// counts, under the same condition, too.
    pub(super) fn alike(&self, is_asked: impl Fn(&MergeItem) -> bool) -> Vec<Vec<Place>> {
        let mut place: FxHashMap<(AskedEncoding, Vec<u64>), usize> = FxHashMap::default();
        let mut alike: Vec<Vec<Place>> = Vec::new();
        for (at, item) in self.all.iter().enumerate().filter(|(_, item)| is_asked(item)) {
            let (words, is_turned) = self.summed(item);
            let number = *place.entry((item.asked, words)).or_insert(alike.len());
            if number == alike.len() {
                alike.push(Vec::new());
            }
            alike[number].push((at, is_turned));
        }
        alike.retain(|places| places.len() > 1);
        alike
    }

    /// The words that such items have in common, and whether they are those of the negations.
    fn summed(&self, item: &MergeItem) -> (Vec<u64>, bool) {
        let cond = if item.is_count() { self.cond(item) } else { &[] };
        let mut words = vec![item.in_order.into(), cond.len() as u64];
        words.extend(cond.iter().map(|lit| lit.lidx() as u64));
        let lits = self.lits(item).iter().map(|&lit| (lit, 1));
        let mut terms: Vec<(Lit, u64)> = lits.chain(self.terms(item).all().iter().copied()).collect();
        if !item.in_order {
            sort::by_key(&mut terms, |(lit, _)| lit.lidx() as u64);
        }
        let is_turned = terms.first().is_some_and(|(lit, _)| lit.is_neg());
        words.extend(terms.iter().flat_map(|&(lit, weight)| [lit.lidx() as u64 ^ u64::from(is_turned), weight]));
        (words, is_turned)
    }

    /// Makes items parts of the first of them, and returns its place.
    pub(super) fn join(&self, places: &[usize], parts: &mut ItemParts) -> usize {
        let first = places.iter().copied().min().unwrap_or(0);
        let others = places.iter().filter(|&&at| at != first);
        parts.extend(others.map(|&at| (at, self.all[at].from, self.all[first].from)));
        first
    }

    /// Leaves out items that are parts of others.
    pub(super) fn leave_out(&mut self, parts: &ItemParts) {
        if parts.is_empty() {
            return;
        }
        let gone: FxHashSet<usize> = parts.iter().map(|&(at, ..)| at).collect();
        let part_of: FxHashMap<u32, u32> = parts.iter().map(|&(_, part, first)| (part, first)).collect();
        let mut at = 0..;
        self.all.retain(|_| at.next().is_none_or(|at| !gone.contains(&at)));
        self.merged.iter_mut().for_each(|(first, _)| *first = *part_of.get(first).unwrap_or(first));
        self.merged.extend(parts.iter().map(|&(_, part, first)| (first, part)));
        sort::by_key(&mut self.merged, |&(_, part)| part.into());
    }

    /// Counts of the literals of the first of them, each by a counter of its own or by one for several that follow each
    /// other, whichever is smaller.
    fn counters(&self, places: &[Place], go_on: &mut TryGoOn<'_>) -> Result<Vec<SharedCounter<'static>>, Full> {
        let (first, was_turned) = places[0];
        let (enc, n) = (self.all[first].asked.encoding(true), self.all[first].n());
        let mut alone = Vec::new();
        for &(at, is_turned) in places {
            go_on()?;
            let Says::Iff(r, relation) = self.all[at].says else { continue };
            let constraint = self.constraint(&self.all[at], relation);
            let cost = IffPlan::new(r, &constraint, enc, false, &mut || true).size().cost();
            let relation = if is_turned == was_turned { Some(relation) } else { relation.of_negated(n as u64) };
            let range = relation.map(|relation| ReifiedRange::of(r, relation.counted(), n));
            alone.extend(range.map(|range| (at, range, cost)));
        }
        sort::by_key(&mut alone, |(_, range, _)| range.outputs(n).0 as u64);
        let mut counters: Vec<SharedCounter<'static>> = Vec::new();
        for (at, range, cost) in alone {
            go_on()?;
            let ties = range.tie_size(n).cost();
            if let Some(counter) = counters.last_mut()
                && let Some(with) = counter.with(&range).filter(|&with| with < counter.cost.saturating_add(cost))
            {
                (counter.cost, counter.ties) = (with, counter.ties + ties);
                counter.all.push((at, range));
                if range.outputs(n).1 >= counter.last.outputs(n).1 {
                    counter.last = range;
                }
            } else {
                counters.push(SharedCounter { enc, n, all: vec![(at, range)], last: range, cost, ties });
            }
        }
        Ok(counters)
    }
}
