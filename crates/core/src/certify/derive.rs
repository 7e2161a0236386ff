//! Derivations: each clause of a batch is a sum of what its negated literals mean, and of the constraint.

use std::io::{self, Write};

use rustsat::types::Lit;

use super::batch::{Batch, Bound, Local, negated, var};
use super::lines::{Id, Lines};
use super::meaning::{Meaning, meanings};
use super::propagate::{Inequality, conflict};

/// A sum of lines under construction.
struct Sum {
    coefficients: Vec<i128>,
    is_touched: Vec<bool>,
    touched: Vec<Local>,
    degree: i128,
}

impl Sum {
    fn new(n_vars: usize) -> Self {
        Self { coefficients: vec![0; n_vars], is_touched: vec![false; n_vars], touched: Vec::new(), degree: 0 }
    }

    fn clear(&mut self) {
        for var in self.touched.drain(..) {
            self.coefficients[var as usize] = 0;
            self.is_touched[var as usize] = false;
        }
        self.degree = 0;
    }

    fn add(&mut self, coefficients: &[(Local, i128)], degree: i128, factor: i128) {
        for &(var, coefficient) in coefficients {
            if !std::mem::replace(&mut self.is_touched[var as usize], true) {
                self.touched.push(var);
            }
            self.coefficients[var as usize] += factor * coefficient;
        }
        self.degree += factor * degree;
    }

    /// True if the sum, and so much of a bound, cannot be reached with these values: 1, -1 for false, 0 for any.
    fn contradicts(&self, values: &[i8], bound: Option<(&Bound, i128)>) -> bool {
        let most = |var: Local, coefficient: i128| match values[var as usize] {
            0 => coefficient.max(0),
            value => coefficient * i128::from(value == 1),
        };
        let mut degree = self.degree;
        let own = self.touched.iter().map(|&var| most(var, self.coefficients[var as usize]));
        let mut reach: i128 = own.sum();
        if let Some((bound, factor)) = bound {
            degree += factor * bound.degree;
            for &(var, coefficient) in &bound.coefficients {
                let before = self.coefficients[var as usize];
                reach += most(var, before + factor * coefficient) - most(var, before);
            }
        }
        reach < degree
    }

    /// How many times a bound is needed, at most and at least.
    fn factors(&self, bound: &Bound) -> [i128; 2] {
        let ratios = bound.coefficients.iter().filter_map(|&(var, coefficient)| {
            let own = self.coefficients[var as usize];
            (own != 0 && (own < 0) != (coefficient < 0))
                .then(|| (own.abs() + coefficient.abs() - 1) / coefficient.abs())
        });
        [ratios.max().unwrap_or(1).max(1), 1]
    }
}

/// The reason why a batch has no derivation.
pub(crate) enum Refused {
    /// The sums that its auxiliaries stand for are too long together.
    Sums,
    /// This clause does not follow.
    Clause(Vec<Lit>),
}

/// How a clause is derived.
enum Step {
    /// The meanings of its negated literals, and so much of a bound, contradict it.
    Sum { meanings: Vec<u32>, bound: Option<(usize, i128)> },
    /// Unit propagation on these lines contradicts it.
    Propagation(Vec<Line>),
    /// Unit propagation does, once it is derived with one more literal: each of these.
    Cases(Vec<(u32, Step)>),
}

/// A line that a derivation uses.
#[derive(Clone, Copy, Debug)]
enum Line {
    Bound(usize),
    /// The meaning of a variable, or of its negation.
    Meaning(Local, usize),
    Clause(usize),
}

/// All that is known of a batch while its clauses are derived.
struct Plan<'b> {
    batch: &'b Batch,
    found: Vec<Option<Meaning>>,
    sum: Sum,
    values: Vec<i8>,
    /// The literals, of an auxiliary and of the input, that say on which side of the bound a sum is.
    few: Option<(u32, u32)>,
    steps: Vec<Step>,
}

/// The numbers that unit propagation may look at for one clause.
const SHORT: usize = 20_000;

/// The cases that a clause may be taken apart into, and those that are taken apart.
const LEAVES: usize = 128;

impl<'b> Plan<'b> {
    /// A derivation of each clause, or the first clause that has none.
    fn new(batch: &'b Batch, falling: bool) -> Result<Self, Refused> {
        let found = meanings(batch, falling).ok_or(Refused::Sums)?;
        let few = batch.few.map(|few| {
            let own = batch.auxiliaries.iter().find(|&&aux| found[aux as usize].is_none() && aux != var(few));
            (own.map_or(few, |&aux| 2 * aux), few)
        });
        let (sum, values) = (Sum::new(batch.n_vars()), vec![0; batch.n_vars()]);
        let mut plan = Self { batch, found, sum, values, few, steps: Vec::new() };
        for (clause, _) in batch.clauses() {
            let step =
                plan.step(clause).or_else(|| plan.cases(clause)).or_else(|| plan.split(clause, &mut LEAVES.clone()));
            let global = || clause.iter().map(|&lit| batch.global(lit)).collect();
            plan.steps.push(step.ok_or_else(|| Refused::Clause(global()))?);
        }
        Ok(plan)
    }

    /// A clause that contradicts one sum: of nothing but a bound, of all meanings, of one of them, or of all but one.
    fn step(&mut self, clause: &[u32]) -> Option<Step> {
        let Self { batch, found, sum, values, .. } = self;
        clause.iter().for_each(|&lit| values[var(lit) as usize] = if lit & 1 == 1 { 1 } else { -1 });
        let usable = |bound: &Bound| bound.guards.iter().all(|guard| clause.contains(guard));
        let usable: Vec<(usize, &Bound)> = batch.bounds.iter().enumerate().filter(|(_, bound)| usable(bound)).collect();
        let with_meaning: Vec<u32> = clause.iter().copied().filter(|&lit| found[var(lit) as usize].is_some()).collect();
        let mut choices = vec![Vec::new(), with_meaning.clone()];
        if with_meaning.len() > 1 {
            choices.extend(with_meaning.iter().map(|&one| vec![one]));
            let others = |one| with_meaning.iter().copied().filter(|&other| other != one).collect::<Vec<u32>>();
            choices.extend(with_meaning.iter().filter(|_| with_meaning.len() > 2).map(|&one| others(one)));
        }
        let step = choices.into_iter().find_map(|meanings| {
            sum.clear();
            for &lit in &meanings {
                if let Some(Meaning { rising, coefficients, degree }) = &found[var(lit) as usize] {
                    if negated(lit) == *rising {
                        sum.add(coefficients, *degree, 1);
                    } else {
                        sum.add(coefficients, degree - 1, -1);
                    }
                }
            }
            let with = |&(at, bound): &(usize, &Bound)| {
                let found =
                    sum.factors(bound).into_iter().find(|&factor| sum.contradicts(values, Some((bound, factor))));
                Some(Some((at, found?)))
            };
            let bound = if sum.contradicts(values, None) { Some(None) } else { usable.iter().find_map(with) };
            Some(Step::Sum { meanings, bound: bound? })
        });
        clause.iter().for_each(|&lit| values[var(lit) as usize] = 0);
        step
    }

    /// A clause that follows on either side of the bound, or on the one that it speaks of.
    fn cases(&mut self, clause: &[u32]) -> Option<Step> {
        let (own, few) = self.few?;
        let mut cases = Vec::new();
        for side in [0, 1] {
            // The auxiliary says the same as the literal of the input.
            if own != few && clause.contains(&negated(own ^ side)) {
                continue;
            }
            let longer: Vec<u32> = clause.iter().copied().chain([few ^ side]).collect();
            cases.push((few ^ side, self.step(&longer)?));
        }
        Some(Step::Cases(cases))
    }

    /// A clause that unit propagation derives, or does for either value of an input, of the heaviest ones that the
    /// clause has not: there are sums that no choice of weights makes.
    fn split(&self, clause: &[u32], leaves: &mut usize) -> Option<Step> {
        let step = self.propagation(clause);
        *leaves = leaves.checked_sub(1)?;
        if step.is_some() {
            return step;
        }
        let inputs = 0..self.batch.weights.len() as u32;
        let free = inputs.filter(|&input| clause.iter().all(|&lit| var(lit) != input));
        let input = free.max_by_key(|&input| (self.batch.weights[input as usize], std::cmp::Reverse(input)))?;
        let case = |lit: u32, leaves: &mut usize| {
            let longer: Vec<u32> = clause.iter().copied().chain([lit]).collect();
            Some((lit, self.split(&longer, leaves)?))
        };
        Some(Step::Cases(vec![case(2 * input, leaves)?, case(2 * input + 1, leaves)?]))
    }

    /// A clause that contradicts the bounds, all meanings and the clauses before it by unit propagation.
    fn propagation(&self, clause: &[u32]) -> Option<Step> {
        let mut lines = Vec::new();
        let mut known = Vec::new();
        for (at, bound) in self.batch.bounds.iter().enumerate() {
            lines.push(Line::Bound(at));
            known.push(bound.inequality());
        }
        let mut size: usize = known.iter().map(|one: &Inequality| one.terms.len()).sum();
        for &aux in &self.batch.auxiliaries {
            if let Some(meaning) = &self.found[aux as usize] {
                for side in [0, 1] {
                    lines.push(Line::Meaning(aux, side));
                    known.push(meaning.inequality(side));
                    size += meaning.coefficients.len();
                }
            }
        }
        for (at, (before, _)) in self.batch.clauses().take(self.steps.len()).enumerate() {
            lines.push(Line::Clause(at));
            known.push(Inequality::clause(before));
            size += before.len();
            if size > SHORT {
                return None;
            }
        }
        let used = conflict(self.batch.n_vars(), &known, clause)?;
        Some(Step::Propagation(used.into_iter().map(|at| lines[at]).collect()))
    }
}

/// Writes what a batch of clauses means, and derives each of them: its number is handed to `derived`. The first clause
/// that does not follow so ends it, before anything is written.
pub(crate) fn derive<W: Write>(
    batch: &Batch,
    lines: &mut Lines<W>,
    mut derived: impl FnMut(Id),
) -> io::Result<Result<(), Refused>> {
    let plan = match Plan::new(batch, false) {
        Ok(plan) => plan,
        Err(refused) => match Plan::new(batch, true) {
            Ok(plan) => plan,
            Err(_) => return Ok(Err(refused)),
        },
    };
    let mut writer =
        Writer { plan: &plan, lines, meanings: vec![[None; 2]; batch.n_vars()], clauses: Vec::new(), same: Vec::new() };
    for &aux in &batch.auxiliaries {
        if let Some(meaning) = &plan.found[aux as usize] {
            writer.meanings[aux as usize] = define(batch, meaning, writer.lines)?;
        }
    }
    if let Some((own, few)) = plan.few.filter(|(own, few)| own != few) {
        let [own, few] = [own, few].map(|lit| batch.global(lit));
        writer.same.push(writer.lines.red([(1, !own), (1, few)], 1, !own)?);
        writer.same.push(writer.lines.red([(1, own), (1, !few)], 1, own)?);
    }
    for ((clause, _), step) in batch.clauses().zip(&plan.steps) {
        let id = writer.write(clause, step)?;
        writer.clauses.push(id);
        derived(id);
    }
    let Writer { meanings, same, .. } = writer;
    lines.list("del id", &meanings.into_iter().flatten().flatten().chain(same).collect::<Vec<Id>>())?;
    Ok(Ok(()))
}

/// Derivations on their way to text.
struct Writer<'p, 'b, W> {
    plan: &'p Plan<'b>,
    lines: &'p mut Lines<W>,
    /// The lines of each variable's meaning: of what it says itself, and of what its negation says.
    meanings: Vec<[Option<Id>; 2]>,
    clauses: Vec<Id>,
    same: Vec<Id>,
}

impl<W: Write> Writer<'_, '_, W> {
    fn write(&mut self, clause: &[u32], step: &Step) -> io::Result<Id> {
        let batch = self.plan.batch;
        let global: Vec<Lit> = clause.iter().map(|&lit| batch.global(lit)).collect();
        match step {
            Step::Sum { meanings, bound } => {
                let mut parts = Vec::new();
                for &lit in meanings {
                    if let Some(meaning) = &self.plan.found[var(lit) as usize] {
                        let side = usize::from(negated(lit) != meaning.rising);
                        parts.extend(self.meanings[var(lit) as usize][side].map(|line| (line, 1)));
                    }
                }
                parts.extend(bound.map(|(at, factor)| (batch.bounds[at].id, factor.cast_unsigned())));
                if let &[(line, 1)] = &parts[..] {
                    return self.lines.rup(&global, &[line]);
                }
                let sum = self.lines.pol(&parts)?;
                let id = self.lines.rup(&global, &[sum])?;
                self.lines.list("del id", &[sum])?;
                Ok(id)
            }
            Step::Propagation(used) => {
                let id = |line: &Line| match *line {
                    Line::Bound(at) => Some(batch.bounds[at].id),
                    Line::Meaning(var, side) => self.meanings[var as usize][side],
                    Line::Clause(at) => Some(self.clauses[at]),
                };
                let used: Vec<Id> = used.iter().filter_map(id).collect();
                self.lines.rup(&global, &used)
            }
            Step::Cases(cases) => {
                let mut used = self.same.clone();
                for (lit, step) in cases {
                    let longer: Vec<u32> = clause.iter().copied().chain([*lit]).collect();
                    used.push(self.write(&longer, step)?);
                }
                let id = self.lines.rup(&global, &used)?;
                self.lines.list("del id", &used[self.same.len()..])?;
                Ok(id)
            }
        }
    }
}

/// The two lines that say what an auxiliary means; those that say nothing are left out.
fn define<W: Write>(batch: &Batch, meaning: &Meaning, lines: &mut Lines<W>) -> io::Result<[Option<Id>; 2]> {
    let Meaning { rising, coefficients, degree } = meaning;
    let rising = batch.global(*rising);
    let mut side = |sign: i128, degree: i128, head: Lit| {
        let negative: i128 = coefficients.iter().map(|&(_, coefficient)| (sign * coefficient).min(0)).sum();
        let degree = degree - negative;
        if degree <= 0 {
            return Ok(None);
        }
        let terms = coefficients.iter().map(|&(var, coefficient)| {
            let lit = 2 * var + u32::from(sign * coefficient < 0);
            (coefficient.unsigned_abs(), batch.global(lit))
        });
        let terms = std::iter::once((degree.cast_unsigned(), head)).chain(terms);
        lines.red(terms, degree.cast_unsigned(), head).map(Some)
    };
    Ok([side(1, *degree, !rising)?, side(-1, 1 - *degree, rising)?])
}
