//! Reified bounds: a literal that is true if and only if a bound holds.
//!
//! There are two ways. In the first, an encoding that [counts](AtMostK::outputs) defines literals for *at least j* in
//! both directions, and r is one of these, or says that one holds and the next does not: one structure serves both
//! values of r. In the second, r implies the bound and its negation implies the opposite: two halves under conditions,
//! three for *exactly*, whose opposite is *fewer or more*. The way with fewer variables + clauses is taken; both sizes
//! are known before anything is written.
//!
//! The literals are folded once. A half differs from them only where they hold the variable of r: there r is a
//! constant, another one in each half. All halves are planned, and announced as one, before the first clause of the
//! first.

use rustsat::types::Lit;

use super::fold::{Folded, Inputs};
use super::offer::{offered, offered_iff};
use super::plan::{Any, Plan};
use crate::encode::{AtMostK, check_known};
use crate::guard::Guarded;
use crate::relation::Relation;
use crate::sink::{ClauseSink, Size};
use crate::through::through;

/// One half: what holds when `r` is true.
struct Half<'a> {
    r: Lit,
    /// Holds only for this value of the literal that says on which side of the bound the count is.
    few: Option<bool>,
    folded: Folded<'a>,
}

impl<'a> Half<'a> {
    fn new(r: Lit, few: Option<bool>, inputs: &'a Inputs<'_>, relation: Relation) -> Self {
        Self { r, few, folded: inputs.where_true(r).fold(relation) }
    }
}

/// Makes `r` true if and only if at most `k` of `lits` are.
pub(super) fn iff_at_most<S, E>(sink: &mut S, r: Lit, lits: &[Lit], k: usize, enc: &E) -> Result<(), S::Error>
where
    S: ClauseSink + ?Sized,
    E: AtMostK,
{
    check_known(sink, &[r]);
    let inputs = Inputs::new(sink, lits);
    // No slice has so many literals that a bound saturates below their number.
    let more = k.saturating_add(1);
    let halves = || {
        vec![Half::new(r, None, &inputs, Relation::AtMost(k)), Half::new(!r, None, &inputs, Relation::AtLeast(more))]
    };
    Reified { r, inputs: &inputs, relation: Relation::AtMost(k), output: !r, outputs: (more, more) }
        .write(sink, halves, enc)
}

/// Makes `r` true if and only if exactly `k` of `lits` are.
pub(super) fn iff_exactly<S, E>(sink: &mut S, r: Lit, lits: &[Lit], k: usize, enc: &E) -> Result<(), S::Error>
where
    S: ClauseSink + ?Sized,
    E: AtMostK,
{
    check_known(sink, &[r]);
    let inputs = Inputs::new(sink, lits);
    let more = k.saturating_add(1);
    let halves = || {
        let half = |r, few, relation| Half::new(r, few, &inputs, relation);
        let equal = half(r, None, Relation::Exactly(k));
        match k.checked_sub(1) {
            None => vec![equal, half(!r, None, Relation::AtLeast(1))],
            Some(less) if k >= lits.len() => vec![equal, half(!r, None, Relation::AtMost(less))],
            // Not exactly k: fewer, or more, as the solver likes.
            Some(less) => vec![
                equal,
                half(!r, Some(true), Relation::AtMost(less)),
                half(!r, Some(false), Relation::AtLeast(more)),
            ],
        }
    };
    Reified { r, inputs: &inputs, relation: Relation::Exactly(k), output: r, outputs: (k, more) }
        .write(sink, halves, enc)
}

/// A reified bound with both ways to say it.
struct Reified<'a> {
    r: Lit,
    inputs: &'a Inputs<'a>,
    relation: Relation,
    /// As a structure that counts: this literal is true if and only if the count is in this range (see [`shared`]).
    output: Lit,
    outputs: (usize, usize),
}

impl Reified<'_> {
    fn write<'h, S: ClauseSink + ?Sized, E: AtMostK>(
        &self,
        sink: &mut S,
        halves: impl FnOnce() -> Vec<Half<'h>>,
        enc: &E,
    ) -> Result<(), S::Error> {
        if offered_iff(sink, self.r, self.inputs, self.relation, enc.aim())? {
            return Ok(());
        }
        let mut halves = halves();
        if !can_share(sink, self.r, self.inputs, self.outputs) {
            // Each half is offered once all are announced: what a sink keeps stays, whatever it refuses after that.
        } else if offered(&mut Guarded::new(sink, &[halves[0].r]), &halves[0].folded, enc.aim())? {
            halves.remove(0);
        } else if shared(sink, self.output, self.inputs, self.outputs, enc)? {
            return Ok(());
        }
        write_all(sink, halves, enc)
    }
}

/// Announces all halves, then writes them, where the sink does not take one as it is.
fn write_all<S: ClauseSink + ?Sized, E: AtMostK>(sink: &mut S, halves: Vec<Half<'_>>, enc: &E) -> Result<(), S::Error> {
    let mut size = Size::variables(u64::from(halves.iter().any(|half| half.few.is_some())));
    let mut plans = Vec::with_capacity(halves.len());
    for Half { r, few, folded } in halves {
        let plan = Plan::new(folded, &Any(enc));
        let mut own = Guarded::new(sink, &[r]).guarded_size(plan.size());
        if few.is_some() {
            own.lits = own.lits.saturating_add(own.clauses);
        }
        size += own;
        plans.push((r, few, plan));
    }
    sink.reserve(&size)?;
    let mut side = None;
    for (r, few, plan) in plans {
        let mut cond = vec![r];
        if let Some(is_few) = few {
            let few = *side.get_or_insert_with(|| sink.new_lit());
            cond.push(if is_few { few } else { !few });
        }
        let mut guarded = Guarded::new(sink, &cond);
        if !offered(&mut guarded, plan.folded(), enc.aim())? {
            through(&mut guarded, |sink| plan.write(sink, &Any(enc)))?;
        }
    }
    Ok(())
}

/// True if one structure can say that the count is in a range: no half is trivial, or knows the value of an input.
fn can_share<S: ClauseSink + ?Sized>(sink: &S, r: Lit, inputs: &Inputs<'_>, (first, last): (usize, usize)) -> bool {
    let Some((lits, taken)) = inputs.literals() else { return false };
    let n = lits.len();
    let (first, last) = (first.saturating_sub(taken), last.saturating_sub(taken));
    let trivial = first == 0 || last > n || n < 3 || (first == last && (first == 1 || first == n));
    !trivial && sink.fixed(r).is_none() && lits.iter().all(|lit| lit.var() != r.var())
}

/// Makes `r` true if and only if at least `first` of the inputs are and, where that is more, fewer than `last`: on one
/// structure, where it [`can_share`]. False, and nothing done, where halves are smaller.
fn shared<S: ClauseSink + ?Sized, E: AtMostK>(
    sink: &mut S,
    r: Lit,
    inputs: &Inputs<'_>,
    (first, last): (usize, usize),
    enc: &E,
) -> Result<bool, S::Error> {
    let Some((lits, taken)) = inputs.literals() else { return Ok(false) };
    let n = lits.len();
    let (first, last) = (first.saturating_sub(taken), last.saturating_sub(taken));
    let Some(outputs) = enc.outputs_size(n, first, last) else { return Ok(false) };
    let below = if first == 1 { Size::clauses(n as u64, 1) } else { Relation::AtMost(first - 1).size(enc, n) };
    let above = if last == n { Size::clauses(n as u64, 1) } else { Relation::AtLeast(last).size(enc, n) };
    let mut halves = below + above;
    let mut size = outputs + Size::clauses(2, 2);
    if first < last {
        halves += Relation::Exactly(first).size(enc, n) + Size::variables(1);
        size += Size::clause(3);
    }
    if size.cost() > halves.cost() {
        return Ok(false);
    }
    sink.reserve(&size)?;
    match enc.outputs(sink, lits, first, last)?.as_deref() {
        Some(&[enough]) => {
            sink.add_clause(&[!r, enough])?;
            sink.add_clause(&[r, !enough])?;
        }
        Some(&[enough, more]) => {
            sink.add_clause(&[!r, enough])?;
            sink.add_clause(&[!r, !more])?;
            sink.add_clause(&[r, !enough, more])?;
        }
        _ => return Ok(false),
    }
    Ok(true)
}
