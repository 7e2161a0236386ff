//! Gem Hunter, a Minesweeper whose numbers are all given: they count the traps around them; which cells are traps?
//!
//! The one rule is a page, `rules.rs`: each number makes one call of the front door,
//! `exactly(unknown neighbours, number − known traps)`. Everything else is a file or a room beside it: boards (`map`),
//! their text (`parse`, of Minesweeper programs `export`), who counts whom (`neighbourhood`), a board made ready
//! (`board`), the formula without redundant clauses (`encode`), what is wrong with an answer (`verify`), and, with a
//! solver, answers, certain cells, chances and reasons (`infer`).
//!
//! [`GemHunterEncoder`] asks all questions:
//!
//! ```
//! use cnfkit::{GemHunterEncoder, GemMap, Kind};
//! let map: GemMap = "_, 1, _, _\n_, 2, 2, _\n_, _, _, _".parse()?;
//! let encoder = GemHunterEncoder::new(map).traps(3);
//! assert_eq!(encoder.count(usize::MAX)?, 15);
//! assert_eq!(encoder.deduce()?.expect("answers exist").get(1, 0), Kind::Undecided);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// docs.rs says beside each item which feature it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
// Some of what is deduced only a solver's questions use.
#![cfg_attr(not(feature = "any-solver"), allow(dead_code))]

mod board;
mod encode;
mod encoder;
mod error;
mod export;
#[cfg(feature = "any-solver")]
mod infer;
mod map;
mod neighbourhood;
mod overlap;
mod parse;
#[cfg(feature = "svg")]
mod render;
mod rules;
mod strategy;
mod verify;

pub use encode::Redundancy;
pub use encoder::GemHunterEncoder;
pub use error::GemError;
#[cfg(feature = "any-solver")]
pub use infer::*;
pub use map::{Cell, GemMap};
pub use neighbourhood::{Neighbourhood, NeighbourhoodError};
pub use parse::{GemParseError, GemParser};
pub use strategy::{Strategy, UnknownStrategy};
pub use verify::Violation;
