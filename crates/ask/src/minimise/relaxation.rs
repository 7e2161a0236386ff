//! The linear relaxation: a lower bound without a conflict, and the objective in other words that say it.
//!
//! Each constraint is a sum that is at least some number. Multiples of constraints, taken from the objective, leave
//! *reduced costs*: every solution costs at least a constant and the reduced costs of its literals. The multiples that
//! make the constant greatest are the dual solution of the relaxation in which variables are any numbers from 0 to 1.
//! An interior-point solver finds them; they are rounded to whole parts of a unit, and what follows from them is
//! computed in whole numbers, so that nothing depends on how exact the solver is (A. Neumaier, O. Shcherbina, *Safe
//! bounds in linear and mixed-integer linear programming*, Mathematical Programming 99, 2004, pages 283–296).
//!
//! Sums are relaxed more tightly by *covers*, literals that are too much together: of which one is false, and more
//! where others are as heavy as some of them (E. Balas, *Facets of the knapsack polytope*, Mathematical Programming 8,
//! 1975, pages 146–164). Covers that the solution of the relaxation violates are added, and it is solved again.

use std::time::Instant;

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, NonnegativeConeT, SolverStatus, ZeroConeT};
use rustsat::types::Lit;

use super::objective::Reduced;
use cnfkit_core::internals::{Clock, NormalSum};
use cnfkit_core::{Formula, Sum};

/// The literals of all constraints together, beyond which nothing is relaxed.
const LITERALS: usize = 100_000;
/// The steps that all solutions of the relaxation may take together, one or two seconds: the same on every machine.
const STEPS: u64 = 2_000_000_000;
/// The share of the time that is left that they may take, if the time is limited.
const SHARE: f64 = 0.2;
/// The solutions of the relaxation, and by how much of the bound each has to be better than the one before.
const ROUNDS: usize = 20;
const BETTER: f64 = 1e-4;
/// A cover is violated by at least so much.
const VIOLATED: f64 = 0.02;
/// The parts of a unit that multiples are rounded to, unless the objective is too large for that.
const PARTS: u128 = 1 << 20;

/// A sum of positive weights that is at least `least`, or just that.
struct Row {
    terms: Vec<(Lit, i128)>,
    least: i128,
    is_equal: bool,
}

impl Row {
    fn total(&self) -> i128 {
        self.terms.iter().map(|&(_, weight)| weight).sum()
    }

    /// At most `most` of the sum.
    fn at_most(terms: &[(Lit, i128)], most: i128) -> Self {
        let mut row = Self { terms: terms.to_vec(), least: 0, is_equal: false };
        row.terms.iter_mut().for_each(|(lit, _)| *lit = !*lit);
        row.least = row.total() - most;
        row
    }

    /// A sum of literals that cannot all be false, where these values violate it.
    fn cover(&self, value: impl Fn(Lit) -> f64) -> Option<Self> {
        let room = self.total() - self.least;
        // The negations are at most that.
        let lack = |&(lit, _): &(Lit, i128)| value(lit).clamp(0.0, 1.0);
        let mut terms = self.terms.clone();
        terms.sort_by(|a, b| (lack(a) / a.1 as f64).total_cmp(&(lack(b) / b.1 as f64)));
        let mut spent = 0;
        let end = terms.iter().position(|&(_, weight)| {
            spent += weight;
            spent > room
        })?;
        let others = terms.split_off(end + 1);
        let mut cover = terms;
        let mut spare = spent - room - 1;
        // None of them is needless; those go that lack most.
        cover.sort_by(|a, b| lack(b).total_cmp(&lack(a)));
        cover.retain(|&(_, weight)| {
            let stays = weight > spare;
            spare -= if stays { 0 } else { weight };
            stays
        });
        if cover.len() < 2 {
            return None;
        }
        cover.sort_by_key(|&(_, weight)| std::cmp::Reverse(weight));
        let heaviest: Vec<i128> = cover
            .iter()
            .scan(0, |sum, &(_, weight)| {
                *sum += weight;
                Some(*sum)
            })
            .collect();
        let most = cover.len() as i128 - 1;
        // As heavy as so many of the heaviest.
        let by = |weight: i128| heaviest.partition_point(|&sum| sum <= weight) as i128;
        let others = others.iter().map(|&(lit, weight)| (lit, by(weight))).filter(|&(_, by)| by > 0);
        let negated: Vec<(Lit, i128)> =
            cover.iter().map(|&(lit, _)| (lit, 1)).chain(others).map(|(lit, by)| (!lit, by)).collect();
        let violation = negated.iter().map(|&(lit, by)| by as f64 * (1.0 - value(!lit))).sum::<f64>() - most as f64;
        (violation > VIOLATED).then(|| Self::at_most(&negated, most))
    }
}

/// The unconditional constraints of the formula, equations first; `None` if these are too many.
fn rows(formula: &Formula) -> Option<Vec<Row>> {
    let mut rows = Vec::new();
    let mut left = LITERALS;
    for clause in formula.clauses() {
        left = left.checked_sub(clause.len())?;
        rows.push(Row { terms: clause.iter().map(|&lit| (lit, 1)).collect(), least: 1, is_equal: false });
    }
    for constraint in formula.constraints() {
        if !constraint.cond.is_empty() || constraint.iff.is_some() {
            continue;
        }
        let (terms, least, most): (Vec<_>, _, _) = match constraint.sum {
            Sum::Count { lits, relation } => {
                let terms = lits.iter().map(|&lit| (lit, 1)).collect();
                (terms, relation.least().map(|least| least as i128), relation.most().map(|most| most as i128))
            }
            Sum::Weights { terms, relation } => {
                let terms = terms.all().iter().map(|&(lit, weight)| (lit, weight.into())).collect();
                (terms, relation.least().map(i128::from), relation.most().map(i128::from))
            }
        };
        left = left.checked_sub(terms.len())?;
        let is_equal = least.is_some() && least == most;
        rows.extend(most.filter(|_| !is_equal).map(|most| Row::at_most(&terms, most)));
        rows.extend(least.map(|least| Row { terms, least, is_equal }));
    }
    rows.sort_by_key(|row| !row.is_equal);
    Some(rows)
}

/// A solution of the relaxation: the least cost, the values of the variables, and the multiples of the rows.
struct Solved {
    cost: f64,
    values: Vec<f64>,
    multiples: Vec<f64>,
}

/// Steps and time that solutions may still take.
struct Left {
    steps: u64,
    end: Option<Instant>,
}

/// Solves the relaxation as well as that goes.
fn solved(rows: &[Row], n_vars: usize, objective: &NormalSum, left: &mut Left, clock: &Clock) -> Option<Solved> {
    let largest = objective.terms.iter().map(|&(_, weight)| weight).max()? as f64;
    let mut costs = vec![0.0; n_vars];
    for &(lit, weight) in &objective.terms {
        costs[lit.vidx()] = weight as f64 / if lit.is_neg() { -largest } else { largest };
    }
    // a·x ≤ b, row by row, each divided by its largest weight; then −x ≤ 0 and x ≤ 1.
    let (mut at, mut by, mut values, mut limits) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let scales: Vec<f64> =
        rows.iter().map(|row| row.terms.iter().map(|&(_, weight)| weight).max().unwrap_or(1) as f64).collect();
    for ((index, row), scale) in rows.iter().enumerate().zip(&scales) {
        let mut limit = -row.least as f64;
        for &(lit, weight) in &row.terms {
            at.push(index);
            by.push(lit.vidx());
            values.push(weight as f64 / if lit.is_neg() { *scale } else { -scale });
            limit += if lit.is_neg() { weight as f64 } else { 0.0 };
        }
        limits.push(limit / scale);
    }
    for var in 0..n_vars {
        at.extend([limits.len(), limits.len() + 1]);
        by.extend([var; 2]);
        values.extend([-1.0, 1.0]);
        limits.extend([0.0, 1.0]);
    }
    let equations = rows.iter().filter(|row| row.is_equal).count();
    let matrix = CscMatrix::new_from_triplets(limits.len(), n_vars, at, by, values);
    let cones = [ZeroConeT(equations), NonnegativeConeT(limits.len() - equations)];
    let seconds = left.end.map_or(f64::INFINITY, |end| end.saturating_duration_since(Instant::now()).as_secs_f64());
    let settings = DefaultSettings { verbose: false, time_limit: seconds, ..DefaultSettings::default() };
    let linear = CscMatrix::zeros((n_vars, n_vars));
    let mut solver = DefaultSolver::new(&linear, &costs, &matrix, &limits, &cones, settings).ok()?;
    // Each iteration factorises once, columns of so many entries each by each, and solves a few times.
    let entries = solver.info.linsolver.nnzL as u64;
    let each = entries.saturating_mul(entries / (n_vars + limits.len()) as u64 + 20);
    let (clock, most) = (clock.clone(), left.steps / each.max(1));
    solver.set_termination_callback(move |now| u64::from(now.iterations) >= most || clock.is_over());
    if most == 0 {
        return None;
    }
    solver.solve();
    left.steps -= left.steps.min(each.saturating_mul(solver.info.iterations.into()));
    let solution = solver.solution;
    let multiples = solution.z.iter().zip(&scales).map(|(multiple, scale)| multiple * largest / scale).collect();
    // One that was cut short is no better than another.
    let is_whole = !matches!(solution.status, SolverStatus::CallbackTerminated | SolverStatus::MaxTime);
    let cost = if is_whole { solution.obj_val * largest } else { f64::NAN };
    Some(Solved { cost, values: solution.x, multiples })
}

/// The objective as the relaxation sees it; `None` if there is no bound, or the formula is too large.
pub(super) fn reduced(formula: &Formula, objective: &NormalSum, clock: &Clock) -> Option<Reduced> {
    let end = clock.time_left().map(|left| Instant::now() + left.mul_f64(SHARE));
    let mut left = Left { steps: STEPS, end };
    let mut rows = rows(formula)?;
    let n_sums = rows.len();
    let n_vars = formula.n_vars();
    let mut best = solved(&rows, n_vars, objective, &mut left, clock)?;
    for _ in 1..ROUNDS {
        let value = |lit: Lit| if lit.is_neg() { 1.0 - best.values[lit.vidx()] } else { best.values[lit.vidx()] };
        let covers: Vec<Row> = rows[..n_sums].iter().filter_map(|row| row.cover(value)).collect();
        if covers.is_empty() || left.steps == 0 || left.end.is_some_and(|end| end <= Instant::now()) {
            break;
        }
        let n_rows = rows.len();
        rows.extend(covers);
        let Some(next) = solved(&rows, n_vars, objective, &mut left, clock) else { break };
        let is_better = next.cost - best.cost > BETTER * best.cost.abs(); // not if it is NaN
        if !is_better {
            rows.truncate(n_rows);
            break;
        }
        best = next;
    }
    // In whole numbers from here on.
    let total = objective.terms.iter().map(|&(_, weight)| weight).sum::<u128>();
    let parts = PARTS.min((1 << 60) / total).max(1);
    let term = |&(lit, weight): &(Lit, u128)| Some((lit, i128::try_from(weight.checked_mul(parts)?).ok()?));
    let mut terms: Vec<(Lit, i128)> = objective.terms.iter().map(term).collect::<Option<_>>()?;
    let mut constant = 0_i128;
    let mut is_exact = true;
    for (row, multiple) in rows.iter().zip(&best.multiples) {
        let times = (multiple * parts as f64).round();
        let times = if row.is_equal { times } else { times.max(0.0) } as i128;
        if times != 0 {
            is_exact &= row.is_equal;
            constant = constant.checked_add(times.checked_mul(row.least)?)?;
            for &(lit, weight) in &row.terms {
                terms.push((lit, times.checked_mul(weight)?.checked_neg()?));
            }
        }
    }
    if terms.iter().try_fold(0_u128, |all, &(_, weight)| all.checked_add(weight.unsigned_abs()))? > u64::MAX.into() {
        return None;
    }
    let left = NormalSum::new(terms);
    let paid = u128::try_from(constant.checked_add(left.offset)?).ok().filter(|&paid| paid > 0)?;
    Some(Reduced { parts, paid, terms: left.terms, is_exact, values: best.values })
}

#[cfg(test)]
mod tests {
    use super::*;
    use cnfkit_core::internals::Random;
    use cnfkit_core::{ClauseSink, Constrain, PbEncoding, PbRelation};

    fn is_true(code: usize, lit: Lit) -> bool {
        (code >> lit.vidx() & 1 == 1) == lit.is_pos()
    }

    fn sum(terms: &[(Lit, i128)], code: usize) -> i128 {
        terms.iter().filter(|&&(lit, _)| is_true(code, lit)).map(|&(_, weight)| weight).sum()
    }

    /// Covers of sums by lot, at points by lot, hold wherever the sum does.
    #[test]
    fn covers_follow_from_their_sums() {
        let mut random = Random::new(5);
        let (mut found, mut heavier) = (0, 0);
        for _ in 0..3_000 {
            let n = 3 + random.below(6);
            let terms: Vec<(Lit, i128)> =
                (0..n as u32).map(|var| (Lit::new(var, random.below(2) == 0), 1 + random.below(15) as i128)).collect();
            let total: u128 = terms.iter().map(|&(_, weight)| weight.unsigned_abs()).sum();
            let row = Row { terms, least: 1 + random.below(total as usize - 1) as i128, is_equal: false };
            let values: Vec<f64> = (0..n).map(|_| random.below(11) as f64 / 10.0).collect();
            let value = |lit: Lit| if lit.is_neg() { 1.0 - values[lit.vidx()] } else { values[lit.vidx()] };
            let Some(cover) = row.cover(value) else { continue };
            found += 1;
            heavier += usize::from(cover.terms.iter().any(|&(_, weight)| weight > 1));
            let at = cover.terms.iter().map(|&(lit, weight)| weight as f64 * value(lit)).sum::<f64>();
            assert!(at < cover.least as f64, "{:?} is not violated by {values:?}", cover.terms);
            for code in (0..1 << n).filter(|&code| sum(&row.terms, code) >= row.least) {
                let held = sum(&cover.terms, code) >= cover.least;
                assert!(held, "{:?} ≥ {} of {:?} ≥ {}", cover.terms, cover.least, row.terms, row.least);
            }
        }
        assert!(found > 500 && heavier > 10, "{found} {heavier}");
    }

    /// No solution costs less than its reduced costs say, and just that where nothing is lost; bounds are as good as
    /// the relaxation is.
    #[test]
    fn reduced_costs_hold_for_all_solutions() {
        let mut random = Random::new(6);
        let (mut bounded, mut exact) = (0, 0);
        for _ in 0..300 {
            let n = 8;
            let mut formula = Formula::with_vars(n);
            for _ in 0..2 + random.below(4) {
                let mut terms: Vec<(Lit, u64)> = Vec::new();
                for var in 0..n as u32 {
                    if random.below(3) > 0 {
                        terms.push((Lit::new(var, random.below(4) == 0), 1 + random.below(9) as u64));
                    }
                }
                let total = terms.iter().map(|&(_, weight)| weight).sum::<u64>() as usize;
                let bound = random.below(total + 1) as u64;
                let relation = [PbRelation::AtLeast(bound), PbRelation::Exactly(bound), PbRelation::AtMost(bound)];
                formula.pb(&terms, relation[random.below(3)], PbEncoding::Auto).unwrap();
            }
            let kept = rows(&formula).unwrap();
            let objective = NormalSum::new((0..n as u32).map(|var| (Lit::positive(var), 1 + random.below(20) as i128)));
            let Some(reduced) = reduced(&formula, &objective, &Clock::default()) else { continue };
            bounded += 1;
            exact += usize::from(reduced.is_exact);
            for code in 0..1 << n {
                let holds = |row: &Row| {
                    let sum = sum(&row.terms, code);
                    if row.is_equal { sum == row.least } else { sum >= row.least }
                };
                if kept.iter().all(holds) {
                    let cost = objective.cost(|lit| is_true(code, lit)) * reduced.parts;
                    let left = NormalSum { offset: 0, terms: reduced.terms.clone() };
                    let least = reduced.paid + left.cost(|lit| is_true(code, lit));
                    assert!(if reduced.is_exact { cost == least } else { cost >= least }, "{cost} {least}");
                }
            }
        }
        assert!(bounded > 100 && exact > 0, "{bounded} {exact}");
    }

    /// A corner of each edge of a triangle costs 1.5, so 2; a cover closes what a sum leaves open.
    #[test]
    fn bounds_are_those_of_the_relaxation() {
        let mut formula = Formula::new();
        let x = formula.new_lits(3);
        [[0, 1], [1, 2], [0, 2]].iter().for_each(|&[a, b]| formula.add_clause(&[x[a], x[b]]).unwrap());
        let objective = NormalSum::new(x.iter().map(|&lit| (lit, 1)));
        let found = reduced(&formula, &objective, &Clock::default()).unwrap();
        assert_eq!((found.paid.div_ceil(found.parts), found.paid / found.parts), (2, 1));
        // With half the steps that it takes, it has no cost.
        let cost_by = |left: &mut Left| {
            solved(&rows(&formula).unwrap(), 3, &objective, left, &Clock::default()).map(|found| found.cost)
        };
        let mut left = Left { steps: STEPS, end: None };
        assert!((cost_by(&mut left).unwrap() - 1.5).abs() < 1e-6);
        let steps = STEPS - left.steps;
        assert!(cost_by(&mut Left { steps: steps / 2, end: None }).unwrap().is_nan());
        assert!(cost_by(&mut Left { steps: 1, end: None }).is_none());
        // Two of four weights of 6 do for 13 only with the dear fifth, three do: the relaxation alone says 13/6 of 100.
        let mut formula = Formula::new();
        let terms: Vec<(Lit, u64)> = formula.new_lits(4).into_iter().map(|lit| (lit, 6)).collect();
        let other = formula.new_lit();
        let all: Vec<(Lit, u64)> = terms.iter().copied().chain([(other, 1)]).collect();
        formula.pb_at_least(&all, 13, PbEncoding::Auto).unwrap();
        let costs = terms.iter().map(|&(lit, _)| (lit, 100)).chain([(other, 300)]);
        let found = reduced(&formula, &NormalSum::new(costs), &Clock::default()).unwrap();
        assert!(found.paid >= 299 * found.parts, "{}", found.paid as f64 / found.parts as f64);
    }
}
