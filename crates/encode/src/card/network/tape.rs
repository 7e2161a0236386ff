//! The clauses of a small sorter or merge, to be emitted again with other literals.

use rustsat::types::Lit;

use super::wire::{Conjunctions, Wire};
use crate::Cnf;
use crate::writer::{Full, Writer};

/// Clauses that define, over inputs 0, 1, … and the variables after them.
#[derive(Clone, Debug)]
pub(super) struct Tape {
    clauses: Cnf,
    /// Variables beside the inputs.
    vars: usize,
    outputs: Vec<Wire>,
    conjunctions: Conjunctions,
    /// The index of the first output.
    pub(super) lo: u32,
}

impl Tape {
    pub(super) fn new(inputs: usize, clauses: Cnf, outputs: &[Wire], conjunctions: Conjunctions, lo: u32) -> Self {
        Self { vars: clauses.n_vars() - inputs, clauses, outputs: outputs.to_vec(), conjunctions, lo }
    }

    /// Emits the clauses; `stand_ins` are what stands for the inputs, each followed by its negation, and get what
    /// stands for the variables.
    pub(super) fn play(
        &self,
        to: &mut Writer<'_>,
        stand_ins: &mut Vec<Lit>,
        clause: &mut Vec<Lit>,
    ) -> Result<(), Full> {
        stand_ins.reserve(2 * self.vars);
        for _ in 0..self.vars {
            let lit = to.lit();
            stand_ins.extend([lit, !lit]);
        }
        let stand_ins = stand_ins.as_slice();
        let here = |lit: Lit| stand_ins[lit.lidx()];
        for lits in self.clauses.clauses() {
            match *lits {
                [a, b] => to.define(&[here(a), here(b)])?,
                [a, b, c] => to.define(&[here(a), here(b), here(c)])?,
                _ => {
                    clause.clear();
                    clause.extend(lits.iter().map(|&lit| here(lit)));
                    to.define(clause)?;
                }
            }
        }
        Ok(())
    }

    /// The outputs, with what stands for them.
    pub(super) fn outputs(&self, stand_ins: &[Lit], wires: &mut Vec<Wire>, conjunctions: &mut Conjunctions) {
        let here = |lit: Lit| stand_ins[lit.lidx()];
        wires.extend(self.outputs.iter().map(|&wire| match wire.single() {
            Some(lit) => here(lit).into(),
            None => conjunctions.take(wire, &self.conjunctions, here),
        }));
    }
}
