//! Weights as digits: encodings that are polynomial in any weights, because they never tell all sums apart.
//!
//! | | digits | how a place is added up | strength |
//! |---|---|---|---|
//! | [`BinaryAdder`] | binary | full adders, one bit a place | checks full assignments |
//! | [`MixedRadixSorter`] | bases that suit the weights | in unary, sorted | finds contradictions |
//! | [`GlobalWatchdog`] | binary | in unary, one output forbidden | finds contradictions |
//! | [`LocalWatchdog`] | binary | as before, once for each literal, shared | generalised arc consistent |
//! | [`DynamicPolyWatchdog`] | binary | as before; the bound is in a *tare* of literals | finds contradictions |
//!
//! All that count in unary share `unary`.

mod adder;
mod mixed_radix;
pub(super) mod unary;
mod watchdog;

pub use self::adder::BinaryAdder;
pub(crate) use self::adder::WideAdder;
pub use self::mixed_radix::MixedRadixSorter;
pub use self::watchdog::{DynamicPolyWatchdog, GlobalWatchdog, LocalWatchdog};
