//! Lazy constraints: clauses that are added once a model violates them.

use rustsat::types::Lit;

use cnfkit_core::internals::{Clock, Session};
use cnfkit_core::{ClauseSink, SolveError};

/// Clauses that a model violates though the solver was not told; the argument has the model.
pub(crate) type Violated<'a> = dyn FnMut(&dyn Fn(Lit) -> bool) -> Result<Vec<Vec<Lit>>, SolveError> + 'a;

/// A lazy constraint answered with a clause that the model does not violate, so that it would be shown the same model
/// for ever: the source of a [`SolveError::Solver`].
///
/// ```
/// use cnfkit::ask::NotViolated;
/// use cnfkit::{ClauseSink, Formula, Questions, SolveError};
/// let mut formula = Formula::new();
/// let x = formula.new_lits(2);
/// let wrong = |is_true: &dyn Fn(_) -> bool| Ok(vec![if is_true(x[0]) { vec![x[0]] } else { vec![!x[0]] }]);
/// let Err(SolveError::Solver(source)) = formula.ask().lazy(wrong).minimum() else { unreachable!() };
/// assert_eq!(source.downcast_ref::<NotViolated>().map(|error| error.clause.len()), Some(1));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NotViolated {
    /// The clause.
    pub clause: Vec<Lit>,
}

/// The clause is told as in DIMACS: variables count from 1.
impl std::fmt::Display for NotViolated {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let lits: Vec<String> = self.clause.iter().map(|lit| lit.to_ipasir().to_string()).collect();
        write!(f, "a lazy constraint answered with a clause that the model does not violate: {}", lits.join(" "))
    }
}

impl std::error::Error for NotViolated {}

/// The clauses of lazy constraints that a model violates.
pub(crate) fn refuted(is_true: &dyn Fn(Lit) -> bool, violated: &mut Violated<'_>) -> Result<Vec<Vec<Lit>>, SolveError> {
    let clauses = violated(is_true)?;
    match clauses.iter().find(|clause| clause.iter().any(|&lit| is_true(lit))) {
        Some(clause) => Err(SolveError::solver(NotViolated { clause: clause.clone() })),
        None => Ok(clauses),
    }
}

/// Asks the solver until its model violates nothing, or there is none.
///
/// # Errors
/// As the solver fails, or the clock runs out, or a clause is not violated.
pub fn holds_with(
    session: &mut Session,
    assumptions: &[Lit],
    clock: &Clock,
    violated: &mut Violated<'_>,
) -> Result<bool, SolveError> {
    while holds(session, assumptions, clock)? {
        let clauses = refuted(&|lit| session.is_true(lit), violated)?;
        if clauses.is_empty() {
            return Ok(true);
        }
        clauses.iter().try_for_each(|clause| session.add_clause(clause))?;
    }
    Ok(false)
}

/// No lazy constraints.
///
/// # Errors
/// Never.
#[allow(clippy::unnecessary_wraps)] // as all others have it
pub fn nothing_lazy(_: &dyn Fn(Lit) -> bool) -> Result<Vec<Vec<Lit>>, SolveError> {
    Ok(Vec::new())
}

/// Asks the solver, unless the time is over.
pub(crate) fn holds(session: &mut Session, assumptions: &[Lit], clock: &Clock) -> Result<bool, SolveError> {
    clock.check()?;
    session.solve(assumptions)
}
