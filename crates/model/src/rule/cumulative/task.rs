//! The tasks of a cumulative constraint, and how two of them are compared.

use crate::constraint::Compare;
use crate::rule::Linear;
use crate::variables::{Domains, View};

#[derive(Clone, Debug)]
pub(crate) struct Cumulative {
    pub(crate) capacity: View,
    pub(crate) tasks: Vec<Task>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Task {
    pub(crate) start: View,
    pub(crate) end: View,
    pub(crate) demand: View,
}

/// The least and the greatest start, end, and demand.
pub(super) struct TaskBounds {
    pub(super) start: (i64, i64),
    pub(super) end: (i64, i64),
    pub(super) demand: (i64, i64),
}

impl Task {
    /// The duration, where it is always the same.
    pub(crate) fn duration(self) -> Option<i64> {
        self.start.distance_to(self.end)
    }

    pub(super) fn bounds(self, domains: &Domains) -> TaskBounds {
        TaskBounds {
            start: domains.bounds(self.start),
            end: domains.bounds(self.end),
            demand: domains.bounds(self.demand),
        }
    }
}

impl Cumulative {
    /// The capacity, then start, end and demand of each task.
    pub(super) fn of(views: &[View]) -> Self {
        let task = |views: &[View]| Task { start: views[0], end: views[1], demand: views[2] };
        Self { capacity: views[0], tasks: views[1..].chunks(3).map(task).collect() }
    }

    pub(super) fn views(&self) -> Vec<View> {
        let of = |task: &Task| [task.start, task.end, task.demand];
        [self.capacity].into_iter().chain(self.tasks.iter().flat_map(of)).collect()
    }

    /// The first task has started when the second does, and it is not over then.
    pub(super) fn runs(&self, first: usize, then: usize) -> [Linear; 2] {
        let (task, now) = (self.tasks[first], self.tasks[then].start);
        [
            Linear::of_views(&[(task.start, 1), (now, -1)], Compare::AtMost, 0),
            Linear::of_views(&[(now, 1), (task.end, -1)], Compare::AtMost, -1),
        ]
    }

    /// The opposites of these: the first task starts later, and it is over by then.
    pub(super) fn idles(&self, first: usize, then: usize) -> [Linear; 2] {
        let (task, now) = (self.tasks[first], self.tasks[then].start);
        [
            Linear::of_views(&[(now, 1), (task.start, -1)], Compare::AtMost, -1),
            Linear::of_views(&[(task.end, 1), (now, -1)], Compare::AtMost, 0),
        ]
    }

    /// Comparisons of all pairs.
    pub(super) fn comparisons(&self) -> impl Iterator<Item = Linear> + '_ {
        let n = self.tasks.len();
        let pairs = (0..n).flat_map(move |one| (0..n).map(move |other| (one, other)));
        pairs.flat_map(|(one, other)| self.runs(one, other).into_iter().chain(self.idles(one, other)))
    }
}
