//! One re-export per solver feature, and the default among those that are on.
//!
//! | feature | solver | written in | needs to build |
//! |---|---|---|---|
//! | `batsat` (default) | `BatSat` | Rust | nothing more |
//! | `minisat` | `MiniSat` | C++ | cmake, libclang, g++ |
//! | `glucose` | `Glucose` | C++ | cmake, libclang, g++ |
//! | `cadical` | `CaDiCaL` | C++ | libclang, g++ |
//! | `kissat` | `Kissat` | C | libclang, gcc |
//!
//! [`DefaultSolver`] is the first of batsat, cadical, glucose, minisat and kissat that is on: whatever else is on,
//! batsat stays the default until `default-features = false` takes it out, so that turning a solver on changes no
//! result. Any other is handed over: [`Cnf::solve_with`](crate::Cnf::solve_with), [`SolverSink`](crate::SolverSink).
//!
//! [`External`] is any program that reads DIMACS.
//!
//! CaDiCaL and Kissat cannot be linked into one program (both define the same symbols): with both features on, only
//! CaDiCaL is here.

mod external;

pub(crate) use external::{EngineAnswer, Format, answer_in};
pub use external::{External, ExternalError, Failure};

#[doc(inline)]
pub use cnfkit_encode::solvers::*;
