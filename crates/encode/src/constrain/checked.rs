//! Written sizes are compared with planned ones: builds with debug assertions count it, for encodings of others too.

use crate::constraint::Constraint;
use crate::encode::Plan;
use crate::writer::{Full, Writer};

/// Writes a plan; with debug assertions, panics if what comes is not exactly as large as was planned.
pub(super) fn write_planned(plan: &Plan<'_>, constraint: &Constraint<'_>, to: &mut Writer<'_>) -> Result<(), Full> {
    if !cfg!(debug_assertions) {
        return plan.write(constraint, to);
    }
    let (planned, written) = (plan.size(), to.counting(|to| plan.write(constraint, to))?);
    assert!(planned == written, "planned: {planned}; written: {written}; for {:?}", constraint.sum);
    Ok(())
}
