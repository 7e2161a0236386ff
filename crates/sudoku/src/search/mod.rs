//! The search: the values that deduction leaves open, and the solver that decides them.
//!
//! [`Residue`] holds the values left open, numbers them, and states the rules for them; `LazyNine` stands in for those
//! clauses at 9×9. An [`Engine`] takes one grid of a layout after the other: [`Pruned`] deduces first, [`Base`] has the
//! whole rules in the solver once and assumes the givens. `turns` is for long searches, in which several solvers take
//! turns, `walk` for the many solutions of 9×9 boxes beyond those that the solver was asked for.

#[cfg(feature = "any-solver")]
mod engine;
#[cfg(feature = "batsat")]
mod lazy_nine;
mod residue;
mod settings;
#[cfg(feature = "any-solver")]
mod turns;
#[cfg(feature = "any-solver")]
mod walk;

#[cfg(feature = "any-solver")]
pub(crate) use engine::{Base, Engine, Pruned};
pub(crate) use residue::{Residual, Residue};
#[cfg(feature = "any-solver")]
pub use settings::Report;
#[cfg(feature = "any-solver")]
pub(crate) use settings::Settings;
pub use settings::Strategy;
