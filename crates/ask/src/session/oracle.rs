//! [`Oracle`]: a solver as optimisation needs it, BatSat or any that rustsat has which can be asked again, interrupted
//! and limited.

use rustsat::types::Lit;

use cnfkit_core::internals::Clock;
use cnfkit_core::{ClauseSink, SolveError};

/// A solver that is asked again and again, with a limit on conflicts for each question.
pub(crate) trait Oracle: ClauseSink<Error = SolveError> {
    /// False if every question starts from nothing, and cores are all assumptions.
    const KEEPS_WHAT_IT_LEARNS: bool = true;

    /// From now on gives up when `clock` is over.
    fn watch(&mut self, clock: &Clock);

    /// A new variable; when the solver picks it, it tries `toward` first.
    fn new_var_toward(&mut self, toward: Option<bool>) -> Result<(), SolveError>;

    /// True if there is a model in which all of `assumptions` hold; `None` if `conflicts` did not do.
    fn ask(&mut self, assumptions: &[Lit], conflicts: u64) -> Result<Option<bool>, SolveError>;

    /// True if the model found last makes `lit` true.
    fn is_true(&self, lit: Lit) -> bool;

    /// Assumptions that the last question failed on.
    fn core(&mut self) -> Result<Vec<Lit>, SolveError>;

    /// The conflicts of all questions so far.
    fn conflicts(&self) -> u64;
}

#[cfg(feature = "batsat")]
impl Oracle for super::Session {
    fn watch(&mut self, clock: &Clock) {
        self.watch(clock);
    }

    fn new_var_toward(&mut self, toward: Option<bool>) -> Result<(), SolveError> {
        self.new_var_toward(toward)
    }

    fn ask(&mut self, assumptions: &[Lit], conflicts: u64) -> Result<Option<bool>, SolveError> {
        self.solve_briefly(assumptions, conflicts)
    }

    fn is_true(&self, lit: Lit) -> bool {
        self.is_true(lit)
    }

    fn core(&mut self) -> Result<Vec<Lit>, SolveError> {
        self.core()
    }

    fn conflicts(&self) -> u64 {
        self.conflicts()
    }
}

/// Kissat alone: each question goes to a new solver.
#[cfg(not(any(feature = "batsat", feature = "cadical", feature = "glucose", feature = "minisat")))]
impl Oracle for super::Session {
    const KEEPS_WHAT_IT_LEARNS: bool = false;

    fn watch(&mut self, clock: &Clock) {
        self.watch(clock);
    }

    fn new_var_toward(&mut self, _: Option<bool>) -> Result<(), SolveError> {
        self.new_lit();
        Ok(())
    }

    /// Without a limit on conflicts.
    fn ask(&mut self, assumptions: &[Lit], _: u64) -> Result<Option<bool>, SolveError> {
        self.solve(assumptions).map(Some)
    }

    fn is_true(&self, lit: Lit) -> bool {
        self.is_true(lit)
    }

    fn core(&mut self) -> Result<Vec<Lit>, SolveError> {
        self.core()
    }

    fn conflicts(&self) -> u64 {
        0
    }
}

#[cfg(any(feature = "cadical", feature = "glucose", feature = "minisat"))]
pub(crate) use behind::Behind;

/// A rustsat solver.
#[cfg(any(feature = "cadical", feature = "glucose", feature = "minisat"))]
mod behind {
    use rustsat::solvers::{
        GetInternalStats, Interrupt, LimitConflicts, PhaseLit, Solve, SolveIncremental, SolverResult,
    };
    use rustsat::types::{Cl, TernaryVal, Var};

    use super::{ClauseSink, Clock, Lit, Oracle, SolveError};
    use crate::session::watched::watched;
    use cnfkit_core::internals::{CLAUSES, Deadline, free_variable};

    /// The largest limit that every solver takes.
    const MOST_CONFLICTS: u64 = i32::MAX as u64;

    pub(crate) struct Behind<S> {
        solver: S,
        n_vars: u32,
        clock: Clock,
        deadline: Deadline,
    }

    impl<S> Behind<S> {
        /// For a solver without clauses.
        pub(crate) fn new(solver: S) -> Self {
            Self { solver, n_vars: 0, clock: Clock::default(), deadline: Deadline::default() }
        }
    }

    impl<S> Oracle for Behind<S>
    where
        S: SolveIncremental + Interrupt + LimitConflicts + PhaseLit + GetInternalStats,
    {
        fn watch(&mut self, clock: &Clock) {
            self.clock = clock.clone();
            self.deadline = Deadline::new(clock, CLAUSES);
        }

        fn new_var_toward(&mut self, toward: Option<bool>) -> Result<(), SolveError> {
            self.deadline.step()?;
            let lit = self.new_lit();
            self.solver.reserve(lit.var()).map_err(SolveError::solver)?;
            match toward {
                Some(value) => self.solver.phase_lit(lit.var().lit(!value)).map_err(SolveError::solver),
                None => Ok(()),
            }
        }

        fn ask(&mut self, assumptions: &[Lit], conflicts: u64) -> Result<Option<bool>, SolveError> {
            if let Some(highest) = self.n_vars.checked_sub(1) {
                self.solver.reserve(Var::new(highest)).map_err(SolveError::solver)?;
            }
            let mut left = conflicts;
            loop {
                // Without a limit, rustsat's MiniSat and Glucose give up once an earlier question had a conflict.
                let most = left.min(MOST_CONFLICTS);
                self.solver.limit_conflicts(u32::try_from(most).ok()).map_err(SolveError::solver)?;
                let answer = watched(&mut self.solver, &self.clock, |solver| {
                    solver.solve_assumps(assumptions).map_err(SolveError::solver)
                })?;
                match answer {
                    SolverResult::Sat => return Ok(Some(true)),
                    SolverResult::Unsat => return Ok(Some(false)),
                    SolverResult::Interrupted => self.clock.check()?,
                }
                left -= most;
                if left == 0 {
                    return Ok(None);
                }
            }
        }

        fn is_true(&self, lit: Lit) -> bool {
            // A variable that the solver leaves open is false, and its negation true.
            let value = self.solver.lit_val(lit.var().pos_lit());
            value.is_ok_and(|value| value == TernaryVal::True) == lit.is_pos()
        }

        fn core(&mut self) -> Result<Vec<Lit>, SolveError> {
            let core = self.solver.core().map_err(SolveError::solver)?;
            Ok(core.into_iter().map(|lit| !lit).collect())
        }

        fn conflicts(&self) -> u64 {
            self.solver.conflicts() as u64
        }
    }

    impl<S: Solve> ClauseSink for Behind<S> {
        type Error = SolveError;

        fn add_clause(&mut self, clause: &[Lit]) -> Result<(), SolveError> {
            self.deadline.step()?;
            self.n_vars = self.n_vars.max(free_variable(clause.iter().copied()));
            self.solver.add_clause_ref(Cl::new(clause)).map_err(SolveError::solver)
        }

        fn new_lit(&mut self) -> Lit {
            self.n_vars += 1;
            Lit::positive(self.n_vars - 1)
        }

        fn next_var(&self) -> Var {
            Var::new(self.n_vars)
        }

        fn go_on(&mut self) -> Result<(), SolveError> {
            self.deadline.check()
        }
    }
}
