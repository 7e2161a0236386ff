//! Answers and certain cells: deduction from one and two numbers first, then counting, a search or a SAT solver on the
//! rest.
//!
//! Three rooms, each of which uses only those before it:
//!
//! 1. [`deduce`] settles what follows without search, and finds the parts of what is left, which no number connects.
//! 2. [`windows`] answers parts without a total, by searches and formulas over a few cells at a time.
//! 3. [`count`] counts parts by number of traps, for totals and for chances.
//!
//! The files beside them put the rooms together: [`kinds`] says of every cell what all answers share, [`solutions`]
//! lists answers, [`probabilities`] and [`trap_totals`] are what counting says to a caller, [`explain`] asks all of
//! this for fewer and fewer numbers, [`mod@generate`] makes boards, and `certify` has proofs. [`questions`] are the
//! methods of the encoder.

#[cfg(all(feature = "proofs", any(feature = "batsat", feature = "cadical")))]
mod certify;
mod count;
mod deduce;
mod explain;
#[cfg(any(feature = "make", test))]
mod generate;
mod kinds;
#[cfg(feature = "svg")]
mod picture;
#[cfg(feature = "probabilities")]
mod probabilities;
mod questions;
#[cfg(feature = "hints")]
mod reason;
mod solutions;
mod trap_totals;
mod windows;

#[cfg(feature = "make")]
pub use generate::{generate, generate_within, plant};
pub use kinds::{Deduction, Kind};
#[cfg(feature = "probabilities")]
pub use probabilities::Probabilities;
pub use solutions::Solutions;
pub use trap_totals::TrapTotals;
