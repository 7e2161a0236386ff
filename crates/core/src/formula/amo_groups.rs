//! Groups of literals of which a formula says that at most one is true, for the terms of a constraint on a sum of
//! weights.
//!
//! The sets are at-most-ones and exactly-ones that the formula keeps, and cliques among binary clauses. Each literal of
//! a sum goes to one group. Sets are taken in the order of how many literals of the sum they hold; cliques are grown
//! from the literals that are left, in the order of terms. Which groups are best is a hard question, and a few more
//! groups than the fewest cost little.
//!
//! A sum of literals is a sum of their negations with the bound mirrored, so both are looked at, and the one with fewer
//! groups is taken.
//!
//! Source: M. Bofill, J. Coll, P. Nightingale, J. Suy, F. Ulrich-Oltean, M. Villaret, *SAT encodings for Pseudo-Boolean
//! constraints together with at-most-one constraints*, Artificial Intelligence 302, 2022.

use rustc_hash::{FxHashMap, FxHashSet};
use rustsat::types::Lit;

use super::go_on::TryGoOn;
use super::merge::{Folding, Items, MergeItem};
use crate::encode::Full;
use crate::sort;

/// Steps that may be made to grow cliques for one constraint.
const STEPS: usize = 1 << 20;

impl Items {
    /// Puts the terms of sums of weights in groups, where they have none yet.
    pub(super) fn group<'a>(
        &mut self,
        clauses: impl Iterator<Item = &'a [Lit]>,
        go_on: &mut TryGoOn<'_>,
    ) -> Result<(), Full> {
        if self.all.iter().all(MergeItem::is_count) {
            return Ok(());
        }
        let exclusions = Exclusions::new(self, clauses);
        if exclusions.ends.is_empty() && exclusions.pairs.is_empty() {
            return Ok(());
        }
        for at in 0..self.all.len() {
            let item = &self.all[at];
            if item.is_count() || item.in_order || self.terms(item).is_grouped() {
                continue;
            }
            go_on()?;
            let lits: Vec<Lit> = self.sum_lits(item).collect();
            let negated: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
            let (plain, other) = (exclusions.groups(&lits), exclusions.groups(&negated));
            let count = |groups: &[usize]| groups.iter().max().map_or(0, |most| most + 1);
            let groups = if count(&other) < count(&plain) {
                self.negate(at);
                other
            } else {
                plain
            };
            if count(&groups) == lits.len() {
                continue;
            }
            let mut order: Vec<usize> = (0..lits.len()).collect();
            sort::by_key(&mut order, |&at| groups[at] as u64);
            let old = self.terms(&self.all[at]).all();
            let terms: Vec<(Lit, u64)> = order.iter().map(|&at| old[at]).collect();
            let numbers: Vec<usize> = order.iter().map(|&at| groups[at]).collect();
            let is_end = |&end: &usize| numbers.get(end).is_none_or(|&next| next != numbers[end - 1]);
            let ends: Vec<usize> = (1..=numbers.len()).filter(is_end).collect();
            self.set_terms(at, &terms, &ends);
            self.all[at].folding = Folding::Again;
        }
        Ok(())
    }

    /// The literals of which an item says, without a condition, that at most one is true.
    pub(super) fn at_most_one(&self, item: &MergeItem) -> Option<Vec<Lit>> {
        match item.plain_count()? {
            (_, 1) => Some(self.lits(item).to_vec()),
            (lo, _) if lo + 1 == item.total => Some(self.lits(item).iter().map(|&lit| !lit).collect()),
            _ => None,
        }
    }
}

/// Which literals exclude each other, as far as they occur in sums.
#[derive(Debug, Default)]
struct Exclusions {
    /// Literals of which at most one is true, one set after the other.
    lits: Vec<Lit>,
    ends: Vec<usize>,
    /// The sets that a literal is in.
    sets: FxHashMap<Lit, Vec<usize>>,
    /// The literals that a literal excludes by a binary clause.
    pairs: FxHashMap<Lit, Vec<Lit>>,
}

impl Exclusions {
    /// For the literals of the sums of weights among these items, and their negations.
    fn new<'a>(items: &Items, clauses: impl Iterator<Item = &'a [Lit]>) -> Self {
        let sums = items.all.iter().filter(|item| !item.is_count());
        let vars: FxHashSet<usize> = sums.flat_map(|item| items.sum_lits(item)).map(Lit::vidx).collect();
        let sets = items.all.iter().filter_map(|item| items.at_most_one(item));
        let mut exclusions = Self::default();
        for set in sets {
            let start = exclusions.lits.len();
            exclusions.lits.extend(set.into_iter().filter(|lit| vars.contains(&lit.vidx())));
            if exclusions.lits.len() < start + 2 {
                exclusions.lits.truncate(start);
                continue;
            }
            let number = exclusions.ends.len();
            for &lit in &exclusions.lits[start..] {
                exclusions.sets.entry(lit).or_default().push(number);
            }
            exclusions.ends.push(exclusions.lits.len());
        }
        for clause in clauses {
            if let [one, other] = *clause
                && one.var() != other.var()
                && vars.contains(&one.vidx())
                && vars.contains(&other.vidx())
            {
                exclusions.pairs.entry(!one).or_default().push(!other);
                exclusions.pairs.entry(!other).or_default().push(!one);
            }
        }
        exclusions.pairs.values_mut().for_each(|others| {
            others.sort_unstable();
            others.dedup();
        });
        exclusions
    }

    /// The number of the group of each literal, from 0 on, in the order of the first literal of each.
    fn groups(&self, lits: &[Lit]) -> Vec<usize> {
        let mut group: Vec<Option<usize>> = vec![None; lits.len()];
        let place: FxHashMap<Lit, usize> = lits.iter().enumerate().map(|(at, &lit)| (lit, at)).collect();
        let mut count = 0;

        let mut held: FxHashMap<usize, usize> = FxHashMap::default();
        for set in lits.iter().filter_map(|lit| self.sets.get(lit)).flatten() {
            *held.entry(*set).or_default() += 1;
        }
        let mut held: Vec<(usize, usize)> = held.into_iter().filter(|&(_, size)| size > 1).collect();
        sort::by_wide_key(&mut held, |&(set, size)| !(size as u128) << 64 | set as u128);
        for (set, _) in held {
            let start = set.checked_sub(1).map_or(0, |before| self.ends[before]);
            let members = self.lits[start..self.ends[set]].iter().filter_map(|lit| place.get(lit).copied());
            let free: Vec<usize> = members.filter(|&at| group[at].is_none()).collect();
            if free.len() > 1 {
                free.iter().for_each(|&at| group[at] = Some(count));
                count += 1;
            }
        }

        let mut steps = STEPS;
        for at in 0..lits.len() {
            if group[at].is_some() {
                continue;
            }
            group[at] = Some(count);
            let mut members = vec![lits[at]];
            let others = self.pairs.get(&lits[at]).map_or(&[][..], Vec::as_slice);
            let mut others: Vec<usize> = others.iter().filter_map(|lit| place.get(lit).copied()).collect();
            others.sort_unstable();
            for other in others {
                let excludes = &self.pairs[&lits[other]];
                steps = steps.saturating_sub(members.len());
                if group[other].is_none()
                    && steps > 0
                    && members.iter().all(|member| excludes.binary_search(member).is_ok())
                {
                    group[other] = Some(count);
                    members.push(lits[other]);
                }
            }
            count += 1;
        }

        // Numbered anew, by the first literal.
        let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
        let groups = group.into_iter().flatten();
        groups
            .map(|group| {
                let next = numbers.len();
                *numbers.entry(group).or_insert(next)
            })
            .collect()
    }
}
