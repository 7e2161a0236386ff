//! Values in all solutions, and values in some, found by one model after another, each of which must show something
//! new.
//!
//! A literal's value in the first model is a candidate for being common to all. The solver is asked for a model with
//! the opposite; every model it finds strikes out all candidates it contradicts, so that most literals need no question
//! of their own. This is the backbone algorithm of one test a literal with model rotation left out (Janota, Lynce,
//! Marques-Silva, *Algorithms for Computing Backbones of Propositional Formulae*, AI Communications 28(2), 2015, pp.
//! 161–177).

use rustsat::types::Lit;

use crate::lazy::{Violated, holds, holds_with};
use cnfkit_core::internals::{Clock, Session};
use cnfkit_core::{ClauseSink, SolveError};

/// Finds for each of `lits` its value in all models, `None` if models differ, and calls `decided` with its index as
/// soon as that is known. Returns `false` when there is no model.
///
/// # Errors
/// As the solver fails, or the clock runs out.
pub fn backbone(
    session: &mut Session,
    lits: &[Lit],
    clock: &Clock,
    violated: &mut Violated<'_>,
    mut decided: impl FnMut(usize, Option<bool>),
) -> Result<bool, SolveError> {
    if !holds_with(session, &[], clock, violated)? {
        return Ok(false);
    }
    let mut open: Vec<(usize, bool)> = lits.iter().map(|&lit| session.is_true(lit)).enumerate().collect();
    while let Some((index, value)) = open.pop() {
        let other = if value { !lits[index] } else { lits[index] };
        if holds_with(session, &[other], clock, violated)? {
            decided(index, None);
            open.retain(|&(index, value)| {
                let same = session.is_true(lits[index]) == value;
                if !same {
                    decided(index, None);
                }
                same
            });
        } else {
            decided(index, Some(value));
            session.add_clause(&[!other])?;
        }
    }
    Ok(true)
}

/// The literals, out of `lits`, that no model makes true; `None` when there is no model.
///
/// Each model must make one true that no model before did: one clause over what is left, which shrinks, asks for it.
///
/// # Errors
/// As the solver fails, or the clock runs out.
pub fn seen_in_some(session: &mut Session, lits: &[Lit], clock: &Clock) -> Result<Option<Vec<Lit>>, SolveError> {
    let mut unseen = lits.to_vec();
    let mut exists = false;
    while (!exists || !unseen.is_empty()) && holds(session, &[], clock)? {
        exists = true;
        unseen.retain(|&lit| !session.is_true(lit));
        session.add_clause(&unseen)?;
    }
    Ok(exists.then_some(unseen))
}
