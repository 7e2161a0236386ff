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
//! Sources: F. Aloul, K. Sakallah, I. Markov, *Efficient Symmetry Breaking for Boolean Satisfiability*, IEEE
//! Transactions on Computers 55, 2006, for lex-leaders in clauses; J. Devriendt, B. Bogaerts, M. Bruynooghe, M.
//! Denecker, *Improved Static Symmetry Breaking for SAT*, SAT 2016, for binary clauses of stabilizers and for
//! interchangeable rows.

mod rows;
mod search;
#[cfg(test)]
mod tests;

use rustsat::types::Lit;

use self::rows::{Rows, lit_of};
use self::search::{Group, Level};
use super::Formula;
use crate::cnf::CapacityError;
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
    /// be missing, where they are hard to find.
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
        Group::new(&Rows::new(self)).generators
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
    /// assert!(pigeons.break_symmetries()?.clauses().any(|clause| clause == [x[0][0]]));
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
    pub fn break_symmetries(&self) -> Result<Self, CapacityError> {
        self.without_symmetries(LEAST_LOG)
    }

    /// Breaks the symmetries unless there are less than two to the power of `least_log`.
    fn without_symmetries(&self, least_log: f64) -> Result<Self, CapacityError> {
        let rows = Rows::new(self);
        let group = Group::new(&rows);
        let mut broken = self.clone();
        if group.log() < least_log {
            return Ok(broken);
        }
        for Level { first, orbit } in &group.levels {
            let is_in = |lit: u32| orbit.binary_search(&lit).is_ok();
            let are_in = |&row: &u32| rows.items[rows.range(row as usize)].iter().all(|&(_, lit)| is_in(lit));
            if is_in(first ^ 1)
                || rows.of[*first as usize].iter().any(|row| rows.positive.binary_search(row).is_ok() && are_in(row))
            {
                broken.add_clause(&[lit_of(*first)])?;
            } else {
                let others = orbit.iter().filter(|&lit| lit != first);
                others.into_iter().try_for_each(|&lit| broken.add_clause(&[lit_of(*first), !lit_of(lit)]))?;
            }
        }
        group.generators.iter().try_for_each(|generator| broken.lead(generator))?;
        Ok(broken)
    }

    /// Adds that the values of variables in order are not before those of their images, where true comes first.
    fn lead(&mut self, generator: &[(Lit, Lit)]) -> Result<(), CapacityError> {
        let mut equal: Option<Lit> = None;
        // Where the other of two that are exchanged is compared, this one is equal by then.
        let is_compared = |&&(from, to): &&(Lit, Lit)| {
            let back = generator.binary_search_by_key(&to.var(), |&(from, _)| from.var()).map(|at| generator[at].1);
            let is_exchanged = back.is_ok_and(|back| if to.is_neg() { !back } else { back } == from);
            from.var() <= to.var() || !is_exchanged
        };
        let pairs: Vec<(Lit, Lit)> = generator.iter().filter(is_compared).take(COMPARED).copied().collect();
        for (at, &(one, other)) in pairs.iter().enumerate() {
            let before: Vec<Lit> = equal.map(|equal| !equal).into_iter().collect();
            if at > 0 {
                self.add_clause(&[&before[..], &[one, !other]].concat())?;
            }
            if at + 1 < pairs.len() {
                let next = self.new_lit();
                self.add_clause(&[&before[..], &[next, one]].concat())?;
                self.add_clause(&[&before[..], &[next, !other]].concat())?;
                equal = Some(next);
            }
        }
        Ok(())
    }
}
