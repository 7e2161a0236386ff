//! The search: the solver that decides the values that deduction leaves open.
//!
//! An [`GridEngine`] takes one grid of a layout after the other: [`Pruned`] deduces first, and gives the solver the
//! rules of what is open, or at 9×9 what stands in for them (`lazy_nine`); [`BaseSolver`] has the whole rules in the
//! solver once and assumes the givens. `turns` is for long searches, in which several solvers take turns, `walk` for
//! the many solutions of 9×9 boxes beyond those that the solver was asked for.

mod engine;
#[cfg(feature = "batsat")]
mod lazy_nine;
mod load;
mod settings;
mod turns;
mod walk;

pub(crate) use engine::{BaseSolver, GridEngine, Pruned};
pub use settings::Report;
pub(crate) use settings::Settings;
