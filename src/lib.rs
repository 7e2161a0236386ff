//! *Exactly one*, *at most k* and *at least k* of n literals as clauses (CNF), for any [`rustsat`] solver: all
//! encodings behind one call, among them the smallest that any library has, with the exact size known before the first
//! clause.
//!
#![cfg_attr(feature = "batsat", doc = "```")]
#![cfg_attr(not(feature = "batsat"), doc = "```ignore")]
#![doc = include_str!("../examples/quickstart.rs")]
#![doc = "```"]
//!
//! # What to take
//!
//! | I have | I want | take |
//! |---|---|---|
//! | rules | a formula, an answer | [`Formula`]; [`Constrain`]: `at_most`, `exactly_one`, `pb_at_most`, `parity`, `require`, `when`, … |
//! | rules without a solution | those that contradict each other | [`Formula::group`], `unsat_core` |
//! | costs or worths | the least or greatest sum | [`Formula::set_objective`], `minimum`, `maximum` |
//! | another solver, little time, assumptions, a proof | the same answers | `Questions::ask`: `formula.ask().time_limit(minute).minimum()` |
//! | constraints one by one | clauses at once, in memory or in a solver | [`Cnf`], [`SolverSink`]; a sink of yours is a [`ClauseSink`] |
//! | bounds that move, literals that come later | counts as literals | [`IncTotalizer`], [`WeightedCounter`], [`IncExactlyOne`] |
//! | a choice of encodings | one by name; its type, size, source | [`AmoEncoding`], [`CardEncoding`], [`PbEncoding`]; [`encodings`], [`names`] |
//! | an encoding of mine | to use it everywhere, tested | [`encode::ByRelation`], the feature `testing` |
//! | an answer | a proof of it that VeriPB checks | `formula.ask().proof(dir).solve()`, [`Formula::certify`] |
//! | a solver from rustsat, or a program | to ask it | `solvers`: `External` for programs |
//! | a rustsat program | our encodings in it | [`interop`], `Formula::try_from(instance)` |
//! | files, and no Rust | to encode, solve, optimise, check | `crates/cli`: the program `cnfkit` |
//! | DIMACS, KNF, OPB, WCNF | a formula, or constraints found in clauses | [`Formula::read_opb`] …, [`Formula::lits`], [`Formula::detect`] |
//! | integers, `all_different`, `element` | solutions | [`model`] |
//! | all solutions, their number, what they share | answers of a formula, or of a type of mine that encodes itself | `solutions`, `count`, `backbone`; [`ask`]: `Ask::new(&mine)` |
//! | a Sudoku, a board of Gem Hunter | to solve, explain and make it | [`sudoku`], [`gem_hunter`] |
//!
//! `use cnfkit::prelude::*` has the names of the first hour.
//!
//! # Words
//!
//! * A **literal** is a variable or its negation; a **clause** is true when one of its literals is; a **formula** is a
//!   list of clauses, all of which are to be true. **CNF** is that form.
//! * A **cardinality constraint** bounds how many of its **n** literals, its *inputs*, are true; **k** is the bound.
//! * A **pseudo-Boolean constraint** (PB) bounds the sum of the **weights** of its true literals. A **group** is a set
//!   of its literals of which at most one is true by another constraint; a group by [name](Formula::group), of clauses
//!   and constraints, is something else.
//! * An **auxiliary** is a variable that an encoding adds.
//! * **Unit propagation** makes a literal true if all others of its clause are false, until nothing changes.
//! * An encoding is **generalised arc consistent** (GAC) if unit propagation alone derives every input that follows
//!   from the inputs with values, and every contradiction. All encodings here are GAC, for literals of distinct
//!   variables, except those marked *not GAC*. The tests hold each to that on every partial assignment of up to 9
//!   inputs.
//! * A clause **enforces** if it restricts the inputs; it **defines** if it only says what auxiliaries mean. A
//!   condition is added to the former only.
//! * The **size** of a constraint is how many auxiliaries, clauses and literals it adds. It is exact, and known before
//!   encoding: [`CardEncoding::size`], [`PbEncoding::size`], [`Constraint::size`], [`Formula::size`].
//!
//! # Features
//!
//! * `batsat` (on by default), `minisat`, `glucose`, `cadical` and `kissat` turn on a solver each: see [`solvers`].
//! * `sudoku` and `gem-hunter` (on by default) are the two puzzles, and `model` is models, which ask a solver.
//! * `formula` is [`Formula`] and [`SolverSink`] without a solver; each feature above turns it on. Without any feature
//!   there are the encodings alone, for a [`Cnf`] or a sink of yours.
//! * `full` is everything but the solvers in C and C++.
//! * Of the puzzles, `hints` has the next step of a Sudoku and the reason of a cell of Gem Hunter; `make` new puzzles,
//!   and how hard a Sudoku is; `probabilities` the chance of a trap in each cell, and the best move; `proofs`
//!   certificates of their answers.
//! * `rayon` solves streams of Sudokus on all cores, and `svg` draws puzzles, other grids and the structure of
//!   encodings: the module `render`.
//! * `relaxation` gives searches for optima the lower bound of their linear relaxation, by the interior-point solver of
//!   the crate `clarabel`.
//! * `testing` is for tests of encodings of yours: the suites that all encodings here pass, as the module `testing`.
//!
//! # Errors and panics
//!
//! Encoding fails only as the sink fails: a [`Cnf`] refuses with a [`CapacityError`] what is larger than its limit,
//! before its first clause. A bound that cannot be met is no error but an unsatisfiable formula. A constraint over a
//! variable that the sink does not know panics, with a message: it is a bug of the caller's that would otherwise show
//! as wrong answers. [Clauses](ClauseSink::add_clause) may have any variables; every sink takes note of them. Puzzles
//! keep wrong input, no solution and interruption apart; no text that they read panics.

// docs.rs says beside each item which feature it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

pub use cnfkit_encode::rustsat;

#[cfg(feature = "svg")]
#[doc(inline)]
pub use cnfkit_core::render;
#[cfg(feature = "formula")]
#[doc(inline)]
pub use cnfkit_core::{formula, interop, solvers};
#[cfg(feature = "testing")]
#[doc(inline)]
pub use cnfkit_encode::testing;
#[doc(inline)]
pub use cnfkit_encode::{constrain, encode, names};

#[cfg(feature = "formula")]
#[doc(inline)]
pub use cnfkit_core::{Assignment, Formula, Limits, SolveError, SolverSink};
#[doc(inline)]
pub use cnfkit_encode::{
    AmoEncoding, BoolExpr, CapacityError, CardEncoding, ClauseSink, Cnf, Constrain, Lit, PbEncoding, Size,
};

// The docs show them where they belong: in `constrain`, `encode`, `encodings` and `formula`.
#[cfg(feature = "formula")]
#[doc(hidden)]
pub use cnfkit_core::{CertifyError, Cubes, Detected, Order, Stopped};
#[doc(hidden)]
pub use cnfkit_encode::encodings::*;
#[doc(hidden)]
pub use cnfkit_encode::{
    AtMostK, AtMostOne, Clauses, Constraint, Encoding, EncodingName, ExprError, Goal, Guarded, KeepOrder, Layer, Lits,
    PbRelation, Plan, ReadError, Relation, Sum, Tally, Terms, Var,
};

#[doc = include_str!("encodings.md")]
pub mod encodings {
    #[doc(inline)]
    pub use cnfkit_encode::encodings::*;
}

#[cfg(feature = "formula")]
#[doc = include_str!("engines.md")]
pub mod engines {
    #[doc(inline)]
    pub use cnfkit_core::Cubes;
}

#[doc = include_str!("proofs.md")]
pub mod proofs {}

/// Pages that are read one after the other.
#[cfg(all(feature = "batsat", feature = "model"))]
pub mod guide {
    #[allow(unused_imports)] // the links of the pages
    use crate::prelude::*;

    #[doc = include_str!("guide/ten_minutes.md")]
    pub mod ten_minutes {}

    #[doc = include_str!("guide/weights.md")]
    pub mod weights {}

    #[doc = include_str!("guide/kinds.md")]
    pub mod kinds {}

    #[doc = include_str!("guide/incremental.md")]
    pub mod incremental {}

    #[doc = include_str!("guide/coming_from.md")]
    pub mod coming_from {}
}

/// The names of the first hour, in one line: `use cnfkit::prelude::*`.
///
/// ```
/// # #[cfg(feature = "batsat")]
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use cnfkit::prelude::*;
///
/// let mut formula = Formula::new();
/// let x = formula.new_lits(4);
/// formula.exactly_one(&x, AmoEncoding::Auto)?;
/// formula.when(x[0]).at_least(&x[1..], 1, CardEncoding::Auto)?;
/// formula.set_objective([(x[1], 3), (x[2], 2), (x[3], 5)]);
/// assert_eq!(formula.minimum()?.map(|best| best.value), Some(2));
/// assert!(formula.unsat_core()?.is_none());
/// # Ok(())
/// # }
/// # #[cfg(not(feature = "batsat"))]
/// # fn main() {}
/// ```
pub mod prelude {
    #[doc(no_inline)]
    pub use cnfkit_encode::encodings::Bound;
    #[doc(no_inline)]
    pub use cnfkit_encode::{
        AmoEncoding, BoolExpr, CapacityError, CardEncoding, ClauseSink, Cnf, Constrain, Lit, PbEncoding, PbRelation,
        Relation, Size, Var,
    };

    #[cfg(feature = "formula")]
    #[doc(no_inline)]
    pub use cnfkit_core::{Assignment, Formula, Limits, SolveError, SolverSink};

    #[cfg(feature = "any-solver")]
    #[doc(no_inline)]
    pub use cnfkit_ask::{Ask, Questions};
}

#[cfg(feature = "any-solver")]
#[doc(inline)]
pub use self::asking::*;

/// The names that ask a solver.
#[cfg(feature = "any-solver")]
mod asking {
    // One solver asked again and again; the rest of its names is in `ask`.
    #[doc(inline)]
    pub use cnfkit_ask::{self as ask, Questions};
    // Earlier names of it.
    #[doc(hidden)]
    pub use cnfkit_ask::{Explain, Optimise};

    #[cfg(feature = "gem-hunter")]
    #[doc(hidden)]
    pub use cnfkit_gem_hunter::{Deduction, Kind};
}

#[cfg(feature = "model")]
#[doc(inline)]
pub use cnfkit_model as model;

// Gem Hunter; the docs show the rest of its names in `gem_hunter`.
#[cfg(feature = "gem-hunter")]
#[doc(inline)]
pub use cnfkit_gem_hunter::{self as gem_hunter, GemHunterEncoder, GemMap};
#[cfg(feature = "gem-hunter")]
#[doc(hidden)]
pub use cnfkit_gem_hunter::{Cell, GemError, Neighbourhood};

// Sudoku; the docs show the rest of its names in `sudoku`.
#[cfg(feature = "sudoku")]
#[doc(inline)]
pub use cnfkit_sudoku::{self as sudoku, Grid, SudokuEncoder};
#[cfg(feature = "sudoku")]
#[doc(hidden)]
pub use cnfkit_sudoku::{Layout, SudokuError};

/// The programs of the README run as they stand.
#[cfg(all(doctest, feature = "batsat", feature = "sudoku", feature = "gem-hunter"))]
#[doc = include_str!("../README.md")]
mod readme {}
