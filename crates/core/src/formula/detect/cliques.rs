//! Cliques of conflicting literals, grown greedily until every conflict was looked at or the work is used up.
//!
//! Two literals conflict if a clause says so, or if one implies through auxiliaries that the other is false. The
//! second kind is never written down: a literal's implications are followed when they are asked for, and two literals
//! conflict if one implies an auxiliary literal that conflicts with the other. So an at-most-one of n literals costs
//! time O(n²) at most, as many pairs as it has, and memory O(n).
//!
//! The search starts from each literal in turn, those with few neighbours first: they are most likely in one
//! at-most-one alone, and then their neighbours are just that. From a neighbour whose conflict is not covered yet, a
//! clique grows by the neighbour that leaves most of the others.

use std::cmp::{Ordering, Reverse};

use rustc_hash::FxHashMap;

use super::auxiliaries::{Auxiliaries, NONE};
use super::conflicts::{NumberLists, not};
use crate::sort;

/// Neighbours that are tried: the best is taken, unless one leaves nearly all of the others.
const TRIED: usize = 8;

/// Cliques that were found.
#[derive(Debug)]
pub(super) struct Cliques {
    pub(super) lits: NumberLists,
    /// The clusters of auxiliaries that each clique's conflicts come from.
    pub(super) clusters: NumberLists,
    pub(super) is_alive: Vec<bool>,
    /// The last entry of each literal, or [`NONE`].
    last: Vec<u32>,
    /// For each entry the one before of the same literal, and its clique.
    entries: Vec<(u32, u32)>,
}

impl Cliques {
    pub(super) fn new(n_lits: usize) -> Self {
        Self {
            lits: NumberLists::new(),
            clusters: NumberLists::new(),
            is_alive: Vec::new(),
            last: vec![NONE; n_lits],
            entries: Vec::new(),
        }
    }

    fn add(&mut self, lits: &[u32], clusters: &[u32]) {
        let clique = self.lits.len() as u32;
        for &lit in lits {
            let last = &mut self.last[lit as usize];
            self.entries.push((*last, clique));
            *last = self.entries.len() as u32 - 1;
        }
        self.lits.push(lits.iter().copied());
        self.clusters.push(clusters.iter().copied());
        self.is_alive.push(true);
    }

    /// The cliques that were not given up.
    pub(super) fn alive(&self) -> impl Iterator<Item = u32> {
        (0..self.lits.len() as u32).filter(|&clique| self.is_alive[clique as usize])
    }

    /// The cliques with this literal, the last one first.
    pub(super) fn with(&self, lit: u32) -> impl Iterator<Item = u32> {
        let mut entry = self.last[lit as usize];
        std::iter::from_fn(move || {
            let &(before, clique) = self.entries.get(entry as usize)?;
            entry = before;
            Some(clique)
        })
        .filter(|&clique| self.is_alive[clique as usize])
    }

    /// True if both are in one clique.
    pub(super) fn cover(&self, a: u32, b: u32) -> bool {
        let (mut ones, mut others) = (self.with(a), self.with(b));
        let (mut one, mut other) = (ones.next(), others.next());
        // Both descend.
        while let (Some(left), Some(right)) = (one, other) {
            match left.cmp(&right) {
                Ordering::Equal => return true,
                Ordering::Greater => one = ones.next(),
                Ordering::Less => other = others.next(),
            }
        }
        false
    }
}

/// A set of literals that is emptied at once.
#[derive(Debug)]
struct Marks {
    of: Vec<u32>,
    now: u32,
}

impl Marks {
    fn new(n: usize) -> Self {
        Self { of: vec![0; n], now: 0 }
    }

    fn clear(&mut self) {
        self.now = self.now.wrapping_add(1);
        if self.now == 0 {
            self.of.fill(0);
            self.now = 1;
        }
    }

    /// Adds a literal; true if it is new.
    fn add(&mut self, lit: u32) -> bool {
        std::mem::replace(&mut self.of[lit as usize], self.now) != self.now
    }

    fn has(&self, lit: u32) -> bool {
        self.of[lit as usize] == self.now
    }
}

/// The graph of conflicts with auxiliaries told apart, and what is needed to search it.
#[derive(Debug)]
pub(super) struct CliqueSearch<'a> {
    auxiliaries: &'a Auxiliaries,
    /// The conflicts of each literal: with auxiliaries, and with others.
    hidden: NumberLists,
    plain: NumberLists,
    /// An upper bound on the number of neighbours of each literal.
    weights: Vec<u32>,
    /// Literals that were implied or are neighbours.
    marks: Marks,
    reached: Vec<u32>,
    /// Literals that a clique may grow by.
    inside: Marks,
    covered: Marks,
    /// Clusters by which a literal implies its own negation.
    pub(super) is_unsound: Vec<bool>,
    pub(super) work: u64,
    limit: u64,
}

impl<'a> CliqueSearch<'a> {
    pub(super) fn new(auxiliaries: &'a Auxiliaries, work: u64, limit: u64) -> Self {
        let n = auxiliaries.conflicts.len();
        let (mut hidden, mut plain) = (NumberLists::new(), NumberLists::new());
        for others in auxiliaries.conflicts.iter() {
            hidden.push(others.iter().copied().filter(|&lit| auxiliaries.is_aux(lit)));
            plain.push(others.iter().copied().filter(|&lit| !auxiliaries.is_aux(lit)));
        }
        let mut search = Self {
            auxiliaries,
            hidden,
            plain,
            weights: Vec::new(),
            marks: Marks::new(n),
            reached: Vec::new(),
            inside: Marks::new(n),
            covered: Marks::new(n),
            is_unsound: vec![false; auxiliaries.clusters.len()],
            work,
            limit,
        };
        search.weigh();
        search
    }

    pub(super) const fn is_over(&self) -> bool {
        self.work >= self.limit
    }

    /// The literals outside of a cluster that conflict with its auxiliaries.
    pub(super) fn boundary(&mut self, cluster: u32) -> Vec<u32> {
        self.marks.clear();
        let mut boundary = Vec::new();
        for &var in self.auxiliaries.clusters.get(cluster) {
            for &lit in [2 * var, 2 * var + 1].iter().flat_map(|&aux| self.plain.get(aux)) {
                if self.marks.add(lit) {
                    boundary.push(lit);
                }
            }
        }
        boundary
    }

    fn weigh(&mut self) {
        let clusters = self.auxiliaries.clusters.len() as u32;
        let sizes: Vec<u32> = (0..clusters).map(|cluster| self.boundary(cluster).len() as u32).collect();
        let mut seen: Vec<u32> = Vec::new();
        self.weights = (0..self.plain.len() as u32)
            .map(|lit| {
                seen.clear();
                seen.extend(self.hidden.get(lit).iter().map(|&aux| self.auxiliaries.cluster_of[aux as usize / 2]));
                seen.sort_unstable();
                seen.dedup();
                let hidden = seen.iter().map(|&cluster| sizes[cluster as usize]).fold(0, u32::saturating_add);
                hidden.saturating_add(self.plain.get(lit).len() as u32)
            })
            .collect();
    }

    /// Marks the auxiliary literals that `lit` implies, those of one cluster or of all; they are `reached`.
    fn imply(&mut self, lit: u32, within: Option<u32>) {
        self.marks.clear();
        self.reached.clear();
        let mut at = lit;
        let mut next = 0;
        loop {
            let others = self.hidden.get(at);
            self.work += others.len() as u64 + 1;
            for &other in others {
                let is_within = within.is_none_or(|cluster| self.auxiliaries.cluster_of[other as usize / 2] == cluster);
                if is_within && self.marks.add(not(other)) {
                    self.reached.push(not(other));
                }
            }
            let Some(&aux) = self.reached.get(next) else { break };
            at = aux;
            next += 1;
        }
    }

    /// The literals that conflict with `lit` through auxiliaries of one cluster or of all, and if `all`, those that
    /// clauses say too. Each comes once; they are marked.
    fn neighbours(&mut self, lit: u32, within: Option<u32>, neighbours: &mut Vec<u32>) {
        self.imply(lit, within);
        neighbours.clear();
        if within.is_none() {
            neighbours.extend_from_slice(self.plain.get(lit));
            neighbours.iter().for_each(|&other| {
                self.marks.add(other);
            });
        }
        for &aux in &self.reached {
            let others = self.plain.get(aux);
            self.work += others.len() as u64;
            for &other in others {
                if other == lit {
                    self.is_unsound[self.auxiliaries.cluster_of[aux as usize / 2] as usize] = true;
                } else if other != not(lit) && self.marks.add(other) {
                    neighbours.push(other);
                }
            }
        }
        self.work += neighbours.len() as u64;
    }

    /// The literals that conflict with `lit` through auxiliaries of this cluster.
    pub(super) fn neighbours_within(&mut self, lit: u32, cluster: u32) -> Vec<u32> {
        let mut neighbours = Vec::new();
        self.neighbours(lit, Some(cluster), &mut neighbours);
        neighbours
    }

    /// True if a clause says that not both are true.
    pub(super) fn is_said(&self, a: u32, b: u32) -> bool {
        let (a, b) = if self.plain.get(a).len() < self.plain.get(b).len() { (a, b) } else { (b, a) };
        self.plain.get(a).binary_search(&b).is_ok()
    }

    /// Those of `among` that conflict with `lit`, in their order.
    fn filter(&mut self, lit: u32, among: &[u32], kept: &mut Vec<u32>) {
        if (self.weights[lit as usize] as usize) < among.len() {
            self.neighbours(lit, None, kept);
            kept.retain(|&other| self.inside.has(other));
            return;
        }
        self.imply(lit, None);
        let said = self.plain.get(lit);
        let is_marked = said.len() / 8 <= among.len();
        if is_marked {
            self.work += said.len() as u64;
            said.iter().for_each(|&other| {
                self.marks.add(other);
            });
        }
        kept.clear();
        for &other in among.iter().filter(|&&other| other / 2 != lit / 2) {
            let hidden = self.hidden.get(other);
            self.work += hidden.len() as u64 + 1;
            let is_said = if is_marked { self.marks.has(other) } else { said.binary_search(&other).is_ok() };
            if is_said || hidden.iter().any(|&aux| self.marks.has(aux)) {
                kept.push(other);
            }
        }
    }

    /// Which of the first few of `tried` has most neighbours among the literals that are marked as inside: its
    /// position. Its neighbours become `most`. None if none has any.
    fn best(&mut self, tried: &[u32], among: &[u32], most: &mut Vec<u32>, kept: &mut Vec<u32>) -> Option<usize> {
        let mut best = None;
        most.clear();
        for (at, &lit) in tried.iter().take(TRIED).enumerate() {
            self.filter(lit, among, kept);
            if kept.len() > most.len() {
                best = Some(at);
                std::mem::swap(kept, most);
            }
            if most.len() + 1 + among.len() / 16 >= among.len() {
                break;
            }
        }
        best
    }

    fn mark_inside(&mut self, among: &[u32]) {
        self.work += among.len() as u64;
        self.inside.clear();
        among.iter().for_each(|&lit| {
            self.inside.add(lit);
        });
    }

    /// Grows a clique by some of `among`, all of which conflict with all of it.
    fn grow(&mut self, clique: &mut Vec<u32>, among: &mut Vec<u32>) {
        let (mut kept, mut most) = (Vec::new(), Vec::new());
        while !among.is_empty() && !self.is_over() {
            self.mark_inside(among);
            let at = self.best(among, among, &mut most, &mut kept).unwrap_or(0);
            clique.push(among[at]);
            std::mem::swap(among, &mut most);
        }
    }

    /// Marks the literals whose conflict with `lit` is in a clique.
    pub(super) fn mark_covered(&mut self, lit: u32, cliques: &Cliques) {
        self.covered.clear();
        for clique in cliques.with(lit) {
            let others = cliques.lits.get(clique);
            self.work += others.len() as u64;
            others.iter().for_each(|&other| {
                self.covered.add(other);
            });
        }
    }

    pub(super) fn is_covered(&self, lit: u32) -> bool {
        self.covered.has(lit)
    }

    /// The number of conflicts in a clique that are in no other.
    fn fresh(&mut self, clique: &[u32], cliques: &Cliques) -> usize {
        let mut fresh = 0;
        for (at, &lit) in clique.iter().enumerate() {
            self.mark_covered(lit, cliques);
            self.work += clique.len() as u64;
            fresh += clique[at + 1..].iter().filter(|&&other| !self.covered.has(other)).count();
        }
        fresh
    }

    /// The clusters that a clique needs: where two of it conflict through several, the one through which most do.
    fn clusters(&mut self, clique: &[u32]) -> Vec<u32> {
        let mut counts: FxHashMap<u32, usize> = FxHashMap::default();
        self.through(clique, |clusters| clusters.iter().for_each(|&cluster| *counts.entry(cluster).or_default() += 1));
        let mut needed: Vec<u32> = Vec::new();
        if counts.len() > 1 {
            self.through(clique, |clusters| {
                let most = clusters.iter().copied().max_by_key(|cluster| (counts[cluster], Reverse(*cluster)));
                needed.extend(most.filter(|most| !needed.contains(most)));
            });
            needed.sort_unstable();
        } else {
            needed.extend(counts.into_keys());
        }
        needed
    }

    /// Tells `tell`, for each two of a clique that do not conflict by a clause, through which clusters they do, some of
    /// them perhaps twice.
    fn through(&mut self, clique: &[u32], mut tell: impl FnMut(&[u32])) {
        let mut clusters = Vec::new();
        for (at, &lit) in clique.iter().enumerate() {
            self.imply(lit, None);
            for &other in &clique[at + 1..] {
                let hidden = self.hidden.get(other);
                self.work += hidden.len() as u64 + 1;
                if hidden.is_empty() || self.is_said(lit, other) {
                    continue;
                }
                clusters.clear();
                let implied = hidden.iter().filter(|&&aux| self.marks.has(aux));
                clusters.extend(implied.map(|&aux| self.auxiliaries.cluster_of[aux as usize / 2]));
                tell(&clusters);
            }
        }
    }

    /// Finds cliques that cover conflicts which none of `cliques` covers, and adds them.
    pub(super) fn run(&mut self, cliques: &mut Cliques) {
        let mut seeds: Vec<u32> = (0..self.plain.len() as u32)
            .filter(|&lit| self.weights[lit as usize] > 1 && !self.auxiliaries.is_aux(lit))
            .collect();
        sort::by_key(&mut seeds, |&lit| self.weights[lit as usize].into());
        let (mut around, mut open, mut kept, mut among) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for seed in seeds {
            if self.is_over() {
                return;
            }
            self.neighbours(seed, None, &mut around);
            self.mark_covered(seed, cliques);
            open.clear();
            open.extend(around.iter().filter(|&&lit| !self.covered.has(lit) && self.weights[lit as usize] > 1));
            let (mut done, mut is_marked) = (0, false);
            while done < open.len() && !self.is_over() {
                if !std::mem::replace(&mut is_marked, true) {
                    self.mark_inside(&around);
                }
                let tried = (open.len() - done).min(TRIED);
                let Some(at) = self.best(&open[done..done + tried], &around, &mut among, &mut kept) else {
                    done += tried; // none of them has a neighbour in common with the seed
                    continue;
                };
                open.swap(done, done + at);
                let mut clique = vec![seed, open[done]];
                done += 1;
                self.grow(&mut clique, &mut among);
                is_marked = false;
                if !self.is_over() && self.fresh(&clique, cliques) + 1 >= clique.len() {
                    let clusters = self.clusters(&clique);
                    cliques.add(&clique, &clusters);
                    self.mark_covered(seed, cliques);
                    open.drain(..done);
                    open.retain(|&lit| !self.covered.has(lit));
                    done = 0;
                }
            }
        }
    }
}
