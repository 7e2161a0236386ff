//! Sequences: derivations of clauses about merges of sorted sequences, by what [`super::levels`] found that auxiliaries
//! count.
//!
//! A clause follows from the sum of the lines of its literals and of lines of the sequences that they count:
//!
//! * the *ladder*: each element implies the one before it;
//! * *no more* (and *no fewer*) elements are true than the sum that the sequence counts;
//! * *lemmas*: elements that literals of the clause force, which are derived in the same way before.
//!
//! With d, that three elements at odd places of two sequences are true, come one element less at even places of each,
//! by their ladders, and so four of all; these are no more than the inputs: a clause from d to *four inputs are true*.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::adders::Quotient;
use super::batch::{BatchVar, negated, var};
use super::line_sum::{LineSum, SortedBound};
use super::meaning::{InputSum, Meaning};
use super::search::InequalityNumber;

/// How often the line of a literal is taken, if not once.
const MULTIPLES: [usize; 6] = [2, 3, 4, 8, 16, 32];

/// The most lines of a sum, with repetitions.
const MOST_LINES: usize = 1 << 18;

/// Outputs that count the same, in the order of what they say.
pub(super) struct Sequence {
    pub(super) level: u8,
    pub(super) sum: Rc<InputSum>,
    /// The literals that are true if the sum is at least so much, from the least on.
    pub(super) elements: Vec<u32>,
    /// The counts that they say, above the least value of the sum.
    counts: Vec<i128>,
    /// That an element implies the one before it.
    ladder: Vec<Option<InequalityNumber>>,
    /// No more elements than the sum says are true, and no fewer.
    bounds: [Option<InequalityNumber>; 2],
}

/// A variable of the proof: this literal is true where these are.
pub(super) struct Conjunction {
    pub(super) lit: u32,
    pub(super) literals: Vec<u32>,
}

/// A literal that is true where all of these are false, says a line: that of a clause.
struct Forced {
    lit: u32,
    with: Vec<u32>,
    line: InequalityNumber,
    /// It says what all of these say, for those that count it.
    is_conjunction: bool,
}

/// The sequences of a batch.
pub(super) struct Sequences {
    /// By variable: those of level 0 are inputs, and each counts some of lower levels.
    levels: Vec<u8>,
    /// By variable, its sequence and its place there.
    places: Vec<Option<(u32, u32)>>,
    /// Those of a higher level come later.
    all: Vec<Sequence>,
    conjunctions: Vec<Conjunction>,
    /// Conjunctions by the first of their literals.
    by_first: FxHashMap<u32, Vec<u32>>,
    /// The lines of clauses that were looked for, if there are any.
    lemmas: FxHashMap<Vec<u32>, Option<InequalityNumber>>,
    /// Terms that were added up.
    work: usize,
}

/// All that the derivation of a clause looks at.
pub(super) struct ClauseContext<'d> {
    pub(super) found: &'d [Option<Meaning>],
    pub(super) sides: &'d [[Option<InequalityNumber>; 2]],
    /// The bounds that hold where no literal of the clause does, and their numbers.
    pub(super) bounds: &'d [(usize, &'d SortedBound)],
    /// The number of the first quotient.
    pub(super) first: InequalityNumber,
}

/// The workspace that derivations of clauses share.
pub(super) struct Derived<'d> {
    /// The values of the clause's literals where all are false: 1, -1 for false, 0 for any.
    pub(super) values: &'d mut [i8],
    pub(super) sum: &'d mut LineSum,
    pub(super) quotients: &'d mut Vec<Quotient>,
}

impl Sequences {
    pub(super) fn new(levels: Vec<u8>, sequences: Vec<Sequence>, conjunctions: Vec<Conjunction>) -> Self {
        let mut places = vec![None; levels.len()];
        for (at, sequence) in (0..).zip(&sequences) {
            let elements = sequence.elements.iter().zip(0..);
            elements.for_each(|(&lit, place)| places[var(lit) as usize] = Some((at, place)));
        }
        let mut by_first: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for (at, conjunction) in (0..).zip(&conjunctions) {
            by_first.entry(conjunction.literals[0]).or_default().push(at);
        }
        Self { levels, places, all: sequences, conjunctions, by_first, lemmas: FxHashMap::default(), work: 0 }
    }

    /// The level of a variable: what it counts is of lower levels.
    pub(super) fn level(&self, var: BatchVar) -> u8 {
        self.levels[var as usize]
    }

    /// The terms that were added up since this was asked.
    pub(super) fn work(&mut self) -> usize {
        std::mem::take(&mut self.work)
    }

    /// Lines whose sum a clause contradicts, some of them more than once.
    pub(super) fn step(
        &mut self,
        clause: &[u32],
        context: &ClauseContext<'_>,
        derived: &mut Derived<'_>,
    ) -> Option<Vec<InequalityNumber>> {
        let is_true = |lit: &u32| clause.contains(&negated(*lit));
        let of_first = clause.iter().filter_map(|&lit| self.by_first.get(&negated(lit))).flatten();
        let conjunctions: Vec<(u32, Vec<u32>)> = of_first
            .map(|&at| &self.conjunctions[at as usize])
            .filter(|one| one.literals.iter().all(is_true) && !clause.iter().any(|&lit| var(lit) == var(one.lit)))
            .map(|one| (one.lit, one.literals.iter().map(|&lit| negated(lit)).collect()))
            .collect();
        let mut forced = Vec::new();
        for (lit, with) in conjunctions {
            let one = self.force(lit, with, context, derived);
            forced.extend(one.map(|one| Forced { is_conjunction: true, ..one }));
        }
        self.sum_of(clause, &forced, context, derived).or_else(|| {
            let before = forced.len();
            for (lit, with) in self.implied(clause, context) {
                forced.extend(self.force(lit, vec![with], context, derived));
            }
            let implied = forced.len() > before;
            if implied && let Some(found) = self.sum_of(clause, &forced, context, derived) {
                return Some(found);
            }
            // A conjunction speaks for its parts.
            forced.into_iter().filter(|one| one.with.len() > 1).find_map(|one| {
                let rest = clause.iter().copied().filter(|lit| !one.with.contains(lit));
                let mut shorter: Vec<u32> = std::iter::once(negated(one.lit)).chain(rest).collect();
                let last = shorter.pop().filter(|_| shorter.len() < clause.len())?;
                let line = self.force(last, shorter, context, derived)?.line;
                Some(vec![one.line, line])
            })
        })
    }

    /// Elements that literals of a clause make true (or false): where so many of those that are counted are true that
    /// those of no other sequence suffice, and where more of one sequence would be too many. With the literals.
    fn implied(&self, clause: &[u32], context: &ClauseContext<'_>) -> Vec<(u32, u32)> {
        let mut implied = Vec::new();
        for &with in clause {
            let Some(meaning) = &context.found[var(with) as usize] else { continue };
            let mut of: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
            for place in meaning.sum.terms().filter_map(|(var, _)| self.places[var as usize]) {
                of.entry(place.0).or_default().push(place.1);
            }
            let (n, count) =
                (meaning.sum.terms().count(), (meaning.degree - meaning.sum.range[0]).unsigned_abs() as usize);
            let is_reached = negated(with) == meaning.rising;
            for (at, mut places) in of {
                places.sort_unstable();
                let elements = &self.all[at as usize].elements;
                // The number of an element of this sequence.
                let (number, sign) =
                    if is_reached { ((count + places.len()).saturating_sub(n), 0) } else { (count, 1) };
                let place = number.checked_sub(1).and_then(|number| places.get(number));
                implied.extend(place.map(|&place| (elements[place as usize] ^ sign, with)));
            }
        }
        implied.retain(|(lit, _)| !clause.iter().any(|other| var(*other) == var(*lit)));
        implied.sort_unstable();
        implied
    }

    /// The line by which a literal is true where all of a clause are false.
    fn force(
        &mut self,
        lit: u32,
        with: Vec<u32>,
        context: &ClauseContext<'_>,
        derived: &mut Derived<'_>,
    ) -> Option<Forced> {
        let clause: Vec<u32> = with.iter().copied().chain([lit]).collect();
        let known = self.lemmas.get(&clause).copied();
        let line = known.unwrap_or_else(|| {
            self.lemmas.insert(clause.clone(), None);
            let mut values = vec![0; self.levels.len()];
            let Derived { sum, quotients, .. } = derived;
            clause.iter().for_each(|&lit| values[var(lit) as usize] = if lit & 1 == 1 { 1 } else { -1 });
            let lines = self.step(
                &clause,
                &ClauseContext { bounds: &[], ..*context },
                &mut Derived { values: &mut values, sum, quotients },
            )?;
            let parts = lines.into_iter().map(|line| (line, 1)).collect();
            quotients.push(Quotient { parts, divisor: 1, clause: clause.clone() });
            Some(context.first + quotients.len() as InequalityNumber - 1)
        });
        self.lemmas.insert(clause, line);
        Some(Forced { lit, with, line: line?, is_conjunction: false })
    }

    fn sum_of(
        &mut self,
        clause: &[u32],
        forced: &[Forced],
        context: &ClauseContext<'_>,
        derived: &mut Derived<'_>,
    ) -> Option<Vec<InequalityNumber>> {
        let of = |lit: u32| context.found[var(lit) as usize].as_ref();
        let level = |lit: u32| self.levels[var(lit) as usize];
        // An element that others count has a value, and its own line says nothing of it.
        let counts = |var: BatchVar, above: u8| {
            let counts = |&other: &u32| of(other).is_some_and(|meaning| meaning.sum.coefficient(var) != 0);
            clause.iter().any(|other| level(*other) > above && counts(other))
        };
        let is_counted = |&lit: &u32| {
            let is_part = |one: &Forced| one.is_conjunction && one.with.contains(&lit) && counts(var(one.lit), 1);
            counts(var(lit), level(lit)) || forced.iter().any(is_part)
        };
        let speaking: Vec<u32> = clause.iter().copied().filter(|lit| of(*lit).is_some() && !is_counted(lit)).collect();
        let set = |values: &mut [i8], is_set: bool| {
            for lit in forced.iter().map(|one| one.lit) {
                values[var(lit) as usize] = if is_set { 1 - 2 * (lit & 1) as i8 } else { 0 };
            }
        };
        set(derived.values, true);
        let bounds = || std::iter::once(None).chain(context.bounds.iter().map(Some));
        let all = choices(speaking.len()).flat_map(|factors| [(factors.clone(), false), (factors, true)]);
        let all = all.flat_map(|(factors, averages)| bounds().map(move |bound| (factors.clone(), averages, bound)));
        let mut found = None;
        for (factors, averages, bound) in all {
            self.work += derived.sum.touched().count();
            derived.sum.clear();
            derived.sum.add(clause.iter().map(|&lit| (var(lit), 0)), 0, 0);
            let mut lines = Vec::new();
            for (&lit, &factor) in speaking.iter().zip(&factors) {
                let Some(meaning) = of(lit) else { continue };
                let side = usize::from(negated(lit) != meaning.rising);
                let sign = 1 - 2 * side as i128;
                derived.sum.add(meaning.sum.terms(), meaning.degree - side as i128, sign * factor as i128);
                let line = context.sides[var(lit) as usize][side];
                lines.extend(line.into_iter().flat_map(|line| std::iter::repeat_n(line, factor)));
            }
            let known = bound.map(|&(_, bound)| bound);
            if !self.settle(context, known, averages, derived, &mut lines) {
                continue;
            }
            forced.iter().for_each(|one| one.take_out(derived.sum, &mut lines));
            if derived.sum.contradicts(derived.values, known.map(|bound| (bound, 1))) {
                lines.extend(bound.map(|&(at, _)| at as InequalityNumber));
                found = Some(lines);
                break;
            }
        }
        set(derived.values, false);
        found
    }

    /// Adds lines of sequences to a sum, until only inputs and literals of the clause are left: false if some lack.
    fn settle(
        &mut self,
        context: &ClauseContext<'_>,
        bound: Option<&SortedBound>,
        averages: bool,
        derived: &mut Derived<'_>,
        lines: &mut Vec<InequalityNumber>,
    ) -> bool {
        let mut last = u32::MAX;
        loop {
            let sum = &mut *derived.sum;
            let there = sum.touched().filter(|&var| sum.coefficient(var) != 0);
            let touched = there.filter_map(|var| Some(self.places[var as usize]?.0));
            let Some(at) = touched.filter(|&at| at < last).max() else { return true };
            last = at;
            let sequence = &mut self.all[at as usize];
            // As many of what the sequence counts as are there on the other side.
            let first = sequence.sum.terms().next();
            let mut times = first.map_or(0, |(var, sign)| {
                let known = bound.map_or(0, |bound| bound.sum.coefficient(var));
                -sign * (sum.coefficient(var) + known)
            });
            if averages && times == 0 {
                let own = |&lit: &u32| sum.coefficient(var(lit)) * if lit & 1 == 1 { -1 } else { 1 };
                let (all, n) = (sequence.elements.iter().map(own).sum::<i128>(), sequence.elements.len() as i128);
                times = (2 * all + n).div_euclid(2 * n);
            }
            if times.unsigned_abs() > MOST_LINES as u128 {
                return false;
            }
            if times != 0 {
                let side = usize::from(times < 0);
                let Some(line) = sequence.bound(side, context, derived.quotients) else { return false };
                let (coefficients, degree) = sequence.bound_terms(side);
                sum.add(coefficients.into_iter(), degree, times.abs());
                lines.extend(std::iter::repeat_n(line, times.unsigned_abs() as usize));
            }
            if !sequence.smooth(context, derived, lines) {
                return false;
            }
        }
    }
}

/// How often each of the lines of `n` literals is taken: once, one of them more often, or all others twice.
fn choices(n: usize) -> impl Iterator<Item = Vec<usize>> {
    let more = MULTIPLES.into_iter().flat_map(move |times| (0..n).map(move |at| (at, times, 1)));
    let others = (0..n).filter(move |_| n > 2).map(|at| (at, 1, 2));
    let all = std::iter::once((n, 1, 1)).chain(more).chain(others);
    all.map(move |(one, own, others)| (0..n).map(|at| if at == one { own } else { others }).collect())
}

impl Forced {
    /// Takes the literal out of a sum that is greater where it is false.
    fn take_out(&self, sum: &mut LineSum, lines: &mut Vec<InequalityNumber>) {
        let sign = |lit: u32| if lit & 1 == 1 { -1 } else { 1 };
        let times = -sum.coefficient(var(self.lit)) * sign(self.lit);
        if times > 0 {
            let all = || self.with.iter().copied().chain([self.lit]);
            let degree = 1 - all().filter(|&lit| lit & 1 == 1).count() as i128;
            sum.add(all().map(|lit| (var(lit), sign(lit))), degree, times);
            lines.extend(std::iter::repeat_n(self.line, times.unsigned_abs() as usize));
        }
    }
}

impl Sequence {
    pub(super) fn new(level: u8, sum: Rc<InputSum>) -> Self {
        Self { level, sum, elements: Vec::new(), counts: Vec::new(), ladder: Vec::new(), bounds: [None; 2] }
    }

    /// True if an element says so.
    pub(super) fn has(&self, count: i128) -> bool {
        self.counts.binary_search(&count).is_ok()
    }

    /// Takes an element, if it has none that says the same.
    pub(super) fn insert(&mut self, count: i128, lit: u32) -> bool {
        let Err(at) = self.counts.binary_search(&count) else { return false };
        self.counts.insert(at, count);
        self.elements.insert(at, lit);
        self.ladder.push(None);
        true
    }

    /// The coefficients of its elements and their sum in *no more* or *no less* of these than the sum says.
    fn bound_terms(&self, side: usize) -> (Vec<(BatchVar, i128)>, i128) {
        let sign = 1 - 2 * side as i128;
        let mut terms: Vec<(BatchVar, i128)> = self.sum.terms().map(|(var, one)| (var, sign * one)).collect();
        let [least, most] = self.sum.range;
        let mut degree = if side == 0 { least } else { -most };
        let last = self.elements.len() - 1;
        for (at, &lit) in self.elements.iter().enumerate() {
            let weight = match (side, at) {
                (0, 0) => self.counts[0],
                (1, at) if at == last => most - least - self.counts[last] + 1,
                _ => 1,
            };
            // What is true takes its weight from the sum, and what is false from its rest.
            let sign = if (side == 0) == (lit & 1 == 0) { -1 } else { 1 };
            terms.push((var(lit), sign * weight));
            degree += if sign > 0 { weight } else { 0 };
        }
        (terms, degree)
    }

    /// The number of the line of [`Self::bound_terms`], derived from element to element: the elements so far are at
    /// most the sum, and so many as the next one says are, too; of the first as many times as this is more than one,
    /// with the second, a part of it that rounds up to the next.
    fn bound(
        &mut self,
        side: usize,
        context: &ClauseContext<'_>,
        quotients: &mut Vec<Quotient>,
    ) -> Option<InequalityNumber> {
        if self.bounds[side].is_some() {
            return self.bounds[side];
        }
        let [least, most] = self.sum.range;
        let line = |lit: u32| context.sides[var(lit) as usize][side];
        let mut elements: Vec<(u32, i128)> = self.elements.iter().copied().zip(self.counts.iter().copied()).collect();
        if side == 1 {
            elements.reverse();
            elements.iter_mut().for_each(|(_, degree)| *degree = most - least - *degree + 1);
        }
        let mut all = line(elements.first()?.0)?;
        for &(lit, degree) in &elements[1..] {
            quotients.push(Quotient {
                parts: vec![(all, degree - 1), (line(lit)?, 1)],
                divisor: degree.unsigned_abs(),
                clause: Vec::new(),
            });
            all = context.first + quotients.len() as InequalityNumber - 1;
        }
        self.bounds[side] = Some(all);
        Some(all)
    }

    /// Adds steps of the ladder, so that the elements contribute no more to a sum than they do for some number of true
    /// elements that the clause allows; false if a step lacks.
    fn smooth(
        &mut self,
        context: &ClauseContext<'_>,
        Derived { values, sum, quotients }: &mut Derived<'_>,
        lines: &mut Vec<InequalityNumber>,
    ) -> bool {
        let n = self.elements.len();
        let value = |lit: u32| values[var(lit) as usize] * if lit & 1 == 1 { -1 } else { 1 };
        let from = self.elements.iter().rposition(|&lit| value(lit) > 0).map_or(0, |at| at + 1);
        let to = self.elements.iter().position(|&lit| value(lit) < 0).unwrap_or(n);
        if from > to {
            return true;
        }
        // What any number of true elements contributes.
        let mut all = vec![0; n + 1];
        for (at, &lit) in self.elements.iter().enumerate() {
            let own = sum.coefficient(var(lit)) * if lit & 1 == 1 { -1 } else { 1 };
            all[at + 1] = all[at] + own;
        }
        let greatest = |all: &[i128]| all.iter().copied().max().unwrap_or(0);
        let most = greatest(&all[from..=to]);
        let (below, above) = (greatest(&all[..=from]).max(most), greatest(&all[to..]).max(most));
        for (at, own) in all.iter().enumerate().take(n).skip(1) {
            let goal = if at < from {
                below
            } else if at > to {
                above
            } else {
                most
            };
            let times = goal - own;
            if times == 0 {
                continue;
            }
            let Some(step) = self.step(at, context, quotients) else { return false };
            let (low, high) = (self.elements[at - 1], self.elements[at]);
            let sign = |lit: u32| if lit & 1 == 1 { -1 } else { 1 };
            let degree = i128::from(high & 1) - i128::from(low & 1);
            sum.add([(var(low), sign(low)), (var(high), -sign(high))].into_iter(), degree, times);
            lines.extend(std::iter::repeat_n(step, times.unsigned_abs() as usize));
            if lines.len() > MOST_LINES {
                return false;
            }
        }
        true
    }

    /// The number of the line that an element implies the one before it.
    fn step(
        &mut self,
        at: usize,
        context: &ClauseContext<'_>,
        quotients: &mut Vec<Quotient>,
    ) -> Option<InequalityNumber> {
        if self.ladder[at].is_none() {
            let line = |at: usize, side: usize| context.sides[var(self.elements[at]) as usize][side];
            let divisor = (self.sum.range[1] - self.sum.range[0] + 2).unsigned_abs();
            quotients.push(Quotient {
                parts: vec![(line(at, 0)?, 1), (line(at - 1, 1)?, 1)],
                divisor,
                clause: Vec::new(),
            });
            self.ladder[at] = Some(context.first + quotients.len() as InequalityNumber - 1);
        }
        self.ladder[at]
    }
}
