//! *Cumulative*: tasks that run at the same time need no more of a resource than there is.
//!
//! For every time at which that may fail, the demands of the tasks that run then are weights of a constraint. A task
//! runs at a time if it has started by then and not ended: one clause on order literals for each task and time.

use super::counting::tasks;
use super::{Domains, Empty, Encoder, Linear, Needs, Rule};
use crate::choice::IntEncoding;
use crate::constraint::{Compare, Constraint, any};
use crate::variables::{Expr, IntVar, View};
use crate::writer::Truth;
use cnfkit_core::CapacityError;

/// The tasks that run at any time demand at most `capacity` together: MiniZinc's `cumulative`. Task i starts at the
/// i-th expression, takes the i-th duration and needs the i-th demand.
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
/// # Panics
/// When there are not as many durations or demands as starts, or one of them is negative.
pub fn cumulative<E: Into<Expr>>(
    starts: impl IntoIterator<Item = E>,
    durations: impl IntoIterator<Item = i64>,
    demands: impl IntoIterator<Item = i64>,
    capacity: i64,
) -> Constraint {
    let tasks = tasks(starts, durations);
    let demands: Vec<i64> = demands.into_iter().collect();
    assert!(tasks.len() == demands.len(), "{} tasks, {} demands", tasks.len(), demands.len());
    assert!(demands.iter().all(|&demand| demand >= 0), "a negative demand");
    let mut exprs = Vec::new();
    let mut needs = Vec::new();
    for ((start, duration), demand) in tasks.into_iter().zip(demands) {
        if duration > 0 && demand > 0 {
            exprs.push(start);
            needs.push((duration.min(LONGEST), demand));
        }
    }
    if capacity < 0 {
        return any(None::<Constraint>);
    }
    Constraint::rule(exprs, move |starts| Cumulative { starts, needs, capacity })
}

/// No two starts are so far apart, as no expression is beyond 2⁶¹.
const LONGEST: i64 = 1 << 62;
/// Beyond so many pairs of a task and a time, tasks are compared two at a time.
const MOST_TIMES: u64 = 4_000_000;

#[derive(Debug)]
struct Cumulative {
    starts: Vec<View>,
    /// The duration and the demand of each task.
    needs: Vec<(i64, i64)>,
    capacity: i64,
}

impl Cumulative {
    /// The tasks as start, duration and demand.
    fn tasks(&self) -> impl Iterator<Item = (View, i64, i64)> + '_ {
        self.starts.iter().zip(&self.needs).map(|(&start, &(duration, demand))| (start, duration, demand))
    }

    /// True if starts are compared as numbers, two at a time, and not time by time.
    fn is_wide(&self, domains: &Domains, choice: IntEncoding, has_theory: bool) -> bool {
        match choice {
            IntEncoding::Unary => false,
            IntEncoding::Binary => true,
            IntEncoding::Auto => {
                let times = self.starts.iter().map(|&start| domains.size(start)).fold(0, u64::saturating_add);
                // What runs at a time is a sum, which costs a theory next to nothing.
                let each = if has_theory { 4 } else { self.starts.len() as u64 };
                times.saturating_mul(each) > MOST_TIMES
            }
        }
    }

    /// The first task has started when the second does, and it is not over then.
    fn runs(&self, first: usize, then: usize) -> [Linear; 2] {
        let (start, now, duration) = (self.starts[first], self.starts[then], self.needs[first].0);
        [
            Linear::of_views(&[(start, 1), (now, -1)], Compare::AtMost, 0),
            Linear::of_views(&[(now, 1), (start, -1)], Compare::AtMost, duration - 1),
        ]
    }

    /// The opposites of these: the first task starts later, and it is over by then.
    fn idles(&self, first: usize, then: usize) -> [Linear; 2] {
        let (start, now, duration) = (self.starts[first], self.starts[then], self.needs[first].0);
        [
            Linear::of_views(&[(now, 1), (start, -1)], Compare::AtMost, -1),
            Linear::of_views(&[(start, 1), (now, -1)], Compare::AtMost, -duration),
        ]
    }

    /// Comparisons of all pairs.
    fn comparisons(&self) -> impl Iterator<Item = Linear> + '_ {
        let pairs = (0..self.starts.len()).flat_map(|one| (0..self.starts.len()).map(move |other| (one, other)));
        let pairs = pairs.filter(|(one, other)| one != other);
        pairs.flat_map(|(one, other)| self.runs(one, other).into_iter().chain(self.idles(one, other)))
    }

    /// When a task starts, those that run then leave it what it needs.
    fn encode_by_task(&self, encoder: &mut Encoder<'_>) -> Result<(), CapacityError> {
        for (then, &(_, own)) in self.needs.iter().enumerate() {
            let mut running = Vec::with_capacity(self.needs.len());
            for (first, &(_, demand)) in self.needs.iter().enumerate().filter(|&(first, _)| first != then) {
                let runs = encoder.new_lit();
                let mut cases = vec![Truth::If(runs)];
                for idle in self.idles(first, then) {
                    let case = encoder.new_lit();
                    encoder.always(|encoder| encoder.under(case, |encoder| idle.encode(encoder)))?;
                    cases.push(Truth::If(case));
                }
                encoder.always(|encoder| encoder.clause(cases))?;
                running.push((runs, demand.unsigned_abs()));
            }
            match u64::try_from(self.capacity - own) {
                Ok(room) => encoder.weighted_at_most(&running, room)?,
                Err(_) => encoder.clause([])?,
            }
        }
        Ok(())
    }

    /// The times at which tasks may start: if the demand is ever too much, it is at one of these.
    fn times(&self, domains: &Domains) -> Vec<i64> {
        let mut times: Vec<i64> = self.starts.iter().flat_map(|&start| domains.values(start)).collect();
        times.sort_unstable();
        times.dedup();
        times
    }
}

impl Rule for Cumulative {
    fn variables(&self, found: &mut Vec<IntVar>) {
        super::variables_of(&self.starts, found);
    }

    /// Where some tasks run for certain, others that do not fit beside them do not.
    fn shrink(&self, domains: &mut Domains) -> Result<(), Empty> {
        // The profile of what runs for certain: changes of demand by time.
        let capacity = i128::from(self.capacity);
        let mut changes: Vec<(i64, i128)> = Vec::new();
        for (start, duration, demand) in self.tasks() {
            let (min, max) = domains.bounds(start);
            if demand > self.capacity {
                return Err(Empty);
            }
            if max < min.saturating_add(duration) {
                changes.extend([(max, i128::from(demand)), (min.saturating_add(duration), -i128::from(demand))]);
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
            for (start, duration, demand) in self.tasks() {
                let (min, max) = domains.bounds(start);
                let is_part = max <= from && min.saturating_add(duration) >= to;
                if is_part || level + i128::from(demand) <= capacity {
                    continue;
                }
                // It neither starts within the range nor so late before that it still runs.
                let first = from.saturating_sub(duration) + 1;
                if min >= first && min < to {
                    domains.at_least(start, to)?;
                }
                if max < to && max >= first {
                    domains.at_most(start, first - 1)?;
                }
            }
        }
        Ok(())
    }

    fn needs(&self, domains: &Domains, needs: &mut Needs) {
        if self.is_wide(domains, needs.choice, needs.has_theory) {
            return self.comparisons().for_each(|compare| compare.needs(domains, needs));
        }
        self.starts.iter().for_each(|&start| needs.order(start));
    }

    fn encode(&self, encoder: &mut Encoder<'_>) -> Result<(), CapacityError> {
        let domains = encoder.domains();
        if self.is_wide(domains, encoder.choice.int, encoder.has_theory()) {
            return self.encode_by_task(encoder);
        }
        if self.needs.iter().any(|&(_, demand)| demand > self.capacity) {
            return encoder.clause([]);
        }
        for time in self.times(domains) {
            // Those that may run now.
            let running = self.tasks().filter(|&(start, duration, _)| {
                let (min, max) = domains.bounds(start);
                min <= time && time < max.saturating_add(duration)
            });
            let running: Vec<(View, i64, i64)> = running.collect();
            if running.iter().map(|&(_, _, demand)| i128::from(demand)).sum::<i128>() <= i128::from(self.capacity) {
                continue;
            }
            let mut known = 0_i128;
            let mut weights = Vec::new();
            for (start, duration, demand) in running {
                let started = !encoder.at_least(start, time + 1);
                let not_over = encoder.at_least(start, time - duration + 1);
                let runs = match (started, not_over) {
                    (Truth::Known(true), truth) | (truth, Truth::Known(true)) => truth,
                    (Truth::Known(false), _) | (_, Truth::Known(false)) => continue,
                    (started, not_over) => {
                        let runs = Truth::If(encoder.new_lit());
                        encoder.always(|encoder| encoder.clause([!started, !not_over, runs]))?;
                        runs
                    }
                };
                match runs {
                    Truth::Known(_) => known += i128::from(demand),
                    Truth::If(lit) => weights.push((lit, demand.unsigned_abs())),
                }
            }
            match u64::try_from(i128::from(self.capacity) - known) {
                Ok(room) => encoder.weighted_at_most(&weights, room)?,
                Err(_) => encoder.clause([])?,
            }
        }
        Ok(())
    }

    fn negated(&self) -> Constraint {
        let (needs, capacity) = (self.needs.clone(), self.capacity);
        let exprs = self.starts.iter().map(|&start| start.into()).collect();
        Constraint::rule(exprs, move |starts| Overload(Cumulative { starts, needs, capacity }))
    }

    fn holds(&self, value: &dyn Fn(IntVar) -> i64) -> bool {
        let tasks: Vec<(i64, i64, i64)> =
            self.tasks().map(|(start, duration, demand)| (start.of(value), duration, demand)).collect();
        tasks.iter().all(|&(now, ..)| {
            let running = tasks.iter().filter(|&&(start, duration, _)| start <= now && now < start + duration);
            running.map(|&(.., demand)| i128::from(demand)).sum::<i128>() <= i128::from(self.capacity)
        })
    }
}

/// When some task starts, it and those that run then demand more than there is.
#[derive(Debug)]
struct Overload(Cumulative);

impl Rule for Overload {
    /// None: there is nothing that it filters.
    fn variables(&self, _: &mut Vec<IntVar>) {}

    fn shrink(&self, _: &mut Domains) -> Result<(), Empty> {
        Ok(())
    }

    fn needs(&self, domains: &Domains, needs: &mut Needs) {
        self.0.comparisons().for_each(|compare| compare.needs(domains, needs));
    }

    fn encode(&self, encoder: &mut Encoder<'_>) -> Result<(), CapacityError> {
        let tasks: Vec<(View, i64, i64)> = self.0.tasks().collect();
        let mut cases = Vec::with_capacity(tasks.len());
        for (at, &(.., own)) in tasks.iter().enumerate() {
            let case = encoder.new_lit();
            cases.push(Truth::If(case));
            let mut idle = Vec::new();
            let mut total = i128::from(own);
            for (other, &(.., demand)) in tasks.iter().enumerate().filter(|&(other, _)| other != at) {
                let runs = encoder.new_lit();
                let [started, not_over] = self.0.runs(other, at);
                encoder.always(|encoder| {
                    encoder.under(runs, |encoder| {
                        started.encode(encoder)?;
                        not_over.encode(encoder)
                    })
                })?;
                idle.push((!runs, demand.unsigned_abs()));
                total += i128::from(demand);
            }
            // The demands of those that are idle leave more than the capacity.
            let room = total - i128::from(self.0.capacity) - 1;
            encoder.always(|encoder| {
                encoder.under(case, |encoder| match u64::try_from(room) {
                    Ok(room) => encoder.weighted_at_most(&idle, room),
                    Err(_) => encoder.clause([]),
                })
            })?;
        }
        encoder.clause(cases)
    }

    fn negated(&self) -> Constraint {
        let Cumulative { starts, needs, capacity } = &self.0;
        let (needs, capacity) = (needs.clone(), *capacity);
        let exprs = starts.iter().map(|&start| start.into()).collect();
        Constraint::rule(exprs, move |starts| Cumulative { starts, needs, capacity })
    }

    fn holds(&self, value: &dyn Fn(IntVar) -> i64) -> bool {
        !self.0.holds(value)
    }
}
