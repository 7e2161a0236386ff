//! Trees of sums: totalizers, counters, and the smallest tree that is found.
//!
//! A node of a tree stands for the sum of some groups of inputs, and its *outputs* are literals *the sum is at least
//! so much*, defined from pairs of outputs of its two children. Whatever its shape, a tree is generalised arc
//! consistent: a chain is a sequential counter, a balanced tree a generalised totalizer. So the encodings here differ
//! in the shape alone, and share
//!
//! * `sums`: sets of sums as ascending lists, and the pairs of two such sets that just reach a number;
//! * `leaf`: the inputs of one side of a constraint, and what a group adds to a sum;
//! * `tree`: a tree that is bounded above at its root, `exact`: one that is bounded on both sides at once, and `both`:
//!   the smaller one of the two for *exactly*;
//! * `odd_even`: merges of sums without gaps, as in sorting networks;
//! * `eliminate`: bounded variable elimination in a template, for `smallest`, which searches for the shape.
//!
//! [`WeightedCounter`](super::counter::WeightedCounter) has trees of its own: its bounds are not known in advance.

mod both;
mod eliminate;
mod exact;
mod generalized_totalizer;
mod leaf;
mod odd_even;
mod sequential;
mod smallest;
mod sums;
mod tree;

pub(crate) use self::both::smaller;
pub(super) use self::exact::exactly;
pub use self::generalized_totalizer::GeneralizedTotalizer;
pub(super) use self::leaf::TreeInputs;
pub use self::sequential::SequentialWeightCounter;
pub(crate) use self::smallest::smallest;
pub(super) use self::tree::{Budget, chain};
