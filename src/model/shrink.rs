//! Domains shrink to a fixed point: a rule is asked again when a variable of its changed.

use std::collections::VecDeque;

use super::domains::{Domains, Empty};
use super::{Model, Posted};
use crate::solve::{Clock, SolveError};

impl Model {
    /// The domains that are left when no constraint can take away any more; an error when the time is over.
    pub(super) fn shrink<'a>(
        &self,
        posted: impl Iterator<Item = &'a Posted>,
        clock: &Clock,
    ) -> Result<Result<Domains, Empty>, SolveError> {
        let mut domains = Domains::new(self.domains.clone());
        let posted: Vec<&Posted> = posted.collect();
        let watchers = Watchers::new(domains.len(), &posted);
        let mut queue: VecDeque<u32> = (0..posted.len() as u32).collect();
        let mut is_queued = vec![true; posted.len()];
        while let Some(at) = queue.pop_front() {
            is_queued[at as usize] = false;
            clock.check()?;
            if let Err(empty) = posted[at as usize].node.shrink(&mut domains) {
                return Ok(Err(empty));
            }
            while let Some(changed) = domains.next_changed() {
                for &watcher in watchers.of(changed) {
                    if !std::mem::replace(&mut is_queued[watcher as usize], true) {
                        queue.push_back(watcher);
                    }
                }
            }
        }
        Ok(Ok(domains))
    }
}

/// The constraints of each variable, one list after the other.
struct Watchers {
    starts: Vec<u32>,
    constraints: Vec<u32>,
}

impl Watchers {
    fn new(variables: usize, posted: &[&Posted]) -> Self {
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        let mut found = Vec::new();
        for (at, posted) in (0..).zip(posted) {
            found.clear();
            posted.node.variables(&mut found);
            pairs.extend(found.iter().map(|var| (var.index, at)));
        }
        pairs.sort_unstable();
        pairs.dedup();
        let mut starts = vec![0; variables + 1];
        pairs.iter().for_each(|&(var, _)| starts[var as usize + 1] += 1);
        for at in 0..variables {
            starts[at + 1] += starts[at];
        }
        Self { starts, constraints: pairs.into_iter().map(|(_, at)| at).collect() }
    }

    fn of(&self, variable: u32) -> &[u32] {
        let at = variable as usize;
        &self.constraints[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}
