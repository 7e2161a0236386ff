//! Reified counts of the same literals, or of their negations, by one counter: where that has fewer variables + clauses
//! than one structure for each, they become one item.

use rustc_hash::FxHashMap;

use super::{Extent, Items, MergeItem, Says};
use crate::constrain::IffPlan;
use crate::encode::{Encoding, Full, ReifiedRange};
use crate::formula::go_on::TryGoOn;
use crate::formula::keep::AskedEncoding;
use crate::sort;

/// An item, and whether its literals are the negations of those in its key.
type Place = (usize, bool);

/// Counts by one counter, and what it takes.
struct SharedCounter<'e> {
    enc: &'e dyn Encoding,
    n: usize,
    /// The place of each, by the outputs.
    all: Vec<(usize, ReifiedRange)>,
    cost: u64,
    /// The part of the cost that ties literals to outputs.
    ties: u64,
}

impl SharedCounter<'_> {
    /// The cost with another, whose outputs are no earlier; `None` where there is no such counter.
    fn with(&self, range: &ReifiedRange) -> Option<u64> {
        let last = self.all.iter().max_by_key(|(_, one)| one.outputs(self.n).1)?;
        let ends = [self.all.first()?.1, last.1, *range];
        let of_ends: u64 = ends.iter().map(|end| end.tie_size(self.n).cost()).sum();
        let outputs = self.enc.plan_ranges(self.n, &ends)?.size().cost().saturating_sub(of_ends);
        Some(outputs.saturating_add(self.ties).saturating_add(range.tie_size(self.n).cost()))
    }
}

impl Items {
    /// Makes one item of reified counts of the same literals where one counter for them is smaller.
    pub(super) fn share_counters(&mut self, go_on: &mut TryGoOn<'_>) -> Result<(), Full> {
        let mut place: FxHashMap<(AskedEncoding, Vec<u64>), usize> = FxHashMap::default();
        let mut alike: Vec<Vec<Place>> = Vec::new();
        for (at, item) in self.all.iter().enumerate().filter(|(_, item)| item.is_count() && item.is_reified()) {
            let (words, is_turned) = self.counted(item);
            let number = *place.entry((item.asked, words)).or_insert(alike.len());
            if number == alike.len() {
                alike.push(Vec::new());
            }
            alike[number].push((at, is_turned));
        }
        // Items that are part of another, by the first constraint of each.
        let mut part_of = FxHashMap::default();
        for places in alike.iter().filter(|places| places.len() > 1) {
            for counter in self.counters(places, go_on)?.iter().filter(|counter| counter.all.len() > 1) {
                self.share(places[0].0, counter, &mut part_of);
            }
        }
        if part_of.is_empty() {
            return Ok(());
        }
        self.all.retain(|item| !part_of.contains_key(&item.from));
        self.merged.iter_mut().for_each(|(first, _)| *first = *part_of.get(first).unwrap_or(first));
        let parts = part_of.iter().map(|(&part, &first)| (first, part));
        self.merged.extend(parts);
        sort::by_key(&mut self.merged, |&(_, part)| part.into());
        Ok(())
    }

    /// The words that reified counts have in common if they are about the same literals, or about their negations, and
    /// whether they are those of the negations.
    fn counted(&self, item: &MergeItem) -> (Vec<u64>, bool) {
        let cond = self.cond(item);
        let mut words = vec![item.in_order.into(), cond.len() as u64];
        words.extend(cond.iter().map(|lit| lit.lidx() as u64));
        let start = words.len();
        words.extend(self.lits(item).iter().map(|lit| lit.lidx() as u64));
        words[start..].sort_unstable();
        let is_turned = words.get(start).is_some_and(|word| word & 1 == 1);
        words[start..].iter_mut().for_each(|word| *word ^= u64::from(is_turned));
        (words, is_turned)
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
            } else {
                counters.push(SharedCounter { enc, n, all: vec![(at, range)], cost, ties });
            }
        }
        Ok(counters)
    }

    /// Makes one item of counts, in the place of the first, with the literals of the item at `lits`.
    fn share(&mut self, lits: usize, counter: &SharedCounter<'_>, part_of: &mut FxHashMap<u32, u32>) {
        let ranges: Vec<ReifiedRange> = counter.all.iter().map(|&(_, range)| range).collect();
        let first = counter.all.iter().map(|&(at, _)| at).min().unwrap_or(lits);
        let others = counter.all.iter().filter(|&&(at, _)| at != first);
        part_of.extend(others.map(|&(at, _)| (self.all[at].from, self.all[first].from)));
        self.all[first].sum = self.all[lits].sum;
        self.all[first].says = Says::Ranges(Extent::of(&ranges, &mut self.ranges));
    }
}
