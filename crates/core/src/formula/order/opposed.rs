//! The order in which sums of weights are written: those that oppose others come last.
//!
//! Capacities are for literals being false, the value that is asked for is for them being true. Solvers look at such a
//! value first if its auxiliaries are the newest variables, and need fewer conflicts then: knapsacks of many items
//! each, renumbered and shuffled, 58 instead of 118 with CaDiCaL. People write it last, too, but a formula cannot rely
//! on that. Of sums that oppose as much, longer ones come last: a cost that all choices share after the capacities of
//! each (assignment: 218 instead of 357).

use std::cmp::Ordering;

use rustc_hash::FxHashMap;
use rustsat::types::Lit;

use crate::constraint::Goal;
use crate::formula::keep::AskedEncoding;
use crate::formula::merge::{Items, MergeItem};
use crate::relation::PbRelation;
use crate::sort;

/// How much a sum opposes the others: how often its literals are in sums that are for their negations.
#[derive(Clone, Copy, Debug)]
struct Opposition {
    times: u64,
    terms: u64,
}

impl Opposition {
    /// By how often a literal is on average, then by the number of terms.
    fn cmp(self, other: Self) -> Ordering {
        let average = u128::from(self.times) * u128::from(other.terms);
        let others = u128::from(other.times) * u128::from(self.terms);
        average.cmp(&others).then(self.terms.cmp(&other.terms))
    }
}

impl Items {
    /// The literals that a sum of weights is for.
    fn sides(&self, item: &MergeItem) -> impl Iterator<Item = Lit> {
        let is_bounded_above =
            item.relations().into_iter().flatten().any(|relation| matches!(relation, PbRelation::AtMost(_)));
        self.sum_lits(item).map(move |lit| if is_bounded_above { !lit } else { lit })
    }

    /// Puts the sums of weights that oppose the others most last, beside the rest in the order in which it was given.
    /// Those that are to be small, or whose encoding is named, stay where they are, as the first of all.
    pub(in crate::formula) fn put_opposed_last(&mut self) {
        let first = self.all.partition_point(MergeItem::is_count);
        if self.all.len() < first + 2 {
            return;
        }
        let sums = self.all[first..].to_vec();
        let mut times: FxHashMap<Lit, u64> = FxHashMap::default();
        for lit in sums.iter().flat_map(|item| self.sides(item)) {
            *times.entry(lit).or_default() += 1;
        }
        let opposition = |item: &MergeItem| {
            let others = self.sides(item).map(|lit| times.get(&!lit).copied().unwrap_or(0));
            Opposition { times: others.sum(), terms: item.n() as u64 }
        };
        let key = |item: &MergeItem| (item.asked == AskedEncoding::Open(Goal::Solving)).then(|| opposition(item));
        let mut keyed: Vec<(Option<Opposition>, MergeItem)> = sums.into_iter().map(|item| (key(&item), item)).collect();
        sort::by(&mut keyed, |(one, _), (other, _)| match (one, other) {
            (Some(one), Some(other)) => one.cmp(*other),
            (one, other) => one.is_some().cmp(&other.is_some()),
        });
        self.all.truncate(first);
        self.all.extend(keyed.into_iter().map(|(_, item)| item));
    }
}
