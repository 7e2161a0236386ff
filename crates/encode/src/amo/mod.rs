//! Encodings of *at most one*, one a file. They know no chooser: `choose/` lists them by name.
//!
//! `pairwise` has no auxiliaries. The others divide the literals: into a binary number (`bitwise`), a chain (`ladder`,
//! `nested`), groups (`commander`, `bimander`) or a grid (`product`); `optimal` takes whichever division is smallest,
//! piece by piece. Of literals that come later there is `incremental` (at most one, with the structure of `growing`)
//! and `open` (exactly one).

mod bimander;
mod bitwise;
mod commander;
mod growing;
mod incremental;
mod ladder;
mod nested;
mod open;
mod optimal;
mod pairwise;
mod product;

pub use bimander::Bimander;
pub use bitwise::Bitwise;
pub use commander::Commander;
pub use incremental::IncAtMostOne;
pub use ladder::Ladder;
pub use nested::Nested;
pub use open::IncExactlyOne;
pub use optimal::Optimal;
pub use pairwise::Pairwise;
pub use product::Product;

crate::encode::amo!(Bimander, Bitwise, Commander, Ladder, Nested, Optimal, Pairwise, Product);
