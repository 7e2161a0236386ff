//! The least or greatest value of a formula's objective, by solvers that never start over. The greatest is the
//! least of all weights negated.
//!
//! Three ways share [`MinimumSearch`], which holds the incumbent, the bounds on both sides, and the limits.
//!
//! * **Solution-improving search** (`improving`) asks for a better solution until there is none.
//! * **Core-guided search** (`core_guided`) asks for a solution of cost zero, relaxes each unsatisfiable core and
//!   raises the lower bound, until there is a solution.
//! * **Decisions** (`decided`), where the objective counts well, ask for a solution of at most a cost: of the formula
//!   with that bound, each in a solver of its own.
//!
//! An objective whose bounds need no counter is searched between the bounds (`bounded`): a number by its bits, a ladder
//! of literals, or any sum that BatSat watches while it searches. Cores and such a sum take turns.
//!
//! With the feature `relaxation` the linear relaxation comes after a first solution (`relaxation`): its bound, its
//! reduced costs as assumptions and as a second sum to watch, and its values as those that are tried first. A short
//! turn of cores of the weights as they are comes before those of reduced costs; where these bring the bounds together
//! better than the relaxation, the search goes on without it.
//!
//! A result is optimal when both bounds are equal, or when the solver has shown that nothing better exists.

mod beside;
mod bounded;
mod core_guided;
mod counting;
mod decided;
mod exclusive;
mod improving;
mod incumbent;
mod ladder;
mod local;
mod objective;
mod optimum;
mod polish;
#[cfg_attr(not(feature = "relaxation"), path = "no_relaxation.rs")]
mod relaxation;
mod start;

use std::cell::OnceCell;
use std::time::{Duration, Instant};

use rustsat::types::{self, Lit, TernaryVal};

use self::incumbent::Incumbent;
pub(crate) use self::incumbent::SharedBest;
use self::ladder::CostLadder;
use self::local::LocalTurns;
use self::objective::Reduced;
pub use self::optimum::{Improvement, Optimum, Progress};
use crate::lazy::{Violated, refuted};
use cnfkit_core::internals::{Bounded, Choices, Clock, Needless, NormalSum, Oracle, Session, resident_memory};
use cnfkit_core::{Assignment, ClauseSink, Formula, SolveError, Strategy};

/// The conflicts that a first solution may take, before branch and bound looks for one in so many steps.
const FIRST: u64 = 1_000;
const FIRST_STEPS: u64 = 1_000_000_000;
/// The conflicts of the cores that come before those of reduced costs. Formulas of tests are too small to be left to
/// them.
const BRIEFLY: u64 = if cfg!(test) { 1 } else { 500 };

/// The conflicts that a solution may take of which nearly all is known.
const NEAR: u64 = 1_000;

/// The conflicts of the first turn of searches that take turns.
const TURN: u64 = 2_000;
/// Formulas of tests are too small to be left to the first of them.
const FIRST_TURN: u64 = if cfg!(test) { 0 } else { TURN };

/// Reports at a rate.
struct ReportRate<'a> {
    begun: Instant,
    every: Duration,
    next: Instant,
    report: Box<dyn FnMut(&Progress) + 'a>,
}

/// The state that both strategies share: the solver, the incumbent, the bounds, the limits.
struct MinimumSearch<'a> {
    session: Session,
    best: Incumbent<'a>,
    /// With all weights negated where the greatest value is asked for.
    objective: NormalSum,
    /// All costs are multiples of this.
    unit: u128,
    formula: &'a Formula,
    clock: Clock,
    /// The choices of solvers that are asked beside this one; none where it has clauses that no other has.
    others: Option<Choices>,
    /// Takes from solutions what costs without need; made with the first of them.
    needless: OnceCell<Needless<'a>>,
    /// Literals that are true in a good solution, as far as is known, until a solution with them was looked for.
    hint: Vec<Lit>,
    lazy: Option<Box<Violated<'a>>>,
    /// The objective as its linear relaxation sees it.
    reduced: Option<Reduced>,
    /// The conflicts of solvers that were left, less those that this one had before it was asked, modulo 2⁶⁴.
    earlier: u64,
    progress: Option<ReportRate<'a>>,
    /// Looks for a solution near the best one.
    near: Option<Box<dyn FnMut() -> Option<Vec<Lit>> + 'a>>,
    /// Looks for one by itself.
    local: Option<LocalTurns>,
}

impl MinimumSearch<'_> {
    /// The phases, each until the bounds meet or it had its turn. In a ladder each literal implies the one before it.
    fn run(&mut self, strategy: Strategy, is_ladder: bool) -> Result<(), SolveError> {
        self.best.exchange(0);
        self.look_before_loading();
        let (mut branching, is_open) = (None, strategy == Strategy::Auto && !is_ladder);
        let mut decisions = if is_open { self.decisions() } else { None };
        // The relaxation takes longer than many of them.
        let mut first = decisions.as_mut().filter(|_| cfg!(feature = "relaxation"));
        let mut is_loaded = first.is_some();
        if let Some(decisions) = &mut first {
            self.load()?;
            match self.first(FIRST)? {
                Some(true) => self.raise_by_counting()?,
                Some(false) => return Ok(()),
                None => {}
            }
            if self.best.model().is_some() {
                self.reformulation(false)?; // raises the bound by assumptions that exclude each other
                self.polish()?;
                self.decide(decisions, FIRST_TURN)?;
            }
            if self.best.is_closed() {
                return Ok(());
            }
        }
        let mut early = None;
        if is_open
            && !is_loaded
            && cfg!(feature = "relaxation")
            && let Some(choices) = self.others
        {
            // The relaxation of a large formula takes seconds: a solution comes before it.
            self.load()?;
            if self.first(FIRST)? == Some(false) {
                return Ok(());
            }
            let conflicts = self.n_conflicts();
            let before = std::mem::replace(&mut self.earlier, conflicts);
            early = Some((before, std::mem::replace(&mut self.session, Session::on(&self.clock, choices))));
        }
        if is_open && let Some((relaxation, reduced)) = relaxation::reduced(self.formula, &self.objective, &self.clock)
        {
            branching = Some(relaxation::Branching::new(relaxation, &reduced));
            let relaxed = self.in_units(reduced.paid.div_ceil(reduced.parts));
            self.best.raise(relaxed);
            self.reduced = Some(reduced);
            if let Some(decisions) = &decisions {
                self.earlier = self.n_conflicts();
                self.session = decisions.other(&self.clock);
            }
            self.session.begin_watching();
            let is_beaten = self.plain_cores(relaxed)?;
            if self.best.is_closed() {
                return Ok(());
            }
            if is_beaten {
                self.reduced = None;
                return self.in_turns(None, None);
            }
        }
        if let (None, Some(early)) = (&branching, early) {
            ((self.earlier, self.session), is_loaded) = (early, true);
        }
        if !is_loaded || branching.is_some() {
            self.load()?;
        }
        // A first solution that is hard to find may be easy where the relaxation says.
        if let Some(branching) = &mut branching
            && self.first(FIRST)?.is_none()
        {
            self.branch(branching, None, FIRST_STEPS)?;
            if self.best.is_closed() {
                return Ok(());
            }
        }
        if self.best.model().is_none() && self.first(u64::MAX)? == Some(false) {
            return Ok(());
        }
        self.raise_by_counting()?;
        if self.best.is_closed() {
            return Ok(());
        }
        let steps = is_ladder.then(|| CostLadder::steps(&self.objective));
        match (strategy, steps.or_else(|| CostLadder::bits(&self.objective))) {
            (Strategy::Auto, Some(ladder)) => self.by_bounds(ladder),
            (Strategy::SolutionImproving, Some(mut ladder @ CostLadder::Steps(_))) => self.step_by_step(&mut ladder),
            (Strategy::SolutionImproving, _) => self.improve(u64::MAX),
            (Strategy::CoreGuided, _) => self.by_cores(false),
            _ => self.in_turns(branching, decisions),
        }
    }

    /// A short turn of cores of the weights as they are: reduced costs may have worse ones. It has a solver of its
    /// own, as counts of cores make later questions slow. True if the relaxation's bound leaves twice the gap: then the
    /// search goes on in that solver.
    fn plain_cores(&mut self, relaxed: u128) -> Result<bool, SolveError> {
        if self.lazy.is_some() {
            return Ok(false); // its clauses would be lost
        }
        let Some(own) = self.session.anew() else { return Ok(false) };
        let later = std::mem::replace(&mut self.session, own);
        self.load()?;
        if self.first(BRIEFLY)? == Some(true) {
            let mut soft = self.reformulation(false)?;
            self.core_guided(&mut soft, false, BRIEFLY)?;
            let upper = self.best.upper();
            if upper - self.best.lower() <= (upper - relaxed.min(upper)) / 2 {
                return Ok(true);
            }
        }
        self.earlier = self.n_conflicts();
        self.session = later;
        Ok(false)
    }

    /// Raises the lower bound to what counts and sums of the formula leave.
    fn raise_by_counting(&mut self) -> Result<(), SolveError> {
        let least = counting::least_cost(self.formula, &self.objective.terms, &self.clock)?;
        self.best.raise(self.in_units(least));
        Ok(())
    }

    /// The least cost from `cost` on that there can be.
    fn in_units(&self, cost: u128) -> u128 {
        cost.next_multiple_of(self.unit)
    }

    /// The formula, with the variables of the objective tried first where they cost nothing. What is too large to be
    /// written is watched.
    fn load(&mut self) -> Result<(), SolveError> {
        let loaded = self.load_once();
        if let Err(SolveError::Capacity(_)) = loaded
            && let Some(watching) = self.session.watching_instead()
        {
            self.session = watching;
            return self.load_once();
        }
        loaded
    }

    fn load_once(&mut self) -> Result<(), SolveError> {
        let formula = self.formula;
        self.clock.check()?;
        self.session.watch(&self.clock);
        let mut terms = self.objective.terms.iter().peekable();
        for var in 0..formula.n_vars() as u32 {
            let toward = terms.next_if(|(lit, _)| lit.vidx32() == var).map(|(lit, _)| lit.is_neg());
            let relaxed = self.reduced.as_ref().map(|reduced| reduced.values[var as usize]);
            let decided = relaxed.filter(|value| !(0.1..0.9).contains(value)).map(|value| value > 0.5);
            self.session.new_var_toward(decided.or(toward))?;
        }
        if self.reduced.is_none() || !self.session.wants_constraints() {
            return formula.encode_into(&mut Bounded(&mut self.session));
        }
        // Sums with groups, too, are offered: their encodings bound better, which the relaxation has done.
        formula.clauses().try_for_each(|clause| self.session.add_clause(clause))?;
        let mut declined = Formula::with_vars(formula.n_vars());
        for constraint in formula.constraints() {
            if !self.session.offer(&constraint)? && !declined.offer(&constraint)? {
                return formula.encode_into(&mut Bounded(&mut self.session));
            }
        }
        declined.encode_into(&mut Bounded(&mut self.session))
    }

    /// Asks the solver, and takes note of a solution that is better than all before it: `None` if the conflicts did not
    /// do.
    fn holds_within(&mut self, assumptions: &[Lit], conflicts: u64) -> Result<Option<bool>, SolveError> {
        self.clock.check()?;
        self.best.exchange(self.n_conflicts());
        self.best.report_bound_rarely(self.n_conflicts());
        self.look_near()?;
        let start = self.session.n_conflicts();
        loop {
            // Models that were refuted count, too: one conflict at least.
            let left = conflicts.saturating_sub(self.session.n_conflicts() - start).max(1);
            let answer = if self.progress.is_some() {
                self.ask_and_report(assumptions, left)?
            } else {
                self.session.ask(assumptions, left)?
            };
            if answer != Some(true) {
                return Ok(answer);
            }
            if !self.is_refuted()? {
                self.note_solution();
                return Ok(answer);
            }
            self.clock.check()?;
        }
    }

    /// Takes a first solution that local search finds, if it is one.
    fn look_before_loading(&mut self) {
        let first = |local: &mut LocalTurns| local.first(self.formula, &self.objective, &self.clock);
        let Some(found) = self.local.as_mut().and_then(first) else { return };
        let is_true = |lit: Lit| found[lit.vidx()] == lit;
        let is_solution = self.formula.clauses().all(|clause| clause.iter().any(|&lit| is_true(lit)))
            && self.formula.constraints().all(|constraint| constraint.holds(is_true));
        debug_assert!(is_solution);
        if is_solution {
            self.offer(found.iter().map(|lit| lit.is_pos()).collect());
        }
    }

    /// Takes a better solution from who looks near the best one.
    fn look_near(&mut self) -> Result<(), SolveError> {
        let Some(best) = self.best.model() else { return Ok(()) };
        let local = || self.local.as_mut()?.better(self.formula, &self.objective, best, &self.clock);
        if let Some(hint) = self.near.as_mut().map_or_else(local, |near| near())
            && self.session.ask(&hint, NEAR)? == Some(true)
            && !self.is_refuted()?
        {
            self.note_solution();
        }
        Ok(())
    }

    /// True if the last model violates a lazy constraint; then the clauses that say so were added.
    fn is_refuted(&mut self) -> Result<bool, SolveError> {
        let Some(lazy) = &mut self.lazy else { return Ok(false) };
        let clauses = refuted(&|lit| self.session.is_true(lit), &mut **lazy)?;
        clauses.iter().try_for_each(|clause| self.session.add_clause(clause))?;
        Ok(!clauses.is_empty())
    }

    /// Asks the solver, and interrupts it for each report that is due.
    fn ask_and_report(&mut self, assumptions: &[Lit], conflicts: u64) -> Result<Option<bool>, SolveError> {
        let mut left = conflicts;
        while left > 0 {
            let before = self.session.n_conflicts();
            self.session.watch(&self.clock.paused(self.progress.as_ref().map(|watch| watch.next)));
            let answer = self.session.ask(assumptions, left);
            self.session.watch(&self.clock);
            match answer {
                Err(SolveError::Interrupted(_)) => self.clock.check()?,
                answer => return answer,
            }
            left -= (self.session.n_conflicts() - before).min(left);
            let conflicts = self.n_conflicts();
            let [value, lower_bound, upper_bound] = self.best.values();
            if let Some(watch) = &mut self.progress {
                let (elapsed, memory) = (watch.begun.elapsed(), resident_memory());
                (watch.report)(&Progress { elapsed, value, lower_bound, upper_bound, conflicts, memory });
                watch.next = Instant::now() + watch.every;
            }
        }
        Ok(None)
    }

    /// Takes the last model, if it is better than all before it.
    fn note_solution(&mut self) {
        let all = (0..self.formula.n_vars() as u32).map(Lit::positive);
        self.offer(all.map(|lit| self.session.is_true(lit)).collect());
    }

    /// Takes a solution, the value of each variable, without what it does not need, if it is better than all before it.
    fn offer(&mut self, mut values: Vec<bool>) {
        if self.others.is_some() {
            self.needless.get_or_init(|| Needless::new(self.formula, &self.objective.terms)).lower(&mut values);
        }
        let cost = self.objective.cost(|lit| values[lit.vidx()] != lit.is_neg());
        let model = || values.iter().map(|&value| TernaryVal::from(value)).collect::<types::Assignment>();
        self.best.offer(cost, self.n_conflicts(), || Assignment::from(model()));
    }

    /// The conflicts so far.
    fn n_conflicts(&self) -> u64 {
        self.earlier.wrapping_add(self.session.n_conflicts())
    }
}

#[cfg(test)]
mod tests;
