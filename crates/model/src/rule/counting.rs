//! Constraints on how often values occur, as sums of *x is v*.
//!
//! Which values occur is known once a constraint is posted: then each of these becomes sums and comparisons, with truth
//! values of the model's own that follow from its variables.

use std::borrow::Borrow;

use crate::constraint::{Constraint, Scope, all, any};
use crate::variables::{Domain, Expr, IntVar, View, sum};

/// The number of variables that have this value: MiniZinc's `count`. Compare it: `count(&x, 3).le(2)`. For a value that
/// is a variable there is [`count_eq`].
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

/// The number of expressions that are `value`, which may be a variable, is `number`: MiniZinc's `count_eq`.
///
/// ```
/// use cnfkit::model::{Model, count_eq};
/// let mut model = Model::new();
/// let (x, most_common) = (model.ints(3, 1..=4), model.int(1..=4));
/// model.post(count_eq(&x, most_common, 3));
/// assert_eq!(model.count(100)?, 4);
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
pub fn count_eq<E: Into<Expr>>(
    exprs: impl IntoIterator<Item = E>,
    value: impl Into<Expr>,
    number: impl Into<Expr>,
) -> Constraint {
    let exprs: Vec<Expr> = exprs.into_iter().map(Into::into).collect();
    let (value, number) = (value.into(), number.into());
    Constraint::later(move |scope| {
        let exprs: Vec<View> = exprs.into_iter().map(|expr| scope.view_of(expr)).collect();
        let value = scope.view_of(value);
        let is_it = |view: View| {
            if value.is_constant() {
                return view.counts(value.offset);
            }
            scope.truth_of(Expr::from(view).eq(value)).into()
        };
        sum(exprs.into_iter().map(is_it)).eq(number)
    })
}

/// The number of variables that have one of these values: MiniZinc's `among`. A value given twice counts once.
///
/// Values are a range, a list, or a [`Domain`]; a long range takes two truth values of each variable, its ends.
///
/// ```
/// use cnfkit::model::{Model, among};
/// let mut model = Model::new();
/// let x = model.ints(3, 0..=4);
/// model.post(among(&x, [1, 3]).ge(2));
/// assert_eq!(model.count(100)?, 3 * 4 * 3 + 8); // two of three odd, or all
/// model.post(among(&x, 2..=1_000_000_000).eq(0));
/// assert_eq!(model.count(100)?, 3 + 1);
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
pub fn among<V: Borrow<IntVar>>(vars: impl IntoIterator<Item = V>, values: impl Into<Domain>) -> Expr {
    let values = values.into();
    let has = |var: IntVar, (from, to): (i64, i64)| {
        if to.abs_diff(from) < LONG {
            sum((from..=to).map(|value| var.is(value)))
        } else {
            var.at_least(from) - !var.at_most(to)
        }
    };
    sum(vars.into_iter().flat_map(|var| values.ranges().map(move |range| has(*var.borrow(), range))))
}

/// Ranges of fewer values are counted value by value.
const LONG: u64 = 256;

/// Each value occurs so many times: MiniZinc's `global_cardinality`. Other values may occur, too.
///
/// Where no other value can occur, the counts are known to add up to the number of variables.
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
    let counts: Vec<(i64, Expr)> = counts.into_iter().collect();
    Constraint::later(move |scope| {
        let mut cover: Vec<i64> = counts.iter().map(|&(value, _)| value).collect();
        cover.sort_unstable();
        let is_distinct = cover.windows(2).all(|pair| pair[0] < pair[1]);
        let is_covered = |var: &IntVar| {
            let domain = scope.domain_of(*var);
            domain.len() <= cover.len() as u64 && domain.iter().all(|value| cover.binary_search(&value).is_ok())
        };
        let total = (is_distinct && vars.iter().all(is_covered)).then(|| {
            let all: Expr = counts.iter().map(|(_, expected)| expected).sum();
            all.eq(vars.len())
        });
        all(counts.into_iter().map(|(value, expected)| count(&vars, value).eq(expected)).chain(total))
    })
}

/// Each value occurs at least and at most so many times: MiniZinc's `global_cardinality_low_up`. Other values may
/// occur, too.
///
/// ```
/// use cnfkit::model::{Model, global_cardinality_low_up};
/// let mut model = Model::new();
/// let shifts = model.ints(4, 0..=2);
/// model.post(global_cardinality_low_up(&shifts, [(1, 1, 2), (2, 2, 4)]));
/// assert_eq!(model.count(100)?, 6 + 4 + 12); // two twos and two ones, three twos and a one, with a zero
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
pub fn global_cardinality_low_up<V: Borrow<IntVar>>(
    vars: impl IntoIterator<Item = V>,
    bounds: impl IntoIterator<Item = (i64, i64, i64)>,
) -> Constraint {
    let vars: Vec<IntVar> = vars.into_iter().map(|var| *var.borrow()).collect();
    all(bounds.into_iter().flat_map(|(value, low, up)| {
        let occurs = count(&vars, value);
        [occurs.ge(low), occurs.le(up)]
    }))
}

/// The number of different values of the expressions is `number`: MiniZinc's `nvalue`.
///
/// ```
/// use cnfkit::model::{Model, nvalue};
/// let mut model = Model::new();
/// let colour = model.ints(4, 0..=2);
/// model.post(nvalue(&colour, 2));
/// assert_eq!(model.count(100)?, 3 * (16 - 2));
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
pub fn nvalue<E: Into<Expr>>(exprs: impl IntoIterator<Item = E>, number: impl Into<Expr>) -> Constraint {
    let exprs: Vec<Expr> = exprs.into_iter().map(Into::into).collect();
    let number = number.into();
    Constraint::later(move |scope| {
        let views: Vec<View> = exprs.into_iter().map(|expr| scope.view_of(expr)).collect();
        let pairs = (views.len() * views.len() / 2) as u64;
        let different: Expr = match values_of(scope, &views, pairs.max(FEW)) {
            Some(values) => {
                let occurs = |value: i64| any(views.iter().map(|&view| Constraint::is(view, value)));
                values.into_iter().map(|value| Expr::from(scope.truth_of(occurs(value)))).sum()
            }
            None => {
                let is_first = |at: usize| all(views[..at].iter().map(|&before| Expr::from(before).ne(views[at])));
                (0..views.len()).map(|at| Expr::from(scope.truth_of(is_first(at)))).sum()
            }
        };
        different.eq(number)
    })
}

/// The number of values that are looked at, however few the expressions are.
const FEW: u64 = 64;

/// The values of the views, ascending; `None` if their domains have more than `most` each.
fn values_of(scope: &dyn Scope, views: &[View], most: u64) -> Option<Vec<i64>> {
    let mut values = Vec::new();
    for &view in views {
        if view.is_constant() {
            values.push(view.offset);
            continue;
        }
        let domain = scope.domain_of(view.var);
        if domain.len() > most {
            return None;
        }
        values.extend(domain.iter().map(|value| view.of_value(value)));
    }
    values.sort_unstable();
    values.dedup();
    Some(values)
}

/// Item i of the i-th weight goes into the bin that is the i-th expression, from 0, and each bin holds at most its
/// capacity: MiniZinc's `bin_packing_capa`.
///
/// ```
/// use cnfkit::model::{Model, bin_packing};
/// let mut model = Model::new();
/// let bin = model.ints(3, 0..=1);
/// model.post(bin_packing(&bin, [4, 3, 2], [5, 5]));
/// assert_eq!(model.count(100)?, 2); // 4, and 3 beside 2
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
///
/// # Panics
/// When there are not as many weights as bins of items.
pub fn bin_packing<E: Into<Expr>, C: Into<Expr>>(
    bins: impl IntoIterator<Item = E>,
    weights: impl IntoIterator<Item = i64>,
    capacities: impl IntoIterator<Item = C>,
) -> Constraint {
    packed(bins, weights, capacities, Expr::le)
}

/// Item i of the i-th weight goes into the bin that is the i-th expression, from 0, and the weights of its items are
/// the load of each bin: MiniZinc's `bin_packing_load`.
///
/// ```
/// use cnfkit::model::{Model, bin_packing_load};
/// let mut model = Model::new();
/// let bin = model.ints(3, 0..=1);
/// model.post(bin_packing_load(&bin, [4, 3, 2], [4, 5]));
/// assert_eq!(model.count(100)?, 1);
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
///
/// # Panics
/// When there are not as many weights as bins of items.
pub fn bin_packing_load<E: Into<Expr>, L: Into<Expr>>(
    bins: impl IntoIterator<Item = E>,
    weights: impl IntoIterator<Item = i64>,
    loads: impl IntoIterator<Item = L>,
) -> Constraint {
    let weights: Vec<i64> = weights.into_iter().collect();
    let loads: Vec<Expr> = loads.into_iter().map(Into::into).collect();
    // Every item is somewhere.
    let all_loads = sum(&loads).eq(sum(weights.iter().copied()));
    packed(bins, weights, loads, Expr::eq).and(all_loads)
}

fn packed<E: Into<Expr>, C: Into<Expr>>(
    bins: impl IntoIterator<Item = E>,
    weights: impl IntoIterator<Item = i64>,
    limits: impl IntoIterator<Item = C>,
    compare: fn(&Expr, Expr) -> Constraint,
) -> Constraint {
    let bins: Vec<Expr> = bins.into_iter().map(Into::into).collect();
    let weights: Vec<i64> = weights.into_iter().collect();
    let limits: Vec<Expr> = limits.into_iter().map(Into::into).collect();
    assert!(bins.len() == weights.len(), "{} items, {} weights", bins.len(), weights.len());
    Constraint::later(move |scope| {
        let bins: Vec<View> = bins.into_iter().map(|bin| scope.view_of(bin)).collect();
        let n = limits.len();
        let inside = bins.iter().flat_map(|&bin| [Expr::from(bin).ge(0), Expr::from(bin).lt(n)]).collect::<Vec<_>>();
        let load = |bin: usize| -> Expr {
            bins.iter().zip(&weights).map(|(&item, &weight)| item.counts(bin as i64) * weight).sum()
        };
        all(inside.into_iter().chain(limits.into_iter().enumerate().map(|(bin, limit)| compare(&load(bin), limit))))
    })
}
