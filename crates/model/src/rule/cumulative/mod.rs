//! *Cumulative*: tasks that run at the same time need no more of a resource than there is.
//!
//! For every time at which that may fail, the demands of the tasks that run then are weights of a constraint. A task
//! runs at a time if it has started by then and not ended: one clause on order literals for each task and time, and
//! for each step of a demand that is a variable.

mod encoding;
mod profile;
mod schedule;
mod task;
mod work;

pub(crate) use self::task::{Cumulative, Task};
pub(super) use self::work::work;
use super::{Domains, Empty, Encoder, Needs, ViewRule, VisitSum};
use crate::ModelError;
use crate::choice::IntEncoding;
use crate::constraint::{Constraint, all};
use crate::variables::{Expr, IntVar};
use cnfkit_core::CapacityError;

/// The tasks that run at any time demand at most `capacity` together: MiniZinc's `cumulative`. Task i starts at the
/// i-th expression, takes the i-th duration and needs the i-th demand. Durations, demands and the capacity may be
/// variables, and are not negative.
///
/// ```
/// use cnfkit::model::{Model, cumulative};
/// let mut model = Model::new();
/// let starts = model.ints(3, 0..=3);
/// model.post(cumulative(&starts, [2, 2, 2], [2, 1, 1], 2));
/// assert_eq!(model.count(100)?, 10);
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
///
/// The demand of an optional task is 0 where it is absent:
///
/// ```
/// use cnfkit::model::{Model, cumulative, sum};
/// let mut model = Model::new();
/// let (starts, runs) = (model.ints(4, 0..=2), model.bools(4));
/// model.post(cumulative(&starts, [3, 2, 2, 2], runs.iter().map(|&runs| 2 * runs), 3));
/// assert_eq!(model.maximum(sum(&runs))?.map(|best| best.value), Some(2));
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
///
/// # Panics
/// When there are not as many durations or demands as starts.
pub fn cumulative<S: Into<Expr>, D: Into<Expr>, R: Into<Expr>>(
    starts: impl IntoIterator<Item = S>,
    durations: impl IntoIterator<Item = D>,
    demands: impl IntoIterator<Item = R>,
    capacity: impl Into<Expr>,
) -> Constraint {
    let starts: Vec<Expr> = starts.into_iter().map(Into::into).collect();
    let durations: Vec<Expr> = durations.into_iter().map(Into::into).collect();
    let demands: Vec<Expr> = demands.into_iter().map(Into::into).collect();
    let lengths = [starts.len(), durations.len(), demands.len()];
    assert!(lengths[1..] == [lengths[0]; 2], "starts, durations and demands: {lengths:?}");
    let capacity = capacity.into();
    let numbers = durations.iter().chain(&demands).chain([&capacity]);
    let not_negative: Vec<Constraint> =
        numbers.filter(|number| number.known().is_none_or(|known| known < 0)).map(|number| number.ge(0)).collect();
    let mut exprs = vec![capacity];
    for ((start, duration), demand) in starts.into_iter().zip(durations).zip(demands) {
        if duration.known() == Some(0) || demand.known() == Some(0) {
            continue;
        }
        // No two starts are so far apart, as no expression is beyond 2⁶¹.
        let duration = duration.known().map_or(duration, |known| known.min(LONGEST).into());
        exprs.extend([start.clone(), start + duration, demand]);
    }
    all(not_negative.into_iter().chain([Constraint::rule(exprs, |views| Cumulative::of(&views))]))
}

/// Beyond the difference of two starts.
const LONGEST: i64 = 1 << 60;
/// Beyond so many pairs of a task and a time, tasks are compared two at a time.
const MOST_TIMES: u64 = 4_000_000;
/// Beyond so many pairs of a task and a time for each pair of tasks, too, where comparisons need not be written.
const MOST_FOR_A_PAIR: u64 = if cfg!(test) { 1 } else { 10 }; // brute force sees both ways

impl Cumulative {
    /// True if starts are compared as numbers, two at a time, and not time by time.
    fn is_wide(&self, domains: &Domains, choice: IntEncoding, has_theory: bool) -> bool {
        match choice {
            IntEncoding::Unary => false,
            IntEncoding::Binary => true,
            IntEncoding::Auto => {
                let times = self.tasks.iter().map(|task| domains.size(task.start)).fold(0, u64::saturating_add);
                // What runs at a time is a sum, which costs a theory next to nothing.
                let each = if has_theory { 4 } else { self.tasks.len() as u64 };
                let n_tasks = self.tasks.len() as u64;
                let has_few_pairs = has_theory && times > MOST_FOR_A_PAIR.saturating_mul(n_tasks * n_tasks);
                times.saturating_mul(each) > MOST_TIMES || has_few_pairs
            }
        }
    }
}

impl ViewRule for Cumulative {
    fn text(&self) -> String {
        let task = |task: &Task| format!("{} to {} needs {}", task.start, task.end, task.demand);
        let tasks: Vec<String> = self.tasks.iter().map(task).collect();
        format!("cumulative({}, {})", super::list(&tasks), self.capacity)
    }

    fn variables(&self, found: &mut Vec<IntVar>) {
        super::variables_of(&self.views(), found);
    }

    fn shrink(&self, domains: &mut Domains) -> Result<(), Empty> {
        self.prune(domains)
    }

    fn likely(&self, domains: &Domains, found: &mut Vec<(IntVar, i64)>) {
        let n = found.len();
        if self.schedule(domains, found).is_none() {
            found.truncate(n);
        }
    }

    fn work(&self) -> Option<&Cumulative> {
        Some(self)
    }

    fn each_sum(&self, domains: &Domains, has_theory: bool, visit: &mut VisitSum<'_>) -> Result<(), ModelError> {
        if !self.is_wide(domains, IntEncoding::Auto, has_theory) {
            return Ok(());
        }
        self.comparisons().try_for_each(|compare| compare.each_sum(domains, has_theory, visit))
    }

    fn needs(&self, domains: &Domains, needs: &mut Needs) {
        needs.order(self.capacity);
        self.tasks.iter().for_each(|task| needs.order(task.demand));
        if self.is_wide(domains, needs.choice, needs.has_theory) {
            return self.comparisons().for_each(|compare| compare.needs(domains, needs));
        }
        self.tasks.iter().flat_map(|task| [task.start, task.end]).for_each(|view| needs.order(view));
    }

    fn encode(&self, encoder: &mut Encoder<'_>) -> Result<(), CapacityError> {
        let domains = encoder.domains();
        if self.is_wide(domains, encoder.context().choice.int, encoder.context().has_theory()) {
            encoder.output.way("tasks compared two at a time: there are many times");
            return self.encode_by_task(encoder);
        }
        encoder.output.way("a sum at each time at which a task may start");
        self.encode_by_time(encoder)
    }

    fn negated(&self) -> Constraint {
        let exprs = self.views().into_iter().map(Expr::from).collect();
        Constraint::rule(exprs, |views| Overload(Cumulative::of(&views)))
    }

    fn holds(&self, value: &dyn Fn(IntVar) -> i64) -> bool {
        let of = |task: &Task| (task.start.of(value), task.end.of(value), task.demand.of(value).max(0));
        let tasks: Vec<(i64, i64, i64)> = self.tasks.iter().map(of).collect();
        let capacity = i128::from(self.capacity.of(value));
        tasks.iter().filter(|&&(start, end, _)| start < end).all(|&(now, ..)| {
            let running = tasks.iter().filter(|&&(start, end, _)| start <= now && now < end);
            running.map(|&(.., demand)| i128::from(demand)).sum::<i128>() <= capacity
        })
    }
}

/// At some time the tasks that run demand more than there is: at the start of one of them.
#[derive(Debug)]
struct Overload(Cumulative);

impl ViewRule for Overload {
    fn text(&self) -> String {
        format!("!{}", self.0.text())
    }

    fn needs(&self, domains: &Domains, needs: &mut Needs) {
        needs.order(self.0.capacity);
        self.0.tasks.iter().for_each(|task| needs.order(task.demand));
        self.0.comparisons().for_each(|compare| compare.needs(domains, needs));
    }

    fn encode(&self, encoder: &mut Encoder<'_>) -> Result<(), CapacityError> {
        self.0.encode_overload(encoder)
    }

    fn negated(&self) -> Constraint {
        let exprs = self.0.views().into_iter().map(Expr::from).collect();
        Constraint::rule(exprs, |views| Cumulative::of(&views))
    }

    fn holds(&self, value: &dyn Fn(IntVar) -> i64) -> bool {
        !self.0.holds(value)
    }
}
