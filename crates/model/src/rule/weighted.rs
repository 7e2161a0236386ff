//! Sums of literals with weights of either sign, as comparisons of sums and products become.

use crate::constraint::Compare;
use crate::variables::{IntVar, View};
use crate::writer::{Amounts, Encoder, Truth};
use cnfkit_core::{CapacityError, PbRelation, Terms};

/// A number and the weights of literals that are true.
#[derive(Clone, Debug, Default)]
pub(super) struct WeightedCount {
    base: i128,
    terms: Vec<(rustsat::types::Lit, u64)>,
    /// The ends of groups of terms of which at most one is true.
    ends: Vec<usize>,
}

impl WeightedCount {
    /// Adds a multiple of a variable; by its bits, if it has some and they are wanted.
    pub(super) fn add(&mut self, encoder: &Encoder<'_>, var: IntVar, factor: i64, of_bits: bool) {
        let Amounts { base, lits, is_group, .. } = encoder.amounts(var, factor, of_bits);
        self.base += base;
        let start = self.terms.len();
        self.terms.extend(lits);
        if is_group && start < self.terms.len() {
            self.ends.push(self.terms.len());
        } else {
            self.ends.extend(start + 1..=self.terms.len());
        }
    }

    /// A view by its bits.
    pub(super) fn of(encoder: &Encoder<'_>, view: View) -> Self {
        let mut sum = Self { base: view.offset.into(), ..Self::default() };
        if !view.is_constant() {
            sum.add(encoder, view.var, view.factor, true);
        }
        sum
    }

    /// A number of so many bits above `least`, of its own.
    pub(super) fn fresh(encoder: &mut Encoder<'_>, least: i64, most: i64) -> Self {
        let bits = 64 - most.abs_diff(least).leading_zeros();
        let terms: Vec<_> = (0..bits).map(|bit| (encoder.new_lit(), 1 << bit)).collect();
        let ends = (1..=terms.len()).collect();
        Self { base: least.into(), terms, ends }
    }

    /// Adds a literal with a weight that fits 64 bits.
    fn add_literal(&mut self, lit: rustsat::types::Lit, weight: i128) {
        let size = weight.unsigned_abs() as u64;
        match weight {
            0 => return,
            1.. => self.terms.push((lit, size)),
            // What is counted is that it is false.
            _ => {
                self.terms.push((!lit, size));
                self.base += weight;
            }
        }
        self.ends.push(self.terms.len());
    }

    /// Adds a multiple of another sum.
    pub(super) fn plus(mut self, other: &Self, factor: i128) -> Self {
        self.base += other.base * factor;
        for &(lit, weight) in &other.terms {
            self.add_literal(lit, i128::from(weight) * factor);
        }
        self
    }

    /// The product of two sums: a literal for each pair of literals that both are true.
    pub(super) fn times(&self, other: &Self, encoder: &mut Encoder<'_>) -> Result<Self, CapacityError> {
        let mut product = Self { base: self.base * other.base, ..Self::default() };
        for &(lit, weight) in &self.terms {
            product.add_literal(lit, i128::from(weight) * other.base);
        }
        for &(lit, weight) in &other.terms {
            product.add_literal(lit, i128::from(weight) * self.base);
        }
        for &(one, own) in &self.terms {
            for &(two, weight) in &other.terms {
                let weight = i128::from(own) * i128::from(weight);
                if one == two {
                    product.add_literal(one, weight);
                } else if one != !two {
                    let both = encoder.new_lit();
                    let (both_true, one_true, two_true) = (Truth::If(both), Truth::If(one), Truth::If(two));
                    encoder.define([!both_true, one_true])?;
                    encoder.define([!both_true, two_true])?;
                    encoder.define([both_true, !one_true, !two_true])?;
                    product.add_literal(both, weight);
                }
            }
        }
        Ok(product)
    }

    /// Says, under the condition, how the sum compares with a number.
    pub(super) fn post(&self, encoder: &mut Encoder<'_>, compare: Compare, bound: i128) -> Result<(), CapacityError> {
        let terms = Terms::grouped(&self.terms, &self.ends);
        let room = bound - self.base;
        match (u64::try_from(room), compare) {
            (Ok(room), Compare::Equal) => encoder.weights(&terms, PbRelation::Exactly(room)),
            (Ok(room), Compare::AtMost) => encoder.weights(&terms, PbRelation::AtMost(room)),
            (Err(_), Compare::AtMost) if room > 0 => Ok(()), // more than all weights together
            (Err(_), Compare::AtMost | Compare::Equal) => encoder.clause([]),
            (Err(_), Compare::Unequal) => Ok(()),
            (Ok(room), Compare::Unequal) => {
                // Fewer, or more: a literal says which.
                let fewer = encoder.new_lit();
                encoder.under(fewer, |encoder| match room.checked_sub(1) {
                    Some(most) => encoder.weights(&terms, PbRelation::AtMost(most)),
                    None => encoder.clause([]),
                })?;
                encoder.under(!fewer, |encoder| match room.checked_add(1) {
                    Some(least) => encoder.weights(&terms, PbRelation::AtLeast(least)),
                    None => encoder.clause([]),
                })
            }
        }
    }
}
