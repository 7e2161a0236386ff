//! The ways of a formula's constraints to clauses that are certified: none where a solver watches them, another
//! encoding where the one that was chosen has no derivation.

use rustc_hash::FxHashMap;

use super::Formula;
use super::dry::Dry;
use super::facts::Facts;
use super::keep::AskedEncoding;
use super::merge::{Items, MergeItem};
use super::opb_line::OpbLits;
use super::way::{Way, write};
use crate::certify::{Attempt, DerivationEffort, follows, is_too_long_a_totalizer, is_worth_an_attempt};
use crate::choose::{CardEncoding, PbEncoding};
use crate::constraint::Goal;
use crate::encode;
use crate::relation::PbRelation;
use crate::sink::ClauseSink;

/// Finds a way to clauses for each item that can be certified.
pub(super) struct CertifiedWays<'f> {
    pub(super) formula: &'f Formula,
    pub(super) facts: Facts<'f>,
    /// True if the solver watches sums.
    pub(super) watches: bool,
    pub(super) go_on: &'f dyn Fn() -> bool,
    /// The attempts that derive the clauses of items, by the first constraint of each.
    pub(super) attempts: FxHashMap<u32, Attempt>,
}

impl CertifiedWays<'_> {
    /// The way of an item to clauses: none where the library is free to choose and the solver watches sums; as it is
    /// always, or, where that has no derivation and there is the freedom, by an encoding of sums.
    pub(super) fn way(&mut self, items: &mut Items, at: usize, check: &mut encode::GoOn<'_>) -> Way {
        let item = items.all[at];
        if self.is_watched(items, &item) {
            return Way::Watched;
        }
        let way = Way::new(items, &item, check);
        let Some(effort) = self.effort(items, &item) else { return way };
        if way.planned_size().is_none_or(|size| is_worth_an_attempt(&size))
            && let Some(attempt) = self.attempt(items, &item, &way, effort)
        {
            self.attempts.insert(item.from, attempt);
            return way;
        }
        items.simplify(at);
        Way::new(items, &items.all[at], check)
    }

    /// True if the solver watches an item. Slack says little of a sum with groups; counts have auxiliaries in an order
    /// that a whole formula gave them.
    fn is_watched(&self, items: &Items, item: &MergeItem) -> bool {
        let is_open = item.asked.goal().is_some() && !item.is_impossible();
        let is_sum = !item.is_count() && !items.terms(item).is_grouped();
        self.watches
            && is_open
            && is_sum
            && self.facts.items.lines(item.from, OpbLits::last(self.formula)).all(|(line, _)| line.is_watchable())
    }

    /// The effort that it is worth to derive the clauses that were planned; `None` if there are no others: where the
    /// encoding is the user's, and no *exactly* by weight, whose sides may be encoded one by one, nor of a sum with
    /// groups, which may be left out. Nobody asked for these clauses, so they are the last resort.
    fn effort(&self, items: &Items, item: &MergeItem) -> Option<DerivationEffort<'_>> {
        let is_equality = matches!(item.relations()[0], Some(PbRelation::Exactly(_)));
        let is_last_resort = !item.is_count() && (is_equality || items.terms(item).is_grouped());
        match item.asked.goal() {
            _ if item.is_impossible() => None,
            Some(Goal::Solving) if item.is_count() => Some(DerivationEffort::count(self.go_on)),
            Some(_) => Some(DerivationEffort::choice(self.go_on)),
            None => is_last_resort.then(|| DerivationEffort::most(self.go_on)),
        }
    }

    /// The attempt that derives all clauses of an item.
    fn attempt(&self, items: &Items, item: &MergeItem, way: &Way, effort: DerivationEffort<'_>) -> Option<Attempt> {
        let batch = self.facts.batch(items, item, OpbLits::last(self.formula));
        let mut sink = Dry { batch, next: self.formula.next_var(), effort, counts_models: false };
        write(items, item, way, &mut sink).ok()?;
        follows(&sink.batch, effort).ok()
    }
}

impl Items {
    /// Takes an encoding that is derived where it is left to the library: by sums, or by an adder where these are too
    /// long; both sides of *exactly* by weight one by one, and no groups.
    fn simplify(&mut self, at: usize) {
        let item = &mut self.all[at];
        let n = item.n();
        // The smaller side of a bound is counted.
        let smaller = |relation: PbRelation| relation.bound().min((n as u64).saturating_sub(relation.bound()));
        let most = item.relations().into_iter().flatten().map(smaller).max().unwrap_or(0) as usize;
        let is_short = !is_too_long_a_totalizer(n, most);
        let count = if is_short { &CardEncoding::Totalizer } else { &CardEncoding::Adder };
        item.asked = match item.asked {
            AskedEncoding::Open(_) if item.is_count() => AskedEncoding::Card(count),
            AskedEncoding::Open(_) => AskedEncoding::Weights(&PbEncoding::IntervalDiagram),
            asked => asked,
        };
        self.ungroup(at);
    }
}

#[cfg(test)]
mod tests;
