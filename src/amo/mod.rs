//! Encodings of *at most one*, one a file. They know no chooser: `choose/` lists them by name.

mod bimander;
mod bitwise;
mod commander;
mod ladder;
mod nested;
mod optimal;
mod pairwise;
mod product;

pub use bimander::Bimander;
pub use bitwise::Bitwise;
pub use commander::Commander;
pub use ladder::Ladder;
pub use nested::Nested;
pub use optimal::Optimal;
pub use pairwise::Pairwise;
pub use product::Product;
