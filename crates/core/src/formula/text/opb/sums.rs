//! Sums of an OPB text as clauses, counts and sums of 64 bits.
//!
//! Wide weights are divided by what they have in common, literals that the bound decides are taken out, and weights
//! above the bound of *at least* are that bound. Where that is not enough, or weights have more than 96 bits, the sum
//! is split at [`LOW`] bits: the lower parts, with a carry in binary, make one sum, the upper parts and the carry the
//! other.

use rustsat::types::Lit;

use super::variables::OpbVariables;
use crate::constrain::Constrain;
use crate::formula::Formula;
use crate::gcd::gcd;
use crate::normal::NormalSum;
use crate::read::ReadError;
use crate::relation::{PbRelation, Relation};
use crate::sink::ClauseSink;
use crate::words::Word;
use crate::{CardEncoding, PbEncoding};

/// Weighted literals. As many weights below 2⁹⁶ as memory holds sum up to less than 2¹²⁷.
pub(super) type OpbTerms = Vec<(Lit, i128)>;

/// The bits of weights that go into the lower of two sums.
const LOW: u32 = 32;

/// The lowest [`LOW`] bits of a number, and those above.
pub(super) const fn split(number: u128) -> [u128; 2] {
    [number % (1 << LOW), number >> LOW]
}

/// Positive weights of distinct variables, and a bound.
struct PositiveSum {
    terms: Vec<(Lit, u128)>,
    bound: u128,
}

/// Adds sums to a formula, as they stand at a place of a text.
pub(super) struct OpbSums<'a> {
    pub(super) formula: &'a mut Formula,
    pub(super) variables: &'a mut OpbVariables,
    /// The place.
    pub(super) start: &'a Word,
}

impl OpbSums<'_> {
    /// Adds that the weighted sum, which has a lower and an upper part as `value` has, is that value or at least that.
    pub(super) fn add(
        &mut self,
        [terms, upper]: [OpbTerms; 2],
        value: [i128; 2],
        exactly: bool,
    ) -> Result<(), ReadError> {
        if upper.is_empty() && value[1] == 0 {
            return self.either(terms, value[0], exactly);
        }
        self.in_two_parts(&terms, upper, value, exactly)
    }

    /// Adds that the weighted sum is `value`.
    fn exactly(&mut self, terms: OpbTerms, value: i128) -> Result<(), ReadError> {
        let NormalSum { offset, terms } = NormalSum::new(terms);
        let total = sum(&terms);
        let Some(bound) = u128::try_from(value - offset).ok().filter(|&bound| bound <= total) else {
            return Ok(self.formula.add_clause(&[])?);
        };
        let Some(&(_, weight)) = terms.first() else { return Ok(()) };
        if terms.iter().any(|&(_, other)| other != weight) {
            if let Some((terms, bound, _)) = narrowed(&terms, bound, total) {
                return Ok(self.formula.pb(&terms, PbRelation::Exactly(bound), &PbEncoding::Auto)?);
            }
            return self.wide(PositiveSum { terms, bound }, true);
        }
        let lits: Vec<Lit> = terms.iter().map(|&(lit, _)| lit).collect();
        match usize::try_from(bound / weight) {
            Ok(k) if bound % weight == 0 => self.formula.exactly(&lits, k, &CardEncoding::Auto)?,
            _ => self.formula.add_clause(&[])?,
        }
        Ok(())
    }

    /// Adds that the weighted sum is at least `value`.
    fn at_least(&mut self, terms: OpbTerms, value: i128) -> Result<(), ReadError> {
        let NormalSum { offset, mut terms } = NormalSum::new(terms);
        let bound = u128::try_from(value - offset).unwrap_or(0);
        if bound == 0 {
            return Ok(());
        }
        terms.iter_mut().for_each(|(_, weight)| *weight = bound.min(*weight));
        let total = sum(&terms);
        let mut others = terms.iter().filter(|&&(_, weight)| weight < bound);
        let weight = others.next().map_or(bound, |&(_, weight)| weight);
        if others.any(|&(_, other)| other != weight) {
            if bound > total {
                return Ok(self.formula.add_clause(&[])?);
            }
            if let Some((terms, bound, negated)) = narrowed(&terms, bound, total) {
                let relation = if negated { PbRelation::AtMost(bound) } else { PbRelation::AtLeast(bound) };
                return Ok(self.formula.pb(&terms, relation, &PbEncoding::Auto)?);
            }
            return self.wide(PositiveSum { terms, bound }, false);
        }
        let (enough, lits): (Vec<_>, Vec<_>) = terms.iter().partition(|&&(_, term)| term == bound);
        let [escape, lits] = [enough, lits].map(|part| part.into_iter().map(|&(lit, _)| lit).collect::<Vec<Lit>>());
        if lits.is_empty() {
            return Ok(self.formula.add_clause(&escape)?);
        }
        let relation = Relation::AtLeast(usize::try_from(bound.div_ceil(weight)).unwrap_or(usize::MAX));
        let cond: Vec<Lit> = escape.iter().map(|&lit| !lit).collect();
        Ok(self.formula.when(&cond).cardinality(&lits, relation, &CardEncoding::Auto)?)
    }

    /// Adds a sum that does not fit 64 bits: smaller, where that is possible, or in two parts.
    fn wide(&mut self, mut sum: PositiveSum, exactly: bool) -> Result<(), ReadError> {
        match self.reduced(&mut sum, exactly)? {
            None => Ok(()),
            Some(true) => self.either(signed(&sum.terms), sum.bound as i128, exactly),
            Some(false) => self.in_two_parts(&signed(&sum.terms), OpbTerms::new(), [sum.bound as i128, 0], exactly),
        }
    }

    fn either(&mut self, terms: OpbTerms, value: i128, exactly: bool) -> Result<(), ReadError> {
        if exactly { self.exactly(terms, value) } else { self.at_least(terms, value) }
    }

    /// Divides the weights by what they have in common, and takes literals out that the bound decides: true if that
    /// made the sum smaller, none if nothing is left to say.
    fn reduced(&mut self, sum: &mut PositiveSum, exactly: bool) -> Result<Option<bool>, ReadError> {
        let n_terms = sum.terms.len();
        let common = sum.terms.iter().fold(0, |common, &(_, weight)| gcd(common, weight));
        if common > 1 {
            let bound = sum.bound.div_ceil(common);
            if exactly && bound * common != sum.bound {
                self.formula.add_clause(&[])?;
                return Ok(None);
            }
            sum.terms.iter_mut().for_each(|(_, weight)| *weight /= common);
            sum.bound = bound;
        }
        // What the others lack has to come from this one; of *exactly*, what is more than all may not come.
        let room = self::sum(&sum.terms) - sum.bound;
        let decided = |&(lit, weight): &(Lit, u128)| {
            if weight > room { Some(lit) } else { (exactly && weight > sum.bound).then_some(!lit) }
        };
        let units: Vec<Lit> = sum.terms.iter().filter_map(decided).collect();
        units.iter().try_for_each(|&unit| self.formula.add_clause(&[unit]))?;
        let mut taken = 0;
        sum.terms.retain(|&(_, weight)| {
            let is_true = weight > room;
            taken += if is_true { weight } else { 0 };
            !(is_true || exactly && weight > sum.bound)
        });
        // More than the bound in all: then no solution is left, which the smaller sum says.
        if exactly && taken > sum.bound {
            self.formula.add_clause(&[])?;
            return Ok(None);
        }
        sum.bound = sum.bound.saturating_sub(taken);
        Ok(Some(common > 1 || sum.terms.len() < n_terms))
    }

    /// Of *low + 2³² · high ≥ bound*: *low* + 2³² − *the bound's low part* is a number whose bits above the 32nd, less
    /// one, are what *low* brings to *high*. The bits below are zero where the bound is met exactly.
    ///
    /// The terms are split, and `upper` has more of what is high.
    fn in_two_parts(
        &mut self,
        terms: &[(Lit, i128)],
        mut upper: OpbTerms,
        [bound, above]: [i128; 2],
        exactly: bool,
    ) -> Result<(), ReadError> {
        const UNIT: i128 = 1 << LOW;
        let low = |number: i128| number.rem_euclid(UNIT);
        let high = |number: i128| number.div_euclid(UNIT);
        let mut lower: OpbTerms = terms.iter().map(|&(lit, weight)| (lit, low(weight))).collect();
        upper.extend(terms.iter().map(|&(lit, weight)| (lit, high(weight))));
        let most = lower.iter().map(|&(_, weight)| weight).sum::<i128>() + UNIT - low(bound);
        let from = if exactly { LOW } else { 0 };
        for bit in from..i128::BITS - most.leading_zeros() {
            let digit = self.variables.auxiliary(self.start, self.formula)?;
            lower.push((digit, -(1 << bit)));
            if bit >= LOW {
                upper.push((digit, 1 << (bit - LOW)));
            }
        }
        self.exactly(lower, low(bound) - UNIT)?;
        self.either(upper, high(bound) + above + 1, exactly)
    }
}

fn sum(terms: &[(Lit, u128)]) -> u128 {
    terms.iter().map(|&(_, weight)| weight).sum()
}

fn signed(terms: &[(Lit, u128)]) -> OpbTerms {
    terms.iter().map(|&(lit, weight)| (lit, weight as i128)).collect()
}

/// Positive weights and a bound in 64 bits: as they are, or (`true`) those of the negated literals, whose sum is what
/// is left of `total`. None where neither fits.
fn narrowed(terms: &[(Lit, u128)], bound: u128, total: u128) -> Option<(Vec<(Lit, u64)>, u64, bool)> {
    let narrow = |bound: u128, negated: bool| {
        let bound = u64::try_from(bound).ok()?;
        let term = |&(lit, weight): &(Lit, u128)| Some((if negated { !lit } else { lit }, u64::try_from(weight).ok()?));
        Some((terms.iter().map(term).collect::<Option<Vec<_>>>()?, bound, negated))
    };
    narrow(bound, false).or_else(|| narrow(total - bound, true))
}
