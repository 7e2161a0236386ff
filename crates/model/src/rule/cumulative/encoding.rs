//! The encoding of a cumulative constraint, and of its opposite: time by time, or by the start of each task.

use super::task::{Cumulative, Task};
use crate::rule::ViewRule;
use crate::variables::{Domains, View};
use crate::writer::{Encoder, Truth};
use cnfkit_core::CapacityError;

/// Beyond so many pairs of a task and a time, what runs at a time is a sum that need not be written.
const MOST_WRITTEN: usize = if cfg!(test) { 10 } else { 10_000 }; // brute force sees both ways

impl Cumulative {
    /// At each time at which a task may start, what runs then needs no more than there is.
    pub(super) fn encode_by_time(&self, encoder: &mut Encoder<'_>) -> Result<(), CapacityError> {
        let domains = encoder.domains();
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

    /// When a task starts, those that run then, and it itself, need no more than there is.
    pub(super) fn encode_by_task(&self, encoder: &mut Encoder<'_>) -> Result<(), CapacityError> {
        for then in 0..self.tasks.len() {
            let mut load = Load::default();
            for (first, task) in self.tasks.iter().enumerate() {
                let runs = encoder.new_lit();
                let mut cases = vec![Truth::If(runs)];
                for idle in self.idles(first, then) {
                    let case = encoder.new_lit();
                    encoder.implied_by(case, |encoder| idle.encode(encoder))?;
                    cases.push(Truth::If(case));
                }
                encoder.define(cases)?;
                load.add(encoder, &[Truth::If(runs)], task.demand)?;
            }
            load.post(encoder, self.capacity, false)?;
        }
        Ok(())
    }

    /// At the start of some task, what runs then needs more than there is.
    pub(super) fn encode_overload(&self, encoder: &mut Encoder<'_>) -> Result<(), CapacityError> {
        let mut cases = Vec::with_capacity(self.tasks.len());
        for at in 0..self.tasks.len() {
            let case = encoder.new_lit();
            cases.push(Truth::If(case));
            // A literal with the demand of each task implies that the task runs and demands that.
            let mut weights = Vec::new();
            for (other, task) in self.tasks.iter().enumerate() {
                let runs = encoder.new_lit();
                let linears = self.runs(other, at);
                encoder.implied_by(runs, |encoder| linears.iter().try_for_each(|linear| linear.encode(encoder)))?;
                for (step, weight) in demand_steps(encoder, task.demand) {
                    let counts = match step {
                        Truth::Known(_) => runs,
                        Truth::If(step) => {
                            let both = encoder.new_lit();
                            encoder.define([!Truth::If(both), Truth::If(runs)])?;
                            encoder.define([!Truth::If(both), Truth::If(step)])?;
                            both
                        }
                    };
                    weights.push((counts, weight));
                }
            }
            let (least, _) = encoder.domains().bounds(self.capacity);
            let capacity = self.capacity;
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
            encoder.implied_by(case, |encoder| match u64::try_from(total) {
                Ok(room) => encoder.weighted_at_most(&short, room),
                Err(_) => encoder.clause([]),
            })?;
        }
        encoder.clause(cases)
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
                    encoder.define(clause)?;
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
