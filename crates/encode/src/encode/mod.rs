//! The contract between the front door and encodings: [`Encoding`], which plans a constraint, and its views for
//! counts, [`AtMostOne`] and [`AtMostK`]; the range of bounds and the literals that an encoding is called with, and its
//! exact size.
//!
//! The front door ([`Constrain`](crate::Constrain)) and the choosers call encodings through this room; encodings
//! implement its traits and know neither.

mod at_most_k;
mod at_most_one;
mod by_relation;
mod encoding;
mod known;
mod options;
mod own;
mod simple;

pub use at_most_k::{AtMostK, Decision};
pub use at_most_one::AtMostOne;
pub use by_relation::ByRelation;
#[doc(hidden)]
pub use encoding::Prepared;
pub use encoding::{AsEncoding, Encoding, Plan};
pub use known::check_known;
pub(crate) use options::{named, options};
pub use own::OwnEncoding;
pub use own::own_name;
pub(crate) use simple::Simple;
