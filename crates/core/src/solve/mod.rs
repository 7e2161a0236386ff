//! The solving of a formula, with an [`Assignment`] as answer.

mod optimum;
mod question;

#[cfg(all(test, feature = "batsat"))]
mod differential;
#[cfg(all(test, feature = "batsat"))]
mod tests;

pub(crate) use cnfkit_encode::solve::{Assignment, SolverSink, Strategy};
