//! The other way round: rustsat's encoders write into our formula.
//!
//! They ask for a collector and a variable manager, two mutable references at once. One formula is both, so `&Target`
//! shares it through a cell, which is borrowed for one clause or one variable at a time.

use std::cell::RefCell;
use std::fmt;

use rustsat::OutOfMemory;
use rustsat::encodings::CollectClauses;
use rustsat::instances::ManageVars;
use rustsat::types::{Clause, Var};

use super::collector::too_large;
use crate::cnf::Cnf;
use crate::sink::ClauseSink;

/// A [`Cnf`] as the target of rustsat's encoders: `&Target` is both the collector and the variable manager they ask
/// for.
///
/// Both are views of the one formula, so that each knows the variables that the other uses: they cannot collide.
///
/// In one thing it differs from rustsat's managers: [`forget_from`](ManageVars::forget_from) does nothing, because
/// clauses may hold the variables already.
///
/// ```
/// use cnfkit::{ClauseSink, Cnf, interop::Target};
/// use cnfkit::rustsat::encodings::am1::{Encode, Ladder};
/// let mut cnf = Cnf::new();
/// let x = cnf.new_lits(100);
/// let target = Target::new(&mut cnf);
/// Ladder::from(x).encode(&mut &target, &mut &target).unwrap();
/// assert_eq!((cnf.n_vars(), cnf.n_clauses()), (199, 296));
/// ```
pub struct Target<'a>(RefCell<&'a mut Cnf>);

impl<'a> Target<'a> {
    /// Views of `cnf`.
    pub fn new(cnf: &'a mut Cnf) -> Self {
        Self(RefCell::new(cnf))
    }
}

impl fmt::Debug for Target<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Target").field(&self.0.borrow()).finish()
    }
}

/// Refuses what is beyond the formula's limit: [`OutOfMemory::TryReserve`].
impl CollectClauses for &Target<'_> {
    fn n_clauses(&self) -> usize {
        self.0.borrow().n_clauses()
    }

    fn extend_clauses<T>(&mut self, clauses: T) -> Result<(), OutOfMemory>
    where
        T: IntoIterator<Item = Clause>,
    {
        // The formula is borrowed for one clause at a time: making the next may ask for a variable.
        clauses
            .into_iter()
            .try_for_each(|clause| self.0.borrow_mut().add_clause(clause.as_ref()).map_err(|_| too_large()))
    }
}

impl ManageVars for &Target<'_> {
    fn new_var(&mut self) -> Var {
        self.0.borrow_mut().new_lit().var()
    }

    fn max_var(&self) -> Option<Var> {
        self.n_used().checked_sub(1).map(Var::new)
    }

    fn increase_next_free(&mut self, var: Var) -> bool {
        let mut cnf = self.0.borrow_mut();
        let before = cnf.next_var();
        while cnf.next_var() < var {
            cnf.new_lit();
        }
        before < var
    }

    fn combine(&mut self, other: Self) {
        let used = other.n_used();
        self.increase_next_free(Var::new(used));
    }

    fn n_used(&self) -> u32 {
        self.0.borrow().next_var().idx32()
    }

    /// Does nothing: clauses may hold the variables already.
    fn forget_from(&mut self, _min_var: Var) {}
}
