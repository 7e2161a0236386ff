//! Sudoku of every side and shape.
//!
//! [`rules`] is the heart: one page that says what Sudoku is. It knows nothing of the rooms around it: shapes
//! ([`layout`]), grids and their text ([`grid`], [`parse`]), faults of a grid ([`check`]), questions ([`encoder`]).

mod check;
mod encoder;
mod grid;
mod layout;
mod parse;
mod rules;

pub use check::{Problem, ProblemKind};
pub use encoder::{Strategy, SudokuEncoder, SudokuError};
pub use grid::Grid;
pub use layout::{Group, Layout, LayoutError};
pub use parse::GridError;
