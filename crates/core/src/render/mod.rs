//! Pictures as SVG text: puzzles (`Sheet::to_svg`,
//! `GemMap::to_svg`, `Deduction::to_svg`), any other grid
//! ([`Board`]), and the structure of an encoding ([`Blueprint`]). The pictures of the README come from here.
//!
//! A [`Look`] chooses light or dark. Every picture has a title and a description for screen readers, and says nothing
//! by colour alone: what is given is bold, traps and gems are letters, regions are between thick lines.

mod auxiliary;
mod blueprint;
mod board;
mod colour;
mod counting;
mod diagram;
mod structure;
mod words;

pub use auxiliary::{Auxiliary, Count, Sense};
pub use blueprint::Blueprint;
pub use board::Board;
pub use colour::{Colour, Look, Theme};
pub use structure::Structure;
