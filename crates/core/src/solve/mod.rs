//! The solving of a formula, with an [`Assignment`] as answer.

#[cfg(feature = "batsat")]
mod large;
mod optimum;
mod question;

#[cfg(all(test, feature = "batsat"))]
mod differential;
#[cfg(all(test, feature = "batsat"))]
mod tests;

/// The most clauses that are written for a default solver at a time: BatSat takes some 40 bytes for each, and watches
/// what would take more.
pub const MOST_WRITTEN: u64 = 1 << 26;

pub use cnfkit_encode::solve::{
    Assignment, SolverSink, Strategy, engine, load, minimal, smallest, watched, within_reach,
};
