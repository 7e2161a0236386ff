//! [`Run`]: a formula with its proof so far, and the solver that goes on with both.

use std::cell::RefCell;
use std::io::{self, Write};
use std::mem;
use std::path::Path;
use std::rc::Rc;

use rustsat::types::{self, Lit};

#[cfg(feature = "batsat")]
use super::batsat::Prover;
#[cfg(all(feature = "cadical", not(feature = "batsat")))]
use super::cadical::Prover;
use super::frame::{begin, complete};
use super::pen::Pen;
use crate::certify::Lines;
use crate::formula::{Certifier, CertifyError, Source};
use crate::running::Clock;

pub(super) struct Run<'s, 'f> {
    source: Source<'s, 'f>,
    pub(super) proof: Certifier<'s, Box<dyn Write>>,
    pen: Pen,
    solver: Prover,
    /// The clauses that the solver has.
    loaded: usize,
}

impl<'s, 'f> Run<'s, 'f> {
    /// Makes the folder, and writes the formula, with its objective or without, and the proof of its clauses.
    pub(super) fn new(
        source: Source<'s, 'f>,
        dir: &Path,
        objective: bool,
        clock: &Clock,
        go_on: &'s dyn Fn() -> bool,
    ) -> Result<Self, CertifyError> {
        let proof = begin(source, dir, objective, go_on)?;
        let pen: Pen = Rc::new(RefCell::new(Lines::new(Box::new(io::sink()))));
        let solver = Prover::new(&pen, clock.clone());
        Ok(Self { source, proof, pen, solver, loaded: 0 })
    }

    /// True if there is a model in which these literals are true; `None` when the limits run out, or the conflicts.
    pub(super) fn solve(&mut self, assumptions: &[Lit], conflicts: u64) -> io::Result<Option<bool>> {
        // The solver has the lines.
        mem::swap(&mut self.proof.lines, &mut self.pen.borrow_mut());
        let answer = self.load().and_then(|()| self.solver.solve(assumptions, conflicts));
        mem::swap(&mut self.proof.lines, &mut self.pen.borrow_mut());
        answer
    }

    /// Hands the clauses that it does not have yet to the solver.
    fn load(&mut self) -> io::Result<()> {
        self.solver.new_vars(self.proof.cnf.n_vars())?;
        for (clause, line) in self.proof.cnf.clauses().zip(self.proof.lines_of_clauses()).skip(self.loaded) {
            self.solver.add(clause, line)?;
        }
        self.loaded = self.proof.cnf.n_clauses();
        Ok(())
    }

    /// A clause of negated assumptions that follows, after they were found to contradict each other.
    pub(super) fn core(&mut self) -> io::Result<Vec<Lit>> {
        self.solver.core()
    }

    /// The model found last, and the values of all variables of the proof.
    pub(super) fn model(&self) -> (types::Assignment, Vec<Lit>) {
        let (free, n_vars) = (self.proof.facts.free() as usize, self.proof.cnf.n_vars());
        complete(self.source, free, n_vars, |lit| self.solver.is_true(lit))
    }
}
