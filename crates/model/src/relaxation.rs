//! Objectives by their linear relaxation, as in knapsacks.
//!
//! For an objective Σ a·x, to be small, and constraints Σ w·x ≤ W, each q > 0 and p ≥ 0 for every constraint give
//! Σ (q·a + Σ p·w)·x ≤ q·T + Σ p·W wherever the objective is at most T. With the dual solution of the relaxation
//! ([`LinearProgram`]), that is tight. Where T is close to the optimum, the bounds of this sum alone fix most
//! variables, which is known as reduced cost fixing (E. Balas and E. Zemel, *An Algorithm for Large Zero-One Knapsack
//! Problems*, Operations Research 28, 1980, pp. 1130–1154), and what each constraint leaves to its bound is small, too.
//! So targets T are tried from the bound of the relaxation on, each as a small model of its own; once one has a
//! solution, no better one is outside.
//!
//! An objective that is one variable stands for the sum that the longest constraint bounds it by: a name for a sum,
//! defined by an equation or by one side of it, is as good as the sum.

use std::time::{Duration, Instant};

use super::encoded::Want;
use super::simplex::LinearProgram;
use super::sums::merge;
use super::variables::{Domains, Expr, ExprFactor, IntVar, Solution};
use super::{Model, ModelError};
use cnfkit_ask::Strategy;
use cnfkit_core::internals::{Clock, gcd};

/// The time for what is tried before a search for an optimum: so long, and a quarter of what the question has left at
/// most.
pub(super) fn briefly(clock: &Clock, time: Duration) -> Clock {
    let left = clock.time_left().map_or(time, |left| left / 4);
    clock.paused(Instant::now().checked_add(left.min(time)))
}

/// A sum of multiples of variables, and what it is at most.
type BoundedTerms = (Vec<(IntVar, i64)>, i64);

/// Constraints that are looked at; more would take longer than they save.
const MOST: usize = 256;
/// Numbers of the objective that get bounds of their own.
const MOST_BOUNDED: usize = 8;
/// Factors beyond this are not multiplied.
const LARGEST: i64 = 1 << 20;

/// Multiples of constraints that bound the objective well.
#[derive(Debug)]
struct ConstraintMultiples {
    /// Constraints with what they are multiplied by.
    rows: Vec<(BoundedTerms, i64)>,
    /// `q` times the objective together with the multiples of the constraints, of which the latter are at most `bound`.
    q: i64,
    together: Vec<(IntVar, i64)>,
    bound: i128,
    /// The least value of that sum, without the bound.
    value: i128,
}

/// The sum of multiples of sums.
fn combined<'a>(sums: impl IntoIterator<Item = (&'a [(IntVar, i64)], i64)>) -> Vec<(IntVar, i128)> {
    let terms = |(sum, by): (&'a [(IntVar, i64)], i64)| {
        sum.iter().map(move |&(var, factor)| (var, i128::from(factor) * i128::from(by)))
    };
    let mut terms: Vec<_> = sums.into_iter().flat_map(terms).collect();
    merge(&mut terms);
    terms.retain(|&(_, factor)| factor != 0);
    terms
}

/// These terms, if their factors fit.
fn narrowed(terms: Vec<(IntVar, i128)>) -> Option<Vec<(IntVar, i64)>> {
    terms.into_iter().map(|(var, factor)| Some((var, i64::try_from(factor).ok()?))).collect()
}

/// The least value of a sum.
fn least(terms: &[(IntVar, i128)], domains: &Domains) -> i128 {
    let of = |&(var, factor): &(IntVar, i128)| {
        let (min, max) = domains.of(var).bounds();
        (factor * i128::from(min)).min(factor * i128::from(max))
    };
    terms.iter().map(of).sum()
}

fn expr(terms: &[(IntVar, i64)]) -> Expr {
    let terms = terms.iter().map(|&(var, factor)| (ExprFactor::Int(var), factor)).collect();
    Expr { terms, ..Expr::default() }
}

/// A sum that the objective is not below, with what is to be added to it: of one variable that sum by which the longest
/// of these constraints, each a sum that is at most a number, bounds it; of others the objective itself.
pub(super) fn below(
    objective: &[(IntVar, i64)],
    rows: impl Iterator<Item = (Vec<(IntVar, i64)>, i64)>,
) -> (Vec<(IntVar, i64)>, i128) {
    let &[(var, factor)] = objective else { return (objective.to_vec(), 0) };
    let by = |row: &[(IntVar, i64)]| {
        let own = row.iter().find(|(other, _)| other.index == var.index)?.1;
        (factor.signum() != own.signum() && factor % own == 0).then(|| -(factor / own))
    };
    let sums = rows.filter_map(|(row, bound)| Some((by(&row)?, row, bound)));
    let longest = sums.max_by_key(|(_, row, _)| row.len()).filter(|(_, row, _)| row.len() > 3);
    let sum = longest.and_then(|(by, row, bound)| {
        Some((narrowed(combined([(objective, 1), (&row, by)]))?, -i128::from(by) * i128::from(bound)))
    });
    sum.unwrap_or_else(|| (objective.to_vec(), 0))
}

/// The best solutions, as far as the relaxation tells.
#[derive(Debug)]
pub(super) enum RelaxedBest {
    /// One of them.
    Is(Solution),
    /// They are solutions of this model, too; and one that was found, with a bound of all of them.
    Within(Box<Model>, Option<(Solution, i128)>),
    /// They are not below this.
    AtLeast(i128),
}

impl ConstraintMultiples {
    /// No solution is below this.
    fn least(&self) -> i128 {
        -(self.bound - self.value).div_euclid(self.q.into()) // rounded up
    }
}

/// The least common denominator of `1 / q` and a fraction close to this number, by its continued fraction; `None` where
/// that is too large.
fn common_denominator(q: i64, number: f64) -> Option<i64> {
    let (mut before, mut own, mut rest) = (0, 1_i64, number);
    while (own as f64 * number - (own as f64 * number).round()).abs() > 1e-6 {
        rest = 1.0 / (rest - rest.floor());
        (before, own) = (own, own.checked_mul(rest.floor() as i64)?.checked_add(before)?);
        if own > LARGEST {
            return None;
        }
    }
    q.checked_mul(own / gcd(q.unsigned_abs().into(), own.unsigned_abs().into()) as i64).filter(|&q| q <= LARGEST)
}

impl Model {
    /// The sums that hold in any case, each with what it is at most.
    pub(super) fn rows(&self) -> impl Iterator<Item = (Vec<(IntVar, i64)>, i64)> + '_ {
        self.posted.iter().flat_map(|posted| posted.node.rows())
    }

    /// The constraints that bound the objective best, if they do better than the domains.
    fn relaxation(&self, objective: &[(IntVar, i64)], domains: &Domains, clock: &Clock) -> Option<ConstraintMultiples> {
        let is_small = |of: &[(IntVar, i64)]| {
            let reach = |var: IntVar| {
                let (min, max) = domains.of(var).bounds();
                min.unsigned_abs().max(max.unsigned_abs())
            };
            of.iter().all(|&(var, factor)| factor.abs() < LARGEST && reach(var) < 1 << 40)
        };
        if !is_small(objective) {
            return None;
        }
        let rows = self.posted.iter().flat_map(|posted| posted.node.relaxed(domains)).take(MOST);
        let rows: Vec<BoundedTerms> = rows.filter(|(row, bound)| is_small(row) && bound.abs() < 1 << 60).collect();
        let mut columns: Vec<u32> =
            rows.iter().flat_map(|(row, _)| row).chain(objective).map(|(var, _)| var.index).collect();
        columns.sort_unstable();
        columns.dedup();
        let column = |var: IntVar| columns.binary_search(&var.index).expect("a column");
        let mut costs = vec![0.0; columns.len()];
        objective.iter().for_each(|&(var, factor)| costs[column(var)] += factor as f64);
        let bounds = |&index: &u32| {
            let (min, max) = domains.all()[index as usize].bounds();
            (min as f64, max as f64)
        };
        let bounds = columns.iter().map(bounds).collect();
        let terms = |row: &[(IntVar, i64)]| row.iter().map(|&(var, factor)| (column(var), factor as f64)).collect();
        let program =
            LinearProgram { bounds, costs, rows: rows.iter().map(|(row, most)| (terms(row), *most as f64)).collect() };
        let multipliers = program.multipliers(clock)?;
        let rows: Vec<(BoundedTerms, f64)> = rows.into_iter().zip(multipliers).filter(|&(_, by)| by > 0.0).collect();
        let mut best: Option<ConstraintMultiples> = None;
        let exact = rows.iter().try_fold(1, |q, &(_, by)| common_denominator(q, by));
        for q in exact.into_iter().chain([1 << 12, 1 << 6, 1]) {
            let rounded = rows.iter().map(|(row, by)| (row, (by * q as f64).round()));
            let rounded =
                rounded.filter(|&(_, by)| by >= 1.0 && by < LARGEST as f64).map(|(row, by)| (row.clone(), by as i64));
            let rows: Vec<(BoundedTerms, i64)> = rounded.collect();
            let multiples = rows.iter().map(|((row, _), by)| (&row[..], *by));
            let together = combined([(objective, q)].into_iter().chain(multiples));
            let value = least(&together, domains);
            let bound = rows.iter().map(|((_, most), by)| i128::from(*most) * i128::from(*by)).sum();
            let Some(together) = narrowed(together).filter(|small| is_small(small)) else { continue };
            let found = ConstraintMultiples { rows, q, together, bound, value };
            if best.as_ref().is_none_or(|best| best.least() < found.least()) {
                best = Some(found);
            }
        }
        best.filter(|best| best.least() > least(&combined([(objective, 1)]), domains))
    }

    /// The part of the model in which the objective is at most this; `None` where numbers are too large.
    fn within(&self, objective: &[(IntVar, i64)], relaxation: &ConstraintMultiples, most: i128) -> Option<Self> {
        let limit = most * i128::from(relaxation.q) + relaxation.bound;
        let mut model = self.clone();
        model.group = None;
        model.post(expr(objective).le(most));
        model.post(expr(&relaxation.together).le(limit));
        for ((row, bound), by) in &relaxation.rows {
            model.post(expr(row).ge(i128::from(*bound) - (limit - relaxation.value).div_euclid((*by).into())));
        }
        model.error.is_none().then_some(model)
    }

    /// A best solution, or a part of the model that has all of them, where that is found in little time.
    pub(super) fn with_the_best(
        &self,
        terms: &[(IntVar, i64)],
        clock: &Clock,
    ) -> Result<Option<RelaxedBest>, ModelError> {
        if self.strategy != Strategy::Auto || self.error.is_some() {
            return Ok(None);
        }
        let shrunk =
            |model: &Self, clock: &Clock| Domains::new(self.domains.clone()).shrink(model.posted.iter(), clock);
        let Ok(mut domains) = shrunk(self, clock)? else { return Ok(None) };
        let clock = briefly(clock, Duration::from_millis(500));
        let (sum, _) = below(terms, self.rows());
        // Each number of the sum has a bound of its own, which is whole.
        let mut model = self.clone();
        model.group = None;
        for &(var, factor) in sum.iter().filter(|&&(var, _)| domains.of(var).len() > 2).take(MOST_BOUNDED) {
            let own = [(var, factor.signum())];
            if let Some(found) = self.relaxation(&own, &domains, &clock) {
                model.post(expr(&own).ge(found.least()));
            }
        }
        if model.posted.len() > self.posted.len() {
            match shrunk(&model, &clock) {
                Ok(Ok(smaller)) => domains = smaller,
                Ok(Err(_)) | Err(_) => return Ok(None),
            }
        }
        let Some(relaxation) = model.relaxation(terms, &domains, &clock) else { return Ok(None) };
        let values = |domains: &Domains| -> u64 {
            relaxation.together.iter().map(|&(var, _)| domains.of(var).len() - 1).fold(0, u64::saturating_add)
        };
        let step = sum.iter().map(|&(_, factor)| i128::from(factor).abs()).max().unwrap_or(1);
        let greatest = -least(&combined([(terms, -1)]), &domains);
        let least_gap = (step / 16).max(1);
        let (mut lower, mut gap, mut grows) = (relaxation.least(), least_gap, true);
        let (mut upper, mut best): (Option<i128>, Option<Solution>) = (None, None);
        while lower < upper.unwrap_or(greatest + 1) {
            let target = upper.map_or(lower + gap, |upper| lower + (upper - lower) / 2);
            let Some(part) = model.within(terms, &relaxation, target) else { break };
            let mut encoded = match part.encoded(Want::Solution, &clock) {
                Err(ModelError::Interrupted(_)) => break,
                encoded => encoded?,
            };
            // Where it is nearly as large as the whole, nothing is gained.
            if encoded.domains.len() > 0 && values(&encoded.domains) > values(&domains) / 2 {
                if gap <= least_gap {
                    break;
                }
                (gap, grows) = ((gap / 4).max(least_gap), false);
                continue;
            }
            let found = part.load(&mut encoded, &clock).and_then(|mut session| {
                let holds = part.holds(&encoded, &mut session, &clock)?;
                Ok(holds.then(|| part.found(&encoded, &session)))
            });
            match found {
                Err(ModelError::Interrupted(_)) => break,
                Err(error) => return Err(error),
                Ok(Some(solution)) => {
                    let value = |&(var, factor): &(IntVar, i64)| i128::from(factor) * i128::from(solution.value(var));
                    upper = Some(terms.iter().map(value).sum());
                    best = Some(solution);
                }
                Ok(None) => {
                    lower = target + 1;
                    gap *= if grows { 4 } else { 1 };
                }
            }
        }
        if let (Some(upper), Some(best)) = (upper, best) {
            return Ok(if upper <= lower {
                Some(RelaxedBest::Is(best))
            } else {
                let part = model.within(terms, &relaxation, upper);
                part.map(|part| RelaxedBest::Within(Box::new(part), Some((best, lower))))
            });
        }
        // The bound of a variable takes no clause, but what a sum defines alone is not encoded at all.
        model.post(expr(terms).ge(lower));
        let is_bounded = sum.len() == 1 && model.error.is_none();
        Ok(Some(if is_bounded { RelaxedBest::Within(Box::new(model), None) } else { RelaxedBest::AtLeast(lower) }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{abs, sum, times};
    use cnfkit_ask::Improvement;
    use cnfkit_core::Limits;
    use cnfkit_core::internals::Random;

    /// Optima of sums, products and distances are those of a search without the relaxation.
    #[test]
    fn no_best_solution_is_cut_off() {
        let mut random = Random::new(12);
        let mut relaxed = 0;
        for round in 0..150 {
            let mut model = Model::new();
            let (x, y) = (model.ints(5, 0..=3), model.ints(2, 0..=9));
            let mut total = |least: i64, most: usize| {
                sum(x.iter().map(|&x| (least + random.below(most) as i64) * x).collect::<Vec<_>>())
            };
            for _ in 0..2 + round % 3 {
                model.post(total(-1, 5).ge(6));
            }
            model.post(if round % 2 == 0 { times(x[0] + 1, x[1], y[0]) } else { abs(x[0] - 2 * x[1], y[0]) });
            let objective = total(1, 4) + y[0] + y[1];
            model.post((y[0] + y[1] + x[2]).ge(3 + round % 5));
            let (terms, _) = model.terms(objective.clone()).unwrap();
            relaxed += usize::from(model.with_the_best(&terms, &model.asking.start()).unwrap().is_some());
            let mut least = |strategy| {
                model.set_strategy(strategy);
                model.minimum(objective.clone()).unwrap().map(|best| (best.value, best.bound, best.is_optimal))
            };
            assert_eq!(least(Strategy::Auto), least(Strategy::CoreGuided), "round {round}");
        }
        assert!(relaxed > 50, "{relaxed}");
    }

    /// A solution that was found before the search is the answer where a limit ends it, and whoever asks is told of it.
    #[test]
    fn a_limit_is_reached_and_no_solution_is_lost() {
        let mut model = Model::new();
        let x = model.bools(12);
        let total = |a: i64, b: i64| {
            sum((0..).zip(&x).map(|(at, &x)| (20 + (a * at * at + b * at) % 97) * Expr::from(x)).collect::<Vec<_>>())
        };
        model.post(total(37, 11).le(252));
        model.post(total(29, 53).le(252));
        let optimum = model.maximum(total(71, 13)).unwrap().unwrap();
        assert_eq!((optimum.value, optimum.is_optimal), (437, true));
        let mut known = 0;
        for most in 1..20 {
            let mut told = None;
            let report = |found: &Improvement<'_, Solution>| {
                assert!(found.lower_bound <= 437 && 437 <= found.upper_bound && found.lower_bound <= found.value);
                assert!(told.is_none_or(|before| before <= found.value), "{told:?}");
                told = Some(found.value);
            };
            let found =
                model.ask().limits(Limits::none().conflicts(most)).on_improvement(report).maximum(total(71, 13));
            match found {
                Ok(Some(best)) => {
                    known += usize::from(!best.is_optimal);
                    assert!(best.value <= 437 && 437 <= best.bound && told == Some(best.value.into()), "{most}");
                }
                found => assert!(matches!(found, Err(ModelError::Interrupted(_))) && told.is_none(), "{most}"),
            }
        }
        assert!(known > 5, "{known}");
    }

    /// Bounds that are told are those of the objective, not of the sum that it is a name of.
    #[test]
    fn told_bounds_hold() {
        let mut told = 0;
        for (most, sign) in (2..8).flat_map(|most| [(most, 1), (most, -1)]) {
            let mut model = Model::new();
            let x = model.ints(3, 0..=5);
            let z = model.int(-100..=100);
            model.post((sign * z).le(sum(&x)));
            model.post((sign * z + x[0]).le(most));
            let mut bounds = Vec::new();
            let report = |found: &Improvement<'_, Solution>| bounds.push((found.lower_bound, found.upper_bound));
            let question = model.ask().on_improvement(report);
            let best = if sign > 0 { question.maximum(z) } else { question.minimum(z) }.unwrap().unwrap();
            assert_eq!((best.value, best.is_optimal), (sign * most, true));
            let value = i128::from(best.value);
            assert!(bounds.iter().all(|&(lower, upper)| lower <= value && value <= upper), "{most} {sign} {bounds:?}");
            told += bounds.len();
        }
        assert!(told > 12, "{told}");
    }
}
