//! Proofs that clauses follow from constraints, for a checker of somebody else's.
mod batch;
mod derive;
mod lines;
mod meaning;
mod propagate;

pub(crate) use self::batch::Batch;
pub(crate) use self::derive::derive;
pub(crate) use self::lines::{Id, Lines};
