//! A constraint between folding and its first clause.
//!
//! [`planned`] is the way that a folded constraint takes to clauses, with its exact size: a clause or two without an
//! encoding, the encoding that was asked for, or what takes over from it. [`FoldedPlan`] adds the units and clauses
//! that folding has left. Where several constraints are written as one, as for a reified bound, the sum of their sizes
//! is announced before the first of them, so that a sink that refuses has seen no clause.

use super::checked::write_planned;
use super::folded::{Folded, Rest};
use crate::choose::{CardEncoding, OneModel};
use crate::constraint::{Constraint, EncodingName, Goal, Sum};
use crate::encode::{Encoding, GoOn, Plan};
use crate::erase::AnySink;
use crate::parity::ParityCut;
use crate::pb::{BinaryAdder, WideAdder};
use crate::relation::Relation;
use crate::size::Size;
use crate::writer::{Full, Writer};

/// Plans a constraint that is folded, without its condition: by the encoding that was asked for, without any where none
/// is needed, or by what takes over where the encoding declines. Sums that it declines are added in binary, and counts
/// that are none of its business go to [`CardEncoding`]. Where `go_on` was false, the plan is of no use.
#[doc(hidden)]
pub fn planned<'e>(constraint: &Constraint<'_>, enc: &'e dyn Encoding, go_on: &mut GoOn<'_>) -> Plan<'e> {
    match constraint.sum {
        Sum::Count { lits, relation } => {
            let is_pair = lits.len() == 2 && matches!(relation, Relation::AtMost(1) | Relation::Exactly(1));
            match relation.simple(lits.len()) {
                Some(simple) if !is_pair || !enc.takes_pairs() => Plan::simple(simple, lits.len()),
                _ => enc
                    .plan(constraint)
                    .unwrap_or_else(|| Plan::by_relation(counting(enc.encoding_name()), lits.len(), relation)),
            }
        }
        Sum::Weights { terms, relation } => {
            let wide = || Plan::of_terms(WideAdder::new(terms.all(), relation));
            if !terms.fits() {
                // It counts in 128 bits.
                return enc.one_model().then(|| OneModel.plan(constraint)).flatten().unwrap_or_else(wide);
            }
            let binary = || BinaryAdder::default().prepared(constraint, &mut || true).map_or_else(wide, Plan::of_terms);
            enc.plan_while(constraint, go_on).unwrap_or_else(binary)
        }
        Sum::Parity { .. } => enc.plan(constraint).unwrap_or_else(|| ParityCut::DEFAULT.planned(constraint)),
    }
}

/// The encoding of a count that the encoding of that name declines.
const fn counting(encoding: Option<EncodingName>) -> &'static CardEncoding {
    match encoding {
        Some(EncodingName::Open(Goal::Size)) => &CardEncoding::Smallest,
        _ => &CardEncoding::Auto,
    }
}

/// A folded constraint, planned: units, clauses, parts beyond 64 bits, and the rest.
#[derive(Debug)]
#[doc(hidden)]
pub struct FoldedPlan<'e> {
    rest: Option<Plan<'e>>,
    wide: Vec<Plan<'e>>,
    size: Size,
}

impl<'e> FoldedPlan<'e> {
    /// Plans what folding has left, as [`planned`].
    #[must_use]
    pub fn new(folded: &Folded<'_>, enc: &'e dyn Encoding, go_on: &mut GoOn<'_>) -> Self {
        let rest = folded.rest.constraint().map(|constraint| planned(&constraint, enc, go_on));
        let wide = folded.wide.iter().map(|wide| {
            let adder = || Plan::of_terms(WideAdder::at_least(&wide.terms, wide.least));
            if enc.one_model() { Plan::of_terms(wide.defined()) } else { adder() }
        });
        let wide: Vec<Plan<'e>> = wide.collect();
        let never = if folded.rest == Rest::Never { Size::clause(0) } else { Size::ZERO };
        let size = rest.as_ref().map_or(never, Plan::size) + folded.size_of_clauses();
        let size = size + wide.iter().map(Plan::size).sum::<Size>();
        Self { rest, wide, size }
    }

    /// Exactly what [`write`](Self::write) adds.
    #[must_use]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Writes the constraint that was planned.
    ///
    /// # Errors
    /// When the sink takes no more.
    pub fn write(&self, folded: &Folded<'_>, to: &mut Writer<'_>) -> Result<(), Full> {
        folded.write_clauses(to)?;
        let wide = self.wide.iter().zip(&folded.wide);
        let none = Constraint::count(&[], Relation::AtMost(0));
        wide.into_iter().try_for_each(|(plan, wide)| to.writing(wide, &mut |to| plan.write(&none, to)))?;
        match (&self.rest, folded.rest.constraint()) {
            (Some(plan), Some(constraint)) => write_planned(plan, &constraint, to),
            _ if folded.rest == Rest::Never => to.clause(&[]),
            _ => Ok(()),
        }
    }
}

/// Plans for as long as the sink lets it go on.
pub(super) fn planning<P>(sink: &mut AnySink<'_>, plan: &mut dyn FnMut(&mut GoOn<'_>) -> P) -> Result<P, Full> {
    let mut asked = Ok(());
    let plan = plan(&mut || {
        asked = sink.go_on();
        asked.is_ok()
    });
    asked.map(|()| plan)
}
