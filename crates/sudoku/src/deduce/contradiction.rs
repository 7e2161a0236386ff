//! The early ends of deduction.

use cnfkit_core::{SolveError, Stopped};

/// The grid contradicts itself: it has no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GridContradiction;

/// A contradiction, or no time left to find one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    Contradiction,
    Interrupted(Stopped),
}

impl From<GridContradiction> for Halt {
    fn from(_: GridContradiction) -> Self {
        Self::Contradiction
    }
}

impl Halt {
    /// The end as an answer: `false` for a contradiction.
    pub(crate) fn answer(result: Result<(), Self>) -> Result<bool, SolveError> {
        match result {
            Ok(()) => Ok(true),
            Err(Self::Contradiction) => Ok(false),
            Err(Self::Interrupted(why)) => Err(SolveError::Interrupted(why)),
        }
    }
}
