//! BatSat itself, without rustsat's interface: a clause goes in as it is, a question may be counted in decisions, and
//! [`LazyClauses`] can be attached.

use std::cell::Cell;
use std::rc::Rc;

use batsat::{Callbacks, ClauseKind, Solver, SolverInterface, SolverOpts, lbool};
use cnfkit_encode::solve::within_reach;
use rustsat::types::{Lit, Var};

use super::choices::{Choices, too_many};
use crate::deadline::{CLAUSES, Deadline};
use crate::lazy::{Attached, LazyClauses, to_raw};
use crate::limits::SolveError;
use crate::running::{CallEnd, Clock, Oracle};
use crate::sink::{ClauseSink, free_variable};

/// Learnt clauses that BatSat keeps at least, before it first throws some away. By itself it keeps a third of the
/// number of clauses loaded, and clauses that are not loaded do not count: it would forget at once all that it learns
/// (`cargo run --release -p cnfkit-peers -- puzzles --list hardest_1000`).
const LEAST_LEARNT: i32 = 300;
/// The share of a variable's activity that is left after each conflict of a patient search; BatSat's own is 0.95. For
/// long searches with false tried first (`cargo run --release -p cnfkit-peers -- puzzles --list side25`).
const PATIENT_DECAY: f64 = 0.99;
/// The factor from one restart interval of a steady search to the next. It grows instead of following Luby's sequence,
/// because such a search is never started anew (the command of [`PATIENT_DECAY`]).
const STEADY_RESTARTS: f64 = 1.1;
/// BatSat's generator wants a number from 1 to this, 2³¹ − 2.
const LARGEST_SEED: u32 = 0x7FFF_FFFE;

/// 2⁶⁴ over the golden ratio: multiplied by it, seeds that are close to each other no longer are.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// The reasons for BatSat to stop.
struct Watcher {
    /// Looked at before each decision.
    stop: Option<Box<dyn Fn() -> bool>>,
    /// The conflicts that the running question may still take.
    conflicts: u64,
    /// Counts conflicts.
    clock: Clock,
}

impl Watcher {
    fn of(clock: &Clock) -> Self {
        Self { stop: None, conflicts: u64::MAX, clock: clock.clone() }
    }
}

impl Callbacks for Watcher {
    fn on_new_clause(&mut self, _: &[batsat::Lit], _: ClauseKind) {
        self.conflicts = self.conflicts.saturating_sub(1);
        self.clock.count_conflict();
    }

    fn stop(&self) -> bool {
        self.conflicts == 0 || self.stop.as_ref().is_some_and(|stop| stop())
    }
}

/// BatSat, and the settings that it was given.
pub(super) struct Native {
    solver: Solver<Watcher>,
    lazy: Option<Attached>,
    clause: Vec<batsat::Lit>,
    true_first: bool,
    /// The steps that the running question may still take.
    budget: Rc<Cell<u64>>,
    /// Looks at the clock while clauses and variables come in.
    deadline: Deadline,
}

impl Native {
    /// A solver without clauses and variables.
    pub(super) fn new(choices: Choices) -> Self {
        let mut opts = SolverOpts { min_learnts_lim: LEAST_LEARNT, ..SolverOpts::default() };
        if choices.seed != 0 {
            let spread = choices.seed.wrapping_mul(SPREAD) >> 33;
            opts.random_seed = f64::from((spread as u32 % (LARGEST_SEED - 1)) + 1);
            opts.rnd_init_act = true;
        }
        if choices.patient {
            opts.var_decay = PATIENT_DECAY;
        }
        if choices.steady {
            (opts.luby_restart, opts.restart_inc) = (false, STEADY_RESTARTS);
        }
        let solver = Solver::new(opts, Watcher::of(&Clock::default()));
        let true_first = !(choices.patient || choices.steady);
        Self {
            solver,
            lazy: None,
            clause: Vec::new(),
            true_first,
            budget: Rc::new(Cell::new(u64::MAX)),
            deadline: Deadline::default(),
        }
    }

    /// Looks for a model within about `steps` decisions: true if there is one, `None` if those did not do.
    pub(super) fn solve_within(&mut self, clock: &Clock, steps: u64) -> Result<Option<bool>, SolveError> {
        self.budget.set(steps);
        let (watched, budget, before) = (clock.clone(), Rc::clone(&self.budget), self.n_conflicts());
        self.solver.cb_mut().stop = Some(Box::new(move || {
            budget.set(budget.get().saturating_sub(1));
            budget.get() == 0 || watched.is_over()
        }));
        let answer = self.call(&[]);
        self.watch(clock);
        clock.spend(self.n_conflicts() - before);
        if answer.is_none() {
            clock.check()?;
        }
        Ok(answer)
    }

    /// Forgets all clauses and variables.
    pub(super) fn clear(&mut self) {
        self.lazy = None;
        self.solver.reset();
    }

    /// The number of clauses that it holds: loaded ones of two literals or more, not satisfied by a unit.
    pub(super) fn n_clauses(&self) -> u64 {
        self.solver.num_clauses()
    }

    /// Clauses over the variables there are, beside those that are added.
    pub(super) fn attach(&mut self, clauses: Box<dyn LazyClauses>) {
        self.lazy = Some(Attached::new(clauses));
    }

    /// True if clauses were attached.
    pub(super) const fn is_attached(&self) -> bool {
        self.lazy.is_some()
    }

    /// Variables 0 to `n` − 1, for a solver that has none; when the solver picks one, it tries true first.
    pub(super) fn new_vars(&mut self, n: usize) -> Result<(), SolveError> {
        too_many(n)?;
        let phase = if self.true_first { lbool::TRUE } else { lbool::UNDEF };
        (0..n).try_for_each(|_| {
            self.deadline.step()?;
            self.solver.new_var(phase, true);
            Ok(())
        })
    }

    /// Takes note of variables that were never handed out: BatSat itself takes no clause with a variable that it does
    /// not have.
    #[cold]
    fn learn_of(&mut self, end: u32) -> Result<(), SolveError> {
        within_reach(end)?;
        (self.solver.num_vars()..end).try_for_each(|_| self.new_var_toward(None))
    }

    /// One call of BatSat.
    fn call(&mut self, assumptions: &[Lit]) -> Option<bool> {
        self.clause.clear();
        self.clause.extend(assumptions.iter().map(|&lit| to_raw(lit)));
        let answer = match &mut self.lazy {
            Some(lazy) => self.solver.solve_limited_th(lazy, &self.clause),
            None => self.solver.solve_limited(&self.clause),
        };
        (answer != lbool::UNDEF).then(|| answer == lbool::TRUE)
    }
}

impl Oracle for Native {
    fn watch(&mut self, clock: &Clock) {
        self.deadline = Deadline::new(clock, CLAUSES);
        *self.solver.cb_mut() = Watcher::of(clock);
        if clock.is_limited() {
            let clock = clock.clone();
            self.solver.cb_mut().stop = Some(Box::new(move || clock.is_over()));
        }
    }

    fn new_var_toward(&mut self, toward: Option<bool>) -> Result<(), SolveError> {
        self.deadline.step()?;
        let phase = toward.map_or(lbool::UNDEF, |value| if value { lbool::TRUE } else { lbool::FALSE });
        self.solver.new_var(phase, true);
        Ok(())
    }

    fn ask(&mut self, assumptions: &[Lit], conflicts: u64) -> Result<Option<bool>, SolveError> {
        let clock = self.solver.cb().clock.clone();
        clock.ask(conflicts, |most| {
            let before = self.n_conflicts();
            self.solver.cb_mut().conflicts = most;
            let answer = self.call(assumptions);
            let is_spent = std::mem::replace(&mut self.solver.cb_mut().conflicts, u64::MAX) == 0;
            let end = match answer {
                Some(answer) => CallEnd::Answer(answer),
                None if is_spent => CallEnd::Turn,
                None => CallEnd::Interrupted,
            };
            Ok((end, self.n_conflicts() - before))
        })
    }

    fn is_true(&self, lit: Lit) -> bool {
        self.solver.value_lit(to_raw(lit)) == lbool::TRUE
    }

    fn failed(&mut self) -> Result<Vec<Lit>, SolveError> {
        Ok(self.solver.unsat_core().iter().map(|lit| Lit::new(lit.var().idx(), lit.sign())).collect())
    }

    fn n_conflicts(&self) -> u64 {
        self.solver.num_conflicts()
    }
}

impl ClauseSink for Native {
    type Error = SolveError;

    #[inline]
    fn add_clause(&mut self, clause: &[Lit]) -> Result<(), SolveError> {
        self.deadline.step()?;
        let end = free_variable(clause.iter().copied());
        if end > self.solver.num_vars() {
            self.learn_of(end)?;
        }
        self.clause.clear();
        self.clause.extend(clause.iter().map(|&lit| to_raw(lit)));
        self.solver.add_clause_reuse(&mut self.clause);
        Ok(())
    }

    #[inline]
    fn new_lit(&mut self) -> Lit {
        Lit::positive(self.solver.new_var_default().idx())
    }

    #[inline]
    fn next_var(&self) -> Var {
        Var::new(self.solver.num_vars())
    }

    fn go_on(&mut self) -> Result<(), SolveError> {
        self.deadline.check()
    }
}
