//! Derivations: each clause of a batch is a sum of what its negated literals mean, and of the constraint.

use std::borrow::Cow;
use std::cell::LazyCell;
use std::io;

use rustc_hash::FxHashMap;
use rustsat::types::Lit;

use super::adders::{AdderLines, Quotient, adders};
use super::batch::{Batch, BatchInequality, BatchVar, negated, var};
use super::function::functions;
use super::levels::levels;
use super::line_sum::{LineSum, SortedBound};
use super::lines::{Id, Lines};
use super::meaning::{Fingerprint, InputSum, MOST, Meaning, Reached, meanings};
use super::search::{DerivationEffort, DerivationSearch, Inequality, InequalityNumber, Lemma};
use super::sequences::{ClauseContext, Derived, Sequences};
use crate::size::Size;
use crate::sort;

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
    Sum(ClauseSum),
    /// Sums derive it with one more literal: each of these.
    Cases(Vec<DerivationCase>),
    /// Unit propagation derives these one after the other, the clause last.
    Lemmas(Vec<Lemma>),
}

/// A sum of lines.
struct ClauseSum {
    lines: Box<[InequalityNumber]>,
    /// How many times the last line is taken.
    factor: i128,
    /// Nothing but the literals of the clause is left, so that the sum is the clause once it is saturated.
    is_clause: bool,
}

/// A literal, and lines whose sum derives a clause with it.
type DerivationCase = (u32, ClauseSum);

/// The kind of meaning that auxiliaries are taken to have.
#[derive(Clone, Copy)]
pub(crate) enum Attempt {
    /// Sums of inputs, from true ones first, or from false ones first.
    Sums { falling: bool },
    /// Digits of sums.
    Adders,
    /// Sums of inputs, and of others of them: elements of sequences.
    Sequences,
    /// Functions, said by the clauses that make them true, or false.
    Functions { falling: bool, constants: bool },
}

/// The attempts at a batch, in this order.
const ATTEMPTS: [Attempt; 7] = [
    Attempt::Adders,
    Attempt::Sums { falling: false },
    Attempt::Sums { falling: true },
    Attempt::Sequences,
    Attempt::Functions { falling: false, constants: false },
    Attempt::Functions { falling: true, constants: false },
    Attempt::Functions { falling: false, constants: true },
];

/// A line that defines an auxiliary.
enum Definition {
    /// The line, and the literal that makes it true.
    Line(Inequality, u32),
    /// A side of the meaning of this auxiliary: as a line it is long, and made when it is needed.
    Meaning(BatchVar, usize),
}

impl Definition {
    /// The line, and the literal that makes it true.
    fn line(&self, found: &[Option<Meaning>]) -> Option<(Cow<'_, Inequality>, u32)> {
        match *self {
            Self::Line(ref line, witness) => Some((Cow::Borrowed(line), witness)),
            Self::Meaning(aux, side) => {
                let (line, witness) = found[aux as usize].as_ref()?.inequality(side);
                Some((Cow::Owned(line), witness))
            }
        }
    }
}

/// All that is known of a batch while its clauses are derived. Lines have numbers: the bounds come first, then
/// definitions, then the lines of each clause.
struct BatchDerivation<'b> {
    batch: &'b Batch,
    found: Vec<Option<Meaning>>,
    definitions: Vec<Definition>,
    /// Lines that come after the definitions.
    quotients: Vec<Quotient>,
    sequences: Option<Sequences>,
    /// The numbers of the two definitions of each variable's meaning.
    sides: Vec<[Option<InequalityNumber>; 2]>,
    sum: LineSum,
    values: Vec<i8>,
    /// The literals, of an auxiliary and of the input, that say on which side of a bound a sum is: of several bounds,
    /// none has an auxiliary of its own.
    few: Vec<(u32, u32)>,
    bounds: Vec<SortedBound>,
    /// The greatest values of sums of meanings, and of a bound or none.
    greatest: FxHashMap<(Fingerprint, Option<InequalityNumber>), i128>,
    /// `None` before it is needed.
    search: Option<DerivationSearch>,
    /// The number of variables with those of the proof alone.
    n_vars: usize,
    most: (usize, usize),
    steps: Vec<ClauseDerivation>,
}

/// The literals that a search may look through, and the lemmas that it may learn for one clause, where meanings derive
/// most clauses, and where they derive none.
const SHORT: [(usize, usize); 2] = [(20_000, 128), (60_000, 2_000)];

/// The literals of a clause times the bounds, at most, of which a sum is tried: counts have few bounds, and expressions
/// of many operations have many.
const MOST_CHOICES: usize = 1 << 20;

impl<'b> BatchDerivation<'b> {
    /// A derivation of each clause, or the first clause that has none.
    fn new(
        batch: &'b Batch,
        reached: &LazyCell<Option<[Reached; 2]>, impl FnOnce() -> Option<[Reached; 2]>>,
        attempt: Attempt,
        effort: &mut DerivationEffort<'_>,
    ) -> Result<Self, Refused> {
        let mut sequences = None;
        let (found, n_vars, definitions, most) = match attempt {
            Attempt::Sums { falling } => {
                let reached = reached.as_ref().ok_or(Refused::Sums)?;
                (meanings(batch, reached, falling), batch.n_vars(), Vec::new(), SHORT[0])
            }
            Attempt::Sequences => {
                let (found, own) = levels(batch, &|| effort.goes_on()).ok_or(Refused::Sums)?;
                sequences = Some(own);
                let n_vars = found.len();
                (found, n_vars, Vec::new(), SHORT[0])
            }
            Attempt::Adders => (vec![None; batch.n_vars()], batch.n_vars(), Vec::new(), SHORT[0]),
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
        let sorted = |bound: &BatchInequality| SortedBound {
            sum: InputSum::new(bound.coefficients.clone()),
            degree: bound.degree,
        };
        let mut plan = Self {
            batch,
            sides: vec![[None; 2]; n_vars],
            found,
            definitions: Vec::new(),
            quotients: Vec::new(),
            sequences,
            sum: LineSum::new(n_vars),
            values: vec![0; n_vars],
            few,
            bounds: batch.bounds.iter().map(sorted).collect(),
            greatest: FxHashMap::default(),
            search: None,
            n_vars,
            most,
            steps: Vec::new(),
        };
        if let Attempt::Adders = attempt {
            plan.add_up(adders(batch, &|| effort.goes_on()).ok_or(Refused::Sums)?, effort)?;
            return Ok(plan);
        }
        plan.define(definitions);
        for (clause, _) in batch.clauses() {
            if !effort.goes_on() {
                return Err(Refused::Interrupted);
            }
            let step = plan.step(clause).map(ClauseDerivation::Sum).or_else(|| plan.cases(clause));
            let step = match step {
                Some(step) => {
                    if let Some(search) = &mut plan.search {
                        search.add(Inequality::clause(clause));
                    }
                    step
                }
                None => {
                    let most = plan.most.1;
                    let lemmas = plan.search().and_then(|search| search.derive(clause, most, effort));
                    let global = || clause.iter().map(|&lit| batch.global(lit)).collect();
                    ClauseDerivation::Lemmas(lemmas.ok_or_else(|| Refused::Clause(global()))?)
                }
            };
            plan.steps.push(step);
            if plan.sequences.as_mut().is_some_and(|sequences| !effort.spend(sequences.work())) {
                return Err(Refused::Sums);
            }
        }
        // Lines of sequences come before those of clauses, and a search knows them not.
        let (first, more) = ((batch.bounds.len() + plan.definitions.len()) as u32, plan.quotients.len() as u32);
        let lemmas = plan.steps.iter_mut().flat_map(|step| match step {
            ClauseDerivation::Lemmas(lemmas) => &mut lemmas[..],
            _ => &mut [],
        });
        let numbers = lemmas.flat_map(|(_, used)| used).filter(|number| **number >= first);
        numbers.for_each(|number| *number += more);
        Ok(plan)
    }

    /// Takes clauses of adders from their lines, and searches for others.
    fn add_up(&mut self, adders: AdderLines, effort: &mut DerivationEffort<'_>) -> Result<(), Refused> {
        let AdderLines { definitions, quotients, hints, mut search, mut numbers } = adders;
        let mut next = (self.batch.bounds.len() + definitions.len() + quotients.len()) as InequalityNumber;
        self.definitions = definitions.into_iter().map(|(line, witness)| Definition::Line(line, witness)).collect();
        self.quotients = quotients;
        for ((clause, _), hints) in self.batch.clauses().zip(hints) {
            if !effort.goes_on() {
                return Err(Refused::Interrupted);
            }
            let mut lemmas = vec![(clause.to_vec(), hints)];
            if lemmas[0].1.is_empty() {
                let global = || clause.iter().map(|&lit| self.batch.global(lit)).collect();
                lemmas = search.derive(clause, self.most.1, effort).ok_or_else(|| Refused::Clause(global()))?;
                for (_, used) in &mut lemmas {
                    used.iter_mut().for_each(|used| *used = numbers[*used as usize]);
                    numbers.push(next);
                    next += 1;
                }
            } else {
                next += 1;
            }
            self.steps.push(ClauseDerivation::Lemmas(lemmas));
        }
        Ok(())
    }

    /// A search that knows all lines so far; `None` where there is too much to look through.
    fn search(&mut self) -> Option<&mut DerivationSearch> {
        let Self { batch, found, definitions, search, n_vars, most, steps, .. } = self;
        if search.is_none() {
            let mut own = DerivationSearch::new(*n_vars);
            let bounds = batch.bounds.iter().map(BatchInequality::inequality);
            let clauses = batch.clauses().take(steps.len()).map(|(clause, _)| Inequality::clause(clause));
            let definitions = definitions.iter().filter_map(|definition| definition.line(found));
            for one in bounds.chain(definitions.map(|(line, _)| line.into_owned())).chain(clauses) {
                own.add(one);
                if own.size() > most.0 {
                    return None;
                }
            }
            *search = Some(own);
        }
        search.as_mut().filter(|search| search.size() <= most.0)
    }

    /// Notes these definitions, those of meanings, and that two literals say on which side of a bound a sum is.
    fn define(&mut self, definitions: Vec<(Inequality, u32)>) {
        let batch = self.batch;
        self.definitions = definitions.into_iter().map(|(line, witness)| Definition::Line(line, witness)).collect();
        // What counts others is defined after them.
        let mut auxiliaries = batch.auxiliaries.clone();
        auxiliaries.extend(batch.n_vars() as BatchVar..self.found.len() as BatchVar);
        if let Some(sequences) = &self.sequences {
            sort::by_key(&mut auxiliaries, |&aux| sequences.level(aux).into());
        }
        for &aux in &auxiliaries {
            let Some(meaning) = &self.found[aux as usize] else { continue };
            for side in [0, 1] {
                // What always holds is no line.
                if meaning.is_line(side) {
                    self.sides[aux as usize][side] =
                        Some((batch.bounds.len() + self.definitions.len()) as InequalityNumber);
                    self.definitions.push(Definition::Meaning(aux, side));
                }
            }
        }
        if let Some(&(own, few)) = self.few.iter().find(|(own, few)| own != few) {
            self.definitions.push(Definition::Line(Inequality::clause(&[negated(own), few]), negated(own)));
            self.definitions.push(Definition::Line(Inequality::clause(&[own, negated(few)]), own));
        }
    }

    /// A clause that contradicts the sum of all meanings of its negated literals, and of a bound or none: each at its
    /// greatest, or because nothing is left of the sum but literals of the clause, which fingerprints tell. With `sums`
    /// the greatest values of sums are looked up, or added up once.
    fn quick_step(&mut self, clause: &[u32], sums: bool) -> Option<ClauseSum> {
        if clause.len() * self.bounds.len() > MOST_CHOICES {
            return None;
        }
        let Self { batch, found, sides, sum: scratch, bounds, greatest: known_greatest, .. } = self;
        let meanings = || {
            let of = |&lit: &u32| Some((lit, found[var(lit) as usize].as_ref()?));
            clause
                .iter()
                .filter_map(of)
                .map(|(lit, meaning)| (lit, meaning, usize::from(negated(lit) != meaning.rising)))
        };
        let (mut known, mut greatest, mut least, mut are_lines) = (Fingerprint::default(), 0, 0, true);
        for (lit, Meaning { sum, degree, .. }, side) in meanings() {
            known.add(sum.fingerprint, if side == 0 { 1 } else { -1 });
            greatest += if side == 0 { sum.range[1] } else { -sum.range[0] };
            least += if side == 0 { *degree } else { 1 - degree };
            are_lines &= sides[var(lit) as usize][side].is_some();
        }
        let bounds = batch.bounds.iter().zip(&*bounds).zip(0..);
        let usable = bounds.filter(|((bound, _), _)| bound.guards.iter().all(|guard| clause.contains(guard)));
        std::iter::once(None).chain(usable.map(Some)).find_map(|bound| {
            let of_bound = bound.map(|((_, bound), _)| bound);
            let (mut left, mut greatest, mut degree) = (known, greatest, least);
            if let Some(bound) = of_bound {
                left.add(bound.sum.fingerprint, 1);
                greatest += bound.sum.range[1];
                degree += bound.degree;
            }
            if sums {
                let key = (known, bound.map(|(_, at)| at));
                greatest = *known_greatest.entry(key).or_insert_with(|| {
                    scratch.clear();
                    let sides = meanings().map(|(_, meaning, side)| (meaning, 1 - 2 * side as i128));
                    sides.for_each(|(meaning, sign)| scratch.add(meaning.sum.terms(), 0, sign));
                    scratch.greatest(of_bound)
                });
            }
            let (mut value, mut is_clause) = (0, are_lines);
            for &lit in clause.iter().filter(|&&lit| found[var(lit) as usize].is_none()) {
                let mut own = 0;
                let mut add = |coefficient: i128| {
                    own += coefficient;
                    greatest -= if sums { 0 } else { coefficient.max(0) };
                };
                of_bound.into_iter().for_each(|bound| add(bound.sum.coefficient(var(lit))));
                meanings().for_each(|(_, meaning, side)| {
                    let of = meaning.sum.coefficient(var(lit));
                    add(if side == 0 { of } else { -of });
                });
                left.add(Fingerprint::of(var(lit)), -own);
                value += own * i128::from(lit & 1);
                greatest += own * i128::from(lit & 1) - if sums { own.max(0) } else { 0 };
                let is_guard = || bound.is_some_and(|((bound, _), _)| bound.guards.contains(&lit));
                is_clause &= if own == 0 { is_guard() } else { (own > 0) == (lit & 1 == 0) };
            }
            let is_exact = left == Fingerprint::default() && value < degree;
            (is_exact || greatest < degree).then(|| {
                let lines = meanings().filter_map(|(lit, _, side)| sides[var(lit) as usize][side]);
                let lines = lines.chain(bound.map(|(_, at)| at)).collect();
                ClauseSum { lines, factor: 1, is_clause: is_exact && is_clause && degree == value + 1 }
            })
        })
    }

    /// A clause that contradicts one sum: of nothing but a bound, of all meanings, of one of them, or of all but one.
    fn step(&mut self, clause: &[u32]) -> Option<ClauseSum> {
        if let Some(step) = self.quick_step(clause, false).or_else(|| self.quick_step(clause, true)) {
            return Some(step);
        }
        let Self { batch, bounds, found, sum, values, sides, definitions, sequences, quotients, .. } = self;
        clause.iter().for_each(|&lit| values[var(lit) as usize] = if lit & 1 == 1 { 1 } else { -1 });
        let usable = |bound: &BatchInequality| bound.guards.iter().all(|guard| clause.contains(guard));
        let usable: Vec<(usize, &SortedBound)> = bounds
            .iter()
            .zip(&batch.bounds)
            .enumerate()
            .filter(|(_, (_, bound))| usable(bound))
            .map(|(at, (sorted, _))| (at, sorted))
            .collect();
        let is_few = clause.len() * usable.len() <= MOST_CHOICES;
        let with_meaning: Vec<u32> = clause.iter().copied().filter(|&lit| found[var(lit) as usize].is_some()).collect();
        let is_any = with_meaning.len() > 1;
        let one = with_meaning.iter().filter(|_| is_any).map(|&one| vec![one]);
        let others = |one| with_meaning.iter().copied().filter(|&other| other != one).collect::<Vec<u32>>();
        let all_but_one = with_meaning.iter().filter(|_| with_meaning.len() > 2).map(|&one| others(one));
        let all = [Vec::new(), with_meaning.clone()].into_iter();
        let mut choices = all.chain(one).chain(all_but_one).filter(|_| is_few);
        let meanings = &*found;
        let found = choices.find_map(|own| {
            sum.clear();
            sum.add(clause.iter().map(|&lit| (var(lit), 0)), 0, 0);
            let mut lines = Vec::new();
            for &lit in &own {
                if let Some(Meaning { rising, sum: own, degree }) = &meanings[var(lit) as usize] {
                    let side = usize::from(negated(lit) != *rising);
                    sum.add(own.terms(), degree - side as i128, 1 - 2 * side as i128);
                    lines.extend(sides[var(lit) as usize][side]);
                }
            }
            let with = |&(at, bound): &(usize, &SortedBound)| {
                let mut factors = sum.factors(bound).into_iter();
                let factor = factors.find(|&factor| sum.contradicts(values, Some((bound, factor))))?;
                Some((at as InequalityNumber, factor))
            };
            if sum.contradicts(values, None) {
                return Some((lines, 1));
            }
            let (bound, factor) = usable.iter().find_map(with)?;
            lines.push(bound);
            Some((lines, factor))
        });
        let first = (batch.bounds.len() + definitions.len()) as InequalityNumber;
        let context = ClauseContext { found: meanings, sides, bounds: &usable, first };
        let found = found.or_else(|| {
            Some((sequences.as_mut()?.step(clause, &context, &mut Derived { values, sum, quotients })?, 1))
        });
        clause.iter().for_each(|&lit| values[var(lit) as usize] = 0);
        let (lines, factor) = found?;
        Some(ClauseSum { lines: lines.into(), factor, is_clause: false })
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
    let is_tried = |attempt: &Attempt| {
        effort.has_functions() || !matches!(attempt, Attempt::Functions { .. } | Attempt::Sequences)
    };
    for attempt in known.into_iter().chain(ATTEMPTS.into_iter().filter(is_tried)) {
        match BatchDerivation::new(batch, &reached, attempt, &mut left) {
            Ok(plan) => return Ok((plan, attempt)),
            // That there are no adders is no reason.
            Err(_) if matches!(attempt, Attempt::Adders) => {}
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

/// True if the auxiliaries of a totalizer of `n` literals that counts up to `most` stand for sums that are too long.
pub(crate) fn is_too_long_a_totalizer(n: usize, most: usize) -> bool {
    let nodes = |level: u32| n.div_ceil(1 << level);
    let levels = 0..n.max(1).ilog2() + 1;
    levels.map(|level| n.saturating_mul(nodes(level).min(most.saturating_add(1)))).sum::<usize>() > MOST
}

/// The attempt in which all clauses of a batch can be derived, for [`derive()`], if there is one.
pub(crate) fn follows(batch: &Batch, effort: DerivationEffort<'_>) -> Result<Attempt, Refused> {
    plan(batch, None, effort).map(|(_, attempt)| attempt)
}

/// Writes what a batch of clauses means, and derives each of them, in the attempt that is `known` to do: its number is
/// handed to `derived`. The first clause that does not follow so ends it, before anything is written.
pub(crate) fn derive(
    batch: &Batch,
    known: Option<Attempt>,
    effort: DerivationEffort<'_>,
    lines: &mut Lines<'_>,
    mut derived: impl FnMut(Id),
) -> io::Result<Result<(), Refused>> {
    let plan = match plan(batch, known, effort) {
        Ok((plan, _)) => plan,
        Err(refused) => return Ok(Err(refused)),
    };
    let mut writer = DerivationWriter { plan: &plan, lines, ids: batch.bounds.iter().map(|bound| bound.id).collect() };
    for (line, witness) in plan.definitions.iter().filter_map(|definition| definition.line(&plan.found)) {
        let terms = line.terms.iter().map(|&(lit, weight)| (weight.cast_unsigned(), batch.global(lit)));
        let id = writer.lines.red(terms, line.degree.cast_unsigned(), batch.global(witness))?;
        writer.ids.push(id);
    }
    for Quotient { parts, divisor, clause } in &plan.quotients {
        let parts = parts.iter().map(|&(number, factor)| (writer.ids[number as usize], factor.cast_unsigned()));
        let mut id = writer.lines.quotient(&together(parts), *divisor)?;
        if !clause.is_empty() {
            let sum = id;
            id = writer.lines.rup(&clause.iter().map(|&lit| batch.global(lit)).collect::<Vec<Lit>>(), &[sum])?;
            writer.lines.list("del id", &[sum])?;
        }
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
struct DerivationWriter<'p, 'b, 'w> {
    plan: &'p BatchDerivation<'b>,
    lines: &'p mut Lines<'w>,
    /// By number.
    ids: Vec<Id>,
}

impl DerivationWriter<'_, '_, '_> {
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
    fn sum(&mut self, clause: &[Lit], of: &ClauseSum) -> io::Result<Id> {
        let mut parts = together(of.lines.iter().map(|&number| (self.ids[number as usize], 1)));
        parts.last_mut().into_iter().for_each(|last| last.1 *= of.factor.cast_unsigned());
        if of.is_clause {
            return self.lines.saturated(&parts);
        }
        if let &[(line, 1)] = &parts[..] {
            return self.lines.rup(clause, &[line]);
        }
        let sum = self.lines.pol(&parts, &[])?;
        let id = self.lines.rup(clause, &[sum])?;
        self.lines.list("del id", &[sum])?;
        Ok(id)
    }
}

/// Lines, each once, where those that are the same follow one another.
fn together(parts: impl Iterator<Item = (Id, u128)>) -> Vec<(Id, u128)> {
    let mut all: Vec<(Id, u128)> = Vec::new();
    for (id, factor) in parts {
        match all.last_mut() {
            Some(last) if last.0 == id => last.1 += factor,
            _ => all.push((id, factor)),
        }
    }
    all
}
