//! Sums in unary, memoised, with outputs on demand: the part that watchdogs, mixed radix sorters
//! have in common.
//!
//! A *number* is a sum of literals, and its outputs are literals *the sum is at least v*, as those of a node of a
//! totalizer. No output is written until it is asked for, and each only once: asking for the bound alone writes exactly
//! the part of a totalizer or a sorting network that the bound depends on. A sum of the same two numbers is the same
//! number, so that the sums that a [`LocalWatchdog`](super::LocalWatchdog) needs, each without one literal, share
//! their subtrees.
//!
//! An output of a sum follows from pairs of outputs of its two parts, as in a totalizer: p·q clauses. Where it is
//! cheaper, the sum is an odd-even merge instead, ⌈a/2⌉ + ⌈b/2⌉ and ⌊a/2⌋ + ⌊b/2⌋, whose outputs are two clauses each.
//! Clauses go in one direction: enough true inputs make an output true.
//!
//! * `numbers`: the sums, their values, and their outputs;
//! * `bases`: the digits that weights are written in;
//! * `ladder`: weights added up digit by digit, ⌊sum/base⌋ carried to the next place; `moving`: a ladder whose bound is
//!   chosen later;
//! * `trials`: the smallest of several ladders.

mod bases;
mod ladder;
mod moving;
mod numbers;
#[cfg(test)]
pub(in crate::pb) mod tests;
mod trials;

pub(super) use self::bases::mixed;
pub(super) use self::ladder::{LadderStyle, UnaryLadder, binary, halves};
pub(super) use self::moving::Moving;
