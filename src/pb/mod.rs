//! Encodings of sums of weights, one a file. They know no chooser: `choose/` lists them by name.
//!
//! Trees of sums share some files: `sums` and `leaf`, sums as numbers and what a group adds to one; `tree` and `exact`,
//! the clauses of a tree that is bounded on one side, and on both at once; `both`, the smaller of the two; `draft`, the
//! clauses before they have variables. `counter` is not asked for a bound: it takes bounds by assumption.

mod both;
mod counter;
mod diagram;
mod draft;
mod exact;
mod generalized_totalizer;
mod leaf;
mod sequential;
mod sums;
mod tree;

pub use counter::WeightedCounter;
mod adder;
mod rehearsal;
pub use adder::BinaryAdder;
pub(crate) use diagram::Diagram;
pub use diagram::IntervalDiagram;
pub use generalized_totalizer::GeneralizedTotalizer;
pub use sequential::SequentialWeightCounter;
