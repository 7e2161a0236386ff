//! One solver asked again and again, and several that take turns. The room knows no puzzle.
//!
//! A [`Session`] is a sink for clauses and the questions behind every puzzle's enumeration and explanation: solve under
//! assumptions, read the model, name the assumptions that failed. With the feature `batsat` it is BatSat itself
//! (`with_batsat`), which also takes [`LazyClauses`]: clauses that are not loaded but answer for themselves. Otherwise
//! it is the default solver behind rustsat's interface (`with_rustsat`); where that solver cannot be asked twice
//! (Kissat) every question gets a fresh one.
//!
//! A [`Portfolio`] has all other solvers that are on. The caller hands in the formula, in as many forms as it likes,
//! and a [`Schedule`] that says which solver gets which form, and how long turns are.
//!
//! An [`Oracle`] is what optimisation needs of a solver: limits on conflicts and phases beside what a session has.
//!
//! Everything heeds the [`Clock`](cnfkit_core::internals::Clock) that it is given, while it loads clauses and while
//! it searches.

mod choices;
#[cfg(feature = "batsat")]
mod lazy;
mod oracle;
#[cfg(feature = "internals")]
mod portfolio;
#[cfg(any(feature = "cadical", feature = "glucose", feature = "kissat", feature = "minisat"))]
mod watched;
#[cfg(feature = "batsat")]
mod with_batsat;
#[cfg(not(feature = "batsat"))]
mod with_rustsat;

#[cfg(test)]
mod tests;

pub use choices::Choices;
#[cfg(feature = "batsat")]
pub use lazy::{LazyClauses, RawLit, Refuted, Trail, raw};
#[cfg(any(feature = "cadical", feature = "glucose", feature = "minisat"))]
pub(crate) use oracle::Behind;
pub(crate) use oracle::Oracle;
#[cfg(feature = "internals")]
pub use portfolio::{Anew, Portfolio, Schedule};
#[cfg(feature = "batsat")]
pub use with_batsat::Session;
#[cfg(not(feature = "batsat"))]
pub use with_rustsat::Session;

use rustsat::types::Lit;

use cnfkit_core::SolveError;
use cnfkit_core::internals::Clock;

/// Asks the solver, unless the time is over.
pub(crate) fn holds(session: &mut Session, assumptions: &[Lit], clock: &Clock) -> Result<bool, SolveError> {
    clock.check()?;
    session.solve(assumptions)
}
