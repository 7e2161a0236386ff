//! Sudoku of every side and shape.
//!
//! `rules` is the heart: one page that says what Sudoku is. It knows nothing of the rooms around it: shapes
//! (`layout`), grids and their text (`grid`, `parse`), faults of a grid (`check`), questions (`encoder`).

mod bits;
mod check;
mod colour;
mod encoder;
#[cfg(feature = "any-solver")]
mod engine;
#[cfg(feature = "any-solver")]
mod explain;
mod form;
#[cfg(feature = "any-solver")]
mod generate;
mod grid;
mod layout;
#[cfg(feature = "batsat")]
mod lazy;
mod nine;
mod origin;
mod parse;
mod probe;
mod propagate;
mod prune;
mod pruned;
#[cfg(feature = "any-solver")]
mod questions;
mod rules;
#[cfg(feature = "any-solver")]
mod search;
mod sheet;
#[cfg(feature = "any-solver")]
mod stream;
mod triads;

pub use check::{Problem, ProblemKind};
pub use encoder::{Strategy, SudokuEncoder, SudokuError};
#[cfg(feature = "any-solver")]
pub use explain::{Given, Hint, Technique};
pub use form::ConstraintSet;
pub use grid::Grid;
pub use layout::{Group, Layout, LayoutError};
pub use origin::Rule;
pub use parse::GridError;
pub use prune::PrunedCnf;
#[cfg(feature = "any-solver")]
pub use questions::Solutions;
pub use sheet::{CellStatus, Sheet, SheetError};
#[cfg(all(feature = "any-solver", feature = "rayon"))]
pub use stream::par_solve;
#[cfg(feature = "any-solver")]
pub use stream::{Answer, StreamError, SudokuSolver, SudokuStream};
