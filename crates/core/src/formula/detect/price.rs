//! Which of the at-most-ones that were found are worth their clauses.
//!
//! A formula never grows by what is found in it. Cliques that share a cluster of auxiliaries come and go together, and
//! any other clique is by itself: such a *unit* is paid for by the clauses that it replaces and the auxiliaries that
//! vanish with it. Cliques overlap, and a clause pays once; where it is there twice, as a pair of cells in a row and a
//! box of a Sudoku may be, it pays for two. Units with large cliques come first, and take no more than they need, first
//! of all what no other asks for. A unit is encoded by `Auto` if that has neither more clauses nor more variables +
//! clauses than were paid, otherwise by `Smallest`, and if that is too much as well, its clauses stay as they are.
//!
//! A unit of several cliques that is too much loses those that are not the largest of any cluster first. Where
//! something is given up, others may need clauses of their own for what it covered, so [`settle`](super::settle) and
//! this take turns until nothing is given up any more.

use rustc_hash::{FxHashMap, FxHashSet};
use rustsat::types::Lit;

use super::auxiliaries::{Auxiliaries, NONE, find, unite};
use super::cliques::Cliques;
use super::conflicts::{Conflicts, distinct, not};
use super::settle::SettledClusters;
use crate::CardEncoding;
use crate::cnf::Clauses;
use crate::constraint::Goal;
use crate::relation::Relation;
use crate::size::Size;
use crate::sort;

/// The fate of a clause.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fate {
    Stays,
    /// It goes with the auxiliaries of this cluster.
    Vanishes(u32),
    /// It says that these two conflict.
    Pair(u32, u32),
    /// It says that one literal of this clique is true.
    OneOf(u32),
}

/// The fates of all clauses, with these cliques and clusters.
#[derive(Debug)]
pub(super) struct Fates<'a> {
    pub(super) conflicts: &'a Conflicts,
    pub(super) auxiliaries: &'a Auxiliaries,
    pub(super) cliques: &'a Cliques,
    pub(super) settled: &'a SettledClusters,
    by_lits: FxHashMap<Vec<u32>, u32>,
}

impl<'a> Fates<'a> {
    pub(super) fn new(
        conflicts: &'a Conflicts,
        auxiliaries: &'a Auxiliaries,
        cliques: &'a Cliques,
        settled: &'a SettledClusters,
    ) -> Self {
        let sorted = |clique: u32| {
            let mut lits = cliques.lits.get(clique).to_vec();
            lits.sort_unstable();
            (lits, clique)
        };
        Self { conflicts, auxiliaries, cliques, settled, by_lits: cliques.alive().map(sorted).collect() }
    }

    /// The cluster of a literal that vanishes.
    pub(super) fn vanishing(&self, lit: u32) -> Option<u32> {
        let cluster = self.auxiliaries.cluster_of[lit as usize / 2];
        (cluster != NONE && self.settled.vanishes[cluster as usize]).then_some(cluster)
    }

    pub(super) fn of(&self, clause: &[Lit], buffer: &mut Vec<u32>) -> Fate {
        let numbers = &self.conflicts.numbers;
        let lits = distinct(numbers, clause, buffer);
        let vanishing = match lits {
            None => clause.iter().find_map(|&lit| self.vanishing(numbers.of_lit(lit))),
            Some(lits) => lits.iter().find_map(|&lit| self.vanishing(lit)),
        };
        match (vanishing, lits) {
            (Some(cluster), _) => Fate::Vanishes(cluster),
            (None, Some(&[a, b])) => Fate::Pair(not(a), not(b)),
            (None, Some(lits)) => self.by_lits.get(lits).map_or(Fate::Stays, |&clique| Fate::OneOf(clique)),
            (None, None) => Fate::Stays,
        }
    }
}

/// The price of a clique.
#[derive(Clone, Copy, Debug)]
pub(super) struct Price {
    pub(super) relation: Relation,
    pub(super) goal: Goal,
    /// Clauses that say that one literal is true.
    ones: u64,
}

/// The encoding of each clique, and the cliques that are given up.
#[derive(Debug)]
pub(super) struct Prices {
    pub(super) of: Vec<Price>,
    pub(super) given_up: Vec<u32>,
}

impl Prices {
    /// With `room` for what a formula may add to an at-most-one when it makes it exact. The clauses that are
    /// [`asked`] for most are taken last.
    pub(super) fn new(fates: &Fates<'_>, clauses: Clauses<'_>, asked: &[u32], room: bool, work: &mut u64) -> Self {
        let Fates { conflicts, auxiliaries, cliques, settled, .. } = *fates;
        let unpriced = Price { relation: Relation::AtMost(1), goal: Goal::Solving, ones: 0 };
        let mut prices = Self { of: vec![unpriced; cliques.lits.len()], given_up: Vec::new() };
        // What there is to pay with: clauses and variables of clusters, and clauses that say a conflict.
        let mut paid: Vec<Size> = vec![Size::ZERO; settled.vanishes.len()];
        let mut said: Vec<u32> = vec![0; conflicts.of.n_items()];
        let mut buffer = Vec::new();
        for clause in clauses {
            match fates.of(clause, &mut buffer) {
                Fate::Stays => {}
                Fate::Vanishes(cluster) => paid[cluster as usize].clauses += 1,
                Fate::Pair(a, b) => conflicts.of.find(a, b).into_iter().for_each(|at| said[at] += 1),
                Fate::OneOf(clique) => {
                    let price = &mut prices.of[clique as usize];
                    (price.relation, price.ones) = (Relation::Exactly(1), price.ones + 1);
                }
            }
        }
        for (cluster, paid) in (0..).zip(&mut paid) {
            paid.vars = auxiliaries.clusters.get(cluster).len() as u64;
            *work += paid.clauses;
        }

        for (unit, clusters) in units(cliques, settled.vanishes.len()) {
            let mut income: Size = clusters.iter().map(|&cluster| paid[cluster as usize]).sum();
            income.clauses += unit.iter().map(|&clique| prices.of[clique as usize].ones).sum::<u64>();
            let sizes = unit.iter().map(|&clique| cliques.lits.get(clique).len() as u64);
            *work += sizes.map(|n| n * n / 2).sum::<u64>();
            let all = unit.iter().flat_map(|&clique| places(conflicts, cliques, clique));
            let mut open: Vec<usize> = all.filter(|&place| said[place] > 0).collect();
            sort::by_wide_key(&mut open, |&place| {
                u128::from(asked[place].saturating_sub(said[place])) << 64 | place as u128
            });
            open.dedup();
            let added: usize = clusters.iter().map(|&cluster| settled.pairs_of[cluster as usize].len()).sum();
            let cost = |goal: Goal| {
                let one = |&clique: &u32| {
                    let (relation, n) = (prices.of[clique as usize].relation, cliques.lits.get(clique).len());
                    match goal {
                        Goal::Size => relation.size(&CardEncoding::Smallest, n),
                        _ => {
                            let size = relation.size(&CardEncoding::Auto, n);
                            let is_exact = relation == Relation::Exactly(1);
                            if room && !is_exact { size + Size::clause(n) } else { size }
                        }
                    }
                };
                unit.iter().map(one).sum::<Size>() + Size::clauses(added as u64, 2)
            };
            let missing = |goal: Goal| {
                let cost = cost(goal);
                let clauses = cost.clauses.saturating_sub(income.clauses);
                clauses.max(cost.cost().saturating_sub(income.cost())) as usize
            };
            let bills = [Goal::Solving, Goal::Size].map(|goal| (goal, missing(goal)));
            if let Some((goal, missing)) = bills.into_iter().find(|&(_, missing)| missing <= open.len()) {
                open[..missing].iter().for_each(|&place| said[place] -= 1);
                unit.iter().for_each(|&clique| prices.of[clique as usize].goal = goal);
            } else {
                // A clique beside the largest of its clusters may be what is too much.
                let mut seen = FxHashSet::default();
                let is_largest = |&clique: &u32| {
                    let clusters = cliques.clusters.get(clique);
                    clusters.iter().filter(|&&cluster| seen.insert(cluster)).count() > 0
                };
                let (_, others): (Vec<u32>, Vec<u32>) = unit.iter().copied().partition(is_largest);
                prices.given_up.extend(if others.is_empty() { unit } else { others });
            }
        }
        prices
    }
}

/// How many cliques ask for the clause of each conflict. To be computed once: where nothing is left of the cliques but
/// those that were paid for, they are paid for by the same clauses again.
pub(super) fn asked(conflicts: &Conflicts, cliques: &Cliques) -> Vec<u32> {
    let mut asked = vec![0; conflicts.of.n_items()];
    cliques.alive().flat_map(|clique| places(conflicts, cliques, clique)).for_each(|place| asked[place] += 1);
    asked
}

/// The places of a clique's conflicts that clauses say, among all such conflicts.
fn places(conflicts: &Conflicts, cliques: &Cliques, clique: u32) -> impl Iterator<Item = usize> {
    let lits = cliques.lits.get(clique);
    let pairs = lits.iter().enumerate().flat_map(|(at, &a)| lits[at + 1..].iter().map(move |&b| (a, b)));
    pairs.filter_map(|(a, b)| conflicts.of.find(a.min(b), a.max(b)))
}

/// The cliques and the clusters of each unit, those with the largest cliques first.
fn units(cliques: &Cliques, n_clusters: usize) -> Vec<(Vec<u32>, Vec<u32>)> {
    let mut parent: Vec<u32> = (0..n_clusters as u32).collect();
    for clique in cliques.alive() {
        let clusters = cliques.clusters.get(clique);
        clusters.windows(2).for_each(|pair| unite(&mut parent, pair[0], pair[1]));
    }
    let mut units: Vec<(Vec<u32>, Vec<u32>)> = Vec::new();
    let mut unit_of: FxHashMap<u32, usize> = FxHashMap::default();
    for clique in cliques.alive() {
        let clusters = cliques.clusters.get(clique);
        let unit = match clusters.first() {
            None => units.len(),
            Some(&first) => *unit_of.entry(find(&mut parent, first)).or_insert(units.len()),
        };
        if unit == units.len() {
            units.push((Vec::new(), Vec::new()));
        }
        units[unit].0.push(clique);
        units[unit].1.extend_from_slice(clusters);
    }
    for (unit, clusters) in &mut units {
        sort::by_key(unit, |&clique| !(cliques.lits.get(clique).len() as u64));
        clusters.sort_unstable();
        clusters.dedup();
    }
    sort::by_key(&mut units, |(unit, _)| !unit.first().map_or(0, |&clique| cliques.lits.get(clique).len() as u64));
    units
}
