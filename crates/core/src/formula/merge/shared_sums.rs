//! Bounds on the same weighted terms, or on their negations, by one structure: plain, under any condition or reified.
//! They become one item where that has fewer variables + clauses than one structure for each.

use super::counters::{ItemParts, Place};
use super::{Extent, Folding, ItemSum, Items, MergeItem, Says};
use crate::encode::{Full, GoOn};
use crate::formula::go_on::TryGoOn;
use crate::formula::way::Way;
use crate::relation::PbRelation;
use crate::sort;

/// No condition.
const NONE: Extent = Extent { start: 0, end: 0 };

impl Items {
    /// Makes one item of bounds on the same terms where one structure for them is smaller; in a formula of `n_vars`.
    pub(in crate::formula) fn share_sums(&mut self, n_vars: usize, go_on: &mut TryGoOn<'_>) -> Result<(), Full> {
        let mut parts = ItemParts::default();
        // Encodings that were asked for by name have no structure for several bounds.
        for places in self.alike(|item| !item.is_count() && !item.is_impossible() && item.asked.goal().is_some()) {
            for (at, members) in self.sums(&places, n_vars, go_on)? {
                let says = Says::Members(Extent::of(&members, &mut self.members));
                let first = self.join(&at, &mut parts);
                let from = self.all[first].from;
                self.all[first] = MergeItem { from, cond: NONE, says, folding: Folding::Done, ..members[0] };
            }
        }
        self.leave_out(&parts);
        Ok(())
    }

    /// Bounds on the terms of the first of them that are smaller together: all, or else of each half, by their bounds,
    /// and so on.
    fn sums(&self, places: &[Place], n_vars: usize, go_on: &mut TryGoOn<'_>) -> Result<Vec<SharedSum>, Full> {
        let (first, was_turned) = places[0];
        let ItemSum::Weights { terms, .. } = self.all[first].sum else { return Ok(Vec::new()) };
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
            alone.push((at, MergeItem { sum: ItemSum::Weights { terms, ends: NONE }, says, ..item }, cost));
        }
        sort::by_key(&mut alone, |(_, item, _)| item.relations()[0].map_or(0, PbRelation::bound));
        let (mut sums, mut open) = (Vec::new(), vec![&alone[..]]);
        while let Some(part) = open.pop() {
            if part.len() < 2 {
                continue;
            }
            let members: Vec<MergeItem> = part.iter().map(|&(_, item, _)| item).collect();
            let apart: u64 = part.iter().map(|&(.., cost)| cost).sum();
            let together = self.together_cost(&members, &mut || go_on().is_ok());
            go_on()?;
            if together.is_some_and(|together| together < apart) {
                sums.push((part.iter().map(|&(at, ..)| at).collect(), members));
            } else {
                let (lower, upper) = part.split_at(part.len() / 2);
                open.extend([upper, lower]);
            }
        }
        Ok(sums)
    }

    fn together_cost(&self, members: &[MergeItem], go_on: &mut GoOn<'_>) -> Option<u64> {
        let enc = members.first()?.asked.encoding(false);
        Some(enc.plan_together(&self.constraints(members), go_on)?.size().cost())
    }
}

/// The places of bounds by one structure, and what they say.
type SharedSum = (Vec<usize>, Vec<MergeItem>);
