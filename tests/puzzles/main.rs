//! Sudoku through the public names of the facade: worked examples, limits, pictures and public collections.

#![cfg(all(feature = "hints", feature = "make", feature = "sudoku", feature = "any-solver"))]

mod sudoku;
mod sudoku_data;
mod sudoku_limits;
mod sudoku_sheet;
mod sudoku_texts;
