//! Answers and certain cells: deduction from one and two numbers first, then counting, a search or a SAT solver on the
//! rest.
//!
//! A board is made ready in steps, each a file that uses only those before it:
//!
//! 1. [`state`] deduces number by number, [`presolve`] pair by pair, and [`components`] finds the parts of what is
//!    left, which no number connects.
//! 2. Without a total, each part is answered by itself. [`search`] backtracks over a few cells, [`local`] asks a SAT
//!    solver about a few numbers, [`answer`] puts an answer together with both, [`certain`] changes it until it is
//!    known what all answers share, [`deduce`] does so for the whole board, and [`solutions`] lists answers.
//! 3. With a total, and for chances, each part is counted by number of traps. [`groups`] puts its cells in order,
//!    [`lattice`] counts all ways at once, [`parts`] keeps what was counted; [`sums`] adds parts up, as sets of totals
//!    ([`reach`], [`totals`]) or as weights ([`chances`]); [`total`] answers ([`approach`] where a part cannot be
//!    counted), and [`walk`] and [`listing`] go through all answers.
//! 4. [`explain`] asks all of this for fewer and fewer numbers, and [`mod@generate`] makes boards.
//!
//! [`questions`] are the methods of the encoder that use these.

mod answer;
mod approach;
mod ball;
mod certain;
mod chances;
mod components;
mod deduce;
mod explain;
mod fill;
mod generate;
mod groups;
mod lattice;
mod listing;
mod local;
mod parts;
mod presolve;
mod probabilities;
mod questions;
mod reach;
mod sat;
mod search;
mod solutions;
mod state;
mod sums;
mod total;
mod totals;
mod trap_totals;
mod walk;
mod ways;

pub use deduce::{Deduction, Kind};
pub use generate::{generate, generate_within, plant};
pub use probabilities::Probabilities;
pub use solutions::Solutions;
pub use trap_totals::TrapTotals;

use super::{board, encode, encoder, error, map, neighbourhood, overlap, rules, strategy};
