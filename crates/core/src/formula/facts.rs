//! Facts: the lines of a proof that say the constraints of a formula as they are encoded.
//!
//! Most are lines of the formula itself. A constraint that [`detect`](super::detect) found, a bound that double
//! counting tightened and a group of literals of which at most one is true are each one sum of other lines. Each
//! [stage](ProofStage) consumes the one before: [`FormulaLines`], [`TightenedLines`], [`Facts`].

use std::collections::hash_map::Entry;
use std::io;
use std::ops::Range;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use rustsat::types::{Lit, Var};

use super::Formula;
use super::certify_error::CertifyError;
use super::detect::Detected;
use super::double_counting::{CountingStep, Premise};
use super::go_on::TryGoOn;
use super::keep::KeptConstraints;
use super::merge::{Items, MergeItem, Says};
use super::opb_line::{OpbLine, OpbLits, sides};
use super::said::numbered;
use super::substitute_lines::SubstitutedConstraints;
use super::symmetry::SymmetryBreaking;
use crate::certify::{Batch, Id, Lines};
use crate::constraint::Constraint;

/// A line of the proof: at least as many as `least` of some literals are true.
#[derive(Clone, Debug)]
struct Fact {
    lits: Vec<Lit>,
    least: i64,
    id: Id,
}

/// A proof on its way to [`Facts`], with what is known so far; nobody else can write lines meanwhile.
pub(super) struct ProofStage<'p, 'w, S> {
    known: S,
    lines: &'p mut Lines<'w>,
    go_on: &'p mut TryGoOn<'p, CertifyError>,
}

/// The lines that say the clauses and the constraints of a formula.
pub(super) struct FormulaLines<'f> {
    formula: &'f Formula,
    /// The number of lines of the formula that is given to the checker.
    inputs: Id,
    /// The line of each clause.
    clauses: Vec<Id>,
    /// The line before those of each constraint.
    before: Vec<Id>,
    /// The lines of clauses of expressions; all others up to `said` are gone.
    derived: Vec<Id>,
    said: Id,
    substituted: Option<Rc<SubstitutedConstraints>>,
}

impl FormulaLines<'_> {
    /// The constraints, with equal literals as one.
    fn kept(&self) -> &KeptConstraints {
        self.substituted.as_ref().map_or(&self.formula.kept, |substituted| &substituted.kept)
    }

    /// The number of a constraint in the formula.
    fn given_number(&self, at: usize) -> usize {
        self.substituted.as_ref().map_or(at, |substituted| substituted.from[at].0 as usize)
    }

    /// The first literal that only OPB has of a constraint.
    fn few(&self, few: OpbLits, at: usize) -> Lit {
        few.of(&self.formula.kept, self.given_number(at))
    }
}

impl<'p, 'w, 'f> ProofStage<'p, 'w, FormulaLines<'f>> {
    /// The lines of the formula that is given to the checker, the head of its proof, and the clauses of expressions,
    /// whose own variables are numbered from `own` on; without it, they are not derived.
    pub(super) fn given(
        formula: &'f Formula,
        own: Option<(u32, &dyn Fn() -> bool)>,
        lines: &'p mut Lines<'w>,
        go_on: &'p mut TryGoOn<'p, CertifyError>,
    ) -> Result<Self, CertifyError> {
        let said = formula.aside.said();
        let mut others = said.iter().flat_map(|said| said.clauses.clone()).peekable();
        let mut inputs = 0;
        let line = |at: usize| {
            let is_input = others.next_if_eq(&at).is_none();
            inputs += Id::from(is_input);
            if is_input { inputs } else { 0 }
        };
        let mut clauses: Vec<Id> = (0..formula.n_clauses()).map(line).collect();
        let before = |constraint: Constraint<'_>| {
            let before = inputs;
            inputs += sides(&constraint, Lit::positive(0)).len() as Id;
            before
        };
        let before = formula.constraints().map(before).collect();
        let mut line = inputs + 1;
        inputs += said.iter().map(|said| said.lines(said.first).len() as Id).sum::<Id>();
        lines.header(inputs)?;
        let mut derived = Vec::new();
        if let Some((own, asks)) = own {
            for (said, own) in numbered(said, own) {
                let ids = said.derive(formula, (own, line), lines, asks)?;
                clauses[said.clauses.clone()].copy_from_slice(&ids);
                derived.extend(ids);
                line += said.lines(said.first).len() as Id;
            }
        }
        let said = lines.last();
        Ok(Self {
            known: FormulaLines { formula, inputs, clauses, before, derived, said, substituted: None },
            lines,
            go_on,
        })
    }

    /// Derives clauses and constraints of `formula` that detection has put in the place of clauses.
    pub(super) fn detect(mut self, formula: &'f Formula, detected: &Detected<'_>) -> Result<Self, CertifyError> {
        let Self { known, lines, go_on } = &mut self;
        let mut pairs = pairs(known.formula.clauses().zip(known.clauses.iter().copied()), |_| true);
        let (mut replaced, mut at) = (detected.replaced().peekable(), 0..);
        known.clauses.retain(|_| replaced.next_if(|&next| at.next() == Some(next)).is_none());
        for clause in detected.added() {
            known.clauses.push(lines.rup(clause, &[])?);
        }
        for constraint in detected.constraints() {
            let Some((lits, relation)) = constraint.counted() else {
                // A parity: its clauses were given.
                known.before.push(lines.last());
                for side in sides(&constraint, Lit::positive(0)) {
                    lines.rup(&side.terms.iter().map(|&(_, lit)| lit).collect::<Vec<Lit>>(), &[])?;
                }
                continue;
            };
            for (at, &one) in lits.iter().enumerate() {
                go_on()?;
                for &other in &lits[..at] {
                    let pair = ordered(!other, !one);
                    if let Entry::Vacant(unknown) = pairs.entry(pair) {
                        unknown.insert(lines.rup(&pair, &[])?);
                    }
                }
            }
            known.before.push(lines.last());
            // In the order in which the sides of a constraint are lines.
            if relation.least().is_some() {
                lines.rup(lits, &[])?;
            }
            lines.clique(lits.len(), |i, k| pairs[&ordered(!lits[i], !lits[k])])?;
        }
        known.formula = formula;
        Ok(self)
    }

    /// Derives clauses that break symmetries, which come after those that were given.
    pub(super) fn break_symmetries(mut self, broken: &'f SymmetryBreaking<'_>) -> Result<Self, CertifyError> {
        self.known.clauses.extend(broken.derive(self.lines, self.go_on)?);
        self.known.formula = broken.formula();
        Ok(self)
    }

    /// Derives the lines of constraints in which equal literals are one.
    pub(super) fn substitute(mut self, substituted: &Rc<SubstitutedConstraints>) -> Result<Self, CertifyError> {
        let Self { known, lines, go_on } = &mut self;
        let given = std::mem::take(&mut known.before);
        let mut known_pairs: FxHashMap<[Lit; 2], Id> = FxHashMap::default();
        for (from, to) in &substituted.from {
            go_on()?;
            let before = given[*from as usize];
            let Some(to) = to else {
                known.before.push(before);
                continue;
            };
            let mut as_one = Vec::new();
            for (implied, at) in to.as_one.iter().zip(1..) {
                let mut parts = vec![(before + at, 1)];
                for &(pair, weight) in implied {
                    let id = match known_pairs.entry(pair) {
                        Entry::Occupied(known) => *known.get(),
                        Entry::Vacant(unknown) => *unknown.insert(lines.rup(&pair, &[])?),
                    };
                    parts.push((id, weight));
                }
                as_one.push(lines.pol(&parts, &[])?);
            }
            let decided =
                to.decided.iter().map(|clause| lines.rup(clause, &as_one)).collect::<io::Result<Vec<Id>>>()?;
            known.before.push(lines.last());
            for line in &to.folded {
                let clauses = line.decided.iter().map(|&(at, weight)| (decided[at], weight));
                let parts: Vec<(Id, u128)> = line.of.map(|at| (as_one[at], 1)).into_iter().chain(clauses).collect();
                lines.folded(&parts, &line.steps)?;
            }
        }
        known.substituted = Some(substituted.clone());
        Ok(self)
    }

    /// Derives bounds of items that double counting made tighter.
    pub(super) fn tighten(
        self,
        items: &Items,
        steps: &[CountingStep],
    ) -> Result<ProofStage<'p, 'w, TightenedLines<'f>>, CertifyError> {
        let Self { known: of, lines, go_on } = self;
        let mut merged: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        items.merged.iter().for_each(|&(to, from)| merged.entry(to).or_default().push(from));
        let (said, tightened) = Default::default();
        let known = TightenedLines { of: ItemLines { of, merged }, said, tightened };
        let mut stage = ProofStage { known, lines, go_on };
        for step in steps {
            let end = step.of.last().map_or(0, |(at, _)| at + 1).max(step.from.len());
            stage.spread(step, 0..end, None)?;
        }
        Ok(stage)
    }
}

/// The lines that say the items of a formula.
pub(super) struct ItemLines<'f> {
    of: FormulaLines<'f>,
    /// Constraints that were merged, by the first of each.
    merged: FxHashMap<u32, Vec<u32>>,
}

impl ItemLines<'_> {
    /// The lines of the constraints that make an item.
    pub(super) fn lines(&self, from: u32, few: OpbLits) -> impl Iterator<Item = (OpbLine, Id)> {
        let each = move |number: u32| {
            let at = number as usize;
            sides(&self.of.kept().get(at), self.of.few(few, at)).into_iter().zip(self.of.before[at] + 1..)
        };
        self.numbers(from).flat_map(each)
    }

    /// The constraints that make an item.
    fn numbers(&self, from: u32) -> impl Iterator<Item = u32> {
        let merged = self.merged.get(&from).map_or(&[][..], Vec::as_slice);
        std::iter::once(from).chain(merged.iter().copied())
    }

    /// The literals of a count or a clause.
    fn lits(&self, Premise { is_clause, number, .. }: Premise) -> Vec<Lit> {
        let number = number as usize;
        if is_clause {
            self.of.formula.clauses.clause(number).to_vec()
        } else {
            self.of.kept().get(number).lits().collect()
        }
    }

    /// The best line that bounds a count from one side, or a clause.
    fn said(&self, premise: Premise) -> Option<Fact> {
        let (lits, Premise { is_clause, number, is_upper }) = (self.lits(premise), premise);
        if is_clause {
            return (!is_upper).then(|| Fact { lits, least: 1, id: self.of.clauses[number as usize] });
        }
        let lits: FxHashSet<Lit> = lits.into_iter().map(|lit| if is_upper { !lit } else { lit }).collect();
        // A count that bounds another is not reified.
        let lines = self.lines(number, OpbLits::last(self.of.formula));
        let sides = lines.filter(|(side, _)| side.terms.iter().all(|(_, lit)| lits.contains(lit)));
        let (side, id) = sides.max_by_key(|(side, _)| side.least)?;
        let lits = side.terms.into_iter().map(|(_, lit)| lit).collect();
        Some(Fact { lits, least: side.least as i64, id })
    }
}

/// The lines that say the items of a formula, with bounds that double counting made tighter.
pub(super) struct TightenedLines<'f> {
    of: ItemLines<'f>,
    /// The best bounds that were asked for.
    said: FxHashMap<Premise, Option<Fact>>,
    tightened: FxHashMap<Premise, Fact>,
}

impl TightenedLines<'_> {
    /// The best line that bounds a count from one side, or says a clause.
    fn bound(&mut self, premise: Premise) -> Option<&Fact> {
        match self.tightened.get(&premise) {
            None => self.said.entry(premise).or_insert_with(|| self.of.said(premise)).as_ref(),
            tightened => tightened,
        }
    }
}

impl<'f> ProofStage<'_, '_, TightenedLines<'f>> {
    /// Derives the bounds of a step at the places of a range, `outside` being the sum of all its premises elsewhere:
    /// the sums of halves, halved again, take n·log n premises in all, where each bound by itself would take n.
    fn spread(&mut self, step: &CountingStep, range: Range<usize>, outside: Option<&Fact>) -> Result<(), CertifyError> {
        (self.go_on)()?;
        let of = |range: &Range<usize>| {
            let at = |end: usize| step.of.partition_point(|&(at, _)| at < end);
            &step.of[at(range.start)..at(range.end)]
        };
        let middle = range.start + range.len() / 2;
        for (half, other) in [(range.start..middle, middle..range.end), (middle..range.end, range.start..middle)] {
            let wanted = of(&half);
            if wanted.is_empty() {
                continue;
            }
            let own: FxHashSet<Var> = half
                .clone()
                .filter_map(|at| step.from.get(at))
                .chain(wanted.iter().map(|(_, premise)| premise))
                .flat_map(|premise| self.known.of.lits(*premise))
                .map(Lit::var)
                .collect();
            let premises = step.from.get(other.start.min(step.from.len())..other.end.min(step.from.len()));
            let sum = self.sum(premises.unwrap_or_default(), outside, &own)?;
            if half.len() > 1 {
                self.spread(step, half, Some(&sum))?;
            } else {
                self.known.tightened.insert(wanted[0].1, sum);
            }
        }
        Ok(())
    }

    /// The line of the sum of bounds and another fact, in which literals of variables that are not `own` are taken as
    /// true.
    fn sum(&mut self, premises: &[Premise], outside: Option<&Fact>, own: &FxHashSet<Var>) -> io::Result<Fact> {
        let mut coefficients: FxHashMap<Var, i64> = FxHashMap::default();
        let (mut parts, mut least) = (Vec::new(), 0);
        let mut add = |fact: &Fact| {
            parts.push((fact.id, 1));
            least += fact.least;
            for &lit in &fact.lits {
                *coefficients.entry(lit.var()).or_default() += if lit.is_neg() { -1 } else { 1 };
                least -= i64::from(lit.is_neg());
            }
        };
        outside.into_iter().for_each(&mut add);
        premises.iter().for_each(|&premise| self.known.bound(premise).into_iter().for_each(&mut add));
        let (mut others, mut lits) = (Vec::new(), Vec::new());
        for (var, coefficient) in coefficients {
            if coefficient == 0 {
                continue;
            }
            let lit = Lit::new(var.idx32(), coefficient < 0);
            least += i64::from(coefficient < 0);
            if own.contains(&var) {
                lits.push(lit);
            } else {
                others.push(var);
                least -= 1;
            }
        }
        others.sort_unstable();
        lits.sort_unstable();
        if let (&[(id, _)], true) = (&parts[..], others.is_empty()) {
            return Ok(Fact { lits, least, id });
        }
        Ok(Fact { lits, least, id: self.lines.pol(&parts, &others)? })
    }

    /// Derives that at most one literal of each group of a sum is true, where the formula says so.
    pub(super) fn group(self, items: &Items) -> Result<Facts<'f>, CertifyError> {
        let Self { mut known, lines, go_on } = self;
        let exclusions = ExclusionLines::new(&known.of.of, items);
        let mut derived = FxHashMap::default();
        for item in &items.all {
            let own = [false, true].map(|is_upper| Premise { is_clause: false, number: item.from, is_upper });
            let mut facts: Vec<Fact> = own.iter().filter_map(|own| known.tightened.get(own).cloned()).collect();
            for group in groups(items, item) {
                go_on()?;
                let lits: Vec<Lit> = group.iter().map(|&(lit, _)| lit).collect();
                let id = match exclusions.set(&lits).and_then(|set| known.bound(set)) {
                    Some(fact) if fact.least + 1 == fact.lits.len() as i64 => {
                        let others = fact.lits.iter().filter(|&&lit| !lits.contains(&!lit)).map(|lit| lit.var());
                        lines.pol(&[(fact.id, 1)], &others.collect::<Vec<Var>>())?
                    }
                    _ if exclusions.is_clique(&lits) => {
                        lines.clique(lits.len(), |i, k| exclusions.pairs[&ordered(!lits[i], !lits[k])])?
                    }
                    _ => continue,
                };
                let least = lits.len() as i64 - 1;
                facts.push(Fact { lits: lits.into_iter().map(|lit| !lit).collect(), least, id });
            }
            if !facts.is_empty() {
                derived.insert(item.from, facts);
            }
        }
        Ok(Facts { items: known.of, derived, last: lines.last() })
    }
}

/// The lines that say of literals in groups that not both of two are true.
#[derive(Default)]
struct ExclusionLines {
    /// The bounds of the items that say of a literal and others that at most one is true.
    sets: FxHashMap<Lit, Vec<Premise>>,
    /// The lines of clauses of two literals.
    pairs: FxHashMap<[Lit; 2], Id>,
}

impl ExclusionLines {
    fn new(of: &FormulaLines<'_>, items: &Items) -> Self {
        let grouped = items.all.iter().flat_map(|item| groups(items, item)).flatten();
        let vars: FxHashSet<Var> = grouped.map(|(lit, _)| lit.var()).collect();
        if vars.is_empty() {
            return Self::default();
        }
        let mut sets: FxHashMap<Lit, Vec<Premise>> = FxHashMap::default();
        for item in &items.all {
            let is_upper = matches!(item.says, Says::Between(_, 1));
            let set = Premise { is_clause: false, number: item.from, is_upper };
            let excluded = items.at_most_one(item).into_iter().flatten();
            excluded.filter(|lit| vars.contains(&lit.var())).for_each(|lit| sets.entry(lit).or_default().push(set));
        }
        let clauses = of.formula.clauses().zip(of.clauses.iter().copied());
        Self { sets, pairs: pairs(clauses, |var| vars.contains(&var)) }
    }

    /// The first item that says of all these literals that at most one is true.
    fn set(&self, lits: &[Lit]) -> Option<Premise> {
        let is_of = |set: &&Premise| lits.iter().all(|lit| self.sets.get(lit).is_some_and(|sets| sets.contains(set)));
        self.sets.get(&lits[0])?.iter().find(is_of).copied()
    }

    /// True if clauses say of each two of these literals that not both are true.
    fn is_clique(&self, lits: &[Lit]) -> bool {
        let excludes = |one: Lit, other: Lit| self.pairs.contains_key(&ordered(!one, !other));
        (0..lits.len()).all(|at| lits[..at].iter().all(|&other| excludes(lits[at], other)))
    }
}

/// The groups of an item that have several literals.
fn groups<'i>(items: &'i Items, item: &MergeItem) -> impl Iterator<Item = &'i [(Lit, u64)]> {
    items.terms(item).groups().filter(|group| group.len() > 1)
}

/// All that is known of a formula's items, and the lines that say it.
pub(crate) struct Facts<'f> {
    pub(super) items: ItemLines<'f>,
    /// Bounds that were made tighter, and groups, by item.
    derived: FxHashMap<u32, Vec<Fact>>,
    /// The last line that is about no clause of an encoding.
    last: Id,
}

impl Facts<'_> {
    /// The number of a constraint of the formula among those that the lines say.
    pub(super) fn number(&self, given: u32) -> u32 {
        self.items.of.substituted.as_ref().map_or(given, |substituted| substituted.number(given))
    }

    /// The number of a constraint in the formula.
    pub(super) fn given_number(&self, at: u32) -> usize {
        self.items.of.given_number(at as usize)
    }

    /// The constraints as the lines say them.
    pub(super) fn kept(&self) -> &KeptConstraints {
        self.items.of.kept()
    }

    /// The number of lines of the formula that is given to the checker.
    pub(super) const fn inputs(&self) -> Id {
        self.items.of.inputs
    }

    /// The line of each clause of the formula.
    pub(super) fn clauses(&self) -> &[Id] {
        &self.items.of.clauses
    }

    /// The lines before those of clauses that encode constraints, without those of clauses.
    pub(super) fn beside_clauses(&self) -> impl Iterator<Item = Id> {
        let clauses: FxHashSet<Id> = self.clauses().iter().copied().collect();
        let FormulaLines { inputs, ref derived, said, .. } = self.items.of;
        (1..=inputs).chain(derived.iter().copied()).chain(said + 1..=self.last).filter(move |id| !clauses.contains(id))
    }

    /// The batch of an item, without clauses.
    pub(super) fn batch(&self, items: &Items, item: &MergeItem, few: OpbLits) -> Batch {
        let terms = items.terms(item).all().iter().copied();
        let mut batch = Batch::new(items.lits(item).iter().map(|&lit| (lit, 1)).chain(terms));
        for (side, id) in self.items.lines(item.from, few) {
            batch.bound(side.terms.iter().copied(), side.least, &side.guards, id);
        }
        for fact in self.derived.get(&item.from).into_iter().flatten() {
            batch.fact(&fact.lits, fact.least, fact.id);
        }
        if item.is_reified() {
            let numbers = self.items.numbers(item.from).map(|number| number as usize);
            let exactly = numbers.filter(|&at| self.kept().get(at).reifies_exactly());
            // With all literals negated, where groups are of the negations, more is less.
            let first = items.sum_lits(item).next();
            let is_negated = |at: usize| first.is_some_and(|first| self.kept().get(at).lits().any(|lit| lit == !first));
            exactly.for_each(|at| {
                let few = self.items.of.few(few, at);
                batch.few(if is_negated(at) { !few } else { few });
            });
        }
        batch
    }
}

/// A clause of two literals.
fn ordered(one: Lit, other: Lit) -> [Lit; 2] {
    [one.min(other), one.max(other)]
}

/// The lines of clauses of two literals.
fn pairs<'a>(clauses: impl Iterator<Item = (&'a [Lit], Id)>, is_in: impl Fn(Var) -> bool) -> FxHashMap<[Lit; 2], Id> {
    let pair = |(clause, id): (&[Lit], Id)| match *clause {
        [one, other] if is_in(one.var()) && is_in(other.var()) => Some((ordered(one, other), id)),
        _ => None,
    };
    clauses.filter_map(pair).collect()
}

#[cfg(test)]
mod tests;
