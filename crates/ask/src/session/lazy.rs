//! Clauses that are not loaded: the solver is told what they imply, and reads one when it analyses a conflict.
//!
//! This is known as lazy clause generation (O. Ohrimenko, P. J. Stuckey, M. Codish: *Propagation via lazy clause
//! generation*, Constraints 14, 2009). The search, what is learnt and when it starts anew are the solver's, as with
//! loaded clauses.

use batsat::theory::{Theory, TheoryArg};
use rustsat::types::Lit;

/// The solver's own literals: none is converted on the way.
pub use batsat::Lit as RawLit;

/// The literal that a variable has this value.
#[must_use]
#[inline]
pub fn raw(var: u32, value: bool) -> RawLit {
    RawLit::new(batsat::Var::unsafe_from_idx(var), value)
}

#[inline]
pub(super) fn to_raw(lit: Lit) -> RawLit {
    raw(lit.vidx32(), lit.is_pos())
}

/// Some clause is false, and the solver knows.
#[derive(Clone, Copy, Debug)]
pub struct Refuted;

/// A set of clauses that answers for itself.
pub trait LazyClauses {
    /// Reads what became true and implies what follows, until there is nothing more. Before the solver decides again,
    /// no clause may be left that is false or has one literal left.
    ///
    /// # Errors
    /// When the model search is refuted.
    fn propagate(&mut self, trail: &mut Trail) -> Result<(), Refuted>;
    /// True if it has more to imply though nothing became true.
    fn has_news(&self) -> bool {
        false
    }
    /// The reason for `lit`: literals that were all true by then, and of which `lit` is a consequence by one clause.
    fn explain(&mut self, lit: RawLit) -> &[RawLit];
    /// A decision follows.
    fn push(&mut self);
    /// The last `decisions` and all that followed from them are taken back.
    fn pop(&mut self, decisions: usize);
}

/// The literals that are true, in the order in which they became true.
#[allow(missing_debug_implementations)] // the solver's part has none
pub struct Trail<'a, 'b> {
    solver: &'a mut TheoryArg<'b>,
    read: &'a mut usize,
}

impl Trail<'_, '_> {
    /// The next literal that became true, whether it was implied here or not: its variable, and the value.
    #[inline]
    pub fn read(&mut self) -> Option<(u32, bool)> {
        let lit = self.solver.model().get(*self.read)?;
        *self.read += 1;
        Some((lit.var().idx(), lit.sign()))
    }

    /// Goes back to the beginning.
    pub fn read_again(&mut self) {
        *self.read = 0;
    }

    /// Makes `lit` true; an error when it is false.
    ///
    /// # Errors
    /// When the model search is refuted.
    #[inline]
    pub fn imply(&mut self, lit: RawLit) -> Result<(), Refuted> {
        if self.solver.propagate(lit) { Ok(()) } else { Err(Refuted) }
    }

    /// Says that every literal of `clause` is false, at least one of them only since the last decision.
    pub fn refute(&mut self, clause: &[RawLit]) -> Refuted {
        self.solver.raise_conflict(clause, false);
        Refuted
    }
}

/// [`LazyClauses`] as BatSat wants them.
pub(super) struct Attached {
    clauses: Box<dyn LazyClauses>,
    /// The number of literals of the trail that were read.
    read: usize,
    /// The number that had been read before each decision.
    read_before: Vec<usize>,
}

impl Attached {
    pub(super) fn new(clauses: Box<dyn LazyClauses>) -> Self {
        Self { clauses, read: 0, read_before: Vec::new() }
    }
}

impl Theory for Attached {
    fn partial_check(&mut self, solver: &mut TheoryArg) {
        if self.read < solver.model().len() || self.clauses.has_news() {
            // The solver knows when a clause is false.
            let _: Result<(), Refuted> = self.clauses.propagate(&mut Trail { solver, read: &mut self.read });
        }
    }

    fn final_check(&mut self, solver: &mut TheoryArg) {
        self.partial_check(solver);
    }

    fn create_level(&mut self) {
        self.read_before.push(self.read);
        self.clauses.push();
    }

    fn pop_levels(&mut self, n: usize) {
        let left = self.read_before.len() - n;
        self.read = self.read_before.drain(left..).next().unwrap_or(self.read);
        self.clauses.pop(n);
    }

    fn n_levels(&self) -> usize {
        self.read_before.len()
    }

    fn explain_propagation(&mut self, lit: RawLit) -> &[RawLit] {
        self.clauses.explain(lit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Choices, Session};
    use cnfkit_core::ClauseSink;

    /// At most one of the variables of each column of a table, row by row.
    struct Columns {
        width: u32,
        /// By column, the variable that is true.
        taken: Vec<Option<u32>>,
        before: Vec<Vec<Option<u32>>>,
        why: Vec<RawLit>,
    }

    impl LazyClauses for Columns {
        fn propagate(&mut self, trail: &mut Trail) -> Result<(), Refuted> {
            while let Some((var, value)) = trail.read() {
                let column = (var % self.width) as usize;
                match self.taken[column] {
                    Some(other) if value => return Err(trail.refute(&[raw(var, false), raw(other, false)])),
                    None if value => self.taken[column] = Some(var),
                    _ => {}
                }
                if value {
                    let rows = self.why.capacity() as u32;
                    let others = (0..rows).map(|row| row * self.width + column as u32).filter(|&other| other != var);
                    others.into_iter().try_for_each(|other| trail.imply(raw(other, false)))?;
                }
            }
            Ok(())
        }

        fn explain(&mut self, lit: RawLit) -> &[RawLit] {
            assert!(!lit.sign());
            self.why.clear();
            self.why.extend(self.taken[(lit.var().idx() % self.width) as usize].map(|var| raw(var, true)));
            &self.why
        }

        fn push(&mut self) {
            self.before.push(self.taken.clone());
        }

        fn pop(&mut self, decisions: usize) {
            let left = self.before.len() - decisions;
            self.taken = self.before.drain(left..).next().expect("as many as were pushed");
        }
    }

    /// `rows` pigeons, one hole each of `columns`: that a hole is for one is lazy.
    fn pigeons(rows: usize, columns: usize) -> Session {
        let mut session = Session::new(Choices::default());
        session.new_vars(rows * columns).unwrap();
        for row in 0..rows {
            let clause: Vec<Lit> = (0..columns).map(|column| Lit::positive((row * columns + column) as u32)).collect();
            session.add_clause(&clause).unwrap();
            for i in 0..columns {
                (0..i).for_each(|j| session.add_clause(&[!clause[i], !clause[j]]).unwrap());
            }
        }
        let (taken, why) = (vec![None; columns], Vec::with_capacity(rows));
        assert!(session.attach(Box::new(Columns { width: columns as u32, taken, before: Vec::new(), why })));
        session
    }

    #[test]
    fn lazy_clauses_count_as_loaded_ones() {
        let mut session = pigeons(4, 4);
        let mut found = 0;
        while session.solve(&[]).unwrap() {
            found += 1;
            let model = (0..16).map(Lit::positive).filter(|&lit| session.is_true(lit));
            let blocked: Vec<Lit> = model.map(|lit| !lit).collect();
            assert_eq!(blocked.len(), 4);
            session.add_clause(&blocked).unwrap();
        }
        assert_eq!(found, 24);
        assert!(!pigeons(6, 5).solve(&[]).unwrap());
    }

    #[test]
    fn assumptions_fail_on_lazy_clauses_and_are_named() {
        let mut session = pigeons(3, 3);
        let lit = |row: u32, column: u32| Lit::positive(3 * row + column);
        assert!(session.solve(&[lit(0, 0), lit(1, 2)]).unwrap() && session.is_true(lit(2, 1)));
        assert!(!session.solve(&[lit(2, 2), lit(0, 0), lit(1, 0)]).unwrap());
        let core = session.core().unwrap();
        assert!(core.contains(&lit(0, 0)) && core.contains(&lit(1, 0)), "{core:?}");
        assert!(!core.contains(&lit(2, 2)), "{core:?}");
        session.clear();
        session.new_vars(2).unwrap();
        assert!(session.solve(&[Lit::positive(0), Lit::positive(1)]).unwrap(), "all is forgotten");
    }
}
