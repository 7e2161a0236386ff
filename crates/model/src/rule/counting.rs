//! Constraints that are said in terms of others: how often values occur, and tasks one after the other.

use std::borrow::Borrow;

use crate::constraint::{Constraint, all};
use crate::variables::{Expr, IntVar, sum};

/// The number of variables that have this value: MiniZinc's `count`. Compare it: `count(&x, 3).le(2)`.
///
/// ```
/// use cnfkit::model::{Model, count};
/// let mut model = Model::new();
/// let x = model.ints(5, 0..=2);
/// model.post(count(&x, 0).eq(4));
/// assert_eq!(model.count(100)?, 5 * 2);
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
pub fn count<V: Borrow<IntVar>>(vars: impl IntoIterator<Item = V>, value: i64) -> Expr {
    sum(vars.into_iter().map(|var| var.borrow().is(value)))
}

/// The number of variables that have one of these values: MiniZinc's `among`. A value given twice counts once.
///
/// ```
/// use cnfkit::model::{Model, among};
/// let mut model = Model::new();
/// let x = model.ints(3, 0..=4);
/// model.post(among(&x, [1, 3]).ge(2));
/// assert_eq!(model.count(100)?, 3 * 4 * 3 + 8); // two of three odd, or all
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
pub fn among<V: Borrow<IntVar>>(vars: impl IntoIterator<Item = V>, values: impl IntoIterator<Item = i64>) -> Expr {
    let mut values: Vec<i64> = values.into_iter().collect();
    values.sort_unstable();
    values.dedup();
    sum(vars.into_iter().map(|var| sum(values.iter().map(|&value| var.borrow().is(value)))))
}

/// Each value occurs so many times: MiniZinc's `global_cardinality`. Other values may occur, too.
///
/// ```
/// use cnfkit::model::{Model, global_cardinality};
/// let mut model = Model::new();
/// let x = model.ints(4, 1..=3);
/// let twos = model.int(1..=4);
/// model.post(global_cardinality(&x, [(1, 2.into()), (2, twos.into())]));
/// assert_eq!(model.count(100)?, 6 * 2 + 6); // two ones, then one two and a three, or two twos
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
pub fn global_cardinality<V: Borrow<IntVar>>(
    vars: impl IntoIterator<Item = V>,
    counts: impl IntoIterator<Item = (i64, Expr)>,
) -> Constraint {
    let vars: Vec<IntVar> = vars.into_iter().map(|var| *var.borrow()).collect();
    all(counts.into_iter().map(|(value, expected)| count(&vars, value).eq(expected)))
}

/// All expressions have the same value: MiniZinc's `all_equal`.
///
/// ```
/// use cnfkit::model::{Model, all_equal};
/// let mut model = Model::new();
/// let x = model.ints(3, 1..=5);
/// model.post(all_equal([x[0] + 1, x[1] + 2, x[2] + 3]));
/// assert_eq!(model.count(100)?, 3);
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
pub fn all_equal<E: Into<Expr>>(exprs: impl IntoIterator<Item = E>) -> Constraint {
    let exprs: Vec<Expr> = exprs.into_iter().map(Into::into).collect();
    all(exprs.windows(2).map(|pair| pair[0].clone().eq(&pair[1])))
}

/// No two tasks run at the same time: MiniZinc's `disjunctive`. Task i starts at the i-th expression and takes the i-th
/// duration; a task without duration is never in the way.
///
/// ```
/// use cnfkit::model::{Model, disjunctive};
/// let mut model = Model::new();
/// let start = model.ints(2, 0..=4);
/// model.post(disjunctive(&start, [3, 2]));
/// assert_eq!(model.count(100)?, 2 + 1 + 3 + 2 + 1); // the first before the second, and after it
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
///
/// # Panics
/// When there are not as many durations as starts, or one is negative.
pub fn disjunctive<E: Into<Expr>>(
    starts: impl IntoIterator<Item = E>,
    durations: impl IntoIterator<Item = i64>,
) -> Constraint {
    let tasks = tasks(starts, durations);
    let pairs = tasks.iter().enumerate().flat_map(|(at, one)| tasks[at + 1..].iter().map(move |other| (one, other)));
    let real = pairs.filter(|(one, other)| one.1 > 0 && other.1 > 0);
    all(real.map(|(one, other)| {
        let before = |first: &(Expr, i64), then: &(Expr, i64)| (first.0.clone() + first.1).le(&then.0);
        before(one, other).or(before(other, one))
    }))
}

/// Starts with their durations.
pub(super) fn tasks<E: Into<Expr>>(
    starts: impl IntoIterator<Item = E>,
    durations: impl IntoIterator<Item = i64>,
) -> Vec<(Expr, i64)> {
    let starts: Vec<Expr> = starts.into_iter().map(Into::into).collect();
    let durations: Vec<i64> = durations.into_iter().collect();
    assert!(starts.len() == durations.len(), "{} starts, {} durations", starts.len(), durations.len());
    if let Some(negative) = durations.iter().find(|&&duration| duration < 0) {
        panic!("a duration of {negative}");
    }
    starts.into_iter().zip(durations).collect()
}
