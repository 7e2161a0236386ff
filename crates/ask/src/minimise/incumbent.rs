//! [`Incumbent`]: the best solution, what is proven of all others, and what was reported of both.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::optimum::{Improvement, Optimum};
use cnfkit_core::{Assignment, SolveError, Stopped};

/// The shortest time between two reports of bounds without a better solution: a core may take microseconds.
const BETWEEN_BOUNDS: Duration = Duration::from_millis(100);

/// The best solution of searches that go on at the same time, and its cost.
pub(crate) type SharedBest = Arc<Mutex<Option<(Assignment, u128)>>>;

/// The best solution so far, and a cost that none is below. That cost never falls but to the best solution's.
pub(super) struct Incumbent<'a> {
    /// 1 for the least value, −1 for the greatest.
    sign: i128,
    /// The value of no cost, with that sign.
    offset: i128,
    best: Option<(Assignment, u128)>,
    lower: u128,
    report: Option<Box<dyn FnMut(&Improvement<'_>) + 'a>>,
    shared: Option<SharedBest>,
    /// The lower bound that was reported last, and the time at which one alone was.
    reported: u128,
    told: Option<Instant>,
}

impl<'a> Incumbent<'a> {
    pub(super) fn new(sign: i128, offset: i128, report: Option<Box<dyn FnMut(&Improvement<'_>) + 'a>>) -> Self {
        Self { sign, offset, best: None, lower: 0, report, shared: None, reported: 0, told: None }
    }

    /// Searches at the same time know of each other's solutions.
    pub(super) fn sharing(self, shared: Option<SharedBest>) -> Self {
        Self { shared, ..self }
    }

    /// Takes the best solution of other searches, if it is better, or gives them this one.
    pub(super) fn exchange(&mut self, conflicts: u64) {
        let Some(shared) = &self.shared else { return };
        let mut others = shared.lock().unwrap_or_else(PoisonError::into_inner);
        match &*others {
            Some((model, cost)) if *cost < self.upper() => {
                self.best = Some((model.clone(), *cost));
                drop(others);
                self.raise(0);
                self.report(conflicts);
            }
            others_best if others_best.as_ref().is_none_or(|&(_, cost)| cost > self.upper()) => {
                (*others).clone_from(&self.best);
            }
            _ => {}
        }
    }

    pub(super) fn model(&self) -> Option<&Assignment> {
        self.best.as_ref().map(|(model, _)| model)
    }

    /// The cost of the best solution, above all others where there is none.
    pub(super) fn upper(&self) -> u128 {
        self.best.as_ref().map_or(u128::MAX, |&(_, cost)| cost)
    }

    pub(super) const fn lower(&self) -> u128 {
        self.lower
    }

    /// True if the best solution is optimal.
    pub(super) fn is_closed(&self) -> bool {
        self.lower >= self.upper()
    }

    /// No solution is better than the best one, and costs less than this.
    pub(super) fn raise(&mut self, cost: u128) {
        self.lower = self.lower.max(cost).min(self.upper());
    }

    /// No solution is better than the best one.
    pub(super) fn close(&mut self) {
        self.raise(u128::MAX);
    }

    /// Takes the model of that cost, and reports it, if it is better than all before it.
    pub(super) fn offer(&mut self, cost: u128, conflicts: u64, model: impl FnOnce() -> Assignment) {
        if cost < self.upper() {
            self.best = Some((model(), cost));
            self.raise(0);
            self.report(conflicts);
            self.exchange(conflicts);
        }
    }

    /// The value of the best solution, and the bounds on the optimum from below and from above, as far as known.
    pub(super) fn values(&self) -> [Option<i128>; 3] {
        let value = |cost: u128| self.sign * (self.offset + cost as i128);
        let (best, proven) = (self.best.as_ref().map(|&(_, cost)| value(cost)), Some(value(self.lower)));
        if self.sign > 0 { [best, proven, best] } else { [best, best, proven] }
    }

    fn report(&mut self, conflicts: u64) {
        self.reported = self.lower;
        if let [Some(value), Some(lower_bound), Some(upper_bound)] = self.values()
            && let (Some(report), Some((solution, _))) = (&mut self.report, &self.best)
        {
            report(&Improvement { solution, value, lower_bound, upper_bound, conflicts });
        }
    }

    /// Reports the best solution again if the lower bound has risen since.
    pub(super) fn report_bound(&mut self, conflicts: u64) {
        if self.lower > self.reported {
            self.told = Some(Instant::now());
            self.report(conflicts);
        }
    }

    /// [`report_bound`](Self::report_bound), at most ten times a second.
    pub(super) fn report_bound_rarely(&mut self, conflicts: u64) {
        if self.told.is_none_or(|told| told.elapsed() >= BETWEEN_BOUNDS) {
            self.report_bound(conflicts);
        }
    }

    /// The result of a search, which a limit ended where there is one.
    pub(super) fn result(self, limit: Option<Stopped>, conflicts: u64) -> Result<Option<Optimum>, SolveError> {
        let (stopped, values) = (limit.filter(|_| !self.is_closed()), self.values());
        let (Some((model, _)), [Some(value), Some(lower_bound), Some(upper_bound)]) = (self.best, values) else {
            return limit.map_or(Ok(None), |why| Err(SolveError::Interrupted(why)));
        };
        Ok(Some(Optimum { model, value, lower_bound, upper_bound, stopped, conflicts }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustsat::types::{self, TernaryVal};

    fn model(value: bool) -> Assignment {
        Assignment::from(types::Assignment::from(vec![TernaryVal::from(value)]))
    }

    /// Values and bounds on either side: of costs from 10 on for the least value, of those down from −10 for the
    /// greatest.
    #[test]
    fn bounds_are_on_the_side_of_the_sign() {
        for (sign, none, open, closed) in [
            (1, [None, Some(10), None], [Some(15), Some(12), Some(15)], [Some(15); 3]),
            (-1, [None, None, Some(-10)], [Some(-15), Some(-15), Some(-12)], [Some(-15); 3]),
        ] {
            let mut incumbent = Incumbent::new(sign, 10, None);
            assert_eq!(incumbent.values(), none);
            assert!(!incumbent.is_closed());
            incumbent.offer(5, 0, || model(true));
            incumbent.raise(2);
            incumbent.raise(1);
            assert_eq!((incumbent.values(), incumbent.lower(), incumbent.upper()), (open, 2, 5));
            incumbent.offer(5, 0, || panic!("it is no better"));
            incumbent.raise(7);
            assert_eq!((incumbent.values(), incumbent.is_closed()), (closed, true));
        }
    }

    /// A bound that was proven before any solution holds for the first one, too, whatever it costs.
    #[test]
    fn a_bound_is_never_above_the_best_solution() {
        let mut incumbent = Incumbent::new(1, 0, None);
        incumbent.raise(9);
        assert!(!incumbent.is_closed() && incumbent.model().is_none());
        incumbent.offer(8, 0, || model(true));
        assert_eq!((incumbent.lower(), incumbent.upper(), incumbent.is_closed()), (8, 8, true));
    }

    /// Each better solution is reported, and a bound where it has risen, with the conflicts so far.
    #[test]
    fn reports() {
        let mut told = Vec::new();
        let report = |now: &Improvement<'_>| told.push((now.value, now.lower_bound, now.upper_bound, now.conflicts));
        let mut incumbent = Incumbent::new(1, 0, Some(Box::new(report)));
        incumbent.raise(1);
        incumbent.report_bound(1); // of no solution
        incumbent.offer(7, 2, || model(true));
        incumbent.report_bound(3);
        incumbent.offer(6, 4, || model(false));
        incumbent.raise(2);
        incumbent.report_bound_rarely(5); // too soon
        incumbent.report_bound(6);
        incumbent.raise(3);
        incumbent.report_bound_rarely(7);
        incumbent.close();
        incumbent.report_bound(8);
        incumbent.report_bound(9);
        drop(incumbent);
        assert_eq!(told, [(7, 1, 7, 2), (6, 1, 6, 4), (6, 2, 6, 6), (6, 6, 6, 8)]);
    }

    #[test]
    fn results() {
        let limit = Some(Stopped::Conflicts);
        let best = |costs: &[u128], raised| {
            let mut incumbent = Incumbent::new(1, 0, None);
            costs.iter().for_each(|&cost| incumbent.offer(cost, 0, || model(cost == 3)));
            incumbent.raise(raised);
            incumbent
        };
        assert!(matches!(best(&[], 1).result(limit, 4), Err(SolveError::Interrupted(Stopped::Conflicts))));
        assert!(best(&[], 1).result(None, 4).unwrap().is_none());
        let stopped = best(&[5, 3, 4], 2).result(limit, 4).unwrap().unwrap();
        assert_eq!((stopped.value, stopped.lower_bound, stopped.stopped, stopped.conflicts), (3, 2, limit, 4));
        assert_eq!(stopped.model, model(true));
        let closed = best(&[3], 3).result(limit, 4).unwrap().unwrap();
        assert!(closed.is_optimal() && closed.lower_bound == 3);
    }
}
