//! The solving of a formula, with an [`Assignment`] as answer.

mod optimum;
mod question;

#[cfg(all(test, feature = "batsat"))]
mod differential;
#[cfg(all(test, feature = "batsat"))]
mod tests;

pub use cnfkit_encode::solve::{
    Assignment, SolverSink, Strategy, engine, load, minimal, smallest, watched, within_reach,
};
