//! Sudoku of every side and shape.
//!
//! `rules` is the heart: one page that says what Sudoku is. It knows nothing of the rooms around it: shapes
//! (`layout`), grids and their text (`grid`, `parse`), faults of a grid (`check`), questions (`encoder`).

mod bits;
mod check;
mod encoder;
#[cfg(feature = "any-solver")]
mod engine;
mod grid;
mod layout;
mod nine;
mod parse;
mod propagate;
#[cfg(feature = "any-solver")]
mod pruned;
mod rules;
#[cfg(feature = "any-solver")]
mod stream;
#[cfg(feature = "any-solver")]
mod triads;

pub use check::{Problem, ProblemKind};
pub use encoder::{Strategy, SudokuEncoder, SudokuError};
pub use grid::Grid;
pub use layout::{Group, Layout, LayoutError};
pub use parse::GridError;
#[cfg(feature = "any-solver")]
pub use stream::SudokuSolver;
