//! Values of the auxiliaries that vanished, from values of all other variables.
//!
//! What the other variables imply through clauses of two comes first. Then each auxiliary without a value gets the one
//! that goes with the others of its cluster. In the end the blocked clauses come back, the last one first: one that is
//! not satisfied makes the literal true that it is blocked on, and no clause minds.

use rustsat::types::{Assignment, Lit, TernaryVal};

use super::conflicts::NumberLists;
use crate::cnf::Cnf;

/// The data from which the values of auxiliaries that vanished are found.
#[derive(Clone, Debug, Default)]
pub(super) struct Completion {
    /// The auxiliaries, sorted by variable, each with the sign of its value where nothing decides it.
    pub(super) values: Vec<Lit>,
    /// Positions of their clauses of two.
    pub(super) pairs: Vec<u32>,
    /// Their blocked clauses in the order in which they were left out, each behind the literal it is blocked on.
    pub(super) blocked: Vec<Vec<Lit>>,
}

impl Completion {
    /// The position of an auxiliary literal: twice that of its variable, plus one if it is negated.
    fn place(&self, lit: Lit) -> Option<u32> {
        let at = self.values.binary_search_by_key(&lit.var(), |value| value.var()).ok()?;
        Some(2 * at as u32 + u32::from(lit.is_neg()))
    }

    /// Gives the auxiliaries values under which all clauses of `cnf` hold that have one of them. Other variables of
    /// these clauses become false if they have no value.
    pub(super) fn complete(&self, cnf: &Cnf, values: &mut Assignment) {
        let mut given: Vec<Option<bool>> = vec![None; self.values.len()];
        let pairs = self.pairs.iter().flat_map(|&position| cnf.clause(position as usize));
        for &lit in pairs.chain(self.blocked.iter().flatten()) {
            if values.lit_value(lit) == TernaryVal::DontCare {
                values.assign_var(lit.var(), TernaryVal::False);
            }
        }
        let mut trail: Vec<u32> = Vec::new();
        let mut implications: Vec<(u32, u32)> = Vec::new();
        for &position in &self.pairs {
            let clause = cnf.clause(position as usize);
            let (first, last) = (clause[0], clause[clause.len() - 1]);
            let other = clause.iter().copied().find(|&lit| lit != first).unwrap_or(last);
            match (self.place(first), self.place(other)) {
                (Some(a), Some(b)) => implications.extend([(a ^ 1, b), (b ^ 1, a)]),
                (Some(aux), None) if !is_true(values, other) => trail.push(aux),
                (None, Some(aux)) if !is_true(values, first) => trail.push(aux),
                _ => {}
            }
        }
        let implied = NumberLists::of_pairs(2 * self.values.len(), implications.iter().copied());
        while let Some(lit) = trail.pop() {
            let value = &mut given[lit as usize / 2];
            if value.is_none() {
                *value = Some(lit % 2 == 0);
                trail.extend_from_slice(implied.get(lit));
            }
        }
        for (&value, given) in self.values.iter().zip(given) {
            let lit = given.map_or(value, |given| value.var().lit(!given));
            values.assign_lit(lit);
        }
        for clause in self.blocked.iter().rev() {
            if !clause.iter().any(|&lit| is_true(values, lit)) {
                values.assign_lit(clause[0]);
            }
        }
    }
}

fn is_true(values: &Assignment, lit: Lit) -> bool {
    values.lit_value(lit) == TernaryVal::True
}
