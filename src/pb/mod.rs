//! Weights: constraints on the sum of the weights of those literals that are true.
//!
//! Nothing of this room is public yet. The front door uses it for literals that were given more than once: a literal
//! given three times weighs three.

mod diagram;

pub(crate) use diagram::Diagram;
