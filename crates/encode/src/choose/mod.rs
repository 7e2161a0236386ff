//! Encodings by name, and the two choosers, `Auto` and `Smallest`.
//!
//! [`AmoEncoding`], [`CardEncoding`] and [`PbEncoding`] list every encoding under a name that is chosen at run time.
//! `Auto` chooses by the tables of `policy.rs`: rows of ranges, the encoding taken there, and the measurement that set
//! it; the rows are what is read here, in the documentation of `Auto`, and in the tests. `Smallest` compares exact
//! sizes. `OneModel` is for counting models: it takes the smallest whose auxiliaries follow from the inputs.
//!
//! Encodings know nothing of this room. The front door calls it once for a constraint, with folded literals.

mod amo;
mod card;
mod estimate;
pub mod names;
mod one;
mod one_model;
mod pb;
mod pb_policy;
mod policy;
mod shapes;
mod unknown;

pub use amo::AmoEncoding;
pub use card::CardEncoding;
pub use one_model::OneModel;
pub(crate) use one_model::{Conjuncts, iff_size};
pub use pb::PbEncoding;
pub use unknown::{UnknownAmoEncoding, UnknownCardEncoding, UnknownPbEncoding};
