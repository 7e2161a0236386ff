//! Encodings of sums of weights, one a file. They know no chooser: `choose/` lists them by name.

mod counter;
mod diagram;

pub use counter::WeightedCounter;
pub(crate) use diagram::Diagram;
pub use diagram::IntervalDiagram;
