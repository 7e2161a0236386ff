//! Cardinality and pseudo-Boolean constraints as clauses (CNF): the encodings of [cnfkit], the front door to them, and
//! the sinks that clauses go to.
//!
//! Programs depend on [cnfkit], which re-exports every name of this crate and shows how to use it. Without a feature
//! there is no solver here; with the feature `solve`, or that of a solver, a [`Cnf`] is handed to any [`rustsat`]
//! solver.
//!
//! [cnfkit]: https://docs.rs/cnfkit

// docs.rs says beside each item which feature it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(all(
    feature = "any-solver",
    not(any(feature = "batsat", feature = "cadical", feature = "glucose", feature = "kissat", feature = "minisat"))
))]
compile_error!(
    "the feature `any-solver` is internal: turn on a solver instead, one of `batsat`, `cadical`, `glucose`, `kissat` \
     and `minisat`, each of which turns it on"
);

pub use rustsat;

// Rooms that are hidden are public for the crates of cnfkit alone: users find their names at the root.
mod amo;
#[doc(hidden)]
pub mod card;
#[doc(hidden)]
pub mod choose;
#[doc(hidden)]
pub mod cnf;
pub mod constrain;
#[doc(hidden)]
pub mod constraint;
#[cfg(feature = "solve")]
#[doc(hidden)]
pub mod deadline;
#[doc(hidden)]
pub mod dimacs;
pub mod encode;
#[doc(hidden)]
pub mod erase;
mod expr;
#[doc(hidden)]
pub mod gcd;
mod grown;
#[doc(hidden)]
pub mod guard;
mod instance;
#[cfg(feature = "solve")]
#[doc(hidden)]
pub mod limits;
#[doc(hidden)]
pub mod normal;
#[doc(hidden)]
pub mod parity;
#[doc(hidden)]
pub mod pb;
#[doc(hidden)]
pub mod random;
#[doc(hidden)]
pub mod read;
#[doc(hidden)]
pub mod relation;
#[cfg(feature = "solve")]
#[doc(hidden)]
pub mod running;
#[doc(hidden)]
pub mod sink;
#[doc(hidden)]
pub mod size;
#[cfg(feature = "solve")]
#[doc(hidden)]
pub mod solve;
#[cfg(feature = "solve")]
pub mod solvers;
#[doc(hidden)]
pub mod sort;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[doc(hidden)]
pub mod truth;
#[doc(hidden)]
pub mod words;

pub use choose::names;
pub use cnf::{CapacityError, Clauses, Cnf};
pub use constrain::Constrain;
pub use constraint::{Constraint, EncodingName, Goal, Sum, Terms};
pub use encode::{AtMostK, AtMostOne, Encoding, Plan};
pub use encodings::*;
pub use expr::{BoolExpr, ExprError};
#[doc(hidden)]
pub use expr::{ExprLine, ExprStep};
pub use guard::{Guarded, KeepOrder};
#[cfg(feature = "solve")]
pub use limits::{Limits, SolveError, Stopped};
pub use read::ReadError;
pub use relation::{PbRelation, Relation};
pub use rustsat::types::{Lit, Var};
use sink::writer;
pub use sink::{ClauseSink, Layer, Lits, Tally};
pub use size::Size;
#[cfg(feature = "solve")]
pub use solve::{Assignment, SolverSink, Strategy};

/// All encodings by their types, and the names that choose among them.
pub mod encodings {
    #[doc(inline)]
    pub use crate::amo::{
        Bimander, Bitwise, Commander, IncAtMostOne, IncExactlyOne, Ladder, Nested, Optimal, Pairwise, Product,
    };
    #[doc(inline)]
    pub use crate::card::{
        Adder, Bound, CardinalityNetwork, Combinatorial, Count, Counter, DecisionDiagram, GeneralizedProduct,
        GridCompression, IncTotalizer, KModuloTotalizer, ModuloTotalizer, Network, SequentialCounter, SequentialForm,
        Totalizer,
    };
    #[doc(inline)]
    pub use crate::choose::{
        AmoEncoding, CardEncoding, OneModel, PbEncoding, UnknownAmoEncoding, UnknownCardEncoding, UnknownPbEncoding,
    };
    #[doc(inline)]
    pub use crate::parity::ParityCut;
    #[doc(inline)]
    pub use crate::pb::{
        BinaryAdder, DynamicPolyWatchdog, GeneralizedTotalizer, GlobalWatchdog, IntervalDiagram, LocalWatchdog,
        MixedRadixSorter, SequentialWeightCounter, WeightedCounter,
    };
}
