//! Polynomial watchdogs: weights in binary, added up in unary bit by bit, and one output that is forbidden.

mod dynamic;
mod global;
mod local;

pub use self::dynamic::DynamicPolyWatchdog;
pub use self::global::GlobalWatchdog;
pub use self::local::LocalWatchdog;
