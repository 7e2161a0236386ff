//! Pictures of puzzles as SVG text, on the [`Board`](cnfkit_core::render::Board) that any grid is drawn on.

#[cfg(feature = "gem-hunter")]
mod gem_hunter;
#[cfg(feature = "sudoku")]
mod sudoku;
