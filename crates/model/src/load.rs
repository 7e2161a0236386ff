//! The work on a machine, or with a resource, bounds the end of all tasks.
//!
//! Tasks that run one at a time, or with a capacity, and that all end before M − a do Σ duration · demand ≤
//! capacity · (M − a − the earliest start). That follows, but no propagation sees it where it is open which tasks run,
//! as in flexible job shops: M is said to be at least that much before an optimum is searched.

use std::collections::HashMap;

use super::node::ConstraintNode;
use super::rule::{Cumulative, Task};
use super::variables::{Bool, Domains, Expr, IntVar, View};
use super::{Model, ModelError};
use cnfkit_core::internals::Clock;

/// With more precedences than this, none is looked at.
const MOST_PRECEDENCES: usize = 20_000;
/// Variables that are bounded by work.
const MOST_ENDS: usize = 16;
/// Precedences one after the other that are followed.
const LONGEST_CHAIN: usize = 256;
/// Numbers beyond this are not multiplied.
const LARGEST: i64 = 1 << 24;

/// `before + distance <= after`, at least where the truth value is false.
struct Precedence {
    unless: Option<Bool>,
    before: IntVar,
    distance: i64,
    after: IntVar,
}

impl Model {
    /// Says how much work is done before these variables, as far as that is known.
    pub(super) fn post_loads(&mut self, ends: &[IntVar], clock: &Clock) -> Result<(), ModelError> {
        if self.posted.iter().all(|posted| posted.node.works().is_empty()) {
            return Ok(());
        }
        let shrunk = Domains::new(self.domains.clone()).shrink(self.posted.iter(), clock)?;
        let Ok(domains) = shrunk else { return Ok(()) };
        let Some(precedences) = self.precedences(&domains) else { return Ok(()) };
        self.group = None;
        for &end in ends.iter().filter(|&&end| domains.of(end).len() > 2).take(MOST_ENDS) {
            clock.check()?;
            self.loads(end, &precedences, &domains).into_iter().for_each(|load| self.post(load.le(0)));
        }
        Ok(())
    }

    /// `None` where there are too many.
    fn precedences(&self, domains: &Domains) -> Option<Vec<Precedence>> {
        let mut precedences = Vec::new();
        let mut nodes: Vec<&ConstraintNode> = self.posted.iter().map(|posted| &posted.node).collect();
        while let Some(node) = nodes.pop() {
            let (unless, node) = match node {
                ConstraintNode::All(parts) => {
                    nodes.extend(parts);
                    continue;
                }
                ConstraintNode::Any(parts) => match &parts[..] {
                    [ConstraintNode::Bool(bool), node] | [node, ConstraintNode::Bool(bool)] => (Some(*bool), node),
                    _ => continue,
                },
                node => (None, node),
            };
            for (terms, bound) in node.relaxed(domains) {
                if let [(before, 1), (after, -1)] | [(after, -1), (before, 1)] = terms[..] {
                    precedences.push(Precedence { unless, before, distance: -bound, after });
                }
            }
        }
        (precedences.len() <= MOST_PRECEDENCES).then_some(precedences)
    }

    /// Sums that are at most 0, as that much work is done before this variable.
    fn loads(&self, end: IntVar, precedences: &[Precedence], domains: &Domains) -> Vec<Expr> {
        // How long after variables it is at least.
        let mut tails: HashMap<u32, i64> = HashMap::from([(end.index, 0)]);
        for _ in 0..LONGEST_CHAIN {
            let mut is_changed = false;
            for Precedence { before, distance, after, .. } in precedences.iter().filter(|one| one.unless.is_none()) {
                let tail = tails.get(&after.index).and_then(|tail| tail.checked_add(*distance));
                if let Some(tail) = tail.filter(|tail| tails.get(&before.index).is_none_or(|own| own < tail)) {
                    tails.insert(before.index, tail);
                    is_changed = true;
                }
            }
            if !is_changed {
                break;
            }
        }
        if tails.len() == 1 {
            return Vec::new();
        }
        let tail = |task: &Task| {
            let View { var, factor: 1, offset } = task.start else { return None };
            let holds_if_present = |unless: Bool| {
                let View { var, factor, .. } = task.demand;
                let is_absent = |value: i64| task.demand.of_value(value) == 0;
                factor != 0
                    && unless.var.index == var.index
                    && domains.of(var).len() <= 2
                    && domains.of(var).iter().all(|value| is_absent(value) || !unless.holds(value))
            };
            let own = precedences.iter().filter(|one| one.before.index == var.index);
            let own = own.filter(|one| one.unless.is_some_and(holds_if_present));
            let own = own.filter_map(|one| tails.get(&one.after.index)?.checked_add(one.distance));
            own.chain(tails.get(&var.index).copied()).max()?.checked_sub(offset)
        };
        let load = |work: &Cumulative| {
            let capacity = domains.bounds(work.capacity).1;
            let (mut first, mut last, mut sum) = (i64::MAX, i64::MAX, -(capacity * Expr::from(end)));
            for task in &work.tasks {
                let Some(duration) = task.duration() else { continue };
                let Some(after) = tail(task).and_then(|tail| tail.checked_sub(duration)) else { continue };
                let (start, demand) = (domains.bounds(task.start).0, domains.bounds(task.demand));
                let is_small = [duration, after, start, demand.1].iter().all(|one| one.abs() < LARGEST);
                if is_small && duration > 0 && after >= 0 && demand.0 >= 0 {
                    (first, last) = (first.min(start), last.min(after));
                    sum += duration * Expr::from(task.demand);
                }
            }
            (capacity < LARGEST && first < i64::MAX).then(|| sum + capacity * (first + last))
        };
        self.posted.iter().flat_map(|posted| posted.node.works()).filter_map(load).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::{Constraint, Expr, IntVar, Model, any, cumulative, disjunctive, maximum, no_overlap, sum};
    use cnfkit_ask::Strategy;
    use cnfkit_core::internals::{Clock, Random};

    /// Tasks on two machines, or of a resource, some of them open: the least end is that of a search which is told
    /// nothing of work, and often more is known of it.
    #[test]
    fn no_end_is_before_its_work_and_none_is_excluded() {
        let mut random = Random::new(3);
        let mut told = 0;
        for round in 0..60 {
            let mut model = Model::new();
            let n = 4;
            let (starts, ends, end) = (model.ints(n, 0..=9), model.ints(n, 0..=14), model.int(0..=20));
            let on_first = model.bools(n);
            let mut numbers =
                |least: i64, most: usize| -> Vec<i64> { (0..n).map(|_| least + random.below(most) as i64).collect() };
            let (times, others, demands) = (numbers(0, 4), numbers(1, 4), numbers(1, 2));
            let is =
                |at: usize, first: bool| if first { Expr::from(on_first[at]) } else { 1 - Expr::from(on_first[at]) };
            if round % 4 == 0 {
                model.post(cumulative(
                    &starts,
                    times.clone(),
                    (0..n).map(|at| demands[at] * if at < 2 { 1.into() } else { is(at, true) }),
                    2,
                ));
                (0..n).for_each(|at| model.post((starts[at] + times[at]).le(ends[at])));
            } else {
                for (first, times) in [(true, &times), (false, &others)] {
                    model.post(no_overlap(&starts, times.clone(), (0..n).map(|at| is(at, first))));
                    for at in 0..n {
                        let fits: Constraint = (starts[at] + times[at]).eq(ends[at]);
                        model.post(any([is(at, first).eq(0), fits]));
                    }
                }
            }
            if round % 3 == 0 {
                model.post(disjunctive(&starts[1..], demands[1..].to_vec()));
                model.post((starts[2] + demands[2]).le(end));
            }
            (0..2).for_each(|_| {
                let (before, after) = (random.below(n), random.below(n));
                if before < after {
                    model.post((starts[before] + 1).le(starts[after]));
                }
            });
            match round % 2 {
                0 => model.post(maximum(&ends, end)),
                _ => ends.iter().for_each(|&own| model.post(own.le(end - 1))),
            }
            let costs = sum(on_first.iter().map(|&bool| Expr::from(bool) * (1 + random.below(5) as i64)));
            let before = model.posted.len();
            let mut said = model.clone();
            said.post_loads(&[end], &Clock::default()).unwrap();
            told += said.posted.len() - before;
            let least = |model: &mut Model, strategy| {
                model.set_strategy(strategy);
                model.minimum(3 * end + costs.clone()).unwrap().map(|best| (best.value, best.is_optimal))
            };
            let expected = least(&mut model, Strategy::SolutionImproving);
            assert_eq!(least(&mut model, Strategy::Auto), expected, "round {round}");
            assert_eq!(least(&mut said, Strategy::SolutionImproving), expected, "round {round}");
        }
        assert!(told > 60, "{told}");
    }

    /// Of the work on a machine follows when it is done, with what has to come before and after it.
    #[test]
    fn work_is_counted_from_the_first_start_to_the_last_end() {
        let mut model = Model::new();
        let (starts, end): (Vec<IntVar>, IntVar) = (model.ints(3, 2..=20), model.int(0..=40));
        model.post(disjunctive(&starts, [3, 4, 5]));
        starts.iter().zip([3, 4, 5]).for_each(|(&start, time)| model.post((start + time + 1).le(end)));
        model.post_loads(&[end], &Clock::default()).unwrap();
        let last = model.posted.last().map(|posted| posted.node.text(&model));
        assert_eq!(last.as_deref(), Some("x3 >= 15"));
    }
}
