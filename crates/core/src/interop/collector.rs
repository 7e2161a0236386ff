//! A rustsat collector and variable manager as one of our sinks: the floor on which every encoder of this room stands.
//!
//! The collector takes owned clauses; the manager knows the variables. Both are borrowed for one call of an encoder,
//! and what was sent through is counted here, because a collector that is a solver may simplify what it is given.

use std::fmt;
use std::ops::Range;

use rustsat::OutOfMemory;
use rustsat::encodings::CollectClauses;
use rustsat::instances::ManageVars;
use rustsat::types::{Clause, Lit, Var};

use crate::cnf::Cnf;
use crate::sink::{ClauseSink, free_variable};
use crate::size::Size;

/// A rustsat collector and variable manager as a [`ClauseSink`].
///
/// The collector may be a rustsat formula, or any rustsat solver (for which [`SolverSink`](crate::SolverSink) is
/// faster: a collector takes owned clauses, one allocation each). The manager says which variables are in use. It is
/// told of variables in clauses; literals from elsewhere that a constraint begins with must be
/// [marked](Self::mark_used) first, or the front door panics.
///
/// ```
/// use cnfkit::interop::Collector;
/// use cnfkit::{ClauseSink, Constrain, Pairwise, Size};
/// use cnfkit::rustsat::instances::{BasicVarManager, Cnf};
/// let (mut cnf, mut vars) = (Cnf::new(), BasicVarManager::default());
/// let mut sink = Collector::new(&mut cnf, &mut vars);
/// let x = sink.new_lits(4);
/// sink.exactly_one(&x, &Pairwise).unwrap();
/// assert_eq!(sink.size(), Size { vars: 4, clauses: 7, lits: 16 });
/// assert_eq!(cnf.len(), 7);
/// ```
pub struct Collector<'a, C> {
    clauses: &'a mut C,
    vars: &'a mut dyn ManageVars,
    size: Size,
    limit: Size,
    /// Variables reserved earlier, which are handed out first.
    pub(super) pool: Range<u32>,
    /// The range from the first variable handed out by the manager to the last.
    pub(super) fresh: Range<u32>,
}

impl<'a, C: CollectClauses> Collector<'a, C> {
    /// A sink that sends clauses to `clauses` and takes variables from `vars`.
    pub fn new(clauses: &'a mut C, vars: &'a mut dyn ManageVars) -> Self {
        Self { clauses, vars, size: Size::ZERO, limit: Cnf::DEFAULT_LIMIT, pool: 0..0, fresh: 0..0 }
    }

    /// This sink with another limit on what may be sent through it.
    #[must_use]
    pub const fn with_limit(mut self, limit: Size) -> Self {
        self.limit = limit;
        self
    }

    /// Tells the variable manager that the variables of `lits` are in use.
    ///
    /// ```
    /// use cnfkit::interop::Collector;
    /// use cnfkit::rustsat::instances::{BasicVarManager, Cnf};
    /// use cnfkit::{CardEncoding, Constrain, Lit, Size};
    /// let x: Vec<Lit> = (0..20).map(Lit::positive).collect(); // from elsewhere
    /// let (mut cnf, mut vars) = (Cnf::new(), BasicVarManager::default());
    /// let mut sink = Collector::new(&mut cnf, &mut vars).with_limit(Size { vars: 100, clauses: 99, lits: 999 });
    /// sink.mark_used(&x);
    /// sink.at_most(&x, 3, CardEncoding::Auto).unwrap();
    /// assert!(sink.at_most(&x, 9, CardEncoding::Auto).is_err()); // beyond the limit, so nothing was added
    /// assert!(cnf.len() <= 99);
    /// ```
    pub fn mark_used(&mut self, lits: &[Lit]) {
        if let Some(highest) = lits.iter().map(|lit| lit.var()).max() {
            self.vars.mark_used(highest);
        }
    }

    /// The clauses sent through this sink and the variables taken from its manager so far.
    #[must_use]
    pub const fn size(&self) -> Size {
        self.size
    }
}

impl<C> fmt::Debug for Collector<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Collector").field("size", &self.size).field("limit", &self.limit).finish_non_exhaustive()
    }
}

impl<C: CollectClauses> ClauseSink for Collector<'_, C> {
    type Error = OutOfMemory;

    fn add_clause(&mut self, clause: &[Lit]) -> Result<(), OutOfMemory> {
        if free_variable(clause.iter().copied()) > self.next_var().idx32() {
            self.mark_used(clause);
        }
        self.clauses.add_clause(Clause::from(clause))?;
        self.size += Size::clause(clause.len());
        Ok(())
    }

    /// # Panics
    /// When the variable manager hands out a variable that it said was in use.
    fn new_lit(&mut self) -> Lit {
        self.size += Size::variables(1);
        if let Some(reserved) = self.pool.next() {
            return Lit::positive(reserved);
        }
        let next = self.next_var();
        let var = self.vars.new_var();
        assert!(var >= next, "the variable manager handed out {var}, but {next} is the first variable not in use");
        let start = if self.fresh.is_empty() { var.idx32() } else { self.fresh.start };
        self.fresh = start..var.idx32() + 1;
        var.pos_lit()
    }

    fn next_var(&self) -> Var {
        self.vars.max_var().map_or(Var::new(0), |var| var + 1)
    }

    /// Refuses more variables than rustsat has, and more clauses or literals than the limit.
    fn reserve(&mut self, size: &Size) -> Result<(), OutOfMemory> {
        let vars = u64::from(self.next_var().idx32()).saturating_add(size.vars);
        let fits = (self.size + *size).fits(&self.limit) && vars <= u64::from(Var::MAX_IDX);
        if fits { Ok(()) } else { Err(too_large()) }
    }
}

/// Rustsat's error for what does not fit.
pub(super) fn too_large() -> OutOfMemory {
    match Vec::<u8>::new().try_reserve(usize::MAX) {
        Err(overflow) => overflow.into(),
        Ok(()) => OutOfMemory::ExternalApi,
    }
}
