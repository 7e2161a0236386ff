//! [`ByRelation`]: encodings that treat *at most*, *at least* and *exactly* k alike say so once, and are an
//! [`AtMostK`] by that.

use rustsat::types::Lit;

use super::at_most_k::{AtMostK, Decision, countable};
use crate::constraint::EncodingName;
use crate::relation::Relation;
use crate::sink::ClauseSink;
use crate::size::Size;

/// An encoding in terms of [`Relation`], for the ranges that [`AtMostK`] states, which it is by that alone.
///
/// ```
/// use cnfkit::encode::ByRelation;
/// use cnfkit::{ClauseSink, Cnf, Combinatorial, Constrain, Lit, Relation, Size, Totalizer};
///
/// /// Small bounds without auxiliaries, others by a tree.
/// struct Mixed;
///
/// impl ByRelation for Mixed {
///     fn encode<S>(&self, sink: &mut S, lits: &[Lit], relation: Relation) -> Result<(), S::Error>
///     where
///         S: ClauseSink + ?Sized,
///     {
///         match relation {
///             Relation::AtMost(..=2) => relation.encode(&Combinatorial, sink, lits),
///             _ => relation.encode(&Totalizer::default(), sink, lits),
///         }
///     }
///
///     fn size(&self, n: usize, relation: Relation) -> Size {
///         match relation {
///             Relation::AtMost(..=2) => relation.size(&Combinatorial, n),
///             _ => relation.size(&Totalizer::default(), n),
///         }
///     }
/// }
///
/// let mut cnf = Cnf::new();
/// let x = cnf.new_lits(6);
/// cnf.at_most(&x, 2, &Mixed)?;
/// assert_eq!((cnf.n_vars(), cnf.n_clauses()), (6, 20));
/// # Ok::<(), cnfkit::CapacityError>(())
/// ```
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

#[diagnostic::do_not_recommend]
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
