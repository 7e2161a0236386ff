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
//! CaDiCaL and Kissat cannot be linked into one program (both define the same symbols): with both features on, only
//! CaDiCaL is here.

/// The traits and the answer of rustsat's solvers: `solve`, and `solve_assumps` for solvers that are asked again.
pub use rustsat::solvers::{Solve, SolveIncremental, SolverResult};

/// BatSat, in pure Rust.
#[cfg(feature = "batsat")]
pub use rustsat_batsat::BasicSolver as BatSat;
/// CaDiCaL, in C++.
#[cfg(feature = "cadical")]
pub use rustsat_cadical::CaDiCaL;
/// Glucose, in C++.
#[cfg(feature = "glucose")]
pub use rustsat_glucose::core::Glucose;
/// Kissat, in C. Not here when the feature `cadical` is on too.
#[cfg(all(feature = "kissat", not(feature = "cadical")))]
pub use rustsat_kissat::Kissat;
/// MiniSat, in C++.
#[cfg(feature = "minisat")]
pub use rustsat_minisat::core::Minisat as MiniSat;

/// The solver behind every `solve()`: the first of batsat, cadical, glucose, minisat and kissat that is on.
#[cfg(feature = "batsat")]
pub type DefaultSolver = BatSat;
/// The solver behind every `solve()`: the first of batsat, cadical, glucose, minisat and kissat that is on.
#[cfg(all(feature = "cadical", not(feature = "batsat")))]
pub type DefaultSolver = CaDiCaL<'static, 'static>;
/// The solver behind every `solve()`: the first of batsat, cadical, glucose, minisat and kissat that is on.
#[cfg(all(feature = "glucose", not(any(feature = "batsat", feature = "cadical"))))]
pub type DefaultSolver = Glucose;
/// The solver behind every `solve()`: the first of batsat, cadical, glucose, minisat and kissat that is on.
#[cfg(all(feature = "minisat", not(any(feature = "batsat", feature = "cadical", feature = "glucose"))))]
pub type DefaultSolver = MiniSat;
/// The solver behind every `solve()`: the first of batsat, cadical, glucose, minisat and kissat that is on.
#[cfg(all(
    feature = "kissat",
    not(any(feature = "batsat", feature = "cadical", feature = "glucose", feature = "minisat"))
))]
pub type DefaultSolver = Kissat<'static>;
