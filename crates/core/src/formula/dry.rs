//! [`Dry`]: clauses that are written to see whether they can be derived.

use rustsat::types::{Lit, Var};

use crate::certify::{Batch, DerivationEffort};
use crate::sink::ClauseSink;

/// Clauses between two questions whether to go on, half a millisecond apart at most.
pub(super) const LOOKS: usize = 1 << 12;

/// The effort is spent.
pub(super) struct Spent;

/// A batch that clauses go to, without being kept elsewhere.
pub(super) struct Dry<'e> {
    pub(super) batch: Batch,
    pub(super) next: Var,
    pub(super) effort: DerivationEffort<'e>,
    pub(super) counts_models: bool,
}

impl Dry<'_> {
    fn clause(&mut self, clause: &[Lit], defines: bool) -> Result<(), Spent> {
        let clauses = self.batch.clause(clause, defines);
        if clauses.is_multiple_of(LOOKS) { self.go_on() } else { Ok(()) }
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

    fn counts_models(&self) -> bool {
        self.counts_models
    }
}
