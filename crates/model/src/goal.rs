//! [`LinearGoal`]: a sum that is to be as small as possible, and the searches for its best solution.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

use super::ask::Optimum;
use super::encoded::Want;
use super::neighbours::Neighbourhoods;
use super::relaxation::below;
use super::variables::{Expr, ExprFactor, IntVar, Solution};
use super::{Model, ModelError};
use cnfkit_ask::{Improvement, Progress, Questions, Strategy};
use cnfkit_core::internals::{Clock, LazySums};
use cnfkit_core::{Assignment, Lit};

/// The time of the first turn of a search for the least value of a name of a sum; of a sum that has no name.
const FIRST_TURN: Duration = Duration::from_millis(200);
const UNNAMED_TURN: Duration = Duration::from_millis(if cfg!(test) { 20 } else { 2_000 });
/// The most values, less one, of a name that is given to an objective, and constraints of the model, which is copied.
const MOST_NAMED: i64 = 1_000_000;
const MOST_COPIED: usize = 100_000;

/// A sum of multiples of variables and a constant, to be small, and the factor by which that is the value that was
/// asked for: 1, or −1 for the greatest value.
pub(super) struct LinearGoal {
    pub(super) terms: Vec<(IntVar, i64)>,
    pub(super) constant: i64,
    pub(super) sign: i64,
}

impl LinearGoal {
    fn expr(&self) -> Expr {
        let terms = self.terms.iter().map(|&(var, factor)| (ExprFactor::Int(var), factor)).collect();
        Expr { terms, constant: self.constant.into(), ..Expr::default() }
    }

    /// The value that was asked for.
    pub(super) fn value(&self, solution: &Solution) -> i64 {
        self.sign * self.cost(solution)
    }

    /// The sum that is to be small.
    fn cost(&self, solution: &Solution) -> i64 {
        solution.value_of(self.expr())
    }

    /// The objective by a name, and the model with it, where it is a sum of several variables.
    pub(super) fn named(&self, model: &Model) -> Option<(Self, Model)> {
        let ends = self.terms.iter().map(|&(var, factor)| {
            let (min, max) = model.domain(var).bounds();
            [(factor * min).min(factor * max), (factor * min).max(factor * max)]
        });
        let [least, most] = ends.fold([self.constant; 2], |[least, most], [low, high]| [least + low, most + high]);
        let is_large = most - least > MOST_NAMED || model.posted.len() > MOST_COPIED;
        if model.strategy != Strategy::Auto || self.terms.len() < 3 || is_large {
            return None;
        }
        let mut named = model.clone();
        named.group = None;
        let name = named.int(least..=most);
        named.post(self.expr().eq(name));
        Some((Self { terms: vec![(name, 1)], constant: 0, ..*self }, named))
    }

    /// The sum that the objective is a name of, or a variable that is not below the sum.
    pub(super) fn sum(&self, model: &mut Model) -> Option<Self> {
        let (terms, base) = below(&self.terms, model.rows());
        if terms.len() == self.terms.len() || model.strategy != Strategy::Auto {
            return None;
        }
        let terms = terms.into_iter().map(|(var, factor)| (ExprFactor::Int(var), factor)).collect();
        let constant = i128::from(self.constant) + base;
        let (terms, constant) = model.terms(Expr { terms, constant, ..Expr::default() }).ok()?;
        Some(Self { terms, constant, ..*self })
    }

    /// An improvement by its value in other words, which is the bound on that side.
    pub(super) fn improved<'a>(&self, mut found: Improvement<'a, Solution>, value: i64) -> Improvement<'a, Solution> {
        let bound = if self.sign > 0 { &mut found.upper_bound } else { &mut found.lower_bound };
        (*bound, found.value) = (value.into(), value.into());
        found
    }

    /// A solution of which nothing is known but that it is one.
    pub(super) fn reached(&self, solution: Solution, model: &Model) -> Optimum {
        let value = self.value(&solution);
        let least = |&(var, factor): &(IntVar, i64)| {
            let (min, max) = model.domain(var).bounds();
            factor * if factor > 0 { min } else { max }
        };
        let bound = self.sign * (self.constant + self.terms.iter().map(least).sum::<i64>()); // checked to fit
        Optimum { solution, value, bound, is_optimal: false }
    }

    /// The part of the model that has better solutions only.
    pub(super) fn better_than(&self, value: i64, model: &Model) -> Model {
        let mut better = model.clone();
        better.group = None;
        better.post(self.expr().lt(self.sign * value));
        better
    }

    /// The best solution of a model where the objective is a name of a sum, which it equals or is not below: by the sum
    /// and by the name in turn, four times as long each time, as either may take a hundred times as long as the other.
    pub(super) fn search_by_turns(
        &self,
        sum: &Self,
        model: &Model,
        is_equal: bool,
        clock: &Clock,
        report: &mut dyn FnMut(&Improvement<'_, Solution>),
        mut on_progress: Option<(Duration, Box<dyn FnMut(&Progress) + '_>)>,
    ) -> Result<Option<Optimum>, ModelError> {
        // Encoding takes time, too.
        let is_long = is_equal || model.posted.len() >= 2_000;
        let mut turn = if is_long { UNNAMED_TURN } else { FIRST_TURN };
        let (begin, mut best) = (Instant::now(), None::<Optimum>);
        for is_sum in [true, false].into_iter().cycle() {
            // A name that is bounded has to be encoded.
            let better = best.as_ref().filter(|_| !is_sum).map(|best| {
                let mut better = self.better_than(best.value, model);
                better.post(self.expr().ge(self.sign * best.bound));
                better
            });
            let model = better.as_ref().unwrap_or(model);
            let until = Instant::now().checked_add(turn);
            let now = on_progress.as_mut().filter(|_| is_equal || !is_sum).map(|(every, report)| {
                let report = |now: &Progress| {
                    let mut now = *now;
                    now.elapsed = begin.elapsed();
                    report(&now);
                };
                (*every, Box::new(report) as Box<dyn FnMut(&Progress) + '_>)
            });
            let found = if is_sum {
                let mut report = |found: &Improvement<'_, Solution>| {
                    report(&self.improved(found.with(found.solution), self.value(found.solution)));
                };
                sum.search(model, &clock.paused(until), Some(&mut report), now)
            } else {
                turn *= 4;
                self.search(model, &clock.paused(until), Some(report), now)
            };
            // What ends before its turn does has reached another limit, or the end.
            let is_done = matches!(&found, Ok(Some(found)) if found.is_optimal);
            let is_over = clock.check().is_err() || !is_done && until.is_none_or(|until| Instant::now() < until);
            best = match (found, best) {
                (Ok(Some(found)), best) => {
                    let value = self.value(&found.solution);
                    let is_optimal = found.is_optimal && !is_sum || value == found.bound;
                    let found =
                        Optimum { value, bound: if is_optimal { value } else { found.bound }, is_optimal, ..found };
                    self.best_of([best.map(Some), Some(Some(found))].into_iter().flatten().collect()).flatten()
                }
                (Err(ModelError::Interrupted(_)), best) if best.is_some() || !is_over => best,
                (Err(error), _) => return Err(error),
                (Ok(None), best) => {
                    return Ok(best.map(|best| Optimum { bound: best.value, is_optimal: true, ..best }));
                }
            };
            if is_over || best.as_ref().is_some_and(|best| best.is_optimal) {
                break;
            }
        }
        Ok(best)
    }

    /// The best solution of a model. Some solutions are reported twice, and with bounds that this search has.
    pub(super) fn search(
        &self,
        model: &Model,
        clock: &Clock,
        report: Option<&mut dyn FnMut(&Improvement<'_, Solution>)>,
        on_progress: Option<(Duration, Box<dyn FnMut(&Progress) + '_>)>,
    ) -> Result<Option<Optimum>, ModelError> {
        let sign = self.sign;
        let mut encoded = model.encoded(Want::Sum(&self.terms), clock)?;
        let (objective, base, is_ladder) = encoded.objective(&self.terms, self.constant);
        let objective = objective.into_iter().map(|(lit, weight)| (lit, sign * weight));
        encoded.formula.set_objective(objective);
        model.without_symmetries(&mut encoded)?;
        let sums = std::mem::take(&mut encoded.sums);
        let formula = std::mem::take(&mut encoded.formula);
        let solution = |found: &Assignment| model.checked(encoded.solution(model.makers(), |lit| found.is_true(lit)));
        let (latest, last, report) = (RefCell::new(None), RefCell::new(None), RefCell::new(report));
        // The time of the last solution that was not looked for near another.
        let improved = Cell::new(Instant::now());
        let mut near = Neighbourhoods::new(model, self.expr(), clock.clone());
        let mut search = formula.ask().strategy(model.strategy).within(clock.clone()).plus(i128::from(sign) * base);
        if is_ladder {
            search = search.ladder();
        }
        if !sums.is_empty() {
            search = search.attach(Box::new(LazySums::new(sums)));
        }
        if !encoded.cuts.is_empty() || !model.lazy.is_empty() {
            search = search.lazy(|is_true| model.violated(&encoded, is_true));
        }
        search = search.on_improvement(|found| {
            let own = solution(found.solution);
            if let Some(report) = &mut *report.borrow_mut() {
                report(&found.with(&own));
            }
            last.replace(Some(found.with(&())));
            let is_better = |before: &Solution| self.cost(&own) < self.cost(before);
            if latest.borrow().as_ref().is_none_or(is_better) {
                improved.set(Instant::now());
                latest.replace(Some(own));
            }
        });
        // Time decides what is found there: within a number of conflicts answers are the same every time.
        if model.strategy == Strategy::Auto && !model.asking.engine.is_chosen() && clock.conflicts_left() == u64::MAX {
            search = search.near(|| {
                let better = near.better(latest.borrow().as_ref()?, improved.get())?;
                let differs = |(index, &value)| encoded.codes.differs(&encoded.domains, index, value);
                let values = better.all().iter().take(encoded.domains.len()).enumerate();
                let hint = values.filter_map(differs).flatten().map(|lit: Lit| !lit).collect();
                if let (Some(report), Some(last)) = (&mut *report.borrow_mut(), &*last.borrow()) {
                    report(&self.improved(last.with(&better), self.value(&better)));
                }
                latest.replace(Some(better));
                Some(hint)
            });
        }
        if let Some((every, report)) = on_progress {
            search = search.on_progress(every, report);
        }
        let best = if sign > 0 { search.minimum()? } else { search.maximum()? };
        Ok(best.map(|best| {
            let found = Optimum {
                solution: solution(&best.model),
                value: best.value as i64,
                bound: if sign > 0 { best.lower_bound } else { best.upper_bound } as i64,
                is_optimal: best.is_optimal(),
            };
            // A limit may come between what is near and the search.
            match latest.into_inner().map(|near| (self.value(&near), near)) {
                Some((value, solution)) if !found.is_optimal && sign * value < sign * found.value => {
                    Optimum { solution, value, ..found }
                }
                _ => found,
            }
        }))
    }

    /// The best answer of several searches, with the best bound.
    #[allow(clippy::option_option)] // none of them has an answer, or it is that there is no solution
    pub(super) fn best_of(&self, found: Vec<Option<Optimum>>) -> Option<Option<Optimum>> {
        let sign = self.sign;
        let mut all: Option<Optimum> = None;
        for found in found {
            let Some(found) = found else { return Some(None) };
            all = Some(match all {
                None => found,
                Some(all) => {
                    let bound = if sign > 0 { all.bound.max(found.bound) } else { all.bound.min(found.bound) };
                    let is_optimal = all.is_optimal || found.is_optimal;
                    let best = if sign * found.value < sign * all.value { found } else { all };
                    Optimum { bound, is_optimal, ..best }
                }
            });
        }
        all.map(|best| {
            let is_optimal = best.is_optimal || best.bound == best.value;
            Some(Optimum { is_optimal, ..best })
        })
    }
}
