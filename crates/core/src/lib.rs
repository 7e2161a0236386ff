//! Cardinality and pseudo-Boolean constraints as clauses (CNF), for any [`rustsat`] solver: the encodings of [cnfkit],
//! the front door to them, constraints as data, and their way to and from rustsat.
//!
//! Programs depend on [cnfkit], which re-exports every name of this crate and shows how to use it.
//!
//! [cnfkit]: https://docs.rs/cnfkit

// docs.rs says beside each item which feature it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
// What the other crates use is public, whether they are there or not.
#![cfg_attr(not(feature = "internals"), allow(unreachable_pub))]

#[cfg(all(
    feature = "any-solver",
    not(any(feature = "batsat", feature = "cadical", feature = "glucose", feature = "kissat", feature = "minisat"))
))]
compile_error!(
    "the feature `any-solver` is internal: turn on a solver instead, one of `batsat`, `cadical`, `glucose`, `kissat` \
     and `minisat`, each of which turns it on"
);

pub use rustsat;

mod amo;
mod card;
mod certify;
mod choose;
mod cnf;
pub mod constrain;
mod constraint;
mod cubes;
mod deadline;
mod dimacs;
pub mod encode;
mod erase;
pub mod formula;
mod gcd;
mod guard;
pub mod interop;
#[cfg(feature = "batsat")]
#[cfg_attr(not(feature = "internals"), allow(dead_code, unused_imports))]
mod lazy;
mod limits;
mod normal;
mod pb;
mod random;
mod read;
mod relation;
#[cfg(feature = "svg")]
pub mod render;
// Most of it is asked by the other crates; without a solver the clock is all that is needed.
#[cfg_attr(not(all(feature = "any-solver", feature = "internals")), allow(dead_code))]
mod running;
mod sink;
mod size;
#[cfg_attr(not(feature = "any-solver"), allow(dead_code, unused_imports))]
mod solve;
#[cfg(any(feature = "batsat", feature = "cadical"))]
mod solve_certified;
pub mod solvers;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod truth;
mod words;

pub use amo::{Bimander, Bitwise, Commander, IncAtMostOne, IncExactlyOne, Ladder, Nested, Optimal, Pairwise, Product};
pub use card::{
    Adder, Bound, CardinalityNetwork, Combinatorial, Count, Counter, DecisionDiagram, GeneralizedProduct,
    GridCompression, IncTotalizer, KModuloTotalizer, ModuloTotalizer, Network, ParallelCounter, SequentialCounter,
    SequentialForm, Totalizer,
};
pub use choose::{
    AmoEncoding, CardEncoding, PbEncoding, UnknownAmoEncoding, UnknownCardEncoding, UnknownPbEncoding, names,
};
pub use cnf::{CapacityError, Clauses, Cnf};
pub use constrain::Constrain;
pub use constraint::{Constraint, EncodingName, Goal, Sum, Terms};
pub use cubes::Cubes;
pub use encode::{AtMostK, AtMostOne, Encoding, Plan};
pub use formula::{CertifyError, Detected, Formula, Order};
pub use guard::{Guarded, KeepOrder};
pub use limits::{Limits, SolveError, Stopped};
pub use pb::{
    BinaryAdder, BinaryMerger, DynamicPolyWatchdog, GeneralizedTotalizer, GlobalWatchdog, IntervalDiagram,
    LocalWatchdog, MixedRadixSorter, MovingWatchdog, SequentialWeightCounter, WeightedCounter,
};
pub use read::ReadError;
pub use relation::{PbRelation, Relation};
pub use rustsat::types::{Lit, Var};
pub use sink::{ClauseSink, Layer, Lits, Tally};
pub use size::Size;
pub use solve::{Assignment, SolverSink, Strategy};

/// Names for the other crates of cnfkit; no promise of stability.
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals {
    pub use crate::deadline::{CLAUSES, Deadline, TimedSink};
    pub use crate::encode::Prepared;
    pub use crate::formula::{Origin, Origins};
    pub use crate::gcd::gcd;
    #[cfg(feature = "batsat")]
    pub use crate::lazy::{
        Asked, Attached, Ladder, LazyClauses, News, RawLit, Refuted, Sums, Told, Trail, raw, to_raw, unless,
    };
    pub use crate::normal::NormalSum;
    pub use crate::pb::{Diagram, Side};
    pub use crate::random::Random;
    pub use crate::running::{Asking, Clock, Engine, Oracle, resident_memory};
    pub use crate::sink::OnCnf;
    pub use crate::sink::free_variable;
    pub use crate::solve::{engine, load, minimal, smallest, watched, within_reach};
    pub use crate::truth::Truth;
}
