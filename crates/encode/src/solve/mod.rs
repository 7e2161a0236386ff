//! The way from formulas to solvers: the sink in front of any rustsat solver, and the solving of a formula with an
//! [`Assignment`] as answer.

mod assignment;
mod cores;
mod question;
mod sink;
mod strategy;
mod watched;

pub use assignment::{Assignment, Named};
pub use cores::{minimal, smallest};
pub use question::load;
pub use sink::{SolverSink, engine, within_reach};
pub use strategy::Strategy;
pub use watched::watched;
