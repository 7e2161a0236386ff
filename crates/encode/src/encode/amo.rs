//! [`Amo`]: encodings of *at most one* alone, which say *exactly one* by one clause more.

use rustsat::types::Lit;

use super::{Encoding, Plan};
use crate::constraint::{Constraint, EncodingName};
use crate::relation::Relation;
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
}

/// An encoding asked for at most one and exactly one alone, the latter by one clause more.
pub(crate) struct One<'e>(pub(crate) &'e dyn Encoding);

impl Encoding for One<'_> {
    fn plan(&self, constraint: &Constraint<'_>) -> Option<Plan<'_>> {
        match constraint.counted()? {
            (_, Relation::AtMost(1)) => self.0.plan(constraint),
            (lits, Relation::Exactly(1)) => {
                let at_most_one = self.0.plan(&Constraint::count(lits, Relation::AtMost(1)))?;
                Some(Plan::new(Size::clause(lits.len()) + at_most_one.size(), move |constraint, to| {
                    let lits = constraint.counted().map_or(&[][..], |(lits, _)| lits);
                    to.clause(lits)?;
                    at_most_one.write(&Constraint::count(lits, Relation::AtMost(1)), to)
                }))
            }
            _ => None,
        }
    }

    fn takes_pairs(&self) -> bool {
        true
    }

    fn encoding_name(&self) -> Option<EncodingName> {
        self.0.encoding_name()
    }
}

/// The encodings of at most one: each is an [`Encoding`](super::Encoding) by its [`Amo`].
macro_rules! amo {
    ($($enc:ty),*) => {$(
        $crate::by_value!($enc);

        impl $crate::encode::AtMostOne for $enc {}

        impl $crate::encode::Encoding for $enc {
            fn plan(&self, constraint: &$crate::constraint::Constraint<'_>) -> Option<$crate::encode::Plan<'_>> {
                let (lits, relation) = constraint.counted()?;
                $crate::encode::Plan::of_one(self, lits.len(), relation)
            }

            fn encoding_name(&self) -> Option<$crate::constraint::EncodingName> {
                $crate::encode::Amo::encoding_name(self)
            }

            fn count_size(&self, n: usize, relation: $crate::relation::Relation) -> Option<$crate::size::Size> {
                Some($crate::encode::Plan::of_one(self, n, relation)?.size())
            }

            fn takes_pairs(&self) -> bool {
                true
            }
        }
    )*};
}
pub(crate) use amo;
