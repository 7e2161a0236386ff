//! Certificates about all solutions, in two parts: a solution, and that none satisfies one more clause.

use std::path::Path;

use rustsat::types::Lit;

use crate::formula::{CertifyError, Formula};
use crate::running::Asking;
use crate::sink::ClauseSink;
use crate::solve::Assignment;

/// Solves the rules, with a certificate in `dir/solution`; then, with the clause that `other` makes of the solution,
/// once more, with a certificate in `dir/other`. A clause without literals is not asked about.
///
/// # Errors
/// As [`Formula::solve_certified`], and as `other` fails.
pub fn in_two_parts<E: From<CertifyError>>(
    mut rules: Formula,
    dir: &Path,
    asking: &Asking,
    other: impl FnOnce(&Assignment) -> Result<Vec<Lit>, E>,
) -> Result<Option<(Assignment, Option<Assignment>)>, E> {
    CertifyError::new_folder(dir)?;
    let Some(solution) = rules.solve_certified(dir.join("solution"), &asking.limits)? else { return Ok(None) };
    let clause = other(&solution)?;
    if clause.is_empty() {
        return Ok(Some((solution, None)));
    }
    rules.add_clause(&clause).map_err(CertifyError::Capacity)?;
    let second = rules.solve_certified(dir.join("other"), &asking.limits)?;
    Ok(Some((solution, second)))
}
