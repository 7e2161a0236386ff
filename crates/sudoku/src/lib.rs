//! Sudoku of every side and shape.
//!
//! Five rooms, each using only those before it:
//!
//! 1. `grid`: the shape of a grid, its cells, their text, and faults that show without solving. Knows no formula.
//! 2. `rules`: Sudoku as constraints, one page ([`rules/mod.rs`](self)), and as crossings of a region with a line.
//! 3. `deduce`: what follows from the givens without search: singles, locked candidates, colours, failed trials. Knows
//!    no formula and no solver.
//! 4. `search`: what deduction leaves open, numbered and given to a solver; one solver for many grids.
//! 5. `ask`: [`SudokuEncoder`] and every question that it answers.
//!
//! A grid walks through them in this order: text becomes a [`Grid`] on a [`Layout`]; a question of [`SudokuEncoder`]
//! starts an engine, which lets `deduce` do what it can, numbers the values left open, states the rules for those in a
//! solver's session, and reads the solver's model back into cells.

// docs.rs says beside each item which feature it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod ask;
mod deduce;
mod grid;
#[cfg(feature = "svg")]
mod render;
mod rules;
mod search;

#[cfg(all(feature = "any-solver", feature = "rayon"))]
pub use ask::par_solve;
#[cfg(feature = "any-solver")]
pub use ask::{
    Answer, Contradiction, DeadEnd, Elimination, Given, Grade, Hint, Reason, Single, Solutions, StreamError,
    SudokuSolver, SudokuStream, Technique,
};
pub use ask::{PrunedCnf, SudokuEncoder, SudokuError};
pub use grid::{CellStatus, Grid, GridError, Group, Layout, LayoutError, Problem, ProblemKind, Sheet, SheetError};
pub use rules::{ConstraintSet, Rule};
#[cfg(feature = "any-solver")]
pub use search::Report;
pub use search::Strategy;
