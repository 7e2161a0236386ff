//! [`SudokuEncoder`] and what it says without a solver of ours: the formula, where its clauses come from, and what is
//! left open as a formula.

mod encoder;
mod origin;
mod prune;
mod strategy;

pub use encoder::{SudokuEncoder, SudokuError};
pub use prune::PrunedCnf;
pub use strategy::Strategy;
