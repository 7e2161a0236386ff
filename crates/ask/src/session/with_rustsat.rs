//! The default solver behind rustsat's interface.

use rustsat::types::{Assignment, Lit, TernaryVal, Var};

use crate::session::choices::{Choices, too_many};
use cnfkit_core::internals::{CLAUSES, Clock, Deadline, free_variable};
use cnfkit_core::{ClauseSink, SolveError};

/// The default solver.
#[allow(missing_debug_implementations)] // some solvers have none
pub struct Session {
    asked: Asked,
    n_vars: u32,
    n_clauses: u64,
    clock: Clock,
    /// Looks at the clock while clauses come in.
    deadline: Deadline,
    model: Assignment,
}

impl Session {
    /// A solver without clauses and variables.
    pub fn new(_choices: Choices) -> Self {
        Self {
            asked: Asked::default(),
            n_vars: 0,
            n_clauses: 0,
            clock: Clock::default(),
            deadline: Deadline::default(),
            model: Assignment::default(),
        }
    }

    /// From now on gives up when `clock` is over.
    pub fn watch(&mut self, clock: &Clock) {
        self.clock = clock.clone();
        self.deadline = Deadline::new(clock, CLAUSES);
    }

    /// True if [`solve_within`](Self::solve_within) does anything.
    pub const COUNTS_STEPS: bool = false;

    /// No answer: only BatSat counts steps. Long searches are left to the [`Portfolio`](super::Portfolio), which has
    /// this solver too.
    #[allow(clippy::unnecessary_wraps, clippy::unused_self)] // as BatSat's
    pub fn solve_within(&mut self, _clock: &Clock, _steps: u64) -> Result<Option<bool>, SolveError> {
        Ok(None)
    }

    /// Forgets all clauses and variables.
    pub fn clear(&mut self) {
        (self.asked, self.n_vars, self.n_clauses) = (Asked::default(), 0, 0);
    }

    /// The number of clauses that were loaded.
    pub fn n_clauses(&self) -> u64 {
        self.n_clauses
    }

    /// Variables 0 to `n` − 1, for a solver that has none.
    pub fn new_vars(&mut self, n: usize) -> Result<(), SolveError> {
        too_many(n)?;
        self.n_vars = n as u32;
        Ok(())
    }

    /// True if there is a model in which all of `assumptions` hold.
    pub fn solve(&mut self, assumptions: &[Lit]) -> Result<bool, SolveError> {
        let highest = self.n_vars.checked_sub(1).map(Var::new);
        match self.asked.solve(highest, assumptions, &self.clock)? {
            None => Ok(false),
            Some(model) => {
                self.model = model;
                Ok(true)
            }
        }
    }

    /// True if the model found last makes `lit` true. A variable that it leaves open is false, and its negation true.
    pub fn is_true(&self, lit: Lit) -> bool {
        let is_true = lit.vidx() < self.model.len() && self.model.lit_value(lit.var().pos_lit()) == TernaryVal::True;
        is_true == lit.is_pos()
    }

    /// Assumptions that the last question failed on.
    pub fn core(&mut self) -> Result<Vec<Lit>, SolveError> {
        self.asked.core()
    }
}

impl ClauseSink for Session {
    type Error = SolveError;

    fn add_clause(&mut self, clause: &[Lit]) -> Result<(), SolveError> {
        self.deadline.step()?;
        self.n_vars = self.n_vars.max(free_variable(clause.iter().copied()));
        self.n_clauses += 1;
        self.asked.add_clause(clause)
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

use backend::Asked;

/// A solver that takes assumptions, kept from question to question.
#[cfg(any(feature = "cadical", feature = "glucose", feature = "minisat"))]
mod backend {
    use rustsat::solvers::{Solve, SolveIncremental};
    use rustsat::types::{Assignment, Cl, Lit, Var};

    use crate::session::watched::{model, watched};
    use cnfkit_core::SolveError;
    use cnfkit_core::internals::Clock;
    use cnfkit_core::solvers::DefaultSolver;

    #[derive(Default)]
    pub(super) struct Asked(DefaultSolver);

    impl Asked {
        pub(super) fn add_clause(&mut self, clause: &[Lit]) -> Result<(), SolveError> {
            self.0.add_clause_ref(Cl::new(clause)).map_err(SolveError::solver)
        }

        pub(super) fn solve(
            &mut self,
            highest: Option<Var>,
            assumptions: &[Lit],
            clock: &Clock,
        ) -> Result<Option<Assignment>, SolveError> {
            if let Some(highest) = highest {
                self.0.reserve(highest).map_err(SolveError::solver)?;
            }
            let answer =
                watched(&mut self.0, clock, |solver| solver.solve_assumps(assumptions).map_err(SolveError::solver))?;
            model(&self.0, answer, highest)
        }

        pub(super) fn core(&mut self) -> Result<Vec<Lit>, SolveError> {
            let core = self.0.core().map_err(SolveError::solver)?;
            Ok(core.into_iter().map(|lit| !lit).collect())
        }
    }
}

/// A solver that can be asked once: a fresh one for every question.
#[cfg(not(any(feature = "cadical", feature = "glucose", feature = "minisat")))]
mod backend {
    use rustsat::solvers::Solve;
    use rustsat::types::{Assignment, Cl, Lit, Var};

    use crate::session::watched::{model, watched};
    use cnfkit_core::internals::Clock;
    use cnfkit_core::solvers::DefaultSolver;
    use cnfkit_core::{ClauseSink, Cnf, SolveError};

    #[derive(Default)]
    pub(super) struct Asked {
        cnf: Cnf,
        assumptions: Vec<Lit>,
    }

    impl Asked {
        pub(super) fn add_clause(&mut self, clause: &[Lit]) -> Result<(), SolveError> {
            Ok(self.cnf.add_clause(clause)?)
        }

        pub(super) fn solve(
            &mut self,
            highest: Option<Var>,
            assumptions: &[Lit],
            clock: &Clock,
        ) -> Result<Option<Assignment>, SolveError> {
            self.assumptions = assumptions.to_vec();
            let mut solver = DefaultSolver::default();
            if let Some(highest) = highest {
                solver.reserve(highest).map_err(SolveError::solver)?;
            }
            for clause in self.cnf.clauses().chain(assumptions.chunks(1)) {
                solver.add_clause_ref(Cl::new(clause)).map_err(SolveError::solver)?;
            }
            let answer = watched(&mut solver, clock, |solver| solver.solve().map_err(SolveError::solver))?;
            model(&solver, answer, highest)
        }

        /// All of them: this solver does not say which.
        #[allow(clippy::unnecessary_wraps)] // other solvers may fail to tell
        pub(super) fn core(&mut self) -> Result<Vec<Lit>, SolveError> {
            Ok(std::mem::take(&mut self.assumptions))
        }
    }
}
