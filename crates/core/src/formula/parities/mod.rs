//! The parities of a formula: those under one condition are a system of linear equations, which is solved as far as
//! is cheap ([`system`]) before anything is written. What is found, constants and variables that are equal or opposite,
//! is written as clauses, so that every variable has its value in each model; the other rows are cut in pieces.

mod dense;
mod system;

use std::borrow::Cow;

use rustc_hash::{FxHashMap, FxHashSet};
use rustsat::types::Lit;

use self::system::{MOST_WORK, System, TRUE, connected};
use super::Formula;
use super::go_on::{TryGoOn, unlimited};
use super::keep::KeptConstraints;
use crate::cnf::CapacityError;
use crate::constrain::{planned, writing};
use crate::constraint::Constraint;
use crate::encode::{Full, Writer};
use crate::erase::{AnySink, erase};
use crate::guard::Guarded;
use crate::parity::ParityCut;
use crate::sink::ClauseSink;
use crate::size::Size;

/// The parities of a formula as they are written.
#[derive(Clone, Debug, Default)]
pub(super) struct ParityRows {
    rows: Vec<ParityRow>,
    /// The constraints that rows come from, where these are several.
    parts: Vec<Vec<u32>>,
}

/// A parity of positive literals, which holds where all of its condition do.
#[derive(Clone, Debug)]
struct ParityRow {
    cond: Vec<Lit>,
    /// None in one that cannot hold.
    lits: Vec<Lit>,
    odd: bool,
    in_order: bool,
    from: RowSource,
}

/// The constraints that a row comes from.
#[derive(Clone, Copy, Debug)]
enum RowSource {
    One(u32),
    /// A connected part of the parities under the same condition.
    Part(u32),
}

/// Constraints under one condition, by number.
struct SameCondition {
    cond: Vec<Lit>,
    all: Vec<u32>,
}

impl ParityRows {
    /// The parities of a formula, reduced; an error of `go_on`, which is asked now and then, ends that.
    pub(super) fn new(formula: &Formula, go_on: &mut TryGoOn<'_>) -> Result<Self, Full> {
        let mut rows = Self::default();
        if !formula.kept.has_parities {
            return Ok(rows);
        }
        let systems = by_condition(&formula.kept);
        let units: FxHashSet<Lit> = formula.clauses().filter(|clause| clause.len() == 1).map(|unit| unit[0]).collect();
        let mut left = MOST_WORK;
        for SameCondition { cond, all } in systems {
            rows.reduce(formula, &units, &cond, &all, &mut left, go_on)?;
        }
        Ok(rows)
    }

    /// The parities as they are kept.
    pub(super) fn as_given(kept: &KeptConstraints) -> Self {
        let row = |(cond, at): (Vec<Lit>, u32)| {
            let ((lits, odd), in_order) = (parity(kept, at), kept.get(at as usize).in_order);
            ParityRow { cond, lits: lits.to_vec(), odd, in_order, from: RowSource::One(at) }
        };
        let systems = by_condition(kept).into_iter();
        let all = systems.flat_map(|SameCondition { cond, all }| all.into_iter().map(move |at| (cond.clone(), at)));
        Self { rows: all.map(row).collect(), parts: Vec::new() }
    }

    fn reduce(
        &mut self,
        formula: &Formula,
        units: &FxHashSet<Lit>,
        cond: &[Lit],
        all: &[u32],
        left: &mut u64,
        go_on: &mut TryGoOn<'_>,
    ) -> Result<(), Full> {
        let parities = || all.iter().map(|&at| parity(&formula.kept, at));
        let mut vars: Vec<u32> = parities().flat_map(|(lits, _)| lits).map(|lit| lit.vidx32()).collect();
        vars.sort_unstable();
        vars.dedup();
        let number = |lit: &Lit| vars.partition_point(|&var| var < lit.vidx32()) as u32 + 1;
        let given: Vec<(Vec<u32>, bool)> = parities()
            .map(|(lits, odd)| {
                let mut row: Vec<u32> = lits.iter().map(number).collect();
                row.sort_unstable();
                (row, odd)
            })
            .collect();
        let mut system = System::new(vars.len(), given.iter().cloned());
        for (at, &var) in (1..).zip(&vars) {
            let lit = Lit::positive(var);
            [lit, !lit].iter().filter(|lit| units.contains(lit)).for_each(|lit| system.fix(at, lit.is_pos()));
        }
        system.reduce(left, go_on)?;

        // The part of each variable, numbered behind those of other conditions.
        let first = self.parts.len() as u32;
        let mut part_of = vec![0; vars.len() + 1];
        for part in connected(given.iter().map(|(row, _)| &row[..]), vars.len() + 1) {
            for &at in &part {
                given[at as usize].0.iter().for_each(|&var| part_of[var as usize] = self.parts.len() as u32);
            }
            self.parts.push(part.iter().map(|&at| all[at as usize]).collect());
        }
        let lit = |number: u32| Lit::positive(vars[number as usize - 1]);
        let row = |lits: Vec<Lit>, odd, from| ParityRow { cond: cond.to_vec(), lits, odd, in_order: false, from };
        if system.is_contradictory {
            self.parts.truncate(first as usize);
            self.parts.push(all.to_vec());
            self.rows.push(row(Vec::new(), true, RowSource::Part(first)));
            return Ok(());
        }
        for var in 1..=vars.len() as u32 {
            let from = RowSource::Part(part_of[var as usize]);
            match system.find(var) {
                (TRUE, opposite) => {
                    let value = if opposite { !lit(var) } else { lit(var) };
                    if !units.contains(&value) {
                        self.rows.push(row(vec![lit(var)], !opposite, from));
                    }
                }
                (other, _) if other == var => {}
                (other, opposite) => self.rows.push(row(vec![lit(other), lit(var)], opposite, from)),
            }
        }
        for ((kept, &at), (given, _)) in system.rows.iter().zip(all).zip(&given).filter(|((row, _), _)| !row.is_gone) {
            if kept.is_changed {
                let from = RowSource::Part(part_of[given[0] as usize]);
                self.rows.push(row(kept.lits.iter().map(|&var| lit(var)).collect(), kept.odd, from));
            } else {
                let in_order = formula.kept.get(at as usize).in_order;
                let lits = parity(&formula.kept, at).0.to_vec();
                self.rows.push(ParityRow { in_order, ..row(lits, kept.odd, RowSource::One(at)) });
            }
        }
        Ok(())
    }

    /// Puts literals in an order, but for those of parities whose order is to be kept.
    pub(super) fn arrange(&mut self, sort: &dyn Fn(&mut [Lit])) {
        self.rows.iter_mut().filter(|row| !row.in_order).for_each(|row| sort(&mut row.lits));
    }

    /// True if there is an order to look for.
    pub(super) fn can_be_arranged(&self) -> bool {
        self.rows.iter().any(|row| !row.in_order)
    }

    /// The literals of each row, and whether it is odd.
    pub(super) fn edges(&self) -> impl Iterator<Item = (bool, impl Iterator<Item = Lit>)> {
        self.rows.iter().map(|row| (row.odd, row.cond.iter().chain(&row.lits).copied()))
    }

    /// Two literals each that are equal in all solutions.
    pub(super) fn equal(&self) -> impl Iterator<Item = [Lit; 2]> {
        self.rows.iter().filter_map(ParityRow::equal)
    }

    /// True if all are as they are kept, but for pairs of literals that are equal.
    pub(super) fn are_kept_but(&self, mut pairs: impl FnMut([Lit; 2]) -> bool) -> bool {
        self.rows.iter().all(|row| matches!(row.from, RowSource::One(_)) || row.equal().is_some_and(&mut pairs))
    }

    /// Exactly what [`write`](Self::write) adds.
    pub(super) fn size(&self) -> Size {
        let options = ParityCut::default();
        let size = |row: &ParityRow| {
            let (guards, n) = (row.cond.len(), row.lits.len());
            if n == 0 {
                return Size::clause(guards);
            }
            let guarded = options.enforcing(n).saturating_mul(guards as u64);
            options.size(n) + Size { lits: guarded, ..Size::ZERO }
        };
        self.rows.iter().map(size).sum()
    }

    /// Writes all rows, whose size was announced, and tells `mark` the constraints that the next comes from.
    pub(super) fn write<S: ClauseSink + ?Sized>(
        &self,
        sink: &mut S,
        mark: &mut dyn FnMut(&S, &[u32]),
    ) -> Result<(), S::Error> {
        for row in &self.rows {
            match &row.from {
                RowSource::One(at) => mark(sink, std::slice::from_ref(at)),
                RowSource::Part(part) => mark(sink, &self.parts[*part as usize]),
            }
            let mut write = |to: &mut Writer<'_>| row.write(to);
            if row.cond.is_empty() {
                sink.write_by(&mut write)?;
            } else {
                erase(sink, &mut |sink: &mut AnySink<'_>| Guarded::new(sink, &row.cond).write_by(&mut write))?;
            }
        }
        Ok(())
    }
}

impl ParityRow {
    /// Two literals that are equal in all solutions.
    fn equal(&self) -> Option<[Lit; 2]> {
        match *self.lits {
            [one, other] if self.cond.is_empty() => Some([one, if self.odd { !other } else { other }]),
            _ => None,
        }
    }

    fn write(&self, to: &mut Writer<'_>) -> Result<(), Full> {
        if self.lits.is_empty() {
            return to.clause(&[]);
        }
        let constraint = Constraint::parity(&self.lits, self.odd);
        let options = ParityCut::default();
        planned(&constraint, &options, &mut || true).write(&constraint, to)
    }
}

/// A kept parity.
fn parity(kept: &KeptConstraints, at: u32) -> (&[Lit], bool) {
    kept.get(at as usize).parity_of().unwrap_or_default()
}

/// The parities that are kept, by their conditions; those whose condition contradicts itself are left out.
fn by_condition(kept: &KeptConstraints) -> Vec<SameCondition> {
    let mut systems: Vec<SameCondition> = Vec::new();
    let mut place: FxHashMap<Vec<Lit>, usize> = FxHashMap::default();
    for (at, constraint) in (0..).zip(kept.iter()).filter(|(_, constraint)| constraint.parity_of().is_some()) {
        let mut cond = constraint.cond.to_vec();
        cond.sort_unstable();
        cond.dedup();
        if cond.windows(2).any(|pair| pair[0] == !pair[1]) {
            continue;
        }
        match place.get(&cond) {
            Some(&system) => systems[system].all.push(at),
            None => {
                place.insert(cond.clone(), systems.len());
                systems.push(SameCondition { cond, all: vec![at] });
            }
        }
    }
    systems
}

impl Formula {
    /// This formula with clauses in the place of its parities, for formats and programs that have no words for them.
    ///
    /// # Errors
    /// When it is larger than the limit.
    pub(crate) fn without_parities(&self) -> Result<Cow<'_, Self>, CapacityError> {
        if !self.kept.has_parities {
            return Ok(Cow::Borrowed(self));
        }
        let mut rows = unlimited(|go_on| ParityRows::new(self, go_on));
        let mut formula = Self { kept: KeptConstraints::default(), ..self.with_clauses(self.clauses.clone()) };
        let others = self.constraints().filter(|constraint| constraint.parity_of().is_none());
        others.for_each(|constraint| formula.kept.push_again(&constraint));
        rows.arrange(&|lits| lits.sort_unstable());
        formula.reserve(&rows.size())?;
        writing(&mut formula, &"", |formula| rows.write(formula, &mut |_, _| {}))?;
        Ok(Cow::Owned(formula))
    }
}

#[cfg(test)]
mod tests;
