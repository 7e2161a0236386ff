//! Polynomial watchdogs: weights in binary, added up in unary bit by bit, and one output that is forbidden.

mod global;
mod local;

pub use self::global::GlobalWatchdog;
pub use self::local::LocalWatchdog;
