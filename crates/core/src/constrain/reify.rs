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

use super::fold::Folded;
use super::inputs::{Goal, Inputs};
use super::offer::{offered, offered_iff};
use super::plan::{Any, Encoder, Plan};
use crate::encode::{AtMostK, check_known};
use crate::guard::Guarded;
use crate::relation::Relation;
use crate::sink::{ClauseSink, Size};
use crate::through::through;

/// One half: what holds when `r` is true.
struct Half<'a> {
    r: Lit,
    /// Holds only for this value of the literal that says on which side of the bound the sum is.
    few: Option<bool>,
    folded: Folded<'a>,
}

impl<'a> Half<'a> {
    fn new(r: Lit, few: Option<bool>, inputs: &'a Inputs<'_>, goal: Goal) -> Self {
        Self { r, few, folded: inputs.where_true(r).fold(goal) }
    }
}

/// An encoding that may have one structure for both values of the reifying literal.
pub(super) trait Share: Encoder {
    /// True if one structure can say that the count is in a range: no half is trivial, or knows the value of an input.
    fn can_share<S: ClauseSink + ?Sized>(&self, sink: &S, r: Lit, inputs: &Inputs<'_>, range: (usize, usize)) -> bool {
        let _ = (sink, r, inputs, range);
        false
    }

    /// Makes `r` true if and only if at least as many of the inputs are as the range starts with and, where it ends
    /// with more, fewer than that: on one structure, where it [can](Self::can_share). False, and nothing done, where
    /// halves are smaller.
    fn shared<S: ClauseSink + ?Sized>(
        &self,
        sink: &mut S,
        r: Lit,
        inputs: &Inputs<'_>,
        range: (usize, usize),
    ) -> Result<bool, S::Error> {
        let _ = (sink, r, inputs, range);
        Ok(false)
    }
}

/// Makes `r` true if and only if the sum of `inputs` is as `goal` says.
pub(super) fn iff<S, E>(sink: &mut S, r: Lit, inputs: &Inputs<'_>, goal: Goal, enc: &E) -> Result<(), S::Error>
where
    S: ClauseSink + ?Sized,
    E: Share,
{
    check_known(sink, &[r]);
    // At least k is not at most k − 1. No sum is so large that a bound saturates below it.
    let (r, goal) = match goal {
        Goal::AtLeast(0) => return post_unit(sink, r),
        Goal::AtLeast(bound) => (!r, Goal::AtMost(bound - 1)),
        _ => (r, goal),
    };
    let number = |bound: u128| usize::try_from(bound).unwrap_or(usize::MAX);
    let half = |r, few, goal| Half::new(r, few, inputs, goal);
    let (output, range) = match goal {
        Goal::AtMost(bound) => (!r, (number(bound + 1), number(bound + 1))),
        Goal::AtLeast(bound) | Goal::Exactly(bound) => (r, (number(bound), number(bound + 1))),
    };
    let halves = || match goal {
        Goal::AtMost(bound) | Goal::AtLeast(bound) => {
            vec![half(r, None, Goal::AtMost(bound)), half(!r, None, Goal::AtLeast(bound + 1))]
        }
        Goal::Exactly(bound) => {
            let equal = half(r, None, Goal::Exactly(bound));
            match bound.checked_sub(1) {
                None => vec![equal, half(!r, None, Goal::AtLeast(1))],
                Some(less) if bound >= inputs.total() => vec![equal, half(!r, None, Goal::AtMost(less))],
                // Not equal: less, or more, as the solver likes.
                Some(less) => vec![
                    equal,
                    half(!r, Some(true), Goal::AtMost(less)),
                    half(!r, Some(false), Goal::AtLeast(bound + 1)),
                ],
            }
        }
    };
    if offered_iff(sink, r, inputs, goal, enc.aim())? {
        return Ok(());
    }
    let halves = halves();
    if enc.can_share(sink, r, inputs, range) {
        let first = &halves[0];
        if enc.aim().is_some() && offered(&mut Guarded::new(sink, &[first.r]), &first.folded, enc.aim())? {
            let rest = Planned::new(sink, &halves[1..], enc);
            sink.reserve(&rest.size)?;
            return rest.write(sink, enc);
        }
        if enc.shared(sink, output, inputs, range)? {
            return Ok(());
        }
    }
    // Each half is offered once all are announced: what a sink keeps stays, whatever it refuses after that.
    let all = Planned::new(sink, &halves, enc);
    sink.reserve(&all.size)?;
    all.write(sink, enc)
}

/// Makes `r` true.
pub(super) fn post_unit<S: ClauseSink + ?Sized>(sink: &mut S, r: Lit) -> Result<(), S::Error> {
    sink.reserve(&Size::clause(1))?;
    sink.add_clause(&[r])
}

/// Halves that are ready to be written, and their size together.
struct Planned<'a, E: Encoder> {
    size: Size,
    halves: Vec<(Lit, Option<bool>, Plan<'a, E>)>,
}

impl<'a, E: Encoder> Planned<'a, E> {
    fn new<S: ClauseSink + ?Sized>(sink: &mut S, halves: &[Half<'a>], enc: &E) -> Self {
        let mut size = Size::variables(u64::from(halves.iter().any(|half| half.few.is_some())));
        let mut plans = Vec::with_capacity(halves.len());
        for Half { r, few, folded } in halves {
            let plan = Plan::new(folded.clone(), enc);
            let mut own = Guarded::new(sink, &[*r]).guarded_size(plan.size());
            if few.is_some() {
                own.lits = own.lits.saturating_add(own.clauses);
            }
            size += own;
            plans.push((*r, *few, plan));
        }
        Self { size, halves: plans }
    }

    /// Writes all halves that the sink does not take as they are. The size was announced before.
    fn write<S: ClauseSink + ?Sized>(&self, sink: &mut S, enc: &E) -> Result<(), S::Error> {
        let mut side = None;
        for (r, few, plan) in &self.halves {
            let mut cond = vec![*r];
            if let Some(is_few) = few {
                let few = *side.get_or_insert_with(|| sink.new_lit());
                cond.push(if *is_few { few } else { !few });
            }
            let mut guarded = Guarded::new(sink, &cond);
            if !offered(&mut guarded, plan.folded(), enc.aim())? {
                through(&mut guarded, |sink| plan.write(sink, enc))?;
            }
        }
        Ok(())
    }
}

impl<E: AtMostK> Share for Any<'_, E> {
    fn can_share<S: ClauseSink + ?Sized>(
        &self,
        sink: &S,
        r: Lit,
        inputs: &Inputs<'_>,
        (first, last): (usize, usize),
    ) -> bool {
        let Some((lits, taken)) = inputs.literals() else { return false };
        let n = lits.len();
        let (first, last) = (first.saturating_sub(taken), last.saturating_sub(taken));
        let trivial = first == 0 || last > n || n < 3 || (first == last && (first == 1 || first == n));
        !trivial && sink.fixed(r).is_none() && lits.iter().all(|lit| lit.var() != r.var())
    }

    fn shared<S: ClauseSink + ?Sized>(
        &self,
        sink: &mut S,
        r: Lit,
        inputs: &Inputs<'_>,
        (first, last): (usize, usize),
    ) -> Result<bool, S::Error> {
        let Self(enc) = *self;
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
}
