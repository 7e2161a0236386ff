//! Clauses that are not loaded: the solver is told what they imply, and reads one when it analyses a conflict.
//!
//! This is known as lazy clause generation (O. Ohrimenko, P. J. Stuckey, M. Codish: *Propagation via lazy clause
//! generation*, Constraints 14, 2009). The search, what is learnt and when it starts anew are the solver's, as with
//! loaded clauses.

mod sums;
mod watching;

pub use self::sums::{AskedBounds, LazySums, News, Told, WeightLadder, unless};
pub use self::watching::{Patience, Watching};

use batsat::theory::{Theory, TheoryArg};
use rustsat::types::Lit;

/// The solver's own literals: none is converted on the way.
pub use batsat::Lit as RawLit;

/// The most clauses that are written for a default solver at a time: BatSat takes some 40 bytes for each, and watches
/// what would take more.
pub const MOST_WRITTEN: u64 = 1 << 26;

/// The literal that a variable has this value.
#[must_use]
#[inline]
pub fn raw(var: u32, value: bool) -> RawLit {
    RawLit::new(batsat::Var::unsafe_from_idx(var), value)
}

/// A literal as BatSat has it.
#[must_use]
#[inline]
pub fn to_raw(lit: Lit) -> RawLit {
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
#[allow(missing_debug_implementations)] // clauses need none
pub struct Attached {
    clauses: Box<dyn LazyClauses>,
    /// The number of literals of the trail that were read.
    read: usize,
    /// The number that had been read before each decision.
    read_before: Vec<usize>,
}

impl Attached {
    /// Clauses to be asked by a solver.
    #[must_use]
    pub fn new(clauses: Box<dyn LazyClauses>) -> Self {
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
