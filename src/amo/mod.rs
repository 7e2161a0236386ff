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

use rustsat::types::Lit;

use crate::sink::{ClauseSink, Size};
use crate::{AtMostK, card};

/// An encoding of *at most one of n literals is true*.
///
/// Called by [`Constrain`](crate::Constrain) with n ≥ 2 literals of distinct variables; called directly, it may rely on
/// that. Encodings that also do larger bounds implement [`AtMostK`] instead and get this trait from it.
pub trait AtMostOne {
    /// Adds the clauses that let at most one of `lits` be true; `lits.len() >= 2`.
    ///
    /// # Errors
    /// As the sink fails.
    fn at_most_one<S: ClauseSink + ?Sized>(&self, sink: &mut S, lits: &[Lit]) -> Result<(), S::Error>;

    /// Exactly what [`at_most_one`](Self::at_most_one) adds for `n` ≥ 2 literals.
    fn amo_size(&self, n: usize) -> Size;
}

impl<E: AtMostK> AtMostOne for E {
    fn at_most_one<S: ClauseSink + ?Sized>(&self, sink: &mut S, lits: &[Lit]) -> Result<(), S::Error> {
        card::at_most(self, sink, lits, 1)
    }

    fn amo_size(&self, n: usize) -> Size {
        card::at_most_size(self, n, 1)
    }
}
