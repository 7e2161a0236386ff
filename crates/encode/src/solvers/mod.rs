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
//! `External` is any program that reads DIMACS.
//!
//! CaDiCaL and Kissat cannot be linked into one program (both define the same symbols): with both features on, only
//! CaDiCaL is here.

mod adapters;
#[cfg(feature = "batsat")]
mod batsat;
mod interrupt;

pub use adapters::{Anew, Plain};
#[doc(hidden)]
pub use adapters::{InterruptAnew, Never};
#[cfg(feature = "batsat")]
pub use batsat::BatSat;
#[doc(hidden)]
pub use interrupt::Interrupter;

use rustsat::solvers::{GetInternalStats, Interrupt, LimitConflicts, PhaseLit};
/// The traits and the answer of rustsat's solvers: `solve`, and `solve_assumps` for solvers that are asked again.
pub use rustsat::solvers::{Solve, SolveIncremental, SolverResult};

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

/// A rustsat solver that every question can be put to: it is asked again under assumptions, interrupted, limited in
/// conflicts, told the value to try first, and says how many conflicts it had.
///
/// `BatSat`, `CaDiCaL`, `Glucose` and `MiniSat` are such solvers, and any other that implements these five traits of
/// rustsat. [`Plain`] makes one of a solver that is only asked again, [`Anew`] of one that is asked once (`Kissat`),
/// `External` of a program.
///
/// ```
/// use cnfkit::Limits;
/// use cnfkit::solvers::Solver;
/// use cnfkit::{ClauseSink, SolveError, SolverSink};
///
/// fn any_of_three(solver: impl Solver) -> Result<bool, SolveError> {
///     let mut sink = SolverSink::owned(solver);
///     let x = sink.new_lits(3);
///     sink.add_clause(&x)?;
///     sink.solve(&Limits::none(), &[!x[0], !x[1]])
/// }
/// assert!(any_of_three(cnfkit::solvers::BatSat::default()).unwrap());
/// ```
pub trait Solver: SolveIncremental + Interrupt + LimitConflicts + PhaseLit + GetInternalStats {}

impl<S: SolveIncremental + Interrupt + LimitConflicts + PhaseLit + GetInternalStats> Solver for S {}

/// The default solver, to be asked again.
#[cfg(any(feature = "batsat", feature = "cadical", feature = "glucose", feature = "minisat"))]
#[doc(hidden)]
#[must_use]
pub fn default_solver() -> impl Solver + 'static {
    DefaultSolver::default()
}

/// The default solver, to be asked again.
#[cfg(all(
    feature = "kissat",
    not(any(feature = "batsat", feature = "cadical", feature = "glucose", feature = "minisat"))
))]
#[doc(hidden)]
#[must_use]
pub fn default_solver() -> impl Solver + 'static {
    Anew::new(DefaultSolver::default)
}

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
