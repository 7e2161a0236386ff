//! The first lines of a certificate, and its model.

use std::fs::File;
use std::path::Path;

use rustsat::types::{self, Lit};

use crate::certify::Lines;
use crate::cnf::{CapacityError, Cnf};
use crate::formula::{CertifiedSource, Certifier, CertifyError, OpbLits};
use crate::lazy::MOST_WRITTEN;
use crate::running::Clock;
use crate::size::Size;

/// Makes the folder, and writes the formula, with its objective or without, and a proof as far as the last clause.
pub(super) fn begin<'s>(
    source: CertifiedSource<'s, '_>,
    dir: &Path,
    objective: bool,
    watches: bool,
    go_on: &'s dyn Fn() -> bool,
) -> Result<Certifier<'s, 'static>, CertifyError> {
    let needed = Size::variables(source.formula.n_vars() as u64);
    let limit = Size { vars: MOST_WRITTEN, ..Cnf::DEFAULT_LIMIT };
    if !needed.fits(&limit) {
        return Err(CapacityError::new(needed, limit).into());
    }
    CertifyError::new_folder(dir)?;
    let [opb, text] = ["formula.opb", "proof.pbp"].map(|name| File::create(dir.join(name)));
    source.certified(opb?, Lines::new(text?), objective, watches, go_on)
}

/// An error that says which limit ended the question.
pub(super) fn because(error: CertifyError, clock: &Clock) -> CertifyError {
    if matches!(error, CertifyError::Interrupted(_)) { CertifyError::Interrupted(clock.why()) } else { error }
}

/// A model of the clauses as one of the formula that was given, and the values of all variables of the proof.
pub(super) fn complete(
    source: CertifiedSource<'_, '_>,
    few: OpbLits,
    n_vars: usize,
    is_true: impl Fn(Lit) -> bool,
) -> (types::Assignment, Vec<Lit>) {
    let all = (0..n_vars as u32).map(Lit::positive);
    let mut values: Vec<Lit> = all.map(|lit| if is_true(lit) { lit } else { !lit }).collect();
    let own = few.values(source.formula, is_true);
    values[few.0 as usize..][..own.len()].copy_from_slice(&own);
    let own = &mut values[..source.given().n_vars()];
    let mut model: types::Assignment = own.iter().copied().collect();
    if let Some(detected) = source.detected {
        detected.complete_values(&mut model);
        let all = (0..).map(Lit::positive).zip(own);
        all.for_each(|(lit, value)| *value = if model.lit_value(lit) == types::TernaryVal::True { lit } else { !lit });
    }
    few.say(source.formula, source.given(), &mut values);
    (model, values)
}
