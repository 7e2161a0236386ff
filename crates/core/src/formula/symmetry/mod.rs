//! [`Formula::break_symmetries`]: of solutions that symmetries make of each other, most are ruled out.
//!
//! A symmetry maps literals to literals, and the formula to itself ([`rows`]); [`search`] finds generators of them. Of
//! all assignments that they make of each other the first is kept, by the values of variables in order, true before
//! false: of x and a symmetry g, the values of x are not after those of x ∘ g. All clauses follow from that alone, so
//! that they can be put together:
//!
//! * *Orbits*: where symmetries that leave all variables before v alone move v to w, w implies v. Where a clause has
//!   nothing but such literals, v is true.
//! * *Lex-leaders*: for each generator, as far as the first so many variables that it moves. An auxiliary says that all
//!   pairs so far are equal, in one direction.
//!
//! Generators that exchange two neighbouring rows of a matrix are what the search finds first, and their lex-leaders
//! leave one order of the rows.
//!
//! A certificate derives these clauses by dominance ([`certify`]).
//!
//! Sources: F. Aloul, K. Sakallah, I. Markov, *Efficient Symmetry Breaking for Boolean Satisfiability*, IEEE
//! Transactions on Computers 55, 2006, for lex-leaders in clauses; J. Devriendt, B. Bogaerts, M. Bruynooghe, M.
//! Denecker, *Improved Static Symmetry Breaking for SAT*, SAT 2016, for binary clauses of stabilizers and for
//! interchangeable rows.

mod certify;
mod rows;
mod search;
#[cfg(test)]
mod tests;

use rustsat::types::Lit;

use self::rows::{SymmetryRows, lit_of};
use self::search::{Level, SymmetryGroup};
use super::Formula;
use crate::cnf::CapacityError;
use crate::constrain::writing;
use crate::sink::ClauseSink;

/// Groups of less than two to the power of this are left alone: the eight symmetries of a board rule out little, and
/// make searches for solutions longer.
const LEAST_LOG: f64 = 10.0;

/// The most variables that a lex-leader compares: rows of so many are put in order. With 12, twenty-one pigeons are not
/// told from twenty holes; with 30 and 1,000, other families need as many conflicts.
const COMPARED: usize = 60;

impl Formula {
    /// Symmetries of the formula: permutations of literals that map clauses to clauses, constraints to constraints and
    /// the objective to itself, so that solutions become solutions that cost as much. Each is given by the literals
    /// that it moves, with their images, and stands for its powers and products with others. Each was checked; some may
    /// be missing, where they are hard to find, and all are in formulas of more than [`MOST_READ`](Self::MOST_READ)
    /// variables.
    ///
    /// ```
    /// use cnfkit::{CardEncoding, ClauseSink, Constrain, Formula};
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(3);
    /// formula.at_most(&x, 2, &CardEncoding::Auto)?;
    /// formula.add_clause(&[x[0], x[2]])?;
    /// assert_eq!(formula.symmetries(), [[(x[0], x[2]), (x[2], x[0])]]);
    /// # Ok::<(), cnfkit::CapacityError>(())
    /// ```
    #[must_use]
    pub fn symmetries(&self) -> Vec<Vec<(Lit, Lit)>> {
        SymmetryGroup::new(&SymmetryRows::new(self)).generators
    }

    /// This formula with clauses that rule out most of the solutions that are symmetric to others, and keep at least
    /// one of each kind: it has a solution if and only if this one has, and the same optimum. Solutions are not to be
    /// counted after that. Formulas with less than a thousand symmetries stay as they are: what breaking these costs is
    /// more than it saves.
    ///
    /// ```
    /// use cnfkit::{CardEncoding, ClauseSink, Constrain, Formula};
    /// let mut pigeons = Formula::new();
    /// let x: Vec<_> = (0..12).map(|_| pigeons.new_lits(11)).collect();
    /// for row in &x {
    ///     pigeons.at_least(row, 1, &CardEncoding::Auto)?;
    /// }
    /// for hole in 0..11 {
    ///     for one in 0..12 {
    ///         (0..one).try_for_each(|other| pigeons.add_clause(&[!x[one][hole], !x[other][hole]]))?;
    ///     }
    /// }
    /// // As all pigeons and holes are alike, the first pigeon is in the first hole.
    /// assert!(pigeons.break_symmetries()?.formula().clauses().any(|clause| clause == [x[0][0]]));
    /// # Ok::<(), cnfkit::CapacityError>(())
    /// ```
    ///
    /// Of all assignments that symmetries make of each other one is kept, the first in lexicographic order by variable
    /// where true comes before false. Of the literals to which one is moved while all variables before it stay, none is
    /// true unless that one is; then each symmetry that was found gets a *lex-leader*, with an auxiliary for each
    /// variable that is compared.
    ///
    /// # Errors
    /// When the result is beyond the [limit](Self::with_limit).
    pub fn break_symmetries(&self) -> Result<SymmetryBreaking<'_>, CapacityError> {
        self.without_symmetries(LEAST_LOG)
    }

    /// Breaks the symmetries unless there are less than two to the power of `least_log`.
    fn without_symmetries(&self, least_log: f64) -> Result<SymmetryBreaking<'_>, CapacityError> {
        let rows = SymmetryRows::new(self);
        let group = SymmetryGroup::new(&rows);
        let mut broken = SymmetryBreaking { given: self, formula: self.clone(), group, reasons: Vec::new() };
        if broken.group.log() < least_log {
            return Ok(broken);
        }
        for (at, Level { first, orbit, .. }) in broken.group.levels.iter().enumerate() {
            let is_in = |lit: u32| orbit.binary_search(&lit).is_ok();
            let are_in = |&row: &u32| rows.items[rows.range(row as usize)].iter().all(|&(_, lit)| is_in(lit));
            let mut add = |clause: &[Lit], reason: ClauseReason| {
                broken.reasons.push(reason);
                broken.formula.add_clause(clause)
            };
            if is_in(first ^ 1) {
                add(&[lit_of(*first)], ClauseReason::Moved { level: at, to: first ^ 1 })?;
            } else if rows.of[*first as usize].iter().any(|row| rows.positive.binary_search(row).is_ok() && are_in(row))
            {
                add(&[lit_of(*first)], ClauseReason::Row { level: at })?;
            } else {
                for &to in orbit.iter().filter(|&lit| lit != first) {
                    add(&[lit_of(*first), !lit_of(to)], ClauseReason::Moved { level: at, to })?;
                }
            }
        }
        (0..broken.group.generators.len()).try_for_each(|generator| broken.lead(generator))?;
        Ok(broken)
    }
}

/// A formula with clauses that rule out symmetric solutions: see [`Formula::break_symmetries`].
///
/// ```
/// use cnfkit::formula::SymmetryBreaking;
/// use cnfkit::{CardEncoding, ClauseSink, Constrain, Formula};
/// let mut formula = Formula::new();
/// let x = formula.new_lits(9);
/// formula.exactly(&x, 4, &CardEncoding::Auto)?;
/// let broken: SymmetryBreaking<'_> = formula.break_symmetries()?;
/// assert!(broken.formula().n_clauses() > 0); // the first of them are true
/// assert_eq!(broken.into_formula().constraints().len(), 1);
/// # Ok::<(), cnfkit::CapacityError>(())
/// ```
#[derive(Debug)]
pub struct SymmetryBreaking<'f> {
    given: &'f Formula,
    formula: Formula,
    group: SymmetryGroup,
    /// The reason of each clause that was added.
    reasons: Vec<ClauseReason>,
}

/// The reason of a clause.
#[derive(Clone, Copy, Debug)]
enum ClauseReason {
    /// The first literal of this level may be moved to that one.
    Moved { level: usize, to: u32 },
    /// A clause or constraint asks for one of the literals to which that of this level may be moved.
    Row { level: usize },
    /// A pair of this generator that is in order, as all before it are equal.
    Ordered { generator: usize },
    /// A pair of this generator is equal, as those before it are: two clauses with an auxiliary.
    Equal { generator: usize, pair: usize },
}

/// The pairs of literals that a lex-leader compares.
fn compared(generator: &[(Lit, Lit)]) -> Vec<(Lit, Lit)> {
    // Where the other of two that are exchanged is compared, this one is equal by then.
    let is_compared = |&&(from, to): &&(Lit, Lit)| from.var() <= to.var() || !is_exchanged(generator, from, to);
    generator.iter().filter(is_compared).take(COMPARED).copied().collect()
}

/// True if a generator moves `to` back to `from`.
fn is_exchanged(generator: &[(Lit, Lit)], from: Lit, to: Lit) -> bool {
    let back = generator.binary_search_by_key(&to.var(), |&(from, _)| from.var()).map(|at| generator[at].1);
    back.is_ok_and(|back| if to.is_neg() { !back } else { back } == from)
}

impl SymmetryBreaking<'_> {
    /// The formula whose symmetries are broken.
    pub(in crate::formula) const fn given(&self) -> &Formula {
        self.given
    }

    /// The formula with the clauses: variables of the given one keep their numbers, auxiliaries come after them.
    #[must_use]
    pub const fn formula(&self) -> &Formula {
        &self.formula
    }

    /// As [`formula`](Self::formula), by value.
    #[must_use]
    pub fn into_formula(self) -> Formula {
        self.formula
    }

    /// Adds that the values of variables in order are not before those of their images, where true comes first.
    fn lead(&mut self, generator: usize) -> Result<(), CapacityError> {
        let mut equal: Option<Lit> = None;
        let pairs = compared(&self.group.generators[generator]);
        for (pair, &(one, other)) in pairs.iter().enumerate() {
            let before: Vec<Lit> = equal.map(|equal| !equal).into_iter().collect();
            if pair > 0 {
                self.reasons.push(ClauseReason::Ordered { generator });
                self.formula.add_clause(&[&before[..], &[one, !other]].concat())?;
            }
            if pair + 1 < pairs.len() {
                let next = writing(&mut self.formula, &"", ClauseSink::new_lit);
                for lit in [one, !other] {
                    self.reasons.push(ClauseReason::Equal { generator, pair });
                    self.formula.add_clause(&[&before[..], &[next, lit]].concat())?;
                }
                equal = Some(next);
            }
        }
        Ok(())
    }
}
