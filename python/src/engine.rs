//! BatSat that is kept from question to question, with its clauses.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use cnfkit::ask::Stopped;
use cnfkit::rustsat::solvers::{GetInternalStats, PhaseLit, Propagate};
use cnfkit::solvers::BatSat;
use cnfkit::{ClauseSink, Cnf, Limits, Lit, SolveError, SolverSink, Var};
use pyo3::prelude::*;

use crate::ask::{ask_until, end_of};
use crate::clauses::LIMIT;
use crate::errors::{too_large, unsolved};

/// Limits of what is asked on the calling thread, without a look at signals: conflicts, variables and
/// new clauses, a hundredth of a second. A thread for a question takes as long as a hundred small questions.
const QUICK_CONFLICTS: u64 = 100;
const QUICK_VARS: usize = 1 << 17;
const QUICK_CLAUSES: usize = 1 << 17;
/// Clauses between two looks at the clock.
const LOADED_BETWEEN: usize = 1 << 14;

/// The limits of one question.
#[derive(Clone, Copy)]
pub(crate) struct Within<'a> {
    pub(crate) seconds: Option<f64>,
    pub(crate) conflicts: Option<u64>,
    /// Ends it from another thread.
    pub(crate) interrupted: Option<&'a AtomicBool>,
}

impl Within<'_> {
    pub(crate) const NOTHING: Self = Self { seconds: None, conflicts: None, interrupted: None };
}

/// Clauses, and a solver that has loaded those before the last question.
pub(crate) struct Engine {
    cnf: Cnf,
    /// Those without the auxiliaries.
    n_vars: usize,
    sink: SolverSink<BatSat>,
    /// The number of clauses that the solver has.
    loaded: usize,
    /// By variable, the value that the solver tries first.
    phases: Vec<Option<bool>>,
}

impl Engine {
    /// The clauses of `n_vars` variables, and auxiliaries above them.
    pub(crate) fn of(cnf: Cnf, n_vars: usize) -> Self {
        Self {
            cnf: cnf.with_limit(LIMIT),
            n_vars,
            sink: SolverSink::owned(BatSat::default()),
            loaded: 0,
            phases: Vec::new(),
        }
    }

    pub(crate) const fn n_vars(&self) -> usize {
        self.n_vars
    }

    pub(crate) const fn cnf(&mut self) -> &mut Cnf {
        &mut self.cnf
    }

    pub(crate) const fn n_clauses(&self) -> usize {
        self.cnf.n_clauses()
    }

    pub(crate) fn add_clause(&mut self, clause: &[Lit]) -> PyResult<()> {
        self.cnf.add_clause(clause).map_err(too_large)
    }

    /// The value that is tried first, or none. A solver that knows the variable is made anew.
    pub(crate) fn set_phase(&mut self, var: Var, value: Option<bool>) {
        if self.phases.len() <= var.idx() {
            self.phases.resize(var.idx() + 1, None);
        }
        if self.phases[var.idx()] != value {
            self.phases[var.idx()] = value;
            if var < self.sink.next_var() {
                (self.sink, self.loaded) = (SolverSink::owned(BatSat::default()), 0);
            }
        }
    }

    /// The values that are tried first.
    pub(crate) fn phases(&self) -> impl Iterator<Item = Lit> {
        self.phases.iter().zip(0..).filter_map(|(value, var)| value.map(|value| Lit::new(var, !value)))
    }

    /// Hands the solver what it does not have yet; what is left when it is time to end, it gets another time.
    fn load(&mut self, is_over: impl Fn() -> bool) -> Result<(), SolveError> {
        let known = self.sink.next_var().idx();
        let new = self.cnf.n_vars().saturating_sub(known);
        if new > 0 {
            let values = self.phases.iter().enumerate().skip(known).take(new);
            for (var, value) in values.filter_map(|(var, value)| Some((var as u32, (*value)?))) {
                self.sink
                    .solver()
                    .phase_lit(Lit::new(var, !value))
                    .map_err(|error| SolveError::Solver(error.into()))?;
            }
            self.sink.new_lits(new);
        }
        while self.loaded < self.cnf.n_clauses() {
            self.sink.add_clause(self.cnf.clause(self.loaded))?;
            self.loaded += 1;
            if self.loaded.is_multiple_of(LOADED_BETWEEN) && is_over() {
                return Err(SolveError::Interrupted(Stopped::Time));
            }
        }
        Ok(())
    }

    /// True if there is a model in which the assumptions hold; an interrupted question is a [`SolveError`].
    pub(crate) fn ask(
        &mut self,
        py: Python<'_>,
        assumptions: &[Lit],
        within: Within<'_>,
        on_progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Result<bool, SolveError>> {
        let is_quick = on_progress.is_none()
            && self.cnf.n_vars() <= QUICK_VARS
            && self.cnf.n_clauses() - self.loaded <= QUICK_CLAUSES
            && within.seconds.is_none_or(|seconds| seconds > 0.1)
            && within.conflicts.is_none_or(|conflicts| conflicts > QUICK_CONFLICTS)
            && !within.interrupted.is_some_and(|flag| flag.load(Ordering::Relaxed));
        if is_quick {
            // Quick questions in a row may be asked by no code of Python's, which looks for signals itself.
            py.check_signals()?;
            let limits = Limits::none().conflicts(QUICK_CONFLICTS);
            let answer = py.detach(|| self.load(|| false).and_then(|()| self.sink.solve(&limits, assumptions)));
            if !matches!(answer, Err(SolveError::Interrupted(_))) {
                return Ok(answer);
            }
        }
        let taken = if is_quick { QUICK_CONFLICTS } else { 0 };
        let end = end_of(within.seconds)?;
        ask_until(py, within.seconds, on_progress, within.interrupted, |limits, flag| {
            let is_over = || flag.load(Ordering::Relaxed) || end.is_some_and(|end| Instant::now() >= end);
            let limits = within.conflicts.map_or(limits.clone(), |most| limits.conflicts(most - taken));
            Ok(self.load(is_over).and_then(|()| self.sink.solve(&limits, assumptions)))
        })
    }

    /// The model of the last question.
    pub(crate) fn model(&self) -> PyResult<cnfkit::Assignment> {
        self.sink.model().map_err(unsolved)
    }

    pub(crate) fn core(&mut self) -> PyResult<Vec<Lit>> {
        self.sink.core().map_err(unsolved)
    }

    /// Conflicts, decisions, propagations and restarts so far, by name.
    pub(crate) fn stats(&mut self) -> [(&'static str, usize); 4] {
        let solver = self.sink.solver();
        let [conflicts, decisions] = [solver.conflicts(), solver.decisions()];
        let [propagations, restarts] = [solver.propagations(), solver.restarts()];
        [("conflicts", conflicts), ("decisions", decisions), ("propagations", propagations), ("restarts", restarts)]
    }

    /// The literals that follow by unit propagation, and whether that is without a conflict.
    pub(crate) fn propagate(&mut self, py: Python<'_>, assumptions: &[Lit]) -> PyResult<(bool, Vec<Lit>)> {
        let found = py.detach(|| {
            self.load(|| false)?;
            self.sink.solver().propagate(assumptions, false).map_err(|error| SolveError::Solver(error.into()))
        });
        found.map(|found| (!found.conflict, found.propagated)).map_err(unsolved)
    }
}
