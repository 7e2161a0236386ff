//! The reasons why a question has no answer.

use thiserror::Error;

use super::neighbourhood::NeighbourhoodError;
use cnfkit_core::{CapacityError, CertifyError, SolveError};

/// The reason why a question about a board has no answer. That a board cannot be solved *is* an answer: `Ok(None)`.
///
/// ```
/// use std::time::Duration;
///
/// use cnfkit::{GemError, GemHunterEncoder, SolveError};
/// let hasty = GemHunterEncoder::new("1, _\n_, _".parse()?).time_limit(Duration::ZERO);
/// assert!(matches!(hasty.count(9), Err(GemError::Solve(SolveError::Interrupted(_)))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GemError {
    /// The time limit passed, the question was cancelled, or the solver failed.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The formula would be larger than its limit.
    #[error(transparent)]
    Capacity(#[from] CapacityError),
    /// The neighbourhood does not fit the board.
    #[error(transparent)]
    Neighbourhood(#[from] NeighbourhoodError),
    /// More cells than there are variables.
    #[error("the board has {cells} cells; at most {most} can be numbered")]
    #[non_exhaustive]
    TooLarge {
        /// Rows · columns.
        cells: usize,
        /// The most there may be.
        most: usize,
    },
    /// Numbers and unknown cells hang together so closely that they cannot be counted within the memory allowed, as
    /// chances and a total of traps require. Questions without a total can still be answered.
    #[error(
        "{cells} unknown cells around row {}, column {} are too entangled to be counted by number of traps",
        .row + 1, .column + 1
    )]
    #[non_exhaustive]
    Entangled {
        /// The row of the part's first cell, from 0 (the message counts from 1).
        row: usize,
        /// Its column, from 0 (the message counts from 1).
        column: usize,
        /// The number of cells of the part.
        cells: usize,
    },
    /// Chances cannot be told for a total that has less than 10⁻²⁰ of the weight of the totals beside it.
    #[error("answers with this total are so rare among others that their chances would not be precise")]
    Imprecise,
    /// A cell outside the board.
    #[error("there is no row {}, column {} on a board of {rows} rows and {columns} columns", .row + 1, .column + 1)]
    #[non_exhaustive]
    NoSuchCell {
        /// The row, from 0 (the message counts from 1).
        row: usize,
        /// The column, from 0 (the message counts from 1).
        column: usize,
        /// Rows of the board.
        rows: usize,
        /// Columns of the board.
        columns: usize,
    },
    /// There is no certificate.
    #[error(transparent)]
    Certify(CertifyError),
}

impl From<CertifyError> for GemError {
    fn from(error: CertifyError) -> Self {
        match error {
            CertifyError::Interrupted(why) => Self::Solve(SolveError::Interrupted(why)),
            CertifyError::Capacity(error) => Self::Capacity(error),
            error => Self::Certify(error),
        }
    }
}
