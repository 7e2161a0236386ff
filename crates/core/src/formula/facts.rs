//! Facts: the lines of a proof that say the constraints of a formula as they are encoded.
//!
//! Most are lines of the formula itself. A constraint that [`detect`](super::detect) found, a bound that double
//! counting tightened and a group of literals of which at most one is true are each one sum of other lines.

use std::collections::hash_map::Entry;
use std::io::{self, Write};
use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};
use rustsat::types::{Lit, Var};

use super::Formula;
use super::certify_error::CertifyError;
use super::detect::Detected;
use super::double_counting::{CountingStep, Premise};
use super::go_on::TryGoOn;
use super::keep::AskedEncoding;
use super::merge::{Items, MergeItem, Says};
use super::symmetry::SymmetryBreaking;
use super::way::{Way, write};
use crate::certify::{Attempt, Batch, DerivationEffort, Id, Lines, follows};
use crate::choose::{CardEncoding, PbEncoding};
use crate::constraint::{Constraint, Sum};
use crate::encode;
use crate::relation::PbRelation;
use crate::sink::ClauseSink;

/// Clauses between two questions whether to go on, half a millisecond apart at most.
pub(super) const LOOKS: usize = 1 << 12;

/// Sums of so few literals are encoded at once, also where they could be watched.
const FEW: usize = 5;

/// One line of OPB: the weights sum up to at least `least`, or a guard is true.
pub(super) struct OpbLine {
    terms: Vec<(u64, Lit)>,
    least: u128,
    guards: Vec<Lit>,
}

/// The lines that say a constraint; `few` is the literal by which a sum that is not exactly the bound is below it.
pub(super) fn sides(constraint: &Constraint<'_>, few: Lit) -> Vec<OpbLine> {
    let (terms, relation): (Vec<(u64, Lit)>, PbRelation) = match constraint.sum {
        Sum::Count { lits, relation } => (lits.iter().map(|&lit| (1, lit)).collect(), relation.into()),
        Sum::Weights { terms, relation } => {
            (terms.all().iter().map(|&(lit, weight)| (weight, lit)).collect(), relation)
        }
    };
    let all: u128 = terms.iter().map(|&(weight, _)| u128::from(weight)).sum();
    let mut sides = Vec::new();
    let mut side = |least: bool, bound: u128, when: &[Lit]| {
        let guards = constraint.cond.iter().chain(when).map(|&lit| !lit).collect();
        let terms = terms.iter().map(|&(weight, lit)| (weight, if least { lit } else { !lit })).collect();
        let least = if least { bound } else { all.saturating_sub(bound) };
        sides.push(OpbLine { terms, least, guards });
    };
    let r: Vec<Lit> = constraint.iff.into_iter().collect();
    let most = relation.most().map(u128::from);
    let least = relation.least().map(u128::from);
    least.into_iter().for_each(|least| side(true, least, &r));
    most.into_iter().for_each(|most| side(false, most, &r));
    if let Some(r) = constraint.iff {
        let both = most.is_some() && least.is_some();
        let when = |few: Lit| if both { vec![!r, few] } else { vec![!r] };
        if let Some(least) = least.filter(|&least| least > 0) {
            side(false, least - 1, &when(few));
        }
        if let Some(most) = most {
            side(true, most + 1, &when(!few));
        }
    }
    sides
}

/// A line of a proof: weights sum up to at most `most` where all of `cond` are true.
#[derive(Debug)]
pub(crate) struct ProofLine {
    pub(crate) terms: Vec<(Lit, u64)>,
    pub(crate) most: u64,
    pub(crate) cond: Vec<Lit>,
    pub(crate) id: Id,
}

impl OpbLine {
    /// This line, by its number.
    pub(super) fn line(&self, id: Id) -> ProofLine {
        let cond = self.guards.iter().map(|&guard| !guard).collect();
        let terms: Vec<(Lit, u64)> = self.terms.iter().map(|&(weight, lit)| (!lit, weight)).collect();
        let all: u128 = terms.iter().map(|&(_, weight)| u128::from(weight)).sum();
        ProofLine { terms, most: (all - self.least) as u64, cond, id }
    }

    pub(super) fn write<W: Write>(&self, lines: &mut Lines<W>) -> io::Result<()> {
        let guards = self.guards.iter().map(|&guard| (self.least, guard));
        let terms = self.terms.iter().map(|&(weight, lit)| (weight.into(), lit));
        lines.sum(guards.chain(terms), self.least);
        lines.end(" ;\n")
    }
}

/// A line of the proof: at least as many as `least` of some literals are true.
#[derive(Clone, Debug)]
struct Fact {
    lits: Vec<Lit>,
    least: i64,
    id: Id,
}

/// The facts about a formula, and the lines that say them.
pub(crate) struct Facts<'f> {
    formula: &'f Formula,
    /// The number of lines of the formula.
    inputs: Id,
    /// The numbers of clauses, where they are not their places.
    clauses: Option<Vec<Id>>,
    /// The number of the line before those of each constraint.
    first: Vec<Id>,
    /// The last line that is about no single constraint.
    last: Id,
    /// The first variable that no clause has, once that is known.
    free: u32,
    /// Constraints that were merged, by the first of each.
    merged: FxHashMap<u32, Vec<u32>>,
    /// The best bounds that were asked for.
    bounds: FxHashMap<Premise, Fact>,
    tightened: FxHashSet<Premise>,
    /// The groups of a sum, by its constraint.
    groups: FxHashMap<u32, Vec<Fact>>,
    /// The attempt that is known to derive the clauses of a constraint.
    attempts: FxHashMap<u32, Attempt>,
}

impl<'f> Facts<'f> {
    /// The lines of the formula that is given to the checker.
    pub(super) fn new(formula: &'f Formula, given: &Formula) -> Self {
        let mut last = given.n_clauses() as Id;
        let line = |constraint: Constraint<'_>| {
            let first = last;
            last += sides(&constraint, Lit::positive(0)).len() as Id;
            first
        };
        let first = given.constraints().map(line).collect();
        // Until it is known: beyond all clauses.
        let free = Var::MAX_IDX - formula.constraints().len() as u32;
        Self {
            formula,
            inputs: last,
            clauses: None,
            first,
            last,
            free,
            merged: FxHashMap::default(),
            bounds: FxHashMap::default(),
            tightened: FxHashSet::default(),
            groups: FxHashMap::default(),
            attempts: FxHashMap::default(),
        }
    }

    pub(super) const fn inputs(&self) -> Id {
        self.inputs
    }

    /// The lines before those of clauses that encode constraints, without those of clauses.
    pub(super) fn beside_clauses(&self) -> impl Iterator<Item = Id> {
        let clauses: FxHashSet<Id> = (0..self.formula.n_clauses()).map(|clause| self.clause(clause)).collect();
        (1..=self.last).filter(move |id| !clauses.contains(id))
    }

    /// The first variable that no clause has.
    pub(crate) const fn free(&self) -> u32 {
        self.free
    }

    pub(super) const fn set_free(&mut self, free: u32) {
        self.free = free;
    }

    /// The literal by which a sum is below the bound of this reified equality.
    pub(super) fn few(&self, constraint: usize) -> Lit {
        Lit::positive(self.free + constraint as u32)
    }

    /// The number of clauses of the formula.
    pub(super) fn n_clauses(&self) -> usize {
        self.formula.n_clauses()
    }

    /// The line of this clause of the formula.
    pub(super) fn clause(&self, number: usize) -> Id {
        self.clauses.as_ref().map_or(number as Id + 1, |clauses| clauses[number])
    }

    /// Derives clauses and constraints that detection has put in the place of clauses.
    pub(super) fn detect<W: Write, E: From<io::Error>>(
        &mut self,
        detected: &Detected<'_>,
        lines: &mut Lines<W>,
        go_on: &mut TryGoOn<'_, E>,
    ) -> Result<(), E> {
        let replaced: FxHashSet<usize> = detected.replaced().collect();
        let given = detected.given();
        let mut clauses: Vec<Id> =
            (0..given.n_clauses()).filter(|at| !replaced.contains(at)).map(|at| at as Id + 1).collect();
        for clause in detected.added() {
            clauses.push(lines.rup(clause, &[])?);
        }
        self.clauses = Some(clauses);
        let mut pairs = pairs(given.clauses().zip(1..), |_| true);
        for constraint in detected.constraints() {
            let Some((lits, relation)) = constraint.counted() else { continue };
            for (at, &one) in lits.iter().enumerate() {
                go_on()?;
                for &other in &lits[..at] {
                    let pair = ordered(!other, !one);
                    if let Entry::Vacant(unknown) = pairs.entry(pair) {
                        unknown.insert(lines.rup(&pair, &[])?);
                    }
                }
            }
            self.first.push(lines.last());
            // In the order in which the sides of a constraint are lines.
            if relation.least().is_some() {
                lines.rup(lits, &[])?;
            }
            lines.clique(lits.len(), |i, k| pairs[&ordered(!lits[i], !lits[k])])?;
        }
        self.last = lines.last();
        Ok(())
    }

    /// Derives clauses that break symmetries, which come after those that were given.
    pub(super) fn break_symmetries<W: Write>(
        &mut self,
        broken: &SymmetryBreaking<'_>,
        lines: &mut Lines<W>,
        go_on: &mut TryGoOn<'_, CertifyError>,
    ) -> Result<(), CertifyError> {
        let given = 1..=broken.given().n_clauses() as Id;
        self.clauses = Some(given.chain(broken.derive(lines, go_on)?).collect());
        self.last = lines.last();
        Ok(())
    }

    /// Takes note of what was merged.
    pub(super) fn merge(&mut self, items: &Items) {
        items.merged.iter().for_each(|&(to, from)| self.merged.entry(to).or_default().push(from));
    }

    /// The lines of the constraints that make an item.
    pub(super) fn lines(&self, from: u32) -> impl Iterator<Item = (OpbLine, Id)> {
        let merged = self.merged.get(&from).map_or(&[][..], Vec::as_slice);
        let each = |number: u32| {
            let first = self.first[number as usize];
            sides(&self.formula.kept.get(number as usize), self.few(number as usize)).into_iter().zip(first + 1..)
        };
        std::iter::once(from).chain(merged.iter().copied()).flat_map(each)
    }

    /// The best line that bounds a count from one side, or a clause that was looked up.
    fn bound(&mut self, premise: Premise) -> Option<&Fact> {
        if !self.bounds.contains_key(&premise) {
            let Premise { number, is_upper, is_clause: false } = premise else { return None };
            let constraint = self.formula.kept.get(number as usize);
            let lits: FxHashSet<Lit> =
                constraint.counted()?.0.iter().map(|&lit| if is_upper { !lit } else { lit }).collect();
            let sides = self.lines(number).filter(|(side, _)| side.terms.iter().all(|(_, lit)| lits.contains(lit)));
            let (side, id) = sides.max_by_key(|(side, _)| side.least)?;
            let lits = side.terms.into_iter().map(|(_, lit)| lit).collect();
            self.bounds.insert(premise, Fact { lits, least: side.least as i64, id });
        }
        self.bounds.get(&premise)
    }

    /// Looks up the clauses of these steps.
    fn look_up(&mut self, steps: &[CountingStep]) {
        let premises = steps.iter().flat_map(CountingStep::premises);
        let wanted: FxHashSet<u32> =
            premises.filter(|premise| premise.is_clause).map(|premise| premise.number).collect();
        for (number, clause) in (0..).zip(self.formula.clauses()).filter(|(number, _)| wanted.contains(number)) {
            let premise = Premise { is_clause: true, number, is_upper: false };
            self.bounds.insert(premise, Fact { lits: clause.to_vec(), least: 1, id: self.clause(number as usize) });
        }
    }

    /// Derives bounds that double counting made tighter.
    pub(super) fn tighten<W: Write, E: From<io::Error>>(
        &mut self,
        steps: &[CountingStep],
        lines: &mut Lines<W>,
        go_on: &mut TryGoOn<'_, E>,
    ) -> Result<(), E> {
        self.look_up(steps);
        for step in steps {
            let end = step.of.last().map_or(0, |(at, _)| at + 1).max(step.from.len());
            self.spread(step, 0..end, None, lines, go_on)?;
        }
        self.last = lines.last();
        Ok(())
    }

    /// Derives the bounds of a step at the places of a range, `outside` being the sum of all its premises elsewhere:
    /// the sums of halves, halved again, take n·log n premises in all, where each bound by itself would take n.
    fn spread<W: Write, E: From<io::Error>>(
        &mut self,
        step: &CountingStep,
        range: Range<usize>,
        outside: Option<&Fact>,
        lines: &mut Lines<W>,
        go_on: &mut TryGoOn<'_, E>,
    ) -> Result<(), E> {
        go_on()?;
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
                .flat_map(|premise| self.vars(*premise))
                .collect();
            let premises = step.from.get(other.start.min(step.from.len())..other.end.min(step.from.len()));
            let sum = self.sum(premises.unwrap_or_default(), outside, &own, lines)?;
            if half.len() > 1 {
                self.spread(step, half, Some(&sum), lines, go_on)?;
            } else {
                let premise = wanted[0].1;
                self.bounds.insert(premise, sum);
                self.tightened.insert(premise);
            }
        }
        Ok(())
    }

    /// The variables of a constraint or a clause that was looked up.
    fn vars(&self, premise: Premise) -> Vec<Var> {
        match self.bounds.get(&Premise { is_upper: false, ..premise }) {
            Some(clause) if premise.is_clause => clause.lits.iter().map(|lit| lit.var()).collect(),
            _ => self.formula.kept.get(premise.number as usize).lits().map(Lit::var).collect(),
        }
    }

    /// The line of the sum of bounds and another fact, in which literals of variables that are not `own` are taken as
    /// true.
    fn sum<W: Write>(
        &mut self,
        premises: &[Premise],
        outside: Option<&Fact>,
        own: &FxHashSet<Var>,
        lines: &mut Lines<W>,
    ) -> io::Result<Fact> {
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
        premises.iter().for_each(|&premise| self.bound(premise).into_iter().for_each(&mut add));
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
        Ok(Fact { lits, least, id: lines.pol(&parts, &others)? })
    }

    /// Derives that at most one literal of each group of a sum is true, where the formula says so.
    pub(super) fn group<W: Write, E: From<io::Error>>(
        &mut self,
        items: &Items,
        lines: &mut Lines<W>,
        go_on: &mut TryGoOn<'_, E>,
    ) -> Result<(), E> {
        let mut vars: FxHashSet<Var> = FxHashSet::default();
        for item in &items.all {
            let groups = items.terms(item).groups().filter(|group| group.len() > 1);
            vars.extend(groups.flatten().map(|(lit, _)| lit.var()));
        }
        if vars.is_empty() {
            return Ok(());
        }
        let mut sets: Vec<Premise> = Vec::new();
        let mut of: FxHashMap<Lit, Vec<usize>> = FxHashMap::default();
        for item in &items.all {
            let Some(excluded) = items.at_most_one(item) else { continue };
            for lit in excluded.into_iter().filter(|lit| vars.contains(&lit.var())) {
                of.entry(lit).or_default().push(sets.len());
            }
            sets.push(Premise {
                is_clause: false,
                number: item.from,
                is_upper: matches!(item.says, Says::Between(_, 1)),
            });
        }
        let clauses = self.formula.clauses().enumerate().map(|(at, clause)| (clause, self.clause(at)));
        let pairs = pairs(clauses, |var| vars.contains(&var));
        for item in &items.all {
            for group in items.terms(item).groups().filter(|group| group.len() > 1) {
                go_on()?;
                let lits: Vec<Lit> = group.iter().map(|&(lit, _)| lit).collect();
                let is_of = |set: &&usize| lits.iter().all(|lit| of.get(lit).is_some_and(|sets| sets.contains(set)));
                let set = of.get(&lits[0]).and_then(|all| all.iter().find(is_of)).map(|&set| sets[set]);
                let is_clique = || {
                    let excludes = |(at, &one): (usize, &Lit)| {
                        lits[..at].iter().all(|&other| pairs.contains_key(&ordered(!one, !other)))
                    };
                    lits.iter().enumerate().all(excludes)
                };
                let id = match set.and_then(|set| self.bound(set)) {
                    Some(fact) if fact.least + 1 == fact.lits.len() as i64 => {
                        let others = fact.lits.iter().filter(|&&lit| !lits.contains(&!lit)).map(|lit| lit.var());
                        lines.pol(&[(fact.id, 1)], &others.collect::<Vec<Var>>())?
                    }
                    _ if is_clique() => lines.clique(lits.len(), |i, k| pairs[&ordered(!lits[i], !lits[k])])?,
                    _ => continue,
                };
                let least = lits.len() as i64 - 1;
                let lits = lits.into_iter().map(|lit| !lit).collect();
                self.groups.entry(item.from).or_default().push(Fact { lits, least, id });
            }
        }
        self.last = lines.last();
        Ok(())
    }

    /// The batch of an item, without clauses.
    pub(super) fn batch(&self, items: &Items, item: &MergeItem) -> Batch {
        let terms = items.terms(item).all().iter().copied();
        let mut batch = Batch::new(items.lits(item).iter().map(|&lit| (lit, 1)).chain(terms));
        for (side, id) in self.lines(item.from) {
            batch.bound(side.terms.iter().copied(), side.least, &side.guards, id);
        }
        let own = [false, true].map(|is_upper| Premise { is_clause: false, number: item.from, is_upper });
        let tightened = own.iter().filter(|premise| self.tightened.contains(premise));
        let tightened = tightened.filter_map(|premise| self.bounds.get(premise));
        for fact in tightened.chain(self.groups.get(&item.from).into_iter().flatten()) {
            batch.fact(&fact.lits, fact.least, fact.id);
        }
        if let Says::Iff(_, PbRelation::Exactly(_)) = item.says {
            batch.few(self.few(item.from as usize));
        }
        batch
    }

    /// The way of an item to clauses: none where the library is free to choose and the solver `watches` sums; as it is
    /// always, or, where that has no derivation and the library is free to choose, by an encoding of sums.
    pub(super) fn way(
        &mut self,
        items: &mut Items,
        at: usize,
        watches: bool,
        go_on: &dyn Fn() -> bool,
        check: &mut encode::GoOn<'_>,
    ) -> Way {
        let item = items.all[at];
        if item.is_impossible() {
            return Way::new(items, &item, check);
        }
        let is_open = item.asked.goal().is_some();
        let is_grouped = !item.is_count() && items.terms(&item).is_grouped();
        // Slack says little of a sum with groups; counts have auxiliaries in an order that a whole formula gave them.
        if watches && is_open && !item.is_count() && !is_grouped && self.is_watchable(item.from) {
            return Way::Watched;
        }
        let way = Way::new(items, &item, check);
        let is_equality = matches!(item.relations()[0], Some(PbRelation::Exactly(_)));
        let others = is_open || !item.is_count() && (is_equality || is_grouped);
        // As two bounds an equality has other clauses than those that were asked for: that is the last resort.
        let effort = if is_open { DerivationEffort::choice(go_on) } else { DerivationEffort::most(go_on) };
        if !others || self.follows(items, &item, &way, effort) {
            return way;
        }
        items.simplify(at);
        Way::new(items, &items.all[at], check)
    }

    /// True if sums are not so short that clauses say the same, and fit what a solver watches with their conditions.
    fn is_watchable(&self, from: u32) -> bool {
        self.lines(from).all(|(OpbLine { terms, least, guards }, _)| {
            let all: u128 = terms.iter().map(|&(weight, _)| u128::from(weight)).sum();
            terms.len() > FEW && least <= all && all + least * guards.len() as u128 <= u64::MAX.into()
        })
    }

    fn follows(&mut self, items: &Items, item: &MergeItem, way: &Way, effort: DerivationEffort<'_>) -> bool {
        let mut sink = Dry { batch: self.batch(items, item), next: self.formula.next_var(), left: LOOKS, effort };
        let written = write(items, item, way, &mut sink);
        let found = written.ok().and_then(|()| follows(&sink.batch, effort).ok());
        self.attempts.extend(found.map(|attempt| (item.from, attempt)));
        found.is_some()
    }

    /// The attempt that is known to derive the clauses of an item.
    pub(super) fn attempt(&self, item: &MergeItem) -> Option<Attempt> {
        self.attempts.get(&item.from).copied()
    }
}

impl Items {
    /// Takes an encoding by sums where it is left to the library; both sides of *exactly* by weight one by one, and no
    /// groups.
    fn simplify(&mut self, at: usize) {
        let item = &mut self.all[at];
        item.asked = match item.asked {
            AskedEncoding::Open(_) if item.is_count() => AskedEncoding::Card(&CardEncoding::Totalizer),
            AskedEncoding::Open(_) => AskedEncoding::Weights(&PbEncoding::IntervalDiagram),
            asked => asked,
        };
        self.ungroup(at);
    }
}

/// The effort is spent.
struct Spent;

/// A batch that clauses go to, without being kept elsewhere.
struct Dry<'e> {
    batch: Batch,
    next: Var,
    /// Clauses until it is asked whether to go on.
    left: usize,
    effort: DerivationEffort<'e>,
}

impl Dry<'_> {
    fn clause(&mut self, clause: &[Lit], defines: bool) -> Result<(), Spent> {
        self.batch.clause(clause, defines);
        self.left -= 1;
        if self.left == 0 {
            self.left = LOOKS;
            return self.go_on();
        }
        Ok(())
    }
}

impl ClauseSink for Dry<'_> {
    type Error = Spent;

    fn add_clause(&mut self, clause: &[Lit]) -> Result<(), Spent> {
        self.clause(clause, false)
    }

    fn define(&mut self, clause: &[Lit]) -> Result<(), Spent> {
        self.clause(clause, true)
    }

    fn go_on(&mut self) -> Result<(), Spent> {
        if self.effort.goes_on() { Ok(()) } else { Err(Spent) }
    }

    fn new_lit(&mut self) -> Lit {
        let lit = self.next.pos_lit();
        self.next += 1;
        lit
    }

    fn next_var(&self) -> Var {
        self.next
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
