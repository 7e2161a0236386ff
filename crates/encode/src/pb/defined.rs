//! [`DefinedSum`]: a sum of weights whose auxiliaries follow from the inputs, so that each assignment of these has one
//! model.
//!
//! Bounds are the roots of one interval diagram with whole if-then-elses, unless that is much larger than a binary
//! adder with sums and carries in both directions. Either way each bound is a few literals that are true together, and
//! everything else that is written only defines. A range that is one-sided takes half of each if-then-else: its
//! auxiliaries are free where the range holds. Groups are not made use of: a definition may not depend on them.

use std::collections::VecDeque;

use rustsat::types::Lit;

use super::diagrams::{Diagram, IntervalDiagram};
use crate::card::AdderInputs;
use crate::encode::{GoOn, Prepared};
use crate::sink::free_variable;
use crate::size::Size;
use crate::truth::Truth;
use crate::writer::{Full, Writer, measured};

/// Ranges of a sum, ready to be written by one structure.
#[derive(Clone, Debug)]
pub(crate) struct DefinedSum {
    terms: Vec<(Lit, u128)>,
    ranges: Vec<SumRange>,
    /// Of all bounds from above; none where digits are added.
    diagram: Option<Diagram>,
    size: Size,
}

/// A sum that is at least, or at most, so much.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SumRange {
    pub(crate) least: Option<u128>,
    pub(crate) most: Option<u128>,
    /// In a diagram, what says it is false where the sum is not in the range; where it is, it may be false, too.
    pub(crate) is_one_sided: bool,
}

impl SumRange {
    /// The bounds from above of which the first is exceeded, and the second is not.
    fn bounds(&self) -> [Option<u128>; 2] {
        [self.least.map(|least| least - 1), self.most]
    }
}

impl DefinedSum {
    /// Remainders that a diagram may look at, however small the adder is.
    const ALWAYS: u64 = 1 << 8;

    /// Plans that the weights of the true literals, which sum up to less than 2¹²⁸, are at least `least` and at most
    /// `most`, as far as there are such bounds. No bound is trivial, and variables are distinct.
    ///
    /// A node has about five variables and clauses: a diagram is at most about five times as large as the adder.
    pub(crate) fn new(terms: Vec<(Lit, u128)>, least: Option<u128>, most: Option<u128>, go_on: &mut GoOn<'_>) -> Self {
        Self::of_ranges(terms, vec![SumRange { least, most, is_one_sided: false }], go_on)
    }

    /// Plans several ranges as [`new`](Self::new) does one.
    pub(crate) fn of_ranges(terms: Vec<(Lit, u128)>, ranges: Vec<SumRange>, go_on: &mut GoOn<'_>) -> Self {
        let mut sum = Self { terms, ranges, diagram: None, size: Size::ZERO };
        sum.size = sum.measured();
        let budget = sum.size.cost().max(Self::ALWAYS) as usize;
        sum.diagram = sum.in_diagram(budget, go_on);
        if sum.diagram.is_some() {
            sum.size = sum.measured();
        }
        sum
    }

    /// True if unit propagation derives from each range what follows.
    pub(crate) const fn is_gac(&self) -> bool {
        self.diagram.is_some()
    }

    fn measured(&self) -> Size {
        measured(free_variable(self.terms.iter().map(|&(lit, _)| lit)), &mut |to| self.write(to))
    }

    /// A diagram for all bounds; none where it is over the budget, or weights have more than 64 bits.
    fn in_diagram(&self, budget: usize, go_on: &mut GoOn<'_>) -> Option<Diagram> {
        let narrow = |&(lit, weight): &(Lit, u128)| Some((lit, u64::try_from(weight).ok()?));
        let terms = self.terms.iter().map(narrow).collect::<Option<Vec<(Lit, u64)>>>()?;
        terms.iter().try_fold(0_u64, |sum, &(_, weight)| sum.checked_add(weight))?;
        let bounds = self.bounds(true).into_iter().map(|bound| u64::try_from(bound).ok());
        Diagram::sorted(
            &terms,
            &bounds.collect::<Option<Vec<u64>>>()?,
            IntervalDiagram::default().budget(budget),
            go_on,
        )
    }

    /// The bounds from above of all ranges, ascending; of those of one sum alone where it is to be `exactly` so much.
    fn bounds(&self, exactly: bool) -> Vec<u128> {
        let ranges = self.ranges.iter().filter(|range| exactly || range.least != range.most);
        let mut bounds: Vec<u128> = ranges.flat_map(SumRange::bounds).flatten().collect();
        bounds.sort_unstable();
        bounds.dedup();
        bounds
    }

    /// Defines for each range truths that are all known to be true, or are literals that are, if and only if the sum is
    /// in it; of a one-sided range, only if.
    pub(crate) fn define(&self, to: &mut Writer<'_>) -> Result<Vec<Vec<Truth>>, Full> {
        let bounds = self.bounds(self.is_gac());
        let (truths, digits) = match &self.diagram {
            Some(diagram) => {
                let mut sides = vec![[false; 2]; bounds.len()];
                for range in &self.ranges {
                    for (is_most, bound) in [false, true].into_iter().zip(range.bounds()) {
                        if let Some(at) = bound.and_then(|bound| bounds.binary_search(&bound).ok()) {
                            sides[at][0] |= is_most || !range.is_one_sided;
                            sides[at][1] |= !is_most || !range.is_one_sided;
                        }
                    }
                }
                (diagram.define(&sides, to)?, Vec::new())
            }
            None => {
                let digits = digits(to, &self.terms)?;
                (bounds.iter().map(|&bound| at_most(to, &digits, bound)).collect::<Result<_, _>>()?, digits)
            }
        };
        let at_most = |bound: u128| bounds.binary_search(&bound).ok().map(|at| truths[at]);
        let range = |range: &SumRange| match range.bounds() {
            [Some(_), Some(most)] if range.least == range.most && !self.is_gac() => equal(&digits, most),
            [less, most] => {
                less.and_then(at_most).map(|less| !less).into_iter().chain(most.and_then(at_most)).collect()
            }
        };
        Ok(self.ranges.iter().map(range).collect())
    }

    /// Makes all of these true.
    pub(crate) fn enforce(truths: &[Truth], to: &mut Writer<'_>) -> Result<(), Full> {
        truths.iter().try_for_each(|&truth| match truth {
            Truth::Known(true) => Ok(()),
            Truth::Known(false) => to.clause(&[]),
            Truth::If(lit) => to.clause(&[lit]),
        })
    }
}

impl Prepared for DefinedSum {
    fn size(&self) -> Size {
        self.size
    }

    fn write(&self, to: &mut Writer<'_>) -> Result<(), Full> {
        self.define(to)?.iter().try_for_each(|truths| Self::enforce(truths, to))
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

/// Truths that all hold if and only if a number of these digits is `sum`.
fn equal(digits: &[Option<Lit>], sum: u128) -> Vec<Truth> {
    let mut truths = Vec::new();
    let same = |(column, digit): (usize, &Option<Lit>)| match digit {
        Some(digit) => Truth::If(if bit(sum, column) { *digit } else { !*digit }),
        None => Truth::Known(!bit(sum, column)),
    };
    for truth in digits.iter().enumerate().map(same) {
        // A literal alone may be the digit of several columns.
        if !truths.contains(&truth) {
            truths.push(truth);
        }
    }
    truths.push(Truth::Known((digits.len()..128).all(|column| !bit(sum, column))));
    truths
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
            let ranges = vec![SumRange { least, most, is_one_sided: false }];
            let mut sum = DefinedSum { terms, ranges, diagram: None, size: Size::ZERO };
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
