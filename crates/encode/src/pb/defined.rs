//! [`DefinedSum`]: a sum of weights whose auxiliaries follow from the inputs, so that each assignment of these has one
//! model.
//!
//! A bound is an interval diagram with whole if-then-elses, unless that is much larger than a binary adder with sums
//! and carries in both directions. Either way the bound is a few literals that are true together, and everything else
//! that is written only defines. Groups are not made use of: a definition may not depend on them.

use std::collections::VecDeque;

use rustsat::types::Lit;

use super::diagrams::{Diagram, IntervalDiagram};
use crate::card::AdderInputs;
use crate::encode::{GoOn, Prepared};
use crate::sink::free_variable;
use crate::size::Size;
use crate::truth::Truth;
use crate::writer::{Full, Writer, measured};

/// A sum that is at least, or at most, so much, ready to be written.
#[derive(Clone, Debug)]
pub(crate) struct DefinedSum {
    terms: Vec<(Lit, u128)>,
    least: Option<u128>,
    most: Option<u128>,
    /// Of the sum at most `least` − 1, and at most `most`; none where digits are added.
    diagrams: Vec<Diagram>,
    size: Size,
}

impl DefinedSum {
    /// Remainders that a diagram may look at, however small the adder is.
    const ALWAYS: u64 = 1 << 8;

    /// Plans that the weights of the true literals, which sum up to less than 2¹²⁸, are at least `least` and at most
    /// `most`, as far as there are such bounds. No bound is trivial, and variables are distinct.
    ///
    /// A node has about five variables and clauses: a diagram is at most about five times as large as the adder.
    pub(crate) fn new(terms: Vec<(Lit, u128)>, least: Option<u128>, most: Option<u128>, go_on: &mut GoOn<'_>) -> Self {
        let mut sum = Self { terms, least, most, diagrams: Vec::new(), size: Size::ZERO };
        sum.size = sum.measured();
        let budget = sum.size.cost().max(Self::ALWAYS) as usize;
        if let Some(diagrams) = sum.in_diagrams(budget, go_on) {
            sum.diagrams = diagrams;
            sum.size = sum.measured();
        }
        sum
    }

    fn measured(&self) -> Size {
        measured(free_variable(self.terms.iter().map(|&(lit, _)| lit)), &mut |to| self.write(to))
    }

    /// A diagram for each bound; none where they are over the budget, or weights have more than 64 bits.
    fn in_diagrams(&self, budget: usize, go_on: &mut GoOn<'_>) -> Option<Vec<Diagram>> {
        let narrow = |&(lit, weight): &(Lit, u128)| Some((lit, u64::try_from(weight).ok()?));
        let terms = self.terms.iter().map(narrow).collect::<Option<Vec<(Lit, u64)>>>()?;
        terms.iter().try_fold(0_u64, |sum, &(_, weight)| sum.checked_add(weight))?;
        let bounds = [self.least.map(|least| least - 1), self.most].into_iter().flatten();
        let options = IntervalDiagram::default().budget(budget);
        bounds.map(|bound| Diagram::sorted(&terms, u64::try_from(bound).ok()?, options, go_on)).collect()
    }

    /// Defines truths that are all known to be true, or are literals that are, if and only if the bounds are kept.
    pub(crate) fn define(&self, to: &mut Writer<'_>) -> Result<Vec<Truth>, Full> {
        let mut truths = Vec::new();
        if let Some(first) = self.diagrams.first() {
            if self.least.is_some() {
                truths.push(!first.define(to)?);
            }
            if let (Some(_), Some(last)) = (self.most, self.diagrams.last()) {
                truths.push(last.define(to)?);
            }
            return Ok(truths);
        }
        let digits = digits(to, &self.terms)?;
        if self.least == self.most {
            let bound = self.most.unwrap_or(0);
            let same = |(column, digit): (usize, &Option<Lit>)| match digit {
                Some(digit) => Truth::If(if bit(bound, column) { *digit } else { !*digit }),
                None => Truth::Known(!bit(bound, column)),
            };
            for truth in digits.iter().enumerate().map(same) {
                // A literal alone may be the digit of several columns.
                if !truths.contains(&truth) {
                    truths.push(truth);
                }
            }
            truths.push(Truth::Known((digits.len()..128).all(|column| !bit(bound, column))));
            return Ok(truths);
        }
        if let Some(least) = self.least {
            truths.push(!at_most(to, &digits, least - 1)?);
        }
        if let Some(most) = self.most {
            truths.push(at_most(to, &digits, most)?);
        }
        Ok(truths)
    }
}

impl Prepared for DefinedSum {
    fn size(&self) -> Size {
        self.size
    }

    fn write(&self, to: &mut Writer<'_>) -> Result<(), Full> {
        let truths = self.define(to)?;
        truths.into_iter().try_for_each(|truth| match truth {
            Truth::Known(true) => Ok(()),
            Truth::Known(false) => to.clause(&[]),
            Truth::If(lit) => to.clause(&[lit]),
        })
    }
}

const fn bit(number: u128, column: usize) -> bool {
    column < 128 && number >> column & 1 == 1
}

/// The binary digits of the sum, the lowest first; `None` for those that are 0.
fn digits(to: &mut Writer<'_>, terms: &[(Lit, u128)]) -> Result<Vec<Option<Lit>>, Full> {
    let mut columns: Vec<VecDeque<Lit>> = Vec::new();
    let push = |columns: &mut Vec<VecDeque<Lit>>, column: usize, lit: Lit| {
        if column >= columns.len() {
            columns.resize_with(column + 1, VecDeque::new);
        }
        columns[column].push_back(lit);
    };
    for &(lit, weight) in terms {
        (0..128).filter(|&column| bit(weight, column)).for_each(|column| push(&mut columns, column, lit));
    }
    let mut digits = Vec::new();
    while digits.len() < columns.len() {
        let column = digits.len();
        while columns[column].len() > 1 {
            let (Some(a), Some(b)) = (columns[column].pop_front(), columns[column].pop_front()) else { break };
            let third = columns[column].pop_front();
            let (sum, carry) = AdderInputs { a, b, third }.add(to)?;
            columns[column].push_back(sum);
            push(&mut columns, column + 1, carry);
        }
        digits.push(columns[column].pop_front());
    }
    Ok(digits)
}

/// Defines that a number of these digits is at most `bound`: from the lowest digit up, the last that differs decides.
fn at_most(to: &mut Writer<'_>, digits: &[Option<Lit>], bound: u128) -> Result<Truth, Full> {
    let mut lower = Truth::Known(true);
    for (column, digit) in digits.iter().enumerate() {
        lower = match (bit(bound, column), digit) {
            (true, None) => Truth::Known(true),
            (false, None) => lower,
            (true, Some(digit)) => !and(to, *digit, !lower)?,
            (false, Some(digit)) => and(to, !*digit, lower)?,
        };
    }
    Ok(if (digits.len()..128).any(|column| bit(bound, column)) { Truth::Known(true) } else { lower })
}

/// Defines that both are true.
fn and(to: &mut Writer<'_>, one: Lit, other: Truth) -> Result<Truth, Full> {
    let other = match other {
        Truth::Known(true) => return Ok(Truth::If(one)),
        Truth::If(other) if other == one => return Ok(Truth::If(one)),
        Truth::If(other) if other != !one => other,
        _ => return Ok(Truth::Known(false)),
    };
    let both = to.lit();
    to.define(&[!both, one])?;
    to.define(&[!both, other])?;
    to.define(&[!one, !other, both])?;
    Ok(Truth::If(both))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::Constraint;
    use crate::encode::{Encoding, Plan};
    use crate::testing::check_one_model;

    /// Sums by their digits, however small a diagram is.
    struct Digits;

    impl Encoding for Digits {
        fn plan(&self, constraint: &Constraint<'_>) -> Option<Plan<'_>> {
            let (terms, relation) = constraint.weighted()?;
            let terms = terms.all().iter().map(|&(lit, weight)| (lit, weight.into())).collect();
            let (least, most) = (relation.least().map(u128::from), relation.most().map(u128::from));
            let mut sum = DefinedSum { terms, least, most, diagrams: Vec::new(), size: Size::ZERO };
            sum.size = sum.measured();
            Some(Plan::of_terms(sum))
        }

        fn one_model(&self) -> bool {
            true
        }
    }

    #[test]
    fn digits_follow_from_the_inputs() {
        check_one_model(&Digits);
    }
}
