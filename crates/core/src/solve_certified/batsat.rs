//! [`Prover`]: BatSat, which tells of the clauses that it learns and forgets.

use std::io;
use std::rc::Rc;

use batsat::{Callbacks, ClauseKind, Solver, SolverInterface, SolverOpts, lbool};
use rustsat::types::Lit;

use super::pen::{ClauseNumbers, Pen};
use crate::certify::Id;
use crate::formula::ProofLine;
use crate::lazy::{Attached, LazySums, Told, to_raw, unless};
use crate::running::Clock;

/// BatSat, and what listens to it.
pub(super) struct Prover {
    solver: Solver<Learning>,
    clause: Vec<batsat::Lit>,
    told: Told,
    watched: Attached,
}

impl Prover {
    pub(super) fn new(pen: &Pen, clock: Clock) -> Self {
        let learning = Learning { pen: Rc::clone(pen), known: ClauseNumbers::default(), failure: None, clock, left: 0 };
        let told = Told::default();
        let watched = Attached::new(Box::new(LazySums::told(&told)));
        Self { solver: Solver::new(SolverOpts::default(), learning), clause: Vec::new(), told, watched }
    }

    /// Lines of the proof may be watched.
    pub(super) const WATCHES: bool = true;

    /// Watches a line, whose number among those that are watched is the result. The checker, too, propagates what a sum
    /// implies: clauses that are learnt need no more of it.
    pub(super) fn watch(&mut self, line: &ProofLine) -> usize {
        let total = line.terms.iter().map(|&(_, weight)| weight).sum();
        let (ladders, most) = unless(&line.cond, &line.terms, line.most, total).expect("it fits");
        self.told.borrow_mut().add(ladders, most)
    }

    /// The literals of all explanations of a line that is watched.
    pub(super) fn explained(&self, sum: usize) -> u64 {
        self.told.borrow().explained.get(sum).copied().unwrap_or(0)
    }

    /// Watches a line no more.
    pub(super) fn forget(&mut self, sum: usize) {
        self.told.borrow_mut().drop(sum);
    }

    #[allow(clippy::unnecessary_wraps)] // other solvers may fail
    pub(super) fn new_vars(&mut self, n_vars: usize) -> io::Result<()> {
        while (self.solver.num_vars() as usize) < n_vars {
            self.solver.new_var_default();
        }
        Ok(())
    }

    /// Adds a clause that is a line of the proof.
    #[allow(clippy::unnecessary_wraps)]
    pub(super) fn add(&mut self, clause: &[Lit], _: Id) -> io::Result<()> {
        self.clause.clear();
        self.clause.extend(clause.iter().map(|&lit| to_raw(lit)));
        self.solver.add_clause_reuse(&mut self.clause);
        Ok(())
    }

    /// True if there is a model in which these literals are true; `None` when it is interrupted, and when so many
    /// conflicts did not do.
    pub(super) fn solve(&mut self, assumptions: &[Lit], conflicts: u64) -> io::Result<Option<bool>> {
        self.solver.cb_mut().left = conflicts;
        let assumptions: Vec<batsat::Lit> = assumptions.iter().map(|&lit| to_raw(lit)).collect();
        let answer = self.solver.solve_limited_th(&mut self.watched, &assumptions);
        if let Some(failure) = self.solver.cb_mut().failure.take() {
            return Err(failure);
        }
        Ok([(lbool::TRUE, true), (lbool::FALSE, false)].into_iter().find(|(of, _)| *of == answer).map(|(_, is)| is))
    }

    /// A clause of negated assumptions that follows, after they were found to contradict each other.
    #[allow(clippy::unnecessary_wraps)]
    pub(super) fn core(&mut self) -> io::Result<Vec<Lit>> {
        Ok(if self.solver.is_ok() { lits(self.solver.unsat_core()) } else { Vec::new() })
    }

    pub(super) fn is_true(&self, lit: Lit) -> bool {
        self.solver.value_lit(to_raw(lit)) == lbool::TRUE
    }
}

/// Writes what the solver learns and forgets. It strengthens clauses by units without a word, which the checker
/// propagates too; a clause that it forgets after that is not found, and stays in the proof.
struct Learning {
    pen: Pen,
    /// The learnt clauses.
    known: ClauseNumbers,
    failure: Option<io::Error>,
    clock: Clock,
    /// The conflicts that are left for a question.
    left: u64,
}

/// A clause of BatSat's.
fn lits(clause: &[batsat::Lit]) -> Vec<Lit> {
    clause.iter().map(|lit| Lit::new(lit.var().idx(), !lit.sign())).collect()
}

impl Callbacks for Learning {
    fn on_new_clause(&mut self, clause: &[batsat::Lit], _: ClauseKind) {
        self.clock.spend(1);
        self.left = self.left.saturating_sub(1);
        let clause = lits(clause);
        match self.pen.borrow_mut().rup(&clause, &[]) {
            Ok(id) => self.known.add(clause, id),
            Err(error) => self.failure = Some(error),
        }
    }

    fn on_delete_clause(&mut self, clause: &[batsat::Lit]) {
        let clause = lits(clause);
        if let Some(id) = self.known.take(clause.clone()) {
            let written = self.pen.borrow_mut().forget(&clause, id);
            self.failure = self.failure.take().or(written.err());
        }
    }

    fn stop(&self) -> bool {
        self.failure.is_some() || self.left == 0 || self.clock.is_over()
    }
}
