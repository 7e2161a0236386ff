//! The steps of every constraint: it is folded, offered to the sink, planned, announced and written.

use std::cmp::Ordering;

use rustsat::types::Lit;

use super::checked::write_planned;
use super::counts::AtMostOneOnly;
use super::fold::{fold, fold_pb, fold_terms};
use super::folded::Folded;
use super::inputs::Inputs;
use super::parities::fold_parity;
use super::plan::{FoldedPlan, planning};
use super::reify;
use super::signed::{Signed, Weight};
use super::wide::WideRelation;
use crate::choose::OneModel;
use crate::constraint::{Constraint, Sum, Terms};
use crate::encode::{Encoding, Plan, check_known};
use crate::erase::AnySink;
use crate::expr::{BoolExpr, ExprClauses, ExprGates};
use crate::parity::ParityCut;
use crate::relation::{PbRelation, Relation};
use crate::size::Size;
use crate::writer::{Full, Writing, measured};

/// A constraint whose condition and order the sink sees to.
pub(super) fn post(sink: &mut AnySink<'_>, constraint: &Constraint<'_>, enc: &dyn Encoding) -> Result<(), Full> {
    match constraint.iff {
        Some(r) => iff(sink, r, constraint.sum, enc),
        None => sum(sink, constraint.sum, enc),
    }
}

/// The encoding that was asked for, or one with one model for each solution where the sink wants that.
fn allowed<'e>(sink: &AnySink<'_>, enc: &'e dyn Encoding) -> &'e dyn Encoding {
    if sink.counts_models() && !enc.one_model() { &OneModel } else { enc }
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
    let folded = match relation {
        Some(relation) => fold_terms(sink, terms, relation),
        None => {
            terms.iter().for_each(|&(lit, _)| check_known(sink, &[lit]));
            Folded::never()
        }
    };
    send(sink, &folded, enc)
}

/// A count between two bounds.
pub(super) fn between(
    sink: &mut AnySink<'_>,
    lits: &[Lit],
    (least, most): (usize, usize),
    enc: &dyn Encoding,
) -> Result<(), Full> {
    if least == most {
        return sum(sink, Sum::Count { lits, relation: Relation::Exactly(least) }, enc);
    }
    let inputs = Inputs::new(sink, lits);
    let side = |relation: Relation| inputs.borrowed().fold(relation);
    let sides = if least > most {
        [Folded::never(), Folded::never()]
    } else {
        [side(Relation::AtMost(most)), side(Relation::AtLeast(least))]
    };
    send_both(sink, &sides, enc)
}

/// A sum of weights, negative ones among them, between two bounds.
pub(super) fn signed_between<W: Weight>(
    sink: &mut AnySink<'_>,
    terms: &[(Lit, W)],
    (least, most): (W, W),
    enc: &dyn Encoding,
) -> Result<(), Full> {
    match least.wide().cmp(&most.wide()) {
        Ordering::Equal => return signed(sink, terms, PbRelation::Exactly(most), enc),
        Ordering::Greater => return send(sink, &Folded::never(), enc),
        Ordering::Less => {}
    }
    let Signed { terms: positive, relation: upper } = Signed::new(terms, PbRelation::AtMost(most));
    let lower = Signed::new(terms, PbRelation::AtLeast(least)).relation;
    let inputs = Inputs::weighted(sink, &Terms::new(&positive));
    let side = |relation: Option<WideRelation>| relation.map_or(Folded::never(), |it| inputs.borrowed().fold(it));
    send_both(sink, &[side(upper), side(lower)], enc)
}

/// At most one or exactly one.
pub(super) fn one(sink: &mut AnySink<'_>, lits: &[Lit], relation: Relation, enc: &dyn Encoding) -> Result<(), Full> {
    let mut folded = fold(sink, lits, relation);
    folded.units.sort_unstable();
    match allowed(sink, enc) {
        enc if enc.encoding_name() == OneModel.encoding_name() => send(sink, &folded, enc),
        enc => send(sink, &folded, &AtMostOneOnly(enc)),
    }
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

/// `r` if and only if a count is between two bounds.
pub(super) fn iff_between(
    sink: &mut AnySink<'_>,
    r: Lit,
    lits: &[Lit],
    (least, most): (usize, usize),
    enc: &dyn Encoding,
) -> Result<(), Full> {
    let inputs = Inputs::new(sink, lits);
    let bounds = [Relation::AtMost(most), Relation::AtLeast(least)].map(|bound| Some(bound.into()));
    iff_within(sink, r, &inputs, bounds, least.cmp(&most), enc)
}

/// `r` if and only if a sum of weights, negative ones among them, is between two bounds.
pub(super) fn iff_signed_between<W: Weight>(
    sink: &mut AnySink<'_>,
    r: Lit,
    terms: &[(Lit, W)],
    (least, most): (W, W),
    enc: &dyn Encoding,
) -> Result<(), Full> {
    let Signed { terms: positive, relation: upper } = Signed::new(terms, PbRelation::AtMost(most));
    let lower = Signed::new(terms, PbRelation::AtLeast(least)).relation;
    let inputs = Inputs::weighted(sink, &Terms::new(&positive));
    iff_within(sink, r, &inputs, [upper, lower], least.wide().cmp(&most.wide()), enc)
}

/// `r` if and only if the sum is within two bounds, the upper one first; `ends` compares the lower with it. `None` is a
/// bound that no sum meets.
fn iff_within(
    sink: &mut AnySink<'_>,
    r: Lit,
    inputs: &Inputs<'_>,
    bounds: [Option<WideRelation>; 2],
    ends: Ordering,
    enc: &dyn Encoding,
) -> Result<(), Full> {
    check_known(sink, &[r]);
    match (bounds, ends) {
        ([Some(WideRelation::AtMost(sum)), Some(_)], Ordering::Equal) => {
            iff_inputs(sink, r, inputs, Some(WideRelation::Exactly(sum)), enc)
        }
        ([Some(_), Some(WideRelation::AtLeast(0))], Ordering::Less) => iff_inputs(sink, r, inputs, bounds[0], enc),
        ([Some(WideRelation::AtMost(most)), Some(_)], Ordering::Less) if most >= inputs.total() => {
            iff_inputs(sink, r, inputs, bounds[1], enc)
        }
        ([Some(upper), Some(lower)], Ordering::Less) => {
            let enc = allowed(sink, enc);
            reify::iff_between(sink, r, inputs, [upper, lower], enc)
        }
        _ => reify::post_unit(sink, !r),
    }
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
    if sink.counts_models() || enc.encoding_name() == OneModel.encoding_name() {
        return reify::iff_with_one_model(sink, r, inputs, relation);
    }
    match inputs.counted(relation) {
        None => reify::iff(sink, r, inputs, relation, enc),
        // Weights that are all alike are a count, or no count is that sum.
        Some((_, None)) => reify::post_unit(sink, !r),
        Some((lits, Some(relation))) => reify::iff(sink, r, &lits, relation.into(), enc),
    }
}

/// Offers both sides of a sum to the sink, or else announces and writes what is left of them: counts of the same
/// literals by one counter, where that is smaller.
fn send_both(sink: &mut AnySink<'_>, sides: &[Folded<'_>; 2], enc: &dyn Encoding) -> Result<(), Full> {
    if sides[0].excludes(&sides[1]) {
        return send(sink, &Folded::never(), enc);
    }
    let enc = allowed(sink, enc);
    let mut left = Vec::new();
    for side in sides {
        if !side.offer(sink, enc.encoding_name())? {
            left.push(side);
        }
    }
    let mut plans = Vec::new();
    for side in &left {
        plans.push(planning(sink, &mut |go_on| FoldedPlan::new(side, enc, go_on))?);
    }
    let size = plans.iter().map(FoldedPlan::size).sum::<Size>();
    if let [upper, lower] = left[..]
        && let Some((both, shared)) = shared(upper, lower, enc).filter(|(_, plan)| plan.size().cost() < size.cost())
    {
        sink.reserve(&shared.size())?;
        return sink.write_by(&mut |to| write_planned(&shared, &both, to));
    }
    sink.reserve(&size)?;
    sink.write_by(&mut |to| plans.iter().zip(&left).try_for_each(|(plan, side)| plan.write(side, to)))
}

/// A plan of one counter for a bound from above and one from below, and one of the two constraints; `None` where they
/// are no counts of the same literals.
fn shared<'a, 'e>(
    upper: &'a Folded<'_>,
    lower: &Folded<'_>,
    enc: &'e dyn Encoding,
) -> Option<(Constraint<'a>, Plan<'e>)> {
    let constraint = upper.proper()?;
    let ((lits, Relation::AtMost(most)), (others, Relation::AtLeast(least))) =
        (constraint.counted()?, lower.proper()?.counted()?)
    else {
        return None;
    };
    let plan = if lits == others { enc.plan_between(lits.len(), least, most)? } else { return None };
    Some((constraint, plan))
}

/// Offers a folded constraint to the sink, or else announces it and writes it.
fn send(sink: &mut AnySink<'_>, folded: &Folded<'_>, enc: &dyn Encoding) -> Result<(), Full> {
    let enc = allowed(sink, enc);
    if folded.offer(sink, enc.encoding_name())? {
        return Ok(());
    }
    let plan = planning(sink, &mut |go_on| FoldedPlan::new(folded, enc, go_on))?;
    sink.reserve(&plan.size())?;
    sink.write_by(&mut |to| plan.write(folded, to))
}

/// An expression that is to be true.
pub(super) fn require(sink: &mut AnySink<'_>, expr: &BoolExpr) -> Result<(), Full> {
    let clauses = ExprClauses::new(expr, sink.counts_models());
    check_known(sink, &clauses.gates.lits());
    announce(sink, expr, false, &mut |to| clauses.write(to))
}

/// The literal of an expression.
pub(super) fn literal(sink: &mut AnySink<'_>, expr: &BoolExpr) -> Result<Lit, Full> {
    let gates = ExprGates::whole(expr);
    check_known(sink, &gates.lits());
    let mut lit = Lit::positive(0);
    announce(sink, expr, true, &mut |to| {
        lit = gates.literal(expr, to)?;
        Ok(())
    })?;
    Ok(lit)
}

/// Announces and writes what is about an expression. Clauses without auxiliaries say no more than it does.
fn announce(sink: &mut AnySink<'_>, expr: &BoolExpr, is_literal: bool, write: &mut Writing<'_>) -> Result<(), Full> {
    let size = measured(sink.next_var().idx32(), write);
    sink.reserve(&size)?;
    if size.vars == 0 {
        return sink.write_by(&mut |to| to.writing(&"", write));
    }
    sink.says(expr, &[], is_literal);
    sink.write_by(&mut |to| to.writing(expr, write))
}
