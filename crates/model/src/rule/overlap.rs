//! Constraints on what must not overlap: tasks on one machine, rectangles, tuples.

use super::cumulative::work;
use crate::constraint::{Constraint, all, any};
use crate::variables::Expr;

/// All pairs, each once.
fn pairs<T>(all: &[T]) -> impl Iterator<Item = (&T, &T)> {
    all.iter().enumerate().flat_map(|(at, one)| all[at + 1..].iter().map(move |other| (one, other)))
}

/// Expressions of as many lists.
fn rows<const N: usize>(lists: [Vec<Expr>; N]) -> Vec<[Expr; N]> {
    let lengths = lists.each_ref().map(Vec::len);
    assert!(lengths.iter().all(|&length| length == lengths[0]), "lists of different lengths: {lengths:?}");
    let mut lists = lists.map(Vec::into_iter);
    (0..lengths[0]).map(|_| lists.each_mut().map(|list| list.next().unwrap_or_default())).collect()
}

fn collected<E: Into<Expr>>(exprs: impl IntoIterator<Item = E>) -> Vec<Expr> {
    exprs.into_iter().map(Into::into).collect()
}

/// *This is at least 0*, unless that is known.
fn not_negative(expr: &Expr) -> Option<Constraint> {
    expr.known().is_none_or(|known| known < 0).then(|| expr.ge(0))
}

/// *This is 0*; `None` where it is known not to be.
fn is_zero(expr: &Expr) -> Option<Constraint> {
    expr.known().is_none_or(|known| known == 0).then(|| expr.eq(0))
}

/// No two tasks run at the same time: MiniZinc's `disjunctive`. Task i starts at the i-th expression and takes the i-th
/// duration, which is not negative; a task without duration is never in the way. Of tasks that need not run there is
/// [`no_overlap`].
///
/// ```
/// use cnfkit::model::{Expr, Model, disjunctive};
/// let mut model = Model::new();
/// let (start, duration) = (model.ints(2, 0..=2), model.int(1..=3));
/// model.post(disjunctive(&start, [Expr::from(duration), Expr::from(1)]));
/// assert_eq!(model.count(100)?, 3 * 3 + 3 + 1); // the second task first, or the first one of length 1 or 2
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
///
/// # Panics
/// When there are not as many durations as starts.
pub fn disjunctive<E: Into<Expr>, D: Into<Expr>>(
    starts: impl IntoIterator<Item = E>,
    durations: impl IntoIterator<Item = D>,
) -> Constraint {
    let tasks = rows([collected(starts), collected(durations)]);
    let real: Vec<[Expr; 2]> = tasks.iter().filter(|task| task[1].known() != Some(0)).cloned().collect();
    let apart: Vec<Constraint> = pairs(&real)
        .map(|(one, other)| {
            let before = |first: &[Expr; 2], then: &[Expr; 2]| (&first[0] + &first[1]).le(&then[0]);
            let empty = [is_zero(&one[1]), is_zero(&other[1])].into_iter().flatten();
            any([before(one, other), before(other, one)].into_iter().chain(empty))
        })
        .collect();
    let real = work(real.iter().map(|[start, duration]| [start.clone(), duration.clone(), 1.into()]));
    all(tasks.iter().filter_map(|task| not_negative(&task[1])).chain(apart).chain(real))
}

/// No two tasks that are present run at the same time: the `no_overlap` of solvers with intervals, MiniZinc's
/// `disjunctive` of optional tasks. Task i starts at the i-th expression, takes the i-th duration, and runs if the i-th
/// truth value holds. What is absent is bound by nothing.
///
/// ```
/// use cnfkit::model::{Model, no_overlap};
/// let mut model = Model::new();
/// let (start, runs) = (model.ints(2, 0..=1), model.bools(2));
/// model.post(no_overlap(&start, [2, 1], &runs));
/// assert_eq!(model.count(100)?, 3 * 4 + 1); // not both, or the short one first
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
///
/// # Panics
/// When there are not as many durations or truth values as starts.
pub fn no_overlap<E: Into<Expr>, D: Into<Expr>, B: Into<Expr>>(
    starts: impl IntoIterator<Item = E>,
    durations: impl IntoIterator<Item = D>,
    present: impl IntoIterator<Item = B>,
) -> Constraint {
    let tasks = rows([collected(starts), collected(durations), collected(present)]);
    let absent = |task: &[Expr; 3]| is_zero(&task[2]);
    let apart: Vec<Constraint> = pairs(&tasks)
        .map(|(one, other)| {
            let apart = disjunctive([&one[0], &other[0]], [&one[1], &other[1]]);
            any([apart].into_iter().chain(absent(one)).chain(absent(other)))
        })
        .collect();
    let real = tasks.iter().filter_map(|task| Some(any([not_negative(&task[1])?].into_iter().chain(absent(task)))));
    all(real.chain(apart).chain(work(tasks.iter().cloned())))
}

/// No two rectangles overlap: MiniZinc's `diffn`. Rectangle i has its lower left corner at the i-th x and y, and the
/// i-th width and height, which are not negative. One without width or height must not lie inside another either.
///
/// ```
/// use cnfkit::model::{Model, diffn};
/// let mut model = Model::new();
/// let (x, y) = (model.ints(2, 0..=1), model.ints(2, 0..=1));
/// model.post(diffn(&x, &y, [2, 1], [1, 1])); // a domino and a square
/// assert_eq!(model.count(100)?, 16 - 2 * 3);
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
///
/// # Panics
/// When the lists differ in length.
#[doc(alias = "no_overlap_2d")]
pub fn diffn<X: Into<Expr>, Y: Into<Expr>, W: Into<Expr>, H: Into<Expr>>(
    x: impl IntoIterator<Item = X>,
    y: impl IntoIterator<Item = Y>,
    widths: impl IntoIterator<Item = W>,
    heights: impl IntoIterator<Item = H>,
) -> Constraint {
    let boxes = rows([collected(x), collected(y), collected(widths), collected(heights)]);
    let apart: Vec<Constraint> = pairs(&boxes)
        .map(|(one, other)| {
            let before = |a: &[Expr; 4], b: &[Expr; 4]| [(&a[0] + &a[2]).le(&b[0]), (&a[1] + &a[3]).le(&b[1])];
            any(before(one, other).into_iter().chain(before(other, one)))
        })
        .collect();
    let sizes = boxes.iter().flat_map(|own| [&own[2], &own[3]]);
    all(sizes.filter_map(not_negative).chain(apart))
}

/// No two tuples are equal: each two differ somewhere.
///
/// ```
/// use cnfkit::model::{Model, all_different_tuples};
/// let mut model = Model::new();
/// let place = model.int_grid(3, 2, 0..=1); // a row and a column each
/// model.post(all_different_tuples((0..3).map(|piece| place.row(piece))));
/// assert_eq!(model.count(100)?, 4 * 3 * 2);
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
///
/// # Panics
/// When the tuples differ in length.
pub fn all_different_tuples<T: IntoIterator<Item = E>, E: Into<Expr>>(
    tuples: impl IntoIterator<Item = T>,
) -> Constraint {
    let tuples: Vec<Vec<Expr>> = tuples.into_iter().map(collected).collect();
    let lengths = || tuples.iter().map(Vec::len);
    assert!(lengths().min() == lengths().max(), "tuples of different lengths: {:?}", lengths().collect::<Vec<_>>());
    let differ: Vec<Constraint> =
        pairs(&tuples).map(|(one, other)| any(one.iter().zip(other).map(|(a, b)| a.ne(b)))).collect();
    all(differ)
}
