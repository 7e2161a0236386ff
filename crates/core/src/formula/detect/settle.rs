//! Which clusters of auxiliaries vanish, and with them their clauses.
//!
//! A cluster vanishes if what its clauses say of all other variables is said by cliques, but for a few pairs that are
//! cheaper written out. It must be able to vanish: no other literal is false by it alone, and its auxiliaries have
//! values that satisfy the clauses among themselves. A clique that relies on a cluster which stays is given up.

use super::auxiliaries::{Auxiliaries, NONE};
use super::cliques::{CliqueSearch, Cliques};
use super::conflicts::{NumberLists, not};

/// The clusters that vanish.
#[derive(Debug, Default)]
pub(super) struct SettledClusters {
    pub(super) vanishes: Vec<bool>,
    /// The value of each variable of those, where no other variable decides it.
    pub(super) values: Vec<Option<bool>>,
    /// Clusters that no clique needs, or that say more than cliques do while all of theirs were there.
    is_hopeless: Vec<bool>,
    /// Conflicts through each cluster that vanishes which no clique covers and no clause says.
    pub(super) pairs_of: Vec<Vec<(u32, u32)>>,
}

impl SettledClusters {
    pub(super) fn new(
        auxiliaries: &Auxiliaries,
        search: &mut CliqueSearch<'_>,
        cliques: &mut Cliques,
        limit: u64,
    ) -> Self {
        let count = auxiliaries.clusters.len();
        let mut settled = Self {
            vanishes: vec![false; count],
            values: vec![None; auxiliaries.cluster_of.len()],
            is_hopeless: vec![true; count],
            pairs_of: vec![Vec::new(); count],
        };
        // The cliques of each cluster.
        let needs = |clique: u32| cliques.clusters.get(clique).iter().map(move |&cluster| (cluster, clique));
        let uses: Vec<(u32, u32)> = cliques.alive().flat_map(needs).collect();
        let cliques_of = NumberLists::of_pairs(count, uses.iter().copied());
        drop(uses);
        let mut queue: Vec<u32> = (0..count as u32).filter(|&cluster| !cliques_of.get(cluster).is_empty()).collect();
        for &cluster in &queue {
            settled.vanishes[cluster as usize] = true;
        }
        while let Some(cluster) = queue.pop() {
            if !settled.vanishes[cluster as usize] {
                continue;
            }
            let is_used = cliques_of.get(cluster).iter().any(|&clique| cliques.is_alive[clique as usize]);
            let pairs = if is_used && search.work < limit {
                settled.decide(auxiliaries, search, cluster).then(|| {
                    let most = n_clauses(auxiliaries, cluster);
                    open_pairs(search, cliques, cluster, most)
                })
            } else {
                None
            };
            if let Some(Some(pairs)) = pairs {
                settled.pairs_of[cluster as usize] = pairs;
                continue;
            }
            settled.vanishes[cluster as usize] = false;
            settled.pairs_of[cluster as usize].clear();
            settled.is_hopeless[cluster as usize] =
                cliques_of.get(cluster).iter().all(|&clique| cliques.is_alive[clique as usize]);
            for &clique in cliques_of.get(cluster) {
                if !std::mem::take(&mut cliques.is_alive[clique as usize]) {
                    continue;
                }
                let lits = cliques.lits.get(clique);
                let others = lits.iter().flat_map(|&lit| auxiliaries.conflicts.get(lit));
                let others = others.map(|&aux| auxiliaries.cluster_of[aux as usize / 2]).filter(|&other| other != NONE);
                for other in others {
                    if settled.vanishes[other as usize] && queue.last() != Some(&other) {
                        queue.push(other);
                    }
                }
            }
        }
        settled
    }

    /// Makes ordinary variables of the auxiliaries in clusters that do not vanish: of those without hope while there
    /// are any and it is not the `last` time, then of all. True if there were some.
    pub(super) fn release(&self, auxiliaries: &mut Auxiliaries, last: bool) -> bool {
        let clusters = (0..self.vanishes.len() as u32).filter(|&cluster| !self.vanishes[cluster as usize]);
        let is_hopeless = |&cluster: &u32| self.is_hopeless[cluster as usize];
        let (hopeless, others): (Vec<u32>, Vec<u32>) = clusters.partition(is_hopeless);
        let mut any = false;
        for cluster in hopeless {
            any |= auxiliaries.release(cluster);
        }
        if last || !any {
            for cluster in others {
                any |= auxiliaries.release(cluster);
            }
        }
        any
    }

    /// Finds values of a cluster's auxiliaries that satisfy the clauses among themselves; false if there are none.
    ///
    /// Clauses of two are satisfiable if and only if this never fails: values that are closed under implication leave
    /// the clauses among other variables as they were.
    fn decide(&mut self, auxiliaries: &Auxiliaries, search: &mut CliqueSearch<'_>, cluster: u32) -> bool {
        let vars = auxiliaries.clusters.get(cluster);
        vars.iter().for_each(|&var| self.values[var as usize] = None);
        let mut trail: Vec<u32> = Vec::new();
        for &var in vars {
            if self.values[var as usize].is_some() {
                continue;
            }
            let found = [2 * var + 1, 2 * var].into_iter().any(|lit| {
                trail.clear();
                trail.push(lit);
                self.values[var as usize] = Some(lit % 2 == 0);
                let mut next = 0;
                let mut is_consistent = true;
                while let Some(&lit) = trail.get(next) {
                    next += 1;
                    for &other in auxiliaries.conflicts.get(lit).iter().filter(|&&other| auxiliaries.is_aux(other)) {
                        search.work += 1;
                        match self.values[other as usize / 2] {
                            None => {
                                self.values[other as usize / 2] = Some(not(other).is_multiple_of(2));
                                trail.push(not(other));
                            }
                            Some(value) => is_consistent &= value != (other % 2 == 0),
                        }
                    }
                    if !is_consistent {
                        trail.iter().for_each(|&lit| self.values[lit as usize / 2] = None);
                        break;
                    }
                }
                is_consistent
            });
            if !found {
                return false;
            }
        }
        true
    }
}

/// At least half of the clauses of a cluster, at most all.
fn n_clauses(auxiliaries: &Auxiliaries, cluster: u32) -> usize {
    let lits = auxiliaries.clusters.get(cluster).iter().flat_map(|&var| [2 * var, 2 * var + 1]);
    lits.map(|lit| auxiliaries.conflicts.get(lit).len()).sum::<usize>() / 2
}

/// The conflicts through a cluster that no clique covers and no clause says; none if they are more than `most`, or if
/// a literal is false by the cluster alone.
fn open_pairs(search: &mut CliqueSearch<'_>, cliques: &Cliques, cluster: u32, most: usize) -> Option<Vec<(u32, u32)>> {
    let mut pairs = Vec::new();
    for lit in search.boundary(cluster) {
        let neighbours = search.neighbours_within(lit, cluster);
        if search.is_unsound[cluster as usize] {
            return None;
        }
        search.mark_covered(lit, cliques);
        for other in neighbours {
            if lit < other && !search.is_covered(other) && !search.is_said(lit, other) {
                pairs.push((lit, other));
            }
        }
        if pairs.len() > most {
            return None;
        }
    }
    Some(pairs)
}
