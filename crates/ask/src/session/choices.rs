//! The choices of a solver, and the limit on its variables.

use rustsat::types::Var;

use cnfkit_core::{CapacityError, Size, SolveError};

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
    pub watches: bool,
}

/// Refuses more variables than there can be.
pub(super) fn too_many(n: usize) -> Result<(), SolveError> {
    let most = u64::from(Var::MAX_IDX);
    if n as u64 <= most {
        return Ok(());
    }
    let limit = Size { vars: most, clauses: u64::MAX, lits: u64::MAX };
    Err(CapacityError::new(Size::variables(n as u64), limit).into())
}
