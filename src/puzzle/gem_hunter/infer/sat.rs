//! The default solver, asked again and again about one formula.

use rustsat::solvers::{Solve, SolverResult};
use rustsat::types::{Assignment, Cl, Lit, TernaryVal, Var};

use crate::solve::Clock;
use crate::solvers::DefaultSolver;
use crate::{Cnf, SolveError};

/// One formula and the default solver in front of it.
pub(super) struct Session {
    cnf: Cnf,
    clock: Clock,
    solver: Option<DefaultSolver>,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("cnf", &self.cnf).finish_non_exhaustive()
    }
}

impl Session {
    /// Nothing is sent to the solver before the first question.
    pub(super) const fn new(cnf: Cnf, clock: Clock) -> Self {
        Self { cnf, clock, solver: None }
    }

    /// Adds a clause for good.
    pub(super) fn add(&mut self, clause: &[Lit]) -> Result<(), SolveError> {
        use crate::ClauseSink;
        if let Some(solver) = &mut self.solver {
            solver.add_clause_ref(Cl::new(clause)).map_err(SolveError::solver)?;
        }
        Ok(self.cnf.add_clause(clause)?)
    }

    /// A model in which all of `assumptions` hold, or `None` when there is none.
    pub(super) fn solve(&mut self, assumptions: &[Lit]) -> Result<Option<Assignment>, SolveError> {
        self.clock.check()?;
        let solver = match &mut self.solver {
            Some(solver) => solver,
            none => none.insert(load(&self.cnf, &self.clock)?),
        };
        let result = ask(solver, assumptions)?;
        let answer = match result {
            SolverResult::Interrupted => return Err(SolveError::Interrupted),
            SolverResult::Unsat => None,
            SolverResult::Sat => Some(match self.cnf.n_vars().checked_sub(1) {
                Some(highest) => solver.solution(Var::new(highest as u32)).map_err(SolveError::solver)?,
                None => Assignment::default(),
            }),
        };
        if !INCREMENTAL {
            self.solver = None;
        }
        Ok(answer)
    }
}

fn load(cnf: &Cnf, clock: &Clock) -> Result<DefaultSolver, SolveError> {
    let mut solver = DefaultSolver::default();
    watch(&mut solver, clock);
    if let Some(highest) = cnf.n_vars().checked_sub(1) {
        solver.reserve(Var::new(highest as u32)).map_err(SolveError::solver)?;
    }
    for clause in cnf.clauses() {
        solver.add_clause_ref(Cl::new(clause)).map_err(SolveError::solver)?;
    }
    Ok(solver)
}

/// Lets the solver look at the clock while it works.
#[cfg(feature = "batsat")]
fn watch(solver: &mut DefaultSolver, clock: &Clock) {
    if clock.is_limited() {
        let clock = clock.clone();
        solver.batsat_mut().cb_mut().set_stop(move || clock.is_over());
    }
}

/// Only BatSat can be told when to stop; with the others the clock is looked at between questions.
#[cfg(not(feature = "batsat"))]
fn watch(_: &mut DefaultSolver, _: &Clock) {}

#[cfg(any(feature = "batsat", feature = "cadical", feature = "glucose", feature = "minisat"))]
const INCREMENTAL: bool = true;
#[cfg(not(any(feature = "batsat", feature = "cadical", feature = "glucose", feature = "minisat")))]
const INCREMENTAL: bool = false;

#[cfg(any(feature = "batsat", feature = "cadical", feature = "glucose", feature = "minisat"))]
fn ask(solver: &mut DefaultSolver, assumptions: &[Lit]) -> Result<SolverResult, SolveError> {
    use rustsat::solvers::SolveIncremental;
    solver.solve_assumps(assumptions).map_err(SolveError::solver)
}

/// Kissat takes no assumptions: they become clauses of a solver that is used once.
#[cfg(not(any(feature = "batsat", feature = "cadical", feature = "glucose", feature = "minisat")))]
fn ask(solver: &mut DefaultSolver, assumptions: &[Lit]) -> Result<SolverResult, SolveError> {
    for &lit in assumptions {
        solver.add_clause_ref(Cl::new(&[lit])).map_err(SolveError::solver)?;
    }
    solver.solve().map_err(SolveError::solver)
}

/// For each literal: true or false in all models, or, `None`, not the same in all. By one model after another, each of
/// which differs from what was the same so far. No model: `None`. Calls `decided` for each literal once it is.
pub(super) fn intersect(
    session: &mut Session,
    lits: &[Lit],
    mut decided: impl FnMut(usize, Option<bool>),
) -> Result<bool, SolveError> {
    let is_true = |model: &Assignment, lit| model.lit_value(lit) == TernaryVal::True;
    let Some(model) = session.solve(&[])? else { return Ok(false) };
    let mut open: Vec<(usize, bool)> = lits.iter().map(|&lit| is_true(&model, lit)).enumerate().collect();
    while let Some((index, value)) = open.pop() {
        let other = if value { !lits[index] } else { lits[index] };
        if let Some(model) = session.solve(&[other])? {
            decided(index, None);
            open.retain(|&(index, value)| {
                let same = is_true(&model, lits[index]) == value;
                if !same {
                    decided(index, None);
                }
                same
            });
        } else {
            decided(index, Some(value));
            session.add(&[!other])?;
        }
    }
    Ok(true)
}
