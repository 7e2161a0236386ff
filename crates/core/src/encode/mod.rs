//! The contract between the front door and encodings: [`AtMostOne`], [`AtMostK`] and [`PseudoBoolean`], the range of
//! bounds and the literals that an encoding is called with, and its exact size.
//!
//! The front door ([`Constrain`](crate::Constrain)) and the choosers call encodings through this room; encodings
//! implement its traits and know neither.

mod at_most_k;
mod at_most_one;
mod by_relation;
mod known;
mod pseudo_boolean;
mod relation;

pub use at_most_k::AtMostK;
pub(crate) use at_most_k::countable;
pub use at_most_one::AtMostOne;
pub(crate) use by_relation::{ByRelation, at_most_k, size_by_relation};
pub(crate) use known::check_known;
pub use pseudo_boolean::{PbPlan, PseudoBoolean, Terms};
