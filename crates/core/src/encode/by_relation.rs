//! [`ByRelation`]: encodings that treat *at most*, *at least* and *exactly* k alike say so once, and
//! [`at_most_k!`](at_most_k) makes an [`AtMostK`](super::AtMostK) of them in one line.

use rustsat::types::Lit;

use crate::offer::Aim;
use crate::relation::Relation;
use crate::sink::{ClauseSink, Size};

/// An encoding in terms of [`Relation`], for the ranges that [`AtMostK`](super::AtMostK) states.
pub(crate) trait ByRelation {
    /// Adds the clauses that make the relation hold.
    fn encode<S: ClauseSink + ?Sized>(&self, sink: &mut S, lits: &[Lit], relation: Relation) -> Result<(), S::Error>;

    /// Exactly what [`encode`](Self::encode) adds, asked only in its range.
    fn size(&self, n: usize, relation: Relation) -> Size;

    /// [`AtMostK::outputs`](super::AtMostK::outputs).
    fn counts<S: ClauseSink + ?Sized>(
        &self,
        sink: &mut S,
        lits: &[Lit],
        first: usize,
        last: usize,
    ) -> Result<Option<Vec<Lit>>, S::Error> {
        let _ = (sink, lits, first, last);
        Ok(None)
    }

    /// [`AtMostK::outputs_size`](super::AtMostK::outputs_size), asked only in its range.
    fn counts_size(&self, n: usize, first: usize, last: usize) -> Option<Size> {
        let _ = (n, first, last);
        None
    }

    /// [`AtMostK::aim`](super::AtMostK::aim).
    fn chosen_for(&self) -> Option<Aim> {
        None
    }
}

/// Implements [`AtMostK`](super::AtMostK) for a type that is [`ByRelation`].
macro_rules! at_most_k {
    ($encoding:ty) => {
        impl $crate::AtMostK for $encoding {
            fn at_most<S>(&self, sink: &mut S, lits: &[::rustsat::types::Lit], k: usize) -> Result<(), S::Error>
            where
                S: $crate::ClauseSink + ?Sized,
            {
                $crate::encode::ByRelation::encode(self, sink, lits, $crate::Relation::AtMost(k))
            }

            fn at_least<S>(&self, sink: &mut S, lits: &[::rustsat::types::Lit], k: usize) -> Result<(), S::Error>
            where
                S: $crate::ClauseSink + ?Sized,
            {
                $crate::encode::ByRelation::encode(self, sink, lits, $crate::Relation::AtLeast(k))
            }

            fn exactly<S>(&self, sink: &mut S, lits: &[::rustsat::types::Lit], k: usize) -> Result<(), S::Error>
            where
                S: $crate::ClauseSink + ?Sized,
            {
                $crate::encode::ByRelation::encode(self, sink, lits, $crate::Relation::Exactly(k))
            }

            fn outputs<S>(
                &self,
                sink: &mut S,
                lits: &[::rustsat::types::Lit],
                first: usize,
                last: usize,
            ) -> Result<Option<Vec<::rustsat::types::Lit>>, S::Error>
            where
                S: $crate::ClauseSink + ?Sized,
            {
                $crate::encode::ByRelation::counts(self, sink, lits, first, last)
            }

            fn outputs_size(&self, n: usize, first: usize, last: usize) -> Option<$crate::Size> {
                if !$crate::encode::countable(n, first, last) {
                    return None;
                }
                $crate::encode::ByRelation::counts_size(self, n, first, last)
            }

            fn amk_size(&self, n: usize, k: usize) -> $crate::Size {
                $crate::encode::size_by_relation(self, n, $crate::Relation::AtMost(k))
            }

            fn alk_size(&self, n: usize, k: usize) -> $crate::Size {
                $crate::encode::size_by_relation(self, n, $crate::Relation::AtLeast(k))
            }

            fn exk_size(&self, n: usize, k: usize) -> $crate::Size {
                $crate::encode::size_by_relation(self, n, $crate::Relation::Exactly(k))
            }

            fn aim(&self) -> Option<$crate::Aim> {
                $crate::encode::ByRelation::chosen_for(self)
            }
        }
    };
}
pub(crate) use at_most_k;

/// The size that the front door adds for `n` distinct literals, whatever the bound.
pub(crate) fn size_by_relation<E: ByRelation>(enc: &E, n: usize, relation: Relation) -> Size {
    relation.folded(n).unwrap_or_else(|| enc.size(n, relation))
}
