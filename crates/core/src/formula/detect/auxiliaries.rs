//! Which variables may be auxiliaries: those that only clauses of two literals have, once clauses that say nothing
//! about anything else are left out.
//!
//! A clause is *blocked* on its literal l if every clause with !l has another literal whose negation is in it too.
//! Whatever satisfies all other clauses satisfies it, perhaps with l made true: so where l's variable is nobody's
//! business, the clause says nothing. This takes care of auxiliaries that are defined in both directions: a commander
//! that is true only if one of its group is, a counter that is true only if it counted.
//!
//! Sources: Kullmann, *On a Generalization of Extended Resolution*, Discrete Applied Mathematics 96–97, 1999;
//! Järvisalo, Biere, Heule, *Blocked Clause Elimination*, TACAS 2010.

use rustc_hash::FxHashSet;

use super::conflicts::{Conflicts, NumberLists, not};

/// No cluster, no literal.
pub(super) const NONE: u32 = u32::MAX;

/// A variable in more clauses of three and more literals than this is no auxiliary.
const MOST_LONG: usize = 64;

/// So often literals on which clauses are blocked are chosen anew, without those that turned out to be no auxiliaries.
const ROUNDS: usize = 4;

/// Candidates for auxiliaries, in clusters: those that share a clause are in the same one.
#[derive(Debug)]
pub(super) struct Auxiliaries {
    /// The cluster of each variable, or [`NONE`].
    pub(super) cluster_of: Vec<u32>,
    /// The variables of each cluster.
    pub(super) clusters: NumberLists,
    /// The conflicts of each literal, without those of blocked clauses.
    pub(super) conflicts: NumberLists,
    /// Blocked clauses, in the order in which they were left out, and the literal that each is blocked on.
    pub(super) blocked: NumberLists,
    pub(super) on: Vec<u32>,
}

/// The roles that a variable may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum VariableRole {
    /// It stays in any case.
    Stays,
    /// In clauses of two it has one sign only, as inputs have, and it is in one clause of three. It is an auxiliary
    /// only if that is blocked on it: the end of a chain that nobody asks.
    Defined,
    /// It is an auxiliary if all its clauses of three and more are blocked.
    Candidate,
}

/// The state of one round.
struct Round<'a> {
    conflicts: &'a Conflicts,
    /// Clauses that may be blocked: those of three and more literals, and the two clauses of each equivalence.
    clauses: &'a NumberLists,
    /// These clauses by literal.
    clauses_of: &'a NumberLists,
    /// The literal that each of them is blocked on, or [`NONE`].
    on: Vec<u32>,
    order: Vec<u32>,
    marked: Vec<bool>,
    /// Conflicts whose clauses are left out, each from both ends.
    gone: FxHashSet<(u32, u32)>,
}

impl Round<'_> {
    /// True if the clause whose literals are marked is blocked on `lit`.
    fn is_blocked(&self, len: usize, lit: u32) -> bool {
        let pairs = self.conflicts.of.get(lit);
        // Each clause of two needs another literal of the clause, unless it was left out.
        pairs.len() < len + self.gone.len().min(pairs.len())
            && pairs.iter().all(|&other| self.marked[other as usize] || self.gone.contains(&(lit, other)))
            && self.clauses_of.get(not(lit)).iter().all(|&clause| {
                self.on[clause as usize] != NONE
                    || self.clauses.get(clause).iter().any(|&m| m != not(lit) && self.marked[not(m) as usize])
            })
    }

    /// Leaves out clauses that are blocked on variables of at least this role, until there is none.
    fn run(&mut self, roles: &[VariableRole], least: VariableRole, work: &mut u64) {
        let may = |lit: u32| roles[lit as usize / 2] >= least;
        let clauses = self.clauses;
        let is_open = |round: &Self, clause: u32| round.on[clause as usize] == NONE;
        let mut queue: Vec<u32> = (0..clauses.len() as u32)
            .rev()
            .filter(|&clause| is_open(self, clause) && clauses.get(clause).iter().any(|&lit| may(lit)))
            .collect();
        let mut queued = vec![false; clauses.len()];
        queue.iter().for_each(|&clause| queued[clause as usize] = true);
        while let Some(clause) = queue.pop() {
            queued[clause as usize] = false;
            let lits = clauses.get(clause);
            *work += lits.len() as u64;
            lits.iter().for_each(|&lit| self.marked[lit as usize] = true);
            let found = lits.iter().copied().filter(|&lit| may(lit) && self.is_blocked(lits.len(), lit));
            let found = found.min_by_key(|&lit| self.clauses_of.get(lit).len() + self.clauses_of.get(not(lit)).len());
            lits.iter().for_each(|&lit| self.marked[lit as usize] = false);
            let Some(lit) = found else { continue };
            self.on[clause as usize] = lit;
            self.order.push(clause);
            if let &[a, b] = lits {
                self.gone.extend([(not(a), not(b)), (not(b), not(a))]);
            }
            for &other in lits.iter().flat_map(|&lit| self.clauses_of.get(not(lit))) {
                *work += 1;
                if is_open(self, other) && !std::mem::replace(&mut queued[other as usize], true) {
                    queue.push(other);
                }
            }
        }
    }

    /// Variables in clauses of three and more that are not blocked stay.
    fn restrict(&self, roles: &mut [VariableRole]) {
        for (lits, &on) in self.clauses.iter().zip(&self.on) {
            if on == NONE && lits.len() > 2 {
                lits.iter().for_each(|&lit| roles[lit as usize / 2] = VariableRole::Stays);
            }
        }
    }

    /// The variables that are auxiliaries, but for those that share a blocked clause with one that is none.
    fn auxiliaries(&self, roles: &[VariableRole]) -> Vec<bool> {
        let mut is_aux: Vec<bool> = roles.iter().map(|&role| role == VariableRole::Candidate).collect();
        for &lit in self.on.iter().filter(|&&lit| lit != NONE) {
            is_aux[lit as usize / 2] |= roles[lit as usize / 2] == VariableRole::Defined;
        }
        is_aux
    }

    /// Takes back clauses that are blocked on variables which are no auxiliaries, until there is none; true if there
    /// was one.
    fn take_back(&mut self, is_aux: &mut [bool]) -> bool {
        let mut stack: Vec<u32> = (0..is_aux.len() as u32).filter(|&var| !is_aux[var as usize]).collect();
        let mut any = false;
        while let Some(var) = stack.pop() {
            for lit in [2 * var, 2 * var + 1] {
                for &clause in self.clauses_of.get(lit) {
                    if self.on[clause as usize] != lit {
                        continue;
                    }
                    any = true;
                    self.on[clause as usize] = NONE;
                    let lits = self.clauses.get(clause);
                    if let &[a, b] = lits {
                        self.gone.remove(&(not(a), not(b)));
                        self.gone.remove(&(not(b), not(a)));
                    }
                    for &other in lits {
                        if std::mem::take(&mut is_aux[other as usize / 2]) {
                            stack.push(other / 2);
                        }
                    }
                }
            }
        }
        any
    }
}

/// The role of each variable, by the clauses that have it.
fn roles(conflicts: &Conflicts, clauses: &NumberLists, clauses_of: &NumberLists, stays: &[bool]) -> Vec<VariableRole> {
    let in_pairs = |lit: u32| !conflicts.of.get(lit).is_empty();
    let n = conflicts.numbers.len() as u32;
    let is_candidate = |var: u32| {
        let [a, b] = [2 * var, 2 * var + 1];
        in_pairs(a)
            && in_pairs(b)
            && !stays[var as usize]
            && clauses_of.get(a).len() + clauses_of.get(b).len() <= MOST_LONG
    };
    let mut roles: Vec<VariableRole> =
        (0..n).map(|var| if is_candidate(var) { VariableRole::Candidate } else { VariableRole::Stays }).collect();
    for var in 0..n {
        if roles[var as usize] != VariableRole::Stays || stays[var as usize] {
            continue;
        }
        for lit in [2 * var, 2 * var + 1] {
            let &[clause] = clauses_of.get(lit) else { continue };
            let is_gate = in_pairs(lit) && clauses_of.get(not(lit)).is_empty() && clauses.get(clause).len() == 3;
            let is_next_to = |&l: &u32| roles[l as usize / 2] == VariableRole::Candidate;
            if is_gate && clauses.get(clause).iter().any(is_next_to) {
                roles[var as usize] = VariableRole::Defined;
            }
        }
    }
    roles
}

impl Auxiliaries {
    /// `stays` says which variables are no auxiliaries, for other reasons.
    pub(super) fn new(conflicts: &Conflicts, stays: &[bool], work: &mut u64) -> Self {
        let n = conflicts.numbers.len();
        let mut clauses = conflicts.long.clone();
        for a in 0..2 * n as u32 {
            // Both of (!a | !b) and (a | b), and a is in no other clause of two.
            if let &[b] = conflicts.of.get(a)
                && !(stays[a as usize / 2] && stays[b as usize / 2])
                && conflicts.of.get(not(a)).binary_search(&not(b)).is_ok()
                && (conflicts.of.get(b) != [a] || a < b)
            {
                clauses.push([a.min(b), a.max(b)]);
            }
        }
        let occurrences: Vec<(u32, u32)> =
            (0..).zip(clauses.iter()).flat_map(|(clause, lits)| lits.iter().map(move |&lit| (lit, clause))).collect();
        let clauses_of = NumberLists::of_pairs(2 * n, occurrences.iter().copied());
        drop(occurrences);
        let mut roles = roles(conflicts, &clauses, &clauses_of, stays);
        let mut rounds = 0;
        loop {
            let mut round = Round {
                conflicts,
                clauses: &clauses,
                clauses_of: &clauses_of,
                on: vec![NONE; clauses.len()],
                order: Vec::new(),
                marked: vec![false; 2 * n],
                gone: FxHashSet::default(),
            };
            round.run(&roles, VariableRole::Candidate, work);
            round.run(&roles, VariableRole::Defined, work);
            // Those that others pull along may be right with another choice.
            round.restrict(&mut roles);
            let mut is_aux = round.auxiliaries(&roles);
            let again = round.take_back(&mut is_aux);
            rounds += 1;
            if !again || rounds == ROUNDS {
                let Round { on, order, gone, .. } = round;
                return Self::clusters(conflicts, &is_aux, &gone, &clauses, &on, &order);
            }
        }
    }

    fn clusters(
        conflicts: &Conflicts,
        is_aux: &[bool],
        gone: &FxHashSet<(u32, u32)>,
        clauses: &NumberLists,
        on: &[u32],
        order: &[u32],
    ) -> Self {
        let mut pairs = NumberLists::new();
        for (lit, others) in (0..).zip(conflicts.of.iter()) {
            pairs.push(others.iter().copied().filter(|&other| !gone.contains(&(lit, other))));
        }
        let mut blocked = NumberLists::new();
        let mut blocked_on = Vec::new();
        for (clause, on) in order.iter().map(|&clause| (clause, on[clause as usize])).filter(|&(_, on)| on != NONE) {
            let lits = clauses.get(clause);
            blocked.push(lits.iter().copied());
            blocked_on.push(on);
        }
        let cluster_of = is_aux.iter().map(|&is_aux| if is_aux { 0 } else { NONE }).collect();
        let clusters = NumberLists::new();
        let mut auxiliaries = Self { cluster_of, clusters, conflicts: pairs, blocked, on: blocked_on };
        auxiliaries.regroup();
        for cluster in 0..auxiliaries.clusters.len() as u32 {
            if auxiliaries.is_input(cluster) {
                auxiliaries.release(cluster);
            }
        }
        auxiliaries
    }

    /// Puts auxiliaries that share a clause into one cluster, and others into different ones.
    pub(super) fn regroup(&mut self) {
        let n = self.cluster_of.len() as u32;
        let mut parent: Vec<u32> = (0..n).collect();
        let is_aux_lit = |&&lit: &&u32| self.is_aux(lit);
        for lit in (0..2 * n).filter(|&lit| self.is_aux(lit)) {
            let others = self.conflicts.get(lit).iter().filter(is_aux_lit);
            others.for_each(|&other| unite(&mut parent, lit / 2, other / 2));
        }
        for (lits, &on) in self.blocked.iter().zip(&self.on).filter(|&(_, &on)| self.is_aux(on)) {
            lits.iter().filter(is_aux_lit).for_each(|&other| unite(&mut parent, on / 2, other / 2));
        }
        let mut members = Vec::new();
        let mut count = 0;
        let mut number = vec![NONE; n as usize];
        for var in 0..n {
            if self.cluster_of[var as usize] == NONE {
                continue;
            }
            let root = find(&mut parent, var) as usize;
            if number[root] == NONE {
                number[root] = count;
                count += 1;
            }
            self.cluster_of[var as usize] = number[root];
            members.push((number[root], var));
        }
        self.clusters = NumberLists::of_pairs(count as usize, members.iter().copied());
    }

    /// True for a cluster of one variable that is better taken for an input: one of its signs is in one clause alone,
    /// and of the literals that conflict with the other at least half of all pairs conflict by clauses.
    fn is_input(&self, cluster: u32) -> bool {
        let &[var] = self.clusters.get(cluster) else { return false };
        let is_group = |lit: u32| {
            let lits = self.conflicts.get(lit);
            let said = lits.iter().enumerate().map(|(at, &a)| {
                let others = self.conflicts.get(a);
                lits[at + 1..].iter().filter(|b| others.binary_search(b).is_ok()).count()
            });
            lits.len() > 2 && 4 * said.sum::<usize>() >= lits.len() * (lits.len() - 1)
        };
        let [a, b] = [2 * var, 2 * var + 1];
        let is_single = |lit: u32| self.conflicts.get(lit).len() == 1;
        is_single(b) && is_group(a) || is_single(a) && is_group(b)
    }

    pub(super) fn is_aux(&self, lit: u32) -> bool {
        self.cluster_of[lit as usize / 2] != NONE
    }

    /// Makes the cluster's variables ordinary ones; true if they were not.
    pub(super) fn release(&mut self, cluster: u32) -> bool {
        let mut any = false;
        for &var in self.clusters.get(cluster) {
            any |= std::mem::replace(&mut self.cluster_of[var as usize], NONE) != NONE;
        }
        any
    }
}

pub(in crate::formula) fn find(parent: &mut [u32], mut var: u32) -> u32 {
    while parent[var as usize] != var {
        parent[var as usize] = parent[parent[var as usize] as usize];
        var = parent[var as usize];
    }
    var
}

/// The smaller number stays the root, so that clusters are numbered by their first variable.
pub(in crate::formula) fn unite(parent: &mut [u32], a: u32, b: u32) {
    let (a, b) = (find(parent, a), find(parent, b));
    parent[a.max(b) as usize] = a.min(b);
}
