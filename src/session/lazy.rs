//! Clauses that are not loaded: the solver is told what they imply, and reads one when it analyses a conflict.
//!
//! Known as lazy clause generation (O. Ohrimenko, P. J. Stuckey, M. Codish: *Propagation via lazy clause generation*,
//! Constraints 14, 2009). The search, what is learnt and when it starts anew are the solver's, as with loaded clauses.

use batsat::theory::{Theory, TheoryArg};
use rustsat::types::Lit;

/// Some clause is false, and the solver knows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Refuted;

/// A set of clauses that answers for itself.
pub(crate) trait LazyClauses {
    /// Reads what became true and implies what follows, until there is nothing more. Before the solver decides again, no
    /// clause may be left that is false or has one literal left.
    fn propagate(&mut self, trail: &mut Trail) -> Result<(), Refuted>;
    /// Why `lit` was implied: the other literals of a clause that holds it, all of which were false by then.
    fn explain(&mut self, lit: Lit, others: &mut Vec<Lit>);
    /// A decision follows.
    fn push(&mut self);
    /// The last `decisions` and all that followed from them are taken back.
    fn pop(&mut self, decisions: usize);
}

/// What is true, in the order in which it became true.
pub(crate) struct Trail<'a, 'b> {
    solver: &'a mut TheoryArg<'b>,
    read: &'a mut usize,
    clause: &'a mut Vec<batsat::Lit>,
}

impl Trail<'_, '_> {
    /// The next literal that became true, whether it was implied here or not.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<Lit> {
        let lit = *self.solver.model().get(*self.read)?;
        *self.read += 1;
        Some(Lit::new(lit.var().idx(), !lit.sign()))
    }

    /// Makes `lit` true; an error when it is false.
    #[inline]
    pub(crate) fn imply(&mut self, lit: Lit) -> Result<(), Refuted> {
        if self.solver.propagate(to_batsat(lit)) { Ok(()) } else { Err(Refuted) }
    }

    /// Says that all of `clause` is false, some of it only since the last decision.
    pub(crate) fn refute(&mut self, clause: &[Lit]) -> Refuted {
        self.clause.clear();
        self.clause.extend(clause.iter().copied().map(to_batsat));
        self.solver.raise_conflict(self.clause, false);
        Refuted
    }
}

#[inline]
pub(super) fn to_batsat(lit: Lit) -> batsat::Lit {
    batsat::Lit::new(batsat::Var::unsafe_from_idx(lit.vidx32()), lit.is_pos())
}

/// [`LazyClauses`] as BatSat wants them.
pub(super) struct Attached {
    clauses: Box<dyn LazyClauses>,
    /// How much of the trail was read.
    read: usize,
    /// The same before each decision.
    read_before: Vec<usize>,
    others: Vec<Lit>,
    clause: Vec<batsat::Lit>,
}

impl Attached {
    pub(super) fn new(clauses: Box<dyn LazyClauses>) -> Self {
        Self { clauses, read: 0, read_before: Vec::new(), others: Vec::new(), clause: Vec::new() }
    }
}

impl Theory for Attached {
    fn partial_check(&mut self, solver: &mut TheoryArg) {
        if self.read < solver.model().len() {
            let trail = &mut Trail { solver, read: &mut self.read, clause: &mut self.clause };
            // The solver knows when a clause is false.
            let _: Result<(), Refuted> = self.clauses.propagate(trail);
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

    fn explain_propagation(&mut self, lit: batsat::Lit) -> &[batsat::Lit] {
        self.others.clear();
        self.clauses.explain(Lit::new(lit.var().idx(), !lit.sign()), &mut self.others);
        self.clause.clear();
        self.clause.extend(self.others.iter().map(|&lit| to_batsat(!lit)));
        &self.clause
    }
}
