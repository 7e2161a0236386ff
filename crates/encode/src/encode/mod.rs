//! The contract between the front door and encodings: [`Encoding`], which plans a constraint, and [`ByRelation`] by
//! which encodings of counts are one; the range of bounds and the literals that an encoding is called with, and its
//! exact size.
//!
//! The front door ([`Constrain`](crate::Constrain)) and the choosers call encodings through this room; encodings
//! implement its traits and know neither.

mod amo;
mod by_relation;
mod encoding;
mod kinds;
mod known;
mod options;
mod own;
mod ranges;
mod simple;

#[doc(hidden)]
pub use amo::Amo;
pub use by_relation::ByRelation;
pub(crate) use by_relation::countable;
#[doc(hidden)]
pub use encoding::AsEncoding;
pub(crate) use encoding::ONCE_IN;
pub use encoding::{Encoding, Plan};
#[doc(hidden)]
pub use encoding::{GoOn, Prepared};
pub use kinds::{AtMostK, AtMostOne};
pub use known::check_known;
pub(crate) use options::{amo, by_terms, named, options};
#[doc(hidden)]
pub use own::OwnEncoding;
pub use own::own_name;
#[doc(hidden)]
pub use ranges::ReifiedRange;
pub(crate) use simple::Simple;

pub use crate::writer::{Full, Writer};
