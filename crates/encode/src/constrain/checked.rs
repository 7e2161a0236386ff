//! Writing a plan: a sink that keeps constraints is told of it, and written sizes are compared with
//! planned ones in builds with debug assertions, for encodings of others too.

use std::fmt::Display;

use crate::constraint::Constraint;
use crate::encode::Plan;
use crate::sink::ClauseSink;
use crate::writer::{Full, Writer};

/// Writes a plan, and tells the sink that it does: what no encoding is needed for says no more than the caller did.
pub(super) fn write_planned(plan: &Plan<'_>, constraint: &Constraint<'_>, to: &mut Writer<'_>) -> Result<(), Full> {
    let is_simple = constraint.counted().is_some_and(|(lits, relation)| relation.simple(lits.len()).is_some());
    to.writing(if is_simple { &"" } else { &constraint.sum }, &mut |to| {
        if !cfg!(debug_assertions) {
            return plan.write(constraint, to);
        }
        let (planned, written) = (plan.size(), to.counting(|to| plan.write(constraint, to))?);
        assert!(planned == written, "planned: {planned}; written: {written}; for {:?}", constraint.sum);
        Ok(())
    })
}

/// Tells the sink of the constraint whose clauses `write` sends it.
#[doc(hidden)]
pub fn writing<S: ClauseSink + ?Sized, T>(
    sink: &mut S,
    constraint: &dyn Display,
    write: impl FnOnce(&mut S) -> T,
) -> T {
    sink.writes(Some(constraint));
    let written = write(sink);
    sink.writes(None);
    written
}
