//! One solver asked again and again, and several that take turns. The room knows no puzzle.
//!
//! A [`Session`] is a sink for clauses and the questions behind every puzzle's enumeration and explanation: solve under
//! assumptions, read the model, name the assumptions that failed. Unless the question chose another solver, and with
//! the feature `batsat`, it is BatSat itself (`with_batsat`), which also takes [`LazyClauses`]: clauses that are not
//! loaded but answer for themselves. Otherwise it is the sink in front of a rustsat solver.
//!
//! A [`Portfolio`] has all other solvers that are on. The caller hands in the formula, in as many forms as it likes,
//! and a [`Schedule`] that says which solver gets which form, and how long turns are.
//!
//! Everything heeds the [`Clock`](cnfkit_core::internals::Clock) that it is given, while it loads clauses and while
//! it searches.

mod any_solver;
mod choices;
#[cfg(feature = "batsat")]
mod lazy;
#[cfg(feature = "internals")]
mod portfolio;
#[cfg(feature = "batsat")]
mod with_batsat;

#[cfg(test)]
mod tests;

pub use any_solver::Session;
pub use choices::Choices;
#[cfg(feature = "batsat")]
pub use lazy::{LazyClauses, RawLit, Refuted, Trail, raw};
#[cfg(feature = "internals")]
pub use portfolio::{Anew, Portfolio, Schedule};

use rustsat::types::Lit;

use cnfkit_core::SolveError;
use cnfkit_core::internals::Clock;

/// Asks the solver, unless the time is over.
pub(crate) fn holds(session: &mut Session, assumptions: &[Lit], clock: &Clock) -> Result<bool, SolveError> {
    clock.check()?;
    session.solve(assumptions)
}
