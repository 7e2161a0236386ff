//! [`Run`]: a formula with its proof so far, and the solver that goes on with both.

use std::cell::RefCell;
use std::io;
use std::mem;
use std::path::Path;
use std::rc::Rc;

use rustsat::types::{self, Lit};

#[cfg(feature = "batsat")]
pub(super) use super::batsat::Prover;
#[cfg(all(feature = "cadical", not(feature = "batsat")))]
pub(super) use super::cadical::Prover;
use super::frame::{begin, complete};
use super::pen::Pen;
use crate::certify::{Id, Lines};
use crate::choose::CardEncoding;
use crate::constraint::{Constraint, Terms};
use crate::encode::Encoding;
use crate::formula::{CertifiedSource, Certifier, CertifyError, ProofLine};
use crate::pb::IntervalDiagram;
use crate::relation::{PbRelation, Relation};
use crate::running::Clock;
use crate::size::Size;

pub(super) struct Run<'s, 'f> {
    source: CertifiedSource<'s, 'f>,
    pub(super) proof: Certifier<'s, 'static>,
    pen: Pen,
    solver: Prover,
    /// The clauses that the solver has.
    loaded: usize,
    clock: Clock,
    watched: Vec<WatchedLine>,
    /// Conflicts from one look at what is watched to the next.
    pause: u64,
}

/// A line that the solver watches instead of clauses that say it.
struct WatchedLine {
    line: ProofLine,
    sum: usize,
    is_objective: bool,
}

/// Clauses of a line that is watched: if it has more, it is watched for ever.
const MOST_CLAUSES: u64 = 1 << 17;
/// The literals of explanations for one of an encoding: each of its clauses takes about so many lines of the proof.
const PATIENCE: u64 = 4;
/// Conflicts until what is watched is looked at the first time; half as many more than that until the next.
const PAUSE: u64 = 200;

impl<'s, 'f> Run<'s, 'f> {
    /// Makes the folder, and writes the formula, with its objective or without, and the proof of its clauses.
    pub(super) fn new(
        source: CertifiedSource<'s, 'f>,
        dir: &Path,
        objective: bool,
        clock: &Clock,
        go_on: &'s dyn Fn() -> bool,
    ) -> Result<Self, CertifyError> {
        let mut proof = begin(source, dir, objective, Prover::WATCHES, go_on)?;
        let pen: Pen = Rc::new(RefCell::new(Lines::new(io::sink())));
        let solver = Prover::new(&pen, clock.clone());
        let watched = mem::take(&mut proof.watched);
        let mut run =
            Self { source, proof, pen, solver, loaded: 0, clock: clock.clone(), watched: Vec::new(), pause: PAUSE };
        watched.into_iter().for_each(|line| run.watch(line, false));
        Ok(run)
    }

    /// True if there is a model in which these literals are true; `None` when the limits run out, or the conflicts.
    pub(super) fn solve(&mut self, assumptions: &[Lit], conflicts: u64) -> Result<Option<bool>, CertifyError> {
        let mut left = conflicts;
        loop {
            let turn = if self.watched.is_empty() { left } else { left.min(self.pause) };
            left -= turn;
            // The solver has the lines.
            mem::swap(&mut self.proof.lines, &mut self.pen.borrow_mut());
            let answer = self.load().and_then(|()| self.solver.solve(assumptions, turn));
            mem::swap(&mut self.proof.lines, &mut self.pen.borrow_mut());
            let answer = answer?;
            if answer.is_some() || left == 0 || self.clock.is_over() {
                return Ok(answer);
            }
            self.pause += self.pause / 2;
            self.encode_costly()?;
        }
    }

    /// Has the solver respect a bound on the objective, which the line `id` says, and no earlier one.
    pub(super) fn bound(&mut self, terms: &[(Lit, u64)], most: u64, id: Id) -> Result<(), CertifyError> {
        if !Prover::WATCHES {
            return self.proof.at_most(terms, most, &[], id);
        }
        if let Some(at) = self.watched.iter().position(|watched| watched.is_objective) {
            self.solver.forget(self.watched.swap_remove(at).sum);
        }
        self.watch(ProofLine { terms: terms.to_vec(), most, cond: Vec::new(), id }, true);
        Ok(())
    }

    /// True if a bound on the objective is watched, or has clauses that are not too many.
    pub(super) fn can_bound(terms: &[(Lit, u64)], most: u64) -> bool {
        Prover::WATCHES || size(terms, most).is_some()
    }

    fn watch(&mut self, line: ProofLine, is_objective: bool) {
        let sum = self.solver.watch(&line);
        self.watched.push(WatchedLine { line, sum, is_objective });
    }

    /// Encodes lines whose explanations take more of the proof than their clauses would.
    fn encode_costly(&mut self) -> Result<(), CertifyError> {
        let mut at = 0;
        while let Some(WatchedLine { line, sum, .. }) = self.watched.get(at) {
            let explained = self.solver.explained(*sum) / PATIENCE;
            // No encoding has fewer literals than its line.
            let is_costly = explained >= line.terms.len() as u64
                && size(&line.terms, line.most).is_some_and(|size| size.lits <= explained);
            if !is_costly {
                at += 1;
                continue;
            }
            let WatchedLine { line, sum, .. } = self.watched.swap_remove(at);
            self.solver.forget(sum);
            self.proof.at_most(&line.terms, line.most, &line.cond, line.id)?;
        }
        Ok(())
    }

    /// Hands the clauses that it does not have yet to the solver.
    fn load(&mut self) -> io::Result<()> {
        self.solver.new_vars(self.proof.cnf.n_vars())?;
        for at in self.loaded..self.proof.cnf.n_clauses() {
            self.solver.add(self.proof.cnf.clause(at), self.proof.line_of(at))?;
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
        complete(self.source, self.proof.few, self.proof.cnf.n_vars(), |lit| self.solver.is_true(lit))
    }
}

/// The size of a bound, if it has few enough clauses, whose auxiliaries stand for few enough inputs.
fn size(terms: &[(Lit, u64)], most: u64) -> Option<Size> {
    let light: Vec<(Lit, u64)> = terms.iter().copied().filter(|&(_, weight)| weight <= most).collect();
    // Folding leaves no constraint, or units.
    if most == 0 || light.iter().map(|&(_, weight)| weight).sum::<u64>() <= most {
        return Some(Size::default());
    }
    let size = if light.iter().all(|&(_, weight)| weight == 1) {
        let lits: Vec<Lit> = light.iter().map(|&(lit, _)| lit).collect();
        CardEncoding::Totalizer.plan(&Constraint::count(&lits, Relation::AtMost(most as usize)))?.size()
    } else {
        let sum = Constraint::weights(Terms::new(&light), PbRelation::AtMost(most));
        IntervalDiagram::default().budget(MOST_CLAUSES as usize / 2).plan(&sum)?.size()
    };
    let is_small = size.clauses <= MOST_CLAUSES && size.vars.saturating_mul(light.len() as u64) <= 1 << 22;
    is_small.then_some(size)
}
