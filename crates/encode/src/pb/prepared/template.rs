//! [`ClauseTemplate`]: a planned formula as a list of clauses, over variables that have no numbers yet.
//!
//! The size of an encoding of weights depends on every weight, so there is no closed form for it: the encodings of this
//! room that are built of sums write their clauses to a template, whose size is then known, and the template is copied
//! to the sink. A copy takes a few nanoseconds a clause. Within a template, input i is variable i, and auxiliaries
//! follow.

use std::convert::Infallible;

use rustsat::types::{Lit, Var};

use super::log::send;
use crate::encode::Prepared;
use crate::sink::{ClauseSink, free_variable};
use crate::size::Size;
use crate::writer::{Full, Writer};

/// A planned formula: its size is known, and it can be written.
#[derive(Clone, Debug)]
pub struct ClauseTemplate {
    /// The literals that the first variables stand for.
    inputs: Vec<Lit>,
    /// Inputs and auxiliaries.
    vars: u32,
    /// Clause after clause: twice its length, plus one if it only defines; then the indices of its literals.
    words: Vec<u32>,
    clauses: u64,
}

impl ClauseTemplate {
    /// No clauses yet about `inputs`, which become variables 0, 1, ….
    pub fn new(inputs: impl IntoIterator<Item = Lit>) -> Self {
        let inputs: Vec<Lit> = inputs.into_iter().collect();
        let vars = inputs.len() as u32;
        Self { inputs, vars, words: Vec::new(), clauses: 0 }
    }

    /// The number of clauses so far.
    pub(in crate::pb) const fn n_clauses(&self) -> u64 {
        self.clauses
    }

    /// The number of inputs.
    pub(in crate::pb) fn n_inputs(&self) -> usize {
        self.inputs.len()
    }

    /// The number of inputs and auxiliaries.
    pub(in crate::pb) const fn n_vars(&self) -> usize {
        self.vars as usize
    }

    /// No clauses about the same inputs.
    pub(in crate::pb) fn emptied(&self) -> Self {
        Self::new(self.inputs.iter().copied())
    }

    /// Adds the clauses of another template about the same inputs; its auxiliaries come after those that are there.
    pub(in crate::pb) fn append(&mut self, other: &Self) {
        let inputs = self.inputs.len() as u32;
        let shift = self.vars - inputs;
        let mut rest = &other.words[..];
        while let Some((&head, tail)) = rest.split_first() {
            let (clause, after) = tail.split_at((head >> 1) as usize);
            self.words.push(head);
            self.words.extend(clause.iter().map(|&lit| if lit / 2 < inputs { lit } else { lit + 2 * shift }));
            rest = after;
        }
        self.clauses += other.clauses;
        self.vars += other.vars - inputs;
    }

    /// Calls `found` with each clause, as indices of literals, and with true if it only defines.
    pub(in crate::pb) fn each(&self, mut found: impl FnMut(&[u32], bool)) {
        let mut rest = &self.words[..];
        while let Some((&head, tail)) = rest.split_first() {
            let (clause, after) = tail.split_at((head >> 1) as usize);
            found(clause, head & 1 == 1);
            rest = after;
        }
    }

    #[inline]
    pub(in crate::pb) fn push(&mut self, clause: &[Lit], defines: bool) {
        let known = self.vars;
        debug_assert!(free_variable(clause.iter().copied()) <= known, "{clause:?}: not below {known}");
        self.words.push((clause.len() as u32) << 1 | u32::from(defines));
        self.words.extend(clause.iter().map(|lit| lit.lidx() as u32));
        self.clauses += 1;
    }
}

/// Variables of a template are its own.
impl ClauseSink for ClauseTemplate {
    type Error = Infallible;

    #[inline]
    fn add_clause(&mut self, clause: &[Lit]) -> Result<(), Infallible> {
        self.push(clause, false);
        Ok(())
    }

    #[inline]
    fn define(&mut self, clause: &[Lit]) -> Result<(), Infallible> {
        self.push(clause, true);
        Ok(())
    }

    #[inline]
    fn new_lit(&mut self) -> Lit {
        self.vars += 1;
        Lit::positive(self.vars - 1)
    }

    fn next_var(&self) -> Var {
        Var::new(self.vars)
    }
}

impl Prepared for ClauseTemplate {
    fn size(&self) -> Size {
        Size {
            vars: u64::from(self.vars) - self.inputs.len() as u64,
            clauses: self.clauses,
            lits: self.words.len() as u64 - self.clauses,
        }
    }

    fn write(&self, to: &mut Writer<'_>) -> Result<(), Full> {
        self.copy(&self.inputs, &mut Vec::new(), to)
    }
}

impl ClauseTemplate {
    /// Writes the clauses with other inputs. `meaning` is room for the literals of all variables.
    ///
    /// # Errors
    /// When the sink takes no more.
    pub fn copy(&self, inputs: &[Lit], meaning: &mut Vec<Lit>, to: &mut Writer<'_>) -> Result<(), Full> {
        meaning.clear();
        meaning.reserve(2 * self.vars as usize);
        meaning.extend(inputs.iter().flat_map(|&lit| [lit, !lit]));
        for _ in inputs.len()..self.vars as usize {
            let lit = to.lit();
            meaning.extend([lit, !lit]);
        }
        let lit = |index: u32| meaning[index as usize];
        let mut long = Vec::new();
        let mut rest = &self.words[..];
        while let Some((&head, tail)) = rest.split_first() {
            let (clause, after) = tail.split_at((head >> 1) as usize);
            rest = after;
            send(to, head, clause, lit, &mut long)?;
        }
        Ok(())
    }
}
