//! Solvers: the sink in front of any rustsat solver, the default solver, and limits on how long it may take.

use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustsat::solvers::{Solve, SolverResult};
use rustsat::types::{Assignment, Cl, Lit, Var};
use thiserror::Error;

use crate::cnf::{CapacityError, Cnf};
use crate::sink::{ClauseSink, Size};

/// Why there is no answer. A formula proven unsatisfiable is an answer: `Ok(None)`, never an error.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The time limit passed, or the cancel flag was raised.
    #[error("interrupted before there was an answer")]
    Interrupted,
    /// The formula would be larger than its limit.
    #[error(transparent)]
    Capacity(#[from] CapacityError),
    /// The solver failed.
    #[error("the solver failed: {0}")]
    Solver(#[source] Box<dyn Error + Send + Sync>),
}

impl SolveError {
    /// Wraps whatever a rustsat solver reports.
    pub(crate) fn solver(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Solver(error.into())
    }
}

/// A [`ClauseSink`] in front of any rustsat solver: clauses go in by slice, nothing is stored on the way.
///
/// The solver learns of a variable from [`new_lits`](ClauseSink::new_lits), [`reserve`](ClauseSink::reserve) or the first
/// clause that has it, not from [`new_lit`](ClauseSink::new_lit) alone; ask for the value of those it knows.
///
/// ```
/// # #[cfg(feature = "batsat")] {
/// use cnfkit::{ClauseSink, Constrain, Pairwise, SolverSink, solvers::DefaultSolver};
/// use cnfkit::rustsat::solvers::{Solve, SolverResult};
/// let mut solver = DefaultSolver::default();
/// let mut sink = SolverSink::new(&mut solver, 0);
/// let x = sink.new_lits(4);
/// sink.exactly_one(&x, &Pairwise).unwrap();
/// assert_eq!(solver.solve().unwrap(), SolverResult::Sat);
/// # }
/// ```
pub struct SolverSink<'a, S> {
    solver: &'a mut S,
    next: u32,
}

impl<'a, S: Solve> SolverSink<'a, S> {
    /// A sink that sends clauses to `solver`, in which variables `0..n_vars` are in use already.
    ///
    /// # Panics
    /// When `n_vars` is beyond [`Var::MAX_IDX`].
    pub fn new(solver: &'a mut S, n_vars: usize) -> Self {
        let next = u32::try_from(n_vars).ok().filter(|&n| n <= Var::MAX_IDX);
        Self { solver, next: next.expect("more variables than rustsat has") }
    }
}

impl<S> fmt::Debug for SolverSink<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SolverSink").field("next", &self.next).finish_non_exhaustive()
    }
}

impl<S: Solve> ClauseSink for SolverSink<'_, S> {
    type Error = SolveError;

    #[inline]
    fn add_clause(&mut self, clause: &[Lit]) -> Result<(), SolveError> {
        self.solver.add_clause_ref(Cl::new(clause)).map_err(SolveError::solver)
    }

    #[inline]
    fn new_lit(&mut self) -> Lit {
        let lit = Lit::positive(self.next);
        self.next += 1;
        lit
    }

    #[inline]
    fn next_var(&self) -> Var {
        Var::new(self.next)
    }

    /// Makes the variables known to the solver too: models then have a value for those that no clause mentions.
    fn new_lits(&mut self, n: usize) -> Vec<Lit> {
        let lits: Vec<Lit> = (0..n).map(|_| self.new_lit()).collect();
        if let Some(last) = lits.last() {
            // What fails here fails again, and is reported, at the first clause.
            let _ = self.solver.reserve(last.var());
        }
        lits
    }

    fn reserve(&mut self, size: &Size) -> Result<(), SolveError> {
        let more = u64::from(self.next).saturating_add(size.vars);
        if more > u64::from(Var::MAX_IDX) {
            let needed = Size { vars: more, ..*size };
            let limit = Size { vars: u64::from(Var::MAX_IDX), clauses: u64::MAX, lits: u64::MAX };
            return Err(CapacityError::new(needed, limit).into());
        }
        match (more as u32).checked_sub(1) {
            Some(highest) => self.solver.reserve(Var::new(highest)).map_err(SolveError::solver),
            None => Ok(()),
        }
    }
}

/// Loads `cnf` into `solver`.
pub(crate) fn load<S: Solve>(cnf: &Cnf, solver: &mut S) -> Result<(), SolveError> {
    if let Some(highest) = cnf.n_vars().checked_sub(1) {
        solver.reserve(Var::new(highest as u32)).map_err(SolveError::solver)?;
    }
    cnf.clauses().try_for_each(|clause| solver.add_clause_ref(Cl::new(clause)).map_err(SolveError::solver))
}

/// Loads `cnf` into `solver` and solves it: a model of variables `0..n_vars`, or `None` when there is none.
pub(crate) fn solve_with<S: Solve>(cnf: &Cnf, solver: &mut S) -> Result<Option<Assignment>, SolveError> {
    load(cnf, solver)?;
    match solver.solve().map_err(SolveError::solver)? {
        SolverResult::Interrupted => Err(SolveError::Interrupted),
        SolverResult::Unsat => Ok(None),
        SolverResult::Sat => match cnf.n_vars().checked_sub(1) {
            Some(highest) => solver.solution(Var::new(highest as u32)).map(Some).map_err(SolveError::solver),
            None => Ok(Some(Assignment::default())),
        },
    }
}

impl Cnf {
    /// Solves the formula with any rustsat solver: a model over all its variables, or `None` when it is proven
    /// unsatisfiable.
    ///
    /// # Errors
    /// When the solver fails or is interrupted.
    pub fn solve_with<S: Solve>(&self, mut solver: S) -> Result<Option<Assignment>, SolveError> {
        solve_with(self, &mut solver)
    }

    /// Solves the formula with the [default solver](crate::solvers::DefaultSolver): a model over all its variables, or
    /// `None` when it is proven unsatisfiable.
    ///
    /// # Errors
    /// When the solver fails.
    #[cfg(feature = "any-solver")]
    pub fn solve(&self) -> Result<Option<Assignment>, SolveError> {
        self.solve_with(crate::solvers::DefaultSolver::default())
    }
}

/// How long a question may take: a time limit, a flag that cancels it from another thread, both, or neither.
///
/// A question that runs out ends as *interrupted*, which is an error and never "no solution".
#[derive(Clone, Debug, Default)]
pub struct Limits {
    time: Option<Duration>,
    /// For questions that are parts of one that was asked already.
    deadline: Option<Instant>,
    cancel: Option<Arc<AtomicBool>>,
}

impl Limits {
    /// No limit at all.
    #[must_use]
    pub const fn none() -> Self {
        Self { time: None, deadline: None, cancel: None }
    }

    /// At most `time` for each question, from when it is asked.
    #[must_use]
    pub const fn time(mut self, time: Duration) -> Self {
        self.time = Some(time);
        self
    }

    /// Gives up soon after `flag` becomes true.
    #[must_use]
    pub fn cancel(mut self, flag: Arc<AtomicBool>) -> Self {
        self.cancel = Some(flag);
        self
    }

    /// Starts the clock.
    pub(crate) fn start(&self) -> Clock {
        let deadline = self.time.and_then(|time| Instant::now().checked_add(time));
        Clock { deadline: deadline.into_iter().chain(self.deadline).min(), cancel: self.cancel.clone() }
    }

    /// The same for all parts of a question that is asked now: together they may take the time of one.
    #[cfg(feature = "any-solver")]
    pub(crate) fn started(&self) -> Self {
        let Clock { deadline, cancel } = self.start();
        Self { time: None, deadline, cancel }
    }
}

/// Running [`Limits`].
#[derive(Clone, Debug, Default)]
pub(crate) struct Clock {
    deadline: Option<Instant>,
    cancel: Option<Arc<AtomicBool>>,
}

impl Clock {
    /// Whether there is anything to watch.
    pub(crate) const fn is_limited(&self) -> bool {
        self.deadline.is_some() || self.cancel.is_some()
    }

    /// Whether it is time to give up.
    pub(crate) fn is_over(&self) -> bool {
        self.cancel.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// [`SolveError::Interrupted`] when it is time to give up.
    pub(crate) fn check(&self) -> Result<(), SolveError> {
        if self.is_over() { Err(SolveError::Interrupted) } else { Ok(()) }
    }
}
