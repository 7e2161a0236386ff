//! The profile of a cumulative constraint: what runs for certain, and the starts that it leaves to other tasks.

use super::task::{Cumulative, TaskBounds};
use crate::variables::{Domains, Empty};

/// A time at which something starts, and one by which it is over.
type TimeSpan = (i64, i64);

impl Cumulative {
    /// Where some tasks run for certain, others that do not fit beside them do not.
    pub(super) fn prune(&self, domains: &mut Domains) -> Result<(), Empty> {
        let capacity = i128::from(domains.bounds(self.capacity).1);
        let certain = self.tasks.iter().filter_map(|task| {
            let TaskBounds { start, end, demand } = task.bounds(domains);
            (start.1 < end.0 && demand.0 > 0).then_some(((start.1, end.0), i128::from(demand.0)))
        });
        for (busy, level) in levels(certain) {
            if level > capacity {
                return Err(Empty);
            }
            for task in &self.tasks {
                let TaskBounds { start, end, demand } = task.bounds(domains);
                // Where the duration varies, the task might be shorter than its bounds say.
                let Some(duration) = task.duration().filter(|&duration| duration > 0) else { continue };
                let is_part = start.1 <= busy.0 && end.0 >= busy.1;
                if is_part || demand.0 <= 0 || level + i128::from(demand.0) <= capacity {
                    continue;
                }
                let (least, greatest) = starts_beside(busy, start, duration);
                if least > start.0 {
                    domains.at_least(task.start, least)?;
                }
                if greatest < start.1 {
                    domains.at_most(task.start, greatest)?;
                }
            }
        }
        Ok(())
    }
}

/// The spans of time in which these together demand the same, in order.
fn levels(demands: impl IntoIterator<Item = (TimeSpan, i128)>) -> Vec<(TimeSpan, i128)> {
    let ends = |((from, to), demand): (TimeSpan, i128)| [(from, demand), (to, -demand)];
    let mut changes: Vec<(i64, i128)> = demands.into_iter().flat_map(ends).collect();
    changes.sort_unstable();
    let mut level = 0;
    let level_after = |pair: &[(i64, i128)]| {
        level += pair[0].1;
        (pair[0].0 < pair[1].0).then_some(((pair[0].0, pair[1].0), level))
    };
    changes.windows(2).filter_map(level_after).collect()
}

/// The least and the greatest start of a task that does not run in a span: it neither starts within it nor so late
/// before that it still runs.
fn starts_beside((from, to): TimeSpan, (least, greatest): (i64, i64), duration: i64) -> (i64, i64) {
    let first = from.saturating_sub(duration) + 1;
    let runs = |start: i64| (first..to).contains(&start);
    (if runs(least) { to } else { least }, if runs(greatest) { first - 1 } else { greatest })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn demands_at_the_same_time_are_added() {
        let all = [((0, 4), 1), ((2, 6), 2), ((4, 6), 3), ((8, 9), 1)];
        assert_eq!(levels(all), [((0, 2), 1), ((2, 4), 3), ((4, 6), 5), ((6, 8), 0), ((8, 9), 1)]);
        assert_eq!(levels([]), []);
    }

    #[test]
    fn starts_that_would_run_into_a_span_are_left_out() {
        for at in 0..9 * 9 * 9 {
            let (from, to, start) = (at % 9, at % 9 + 1 + at / 9 % 9, at / 81);
            let fits = start + 3 <= from || start >= to;
            let expected = if fits { (start, start) } else { (to, from - 3) };
            assert_eq!(starts_beside((from, to), (start, start), 3), expected, "{start} beside {from} to {to}");
        }
        assert_eq!(starts_beside((i64::MIN, 0), (-1, 5), 7), (0, 5));
    }
}
