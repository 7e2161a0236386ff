//! Encodings of *at most one*, one a file, and the one that grows. They know no chooser: `choose/` lists them by name.

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
