//! Domains shrink to a fixed point: a rule is asked again when a variable of its changed.

use std::collections::VecDeque;

use super::Posted;
use super::variables::{Domains, Empty};
use cnfkit_core::SolveError;
use cnfkit_core::internals::Clock;

impl Domains {
    /// The values that are left when no constraint can take away any more; an error when the time is over.
    pub(super) fn shrink<'a>(
        self,
        posted: impl Iterator<Item = &'a Posted>,
        clock: &Clock,
    ) -> Result<Result<Domains, Empty>, SolveError> {
        let mut domains = self;
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

/// The constraints of each variable, ascending, one list after the other; one more than once where it has the variable
/// so often.
struct Watchers {
    starts: Vec<u32>,
    constraints: Vec<u32>,
}

impl Watchers {
    fn new(variables: usize, posted: &[&Posted]) -> Self {
        // All variables of all constraints, and where those of each end.
        let (mut found, mut ends) = (Vec::new(), Vec::with_capacity(posted.len()));
        for posted in posted {
            posted.node.variables(&mut found);
            ends.push(found.len());
        }
        // How many each has, then where its own end, then, as they are put in from the last, where they start.
        let mut starts = vec![0; variables + 1];
        found.iter().for_each(|var| starts[var.index as usize] += 1);
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        let mut constraints = vec![0; found.len()];
        let mut at = posted.len() as u32;
        for (place, var) in found.iter().enumerate().rev() {
            while at > 0 && ends[at as usize - 1] > place {
                at -= 1;
            }
            let start = &mut starts[var.index as usize];
            *start -= 1;
            constraints[*start as usize] = at;
        }
        Self { starts, constraints }
    }

    fn of(&self, variable: u32) -> &[u32] {
        let at = variable as usize;
        &self.constraints[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}
