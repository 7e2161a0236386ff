//! [`ByRelation`]: encodings that treat *at most*, *at least* and *exactly* k alike say so once, and
//! [`at_most_k!`](at_most_k) makes an [`AtMostK`](super::AtMostK) of them in one line. [`own_name`] names one, so that
//! a [`Formula`](crate::Formula) keeps its constraints.

use rustsat::types::Lit;

use super::Decision;
use crate::constraint::{EncodingName, Own};
use crate::erase::{AnySink, Stopped, erase};
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

    /// [`AtMostK::encoding_name`](super::AtMostK::encoding_name).
    fn named(&self) -> Option<EncodingName> {
        None
    }

    /// [`AtMostK::decide`](super::AtMostK::decide), asked only in its range.
    fn decided(&self, n: usize, relation: Relation) -> (Decision, Size) {
        (Decision::default(), self.size(n, relation))
    }

    /// [`AtMostK::write`](super::AtMostK::write), asked only in its range.
    ///
    /// # Errors
    /// As the sink fails.
    fn encode_decided<S: ClauseSink + ?Sized>(
        &self,
        decision: Decision,
        sink: &mut S,
        lits: &[Lit],
        relation: Relation,
    ) -> Result<(), S::Error> {
        let _ = decision;
        self.encode(sink, lits, relation)
    }
}

/// Implements [`AtMostK`](crate::AtMostK) for a type that is [`ByRelation`](crate::encode::ByRelation); with a name
/// beside it, the type's default value has that [name](crate::encode::own_name), by which a formula keeps its
/// constraints.
#[macro_export]
macro_rules! at_most_k {
    ($encoding:ty) => {
        $crate::at_most_k!(@ $encoding, |encoding| $crate::encode::ByRelation::named(encoding));
    };
    ($encoding:ty, $name:literal) => {
        $crate::at_most_k!(@ $encoding, |encoding| {
            (*encoding == <$encoding>::default()).then_some($crate::encode::own_name::<$encoding>($name))
        });
    };
    (@ $encoding:ty, |$this:ident| $choice:expr) => {
        $crate::by_value!($encoding);

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

            fn encoding_name(&self) -> Option<$crate::EncodingName> {
                let $this = self;
                $choice
            }

            fn decide(&self, relation: $crate::Relation, n: usize) -> ($crate::encode::Decision, $crate::Size) {
                match relation.folded(n) {
                    Some(size) => ($crate::encode::Decision::default(), size),
                    None => $crate::encode::ByRelation::decided(self, n, relation),
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
                $crate::encode::ByRelation::encode_decided(self, decision, sink, lits, relation)
            }
        }
    };
}
/// The size that the front door adds for `n` distinct literals, whatever the bound.
#[doc(hidden)]
pub fn size_by_relation<E: ByRelation>(enc: &E, n: usize, relation: Relation) -> Size {
    relation.folded(n).unwrap_or_else(|| enc.size(n, relation))
}

/// The name of the default value of `E`, for [`ByRelation::named`] and what else names an encoding. A
/// [`Formula`](crate::Formula) keeps constraints by it, merges and orders them, and has `E::default()` encode them at
/// last. [`at_most_k!`](crate::at_most_k) with a name calls this.
///
/// Different types are to have different names, and none of the library's, which would be taken instead.
///
/// ```
/// use cnfkit::encode::{ByRelation, own_name};
/// use cnfkit::{AtMostK, ClauseSink, Combinatorial, Constrain, EncodingName, Formula, Lit, Relation, Size};
/// /// Few literals with the combinatorial encoding, many with a totalizer.
/// #[derive(Default)]
/// struct Mine {
///     many: bool,
/// }
///
/// impl ByRelation for Mine {
///     fn encode<S>(&self, sink: &mut S, lits: &[Lit], relation: Relation) -> Result<(), S::Error>
///     where
///         S: ClauseSink + ?Sized,
///     {
///         relation.encode(&Combinatorial, sink, lits)
///     }
///
///     fn size(&self, n: usize, relation: Relation) -> Size {
///         relation.size(&Combinatorial, n)
///     }
///
///     fn named(&self) -> Option<EncodingName> {
///         (!self.many).then_some(own_name::<Self>("mine"))
///     }
/// }
///
/// cnfkit::at_most_k!(Mine);
///
/// let mut formula = Formula::new();
/// let x = formula.new_lits(5);
/// formula.at_most(&x, 2, &Mine::default())?;
/// assert_eq!((formula.constraints().len(), formula.n_clauses()), (1, 0));
/// assert_eq!(formula.encode()?.n_clauses(), 10);
/// # Ok::<(), cnfkit::CapacityError>(())
/// ```
#[must_use]
pub const fn own_name<E: ByRelation + Default + 'static>(name: &'static str) -> EncodingName {
    EncodingName::Own(Own { name, encoding: const { &OwnEncoding::of::<E>() } })
}

/// The default value of a type, whatever that is.
#[derive(Debug)]
pub(crate) struct OwnEncoding {
    encode: fn(&mut AnySink<'_>, &[Lit], Relation) -> Result<(), Stopped>,
    size: fn(usize, Relation) -> Size,
    counts: fn(&mut AnySink<'_>, &[Lit], usize, usize) -> Result<Option<Vec<Lit>>, Stopped>,
    counts_size: fn(usize, usize, usize) -> Option<Size>,
}

impl OwnEncoding {
    const fn of<E: ByRelation + Default>() -> Self {
        Self {
            encode: |sink, lits, relation| E::default().encode(sink, lits, relation),
            size: |n, relation| E::default().size(n, relation),
            counts: |sink, lits, first, last| E::default().counts(sink, lits, first, last),
            counts_size: |n, first, last| E::default().counts_size(n, first, last),
        }
    }
}

impl Own {
    /// The encoding of that name.
    pub(crate) fn encoding(self) -> &'static OwnEncoding {
        self.encoding.downcast_ref().expect("nothing else makes names")
    }
}

impl ByRelation for OwnEncoding {
    fn encode<S: ClauseSink + ?Sized>(&self, sink: &mut S, lits: &[Lit], relation: Relation) -> Result<(), S::Error> {
        erase(sink, |sink| (self.encode)(sink, lits, relation))
    }

    fn size(&self, n: usize, relation: Relation) -> Size {
        (self.size)(n, relation)
    }

    fn counts<S: ClauseSink + ?Sized>(
        &self,
        sink: &mut S,
        lits: &[Lit],
        first: usize,
        last: usize,
    ) -> Result<Option<Vec<Lit>>, S::Error> {
        let mut outputs = None;
        erase(sink, |sink| (self.counts)(sink, lits, first, last).map(|found| outputs = found))?;
        Ok(outputs)
    }

    fn counts_size(&self, n: usize, first: usize, last: usize) -> Option<Size> {
        (self.counts_size)(n, first, last)
    }
}

at_most_k!(OwnEncoding);
