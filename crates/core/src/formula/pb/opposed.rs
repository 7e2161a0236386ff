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

use super::plan::{PbItem, PbItems};
use crate::offer::Aim;
use crate::relation::PbRelation;

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

/// The literals that a sum is for.
fn sides(item: &PbItem) -> impl Iterator<Item = Lit> {
    let is_bounded_above = item.relations().iter().any(|relation| matches!(relation, PbRelation::AtMost(_)));
    item.terms.iter().map(move |&(lit, _)| if is_bounded_above { !lit } else { lit })
}

impl PbItems {
    /// Puts what opposes the others most last, beside the rest in the order in which it was given. What is to be small
    /// stays where it is, as the first of all.
    pub(in crate::formula) fn put_opposed_last(&mut self) {
        if self.len() < 2 {
            return;
        }
        let mut times: FxHashMap<Lit, u64> = FxHashMap::default();
        for lit in self.iter().flat_map(sides) {
            *times.entry(lit).or_default() += 1;
        }
        let opposition = |item: &PbItem| {
            let others = sides(item).map(|lit| times.get(&!lit).copied().unwrap_or(0));
            Opposition { times: others.sum(), terms: item.terms.len() as u64 }
        };
        let key = |item: &PbItem| (item.aim == Aim::Solving).then(|| opposition(item));
        self.sort_by_keys(key, |one, other| match (one, other) {
            (Some(one), Some(other)) => one.cmp(*other),
            (one, other) => one.is_some().cmp(&other.is_some()),
        });
    }
}
