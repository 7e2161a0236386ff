//! Variables and their values: what constraints speak of, and what a question answers.
//!
//! An [`IntVar`] is a number that names a variable, a [`Bool`] a test of one, and an [`Expr`] a sum of multiples of
//! both; a [`Grid`] has variables in rows and columns. A [`View`] is the part of an expression that costs nothing,
//! a·x + b. A [`Domain`] is a finite set of values; [`Domains`] has one for each variable and takes note of those that
//! shrink. A [`Solution`] has a value for each.

mod domain;
mod domains;
mod expr;
mod grid;
mod makers;
mod solution;
mod view;

pub use domain::Domain;
pub(crate) use domain::few_sums;
pub(crate) use domains::{Domains, Empty};
pub use expr::{Bool, Expr, IntVar, sum};
pub(crate) use expr::{ExprFactor, Test};
pub use grid::{BoolGrid, Grid, IntGrid};
pub(crate) use makers::{Lineage, Makers};
pub use solution::{Solution, ValueGrid};
pub(crate) use view::View;
