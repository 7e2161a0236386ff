//! [`ByRelation`]: encodings that treat *at most*, *at least* and *exactly* k alike say so once, and
//! [`at_most_k!`](at_most_k) makes an [`AtMostK`](super::AtMostK) of them in one line.

use rustsat::types::Lit;

use super::Decision;
use crate::constraint::EncodingName;
use crate::relation::Relation;
use crate::sink::ClauseSink;
use crate::size::Size;

/// An encoding in terms of [`Relation`], for the ranges that [`AtMostK`](super::AtMostK) states.
pub trait ByRelation {
    /// Adds the clauses that make the relation hold.
    ///
    /// # Errors
    /// As the sink fails.
    fn encode<S: ClauseSink + ?Sized>(&self, sink: &mut S, lits: &[Lit], relation: Relation) -> Result<(), S::Error>;

    /// Exactly what [`encode`](Self::encode) adds, asked only in its range.
    fn size(&self, n: usize, relation: Relation) -> Size;

    /// [`AtMostK::outputs`](super::AtMostK::outputs).
    ///
    /// # Errors
    /// As the sink fails.
    fn outputs<S: ClauseSink + ?Sized>(
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
    fn outputs_size(&self, n: usize, first: usize, last: usize) -> Option<Size> {
        let _ = (n, first, last);
        None
    }

    /// [`AtMostK::encoding_name`](super::AtMostK::encoding_name).
    fn encoding_name(&self) -> Option<EncodingName> {
        None
    }

    /// [`AtMostK::decide`](super::AtMostK::decide), asked only in its range.
    fn decide(&self, relation: Relation, n: usize) -> (Decision, Size) {
        (Decision::default(), self.size(n, relation))
    }

    /// [`AtMostK::write`](super::AtMostK::write), asked only in its range.
    ///
    /// # Errors
    /// As the sink fails.
    fn write<S: ClauseSink + ?Sized>(
        &self,
        decision: Decision,
        relation: Relation,
        sink: &mut S,
        lits: &[Lit],
    ) -> Result<(), S::Error> {
        let _ = decision;
        self.encode(sink, lits, relation)
    }
}

/// Implements [`AtMostK`](crate::AtMostK) for a type that is [`ByRelation`](crate::encode::ByRelation); with a name
/// beside it, the type's default value has that [name](crate::AtMostK::encoding_name).
#[macro_export]
macro_rules! at_most_k {
    ($encoding:ty) => {
        $crate::at_most_k!(@ $encoding, |encoding| $crate::encode::ByRelation::encoding_name(encoding));
    };
    ($encoding:ty, $name:literal) => {
        $crate::at_most_k!(@ $encoding, |encoding| {
            (*encoding == <$encoding>::default()).then_some($crate::EncodingName::Named($name))
        });
    };
    (@ $encoding:ty, |$this:ident| $choice:expr) => {
        impl $crate::AtMostK for $encoding {
            fn at_most<S>(&self, sink: &mut S, lits: &[$crate::Lit], k: usize) -> Result<(), S::Error>
            where
                S: $crate::ClauseSink + ?Sized,
            {
                $crate::encode::ByRelation::encode(self, sink, lits, $crate::Relation::AtMost(k))
            }

            fn at_least<S>(&self, sink: &mut S, lits: &[$crate::Lit], k: usize) -> Result<(), S::Error>
            where
                S: $crate::ClauseSink + ?Sized,
            {
                $crate::encode::ByRelation::encode(self, sink, lits, $crate::Relation::AtLeast(k))
            }

            fn exactly<S>(&self, sink: &mut S, lits: &[$crate::Lit], k: usize) -> Result<(), S::Error>
            where
                S: $crate::ClauseSink + ?Sized,
            {
                $crate::encode::ByRelation::encode(self, sink, lits, $crate::Relation::Exactly(k))
            }

            fn outputs<S>(
                &self,
                sink: &mut S,
                lits: &[$crate::Lit],
                first: usize,
                last: usize,
            ) -> Result<Option<Vec<$crate::Lit>>, S::Error>
            where
                S: $crate::ClauseSink + ?Sized,
            {
                $crate::encode::ByRelation::outputs(self, sink, lits, first, last)
            }

            fn outputs_size(&self, n: usize, first: usize, last: usize) -> Option<$crate::Size> {
                if !$crate::encode::countable(n, first, last) {
                    return None;
                }
                $crate::encode::ByRelation::outputs_size(self, n, first, last)
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

            fn encoding_name(&self) -> Option<$crate::EncodingName> {
                let $this = self;
                $choice
            }

            fn decide(&self, relation: $crate::Relation, n: usize) -> ($crate::encode::Decision, $crate::Size) {
                match relation.folded(n) {
                    Some(size) => ($crate::encode::Decision::default(), size),
                    None => $crate::encode::ByRelation::decide(self, relation, n),
                }
            }

            fn write<S>(
                &self,
                decision: $crate::encode::Decision,
                relation: $crate::Relation,
                sink: &mut S,
                lits: &[$crate::Lit],
            ) -> Result<(), S::Error>
            where
                S: $crate::ClauseSink + ?Sized,
            {
                if relation.folded(lits.len()).is_some() {
                    return relation.encode(self, sink, lits);
                }
                $crate::encode::ByRelation::write(self, decision, relation, sink, lits)
            }
        }
    };
}
/// The size that the front door adds for `n` distinct literals, whatever the bound.
#[doc(hidden)]
pub fn size_by_relation<E: ByRelation>(enc: &E, n: usize, relation: Relation) -> Size {
    relation.folded(n).unwrap_or_else(|| enc.size(n, relation))
}
