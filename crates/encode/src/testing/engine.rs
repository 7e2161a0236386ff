//! [`Engine`]: unit propagation, and a search, on the clauses of a [`Recorder`].

use rustsat::types::Lit;

use super::Recorder;
use crate::ClauseSink;

/// Unit propagation with undo, and a search for the variables that it leaves open.
#[derive(Debug)]
pub struct Engine {
    clauses: Vec<Vec<Lit>>,
    /// The clauses in which a literal occurs, by literal.
    occurs: Vec<Vec<usize>>,
    value: Vec<Option<bool>>,
    trail: Vec<Lit>,
    /// Unit propagation of the clauses alone found a contradiction.
    pub(super) broken: bool,
}

impl Engine {
    /// Takes the clauses that were recorded and propagates those of one literal.
    #[must_use]
    pub fn new(recorder: &Recorder) -> Self {
        let n_vars = recorder.next_var().idx();
        let clauses = recorder.clauses.clone();
        let mut occurs = vec![Vec::new(); 2 * n_vars];
        for (index, clause) in clauses.iter().enumerate() {
            clause.iter().for_each(|lit| occurs[lit.lidx()].push(index));
        }
        let mut engine = Self { clauses, occurs, value: vec![None; n_vars], trail: Vec::new(), broken: false };
        for index in 0..engine.clauses.len() {
            engine.broken |= !(engine.visit(index) && engine.propagate(0));
        }
        engine
    }

    /// The value that `lit` has, if it has one.
    #[must_use]
    pub fn value(&self, lit: Lit) -> Option<bool> {
        self.value[lit.vidx()].map(|value| value == lit.is_pos())
    }

    fn set(&mut self, lit: Lit) {
        self.value[lit.vidx()] = Some(lit.is_pos());
        self.trail.push(lit);
    }

    /// False when the clause is falsified; sets its last open literal.
    fn visit(&mut self, index: usize) -> bool {
        let mut open = None;
        for &lit in &self.clauses[index] {
            match self.value(lit) {
                Some(true) => return true,
                Some(false) => {}
                None if open.is_some() => return true,
                None => open = Some(lit),
            }
        }
        open.is_some_and(|lit| {
            self.set(lit);
            true
        })
    }

    fn propagate(&mut self, mut from: usize) -> bool {
        while let Some(&lit) = self.trail.get(from) {
            from += 1;
            for at in 0..self.occurs[(!lit).lidx()].len() {
                if !self.visit(self.occurs[(!lit).lidx()][at]) {
                    return false;
                }
            }
        }
        true
    }

    /// Assigns `lit` and propagates; false on a contradiction. Undo with [`Self::undo`] to the mark in any case.
    pub fn assume(&mut self, lit: Lit) -> bool {
        if self.broken {
            return false;
        }
        match self.value(lit) {
            Some(value) => value,
            None => {
                let from = self.trail.len();
                self.set(lit);
                self.propagate(from)
            }
        }
    }

    /// How much is assigned now, for [`undo`](Self::undo).
    #[must_use]
    pub fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Takes back all values that were assigned after the mark.
    pub fn undo(&mut self, mark: usize) {
        for lit in self.trail.drain(mark..) {
            self.value[lit.vidx()] = None;
        }
    }

    /// True if the clauses can be satisfied from here.
    pub fn satisfiable(&mut self) -> bool {
        if self.broken {
            return false;
        }
        let open = self.clauses.iter().find(|clause| !clause.iter().any(|&lit| self.value(lit) == Some(true)));
        let Some(open) = open else { return true };
        let lit = *open.iter().find(|&&lit| self.value(lit).is_none()).expect("propagated");
        let mark = self.mark();
        [lit, !lit].into_iter().any(|lit| {
            let sat = self.assume(lit) && self.satisfiable();
            self.undo(mark);
            sat
        })
    }

    /// The number of assignments of the variables from `first` on that satisfy the clauses from here.
    pub fn count(&mut self, first: usize) -> usize {
        if self.broken {
            return 0;
        }
        let Some(open) = (first..self.value.len()).find(|&var| self.value[var].is_none()) else {
            return usize::from(self.satisfiable());
        };
        let mark = self.mark();
        let lit = Lit::positive(open as u32);
        [lit, !lit]
            .into_iter()
            .map(|lit| {
                let count = if self.assume(lit) { self.count(first) } else { 0 };
                self.undo(mark);
                count
            })
            .sum()
    }
}
