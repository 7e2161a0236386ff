//! [`Prover`]: CaDiCaL, whose proof tracer tells of each clause that it derives, and from which ones.

use std::cell::{Cell, RefCell};
use std::io;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use rustsat::solvers::{ControlSignal, Solve, SolveIncremental, SolverResult, Terminate};
use rustsat::types::{Lit, TernaryVal};
use rustsat_cadical::{CaDiCaL, CaDiCaLClause, ClauseId, ProofTracerHandle, TraceProof};

use super::pen::Pen;
use crate::certify::Id;
use crate::formula::ProofLine;
use crate::running::Clock;

/// CaDiCaL, and what listens to it.
pub(super) struct Prover {
    // It is dropped before its tracer is.
    solver: CaDiCaL<'static, 'static>,
    _tracer: ProofTracerHandle<Tracer>,
    /// The line of the clause that is being added.
    line: Rc<Cell<Id>>,
    failure: Rc<RefCell<Option<io::Error>>>,
    /// The conflicts that are left for a question.
    left: Rc<Cell<u64>>,
    n_vars: u32,
}

impl Prover {
    pub(super) fn new(pen: &Pen, clock: Clock) -> Self {
        let mut solver = CaDiCaL::default();
        let (line, failure, left) = (Rc::default(), Rc::default(), Rc::<Cell<u64>>::default());
        let tracer = Tracer {
            pen: Rc::clone(pen),
            line: Rc::clone(&line),
            known: FxHashMap::default(),
            failure: Rc::clone(&failure),
            clock: clock.clone(),
            left: Rc::clone(&left),
        };
        let _tracer = solver.connect_proof_tracer(tracer, true);
        let (has_failed, none_left) = (Rc::clone(&failure), Rc::clone(&left));
        solver.attach_terminator(move || {
            let is_over = none_left.get() == 0 || clock.is_over() || has_failed.borrow().is_some();
            if is_over { ControlSignal::Terminate } else { ControlSignal::Continue }
        });
        Self { solver, _tracer, line, failure, left, n_vars: 0 }
    }

    /// Lines of the proof cannot be watched.
    pub(super) const WATCHES: bool = false;

    pub(super) fn watch(&mut self, _: &ProofLine) -> usize {
        unreachable!("nothing is watched")
    }

    pub(super) fn explained(&self, _: usize) -> u64 {
        0
    }

    pub(super) fn forget(&mut self, _: usize) {}

    pub(super) fn new_vars(&mut self, n_vars: usize) -> io::Result<()> {
        self.n_vars = n_vars as u32;
        match self.n_vars.checked_sub(1) {
            Some(last) => self.solver.reserve(Lit::positive(last).var()).map_err(io::Error::other),
            None => Ok(()),
        }
    }

    /// Adds a clause that is a line of the proof.
    pub(super) fn add(&mut self, clause: &[Lit], line: Id) -> io::Result<()> {
        self.line.set(line);
        self.solver.add_clause_ref(clause).map_err(io::Error::other)
    }

    /// True if there is a model in which these literals are true; `None` when it is interrupted, and when so many
    /// conflicts did not do.
    pub(super) fn solve(&mut self, assumptions: &[Lit], conflicts: u64) -> io::Result<Option<bool>> {
        self.left.set(conflicts);
        let answer = self.solver.solve_assumps(assumptions).map_err(io::Error::other)?;
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        Ok(match answer {
            SolverResult::Sat => Some(true),
            SolverResult::Unsat => Some(false),
            SolverResult::Interrupted => None,
        })
    }

    /// A clause of negated assumptions that follows, after they were found to contradict each other.
    pub(super) fn core(&mut self) -> io::Result<Vec<Lit>> {
        self.solver.core().map_err(io::Error::other)
    }

    pub(super) fn is_true(&self, lit: Lit) -> bool {
        // Variables that it was not told of may have any value.
        lit.vidx32() < self.n_vars && matches!(self.solver.lit_val(lit), Ok(TernaryVal::True))
    }
}

/// Writes what the solver derives, and forgets what it learnt. An irredundant clause stays in the proof: the solver may
/// restore it.
struct Tracer {
    pen: Pen,
    line: Rc<Cell<Id>>,
    /// The lines of clauses, by the solver's numbers.
    known: FxHashMap<i64, Id>,
    failure: Rc<RefCell<Option<io::Error>>>,
    clock: Clock,
    left: Rc<Cell<u64>>,
}

impl Tracer {
    fn note(&self, error: io::Error) {
        self.failure.borrow_mut().get_or_insert(error);
    }
}

impl TraceProof for Tracer {
    fn add_original_clause(&mut self, id: ClauseId, _: bool, _: &CaDiCaLClause<'_>, restored: bool) {
        if !restored {
            self.known.insert(id.0, self.line.get());
        }
    }

    fn add_derived_clause(&mut self, id: ClauseId, _: bool, clause: &CaDiCaLClause<'_>, antecedents: &[ClauseId]) {
        self.clock.spend(1);
        self.left.set(self.left.get().saturating_sub(1));
        let lits: Vec<Lit> = clause.iter().collect();
        let hints: Option<Vec<Id>> = antecedents.iter().map(|from| self.known.get(&from.0).copied()).collect();
        let written = self.pen.borrow_mut().rup(&lits, &hints.unwrap_or_default());
        match written {
            Ok(line) => drop(self.known.insert(id.0, line)),
            Err(error) => self.note(error),
        }
    }

    fn delete_clause(&mut self, id: ClauseId, redundant: bool, clause: &CaDiCaLClause<'_>) {
        if !redundant {
            return;
        }
        if let Some(line) = self.known.remove(&id.0) {
            let written = self.pen.borrow_mut().forget(&clause.iter().collect::<Vec<Lit>>(), line);
            written.unwrap_or_else(|error| self.note(error));
        }
    }
}
