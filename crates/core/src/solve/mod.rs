//! The way from formulas to solvers: the sink in front of any rustsat solver, and the solving of a formula with an
//! [`Assignment`] as answer.

mod assignment;
mod cores;
mod optimum;
mod question;
mod sink;
mod watched;

pub use assignment::Assignment;
pub use cores::{minimal, smallest};
pub use question::load;
pub use sink::{SolverSink, engine};
pub use watched::watched;
