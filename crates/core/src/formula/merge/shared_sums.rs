//! Bounds on the same weighted terms, or on their negations, by one structure: plain, under any condition or reified.
//! They become one item where that has fewer variables + clauses than each of them alone.

use super::counters::{ItemParts, Place};
use super::{Extent, Folding, ItemSum, Items, MergeItem, Says};
use crate::encode::{Full, GoOn};
use crate::formula::go_on::TryGoOn;
use crate::formula::way::Way;
use crate::relation::PbRelation;
use crate::sort;

impl Items {
    /// Makes one item of bounds on the same terms where one structure for them is smaller; in a formula of `n_vars`.
    pub(in crate::formula) fn share_sums(&mut self, n_vars: usize, go_on: &mut TryGoOn<'_>) -> Result<(), Full> {
        let mut parts = ItemParts::default();
        for places in self.alike(|item| !item.is_count() && !item.is_impossible()) {
            let shared = self.sums(&places, n_vars, go_on)?;
            for SharedSum { at, members, .. } in shared.into_iter().filter(|sum| sum.at.len() > 1) {
                let says = Says::Members(Extent::of(&members, &mut self.members));
                let first = self.join(&at, &mut parts);
                let (cond, from) = (Extent { start: 0, end: 0 }, self.all[first].from);
                self.all[first] = MergeItem { from, cond, says, folding: Folding::Done, ..members[0] };
            }
        }
        self.leave_out(&parts);
        Ok(())
    }

    /// Bounds on the terms of the first of them, each alone or several that follow each other together, whichever is
    /// smaller.
    fn sums(&self, places: &[Place], n_vars: usize, go_on: &mut TryGoOn<'_>) -> Result<Vec<SharedSum>, Full> {
        let (first, was_turned) = places[0];
        let mut alone = Vec::new();
        for &(at, is_turned) in places {
            let item = self.all[at];
            let has = |var| self.sum_lits(&item).any(|lit| lit.var() == var);
            if self.cond(&item).iter().any(|lit| has(lit.var())) {
                continue;
            }
            let cost = Way::new(self, &item, &mut || go_on().is_ok()).size(self, &item, n_vars).cost();
            go_on()?;
            let says = if is_turned == was_turned { item.says } else { item.says.of_negated(item.total) };
            let (ItemSum::Weights { terms, .. }, ends) = (self.all[first].sum, Extent { start: 0, end: 0 }) else {
                continue;
            };
            alone.push((at, MergeItem { sum: ItemSum::Weights { terms, ends }, says, ..item }, cost));
        }
        sort::by_key(&mut alone, |(_, item, _)| item.relations()[0].map_or(0, PbRelation::bound));
        let mut sums: Vec<SharedSum> = Vec::new();
        for (at, item, cost) in alone {
            if let Some(sum) = sums.last_mut() {
                sum.members.push(item);
                let with = self.together_cost(&sum.members, &mut || go_on().is_ok());
                go_on()?;
                if let Some(with) = with.filter(|&with| with < sum.cost.saturating_add(cost)) {
                    sum.at.push(at);
                    sum.cost = with;
                    continue;
                }
                sum.members.pop();
            }
            sums.push(SharedSum { at: vec![at], members: vec![item], cost });
        }
        Ok(sums)
    }

    fn together_cost(&self, members: &[MergeItem], go_on: &mut GoOn<'_>) -> Option<u64> {
        let enc = members.first()?.asked.encoding(false);
        Some(enc.plan_together(&self.constraints(members), go_on)?.size().cost())
    }
}

/// Bounds by one structure.
struct SharedSum {
    /// The places of the members.
    at: Vec<usize>,
    members: Vec<MergeItem>,
    cost: u64,
}
