//! Sudoku through the public names of the facade: worked examples, limits, pictures and public collections.

#![cfg(all(
    feature = "hints",
    feature = "make",
    feature = "sudoku",
    any(feature = "batsat", feature = "cadical", feature = "glucose", feature = "kissat", feature = "minisat")
))]

mod sudoku;
mod sudoku_data;
mod sudoku_limits;
mod sudoku_sheet;
mod sudoku_texts;
