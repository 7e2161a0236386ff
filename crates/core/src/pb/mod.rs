//! Encodings of sums of weights, one a file. They know no chooser: `choose/` lists them by name.
//!
//! Trees of sums share some files: `sums` and `leaf`, sums as numbers and what a group adds to one; `tree` and `exact`,
//! the clauses of a tree that is bounded on one side, and on both at once; `both`, the smaller of the two; `draft`, the
//! clauses before they have variables; `odd_even`, merges as in sorting networks; `eliminate`, which makes a draft
//! smaller; `smallest`, the search for the smallest tree. Encodings by digits in unary are a `recording`; the adder
//! knows its size by `rehearsal`. `counter` is not asked for a bound: it takes bounds by assumption.

mod adder;
mod both;
mod counter;
mod diagram;
mod draft;
mod eliminate;
mod exact;
mod generalized_totalizer;
mod leaf;
mod merger;
mod mixed_radix;
mod odd_even;
mod recording;
mod rehearsal;
mod sequential;
mod smallest;
mod sums;
mod tree;
mod unary;
mod watchdog;

pub use adder::BinaryAdder;
pub(crate) use adder::WideAdder;
pub(crate) use both::smaller;
pub use counter::Side;
pub use counter::WeightedCounter;
pub use diagram::Diagram;
pub use diagram::IntervalDiagram;
pub(crate) use draft::Draft;
pub use generalized_totalizer::GeneralizedTotalizer;
pub use merger::BinaryMerger;
pub use mixed_radix::MixedRadixSorter;
pub use sequential::SequentialWeightCounter;
pub(crate) use smallest::smallest;
pub use watchdog::{DynamicPolyWatchdog, GlobalWatchdog, LocalWatchdog, MovingWatchdog};
