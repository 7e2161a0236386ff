//! *Exactly one*, *at most k* and *at least k* of n literals as clauses (CNF), for any [`rustsat`] solver: nineteen
//! encodings behind one call, among them the smallest that any library has, with the exact size known before the first
//! clause.
//!
#![cfg_attr(feature = "any-solver", doc = "```")]
#![cfg_attr(not(feature = "any-solver"), doc = "```ignore")]
#![doc = include_str!("../examples/quickstart.rs")]
#![doc = "```"]
//!
//! # Where to start
//!
//! * **Where clauses go** is a [`ClauseSink`]. Use a [`Formula`] always, unless the formula is to stream: it keeps
//!   constraints as data until all are known, and orders and encodes them together. A [`Cnf`] encodes each constraint
//!   as it comes, and a [`SolverSink`] hands the clauses to any rustsat solver without storing them. [`Tally`] only
//!   counts, [`interop::Collector`] is any rustsat collector, and a type of yours needs four methods.
//! * **Constraints** go through [`Constrain`], the front door on every sink:
//!   [`at_most_one`](Constrain::at_most_one), [`exactly_one`](Constrain::exactly_one), [`at_most`](Constrain::at_most),
//!   [`at_least`](Constrain::at_least), [`exactly`](Constrain::exactly), [`cardinality`](Constrain::cardinality) for a
//!   [`Relation`] that is data, their reified forms ([`iff_at_most`](Constrain::iff_at_most) …), and
//!   [`when`](Constrain::when) for conditions. Sums of weights: [`pb_at_most`](Constrain::pb_at_most),
//!   [`pb_at_least`](Constrain::pb_at_least), [`pb_exactly`](Constrain::pb_exactly), [`pb`](Constrain::pb) for a
//!   [`PbRelation`], and [`pb_grouped`](Constrain::pb_grouped) for sums with at-most-one groups, PB(AMO).
//! * **Encodings** are small values: one of the structs below, or a name of [`AmoEncoding`] or [`CardEncoding`]
//!   chosen at run time. `Auto` is the default, chosen by the conflicts that solvers need; `Smallest` has the fewest
//!   variables + clauses. Yours needs two methods: see [`AtMostOne`] and [`AtMostK`]. [`names`] translates the names of
//!   PySAT, rustsat and pindakaas.
//! * **Bounds that move** while a solver runs: [`Counter`] and [`IncTotalizer`] give counts as literals,
//!   [`WeightedCounter`] sums of weights. **Literals that come in** while it runs, of which at most or exactly one is
//!   true: [`IncAtMostOne`], [`IncExactlyOne`].
//! * **Code written for rustsat's encodings** takes ours by changing one type: [`interop`].
//! * **Optimisation**: [`Formula::set_objective`] sets an objective, and [`Formula::minimum`] finds its least value.
//! * **Numbers instead of literals**: a [`model`] has integer variables and constraints on them by name.
//! * **Puzzles**: [`sudoku`] and [`gem_hunter`]. Your own gets all solutions, their number, the backbone (the values
//!   that all solutions share) and unsatisfiable cores (parts that contradict each other) from [`ask`].
//!
//! # Words
//!
//! * A **literal** is a variable or its negation; a **clause** is true when one of its literals is; a **formula** is a
//!   list of clauses, all of which are to be true. **CNF** is that form.
//! * A **cardinality constraint** bounds how many of its **n** literals, its *inputs*, are true; **k** is the bound.
//! * A **pseudo-Boolean constraint** (PB) bounds the sum of the **weights** of its true literals. A **group** is a set
//!   of its literals of which at most one is true by another constraint.
//! * An **auxiliary** is a variable that an encoding adds.
//! * **Unit propagation** makes a literal true if all others of its clause are false, until nothing changes.
//! * An encoding is **generalised arc consistent** (GAC) if unit propagation alone derives every input that follows
//!   from the inputs with values, and every contradiction. All encodings here are GAC, for literals of distinct
//!   variables, except those marked *not GAC*. The tests hold each to that on every partial assignment of up to 9
//!   inputs.
//! * A clause **enforces** if it restricts the inputs; it **defines** if it only says what auxiliaries mean. A
//!   condition is added to the former only.
//! * The **size** of a constraint is how many auxiliaries, clauses and literals it adds. It is exact, and known before
//!   encoding: [`amo_size`](AtMostOne::amo_size), [`amk_size`](AtMostK::amk_size), [`Formula::size`].
//!
//! # Which encoding
//!
//! | at most one of n | auxiliaries | clauses | use it for |
//! |---|---|---|---|
//! | [`Pairwise`] | 0 | n(n−1)/2 | up to 6 or so literals |
//! | [`Commander`] | about n/2 | about 3n | solving; the default for larger groups |
//! | [`Nested`] | about n/2 | 3n − 6 | solving |
//! | [`Ladder`] | n − 1 | 3n − 4 | where the order of the literals means something |
//! | [`Product`] | about 2√n | 2n + 4√n + O(n^¼) | large groups |
//! | [`Bimander`] | log₂(n/g) | n·log₂(n/g) + … | few auxiliaries |
//! | [`Bitwise`] | log₂ n | n·log₂ n | fewest auxiliaries |
//! | [`Optimal`] | O(√n) | 2n + 2√(2n) + O(n^⅓) | the smallest formula of all |
//!
//! | at most, at least, exactly k of n | auxiliaries | clauses | use it for |
//! |---|---|---|---|
//! | [`Combinatorial`] | 0 | C(n, k+1) | n up to 8 or so; overlapping constraints that share clauses |
//! | [`SequentialCounter`] | k(n−k) − 2 | 2k(n−k) + n − 2k − 2 | small k, capacities |
//! | [`Totalizer`] | O(n log k) | O(nk) | solving, the default up to min(k, n−k) = 32; bounds that move |
//! | [`ModuloTotalizer`], [`KModuloTotalizer`] (*not GAC*) | O(n log n), O(n log k) | O(n√n), O(n√k) | large n and k |
//! | [`DecisionDiagram`] | (k+1)(n−k) − 1 | (k+1)(2(n−k) − 1) | conditions: it guards a single clause |
//! | [`CardinalityNetwork`] | O(n log² k) | O(n log² k) | large n, as published |
//! | [`Network`] | O(n log² k) | O(n log² k) | the smallest GAC formula |
//! | [`GeneralizedProduct`] | O(n^⅔), O(n^¾) | 3n + O(n^⅔), 4n + O(n^¾) | k = 2 and 3 of many, at least 2 of many |
//! | [`ParallelCounter`], [`Adder`] (*not GAC*) | O(n) | 14n, one-sided 7n | the smallest for large n and k; weak propagation |
//!
//! # Features
//!
//! * `batsat` (on by default), `minisat`, `glucose`, `cadical` and `kissat` turn on a solver each: see [`solvers`].
//!   With any of them comes what is marked `any-solver`, a feature that is internal and of no use alone.
//! * `sudoku` and `gem-hunter` (on by default) are the puzzles, `rayon` solves streams of Sudokus on all cores, and
//!   `svg` draws puzzles, other grids and the structure of encodings: the module `render`.
//! * `testing` is for tests of encodings of yours: the suites that all encodings here pass, as the module `testing`.
//!
//! # Errors and panics
//!
//! Encoding fails only as the sink fails: a [`Cnf`] refuses with a [`CapacityError`] what is larger than its limit,
//! before its first clause. A bound that cannot be met is no error but an unsatisfiable formula. A constraint over a
//! variable that the sink does not know panics, with a message: it is a bug of the caller's that would otherwise show
//! as wrong answers. [Clauses](ClauseSink::add_clause) may have any variables; every sink takes note of them. Puzzles
//! keep wrong input, no solution and interruption apart; no input of theirs panics.

// docs.rs says beside each item which feature it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(all(feature = "model", not(feature = "any-solver")))]
compile_error!("the feature `model` asks a solver: turn on one of `batsat`, `cadical`, `glucose`, `kissat`, `minisat`");

pub use cnfkit_core::rustsat;

#[cfg(feature = "svg")]
#[doc(inline)]
pub use cnfkit_core::render;
#[cfg(feature = "testing")]
#[doc(inline)]
pub use cnfkit_core::testing;
#[doc(inline)]
pub use cnfkit_core::{at_most_k, constrain, encode, formula, interop, names, solvers};

#[doc(inline)]
pub use cnfkit_core::{
    Adder, AmoEncoding, Assignment, AtMostK, AtMostOne, Bimander, BinaryAdder, BinaryMerger, Bitwise, Bound,
    CapacityError, CardEncoding, CardinalityNetwork, CertifyError, ClauseSink, Clauses, Cnf, Combinatorial, Commander,
    Constrain, Constraint, Count, Counter, DecisionDiagram, Detected, DynamicPolyWatchdog, Encoding, EncodingName,
    Formula, GeneralizedProduct, GeneralizedTotalizer, GlobalWatchdog, Goal, Guarded, IncAtMostOne, IncExactlyOne,
    IncTotalizer, IntervalDiagram, KModuloTotalizer, KeepOrder, Ladder, Layer, Limits, Lit, LocalWatchdog,
    MixedRadixSorter, ModuloTotalizer, MovingWatchdog, Nested, Network, Optimal, Order, Pairwise, ParallelCounter,
    PbEncoding, PbRelation, Plan, Product, ReadError, Relation, SequentialCounter, SequentialForm,
    SequentialWeightCounter, Size, SolveError, SolverSink, Sum, Tally, Terms, Totalizer, UnknownAmoEncoding,
    UnknownCardEncoding, UnknownPbEncoding, Var, WeightedCounter,
};

// One solver asked again and again; the rest of its names is in `ask`.
#[cfg(feature = "any-solver")]
#[doc(inline)]
pub use cnfkit_ask as ask;
#[cfg(feature = "any-solver")]
#[doc(inline)]
pub use cnfkit_ask::{Explain, Optimise};

#[cfg(all(feature = "any-solver", feature = "model"))]
#[doc(inline)]
pub use cnfkit_model as model;

// Gem Hunter; the rest of its names is in `gem_hunter`.
#[cfg(feature = "gem-hunter")]
#[doc(inline)]
pub use cnfkit_puzzles::gem_hunter::{self, Cell, GemError, GemHunterEncoder, GemMap, Neighbourhood};
#[cfg(all(feature = "any-solver", feature = "gem-hunter"))]
#[doc(inline)]
pub use cnfkit_puzzles::gem_hunter::{Deduction, Kind};

// Sudoku; the rest of its names is in `sudoku`.
#[cfg(feature = "sudoku")]
#[doc(inline)]
pub use cnfkit_puzzles::sudoku::{self, Grid, Layout, SudokuEncoder, SudokuError};

/// The programs of the README run as they stand.
#[cfg(all(doctest, feature = "batsat", feature = "model", feature = "sudoku", feature = "gem-hunter"))]
#[doc = include_str!("../README.md")]
mod readme {}
