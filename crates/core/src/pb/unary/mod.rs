//! Counts in unary, digit by digit: what watchdogs, mixed radix sorters and the binary merger have in common.
//!
//! A *number* is a sum that is never written down; it is *asked* whether it is at least something, and answers with a
//! literal that is true if so. Only answers that are asked for get variables and clauses, and each only once: asking
//! for the bound alone makes exactly the part of a sorter or totalizer that the bound depends on. All clauses go in one
//! direction: enough true inputs make an answer true.
//!
//! `numbers` has the numbers and their answers; `ladder` adds up weights digit by digit with them; `moving` has a bound
//! that is chosen later; `bases` chooses the digits.

mod bases;
mod ladder;
mod moving;
mod numbers;
#[cfg(test)]
pub(super) mod tests;
mod trials;

pub(super) use self::bases::mixed;
pub(super) use self::ladder::{Ladder, Style, binary, halves};
pub(super) use self::moving::Moving;
