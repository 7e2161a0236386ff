//! [`Neighbourhoods`]: solutions near the best one, which is kept but for some variables.
//!
//! A better solution often has most of its values in common with the best one (P. Shaw, *Using Constraint Programming
//! and Local Search Methods to Solve Vehicle Routing Problems*, CP 1998, pp. 417–431). What is let go are variables
//! that constraints join; all others have their values, so that domains shrink to a small model, which has an answer
//! soon. A search that goes on for longer than a second looks there from time to time, with a third of its time.

use std::time::{Duration, Instant};

use super::encoded::Want;
use super::variables::{Expr, ExprFactor, Solution};
use super::{Model, ModelError};
use cnfkit_core::internals::{Clock, Random};

/// The time of a search before the first neighbourhood. Tests look near all solutions.
const FIRST: Duration = Duration::from_millis(if cfg!(test) { 0 } else { 1_000 });
/// The time that one neighbourhood may take, and that several take together before the search goes on.
const LONGEST: Duration = Duration::from_millis(50);
const TOGETHER: Duration = Duration::from_millis(if cfg!(test) { 2 } else { 200 });
/// The share of the time that they all take.
const SHARE: u32 = 3;

/// Neighbourhoods of the best solution.
#[derive(Debug)]
pub(super) struct Neighbourhoods<'a> {
    model: &'a Model,
    /// To be small.
    objective: Expr,
    clock: Clock,
    random: Random,
    begun: Instant,
    spent: Duration,
    /// The thousandths of the variables that are let go.
    free: usize,
    /// The variables of each constraint, and the constraints of each variable.
    joined: Vec<Vec<usize>>,
    of: Vec<Vec<usize>>,
}

impl<'a> Neighbourhoods<'a> {
    pub(super) fn new(model: &'a Model, objective: Expr, clock: Clock) -> Self {
        let (begun, spent) = (Instant::now(), Duration::ZERO);
        let random = Random::new(1);
        Self { model, objective, clock, random, begun, spent, free: 100, joined: Vec::new(), of: Vec::new() }
    }

    /// A solution that is better than this, if it is time to look for one, a while after the search had one at last,
    /// and there is one soon.
    pub(super) fn better(&mut self, best: &Solution, improved: Instant) -> Option<Solution> {
        let begun = Instant::now();
        let is_early = self.begun.elapsed() < FIRST || improved.elapsed() < FIRST / 2;
        if is_early || self.spent * SHARE > self.begun.elapsed() || self.model.domains.is_empty() {
            return None;
        }
        let mut better: Option<Solution> = None;
        let mut is_free = self.freed();
        while begun.elapsed() < TOGETHER && !self.clock.is_over() {
            // Better and better ones in one neighbourhood, then the next one.
            match self.within(&is_free, better.as_ref().unwrap_or(best)) {
                Ok(Some(found)) => {
                    better = Some(found);
                    continue;
                }
                Ok(None) => self.free = (self.free * 6 / 5 + 1).min(900),
                Err(_) => self.free = (self.free * 4 / 5).max(2),
            }
            is_free = self.freed();
        }
        self.spent += begun.elapsed();
        better
    }

    /// A better solution in a neighbourhood.
    fn within(&self, is_free: &[bool], best: &Solution) -> Result<Option<Solution>, ModelError> {
        let clock = &self.clock.paused(Instant::now().checked_add(LONGEST));
        let mut part = self.model.clone();
        part.group = None;
        for ((domain, &value), _) in part.domains.iter_mut().zip(best.all()).zip(is_free).filter(|(_, free)| !**free) {
            *domain = [value].into();
        }
        part.post(self.objective.clone().lt(best.value_of(self.objective.clone())));
        let mut encoded = part.encoded(Want::Solution, clock)?;
        let mut session = part.load(&mut encoded, clock)?;
        let holds = part.holds(&encoded, &mut session, clock)?;
        Ok(holds.then(|| part.found(&encoded, &session)))
    }

    /// The variables that are let go: of constraints that have variables in common, or any; and what follows from them.
    fn freed(&mut self) -> Vec<bool> {
        let n = self.model.domains.len();
        if self.of.is_empty() {
            self.of.resize(n, Vec::new());
            for (at, posted) in self.model.posted.iter().enumerate() {
                let mut vars = Vec::new();
                posted.node.variables(&mut vars);
                let mut vars: Vec<usize> = vars.into_iter().map(|var| var.index as usize).collect();
                vars.sort_unstable();
                vars.dedup();
                vars.iter().for_each(|&var| self.of[var].push(at));
                self.joined.push(vars);
            }
        }
        let mut is_free = vec![false; n];
        let (mut left, mut reached) = ((n * self.free / 1000).max(1), Vec::new());
        let is_joined = self.random.below(2) == 0;
        while left > 0 {
            // From a variable that was reached, or from any one.
            let next = match reached.len() {
                0 => self.random.below(n),
                many => reached.swap_remove(self.random.below(many)),
            };
            if std::mem::replace(&mut is_free[next], true) {
                continue;
            }
            left -= 1;
            for &at in &self.of[next] {
                // Constraints on many variables join all of them.
                if is_joined && self.joined[at].len() <= 4 * left {
                    reached.extend(self.joined[at].iter().filter(|&&var| !is_free[var]));
                }
            }
        }
        // The value of a function of what is free.
        let narrow = self.joined.iter().filter(|vars| vars.len() <= 3 && vars.iter().any(|&var| is_free[var]));
        let follow: Vec<usize> = narrow.flatten().copied().collect();
        follow.into_iter().for_each(|var| is_free[var] = true);
        for (unit, _) in &self.objective.terms {
            if let ExprFactor::Int(var) = unit {
                is_free[var.index as usize] = true;
            }
        }
        is_free
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{IntVar, sum, times};

    /// Numbers with products: what is near a bad solution is a solution, and better.
    #[test]
    fn better_solutions_are_near() {
        let mut model = Model::new();
        let (x, y): (Vec<IntVar>, Vec<IntVar>) = (model.ints(6, 1..=9), model.ints(6, 1..=9));
        let products = model.ints(6, 0..=81);
        for at in 0..6 {
            model.post(times(x[at], y[at], products[at]));
            model.post(products[at].ge(10 + 5 * at as i64));
        }
        let goal = sum(&x) + sum(&y);
        let mut best = model.solve().unwrap().unwrap();
        let mut near = Neighbourhoods::new(&model, goal.clone(), Clock::default());
        let mut steps = 0;
        while let Some(better) = (0..20).find_map(|_| {
            near.spent = Duration::ZERO;
            near.better(&best, near.begun)
        }) {
            let value = |var: IntVar| better.value(var);
            assert!(model.posted.iter().all(|posted| posted.node.holds(&value)));
            assert!(better.value_of(goal.clone()) < best.value_of(goal.clone()));
            (best, steps) = (better, steps + 1);
        }
        let optimum = model.minimum(goal.clone()).unwrap().unwrap();
        assert!(steps > 0 && best.value_of(goal) >= optimum.value);
    }

    /// As many variables as are wanted are let go, and those of the objective.
    #[test]
    fn what_is_let_go() {
        let mut model = Model::new();
        let x = model.ints(100, 0..=9);
        x.windows(4).for_each(|four| model.post(sum(four).ge(5)));
        let mut near = Neighbourhoods::new(&model, x[7] + x[8], Clock::default());
        for free in [10, 100, 500, 900] {
            near.free = free;
            for _ in 0..50 {
                let is_free = near.freed();
                let n = is_free.iter().filter(|&&free| free).count();
                assert!(is_free[7] && is_free[8] && (free / 10..=free / 10 + 2).contains(&n), "{free}: {n}");
            }
        }
    }
}
