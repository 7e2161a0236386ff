//! Sudoku through the public names of the facade: worked examples, limits, pictures and public collections.

#[cfg(all(feature = "any-solver", feature = "sudoku"))]
mod sudoku;
#[cfg(all(feature = "any-solver", feature = "sudoku"))]
mod sudoku_data;
#[cfg(all(feature = "any-solver", feature = "sudoku"))]
mod sudoku_limits;
#[cfg(feature = "sudoku")]
mod sudoku_sheet;
