//! Constraints as most texts have them, `+3 x1 -2 ~x7 >= 4 ;`: numbers below 10¹⁸, one variable a weight, by its
//! number, and spaces between. They are read and added without a [`Word`](crate::words::Word) and without memory;
//! whatever else a constraint has, the reader of words takes over from there.

use rustsat::types::Lit;

use super::variables::OpbVariables;
use crate::constrain::Constrain;
use crate::constraint::{Constraint, Terms};
use crate::formula::Formula;
use crate::read::ReadError;
use crate::relation::PbRelation;
use crate::sink::ClauseSink;
use crate::words::Ahead;
use crate::{CardEncoding, PbEncoding};

/// A relation, and the bound on its right side.
#[derive(Clone, Copy)]
pub(super) struct PlainBound {
    /// `<=` or `<`, `=`, or `>=` or `>`.
    pub(super) relation: u8,
    /// The least sum that is meant, or the greatest, or the one.
    pub(super) value: i64,
}

/// A weight and its literal. Nothing is ahead but another weight or a relation.
#[inline]
pub(super) fn plain_term(ahead: &mut Ahead<'_>, variables: &mut OpbVariables) -> Option<(Lit, i64)> {
    ahead.pass_space();
    let is_negative = ahead.takes_sign();
    let weight = ahead.digits()?.cast_signed();
    if ahead.byte() != b' ' {
        return None;
    }
    ahead.pass_space();
    let is_negated = ahead.takes(b'~');
    if !ahead.takes(b'x') || !matches!(ahead.byte(), b'1'..=b'9') {
        return None;
    }
    let number = ahead.digits()?;
    let is_whole = matches!(ahead.byte(), b' ' | b'\n');
    ahead.pass_space();
    if !is_whole || !matches!(ahead.byte(), b'+' | b'-' | b'0'..=b'9' | b'<'..=b'>' | b';') {
        return None;
    }
    Some((variables.plain(number)?.lit(is_negated), if is_negative { -weight } else { weight }))
}

/// A relation, a bound, and the end of the constraint.
pub(super) fn plain_bound(ahead: &mut Ahead<'_>) -> Option<PlainBound> {
    ahead.pass_space();
    let relation = ahead.byte();
    if relation != b'=' {
        ahead.takes(relation);
    }
    let is_strict = !ahead.takes(b'=');
    if !matches!(relation, b'<'..=b'>') || ahead.byte() != b' ' {
        return None;
    }
    ahead.pass_space();
    let is_negative = ahead.takes_sign();
    let value = ahead.digits()?.cast_signed();
    ahead.pass_space();
    let sign = if is_negative { -1 } else { 1 };
    let strict = i64::from(is_strict) * (i64::from(relation == b'>') - i64::from(relation == b'<'));
    ahead.takes(b';').then_some(PlainBound { relation, value: sign * value + strict })
}

/// The terms of a constraint, in buffers that are kept.
#[derive(Default)]
pub(super) struct PlainTerms {
    pub(super) given: Vec<(Lit, i64)>,
    positive: Vec<(Lit, u64)>,
    lits: Vec<Lit>,
}

/// A constraint of plain terms.
#[derive(Clone, Copy)]
pub(super) enum PlainSum {
    /// A clause where it is 1.
    AtLeast(usize),
    Exactly(usize),
    Weights(PbRelation),
}

impl PlainTerms {
    /// The constraint that these terms with this bound are. None where variables repeat, where weights are 0, where
    /// literals satisfy the constraint alone and others are counted, or where sums are large or none is as bounded.
    pub(super) fn tell(&mut self, bound: PlainBound) -> Option<PlainSum> {
        let sign = if bound.relation == b'<' { -1 } else { 1 };
        let (mut below, mut total) = (0_u64, 0_u64);
        self.positive.clear();
        for &(lit, weight) in &self.given {
            let weight = sign * weight;
            total = total.checked_add(weight.unsigned_abs())?;
            below += if weight < 0 { weight.unsigned_abs() } else { 0 };
            self.positive.push((if weight < 0 { !lit } else { lit }, weight.unsigned_abs()));
        }
        let is_ascending = |terms: &[(Lit, u64)]| terms.windows(2).all(|pair| pair[0].0.var() < pair[1].0.var());
        if !is_ascending(&self.positive) {
            self.positive.sort_unstable();
        }
        let need = u64::try_from(i128::from(sign * bound.value) + i128::from(below)).ok().filter(|&need| need > 0)?;
        if need > total || !is_ascending(&self.positive) {
            return None;
        }
        let is_exact = bound.relation == b'=';
        let (mut least, mut most) = (u64::MAX, 0);
        for (_, weight) in &mut self.positive {
            *weight = if is_exact { *weight } else { need.min(*weight) };
            (least, most) = (least.min(*weight), most.max(*weight));
        }
        if least == 0 {
            return None;
        }
        if least < most {
            // Of weights below the bound, two that differ.
            let mut below = self.positive.iter().map(|&(_, weight)| weight).filter(|&weight| weight < need);
            let is_sum = is_exact || most < need || below.any(|weight| weight > least);
            let relation = if is_exact { PbRelation::Exactly(need) } else { PbRelation::AtLeast(need) };
            return is_sum.then_some(PlainSum::Weights(relation));
        }
        let count = usize::try_from(need.div_ceil(most)).ok()?;
        if is_exact {
            return need.is_multiple_of(most).then_some(PlainSum::Exactly(count));
        }
        Some(PlainSum::AtLeast(count))
    }

    /// Adds the constraint that these terms are.
    pub(super) fn add(&mut self, sum: PlainSum, formula: &mut Formula) -> Result<(), ReadError> {
        let Self { positive, lits, .. } = self;
        lits.clear();
        if !matches!(sum, PlainSum::Weights(_)) {
            lits.extend(positive.iter().map(|&(lit, _)| lit));
        }
        match sum {
            PlainSum::AtLeast(1) => formula.add_clause(lits)?,
            PlainSum::AtLeast(count) => formula.at_least(&*lits, count, &CardEncoding::Auto)?,
            PlainSum::Exactly(count) => formula.exactly(&*lits, count, &CardEncoding::Auto)?,
            PlainSum::Weights(relation) => {
                formula.post(&Constraint::weights(Terms::new(positive), relation), PbEncoding::Auto)?;
            }
        }
        Ok(())
    }
}
