//! Encodings of sums of weights (pseudo-Boolean constraints), in rooms by what their auxiliaries mean. They know no
//! chooser: `choose/` lists them by name.
//!
//! * `prepared`: clauses before they have variables, because the size of such an encoding is only known once it is
//!   written;
//! * `trees`: an auxiliary says that *these literals weigh at least so much*;
//! * `diagrams`: an auxiliary says that *the literals from here on weigh at most so much*;
//! * `digits`: an auxiliary is a digit of a sum, or says that a digit with its carry is at least so much;
//! * `defined`: auxiliaries of diagrams or digits that follow from the inputs, for counting models;
//! * `counter`: bounds are chosen after encoding, by assumptions.

mod counter;
mod defined;
mod diagrams;
mod digits;
mod prepared;
mod trees;

pub use self::counter::{Side, WeightedCounter};
pub(crate) use self::defined::{DefinedSum, SumRange};
pub use self::diagrams::{Diagram, IntervalDiagram};
pub(crate) use self::digits::WideAdder;
pub use self::digits::{BinaryAdder, DynamicPolyWatchdog, GlobalWatchdog, LocalWatchdog, MixedRadixSorter};
pub use self::prepared::ClauseTemplate;
pub(crate) use self::trees::smallest;
pub use self::trees::{GeneralizedTotalizer, SequentialWeightCounter};

crate::by_value!(
    BinaryAdder,
    DynamicPolyWatchdog,
    GeneralizedTotalizer,
    GlobalWatchdog,
    IntervalDiagram,
    LocalWatchdog,
    MixedRadixSorter,
    SequentialWeightCounter
);
