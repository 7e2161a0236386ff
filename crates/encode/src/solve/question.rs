//! The solving of a [`Cnf`].

use rustsat::solvers::{Solve, SolverResult};
use rustsat::types::{self, Cl, Lit, TernaryVal, Var};

use super::assignment::Assignment;
use super::watched::ask_within;
use crate::cnf::{CapacityError, Cnf};
use crate::deadline::{CLAUSES, Deadline, TimedSink};
use crate::limits::{Limits, SolveError, Stopped};
use crate::running::Clock;
use crate::sink::ClauseSink;
use crate::size::Size;
use crate::solvers::Solver;

/// Loads `cnf` into `solver`, unless the time is over before that.
///
/// # Errors
/// As the solver fails, or the clock runs out.
pub fn load<S: Solve>(cnf: &Cnf, solver: &mut S, clock: &Clock) -> Result<(), SolveError> {
    if let Some(highest) = cnf.n_vars().checked_sub(1) {
        solver.reserve(Var::new(highest as u32)).map_err(SolveError::solver)?;
    }
    let mut deadline = Deadline::new(clock, CLAUSES);
    cnf.clauses().try_for_each(|clause| {
        deadline.step()?;
        solver.add_clause_ref(Cl::new(clause)).map_err(SolveError::rustsat)
    })
}

/// The model of a solver after its answer, over `n_vars` variables; `None` when there is none.
fn model<S: Solve>(solver: &S, n_vars: usize, answer: SolverResult) -> Result<Option<types::Assignment>, SolveError> {
    match answer {
        SolverResult::Interrupted => Err(SolveError::Interrupted(Stopped::Solver)),
        SolverResult::Unsat => Ok(None),
        SolverResult::Sat => match n_vars.checked_sub(1) {
            Some(highest) => solver.solution(Var::new(highest as u32)).map(Some).map_err(SolveError::solver),
            None => Ok(Some(types::Assignment::default())),
        },
    }
}

/// The formula over the variables that its clauses have, and which these are.
fn without_gaps(cnf: &Cnf, clock: &Clock) -> Result<(Cnf, Vec<u32>), SolveError> {
    let mut used: Vec<u32> = cnf.clauses().flatten().map(|lit| lit.vidx32()).collect();
    used.sort_unstable();
    used.dedup();
    let mut dense = Cnf::with_vars(used.len());
    let mut sink = TimedSink::new(&mut dense, clock);
    let mut renamed = Vec::new();
    for clause in cnf.clauses() {
        renamed.clear();
        renamed.extend(clause.iter().map(|lit| {
            let index = used.partition_point(|&var| var < lit.vidx32());
            Lit::new(index as u32, lit.is_neg())
        }));
        sink.add_clause(&renamed)?;
    }
    Ok((dense, used))
}

/// The number of variables from which on a formula is searched for variables that no clause has: below it, even the
/// values of a whole model take 64 KiB at most.
const SPARSE_FROM: usize = 1 << 16;

impl Cnf {
    /// The most that [`solve`](Self::solve) and [`solve_with`](Self::solve_with) hand to a solver: as many clauses and
    /// literals as a formula has by default, and 2²⁸ variables, whose values in a model take 256 MiB.
    pub const SOLVE_LIMIT: Size = Size { vars: 1 << 28, ..Self::DEFAULT_LIMIT };

    /// Solves the formula with any rustsat solver: a model over all its variables, or `None` when it is proven
    /// unsatisfiable.
    ///
    /// A solver's memory depends on the variables that clauses have, a model's (a byte each) on all: a formula of
    /// 65,536 or more variables, half of which or more no clause can have, is renumbered for the solver. So a header
    /// that announces 10⁸ variables for one clause costs the 10⁸ bytes of the model.
    ///
    /// # Errors
    /// When the solver fails or is interrupted, or the formula is larger than [`SOLVE_LIMIT`](Self::SOLVE_LIMIT).
    pub fn solve_with<S: Solve>(&self, solver: S) -> Result<Option<Assignment>, SolveError> {
        self.solve_by(solver, &Clock::default(), |solver| solver.solve().map_err(SolveError::rustsat))
    }

    /// Solves the formula with the [default solver](crate::solvers::DefaultSolver): a model over all its variables, or
    /// `None` when it is proven unsatisfiable.
    ///
    /// # Errors
    /// When the solver fails, or the formula is larger than [`SOLVE_LIMIT`](Self::SOLVE_LIMIT).
    #[cfg(feature = "any-solver")]
    pub fn solve(&self) -> Result<Option<Assignment>, SolveError> {
        self.solve_within(&Limits::none())
    }

    /// [`solve`](Self::solve) within limits.
    ///
    /// ```
    /// use cnfkit::{ClauseSink, Cnf, Limits, SolveError};
    /// use std::sync::{Arc, atomic::AtomicBool};
    /// let mut cnf = Cnf::new();
    /// let x = cnf.new_lits(2);
    /// cnf.add_clause(&x)?;
    /// let cancelled = Arc::new(AtomicBool::new(true)); // by another thread, say
    /// let limits = Limits::none().cancel(cancelled);
    /// assert!(matches!(cnf.solve_within(&limits), Err(SolveError::Interrupted(_))));
    /// assert!(cnf.solve_within(&Limits::none().conflicts(1))?.is_some());
    /// # Ok::<(), SolveError>(())
    /// ```
    ///
    /// # Errors
    /// [`SolveError::Interrupted`] when a limit is reached; as [`solve`](Self::solve).
    #[cfg(feature = "any-solver")]
    pub fn solve_within(&self, limits: &Limits) -> Result<Option<Assignment>, SolveError> {
        self.solve_with_limits(crate::solvers::default_solver(), limits)
    }

    /// [`solve_within`](Self::solve_within) with any solver.
    ///
    /// # Errors
    /// As [`solve_within`](Self::solve_within).
    pub fn solve_with_limits<S: Solver>(&self, solver: S, limits: &Limits) -> Result<Option<Assignment>, SolveError> {
        self.solve_on(solver, &limits.start())
    }

    /// [`solve_with_limits`](Self::solve_with_limits) by a clock that runs.
    #[doc(hidden)]
    pub fn solve_on<S: Solver>(&self, solver: S, clock: &Clock) -> Result<Option<Assignment>, SolveError> {
        self.solve_by(solver, clock, |solver| {
            Ok(match ask_within(solver, &[], u64::MAX, clock)? {
                Some(true) => SolverResult::Sat,
                Some(false) => SolverResult::Unsat,
                None => SolverResult::Interrupted,
            })
        })
    }

    fn solve_by<S: Solve>(
        &self,
        mut solver: S,
        clock: &Clock,
        ask: impl FnOnce(&mut S) -> Result<SolverResult, SolveError>,
    ) -> Result<Option<Assignment>, SolveError> {
        if !self.size().fits(&Self::SOLVE_LIMIT) {
            return Err(CapacityError::new(self.size(), Self::SOLVE_LIMIT).into());
        }
        clock.check()?;
        if self.n_vars() < SPARSE_FROM || self.n_vars() / 2 < self.n_lits() {
            load(self, &mut solver, clock)?;
            let answer = ask(&mut solver)?;
            return Ok(model(&solver, self.n_vars(), answer)?.map(Assignment::from));
        }
        // Variables that are in no clause are false.
        let (dense, used) = without_gaps(self, clock)?;
        load(&dense, &mut solver, clock)?;
        drop(dense);
        let answer = ask(&mut solver)?;
        let Some(found) = model(&solver, used.len(), answer)? else { return Ok(None) };
        let mut values = Vec::new();
        let room = values.try_reserve_exact(self.n_vars());
        room.map_err(|_| CapacityError::new(self.size(), Size { vars: used.len() as u64, ..self.size() }))?;
        values.resize(self.n_vars(), TernaryVal::False);
        for (index, &var) in (0..).zip(&used) {
            values[var as usize] = found.var_value(Var::new(index));
        }
        Ok(Some(types::Assignment::from(values).into()))
    }
}
