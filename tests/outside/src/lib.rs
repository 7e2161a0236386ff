//! A crate outside the library, by public names alone: encodings of counts, of at most one and of sums of
//! weights, a sink, and a layer. `CONTRIBUTING.md` walks through these files.

mod choice;
mod covers;
mod distinct;
mod opb_text;
mod registers;
mod tournament;

pub use choice::Choice;
pub use covers::Covers;
pub use distinct::Distinct;
pub use opb_text::OpbText;
pub use registers::Registers;
pub use tournament::Tournament;
