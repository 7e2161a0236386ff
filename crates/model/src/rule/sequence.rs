//! Constraints on neighbours in a sequence: all the same, ascending, and values in the order of their first use.

use crate::constraint::{Constraint, all, any};
use crate::variables::{Expr, View};

fn collected<E: Into<Expr>>(exprs: impl IntoIterator<Item = E>) -> Vec<Expr> {
    exprs.into_iter().map(Into::into).collect()
}

/// A constraint on each pair of neighbours.
fn of_pairs<E: Into<Expr>>(
    exprs: impl IntoIterator<Item = E>,
    compare: impl Fn(&Expr, &Expr) -> Constraint,
) -> Constraint {
    all(collected(exprs).windows(2).map(|pair| compare(&pair[0], &pair[1])))
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
    of_pairs(exprs, |one, next| one.eq(next))
}

/// No expression is less than the one before: MiniZinc's `increasing`. [`strictly_increasing`] has no two equal ones.
///
/// ```
/// use cnfkit::model::{Model, increasing, strictly_increasing};
/// let mut model = Model::new();
/// let x = model.ints(3, 1..=4);
/// model.post(increasing(&x));
/// assert_eq!(model.count(100)?, 20);
/// model.post(strictly_increasing(&x));
/// assert_eq!(model.count(100)?, 4);
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
pub fn increasing<E: Into<Expr>>(exprs: impl IntoIterator<Item = E>) -> Constraint {
    of_pairs(exprs, |one, next| one.le(next))
}

/// Every expression is greater than the one before: MiniZinc's `strictly_increasing`.
pub fn strictly_increasing<E: Into<Expr>>(exprs: impl IntoIterator<Item = E>) -> Constraint {
    of_pairs(exprs, |one, next| one.lt(next))
}

/// No expression is greater than the one before: MiniZinc's `decreasing`.
///
/// ```
/// use cnfkit::model::{Model, decreasing, strictly_decreasing};
/// let mut model = Model::new();
/// let x = model.ints(3, 1..=4);
/// model.post(decreasing(&x));
/// assert_eq!(model.count(100)?, 20);
/// model.post(strictly_decreasing(&x));
/// assert_eq!(model.count(100)?, 4);
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
pub fn decreasing<E: Into<Expr>>(exprs: impl IntoIterator<Item = E>) -> Constraint {
    of_pairs(exprs, |one, next| one.ge(next))
}

/// Every expression is less than the one before: MiniZinc's `strictly_decreasing`.
pub fn strictly_decreasing<E: Into<Expr>>(exprs: impl IntoIterator<Item = E>) -> Constraint {
    of_pairs(exprs, |one, next| one.gt(next))
}

/// Each of these values stands somewhere before the next one does, wherever that stands: MiniZinc's
/// `value_precede_chain`. It leaves one of all ways to exchange the values. What follows itself stands nowhere.
///
/// A truth value for each place and value says that the value stood before it (Y. C. Law and J. H. M. Lee, *Global
/// Constraints for Integer and Set Value Precedence*, CP 2004, pp. 362–376).
///
/// ```
/// use cnfkit::model::{Model, value_precede};
/// let mut model = Model::new();
/// let colour = model.ints(4, 1..=3);
/// model.post(value_precede([1, 2, 3], &colour));
/// assert_eq!(model.count(100)?, 1 + 7 + 6); // partitions into one, two and three parts
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
pub fn value_precede<E: Into<Expr>>(
    values: impl IntoIterator<Item = i64>,
    exprs: impl IntoIterator<Item = E>,
) -> Constraint {
    let values: Vec<i64> = values.into_iter().collect();
    let exprs = collected(exprs);
    Constraint::later(move |scope| {
        let views: Vec<View> = exprs.into_iter().map(|expr| scope.view_of(expr)).collect();
        let mut rules = Vec::new();
        for pair in values.windows(2) {
            let mut stood = any(None::<Constraint>);
            for (at, &view) in views.iter().enumerate() {
                if at > 0 {
                    let before = stood.or(Constraint::is(views[at - 1], pair[0]));
                    let before = scope.truth_of(before);
                    rules.push(Constraint::from(before).when(Constraint::is(view, pair[1])));
                    stood = before.into();
                } else {
                    rules.push(!Constraint::is(view, pair[1]));
                }
            }
        }
        all(rules)
    })
}
