//! The whole board's formula in front of the solver, and what all models of a formula share.

use rustsat::types::Lit;

use crate::session::{Choices, Session};
use crate::solve::Clock;
use crate::{ClauseSink, Cnf, SolveError};

/// A solver that gives up when the time is over.
pub(super) fn session(clock: &Clock) -> Session {
    let mut session = Session::new(Choices::default());
    session.watch(clock);
    session
}

/// A formula in front of the default solver.
pub(super) fn load(cnf: &Cnf, clock: &Clock) -> Result<Session, SolveError> {
    let mut session = session(clock);
    session.new_vars(cnf.n_vars())?;
    for clause in cnf {
        session.add_clause(clause)?;
    }
    Ok(session)
}

/// Whether there is a model in which all of `assumptions` hold; never when the time is over.
pub(super) fn solve(session: &mut Session, assumptions: &[Lit], clock: &Clock) -> Result<bool, SolveError> {
    clock.check()?;
    session.solve(assumptions)
}

/// For each literal: true or false in all models, or, `None`, not the same in all. By one model after another, each of
/// which differs from what was the same so far. Calls `decided` for each literal once it is; no model: `false`.
pub(super) fn intersect(
    session: &mut Session,
    lits: &[Lit],
    clock: &Clock,
    mut decided: impl FnMut(usize, Option<bool>),
) -> Result<bool, SolveError> {
    if !solve(session, &[], clock)? {
        return Ok(false);
    }
    let mut open: Vec<(usize, bool)> = lits.iter().map(|&lit| session.is_true(lit)).enumerate().collect();
    while let Some((index, value)) = open.pop() {
        let other = if value { !lits[index] } else { lits[index] };
        if solve(session, &[other], clock)? {
            decided(index, None);
            open.retain(|&(index, value)| {
                let same = session.is_true(lits[index]) == value;
                if !same {
                    decided(index, None);
                }
                same
            });
        } else {
            decided(index, Some(value));
            session.add_clause(&[!other])?;
        }
    }
    Ok(true)
}
