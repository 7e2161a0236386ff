//! The steps of every constraint: it is folded, offered to the sink, planned, announced and written.

use rustsat::types::Lit;

use super::counts::AtMostOneOnly;
use super::fold::{fold, fold_pb};
use super::folded::Folded;
use super::inputs::Inputs;
use super::parities::fold_parity;
use super::plan::{FoldedPlan, planning};
use super::reify;
use super::signed::{Signed, Weight};
use super::wide::WideRelation;
use crate::constraint::{Constraint, Sum, Terms};
use crate::encode::{Encoding, check_known};
use crate::erase::AnySink;
use crate::parity::ParityCut;
use crate::relation::{PbRelation, Relation};
use crate::writer::Full;

/// A constraint whose condition and order the sink sees to.
pub(super) fn post(sink: &mut AnySink<'_>, constraint: &Constraint<'_>, enc: &dyn Encoding) -> Result<(), Full> {
    match constraint.iff {
        Some(r) => iff(sink, r, constraint.sum, enc),
        None => sum(sink, constraint.sum, enc),
    }
}

/// A sum that is bounded.
pub(super) fn sum(sink: &mut AnySink<'_>, sum: Sum<'_>, enc: &dyn Encoding) -> Result<(), Full> {
    let folded = match sum {
        Sum::Count { lits, relation } => fold(sink, lits, relation),
        Sum::Weights { terms, relation } => fold_pb(sink, &terms, relation),
        Sum::Parity { lits, odd } => fold_parity(sink, lits.iter().copied(), odd),
    };
    send(sink, &folded, enc)
}

/// A sum of weights, negative ones among them.
pub(super) fn signed<W: Weight>(
    sink: &mut AnySink<'_>,
    terms: &[(Lit, W)],
    bound: PbRelation<W>,
    enc: &dyn Encoding,
) -> Result<(), Full> {
    let Signed { terms, relation } = Signed::new(terms, bound);
    let inputs = Inputs::weighted(sink, &Terms::new(&terms));
    let folded = relation.map_or(Folded::never(), |relation| inputs.fold(relation));
    send(sink, &folded, enc)
}

/// At most one or exactly one.
pub(super) fn one(sink: &mut AnySink<'_>, lits: &[Lit], relation: Relation, enc: &dyn Encoding) -> Result<(), Full> {
    let mut folded = fold(sink, lits, relation);
    folded.units.sort_unstable();
    send(sink, &folded, &AtMostOneOnly(enc))
}

/// `r` if and only if the sum is as bounded.
pub(super) fn iff(sink: &mut AnySink<'_>, r: Lit, sum: Sum<'_>, enc: &dyn Encoding) -> Result<(), Full> {
    let (inputs, relation) = match sum {
        Sum::Count { lits, relation } => (Inputs::new(sink, lits), relation.into()),
        Sum::Weights { terms, relation } => (Inputs::weighted(sink, &terms), relation.into()),
        Sum::Parity { lits, odd } => return iff_parity(sink, r, lits, odd),
    };
    iff_inputs(sink, r, &inputs, Some(relation), enc)
}

/// `r` if and only if the number of true literals is odd, or even: another parity.
pub(super) fn iff_parity(sink: &mut AnySink<'_>, r: Lit, lits: &[Lit], odd: bool) -> Result<(), Full> {
    let folded = fold_parity(sink, lits.iter().copied().chain([r]), !odd);
    send(sink, &folded, &ParityCut::DEFAULT)
}

/// `r` if and only if a sum of weights, negative ones among them, is as bounded.
pub(super) fn iff_signed<W: Weight>(
    sink: &mut AnySink<'_>,
    r: Lit,
    terms: &[(Lit, W)],
    bound: PbRelation<W>,
    enc: &dyn Encoding,
) -> Result<(), Full> {
    let Signed { terms, relation } = Signed::new(terms, bound);
    let inputs = Inputs::weighted(sink, &Terms::new(&terms));
    iff_inputs(sink, r, &inputs, relation, enc)
}

/// `r` if and only if the sum is as bounded; `None` is a bound that no sum meets.
fn iff_inputs(
    sink: &mut AnySink<'_>,
    r: Lit,
    inputs: &Inputs<'_>,
    relation: Option<WideRelation>,
    enc: &dyn Encoding,
) -> Result<(), Full> {
    check_known(sink, &[r]);
    let Some(relation) = relation else { return reify::post_unit(sink, !r) };
    match inputs.counted(relation) {
        None => reify::iff(sink, r, inputs, relation, enc),
        // Weights that are all alike are a count, or no count is that sum.
        Some((_, None)) => reify::post_unit(sink, !r),
        Some((lits, Some(relation))) => reify::iff(sink, r, &lits, relation.into(), enc),
    }
}

/// Offers a folded constraint to the sink, or else announces it and writes it.
fn send(sink: &mut AnySink<'_>, folded: &Folded<'_>, enc: &dyn Encoding) -> Result<(), Full> {
    if folded.offer(sink, enc.encoding_name())? {
        return Ok(());
    }
    let plan = planning(sink, &mut |go_on| FoldedPlan::new(folded, enc, go_on))?;
    sink.reserve(&plan.size())?;
    sink.write_by(&mut |to| plan.write(folded, to))
}
