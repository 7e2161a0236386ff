//! Core-guided search: OLL with stratification, weight-aware core extraction, core exhaustion and minimisation, and
//! hardening.
//!
//! The solver assumes that every literal of the objective is false. A *core* is a set of assumptions that cannot all
//! hold: the least weight among them is paid, which raises the lower bound, and taken from each of them. What is paid
//! allows one of the core's literals to be true; a second one costs as much again, which a new assumption on a count of
//! the core's literals says. When all assumptions hold, the solution costs what was paid, and is optimal.
//!
//! * *At-most-ones* among the assumptions are found before the first core, and again after a level that made clauses of
//!   some ([`exclusive`](super::exclusive)).
//! * *Stratification*: heavy assumptions come first, so that cores are heavy, and each level shows a solution; but only
//!   where many assumptions have few weights, as a hard question about some of them may be easy about all (A. Ignatiev,
//!   A. Morgado, J. Marques-Silva, *RC2: an Efficient `MaxSAT` Solver*, JSAT 11, 2019, pages 53–64).
//! * *Weight-aware core extraction*: cores are counted only when the level has no more of them (J. Berg, M. Järvisalo,
//!   *Weight-Aware Core Extraction in SAT-Based `MaxSAT` Solving*, CP 2017, LNCS 10416, pages 652–670).
//! * *Exhaustion*: the bound on a new count is raised as long as the solver refutes it alone.
//! * *Hardening*: an assumption that would cost more than what is left between the bounds becomes a clause.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use rustsat::types::Lit;

use super::MinimumSearch;
use super::exclusive::{self, exclusive};
use super::objective::Reduced;
use cnfkit_core::internals::{NormalSum, Oracle, Session, Side};
use cnfkit_core::{ClauseSink, SolveError, WeightedCounter};

/// The conflicts that making a core smaller may take, and each step of exhaustion.
const BRIEF: u64 = 1_000;
/// Beside the linear relaxation, a level goes down to where so many assumptions come to each weight, in fourths.
const DIVERSITY: usize = 5;
/// Cores of up to so many assumptions are minimised one by one.
const MINIMISED: usize = 64;

/// The assumptions, and what it costs to do without each.
pub(super) struct Reformulation {
    /// The weight of each assumption.
    weights: BTreeMap<Lit, u128>,
    /// The counts of cores.
    counts: Vec<WeightedCounter>,
    /// The count behind an assumption, and the number of literals that it allows.
    origin: FxHashMap<Lit, (usize, usize)>,
    /// Cores that are not counted yet, each with what it cost.
    pending: Vec<(Vec<Lit>, u128)>,
    /// The cost that all solutions pay, whichever of the assumptions hold.
    paid: u128,
    /// Weights, and what is paid, are in parts of a cost, so many to each.
    pub(super) parts: u128,
    /// A solution for which all assumptions hold costs what was paid.
    is_exact: bool,
    /// The linear relaxation is there for hard questions.
    is_relaxed: bool,
    /// The assumptions of at least this weight are asked for together.
    level: u128,
    /// The cost of the best solution when it was polished last.
    polished: u128,
    /// The assumptions that became clauses, and their number when at-most-ones were looked for last.
    hard: FxHashSet<Lit>,
    seen_hard: usize,
    /// The steps that are left for at-most-ones.
    steps: usize,
}

impl MinimumSearch<'_> {
    /// Core-guided search alone. There is a solution.
    pub(super) fn by_cores(&mut self, polish: bool) -> Result<(), SolveError> {
        let mut soft = self.reformulation(true)?;
        self.core_guided(&mut soft, polish, u64::MAX)
    }

    /// The assumptions, those that exclude each other together.
    pub(super) fn reformulation(&mut self, relaxed: bool) -> Result<Reformulation, SolveError> {
        let mut soft = Reformulation::new(&self.objective, self.reduced.as_ref().filter(|_| relaxed));
        soft.is_relaxed = self.reduced.is_some();
        self.pay_exclusive(&mut soft)?;
        soft.level = soft.next_level(u128::MAX);
        Ok(soft)
    }

    /// Pays for all but one of the assumptions that exclude each other.
    fn pay_exclusive(&mut self, soft: &mut Reformulation) -> Result<(), SolveError> {
        soft.seen_hard = soft.hard.len();
        let sets = exclusive(self.formula, &soft.hard, &soft.weights, &mut soft.steps, &self.clock)?;
        for (set, paid) in sets {
            self.clock.check()?;
            self.raise(soft, paid * (set.len() as u128 - 1));
            set.iter().for_each(|&lit| soft.take(lit, paid));
            let some = self.session.new_lit();
            let clause: Vec<Lit> = set.into_iter().chain([!some]).collect();
            self.session.add_clause(&clause)?;
            soft.weights.insert(some, paid);
        }
        Ok(())
    }

    /// Raises the lower bound until it meets the best solution, or more than `conflicts` were needed for that. There is
    /// a solution.
    ///
    /// With `polish`, solutions are improved on the way.
    pub(super) fn core_guided(
        &mut self,
        soft: &mut Reformulation,
        polish: bool,
        conflicts: u64,
    ) -> Result<(), SolveError> {
        let end = self.session.n_conflicts().saturating_add(conflicts);
        while !self.best.is_closed() && self.session.n_conflicts() < end {
            if polish && self.best.upper() < soft.polished {
                self.polish()?;
                self.harden(soft)?;
                soft.polished = self.best.upper();
            }
            let assumptions: Vec<Lit> = soft.from(soft.level).collect();
            match self.holds_within(&assumptions, end.saturating_sub(self.session.n_conflicts()))? {
                None => return Ok(()),
                Some(true) => {
                    let all_hold = soft.weights.len() == assumptions.len();
                    self.harden(soft)?;
                    if !soft.pending.is_empty() {
                        self.count_cores(soft, end)?;
                    } else if all_hold && soft.is_exact {
                        let cost = self.best.upper() * soft.parts;
                        debug_assert_eq!(soft.paid, cost, "all assumptions hold, so what was paid is the cost");
                        self.best.close();
                    } else if all_hold {
                        // What the relaxation left out counts, too: from the beginning, with all of it.
                        *soft = self.reformulation(false)?;
                    } else {
                        if soft.hard.len() > soft.seen_hard {
                            self.pay_exclusive(soft)?;
                        }
                        soft.level = soft.next_level(soft.level);
                    }
                }
                Some(false) => {
                    let core = self.core()?;
                    let core = self.smaller(core, end)?;
                    if core.is_empty() {
                        self.best.close();
                        break;
                    }
                    self.pay(soft, &core)?;
                    self.harden(soft)?;
                }
            }
        }
        Ok(())
    }

    fn core(&mut self) -> Result<Vec<Lit>, SolveError> {
        let mut core = self.session.core()?;
        core.sort_unstable();
        core.dedup();
        Ok(core)
    }

    /// A core within `core`, with little effort, and none once there were `end` conflicts.
    fn smaller(&mut self, mut core: Vec<Lit>, end: u64) -> Result<Vec<Lit>, SolveError> {
        let end = end.min(self.session.n_conflicts() + BRIEF);
        // The solver may find a smaller one when it is asked about nothing else.
        while core.len() > 2 && self.fails(&core, end)? {
            let again = self.core()?;
            if again.len() >= core.len() {
                break;
            }
            core = again;
        }
        if core.len() > MINIMISED {
            return Ok(core);
        }
        let mut needed = 0;
        while needed < core.len() && core.len() > 1 && self.session.n_conflicts() < end {
            let mut others = core.clone();
            others.remove(needed);
            if self.fails(&others, end)? {
                let smaller = self.core()?;
                needed = core[..needed].iter().filter(|&lit| smaller.binary_search(lit).is_ok()).count();
                core = smaller;
            } else {
                needed += 1;
            }
        }
        Ok(core)
    }

    /// True if the solver refutes the assumptions before there were `end` conflicts.
    fn fails(&mut self, assumptions: &[Lit], end: u64) -> Result<bool, SolveError> {
        let left = end.saturating_sub(self.session.n_conflicts());
        Ok(left > 0 && self.holds_within(assumptions, left)? == Some(false))
    }

    /// Takes the least weight of a core from all its assumptions.
    fn pay(&mut self, soft: &mut Reformulation, core: &[Lit]) -> Result<(), SolveError> {
        let paid = core.iter().map(|lit| soft.weights[lit]).min().unwrap_or(0);
        self.raise(soft, paid);
        for &lit in core {
            soft.take(lit, paid);
            if let Some(&(count, allowed)) = soft.origin.get(&lit) {
                self.allow(soft, count, allowed + 1, paid)?;
            }
        }
        let clause: Vec<Lit> = core.iter().map(|&lit| !lit).collect();
        self.session.add_clause(&clause)?;
        if clause.len() > 1 {
            soft.pending.push((clause, paid));
        }
        Ok(())
    }

    /// Assumes at `weight` that at most `allowed` literals of a count are true.
    fn allow(
        &mut self,
        soft: &mut Reformulation,
        count: usize,
        allowed: usize,
        weight: u128,
    ) -> Result<(), SolveError> {
        let lit = bound(&mut soft.counts[count], &mut self.session, allowed)?;
        if let Some(lit) = lit {
            *soft.weights.entry(lit).or_default() += weight;
            soft.origin.insert(lit, (count, allowed));
        }
        Ok(())
    }

    /// Counts the literals of cores, so that a second one, and each after it, costs again. Once there were so many
    /// conflicts, counts are not raised.
    fn count_cores(&mut self, soft: &mut Reformulation, end: u64) -> Result<(), SolveError> {
        for (lits, paid) in std::mem::take(&mut soft.pending) {
            let mut count = WeightedCounter::new();
            count.extend(&self.session, &lits.iter().map(|&lit| (lit, 1)).collect::<Vec<_>>());
            let mut allowed = 1;
            while let Some(lit) = bound(&mut count, &mut self.session, allowed)? {
                let is_over = self.best.is_closed() || self.session.n_conflicts() >= end;
                if is_over || self.holds_within(&[lit], BRIEF)? != Some(false) {
                    break;
                }
                self.session.add_clause(&[!lit])?;
                self.raise(soft, paid);
                allowed += 1;
            }
            soft.counts.push(count);
            self.allow(soft, soft.counts.len() - 1, allowed, paid)?;
        }
        Ok(())
    }

    /// All solutions that are better than the best one pay so much more.
    fn raise(&mut self, soft: &mut Reformulation, more: u128) {
        soft.paid += more;
        self.best.raise(self.in_units(soft.paid.div_ceil(soft.parts)));
    }

    /// Makes clauses of assumptions without which no solution is better than the best one.
    fn harden(&mut self, soft: &mut Reformulation) -> Result<(), SolveError> {
        let better = self.best.upper().saturating_sub(self.unit) * soft.parts;
        let gap = (better + 1).saturating_sub(soft.paid);
        let hard: Vec<Lit> = soft.from(gap).collect();
        for lit in hard {
            self.session.add_clause(&[lit])?;
            soft.weights.remove(&lit);
            soft.hard.insert(lit);
        }
        Ok(())
    }
}

/// The condition for at most `allowed` literals of a count, unless that always holds.
fn bound(count: &mut WeightedCounter, session: &mut Session, allowed: usize) -> Result<Option<Lit>, SolveError> {
    Ok(count.bound(session, Side::Upper, allowed as u128)?.lit())
}

impl Reformulation {
    fn new(objective: &NormalSum, reduced: Option<&Reduced>) -> Self {
        let terms = reduced.map_or(&objective.terms, |reduced| &reduced.terms);
        let mut weights = BTreeMap::new();
        weights.extend(terms.iter().map(|&(lit, weight)| (!lit, weight)));
        Self {
            parts: reduced.map_or(1, |reduced| reduced.parts),
            paid: reduced.map_or(0, |reduced| reduced.paid),
            is_exact: reduced.is_none_or(|reduced| reduced.is_exact),
            is_relaxed: false,
            weights,
            counts: Vec::new(),
            origin: FxHashMap::default(),
            pending: Vec::new(),
            level: 0,
            polished: u128::MAX,
            hard: FxHashSet::default(),
            seen_hard: 0,
            steps: exclusive::STEPS,
        }
    }

    /// The assumptions of at least this weight.
    pub(super) fn from(&self, weight: u128) -> impl Iterator<Item = Lit> + '_ {
        self.weights.iter().filter(move |&(_, &other)| other >= weight).map(|(&lit, _)| lit)
    }

    /// Takes weight from an assumption, which is none any more when nothing is left.
    fn take(&mut self, lit: Lit, weight: u128) {
        if let Some(left) = self.weights.get_mut(&lit) {
            *left -= weight;
            if *left == 0 {
                self.weights.remove(&lit);
            }
        }
    }

    /// The next level below `level`; 0 if there is none. It is a weight above the sum of all lighter ones, or one that
    /// leaves more lighter assumptions to each of their weights than there are weights in all. Beside the linear
    /// relaxation, there are more levels, as each shows a solution: one has enough assumptions for their weights.
    fn next_level(&self, level: u128) -> u128 {
        let mut weights: Vec<u128> = self.weights.values().copied().collect();
        weights.sort_unstable();
        let classes: Vec<&[u128]> = weights.chunk_by(|a, b| a == b).collect();
        let (mut lighter, mut sum, mut next) = (0, 0, 0);
        for (below, class) in classes.iter().enumerate() {
            let weight = class[0];
            let is_level = if self.is_relaxed {
                4 * (weights.len() - lighter) > DIVERSITY * (classes.len() - below)
            } else {
                below > 0 && (weight > sum || lighter > classes.len() * below)
            };
            if is_level && weight < level {
                next = weight;
            }
            lighter += class.len();
            sum += weight * class.len() as u128;
        }
        next
    }
}
