//! One suite that every encoder joins with one line.
//!
//! It goes through the front door and checks, against counting: every assignment of up to 8 inputs and every bound, at
//! most, at least and exactly; positive, negative, mixed, repeated and complementary literals; under a condition and
//! reified; the strength of unit propagation on every partial assignment of up to 9 inputs; the predicted size; and
//! that no clause is a tautology, repeats a literal, or comes twice.
//!
//! Beside the suite, [`differential`] draws constraints, counts and sequences of calls at random, and compares all of
//! their assignments with the definition.

#[cfg(test)]
mod differential;
mod engine;
#[cfg(test)]
pub(crate) mod groups;
#[cfg(test)]
mod keeper;
#[cfg(test)]
mod kind;
#[cfg(test)]
mod lanes;
#[cfg(test)]
pub(crate) mod pb;
#[cfg(test)]
pub(crate) mod pb_long;
mod recorder;
#[cfg(test)]
mod strength;
#[cfg(test)]
mod suite;

pub use engine::Engine;
#[cfg(test)]
pub(crate) use keeper::Keeper;
#[cfg(test)]
pub(crate) use kind::{KINDS, Kind};
#[cfg(test)]
pub(crate) use lanes::Lanes;
pub use recorder::Recorder;
#[cfg(test)]
pub(crate) use strength::{Strength, strength};
#[cfg(test)]
pub(crate) use suite::*;

/// Joins an at-most-one encoding, behind `#[cfg(test)]`: `crate::testing::amo_suite!(suite: Pairwise, Gac);`
#[cfg(test)]
macro_rules! amo_suite {
    ($name:ident: $enc:expr, $strength:ident) => {
        mod $name {
            #[allow(unused_imports)]
            use super::*;

            #[test]
            fn at_most_one_and_exactly_one() {
                $crate::testing::check_amo(&$enc, $crate::testing::Strength::$strength);
            }
        }
    };
}
#[cfg(test)]
pub(crate) use amo_suite;

/// Joins an at-most-k encoding, behind `#[cfg(test)]`: `crate::testing::card_suite!(suite: Totalizer::default(), Gac);`
#[cfg(test)]
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
        }
    };
}
#[cfg(test)]
pub(crate) use card_suite;

/// Joins an encoding of sums of weights, behind `#[cfg(test)]`:
/// `crate::testing::pb_suite!(suite: IntervalDiagram::default(), Gac);`
#[cfg(test)]
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
        }
    };
}
#[cfg(test)]
pub(crate) use pb_suite;

/// Joins an encoding of sums of weights that uses groups:
/// `crate::testing::pb_groups!(groups: IntervalDiagram::default());`
#[cfg(test)]
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
#[cfg(test)]
pub(crate) use pb_groups;
