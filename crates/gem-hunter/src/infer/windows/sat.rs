//! The whole board's formula in front of the solver.

use rustsat::types::Lit;

use cnfkit_core::internals::{Choices, Clock, Session};
use cnfkit_core::{ClauseSink, Cnf, SolveError};

/// The question's solver, which gives up when the time is over.
pub(crate) fn session(clock: &Clock) -> Session {
    Session::on(clock, Choices::default())
}

/// A formula in front of the solver.
pub(crate) fn load(cnf: &Cnf, clock: &Clock) -> Result<Session, SolveError> {
    let mut session = session(clock);
    session.new_vars(cnf.n_vars())?;
    for clause in cnf {
        session.add_clause(clause)?;
    }
    Ok(session)
}

/// True if there is a model in which all of `assumptions` hold; never when the time is over.
pub(crate) fn solve(session: &mut Session, assumptions: &[Lit], clock: &Clock) -> Result<bool, SolveError> {
    clock.check()?;
    session.solve(assumptions)
}
