//! Encodings of counts as [`Encoding`]s: every [`ByRelation`] is one.
//!
//! A literal that is given more than once is a weight, which encodings of counts do not know: see
//! [`weights`](super::weights). A reified bound is one structure where that is smaller than two halves.

use rustsat::types::Lit;

use super::weights::WeightedInputs;
use crate::choose::OneModel;
use crate::constraint::{Constraint, EncodingName, Sum};
use crate::encode::{ByRelation, Encoding, Plan, countable};
use crate::relation::Relation;
use crate::size::Size;
use crate::writer::{Full, Writer};

#[diagnostic::do_not_recommend]
impl<E: ByRelation> Encoding for E {
    fn plan(&self, constraint: &Constraint<'_>) -> Option<Plan<'_>> {
        Some(match constraint.sum {
            Sum::Count { lits, relation } => Plan::by_relation(self, lits.len(), relation),
            Sum::Weights { .. } if ByRelation::one_model(self) => return OneModel.plan(constraint),
            Sum::Weights { terms, relation } => WeightedInputs::plan(terms.all(), relation).by(self),
            Sum::Parity { .. } => return None,
        })
    }

    fn plan_iff(&self, r: Lit, constraint: &Constraint<'_>) -> Option<Plan<'_>> {
        let (lits, relation) = constraint.counted()?;
        SharedStructure::plan(self, r, lits.len(), relation)
    }

    fn plan_between(&self, n: usize, least: usize, most: usize) -> Option<Plan<'_>> {
        let size = if countable(n, least, most + 1) { self.between_size(n, least, most)? } else { return None };
        Some(Plan::new(size, move |constraint, to| {
            constraint.counted().map_or(Ok(()), |(lits, _)| self.between(to, lits, least, most))
        }))
    }

    fn encoding_name(&self) -> Option<EncodingName> {
        ByRelation::encoding_name(self)
    }

    fn one_model(&self) -> bool {
        ByRelation::one_model(self)
    }

    fn count_size(&self, n: usize, relation: Relation) -> Option<Size> {
        Some(self.size(n, relation))
    }
}

/// A reified bound on one structure that is defined in both directions: an encoding that
/// [counts](ByRelation::outputs) makes literals for *at least j*, and r is one of these, or says that one holds and the
/// next does not.
struct SharedStructure<'e> {
    enc: &'e dyn ByRelation,
    r: Lit,
    /// The outputs that are needed: of *exactly* two, otherwise one.
    first: usize,
    last: usize,
}

impl<'e> SharedStructure<'e> {
    /// `None` where two halves under conditions have fewer variables + clauses, or the encoding does not count.
    fn plan(enc: &'e dyn ByRelation, r: Lit, n: usize, relation: Relation) -> Option<Plan<'e>> {
        let (first, last) = match relation {
            Relation::AtMost(k) => (k + 1, k + 1),
            Relation::AtLeast(k) => (k, k),
            Relation::Exactly(k) => (k, k + 1),
        };
        let outputs = if countable(n, first, last) { enc.outputs_size(n, first, last)? } else { return None };
        let mut halves = Relation::AtMost(first - 1).size_by(enc, n) + Relation::AtLeast(last).size_by(enc, n);
        let mut size = outputs + Size::clauses(2, 2);
        if first < last {
            halves += Relation::Exactly(first).size_by(enc, n) + Size::variables(1);
            size += Size::clause(3);
        }
        let shared = Self { enc, r, first, last };
        (size.cost() <= halves.cost()).then(|| Plan::new(size, move |constraint, to| shared.write(constraint, to)))
    }

    fn write(&self, constraint: &Constraint<'_>, to: &mut Writer<'_>) -> Result<(), Full> {
        let Some((lits, relation)) = constraint.counted() else { return Ok(()) };
        let r = if matches!(relation, Relation::AtMost(_)) { !self.r } else { self.r };
        let outputs = self.enc.outputs(to, lits, self.first, self.last)?;
        to.clause(&[!r, outputs[0]])?;
        if self.first == self.last {
            to.clause(&[r, !outputs[0]])
        } else {
            to.clause(&[!r, !outputs[1]])?;
            to.clause(&[r, !outputs[0], outputs[1]])
        }
    }
}

/// An encoding asked for at most one and exactly one alone, the latter by one clause more.
pub(crate) struct AtMostOneOnly<'e>(pub(crate) &'e dyn Encoding);

impl Encoding for AtMostOneOnly<'_> {
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
        self.0.takes_pairs()
    }

    fn encoding_name(&self) -> Option<EncodingName> {
        self.0.encoding_name()
    }

    fn one_model(&self) -> bool {
        self.0.one_model()
    }
}
