//! The choices of a solver, and the limit on its variables.

use crate::cnf::{CapacityError, Cnf};
use crate::lazy::Patience;
use crate::limits::SolveError;
use crate::size::Size;

/// The settings by which a solver branches. Only BatSat heeds them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// 0 leaves the solver as it is; anything else shuffles the order in which it looks at variables.
    pub seed: u64,
    /// For long searches: false is tried first, and activities fade slowly.
    pub patient: bool,
    /// For a search that carries on where it stopped: false is tried first, and restarts get rarer.
    pub steady: bool,
    /// Counts and sums are watched instead of encoded, until that costs more.
    pub watches: Option<Patience>,
}

/// Refuses more variables than solvers are handed.
pub(super) fn too_many(n: usize) -> Result<(), SolveError> {
    if n as u64 <= Cnf::SOLVE_LIMIT.vars {
        return Ok(());
    }
    Err(CapacityError::new(Size::variables(n as u64), Cnf::SOLVE_LIMIT).into())
}
