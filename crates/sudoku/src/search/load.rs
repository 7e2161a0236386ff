//! The rules of what is open, given to a solver.

use crate::residue::Residue;
use crate::rules::RuleForm;
use cnfkit_core::SolveError;
use cnfkit_core::internals::Session;

/// Gives the solver the rules of what is open, with `crossings` in that form; clauses, unless it can look them up.
pub(super) fn load(
    residue: &mut Residue,
    session: &mut Session,
    form: RuleForm,
    crossings: bool,
) -> Result<(), SolveError> {
    #[cfg(feature = "batsat")]
    if !crossings && super::lazy_nine::attach(residue, session, form) {
        return Ok(());
    }
    residue.write(session, form, crossings)
}
