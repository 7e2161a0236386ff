//! [`Amo`]: encodings of *at most one* alone, which say *exactly one* by one clause more.

use rustsat::types::Lit;

use crate::constraint::EncodingName;
use crate::size::Size;
use crate::writer::{Full, Writer};

/// An encoding of *at most one of n literals is true*, n ≥ 2, of distinct variables.
pub trait Amo: Send + Sync {
    /// Adds the clauses that let at most one of `lits` be true.
    ///
    /// # Errors
    /// When the sink takes no more.
    fn encode(&self, to: &mut Writer<'_>, lits: &[Lit]) -> Result<(), Full>;

    /// Exactly what [`encode`](Self::encode) adds for `n` literals.
    fn size(&self, n: usize) -> Size;

    /// The encoding as data: see [`Encoding::encoding_name`](super::Encoding::encoding_name).
    fn encoding_name(&self) -> Option<EncodingName> {
        None
    }

    /// True if auxiliaries follow from the inputs: see [`Encoding::one_model`](super::Encoding::one_model).
    fn one_model(&self) -> bool {
        false
    }
}
