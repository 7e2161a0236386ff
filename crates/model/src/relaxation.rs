//! Objectives that few constraints bound well, as in knapsacks: by their linear relaxation.
//!
//! For an objective Σ a·x, to be small, and a constraint Σ w·x ≤ W, each p, q > 0 give Σ (q·a + p·w)·x ≤ q·T + p·W
//! wherever the objective is at most T. With the best p and q, the dual solution of the relaxation, that is tight; what
//! is left of the objective is bounded by another constraint in the same way, while that helps. Where T is close to the
//! optimum, the bounds of this sum alone fix most variables, which is known as reduced cost fixing (E. Balas and E.
//! Zemel, *An Algorithm for Large Zero-One Knapsack Problems*, Operations Research 28, 1980, pp. 1130–1154). So targets
//! T are tried from the bound of the relaxation on, each as a small model of its own; once one has a solution, no
//! better one is outside.
//!
//! An objective that is one variable stands for the sum that the longest constraint bounds it by: a name for a sum,
//! defined by an equation or by one side of it, is as good as the sum.

use std::time::{Duration, Instant};

use super::encoded::Want;
use super::sums::merge;
use super::variables::{Domains, Expr, ExprFactor, IntVar};
use super::{Model, ModelError};
use cnfkit_ask::Strategy;
use cnfkit_core::internals::Clock;

/// The time for what is tried before a search for an optimum: two seconds, and a quarter of what the question has left
/// at most.
pub(super) fn briefly(clock: &Clock) -> Clock {
    const TIME: Duration = Duration::from_secs(2);
    let left = clock.time_left().map_or(TIME, |left| left / 4);
    clock.paused(Instant::now().checked_add(left.min(TIME)))
}

/// Constraints and variables of an objective that are looked at; more would take longer than they save.
const MOST: usize = 128;
/// Factors beyond this are not multiplied.
const LARGEST: i64 = 1 << 20;

/// Multiples of constraints that bound the objective well.
#[derive(Debug)]
struct ConstraintMultiples {
    /// The objective is at least this sum and the base.
    terms: Vec<(IntVar, i64)>,
    base: i128,
    /// `q` times the sum together with the multiples of the constraints, of which the latter are at most `bound`.
    q: i128,
    together: Vec<(IntVar, i64)>,
    bound: i128,
    /// No solution is below this.
    least: i128,
}

/// Constraints that are added one after the other.
const MOST_STEPS: usize = 8;

/// The multiples of two sums together.
fn together(one: &[(IntVar, i64)], q: i64, other: &[(IntVar, i64)], p: i64) -> Vec<(IntVar, i128)> {
    let scaled = |of: &[(IntVar, i64)], by: i64| -> Vec<(IntVar, i128)> {
        of.iter().map(|&(var, factor)| (var, i128::from(factor) * i128::from(by))).collect()
    };
    let mut terms = scaled(one, q);
    terms.extend(scaled(other, p));
    merge(&mut terms);
    terms
}

/// The least value of a sum.
fn least(terms: &[(IntVar, i128)], domains: &Domains) -> i128 {
    let of = |&(var, factor): &(IntVar, i128)| {
        let (min, max) = domains.of(var).bounds();
        (factor * i128::from(min)).min(factor * i128::from(max))
    };
    terms.iter().map(of).sum()
}

fn expr<T: Into<i128> + Copy>(terms: &[(IntVar, T)]) -> Option<Expr> {
    let term = |&(var, factor): &(IntVar, T)| Some((ExprFactor::Int(var), i64::try_from(factor.into()).ok()?));
    let terms: Option<Vec<_>> = terms.iter().map(term).collect();
    Some(Expr { terms: terms?, ..Expr::default() })
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
        let terms = together(objective, 1, &row, by).into_iter().filter(|&(_, factor)| factor != 0);
        let terms: Option<Vec<_>> = terms.map(|(var, factor)| Some((var, i64::try_from(factor).ok()?))).collect();
        Some((terms?, -i128::from(by) * i128::from(bound)))
    });
    sum.unwrap_or_else(|| (objective.to_vec(), 0))
}

impl Model {
    /// The sums that hold in any case, each with what it is at most.
    pub(super) fn rows(&self) -> impl Iterator<Item = (Vec<(IntVar, i64)>, i64)> + '_ {
        self.posted.iter().flat_map(|posted| posted.node.rows())
    }

    /// The constraints that bound the objective best, if some do better than the domains.
    fn relaxation(
        &self,
        terms: &[(IntVar, i64)],
        domains: &Domains,
        clock: &Clock,
    ) -> Result<Option<ConstraintMultiples>, ModelError> {
        let is_small = |of: &[(IntVar, i64)]| {
            let reach = |var: IntVar| {
                let (min, max) = domains.of(var).bounds();
                min.unsigned_abs().max(max.unsigned_abs())
            };
            of.len() <= MOST && of.iter().all(|&(var, factor)| factor.abs() < LARGEST && reach(var) < LARGEST as u64)
        };
        let objective = terms;
        let (terms, base) = below(objective, self.rows());
        if terms.len() < 3 || !is_small(&terms) {
            return Ok(None);
        }
        let rows = self.rows().take(MOST).filter(|(row, bound)| is_small(row) && bound.abs() < 1 << 40);
        let rows: Vec<(Vec<(IntVar, i64)>, i64)> = rows.collect();
        let (mut q, mut bound, mut sum) = (1_i128, 0_i128, terms.clone());
        let mut value = least(&together(&sum, 1, &[], 0), domains);
        for _ in 0..MOST_STEPS {
            let mut best: Option<(f64, i64, i64, &(Vec<(IntVar, i64)>, i64))> = None;
            for row in &rows {
                clock.check()?;
                let factor = |var: IntVar| sum.iter().find(|(own, _)| own.index == var.index).map_or(0, |&(_, a)| a);
                let ratios = row.0.iter().map(|&(var, w)| (factor(var), w));
                for (a, w) in ratios.filter(|&(a, w)| a.signum() * w.signum() < 0) {
                    let (by, times) = (a.abs(), w.abs());
                    let value = least(&together(&sum, times, &row.0, by), domains)
                        - (i128::from(times) * bound + i128::from(by) * i128::from(row.1));
                    let ratio = value as f64 / times as f64;
                    if best.is_none_or(|(before, ..)| before < ratio) {
                        best = Some((ratio, by, times, row));
                    }
                }
            }
            let Some((_, by, times, row)) = best.filter(|&(ratio, ..)| ratio > value as f64) else { break };
            let next = together(&sum, times, &row.0, by).into_iter().filter(|&(_, factor)| factor != 0);
            let next: Option<Vec<_>> = next.map(|(var, factor)| Some((var, i64::try_from(factor).ok()?))).collect();
            let Some(next) = next.filter(|next| is_small(next) && q < 1 << 40) else { break };
            (q, bound) = (q * i128::from(times), bound * i128::from(times) + i128::from(by) * i128::from(row.1));
            sum = next;
            value = least(&together(&sum, 1, &[], 0), domains) - bound;
        }
        let plain = least(&together(objective, 1, &[], 0), domains);
        let least = base - (-value).div_euclid(q); // rounded up
        Ok((least > plain).then_some(ConstraintMultiples { terms, base, q, together: sum, bound, least }))
    }

    /// The part of the model in which the objective is at most this; `None` where numbers are too large.
    fn within(&self, objective: &[(IntVar, i64)], relaxation: &ConstraintMultiples, most: i128) -> Option<Self> {
        let ConstraintMultiples { base, q, together, bound, .. } = relaxation;
        let limit = (most - base) * q + bound;
        let mut model = self.clone();
        model.group = None;
        model.post(expr(objective)?.le(most));
        model.post(expr(together)?.le(limit));
        model.error.is_none().then_some(model)
    }

    /// A part of the model that has all its best solutions, where one is found in little time.
    pub(super) fn with_the_best(&self, terms: &[(IntVar, i64)], clock: &Clock) -> Result<Option<Self>, ModelError> {
        if self.strategy != Strategy::Auto || self.error.is_some() {
            return Ok(None);
        }
        let Ok(domains) = Domains::new(self.domains.clone()).shrink(self.posted.iter(), clock)? else {
            return Ok(None);
        };
        let Some(relaxation) = self.relaxation(terms, &domains, clock)? else { return Ok(None) };
        let values = |domains: &Domains| -> u64 {
            relaxation.terms.iter().map(|&(var, _)| domains.of(var).len() - 1).fold(0, u64::saturating_add)
        };
        let clock = briefly(clock);
        let step = relaxation.terms.iter().map(|&(_, factor)| i128::from(factor.abs())).max().unwrap_or(1);
        let (mut lower, mut gap) = (relaxation.least, (step / 16).max(1));
        let mut upper: Option<i128> = None;
        while upper.is_none_or(|upper| lower < upper) {
            let target = upper.map_or(lower + gap, |upper| lower + (upper - lower) / 2);
            let Some(part) = self.within(terms, &relaxation, target) else { break };
            let mut encoded = match part.encoded(Want::Solution, &clock) {
                Err(ModelError::Interrupted(_)) => break,
                encoded => encoded?,
            };
            // Where it is nearly as large as the whole, nothing is gained.
            if encoded.domains.len() > 0 && values(&encoded.domains) > values(&domains) / 2 {
                break;
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
                }
                Ok(None) => {
                    lower = target + 1;
                    gap *= 4;
                }
            }
        }
        Ok(upper.and_then(|upper| self.within(terms, &relaxation, upper)))
    }
}
