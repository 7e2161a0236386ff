//! Reified bounds: one structure defined both ways, or two halves under conditions.

use rustsat::types::Lit;

use super::Relation;
use super::fold::{Bounds, Case, Folded, fold};
use crate::AtMostK;
use crate::guard::Guarded;
use crate::sink::{ClauseSink, Size};

/// What [`bounded`] adds under a condition, or a little more.
pub(super) fn half_size<S, E>(sink: &mut S, cond: Lit, lits: &[Lit], bounds: Bounds, enc: &E) -> Size
where
    S: ClauseSink + ?Sized,
    E: AtMostK,
{
    let guarded = Guarded::new(sink, &[cond]);
    let Folded { lits, taken, .. } = fold(&guarded, lits);
    let most = if bounds.most == usize::MAX { usize::MAX } else { bounds.most.saturating_sub(taken) };
    let bounds = Bounds { least: bounds.least.saturating_sub(taken).min(lits.len()), most };
    guarded.guarded_size(Case::of(lits.len(), bounds).size(enc, lits.len()))
}

/// Makes `r` true if and only if at least `first` of `lits` are and, where that is more, fewer than `last`: on one
/// structure. False, and nothing done, where halves are smaller, or trivial.
pub(super) fn shared<S: ClauseSink + ?Sized, E: AtMostK>(
    sink: &mut S,
    r: Lit,
    lits: &[Lit],
    (first, last): (usize, usize),
    enc: &E,
) -> Result<bool, S::Error> {
    let Folded { lits, taken, repeats } = fold(sink, lits);
    let n = lits.len();
    let (first, last) = (first.saturating_sub(taken), last.saturating_sub(taken));
    let trivial = first == 0 || last > n || n < 3 || (first == last && (first == 1 || first == n));
    if trivial || repeats || sink.fixed(r).is_some() || lits.iter().any(|lit| lit.var() == r.var()) {
        return Ok(false);
    }
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
    match enc.outputs(sink, &lits, first, last)?.as_deref() {
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
