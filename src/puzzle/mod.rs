//! Puzzles on top of the front door: each states its rules as constraints, and reads answers back from models.

#[cfg(feature = "gem-hunter")]
pub mod gem_hunter;
#[cfg(feature = "sudoku")]
pub mod sudoku;
