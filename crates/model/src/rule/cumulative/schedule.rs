//! A schedule for a cumulative constraint, found without a search.

use std::collections::BTreeMap;
use std::ops::Bound::{Excluded, Unbounded};

use super::task::{Cumulative, Task, TaskBounds};
use crate::variables::{Domains, IntVar, View};
use cnfkit_core::internals::sort;

/// The demand of what is in the schedule, from each of these times on.
struct ScheduledDemand(BTreeMap<i64, i128>);

impl ScheduledDemand {
    fn new() -> Self {
        Self(BTreeMap::from([(i64::MIN, 0)]))
    }

    /// This start, if the demand is at most `room` until `over`, and otherwise the time after the last at which it is
    /// more; `None` where it stays so.
    fn start_with_room(&self, at: i64, over: i64, room: i128) -> Option<i64> {
        let first = *self.0.range(..=at).next_back()?.0;
        match self.0.range(first..over).rev().find(|&(_, &level)| level > room) {
            Some((&full, _)) => Some(*self.0.range((Excluded(full), Unbounded)).next()?.0),
            None => Some(at),
        }
    }

    fn add(&mut self, from: i64, to: i64, demand: i128) -> Option<()> {
        for time in [from, to] {
            let level = *self.0.range(..=time).next_back()?.1;
            self.0.entry(time).or_insert(level);
        }
        self.0.range_mut(from..to).for_each(|(_, level)| *level += demand);
        Some(())
    }
}

impl Cumulative {
    /// Each task as early as those before it leave room, in the order of their latest starts: the serial schedule
    /// generation scheme (R. Kolisch, *Serial and parallel resource-constrained project scheduling methods revisited*,
    /// European Journal of Operational Research 90, 1996, pages 320–333).
    pub(super) fn schedule(&self, domains: &Domains, found: &mut Vec<(IntVar, i64)>) -> Option<()> {
        let capacity = i128::from(domains.bounds(self.capacity).0);
        let mut tasks: Vec<(Task, TaskBounds)> = self.tasks.iter().map(|&task| (task, task.bounds(domains))).collect();
        sort::by(&mut tasks, |(_, one), (_, other)| one.start.1.cmp(&other.start.1));
        let mut scheduled = ScheduledDemand::new();
        for (task, TaskBounds { start, demand, .. }) in tasks {
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
                let next = if length > 0 { scheduled.start_with_room(at, over, capacity - demand)? } else { at };
                if next == at {
                    break over;
                }
                if task.start.is_constant() {
                    return None;
                }
                at = next;
            };
            scheduled.add(at, over, demand)?;
            if !task.start.is_constant() {
                found.push((var, at - offset));
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_starts_where_the_last_that_is_in_its_way_is_over() {
        let mut scheduled = ScheduledDemand::new();
        assert_eq!(scheduled.add(2, 4, 1), Some(()));
        assert_eq!(scheduled.add(3, 6, 2), Some(()));
        assert_eq!(scheduled.start_with_room(0, 2, 0), Some(0)); // it is over when the first starts
        assert_eq!(scheduled.start_with_room(0, 3, 0), Some(3)); // later than the first starts
        assert_eq!(scheduled.start_with_room(0, 4, 0), Some(4)); // and later than the second does
        assert_eq!(scheduled.start_with_room(0, 9, 2), Some(4)); // the first is over
        assert_eq!(scheduled.start_with_room(3, 4, 3), Some(3));
        assert_eq!(scheduled.start_with_room(5, 6, 1), Some(6));
        assert_eq!(scheduled.start_with_room(6, 7, 0), Some(6));
        assert_eq!(scheduled.start_with_room(6, 7, -1), None);
    }
}
