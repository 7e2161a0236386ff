//! A constraint between folding and its first clause.
//!
//! [`Planned`] is the way that a folded constraint takes to clauses, with its exact size: a clause or two without an
//! encoding, the encoding that was asked for, or what takes over from it. [`FoldedPlan`] adds the units and clauses
//! that folding has left. Where several constraints are written as one, as for a reified bound, the sum of their sizes
//! is announced before the first of them, so that a sink that refuses has seen no clause.

use super::checked::{write_planned, writing};
use super::counts::CountPlan;
use super::folded::{Folded, Rest};
use crate::choose::CardEncoding;
use crate::constraint::{Constraint, EncodingName, Goal, Sum};
use crate::encode::{Encoding, Plan, Prepared, Simple};
use crate::erase::erase;
use crate::pb::{BinaryAdder, WideAdder};
use crate::sink::ClauseSink;
use crate::size::Size;

/// The way of one constraint, which is not reified. Its condition is not part of it.
pub(crate) enum Planned<'e, E: Encoding + 'e> {
    /// No encoding is needed, for so many literals.
    Simple(Simple, usize),
    /// By the encoding that was asked for.
    Asked(E::Plan<'e>),
    /// By an encoding of counts, where one of weights was asked for.
    Count(CountPlan<'static, CardEncoding>),
    /// In binary, where the encoding that was asked for is over its budget.
    Binary(<BinaryAdder as Encoding>::Plan<'static>),
    /// In binary, where the sum is beyond 64 bits.
    Wide(WideAdder),
}

impl<'e, E: Encoding> Planned<'e, E> {
    /// Plans a folded constraint, or a count with any bound.
    pub(crate) fn new(constraint: &Constraint<'_>, enc: &'e E) -> Self {
        match constraint.sum {
            Sum::Count { lits, relation } => match relation.simple(lits.len()) {
                Some(simple) if lits.len() != 2 || !enc.takes_pairs() => Self::Simple(simple, lits.len()),
                _ => enc.plan(constraint).map_or_else(
                    || Self::Count(CountPlan::new(counting(enc.encoding_name()), lits.len(), relation)),
                    Self::Asked,
                ),
            },
            Sum::Weights { terms, relation } => {
                let wide = || Self::Wide(WideAdder::new(terms.all(), relation));
                if !terms.fits() {
                    return wide();
                }
                let binary = || BinaryAdder::default().plan(constraint).map_or_else(wide, Self::Binary);
                enc.plan(constraint).map_or_else(binary, Self::Asked)
            }
        }
    }
}

impl<E: Encoding> Plan for Planned<'_, E> {
    fn size(&self) -> Size {
        match self {
            Self::Simple(simple, n) => simple.size(*n),
            Self::Asked(plan) => plan.size(),
            Self::Count(plan) => plan.size(),
            Self::Binary(plan) => Plan::size(plan),
            Self::Wide(plan) => Plan::size(plan),
        }
    }

    fn write<S: ClauseSink + ?Sized>(&self, constraint: &Constraint<'_>, sink: &mut S) -> Result<(), S::Error> {
        match self {
            Self::Simple(simple, _) => match constraint.counted() {
                Some((lits, _)) => simple.write(sink, lits),
                None => Ok(()),
            },
            Self::Asked(plan) => plan.write(constraint, sink),
            Self::Count(plan) => plan.write(constraint, sink),
            Self::Binary(plan) => erase(sink, |sink| Prepared::write(plan, sink)),
            Self::Wide(plan) => erase(sink, |sink| Prepared::write(plan, sink)),
        }
    }
}

/// The encoding of a count for which one of weights was asked.
const fn counting(encoding: Option<EncodingName>) -> &'static CardEncoding {
    match encoding {
        Some(EncodingName::Open(Goal::Size)) => &CardEncoding::Smallest,
        _ => &CardEncoding::Auto,
    }
}

/// All that folding has left of a constraint, ready to be written.
pub(crate) struct FoldedPlan<'e, E: Encoding + 'e> {
    rest: Option<Planned<'e, E>>,
    wide: Vec<WideAdder>,
    size: Size,
}

impl<'e, E: Encoding> FoldedPlan<'e, E> {
    pub(crate) fn new(folded: &Folded<'_>, enc: &'e E) -> Self {
        let rest = folded.rest.constraint().map(|constraint| Planned::new(&constraint, enc));
        let wide = folded.wide.iter().map(|wide| WideAdder::at_least(&wide.terms, wide.least));
        let wide: Vec<WideAdder> = wide.collect();
        let never = if folded.rest == Rest::Never { Size::clause(0) } else { Size::ZERO };
        let size = rest.as_ref().map_or(never, Plan::size) + folded.size_of_clauses();
        let size = size + wide.iter().map(Prepared::size).sum::<Size>();
        Self { rest, wide, size }
    }

    /// Exactly what [`write`](Self::write) adds.
    pub(crate) const fn size(&self) -> Size {
        self.size
    }

    /// Writes all clauses of what was planned. The size was announced before.
    pub(crate) fn write<S: ClauseSink + ?Sized>(&self, folded: &Folded<'_>, sink: &mut S) -> Result<(), S::Error> {
        folded.write_clauses(sink)?;
        self.wide
            .iter()
            .zip(&folded.wide)
            .try_for_each(|(plan, wide)| writing(sink, wide, |sink| erase(sink, |sink| Prepared::write(plan, sink))))?;
        match (&self.rest, folded.rest.constraint()) {
            (Some(plan), Some(constraint)) => write_planned(plan, &constraint, sink),
            _ if folded.rest == Rest::Never => sink.add_clause(&[]),
            _ => Ok(()),
        }
    }
}
