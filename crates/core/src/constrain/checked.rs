//! Written sizes are compared with planned ones: builds with debug assertions count it, for encodings of others too.

use std::fmt::Display;

#[cfg(debug_assertions)]
use rustsat::types::Lit;

use crate::constraint::Constraint;
use crate::encode::Plan;
#[cfg(debug_assertions)]
use crate::erase::{AnySink, Stopped, erase};
use crate::sink::ClauseSink;
#[cfg(debug_assertions)]
use crate::sink::Layer;
#[cfg(debug_assertions)]
use crate::size::Size;

/// Writes a plan, and tells the sink that it does: what no encoding is needed for says no more than the caller did.
pub(super) fn write_planned<P, S>(plan: &P, constraint: &Constraint<'_>, sink: &mut S) -> Result<(), S::Error>
where
    P: Plan,
    S: ClauseSink + ?Sized,
{
    let is_simple = constraint.counted().is_some_and(|(lits, relation)| relation.simple(lits.len()).is_some());
    writing(sink, if is_simple { &"" } else { &constraint.sum }, |sink| write(plan, constraint, sink))
}

/// Tells the sink of the constraint whose clauses `write` sends it.
pub(crate) fn writing<S: ClauseSink + ?Sized, T>(
    sink: &mut S,
    constraint: &dyn Display,
    write: impl FnOnce(&mut S) -> T,
) -> T {
    sink.writes(Some(constraint));
    let written = write(sink);
    sink.writes(None);
    written
}

/// Writes a plan.
#[cfg(not(debug_assertions))]
#[inline]
fn write<P, S>(plan: &P, constraint: &Constraint<'_>, sink: &mut S) -> Result<(), S::Error>
where
    P: Plan,
    S: ClauseSink + ?Sized,
{
    plan.write(constraint, sink)
}

/// Writes a plan, and panics if what comes is not exactly as large as was planned. It goes through a sink that hides
/// the real one: an encoding that comes back to the front door would be compiled for a sink in front of a sink in front
/// of a sink, without end.
#[cfg(debug_assertions)]
fn write<P, S>(plan: &P, constraint: &Constraint<'_>, sink: &mut S) -> Result<(), S::Error>
where
    P: Plan,
    S: ClauseSink + ?Sized,
{
    erase(sink, |sink| {
        let mut counted = Counted { sink, size: Size::ZERO };
        plan.write(constraint, &mut counted)?;
        let (planned, written) = (plan.size(), counted.size);
        assert!(planned == written, "planned: {planned}; written: {written}; for {:?}", constraint.sum);
        Ok(())
    })
}

/// Counts what is written on its way.
#[cfg(debug_assertions)]
struct Counted<'s, 'a> {
    sink: &'s mut AnySink<'a>,
    size: Size,
}

#[cfg(debug_assertions)]
impl<'a> Layer for Counted<'_, 'a> {
    type Inner = AnySink<'a>;

    fn inner(&self) -> &AnySink<'a> {
        self.sink
    }

    fn inner_mut(&mut self) -> &mut AnySink<'a> {
        self.sink
    }

    fn pass_clause(&mut self, clause: &[Lit]) -> Result<(), Stopped> {
        self.size += Size::clause(clause.len());
        self.sink.add_clause(clause)
    }

    fn pass_definition(&mut self, clause: &[Lit]) -> Result<(), Stopped> {
        self.size += Size::clause(clause.len());
        self.sink.define(clause)
    }

    fn pass_new_lit(&mut self) -> Lit {
        self.size.vars += 1;
        self.sink.new_lit()
    }
}
