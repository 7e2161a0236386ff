//! Formulas on top of the encodings: constraints kept as data, merged, ordered and encoded at last; text formats,
//! detection, proofs, engines, and the way to and from rustsat.
//!
//! Programs depend on [cnfkit], which re-exports every name of this crate and shows how to use it.
//!
//! [cnfkit]: https://docs.rs/cnfkit

// docs.rs says beside each item which feature it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
// What proofs of answers need, which these two solvers write.
#![cfg_attr(not(any(feature = "batsat", feature = "cadical")), allow(dead_code, unused_imports))]

pub use cnfkit_encode::{self, rustsat};
// The rooms of the encodings, by the names that they have there.
use cnfkit_encode::{
    card, choose, cnf, constraint, deadline, dimacs, erase, gcd, guard, limits, normal, parity, pb, read, relation,
    running, sink, size, sort, words,
};
#[cfg(test)]
use cnfkit_encode::{random, testing};

// In the order in which the docs of `Formula` have their methods.
pub mod formula;

mod solve;

mod certify;
mod cubes;
pub mod interop;
#[doc(hidden)]
pub mod lazy;
#[cfg(feature = "svg")]
pub mod render;
#[cfg(feature = "any-solver")]
mod session;
#[cfg(any(feature = "batsat", feature = "cadical"))]
mod solve_certified;
pub mod solvers;

pub use cnfkit_encode::encodings::*;
pub use cnfkit_encode::{
    Assignment, AtMostK, AtMostOne, BoolExpr, CapacityError, ClauseSink, Clauses, Cnf, Constrain, Constraint, Encoding,
    EncodingName, ExprError, Goal, Guarded, KeepOrder, Layer, Limits, Lit, Lits, PbRelation, Plan, ReadError, Relation,
    Size, SolveError, SolverSink, Stopped, Strategy, Sum, Tally, Terms, Var, names,
};
#[doc(hidden)]
pub use cnfkit_encode::{asking_methods, by_value};
pub use cnfkit_encode::{constrain, encode};
pub use cubes::Cubes;
pub use formula::{CertifyError, Detected, Formula, Order};

/// Names for the other crates of cnfkit; no promise of stability.
#[doc(hidden)]
pub mod internals {
    pub use cnfkit_encode::deadline::{CLAUSES, Deadline, TimedSink};
    pub use cnfkit_encode::encode::Prepared;
    pub use cnfkit_encode::gcd::gcd;
    pub use cnfkit_encode::normal::NormalSum;
    pub use cnfkit_encode::pb::{Diagram, Side};
    pub use cnfkit_encode::random::Random;
    pub use cnfkit_encode::running::{Asking, BEFORE_PROGRAMS, Clock, EngineChoice, Oracle, resident_memory};
    pub use cnfkit_encode::sink::free_variable;
    pub use cnfkit_encode::solve::{engine, load, minimal, smallest, watched, within_reach};
    pub use cnfkit_encode::sort;
    pub use cnfkit_encode::truth::Truth;

    pub use crate::formula::{Needless, Origin, Origins};
    pub use crate::lazy::{
        AskedBounds, LazyClauses, LazySums, MOST_WRITTEN, News, Patience, RawLit, Refuted, Trail, WeightLadder, raw,
    };
    #[cfg(feature = "any-solver")]
    pub use crate::session::{Bounded, Choices, Session};
    #[cfg(any(feature = "batsat", feature = "cadical"))]
    pub use crate::solve_certified::in_two_parts;
}
