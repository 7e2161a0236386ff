//! Deduction: what follows from the givens without search.
//!
//! [`Candidates`] works at every side and shape: naked singles, hidden singles, locked candidates. [`Nine`] deduces
//! exactly that for 9×9 boxes alone, ten times as fast; beside it, and only for it, [`ChainColouring`] follows chains
//! of *either this or that*, and `probe` tries single candidates. [`DeductionTrail`] goes one step at a time and knows
//! the reasons, for people. Everything here keeps every solution, and a [`GridContradiction`] means that there is none.

pub(crate) mod bits;
pub(crate) mod candidates;
mod colour;
mod contradiction;
mod deduced;
pub(crate) mod nine;
mod probe;
#[cfg(test)]
pub(crate) mod samples;
#[cfg(feature = "hints")]
pub(crate) mod trail;

pub(crate) use contradiction::Halt;
pub(crate) use deduced::{Deduce, OpenGrid, deduction};
pub(crate) use nine::Nine;
