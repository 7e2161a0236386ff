//! cnfkit
pub use rustsat;

mod amo;
mod card;
mod cnf;
mod constrain;
pub mod interop;
mod puzzle;
#[cfg(feature = "any-solver")]
mod session;
mod sink;
mod solve;
pub mod solvers;
#[cfg(test)]
mod testing;

pub use amo::{
    AmoEncoding, AtMostOne, Bimander, Bitwise, Commander, Ladder, Nested, Optimal, Pairwise, Product,
    UnknownAmoEncoding,
};
pub use card::{
    Adder, AtMostK, Bound, CardEncoding, CardinalityNetwork, Combinatorial, Count, Counter, DecisionDiagram,
    IncTotalizer, KModuloTotalizer, ModuloTotalizer, Network, ParallelCounter, SequentialCounter, SequentialForm,
    Totalizer, UnknownCardEncoding,
};
pub use cnf::{CapacityError, Clauses, Cnf, DimacsError};
pub use constrain::Constrain;
pub use rustsat::types::{Lit, Var};
pub use sink::{ClauseSink, Guarded, KeepOrder, Size, Tally};
pub use solve::{Limits, SolveError, SolverSink};

// Gem Hunter.
pub use puzzle::gem_hunter::{
    self, Cell, GemError, GemHunterEncoder, GemMap, GemParseError, GemParser, Neighbourhood, NeighbourhoodError,
    Redundancy, Violation,
};
#[cfg(feature = "any-solver")]
pub use puzzle::gem_hunter::{Deduction, Kind, Strategy as GemStrategy};

// Sudoku.
#[cfg(feature = "any-solver")]
pub use puzzle::sudoku::SudokuSolver;
pub use puzzle::sudoku::{
    self, Grid, GridError, Group, Layout, LayoutError, Problem, ProblemKind, Strategy, SudokuEncoder, SudokuError,
};
