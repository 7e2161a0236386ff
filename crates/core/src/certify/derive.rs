//! Derivations: each clause of a batch is a sum of what its negated literals mean, and of the constraint.

use std::cell::LazyCell;
use std::io::{self, Write};

use rustsat::types::Lit;

use super::batch::{Batch, BatchInequality, BatchVar, negated, var};
use super::function::functions;
use super::lines::{Id, Lines};
use super::meaning::{MOST, Meaning, Reached, meanings};
use super::search::{DerivationEffort, DerivationSearch, Inequality, InequalityNumber, Lemma};
use crate::size::Size;

/// A sum of lines under construction.
struct LineSum {
    coefficients: Vec<i128>,
    is_touched: Vec<bool>,
    touched: Vec<BatchVar>,
    degree: i128,
}

impl LineSum {
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

    fn add(&mut self, coefficients: &[(BatchVar, i128)], degree: i128, factor: i128) {
        for &(var, coefficient) in coefficients {
            if !std::mem::replace(&mut self.is_touched[var as usize], true) {
                self.touched.push(var);
            }
            self.coefficients[var as usize] += factor * coefficient;
        }
        self.degree += factor * degree;
    }

    /// True if the sum, and so much of a bound, cannot be reached with these values: 1, -1 for false, 0 for any.
    fn contradicts(&self, values: &[i8], bound: Option<(&BatchInequality, i128)>) -> bool {
        let most = |var: BatchVar, coefficient: i128| match values[var as usize] {
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
    fn factors(&self, bound: &BatchInequality) -> [i128; 2] {
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
    /// It was to be given up.
    Interrupted,
}

/// How a clause is derived.
enum ClauseDerivation {
    /// The sum of multiples of these lines contradicts it.
    Sum(Vec<(InequalityNumber, i128)>),
    /// Sums derive it with one more literal: each of these.
    Cases(Vec<DerivationCase>),
    /// Unit propagation derives these one after the other, the clause last.
    Lemmas(Vec<Lemma>),
}

/// A literal, and lines whose sum derives a clause with it.
type DerivationCase = (u32, Vec<(InequalityNumber, i128)>);

/// The kind of meaning that auxiliaries are taken to have.
#[derive(Clone, Copy)]
pub(crate) enum Attempt {
    /// Sums of inputs, from true ones first, or from false ones first.
    Sums { falling: bool },
    /// Functions, said by the clauses that make them true, or false.
    Functions { falling: bool, constants: bool },
}

/// The attempts at a batch, in this order.
const ATTEMPTS: [Attempt; 5] = [
    Attempt::Sums { falling: false },
    Attempt::Sums { falling: true },
    Attempt::Functions { falling: false, constants: false },
    Attempt::Functions { falling: true, constants: false },
    Attempt::Functions { falling: false, constants: true },
];

/// All that is known of a batch while its clauses are derived. Lines have numbers: the bounds come first, then
/// definitions, then the lines of each clause.
struct BatchDerivation<'b> {
    batch: &'b Batch,
    found: Vec<Option<Meaning>>,
    /// The definition of a literal, and that literal.
    definitions: Vec<(Inequality, u32)>,
    /// The numbers of the two definitions of each variable's meaning.
    sides: Vec<[Option<InequalityNumber>; 2]>,
    sum: LineSum,
    values: Vec<i8>,
    /// The literals, of an auxiliary and of the input, that say on which side of a bound a sum is: of several bounds,
    /// none has an auxiliary of its own.
    few: Vec<(u32, u32)>,
    /// `None` once there is too much to look through.
    search: Option<DerivationSearch>,
    most: (usize, usize),
    steps: Vec<ClauseDerivation>,
}

/// The literals that a search may look through, and the lemmas that it may learn for one clause, where meanings derive
/// most clauses, and where they derive none.
const SHORT: [(usize, usize); 2] = [(20_000, 128), (60_000, 2_000)];

impl<'b> BatchDerivation<'b> {
    /// A derivation of each clause, or the first clause that has none.
    fn new(
        batch: &'b Batch,
        reached: &LazyCell<Option<[Reached; 2]>, impl FnOnce() -> Option<[Reached; 2]>>,
        attempt: Attempt,
        effort: &mut DerivationEffort<'_>,
    ) -> Result<Self, Refused> {
        let (found, n_vars, definitions, most) = match attempt {
            Attempt::Sums { falling } => {
                let reached = reached.as_ref().ok_or(Refused::Sums)?;
                (meanings(batch, reached, falling), batch.n_vars(), Vec::new(), SHORT[0])
            }
            Attempt::Functions { falling, constants } => {
                let (n_vars, definitions) = functions(batch, falling, constants);
                (vec![None; batch.n_vars()], n_vars, definitions, SHORT[1])
            }
        };
        let is_defined =
            |aux: u32| found[aux as usize].is_some() || definitions.iter().any(|&(_, lit): &(_, u32)| var(lit) == aux);
        let few = match batch.few[..] {
            [few] => {
                let own = batch.auxiliaries.iter().find(|&&aux| !is_defined(aux) && aux != var(few));
                vec![(own.map_or(few, |&aux| 2 * aux), few)]
            }
            ref several => several.iter().map(|&few| (few, few)).collect(),
        };
        let mut plan = Self {
            batch,
            sides: vec![[None; 2]; batch.n_vars()],
            found,
            definitions: Vec::new(),
            sum: LineSum::new(batch.n_vars()),
            values: vec![0; batch.n_vars()],
            few,
            search: Some(DerivationSearch::new(n_vars)),
            most,
            steps: Vec::new(),
        };
        batch.bounds.iter().for_each(|bound| plan.know(|| bound.inequality()));
        plan.define(definitions);
        for (clause, _) in batch.clauses() {
            if !effort.goes_on() {
                return Err(Refused::Interrupted);
            }
            let step = plan.step(clause).map(ClauseDerivation::Sum).or_else(|| plan.cases(clause));
            let step = match step {
                Some(step) => {
                    plan.know(|| Inequality::clause(clause));
                    step
                }
                None => {
                    let lemmas = plan.search.as_mut().and_then(|search| search.derive(clause, plan.most.1, effort));
                    let global = || clause.iter().map(|&lit| batch.global(lit)).collect();
                    ClauseDerivation::Lemmas(lemmas.ok_or_else(|| Refused::Clause(global()))?)
                }
            };
            plan.steps.push(step);
        }
        Ok(plan)
    }

    /// Lets the search know one more line.
    fn know(&mut self, inequality: impl FnOnce() -> Inequality) {
        let Some(search) = &mut self.search else { return };
        search.add(inequality());
        if search.size() > self.most.0 {
            self.search = None;
        }
    }

    /// Notes these definitions, those of meanings, and that two literals say on which side of a bound a sum is.
    fn define(&mut self, definitions: Vec<(Inequality, u32)>) {
        let batch = self.batch;
        self.definitions = definitions;
        for &aux in &batch.auxiliaries {
            let Some(meaning) = &self.found[aux as usize] else { continue };
            for side in [0, 1] {
                let definition = meaning.inequality(side);
                // What always holds is no line.
                if definition.0.degree > 0 {
                    self.sides[aux as usize][side] =
                        Some((batch.bounds.len() + self.definitions.len()) as InequalityNumber);
                    self.definitions.push(definition);
                }
            }
        }
        if let Some(&(own, few)) = self.few.iter().find(|(own, few)| own != few) {
            self.definitions.push((Inequality::clause(&[negated(own), few]), negated(own)));
            self.definitions.push((Inequality::clause(&[own, negated(few)]), own));
        }
        let all = std::mem::take(&mut self.definitions);
        all.iter().for_each(|(inequality, _)| self.know(|| inequality.clone()));
        self.definitions = all;
    }

    /// A clause that contradicts one sum: of nothing but a bound, of all meanings, of one of them, or of all but one.
    fn step(&mut self, clause: &[u32]) -> Option<Vec<(InequalityNumber, i128)>> {
        let Self { batch, found, sum, values, sides, .. } = self;
        clause.iter().for_each(|&lit| values[var(lit) as usize] = if lit & 1 == 1 { 1 } else { -1 });
        let usable = |bound: &BatchInequality| bound.guards.iter().all(|guard| clause.contains(guard));
        let usable: Vec<(usize, &BatchInequality)> =
            batch.bounds.iter().enumerate().filter(|(_, bound)| usable(bound)).collect();
        let with_meaning: Vec<u32> = clause.iter().copied().filter(|&lit| found[var(lit) as usize].is_some()).collect();
        let mut choices = vec![Vec::new(), with_meaning.clone()];
        if with_meaning.len() > 1 {
            choices.extend(with_meaning.iter().map(|&one| vec![one]));
            let others = |one| with_meaning.iter().copied().filter(|&other| other != one).collect::<Vec<u32>>();
            choices.extend(with_meaning.iter().filter(|_| with_meaning.len() > 2).map(|&one| others(one)));
        }
        let parts = choices.into_iter().find_map(|meanings| {
            sum.clear();
            let mut parts = Vec::new();
            for &lit in &meanings {
                if let Some(Meaning { rising, coefficients, degree }) = &found[var(lit) as usize] {
                    let side = usize::from(negated(lit) != *rising);
                    if side == 0 {
                        sum.add(coefficients, *degree, 1);
                    } else {
                        sum.add(coefficients, degree - 1, -1);
                    }
                    parts.extend(sides[var(lit) as usize][side].map(|line| (line, 1)));
                }
            }
            let with = |&(at, bound): &(usize, &BatchInequality)| {
                let found =
                    sum.factors(bound).into_iter().find(|&factor| sum.contradicts(values, Some((bound, factor))));
                Some(Some((at as InequalityNumber, found?)))
            };
            let bound = if sum.contradicts(values, None) { Some(None) } else { usable.iter().find_map(with) };
            parts.extend(bound?);
            Some(parts)
        });
        clause.iter().for_each(|&lit| values[var(lit) as usize] = 0);
        parts
    }

    /// A clause that follows on either side of a bound, or on the one that it speaks of.
    fn cases(&mut self, clause: &[u32]) -> Option<ClauseDerivation> {
        (0..self.few.len()).find_map(|at| self.cases_of(self.few[at], clause)).map(ClauseDerivation::Cases)
    }

    fn cases_of(&mut self, (own, few): (u32, u32), clause: &[u32]) -> Option<Vec<DerivationCase>> {
        let mut cases = Vec::new();
        for side in [0, 1] {
            // The auxiliary says the same as the literal of the input.
            if own != few && clause.contains(&negated(own ^ side)) {
                continue;
            }
            let longer: Vec<u32> = clause.iter().copied().chain([few ^ side]).collect();
            cases.push((few ^ side, self.step(&longer)?));
        }
        Some(cases)
    }
}

/// The first attempt at a batch in which all of its clauses follow, `known` before all others, and its derivation.
fn plan<'b>(
    batch: &'b Batch,
    known: Option<Attempt>,
    effort: DerivationEffort<'_>,
) -> Result<(BatchDerivation<'b>, Attempt), Refused> {
    let mut refused = None;
    let reached = LazyCell::new(|| Reached::both(batch, &|| effort.goes_on()));
    let mut left = effort;
    for attempt in known.into_iter().chain(ATTEMPTS) {
        match BatchDerivation::new(batch, &reached, attempt, &mut left) {
            Ok(plan) => return Ok((plan, attempt)),
            Err(why) => drop(refused.get_or_insert(why)),
        }
        if !left.renew() {
            return Err(Refused::Interrupted);
        }
    }
    Err(refused.unwrap_or(Refused::Sums))
}

/// True if a batch of this size may have a derivation: each auxiliary stands for a sum of an input at least.
pub(crate) const fn is_worth_an_attempt(size: &Size) -> bool {
    size.vars <= MOST as u64
}

/// The attempt in which all clauses of a batch can be derived, for [`derive()`], if there is one.
pub(crate) fn follows(batch: &Batch, effort: DerivationEffort<'_>) -> Result<Attempt, Refused> {
    plan(batch, None, effort).map(|(_, attempt)| attempt)
}

/// Writes what a batch of clauses means, and derives each of them, in the attempt that is `known` to do: its number is
/// handed to `derived`. The first clause that does not follow so ends it, before anything is written.
pub(crate) fn derive<W: Write>(
    batch: &Batch,
    known: Option<Attempt>,
    effort: DerivationEffort<'_>,
    lines: &mut Lines<W>,
    mut derived: impl FnMut(Id),
) -> io::Result<Result<(), Refused>> {
    let plan = match plan(batch, known, effort) {
        Ok((plan, _)) => plan,
        Err(refused) => return Ok(Err(refused)),
    };
    let mut writer = DerivationWriter { plan: &plan, lines, ids: batch.bounds.iter().map(|bound| bound.id).collect() };
    for (Inequality { terms, degree }, witness) in &plan.definitions {
        let terms = terms.iter().map(|&(lit, weight)| (weight.cast_unsigned(), batch.global(lit)));
        let id = writer.lines.red(terms, degree.cast_unsigned(), batch.global(*witness))?;
        writer.ids.push(id);
    }
    let mut own = writer.ids[batch.bounds.len()..].to_vec();
    for ((clause, _), step) in batch.clauses().zip(&plan.steps) {
        if !effort.goes_on() {
            return Ok(Err(Refused::Interrupted));
        }
        let before = writer.ids.len();
        let id = writer.write(clause, step)?;
        own.extend_from_slice(&writer.ids[before..]);
        writer.ids.push(id);
        derived(id);
    }
    lines.list("del id", &own)?;
    Ok(Ok(()))
}

/// Derivations on their way to text.
struct DerivationWriter<'p, 'b, W> {
    plan: &'p BatchDerivation<'b>,
    lines: &'p mut Lines<W>,
    /// By number.
    ids: Vec<Id>,
}

impl<W: Write> DerivationWriter<'_, '_, W> {
    /// Derives a clause; what other lines it leaves have numbers then.
    fn write(&mut self, clause: &[u32], step: &ClauseDerivation) -> io::Result<Id> {
        let batch = self.plan.batch;
        let global = |clause: &[u32]| clause.iter().map(|&lit| batch.global(lit)).collect::<Vec<Lit>>();
        match step {
            ClauseDerivation::Sum(parts) => self.sum(&global(clause), parts),
            ClauseDerivation::Cases(cases) => {
                let mut used = Vec::new();
                for (lit, parts) in cases {
                    let longer: Vec<u32> = clause.iter().copied().chain([*lit]).collect();
                    used.push(self.sum(&global(&longer), parts)?);
                }
                let cases = used.len();
                if self.plan.few.iter().any(|(own, few)| own != few) {
                    let end = batch.bounds.len() + self.plan.definitions.len();
                    used.extend_from_slice(&self.ids[end - 2..end]);
                }
                let id = self.lines.rup(&global(clause), &used)?;
                self.lines.list("del id", &used[..cases])?;
                Ok(id)
            }
            ClauseDerivation::Lemmas(lemmas) => {
                let mut last = 0;
                for (at, (clause, used)) in lemmas.iter().enumerate() {
                    self.ids.extend((at > 0).then_some(last));
                    let used: Vec<Id> = used.iter().map(|&number| self.ids[number as usize]).collect();
                    last = self.lines.rup(&global(clause), &used)?;
                }
                Ok(last)
            }
        }
    }

    /// Derives a clause by a sum of lines.
    fn sum(&mut self, clause: &[Lit], parts: &[(InequalityNumber, i128)]) -> io::Result<Id> {
        let parts: Vec<(Id, u128)> =
            parts.iter().map(|&(number, factor)| (self.ids[number as usize], factor.cast_unsigned())).collect();
        if let &[(line, 1)] = &parts[..] {
            return self.lines.rup(clause, &[line]);
        }
        let sum = self.lines.pol(&parts, &[])?;
        let id = self.lines.rup(clause, &[sum])?;
        self.lines.list("del id", &[sum])?;
        Ok(id)
    }
}
