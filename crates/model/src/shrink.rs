//! Domains shrink to a fixed point: a rule is asked again when a variable of its changed.

use std::collections::VecDeque;

use super::PostedConstraint;
use super::node::ConstraintNode;
use super::sums::merge;
use super::variables::{Domains, Empty, IntVar};
use cnfkit_core::SolveError;
use cnfkit_core::internals::{Clock, gcd};

/// A constraint that is asked this often has bounds that creep, perhaps value by value and without an end but a
/// contradiction.
const OFTEN: u32 = 10_000;

impl Domains {
    /// The values that are left when no constraint can take away any more; an error when the time is over.
    pub(super) fn shrink<'a>(
        self,
        posted: impl Iterator<Item = &'a PostedConstraint>,
        clock: &Clock,
    ) -> Result<Result<Domains, Empty>, SolveError> {
        let mut domains = self;
        let posted: Vec<&PostedConstraint> = posted.collect();
        let watchers = Watchers::new(domains.len(), &posted);
        let mut queue: VecDeque<u32> = (0..posted.len() as u32).collect();
        let mut is_queued = vec![true; posted.len()];
        let mut asked = vec![0_u32; posted.len()];
        while let Some(at) = queue.pop_front() {
            is_queued[at as usize] = false;
            asked[at as usize] = asked[at as usize].saturating_add(1);
            if asked[at as usize] == OFTEN {
                let creeping = posted.iter().zip(&asked).filter(|&(_, &times)| times > OFTEN / 2);
                if contradict(creeping.map(|(posted, _)| &posted.node)) {
                    return Ok(Err(Empty));
                }
            }
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

/// Rows that are looked at together.
const MOST_ROWS: usize = 64;
/// Factors beyond this are not multiplied.
const LARGEST: i128 = 1 << 60;

/// A sum, and what it is or what it is at most.
#[derive(Clone)]
struct BoundedSum {
    terms: Vec<(IntVar, i128)>,
    bound: i128,
}

impl BoundedSum {
    fn factor(&self, var: IntVar) -> i128 {
        self.terms.iter().find(|(own, _)| own.index == var.index).map_or(0, |&(_, factor)| factor)
    }

    /// The multiples of both together; `None` where numbers are too large.
    fn and(&self, by: i128, other: &Self, times: i128) -> Option<Self> {
        let scaled = |row: &Self, by: i128| {
            row.terms.iter().map(|&(var, factor)| (var, factor.saturating_mul(by))).collect::<Vec<_>>()
        };
        let mut terms = [scaled(self, by), scaled(other, times)].concat();
        merge(&mut terms);
        terms.retain(|&(_, factor)| factor != 0);
        let bound = self.bound.checked_mul(by)?.checked_add(other.bound.checked_mul(times)?)?;
        let fits = bound.abs() < LARGEST && terms.iter().all(|(_, factor)| factor.abs() < LARGEST);
        fits.then_some(Self { terms, bound })
    }

    /// Without the variables that equations say, each of which has none of those before.
    fn without(self, said: &[(IntVar, Self)]) -> Option<Self> {
        said.iter().try_fold(self, |row, (var, equation)| match (row.factor(*var), equation.factor(*var)) {
            (0, _) => Some(row),
            (own, factor) => row.and(factor.abs(), equation, -own * factor.signum()),
        })
    }
}

/// True if sums contradict each other for certain: some equation does not hold where those before do, or an inequality,
/// or the sum of all inequalities.
fn contradict<'a>(nodes: impl Iterator<Item = &'a ConstraintNode>) -> bool {
    let (mut equations, mut limits) = (Vec::new(), Vec::new());
    for node in nodes.take(MOST_ROWS) {
        let rows: Vec<BoundedSum> = node
            .rows()
            .into_iter()
            .map(|(terms, bound)| BoundedSum {
                terms: terms.into_iter().map(|(var, factor)| (var, factor.into())).collect(),
                bound: bound.into(),
            })
            .collect();
        match &rows[..] {
            // Both sides of an equation.
            [one, other] if one.and(1, other, 1).is_some_and(|sum| sum.terms.is_empty() && sum.bound == 0) => {
                equations.push(one.clone());
            }
            _ => limits.extend(rows),
        }
    }
    let mut said = Vec::new();
    for row in equations {
        let Some(row) = row.without(&said) else { continue };
        let by = row.terms.iter().fold(0, |all, (_, factor)| gcd(all, factor.unsigned_abs())) as i128;
        match row.terms.iter().min_by_key(|(_, factor)| factor.abs()) {
            None if row.bound != 0 => return true,
            None => {}
            Some(_) if row.bound % by != 0 => return true,
            Some(&(var, _)) => {
                let terms = row.terms.into_iter().map(|(var, factor)| (var, factor / by)).collect();
                said.push((var, BoundedSum { terms, bound: row.bound / by }));
            }
        }
    }
    let limits: Vec<BoundedSum> = limits.into_iter().filter_map(|row| row.without(&said)).collect();
    let total = limits.iter().try_fold(BoundedSum { terms: Vec::new(), bound: 0 }, |total, row| total.and(1, row, 1));
    limits.iter().chain(&total).any(|row| row.terms.is_empty() && row.bound < 0)
}

/// The constraints of each variable, ascending, one list after the other; one more than once where it has the variable
/// so often.
struct Watchers {
    starts: Vec<u32>,
    constraints: Vec<u32>,
}

impl Watchers {
    fn new(variables: usize, posted: &[&PostedConstraint]) -> Self {
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
