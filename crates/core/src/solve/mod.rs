//! The way from formulas to solvers: the sink in front of any rustsat solver, and the solving of a formula with an
//! [`Assignment`] as answer.

mod assignment;
mod cores;
mod optimum;
mod question;
mod sink;
mod strategy;
#[cfg(all(test, feature = "batsat"))]
mod tests;
mod watched;

pub use assignment::Assignment;
pub use sink::SolverSink;
pub use strategy::Strategy;

// For the other crates of cnfkit.
#[cfg(feature = "internals")]
pub use self::{
    cores::{minimal, smallest},
    question::load,
    sink::{engine, within_reach},
    watched::watched,
};
