//! Puzzles on top of the front door: each states its rules as constraints, and reads answers back from models.

// docs.rs says beside each item which feature it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(all(any(feature = "batsat", feature = "cadical"), any(feature = "sudoku", feature = "gem-hunter")))]
mod certify;
#[cfg(feature = "gem-hunter")]
pub mod gem_hunter;
#[cfg(feature = "svg")]
mod render;
#[cfg(feature = "sudoku")]
pub mod sudoku;
