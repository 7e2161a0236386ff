//! Local search: from a solution on, one variable after the other changes its value, where that violates less.
//!
//! All constraints are sums of weights. What costs is a sum that may be violated, at its cost: a literal of the
//! objective, or, where such a literal does nothing but meet constraints, as those of soft clauses do, these
//! constraints. Where no change of one variable gains, what is violated becomes heavier. So bounds are not proven, but
//! solutions come soon where constraints are loose, and the search goes on from them. (S. Cai, Z. Lei, *Old techniques
//! in new ways: Clause weighting, unit propagation and hybridization for maximum satisfiability*, Artificial
//! Intelligence 287, 2020, 103354; Z. Lei, S. Cai, C. Luo, H. Hoos, *Efficient Local Search for Pseudo Boolean
//! Optimization*, SAT 2021, LNCS 12831, pages 332–348.)

use std::cell::OnceCell;
use std::ops::Range;
use std::time::{Duration, Instant};

use rustc_hash::FxHashSet;
use rustsat::types::Lit;

use cnfkit_core::internals::{Clock, NormalSum, Random};
use cnfkit_core::{Assignment, Formula};

/// The time of a search before the first turn. Tests begin at once.
const FIRST: Duration = Duration::from_millis(if cfg!(test) { 0 } else { 500 });
/// The longest turn.
const LONGEST: Duration = Duration::from_millis(if cfg!(test) { 2 } else { 200 });
/// The share of the time that turns take: a third, a fourth after so many steps without a better solution, and so on.
const SHARE: u64 = 3;
const RARER: u64 = 30_000_000;
const RAREST: u64 = 10;
/// The steps between looks at the clock, and those without a better solution after which weights begin again.
const STEPS: u64 = 1_000_000;
const PATIENCE: u64 = 20_000_000;
/// The terms of all sums, beyond which there is no local search, and the sum of the weights of one.
const TERMS: usize = 1_000_000;
const SUM: u64 = 1 << 40;
/// Penalties are in such parts, and weights.
const PART: i64 = 1 << 16;
const WEIGHT: i64 = 256;
/// The terms of all sums from which on a first solution is not left to a solver, which has to encode or watch them.
const LARGE: usize = 100_000;
/// The greatest weights, for one of 1: of what must hold, and of what costs.
const MOST: i64 = 1 << 16;
const MOST_COST: i64 = 50;
/// Of so many variables that gain, the best one changes.
const SAMPLE: usize = 15;
/// Of so many that cost, all become heavier at once.
const PAID: usize = 1_000;

/// Turns of local search beside another.
pub(super) struct LocalTurns {
    begun: Instant,
    spent: Duration,
    /// The steps since the last better solution.
    idle: u64,
    /// Made when it is needed; none of a formula that has none.
    search: OnceCell<Option<LocalSearch>>,
}

impl LocalTurns {
    pub(super) fn new() -> Self {
        Self { begun: Instant::now(), spent: Duration::ZERO, idle: 0, search: OnceCell::new() }
    }

    /// A solution of a large formula, and a good one, if there is one soon.
    pub(super) fn first(&mut self, formula: &Formula, objective: &NormalSum, clock: &Clock) -> Option<Vec<Lit>> {
        if !is_large(formula) || clock.is_over() || clock.time_left().is_some_and(|left| left < LONGEST) {
            return None;
        }
        let turn = Instant::now();
        self.search.get_or_init(|| LocalSearch::new(formula, objective));
        let search = self.search.get_mut()?.as_mut()?;
        let cheap = |lit: Lit| {
            let of = objective.terms.binary_search_by_key(&lit.vidx32(), |(lit, _)| lit.vidx32());
            of.is_ok_and(|at| objective.terms[at].0.is_neg())
        };
        search.start(cheap);
        let mut first = search.run(STEPS);
        while turn.elapsed() < LONGEST && !clock.is_over() {
            first = search.run(STEPS).or(first);
        }
        self.spent += turn.elapsed();
        first
    }

    /// A solution that costs less than this one, if it is time to look for one, and there is one soon.
    pub(super) fn better(
        &mut self,
        formula: &Formula,
        objective: &NormalSum,
        best: &Assignment,
        clock: &Clock,
    ) -> Option<Vec<Lit>> {
        let share = (SHARE + self.idle / RARER).min(RAREST) as u32;
        let turn = Instant::now();
        let is_due = |spent: Duration| spent * share < self.begun.elapsed();
        if self.begun.elapsed() < FIRST || !is_due(self.spent) {
            return None;
        }
        self.search.get_or_init(|| LocalSearch::new(formula, objective));
        let search = self.search.get_mut()?.as_mut()?;
        let mut better = None;
        // A turn goes on while it finds better ones.
        let mut is_better = false;
        while (is_better || turn.elapsed() < LONGEST && is_due(self.spent + turn.elapsed())) && !clock.is_over() {
            if self.idle.is_multiple_of(PATIENCE) {
                search.start(|lit| best.is_true(lit));
            }
            let found = search.run(STEPS);
            is_better = found.is_some();
            self.idle = if is_better { STEPS } else { self.idle + STEPS };
            better = found.or(better);
        }
        self.spent += turn.elapsed();
        // What it knows of others' solutions is of its last start.
        let most = objective.cost(|lit| best.is_true(lit));
        better.filter(|found| objective.cost(|lit| found[lit.vidx()] == lit) < most)
    }
}

/// A sum that is at least a bound.
struct LocalRow {
    /// The place of its terms.
    terms: Range<usize>,
    least: i64,
    heaviest: i64,
    /// The penalty for each 1 that it lacks.
    price: i64,
    /// By how much the sum is more than the bound.
    slack: i64,
    /// The cost of violating it, unless it must hold.
    cost: Option<i64>,
    /// Its weight, and by how much that grows.
    weight: i64,
    growth: i64,
}

impl LocalRow {
    /// The price of a slack, for each part of the weight.
    fn penalty(&self, slack: i64) -> i64 {
        match (slack < 0, self.cost) {
            (false, _) => 0,
            (true, Some(_)) => PART,
            (true, None) => -slack * self.price,
        }
    }

    /// The slack where a term of that weight changes its value.
    fn without(slack: i64, weight: i64, is_true: bool) -> i64 {
        if is_true { slack - weight } else { slack + weight }
    }
}

/// A set of small numbers, from which any one can be taken.
struct LocalSet {
    all: Vec<u32>,
    place: Vec<u32>,
}

impl LocalSet {
    fn new(n: usize) -> Self {
        Self { all: Vec::new(), place: vec![u32::MAX; n] }
    }

    fn set(&mut self, member: u32, is_in: bool) {
        let place = self.place[member as usize];
        if is_in == (place != u32::MAX) {
            return;
        }
        if is_in {
            self.place[member as usize] = self.all.len() as u32;
            self.all.push(member);
        } else {
            self.place[member as usize] = u32::MAX;
            self.all.swap_remove(place as usize);
            self.all.get(place as usize).into_iter().for_each(|&moved| self.place[moved as usize] = place);
        }
    }
}

/// Values of all variables, and what follows from them.
struct LocalSearch {
    rows: Vec<LocalRow>,
    terms: Vec<(Lit, i64)>,
    /// Of each variable, the place of its rows in `of`, with its weight there, negative if it is negated.
    places: Vec<u32>,
    of: Vec<(u32, i64)>,
    /// Literals of the objective that are true where one of these rows is violated: most often one alone, so that each
    /// may cost as much.
    derived: Vec<(Lit, Vec<u32>)>,
    is_true: Vec<bool>,
    /// By how much less is violated where a variable changes its value, and those where it is less.
    gain: Vec<i64>,
    gaining: LocalSet,
    /// The violated rows: of those that must hold, and of those that cost.
    violated: LocalSet,
    paid: LocalSet,
    /// The time of the last change of each variable.
    changed: Vec<u64>,
    now: u64,
    cost: i64,
    best: i64,
    random: Random,
}

/// True if clauses and constraints have many literals.
fn is_large(formula: &Formula) -> bool {
    let of_clauses = formula.clauses().map(<[Lit]>::len);
    let mut lengths = of_clauses.chain(formula.constraints().map(|constraint| constraint.lits().count()));
    let mut left = LARGE;
    lengths.any(|length| {
        left = left.saturating_sub(length);
        left == 0
    })
}

/// Sums that are at least a bound each; `None` if they are too many or too large, or more than sums are said.
fn sums(formula: &Formula) -> Option<Vec<(Vec<(Lit, u64)>, u64)>> {
    let mut sums: Vec<(Vec<(Lit, u64)>, u64)> = Vec::new();
    let mut left = TERMS;
    for clause in formula.clauses() {
        left = left.checked_sub(clause.len())?;
        let mut lits = clause.to_vec();
        lits.sort_unstable();
        lits.dedup();
        if lits.windows(2).all(|pair| pair[0] != !pair[1]) {
            sums.push((lits.into_iter().map(|lit| (lit, 1)).collect(), 1));
        }
    }
    for constraint in formula.constraints() {
        if constraint.parity_of().is_some() || constraint.reifies_exactly() {
            return None;
        }
        let all_said = constraint.linear(Lit::positive(0), |terms, relation| {
            left = left.checked_sub(2 * terms.len()).ok_or(())?;
            let total = terms.iter().try_fold(0, |sum: u64, term| sum.checked_add(term.1));
            let total = total.filter(|&total| total < SUM).ok_or(())?;
            sums.extend(relation.least().map(|least| (terms.to_vec(), least)));
            let negated = || terms.iter().map(|&(lit, weight)| (!lit, weight)).collect();
            sums.extend(relation.most().map(|most| (negated(), total - most.min(total))));
            Ok::<(), ()>(())
        });
        all_said.ok()?;
    }
    Some(sums)
}

impl LocalSearch {
    fn new(formula: &Formula, objective: &NormalSum) -> Option<Self> {
        let (mut sums, n_vars) = (sums(formula)?, formula.n_vars());
        let costing: FxHashSet<Lit> = objective.terms.iter().map(|&(lit, _)| lit).collect();
        // Of each literal, the rows with its weight there; and of each row, how many of its literals cost.
        let mut rows_of: Vec<Vec<(u32, u64)>> = vec![Vec::new(); 2 * n_vars];
        let mut n_costing = vec![0_u32; sums.len()];
        for ((terms, _), at) in sums.iter().zip(0..) {
            for &(lit, weight) in terms {
                rows_of[lit.lidx()].push((at, weight));
                n_costing[at as usize] += u32::from(costing.contains(&lit));
            }
        }
        // Large costs in other units, which leave a few digits.
        let total: u128 = objective.terms.iter().map(|&(_, weight)| weight).sum();
        let shift = total.checked_ilog2().unwrap_or(0).saturating_sub(SUM.ilog2());
        let mut costs: Vec<Option<i64>> = vec![None; sums.len()];
        let mut derived = Vec::new();
        for &(lit, weight) in &objective.terms {
            let (own, cost) = (std::mem::take(&mut rows_of[lit.lidx()]), Some(((weight >> shift) as i64).max(1)));
            let is_soft = |&(at, own_weight): &(u32, u64)| {
                let (terms, least) = &sums[at as usize];
                let is_alone = own.len() < 2 || n_costing[at as usize] == 1;
                costs[at as usize].is_none() && own_weight >= *least && terms.len() > 1 && is_alone
            };
            if rows_of[(!lit).lidx()].is_empty() && own.iter().all(is_soft) {
                for &(at, _) in &own {
                    costs[at as usize] = cost;
                    sums[at as usize].0.retain(|&(other, _)| other != lit);
                }
                derived.push((lit, own.into_iter().map(|(at, _)| at).collect()));
            } else {
                sums.push((vec![(!lit, 1)], 1));
                costs.push(cost);
            }
        }
        let n_costs = costs.iter().flatten().count().max(1) as f64;
        let mean_cost = costs.iter().flatten().map(|&cost| cost as f64).sum::<f64>() / n_costs;
        let (mut rows, mut terms) = (Vec::with_capacity(sums.len()), Vec::new());
        for ((own, least), cost) in sums.into_iter().zip(costs) {
            let start = terms.len();
            terms.extend(own.iter().map(|&(lit, weight)| (lit, weight as i64)));
            let (own, growth) = (&terms[start..], cost.map_or(1.0, |cost| (cost as f64 / mean_cost).min(MOST as f64)));
            rows.push(LocalRow {
                terms: start..terms.len(),
                least: least as i64,
                heaviest: own.iter().map(|&(_, weight)| weight).max().unwrap_or(0),
                price: (PART * own.len() as i64 / own.iter().map(|&(_, weight)| weight).sum::<i64>().max(1)).max(1),
                slack: 0,
                cost,
                weight: 0,
                growth: ((growth * WEIGHT as f64) as i64).max(1),
            });
        }
        let mut places = vec![0_u32; n_vars + 2];
        terms.iter().for_each(|(lit, _)| places[lit.vidx() + 2] += 1);
        (2..places.len()).for_each(|at| places[at] += places[at - 1]);
        let mut of = vec![(0, 0); terms.len()];
        for (row, at) in rows.iter().zip(0..) {
            for &(lit, weight) in &terms[row.terms.clone()] {
                let place = &mut places[lit.vidx() + 1];
                of[*place as usize] = (at, if lit.is_neg() { -weight } else { weight });
                *place += 1;
            }
        }
        Some(Self {
            gaining: LocalSet::new(n_vars),
            violated: LocalSet::new(rows.len()),
            paid: LocalSet::new(rows.len()),
            is_true: vec![false; n_vars],
            gain: vec![0; n_vars],
            changed: vec![0; n_vars],
            rows,
            terms,
            places,
            of,
            derived,
            now: 0,
            cost: 0,
            best: i64::MAX,
            random: Random::new(1),
        })
    }

    fn holds(&self, lit: Lit) -> bool {
        self.is_true[lit.vidx()] != lit.is_neg()
    }

    /// Begins at these values. They are found first if they are a solution: literals that are derived may cost less.
    fn start(&mut self, is_true: impl Fn(Lit) -> bool) {
        self.is_true = (0..self.is_true.len() as u32).map(|var| is_true(Lit::positive(var))).collect();
        self.gain.fill(0);
        self.cost = 0;
        for at in 0..self.rows.len() {
            let row = &self.rows[at];
            let sum = self.terms[row.terms.clone()].iter().filter(|&&(lit, _)| self.holds(lit)).map(|term| term.1);
            let slack = sum.sum::<i64>() - row.least;
            let row = &mut self.rows[at];
            (row.slack, row.weight) = (slack, 0);
            self.cost += row.cost.filter(|_| slack < 0).unwrap_or(0);
            let is_hard = row.cost.is_none();
            self.violated.set(at as u32, is_hard && slack < 0);
            self.paid.set(at as u32, !is_hard && slack < 0);
            self.weigh(at as u32, self.rows[at].growth);
        }
        if self.violated.all.is_empty() {
            self.best = self.best.min(self.cost + 1);
        }
    }

    /// Searches for so many steps: the best solution, if it is better than all before.
    fn run(&mut self, steps: u64) -> Option<Vec<Lit>> {
        let (mut left, mut better) = (steps, None);
        while left > 0 {
            if self.violated.all.is_empty() && self.cost < self.best {
                self.best = self.cost;
                better = Some(self.solution());
                left = left.saturating_sub(self.is_true.len() as u64);
            }
            let mut taken = 20;
            if self.gaining.all.is_empty() {
                taken += self.heavier();
            }
            let Some(var) = self.gaining_most().or_else(|| self.meeting(&mut taken)) else { break };
            taken += self.change(var);
            left = left.saturating_sub(taken);
        }
        better
    }

    fn solution(&self) -> Vec<Lit> {
        let mut all: Vec<Lit> = (0..).zip(&self.is_true).map(|(var, &is_true)| Lit::new(var, !is_true)).collect();
        for (lit, rows) in &self.derived {
            all[lit.vidx()] = if rows.iter().any(|&at| self.rows[at as usize].slack < 0) { *lit } else { !*lit };
        }
        all
    }

    /// The better of two variables to change: what gains more, or has not changed for longer.
    fn better_of(&self, one: u32, other: u32) -> u32 {
        let worth = |var: u32| (self.gain[var as usize], u64::MAX - self.changed[var as usize]);
        if worth(one) >= worth(other) { one } else { other }
    }

    /// The best of those that gain, or of a sample.
    fn gaining_most(&mut self) -> Option<u32> {
        let n = self.gaining.all.len();
        if n <= SAMPLE {
            return self.gaining.all.iter().copied().reduce(|one, other| self.better_of(one, other));
        }
        let mut best = self.gaining.all[self.random.below(n)];
        for _ in 1..SAMPLE {
            let other = self.gaining.all[self.random.below(n)];
            best = self.better_of(best, other);
        }
        Some(best)
    }

    /// The best variable towards a row that is violated, any one; of those that must hold, while there are such.
    fn meeting(&mut self, taken: &mut u64) -> Option<u32> {
        let of = if self.violated.all.is_empty() { &self.paid.all } else { &self.violated.all };
        let at = *of.get(self.random.below(of.len().max(1)))?;
        let terms = &self.terms[self.rows[at as usize].terms.clone()];
        *taken += terms.len() as u64;
        let open = terms.iter().filter(|&&(lit, _)| !self.holds(lit)).map(|(lit, _)| lit.vidx32());
        open.reduce(|one, other| self.better_of(one, other))
    }

    /// Makes heavier what must hold and is violated, and what costs. Where much of that is violated, there is hardly a
    /// solution while it grows, and it waits for one.
    fn heavier(&mut self) -> u64 {
        let mut taken = 0;
        for place in 0..self.violated.all.len() {
            taken += self.heavier_by(self.violated.all[place], MOST);
        }
        let n_paid = self.paid.all.len();
        let waits = n_paid > PAID && !self.violated.all.is_empty();
        for place in 0..if waits { 0 } else { n_paid } {
            taken += self.heavier_by(self.paid.all[place], MOST_COST);
        }
        taken
    }

    fn heavier_by(&mut self, at: u32, most: i64) -> u64 {
        let row = &self.rows[at as usize];
        1 + if row.weight < most * row.growth { self.weigh(at, row.growth) } else { 0 }
    }

    /// Adds to the weight of a row.
    fn weigh(&mut self, at: u32, more: i64) -> u64 {
        self.rows[at as usize].weight += more;
        let row = &self.rows[at as usize];
        for &(lit, weight) in &self.terms[row.terms.clone()] {
            let with = row.penalty(LocalRow::without(row.slack, weight, self.holds(lit)));
            let gain = &mut self.gain[lit.vidx()];
            *gain += more * (row.penalty(row.slack) - with);
            self.gaining.set(lit.vidx32(), *gain > 0);
        }
        row.terms.len() as u64
    }

    /// Changes the value of a variable.
    fn change(&mut self, var: u32) -> u64 {
        let (is_true, gain) = (!self.is_true[var as usize], -self.gain[var as usize]);
        let mut taken = 0;
        for of in self.places[var as usize]..self.places[var as usize + 1] {
            let (at, weight) = self.of[of as usize];
            let row = &mut self.rows[at as usize];
            let before = row.slack;
            row.slack = LocalRow::without(before, weight, !is_true);
            let (after, row) = (row.slack, &*row);
            if (before < 0) != (after < 0) {
                match row.cost {
                    None => self.violated.set(at, after < 0),
                    Some(cost) => {
                        self.paid.set(at, after < 0);
                        self.cost += if after < 0 { cost } else { -cost };
                    }
                }
            }
            // No other variable would violate it, before and now; or none would meet it, and each gains what it did.
            if before.min(after) >= row.heaviest || before.max(after) < -row.heaviest {
                continue;
            }
            let change = row.penalty(after) - row.penalty(before);
            for &(lit, weight) in &self.terms[row.terms.clone()] {
                let with =
                    |slack| row.penalty(LocalRow::without(slack, weight, self.is_true[lit.vidx()] != lit.is_neg()));
                let more = change - with(after) + with(before);
                if more != 0 {
                    let gain = &mut self.gain[lit.vidx()];
                    *gain += more * row.weight;
                    self.gaining.set(lit.vidx32(), *gain > 0);
                }
            }
            taken += row.terms.len() as u64;
        }
        (self.is_true[var as usize], self.gain[var as usize]) = (is_true, gain);
        self.gaining.set(var, gain > 0);
        self.now += 1;
        self.changed[var as usize] = self.now;
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Questions;
    use cnfkit_core::{CardEncoding, ClauseSink, Constrain, PbEncoding};

    /// Clauses, soft ones, counts and sums, conditions and reified ones; and an objective of all variables.
    fn formula(random: &mut Random, n: usize) -> (Formula, NormalSum) {
        let mut formula = Formula::with_vars(n);
        let lit = |random: &mut Random| Lit::new(random.below(n) as u32, random.below(2) == 0);
        let mut objective: Vec<(Lit, i128)> = (0..n as u32).map(|var| (Lit::negative(var), var.into())).collect();
        for _ in 0..n {
            let terms: Vec<(Lit, u64)> = (0..4).map(|_| (lit(random), 1 + random.below(5) as u64)).collect();
            let lits: Vec<Lit> = terms.iter().map(|term| term.0).collect();
            let some = formula.new_lit();
            let at_most = terms.iter().filter(|(lit, _)| lit.is_neg()).map(|term| term.1).sum();
            match random.below(6) {
                0 => formula.add_clause(&[lits[0], lits[1], some]).unwrap(),
                1 => formula.pb_at_most(&terms, at_most, PbEncoding::Auto).unwrap(),
                2 => formula.when(&[some]).at_least(&lits, 2, CardEncoding::Auto).unwrap(),
                3 => formula.iff_at_most(some, &lits, 2, CardEncoding::Auto).unwrap(),
                4 => formula.pb_iff_at_least(some, &terms, 6, PbEncoding::Auto).unwrap(),
                _ => {
                    formula.add_clause(&[lits[0], !lits[1], some]).unwrap();
                    formula.add_clause(&[!lits[0], lits[2], some]).unwrap();
                }
            }
            objective.push((some, 1 + random.below(9) as i128));
        }
        (formula, NormalSum::new(objective))
    }

    fn holds(formula: &Formula, model: &[Lit]) -> bool {
        let is_true = |lit: Lit| model[lit.vidx()] == lit;
        formula.clauses().all(|clause| clause.iter().any(|&lit| is_true(lit)))
            && formula.constraints().all(|constraint| constraint.holds(is_true))
    }

    /// Whatever changed, all that is kept is what it is from the start.
    #[test]
    fn what_is_kept_follows_from_the_values() {
        let mut random = Random::new(3);
        for _ in 0..40 {
            let (formula, objective) = formula(&mut random, 8);
            let mut search = LocalSearch::new(&formula, &objective).unwrap();
            search.start(|_| false);
            for _ in 0..50 {
                if random.below(4) == 0 {
                    search.heavier();
                }
                search.change(random.below(search.is_true.len()) as u32);
                search.gaining_most();
            }
            let weights: Vec<i64> = search.rows.iter().map(|row| row.weight).collect();
            let sets = |search: &LocalSearch| {
                [&search.gaining, &search.violated, &search.paid].map(|set| {
                    let mut all = set.all.clone();
                    all.sort_unstable();
                    let places = (0..).zip(&set.place).filter(|(_, place)| **place != u32::MAX);
                    assert!(places.map(|(member, _)| member).eq(all.iter().copied()));
                    all
                })
            };
            let kept = (search.gain.clone(), search.cost, sets(&search));
            let is_true = search.is_true.clone();
            search.start(|lit| is_true[lit.vidx()]);
            for (at, weight) in (0..).zip(weights) {
                let more = weight - search.rows[at as usize].weight;
                search.weigh(at, more);
            }
            assert_eq!(kept, (search.gain.clone(), search.cost, sets(&search)));
        }
    }

    /// A solution comes out, cheaper than the one before, and soon the cheapest.
    #[test]
    fn solutions_get_cheaper() {
        let mut random = Random::new(4);
        let (mut optimal, mut derived, mut rounds) = (0, 0, 0);
        while rounds < 60 {
            let (formula, objective) = formula(&mut random, 6);
            let Some(first) = formula.solve().unwrap() else { continue };
            rounds += 1;
            let mut search = LocalSearch::new(&formula, &objective).unwrap();
            derived += search.derived.len();
            search.start(|lit| first.is_true(lit));
            let (mut cost, mut is_first) = (objective.cost(|lit| first.is_true(lit)), true);
            while let Some(found) = search.run(20_000) {
                assert!(holds(&formula, &found));
                let better = objective.cost(|lit| found[lit.vidx()] == lit);
                assert!(better < cost || is_first && better == cost, "{better} {cost}");
                (cost, is_first) = (better, false);
            }
            let least = (0_u32..1 << formula.n_vars()).filter_map(|code| {
                let model: Vec<Lit> = (0..12).map(|var| Lit::new(var, code >> var & 1 == 0)).collect();
                holds(&formula, &model).then(|| objective.cost(|lit| model[lit.vidx()] == lit))
            });
            optimal += usize::from(least.min() == Some(cost));
        }
        assert!(optimal > 55 && derived > 60, "{optimal} {derived}");
    }

    /// Soft clauses that have one literal in common cost it each; heavier literals than fit cost something.
    #[test]
    fn soft_clauses_and_large_costs() {
        let mut formula = Formula::new();
        let x = formula.new_lits(4);
        formula.add_clause(&[x[0], x[1], x[3]]).unwrap();
        formula.add_clause(&[x[0], x[2], x[3]]).unwrap();
        let objective = |heavy| NormalSum::new([(x[0], 3), (x[1], heavy), (x[2], heavy), (x[3], 2)]);
        for heavy in [2, 1 << 90] {
            let mut search = LocalSearch::new(&formula, &objective(heavy)).unwrap();
            let derived: Vec<Lit> = search.derived.iter().map(|(lit, _)| *lit).collect();
            assert_eq!(derived, [x[1], x[2]]); // x[0] and x[3] have several clauses in which others cost, too
            search.start(|_| true);
            let found = search.run(10_000).unwrap();
            assert_eq!(found, [!x[0], !x[1], !x[2], x[3]]);
        }
        // One that has to be true is a variable, too: no clause without literals is violated for good.
        let mut fixed = Formula::new();
        let y = fixed.new_lits(12);
        y[2..].iter().for_each(|&lit| fixed.add_clause(&[lit]).unwrap());
        fixed.exactly(&y[..2], 1, CardEncoding::Auto).unwrap();
        let costs = y.iter().copied().zip([3, 2].into_iter().chain([9; 10]));
        let mut search = LocalSearch::new(&fixed, &NormalSum::new(costs)).unwrap();
        search.start(|lit| lit != y[1]);
        assert_eq!(search.run(10_000).unwrap()[..2], [!y[0], y[1]]);
        // A literal that does not meet its sum alone is a variable.
        let mut sum = Formula::with_vars(3);
        let terms: Vec<(Lit, u64)> = x.iter().copied().zip([4, 3, 2]).collect();
        sum.pb_at_least(&terms, 5, PbEncoding::Auto).unwrap();
        let mut search = LocalSearch::new(&sum, &NormalSum::new([(x[0], 9), (x[1], 2), (x[2], 3)])).unwrap();
        assert!(search.derived.is_empty());
        search.start(|_| true);
        assert_eq!(search.run(10_000).unwrap(), [!x[0], x[1], x[2]]);
        let mut search = LocalSearch::new(&formula, &NormalSum::new([(x[0], 5), (x[3], 2)])).unwrap();
        search.start(|_| true);
        assert_eq!(search.run(10_000).unwrap()[3], !x[3]);
        let mut search = LocalSearch::new(&formula, &NormalSum::new([(!x[1], 5), (!x[2], 5), (x[3], 2)])).unwrap();
        assert_eq!(search.derived.len(), 1);
        search.start(|lit| lit == x[3]);
        assert_eq!(search.cost, 14); // 2 for each of the two that are violated without x[3]
    }

    /// A first solution of many long sums, at which a search begins: without it a solver has to load them.
    #[test]
    fn first_solutions_of_large_formulas() {
        let mut formula = Formula::new();
        let x = formula.new_lits(1_010);
        for row in 0..100 {
            let terms: Vec<(Lit, u64)> =
                (0..).zip(&x[..1_000]).map(|(at, &lit)| (lit, 1 + at * (row + 1) % 7)).collect();
            formula.pb_at_least(&terms, 300, PbEncoding::Auto).unwrap();
        }
        formula.add_clause(&x[1_000..]).unwrap();
        let weights = x.iter().zip(1..).map(|(&lit, weight)| (if weight % 9 == 0 { !lit } else { lit }, weight));
        let objective = NormalSum::new(weights.clone());
        let found = LocalTurns::new().first(&formula, &objective, &Clock::default()).unwrap();
        assert!(holds(&formula, &found));
        formula.set_objective(weights.map(|(lit, weight)| (lit, weight as i64)));
        let mut costs = Vec::new();
        let question = formula.ask().on_improvement(|found| costs.push((found.conflicts, found.value)));
        let limited = question.time_limit(Duration::from_millis(50)).minimum();
        assert!(limited.unwrap().is_some());
        assert_eq!(costs[0].0, 0);
        // All of them would cost 450,000.
        assert!(costs[0].1 < 200_000, "{costs:?}");
    }

    /// Parities, reified equalities, and what is too large have none.
    #[test]
    fn formulas_without_local_search() {
        let objective = NormalSum::new([(Lit::positive(0), 1)]);
        let has_one = |say: &dyn Fn(&mut Formula, &[Lit])| {
            let mut formula = Formula::new();
            let x = formula.new_lits(4);
            say(&mut formula, &x);
            LocalSearch::new(&formula, &objective).is_some()
        };
        let heavy = |weight: u64| move |x: &[Lit]| [(x[0], weight), (x[1], weight - 1), (x[2], 3)];
        let (most, more) = (heavy(SUM / 2 - 2), heavy(SUM / 2));
        assert!(has_one(&|formula, x| formula.pb_at_least(most(x), SUM / 2, PbEncoding::Auto).unwrap()));
        assert!(!has_one(&|formula, x| formula.pb_at_least(more(x), SUM / 2, PbEncoding::Auto).unwrap()));
        assert!(has_one(&|formula, x| formula.exactly(x, 2, CardEncoding::Auto).unwrap()));
        assert!(!has_one(&|formula, x| formula.iff_exactly(x[0], &x[1..], 1, CardEncoding::Auto).unwrap()));
        assert!(!has_one(&|formula, x| formula.parity(x, true).unwrap()));
        let mut formula = Formula::new();
        let x = formula.new_lits(TERMS / 2);
        formula.at_least(&x, 2, CardEncoding::Auto).unwrap();
        assert!(LocalSearch::new(&formula, &objective).is_some());
        formula.at_least(&x[1..], 2, CardEncoding::Auto).unwrap();
        assert!(LocalSearch::new(&formula, &objective).is_none());
    }

    /// No turn before it is due, none without steps that are left, and none once time is over.
    #[test]
    fn turns() {
        let mut random = Random::new(9);
        let (formula, objective) = formula(&mut random, 10);
        let first = formula.solve().unwrap().unwrap();
        let mut turns = LocalTurns::new();
        turns.spent = Duration::from_secs(60);
        assert!(
            turns.better(&formula, &objective, &first, &Clock::default()).is_none() && turns.search.get().is_none()
        );
        turns.spent = Duration::ZERO;
        std::thread::sleep(LONGEST * 2);
        let found = turns.better(&formula, &objective, &first, &Clock::default()).unwrap();
        assert!(objective.cost(|lit| found[lit.vidx()] == lit) < objective.cost(|lit| first.is_true(lit)));
        assert!(turns.spent > Duration::ZERO);
        assert!(LocalTurns::new().first(&formula, &objective, &Clock::default()).is_none()); // it is small
        // Nothing is better than the best.
        let mut formula = formula;
        formula.set_objective(objective.terms.iter().map(|&(lit, weight)| (lit, weight as i64)));
        let best = formula.ask().minimum().unwrap().unwrap().model;
        let mut turns = LocalTurns::new();
        std::thread::sleep(LONGEST * 2);
        assert!(turns.better(&formula, &objective, &best, &Clock::default()).is_none());
        assert!(turns.spent > Duration::ZERO);
    }
}
