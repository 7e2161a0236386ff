//! Sudoku of every side and shape.
//!
//! Rooms, each using only those before it:
//!
//! 1. `grid`: the shape of a grid, its cells, their text, and faults that show without solving. Knows no formula.
//! 2. `rules`: Sudoku as constraints, one page ([`rules/mod.rs`](self)), and as crossings of a region with a line.
//! 3. `deduce`: what follows from the givens without search: singles, locked candidates, colours, failed trials. Knows
//!    no formula and no solver.
//! 4. `residue`: what deduction leaves open, numbered.
//! 5. `encode`: [`SudokuEncoder`], its options, and the formula.
//! 6. `search`: what is open, given to a solver; one solver for many grids.
//! 7. `ask`: every question that a solver answers.
//!
//! A grid walks through them in this order: text becomes a [`Grid`] on a [`Layout`]; a question of [`SudokuEncoder`]
//! starts an engine, which lets `deduce` do what it can, numbers the values left open, states the rules for those in a
//! solver's session, and reads the solver's model back into cells.

// docs.rs says beside each item which feature it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
// Some of what is deduced only a solver's questions use.
#![cfg_attr(not(feature = "any-solver"), allow(dead_code))]

#[cfg(feature = "any-solver")]
mod ask;
mod deduce;
mod encode;
mod grid;
#[cfg(feature = "svg")]
mod render;
mod residue;
mod rules;
#[cfg(feature = "any-solver")]
mod search;

#[cfg(feature = "any-solver")]
pub use ask::*;
pub use encode::{PrunedCnf, Strategy, SudokuEncoder, SudokuError};
pub use grid::{CellStatus, Grid, GridError, Group, Layout, LayoutError, Problem, ProblemKind, Sheet, SheetError};
pub use rules::{ConstraintSet, Rule};
