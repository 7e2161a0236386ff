//! Counting: the answers of each part by number of traps, and what a total of traps leaves to each part.
//!
//! 1. **A part.** `groups` puts its cells in an order in which few numbers are half done at a time, and a [`Lattice`]
//!    counts all its ways at once, in numbers of some kind of `Ways`: floating point, whole, or *some or none*.
//! 2. **All parts.** `parts` keeps the counts, equal ones together. A tree of `sums` adds parts up: as sets of totals
//!    (`reach`, [`Totals`]), or as weights (`weights`, and `chances` of cells).
//! 3. **Questions with a total.** [`total`] answers them from both, [`Listing`] goes through all answers (`walk`
//!    through those of one part), and `approach` finds an answer where a part is too entangled to be counted.

mod approach;
#[cfg(feature = "probabilities")]
pub(crate) mod chances;
mod groups;
mod lattice;
mod listing;
mod parts;
mod reach;
mod sums;
pub(crate) mod total;
mod totals;
mod walk;
mod ways;
mod weights;

pub(crate) use lattice::{Lattice, Limit};
pub(crate) use listing::Listing;
pub(crate) use totals::Totals;
