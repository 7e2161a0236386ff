//! [`ByRelation`]: encodings that treat *at most*, *at least* and *exactly* k alike say so once, and are an
//! [`AtMostK`] by that. [`own_name`] names one, so that a [`Formula`](crate::Formula) keeps its constraints.

use rustsat::types::Lit;

use super::at_most_k::{AtMostK, Decision, countable};
use crate::constraint::{EncodingName, Own};
use crate::erase::{AnySink, Stopped, erase};
use crate::relation::Relation;
use crate::sink::ClauseSink;
use crate::size::Size;

/// An encoding in terms of [`Relation`], for the ranges that [`AtMostK`] states, which it is by that alone.
pub trait ByRelation {
    /// Adds the clauses that make the relation hold.
    ///
    /// # Errors
    /// As the sink fails.
    fn encode<S: ClauseSink + ?Sized>(&self, sink: &mut S, lits: &[Lit], relation: Relation) -> Result<(), S::Error>;

    /// Exactly what [`encode`](Self::encode) adds, asked only in its range.
    fn size(&self, n: usize, relation: Relation) -> Size;

    /// [`AtMostK::outputs`](AtMostK::outputs).
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

    /// [`AtMostK::outputs_size`](AtMostK::outputs_size), asked only in its range.
    fn outputs_size(&self, n: usize, first: usize, last: usize) -> Option<Size> {
        let _ = (n, first, last);
        None
    }

    /// [`AtMostK::encoding_name`](AtMostK::encoding_name).
    fn encoding_name(&self) -> Option<EncodingName> {
        None
    }

    /// [`AtMostK::decide`](AtMostK::decide), asked only in its range.
    fn decide(&self, relation: Relation, n: usize) -> (Decision, Size) {
        (Decision::default(), self.size(n, relation))
    }

    /// [`AtMostK::write`](AtMostK::write), asked only in its range.
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

impl<E: ByRelation> AtMostK for E {
    fn at_most<S: ClauseSink + ?Sized>(&self, sink: &mut S, lits: &[Lit], k: usize) -> Result<(), S::Error> {
        self.encode(sink, lits, Relation::AtMost(k))
    }

    fn at_least<S: ClauseSink + ?Sized>(&self, sink: &mut S, lits: &[Lit], k: usize) -> Result<(), S::Error> {
        self.encode(sink, lits, Relation::AtLeast(k))
    }

    fn exactly<S: ClauseSink + ?Sized>(&self, sink: &mut S, lits: &[Lit], k: usize) -> Result<(), S::Error> {
        self.encode(sink, lits, Relation::Exactly(k))
    }

    fn outputs<S: ClauseSink + ?Sized>(
        &self,
        sink: &mut S,
        lits: &[Lit],
        first: usize,
        last: usize,
    ) -> Result<Option<Vec<Lit>>, S::Error> {
        ByRelation::outputs(self, sink, lits, first, last)
    }

    fn outputs_size(&self, n: usize, first: usize, last: usize) -> Option<Size> {
        if countable(n, first, last) { ByRelation::outputs_size(self, n, first, last) } else { None }
    }

    fn amk_size(&self, n: usize, k: usize) -> Size {
        size(self, n, Relation::AtMost(k))
    }

    fn alk_size(&self, n: usize, k: usize) -> Size {
        size(self, n, Relation::AtLeast(k))
    }

    fn exk_size(&self, n: usize, k: usize) -> Size {
        size(self, n, Relation::Exactly(k))
    }

    fn encoding_name(&self) -> Option<EncodingName> {
        ByRelation::encoding_name(self)
    }

    fn decide(&self, relation: Relation, n: usize) -> (Decision, Size) {
        match relation.folded(n) {
            Some(size) => (Decision::default(), size),
            None => ByRelation::decide(self, relation, n),
        }
    }

    fn write<S>(&self, decision: Decision, relation: Relation, sink: &mut S, lits: &[Lit]) -> Result<(), S::Error>
    where
        S: ClauseSink + ?Sized,
    {
        if relation.folded(lits.len()).is_some() {
            return relation.encode(self, sink, lits);
        }
        ByRelation::write(self, decision, relation, sink, lits)
    }
}

/// The size that the front door adds for `n` distinct literals, whatever the bound.
fn size<E: ByRelation>(enc: &E, n: usize, relation: Relation) -> Size {
    relation.folded(n).unwrap_or_else(|| enc.size(n, relation))
}

/// The name of the default value of `E`, for [`ByRelation::encoding_name`] and what else names an encoding. A
/// [`Formula`](crate::Formula) keeps constraints by it, merges and orders them, and has `E::default()` encode them at
/// last.
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
///     fn encoding_name(&self) -> Option<EncodingName> {
///         (!self.many).then_some(own_name::<Self>("mine"))
///     }
/// }
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
    outputs: fn(&mut AnySink<'_>, &[Lit], usize, usize) -> Result<Option<Vec<Lit>>, Stopped>,
    outputs_size: fn(usize, usize, usize) -> Option<Size>,
}

impl OwnEncoding {
    const fn of<E: ByRelation + Default>() -> Self {
        Self {
            encode: |sink, lits, relation| E::default().encode(sink, lits, relation),
            size: |n, relation| E::default().size(n, relation),
            outputs: |sink, lits, first, last| ByRelation::outputs(&E::default(), sink, lits, first, last),
            outputs_size: |n, first, last| ByRelation::outputs_size(&E::default(), n, first, last),
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

    fn outputs<S: ClauseSink + ?Sized>(
        &self,
        sink: &mut S,
        lits: &[Lit],
        first: usize,
        last: usize,
    ) -> Result<Option<Vec<Lit>>, S::Error> {
        let mut outputs = None;
        erase(sink, |sink| (self.outputs)(sink, lits, first, last).map(|found| outputs = found))?;
        Ok(outputs)
    }

    fn outputs_size(&self, n: usize, first: usize, last: usize) -> Option<Size> {
        (self.outputs_size)(n, first, last)
    }
}
