//! At most one: the trait, the encodings, and the choice among them.

mod bimander;
mod bitwise;
mod commander;
mod encoding;
mod ladder;
mod nested;
mod optimal;
mod pairwise;
mod product;

pub use bimander::Bimander;
pub use bitwise::Bitwise;
pub use commander::Commander;
pub use encoding::{AmoEncoding, UnknownAmoEncoding};
pub use ladder::Ladder;
pub use nested::Nested;
pub use optimal::Optimal;
pub use pairwise::Pairwise;
pub use product::Product;

pub(crate) use crate::encode::AtMostOne;
