//! New puzzles with one solution, and how hard a puzzle is.

mod generate;
mod grade;

pub use grade::Grade;
