//! The tests that every encoding of this library passes, for encodings of yours (feature `testing`).
//!
//! An encoding joins with one line: [`card_suite!`] for *at most*, *at least* and *exactly k*, [`amo_suite!`] for *at
//! most one* alone, [`pb_suite!`] for sums of weights. The line names the encoding and its [`Strength`]; each suite
//! fails an encoding that is weaker, or stronger, than that.
//!
//! Counts go through the front door and are checked against counting: every assignment of up to 8 inputs and every
//! bound, at most, at least and exactly; positive, negative, mixed, repeated and complementary literals; under a
//! condition and reified; the strength of unit propagation on every partial assignment of up to 9 inputs; the predicted
//! size; that no clause is a tautology, repeats a literal, or comes twice; and that an encoding which says that it has
//! [one model](crate::Encoding::one_model) for each solution does. [`pb`] says what is checked of sums.
//!
//! [`Engine`] is the unit propagation behind the suites, [`Recorder`] the sink that it reads, both for tests of your
//! own.
//!
//! ```
//! use cnfkit::testing::{Engine, Recorder};
//! use cnfkit::{Constrain, Lit, Pairwise};
//! let x: Vec<Lit> = (0..3).map(Lit::positive).collect();
//! let mut recorder = Recorder::new(3);
//! recorder.at_most_one(&x, &Pairwise)?;
//! let mut engine = Engine::new(&recorder);
//! let mark = engine.mark();
//! assert!(engine.assume(x[0]));
//! assert_eq!(engine.value(x[2]), Some(false));
//! engine.undo(mark);
//! assert_eq!(engine.value(x[2]), None);
//! # Ok::<(), std::convert::Infallible>(())
//! ```

// A check that fails panics; that is what it is for.
#![allow(clippy::missing_panics_doc)]

#[cfg(test)]
mod differential;
mod engine;
pub mod groups;
#[cfg(test)]
mod keeper;
#[cfg(any(test, feature = "batsat"))]
#[doc(hidden)]
pub mod lanes;
mod one_model;
pub mod pb;
pub mod pb_long;
mod recorder;
mod strength;
mod suite;
#[doc(hidden)]
pub mod trials;

#[doc(inline)]
pub use crate::{amo_suite, card_suite, pb_groups, pb_suite};
pub use engine::Engine;
#[cfg(test)]
pub(crate) use keeper::Keeper;
#[cfg(any(test, feature = "batsat"))]
#[doc(hidden)]
pub use lanes::Lanes;
pub use one_model::check_one_model;
pub use recorder::Recorder;
pub use strength::Strength;
pub(crate) use strength::strength;
pub use suite::{
    check_amo, check_conditions, check_every_assignment, check_repeats_and_complements, check_signs_and_order,
    check_sizes, check_strength,
};
#[cfg(test)]
pub(crate) use suite::{check_clauses, check_each_clause, guarded, relations};
#[doc(hidden)]
pub use suite::{check_models, count_true, inputs};

/// Tests an encoding of *at most one*: `cnfkit::testing::amo_suite!(suite: Pairwise, Gac);`, behind `#[cfg(test)]`.
///
/// The first word names the module of the tests, the last one is a [`Strength`](crate::testing::Strength).
#[macro_export]
macro_rules! amo_suite {
    ($name:ident: $enc:expr, $strength:ident) => {
        mod $name {
            #[allow(unused_imports)]
            use super::*;

            #[test]
            fn at_most_one_and_exactly_one() {
                $crate::testing::check_amo(&$enc, $crate::testing::Strength::$strength);
            }

            #[test]
            fn one_model() {
                $crate::testing::check_one_model(&$enc);
            }
        }
    };
}

/// Tests an encoding of *at most*, *at least* and *exactly k*:
/// `cnfkit::testing::card_suite!(suite: Totalizer::default(), Gac);`, behind `#[cfg(test)]`.
///
/// The first word names the module of the tests, the last one is a [`Strength`](crate::testing::Strength). An encoding
/// whose options matter joins once for each choice of them.
#[macro_export]
macro_rules! card_suite {
    ($name:ident: $enc:expr, $strength:ident) => {
        mod $name {
            #[allow(unused_imports)]
            use super::*;
            use $crate::testing;

            #[test]
            fn every_assignment() {
                testing::check_every_assignment(&$enc);
            }

            #[test]
            fn signs_and_order() {
                testing::check_signs_and_order(&$enc);
            }

            #[test]
            fn repeats_and_complements() {
                testing::check_repeats_and_complements(&$enc);
            }

            #[test]
            fn conditions() {
                testing::check_conditions(&$enc);
            }

            #[test]
            fn strength() {
                testing::check_strength(&$enc, testing::Strength::$strength);
            }

            #[test]
            fn sizes() {
                testing::check_sizes(&$enc);
            }

            #[test]
            fn one_model() {
                testing::check_one_model(&$enc);
            }
        }
    };
}

/// Tests an encoding of sums of weights: `cnfkit::testing::pb_suite!(suite: IntervalDiagram::default(), Gac);`, behind
/// `#[cfg(test)]`.
///
/// The first word names the module of the tests, the last one is a [`Strength`](crate::testing::Strength). The tests
/// `sizes` and `long` need plans for sums of up to 40 weights. An encoding that is over its budget there calls the
/// functions of the other four itself: see [`pb`](crate::testing::pb).
#[macro_export]
macro_rules! pb_suite {
    ($name:ident: $enc:expr, $strength:ident) => {
        mod $name {
            #[allow(unused_imports)]
            use super::*;
            use $crate::testing::{self, pb};

            #[test]
            fn assignments() {
                pb::check_assignments(&$enc);
            }

            #[test]
            fn conditions() {
                pb::check_conditions(&$enc);
            }

            #[test]
            fn strength() {
                pb::check_strength(&$enc, testing::Strength::$strength);
            }

            #[test]
            fn sizes() {
                pb::check_sizes(&$enc);
            }

            #[test]
            fn long() {
                testing::pb_long::check_long(&$enc, testing::Strength::$strength);
            }

            #[test]
            fn groups() {
                testing::groups::check_groups(&$enc);
            }

            #[test]
            fn one_model() {
                testing::check_one_model(&$enc);
            }
        }
    };
}

/// Tests how strong an encoding of sums of weights is that makes use of groups:
/// `cnfkit::testing::pb_groups!(groups: IntervalDiagram::default());`, behind `#[cfg(test)]`.
#[macro_export]
macro_rules! pb_groups {
    ($name:ident: $enc:expr) => {
        mod $name {
            #[allow(unused_imports)]
            use super::*;

            #[test]
            fn strength() {
                $crate::testing::groups::check_group_strength(&$enc);
            }
        }
    };
}
