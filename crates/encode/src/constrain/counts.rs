//! Encodings of counts as [`Encoding`]s: every [`ByRelation`] is one.
//!
//! A literal that is given more than once is a weight, which encodings of counts do not know: see
//! [`weights`](super::weights). A reified bound is one structure where that is smaller than two halves.

use rustsat::types::Lit;

use super::weights::WeightedInputs;
use crate::choose::OneModel;
use crate::constraint::{Constraint, EncodingName, Sum};
use crate::encode::{ByRelation, Encoding, Plan, ReifiedRange, countable};
use crate::relation::Relation;
use crate::size::Size;

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

    /// `None` where two halves under conditions have fewer variables + clauses, or the encoding does not count.
    fn plan_iff(&self, r: Lit, constraint: &Constraint<'_>) -> Option<Plan<'_>> {
        let (lits, relation) = constraint.counted()?;
        let (n, range) = (lits.len(), ReifiedRange::of(r, relation, lits.len()));
        let plan = Plan::by_ranges(self, n, &[range])?;
        let (first, last) = range.outputs(n);
        let mut halves = Relation::AtMost(first - 1).size_by(self, n) + Relation::AtLeast(last).size_by(self, n);
        if first < last {
            halves += Relation::Exactly(first).size_by(self, n) + Size::variables(1);
        }
        (plan.size().cost() <= halves.cost()).then_some(plan)
    }

    fn plan_ranges(&self, n: usize, ranges: &[ReifiedRange]) -> Option<Plan<'_>> {
        Plan::by_ranges(self, n, ranges)
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
