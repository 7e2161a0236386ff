//! *Cumulative*: tasks that run at the same time need no more of a resource than there is.
//!
//! For every time at which that may fail, the demands of the tasks that run then are weights of a constraint. A task
//! runs at a time if it has started by then and not ended: one clause on order literals for each task and time, and
//! for each step of a demand that is a variable.

use std::collections::BTreeMap;
use std::ops::Bound::{Excluded, Unbounded};

use super::{Domains, Empty, Encoder, Linear, Needs, Rule};
use crate::choice::IntEncoding;
use crate::constraint::{Compare, Constraint, all};
use crate::cost::Cost;
use crate::variables::{Expr, IntVar, View};
use crate::writer::Truth;
use cnfkit_core::CapacityError;
use cnfkit_core::internals::sort;

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
/// Beyond so many pairs of a task and a time, what runs at a time is a sum that need not be written.
const MOST_WRITTEN: usize = if cfg!(test) { 10 } else { 10_000 }; // brute force sees both ways

#[derive(Clone, Debug)]
struct Cumulative {
    capacity: View,
    tasks: Vec<Task>,
}

#[derive(Clone, Copy, Debug)]
struct Task {
    start: View,
    end: View,
    demand: View,
}

/// The least and the greatest start, end, and demand.
struct Bounds {
    start: (i64, i64),
    end: (i64, i64),
    demand: (i64, i64),
}

impl Task {
    /// The duration, where it is always the same.
    fn duration(self) -> Option<i64> {
        self.start.distance_to(self.end)
    }

    fn bounds(self, domains: &Domains) -> Bounds {
        Bounds { start: domains.bounds(self.start), end: domains.bounds(self.end), demand: domains.bounds(self.demand) }
    }
}

impl Cumulative {
    /// The capacity, then start, end and demand of each task.
    fn of(views: &[View]) -> Self {
        let task = |views: &[View]| Task { start: views[0], end: views[1], demand: views[2] };
        Self { capacity: views[0], tasks: views[1..].chunks(3).map(task).collect() }
    }

    fn views(&self) -> Vec<View> {
        let of = |task: &Task| [task.start, task.end, task.demand];
        [self.capacity].into_iter().chain(self.tasks.iter().flat_map(of)).collect()
    }

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

    /// The first task has started when the second does, and it is not over then.
    fn runs(&self, first: usize, then: usize) -> [Linear; 2] {
        let (task, now) = (self.tasks[first], self.tasks[then].start);
        [
            Linear::of_views(&[(task.start, 1), (now, -1)], Compare::AtMost, 0),
            Linear::of_views(&[(now, 1), (task.end, -1)], Compare::AtMost, -1),
        ]
    }

    /// The opposites of these: the first task starts later, and it is over by then.
    fn idles(&self, first: usize, then: usize) -> [Linear; 2] {
        let (task, now) = (self.tasks[first], self.tasks[then].start);
        [
            Linear::of_views(&[(now, 1), (task.start, -1)], Compare::AtMost, -1),
            Linear::of_views(&[(task.end, 1), (now, -1)], Compare::AtMost, 0),
        ]
    }

    /// Each task as early as those before it leave room, in the order of their latest starts: the serial schedule
    /// generation scheme (R. Kolisch, *Serial and parallel resource-constrained project scheduling methods revisited*,
    /// European Journal of Operational Research 90, 1996, pages 320–333).
    fn schedule(&self, domains: &Domains, found: &mut Vec<(IntVar, i64)>) -> Option<()> {
        let capacity = i128::from(domains.bounds(self.capacity).0);
        let mut tasks: Vec<(Task, Bounds)> = self.tasks.iter().map(|&task| (task, task.bounds(domains))).collect();
        sort::by(&mut tasks, |(_, one), (_, other)| one.start.1.cmp(&other.start.1));
        // The demand from each of these times on.
        let mut profile = BTreeMap::from([(i64::MIN, 0_i128)]);
        for (task, Bounds { start, demand, .. }) in tasks {
            let View { var, factor, offset } = task.start;
            let (length, demand) = (task.duration()?.max(0), i128::from(demand.1));
            if !task.start.is_constant() && factor != 1 {
                return None;
            }
            let mut at = start.0;
            let over = loop {
                if !task.start.is_constant() {
                    at = domains.of(var).next(at.checked_sub(offset)?)? + offset;
                }
                let over = at.checked_add(length)?;
                let first = *profile.range(..=at).next_back()?.0;
                let full = profile.range(first..over).rev().find(|&(_, &level)| level + demand > capacity);
                let Some((&full, _)) = full.filter(|_| length > 0) else { break over };
                if task.start.is_constant() {
                    return None;
                }
                at = *profile.range((Excluded(full), Unbounded)).next()?.0;
            };
            for time in [at, over] {
                let level = *profile.range(..=time).next_back()?.1;
                profile.entry(time).or_insert(level);
            }
            profile.range_mut(at..over).for_each(|(_, level)| *level += demand);
            if !task.start.is_constant() {
                found.push((var, at - offset));
            }
        }
        Some(())
    }

    /// Comparisons of all pairs.
    fn comparisons(&self) -> impl Iterator<Item = Linear> + '_ {
        let n = self.tasks.len();
        let pairs = (0..n).flat_map(move |one| (0..n).map(move |other| (one, other)));
        pairs.flat_map(|(one, other)| self.runs(one, other).into_iter().chain(self.idles(one, other)))
    }

    /// When a task starts, those that run then, and it itself, need no more than there is.
    fn encode_by_task(&self, encoder: &mut Encoder<'_>) -> Result<(), CapacityError> {
        for then in 0..self.tasks.len() {
            let mut load = Load::default();
            for (first, task) in self.tasks.iter().enumerate() {
                let runs = encoder.new_lit();
                let mut cases = vec![Truth::If(runs)];
                for idle in self.idles(first, then) {
                    let case = encoder.new_lit();
                    encoder.always(|encoder| encoder.under(case, |encoder| idle.encode(encoder)))?;
                    cases.push(Truth::If(case));
                }
                encoder.always(|encoder| encoder.clause(cases))?;
                load.add(encoder, &[Truth::If(runs)], task.demand)?;
            }
            load.post(encoder, self.capacity, false)?;
        }
        Ok(())
    }

    /// The times at which tasks may start: if the demand is ever too much, it is at one of these.
    fn times(&self, domains: &Domains) -> Vec<i64> {
        let mut times: Vec<i64> = self.tasks.iter().flat_map(|task| domains.values(task.start)).collect();
        times.sort_unstable();
        times.dedup();
        times
    }

    /// The tasks that may run at a time.
    fn running<'a>(&'a self, domains: &'a Domains, time: i64) -> impl Iterator<Item = Task> + 'a {
        self.tasks.iter().copied().filter(move |task| {
            let bounds = task.bounds(domains);
            bounds.start.0 <= time && time < bounds.end.1 && bounds.demand.1 > 0
        })
    }
}

/// A demand as weights: what it is at least, and what each literal adds. What is below 0 is no demand.
fn demand_steps(encoder: &Encoder<'_>, demand: View) -> Vec<(Truth, u64)> {
    let (least, _) = encoder.domains().bounds(demand);
    let mut before = least.max(0).unsigned_abs();
    let mut steps = vec![(Truth::Known(true), before)];
    let chain = if demand.is_constant() { None } else { encoder.chain(demand.var, demand.factor) };
    for (lit, amount) in chain.unwrap_or_default() {
        let now = least.saturating_add_unsigned(amount).max(0).unsigned_abs();
        steps.push((Truth::If(lit), now - std::mem::replace(&mut before, now)));
    }
    steps.retain(|&(_, weight)| weight > 0);
    steps
}

/// The demands at a time: what is known, and weights of literals.
#[derive(Debug, Default)]
struct Load {
    known: i128,
    weights: Vec<(rustsat::types::Lit, u64)>,
}

impl Load {
    /// Adds a demand that counts where all of these are true.
    fn add(&mut self, encoder: &mut Encoder<'_>, all: &[Truth], demand: View) -> Result<(), CapacityError> {
        for (step, weight) in demand_steps(encoder, demand) {
            let mut open: Vec<Truth> = all.iter().copied().chain([step]).collect();
            open.retain(|&truth| truth != Truth::Known(true));
            match open[..] {
                [] => self.known += i128::from(weight),
                [Truth::If(lit)] => self.weights.push((lit, weight)),
                _ if open.contains(&Truth::Known(false)) => {}
                _ => {
                    let counts = encoder.new_lit();
                    let clause = open.into_iter().map(|truth| !truth).chain([Truth::If(counts)]);
                    encoder.always(|encoder| encoder.clause(clause))?;
                    self.weights.push((counts, weight));
                }
            }
        }
        Ok(())
    }

    /// All of it is at most the capacity, under the condition; a sum of many is not written where it need not be.
    fn post(mut self, encoder: &mut Encoder<'_>, capacity: View, many: bool) -> Result<(), CapacityError> {
        let (_, most) = encoder.domains().bounds(capacity);
        if !capacity.is_constant() {
            // What the capacity is less than it may be is taken, too.
            let mut before = 0;
            for (lit, amount) in encoder.chain(capacity.var, -capacity.factor).unwrap_or_default() {
                self.weights.push((lit, amount - std::mem::replace(&mut before, amount)));
            }
        }
        match u64::try_from(i128::from(most) - self.known) {
            Ok(room) if many => encoder.many_weighted_at_most(&self.weights, room),
            Ok(room) => encoder.weighted_at_most(&self.weights, room),
            Err(_) => encoder.clause([]),
        }
    }
}

impl Rule for Cumulative {
    fn text(&self) -> String {
        let task = |task: &Task| format!("{} to {} needs {}", task.start, task.end, task.demand);
        let tasks: Vec<String> = self.tasks.iter().map(task).collect();
        format!("cumulative({}, {})", super::list(&tasks), self.capacity)
    }

    fn variables(&self, found: &mut Vec<IntVar>) {
        super::variables_of(&self.views(), found);
    }

    /// Where some tasks run for certain, others that do not fit beside them do not.
    fn shrink(&self, domains: &mut Domains) -> Result<(), Empty> {
        // The profile of what runs for certain: changes of demand by time.
        let (_, capacity) = domains.bounds(self.capacity);
        let capacity = i128::from(capacity);
        let mut changes: Vec<(i64, i128)> = Vec::new();
        for task in &self.tasks {
            let Bounds { start, end, demand } = task.bounds(domains);
            if start.1 < end.0 && demand.0 > 0 {
                changes.extend([(start.1, i128::from(demand.0)), (end.0, -i128::from(demand.0))]);
            }
        }
        changes.sort_unstable();
        let mut profile: Vec<(i64, i64, i128)> = Vec::new();
        let mut level = 0;
        for pair in changes.windows(2) {
            level += pair[0].1;
            if pair[0].0 < pair[1].0 {
                profile.push((pair[0].0, pair[1].0, level));
            }
        }
        for &(from, to, level) in &profile {
            if level > capacity {
                return Err(Empty);
            }
            for task in &self.tasks {
                let Bounds { start, end, demand } = task.bounds(domains);
                // Where the duration varies, the task might be shorter than its bounds say.
                let Some(duration) = task.duration().filter(|&duration| duration > 0) else { continue };
                let is_part = start.1 <= from && end.0 >= to;
                if is_part || demand.0 <= 0 || level + i128::from(demand.0) <= capacity {
                    continue;
                }
                // It neither starts within the range nor so late before that it still runs.
                let first = from.saturating_sub(duration) + 1;
                if start.0 >= first && start.0 < to {
                    domains.at_least(task.start, to)?;
                }
                if start.1 < to && start.1 >= first {
                    domains.at_most(task.start, first - 1)?;
                }
            }
        }
        Ok(())
    }

    fn likely(&self, domains: &Domains, found: &mut Vec<(IntVar, i64)>) {
        let n = found.len();
        if self.schedule(domains, found).is_none() {
            found.truncate(n);
        }
    }

    fn cost(&self, domains: &Domains, has_theory: bool) -> Cost {
        if !self.is_wide(domains, IntEncoding::Auto, has_theory) {
            return Cost::default();
        }
        let cost = |compare: Linear| compare.cost(domains, has_theory);
        self.comparisons().map(cost).fold(Cost::default(), |all, cost| all + cost)
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
        if self.is_wide(domains, encoder.choice.int, encoder.has_theory()) {
            encoder.way("tasks compared two at a time: there are many times");
            return self.encode_by_task(encoder);
        }
        encoder.way("a sum at each time at which a task may start");
        let times = self.times(domains);
        let (least, _) = domains.bounds(self.capacity);
        let most =
            |running: &[Task]| -> i128 { running.iter().map(|task| i128::from(task.bounds(domains).demand.1)).sum() };
        let loads: Vec<(i64, Vec<Task>)> = times
            .into_iter()
            .map(|time| (time, self.running(domains, time).collect::<Vec<Task>>()))
            .filter(|(_, running)| most(running) > i128::from(least))
            .collect();
        let many = loads.iter().map(|(_, running)| running.len()).sum::<usize>() > MOST_WRITTEN;
        for (time, running) in loads {
            let mut load = Load::default();
            for task in running {
                let started = !encoder.at_least(task.start, time + 1);
                let not_over = encoder.at_least(task.end, time + 1);
                load.add(encoder, &[started, not_over], task.demand)?;
            }
            load.post(encoder, self.capacity, many)?;
        }
        Ok(())
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

impl Rule for Overload {
    fn text(&self) -> String {
        format!("!{}", self.0.text())
    }

    fn needs(&self, domains: &Domains, needs: &mut Needs) {
        needs.order(self.0.capacity);
        self.0.tasks.iter().for_each(|task| needs.order(task.demand));
        self.0.comparisons().for_each(|compare| compare.needs(domains, needs));
    }

    fn encode(&self, encoder: &mut Encoder<'_>) -> Result<(), CapacityError> {
        let mut cases = Vec::with_capacity(self.0.tasks.len());
        for at in 0..self.0.tasks.len() {
            let case = encoder.new_lit();
            cases.push(Truth::If(case));
            // A literal with the demand of each task implies that the task runs and demands that.
            let mut weights = Vec::new();
            for (other, task) in self.0.tasks.iter().enumerate() {
                let runs = encoder.new_lit();
                let linears = self.0.runs(other, at);
                encoder.always(|encoder| {
                    encoder.under(runs, |encoder| linears.iter().try_for_each(|linear| linear.encode(encoder)))
                })?;
                for (step, weight) in demand_steps(encoder, task.demand) {
                    let counts = match step {
                        Truth::Known(_) => runs,
                        Truth::If(step) => {
                            let both = encoder.new_lit();
                            encoder.always(|encoder| {
                                encoder.clause([!Truth::If(both), Truth::If(runs)])?;
                                encoder.clause([!Truth::If(both), Truth::If(step)])
                            })?;
                            both
                        }
                    };
                    weights.push((counts, weight));
                }
            }
            let (least, _) = encoder.domains().bounds(self.0.capacity);
            let capacity = self.0.capacity;
            let mut total: i128 = weights.iter().map(|&(_, weight)| i128::from(weight)).sum();
            let mut short: Vec<_> = weights.into_iter().map(|(lit, weight)| (!lit, weight)).collect();
            // What the capacity is above its least has to be exceeded, too.
            if !capacity.is_constant() {
                let mut before = 0;
                for (lit, amount) in encoder.chain(capacity.var, capacity.factor).unwrap_or_default() {
                    short.push((lit, amount - std::mem::replace(&mut before, amount)));
                }
            }
            total -= i128::from(least) + 1;
            encoder.always(|encoder| {
                encoder.under(case, |encoder| match u64::try_from(total) {
                    Ok(room) => encoder.weighted_at_most(&short, room),
                    Err(_) => encoder.clause([]),
                })
            })?;
        }
        encoder.clause(cases)
    }

    fn negated(&self) -> Constraint {
        let exprs = self.0.views().into_iter().map(Expr::from).collect();
        Constraint::rule(exprs, |views| Cumulative::of(&views))
    }

    fn holds(&self, value: &dyn Fn(IntVar) -> i64) -> bool {
        !self.0.holds(value)
    }
}
