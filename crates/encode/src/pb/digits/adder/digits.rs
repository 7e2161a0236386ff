//! Weights as digits: which literals stand in which column.

use rustsat::types::Lit;

use crate::constraint::Terms;

/// A bit of the sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bit {
    /// A literal.
    Lit(Lit),
    /// The disjunction of this number in [`SumDigits::any`].
    Any(u32),
}

/// A sum of weights as bits: Σ 2ⁱ · (true bits of column i) is the sum of the weights plus `offset`.
#[derive(Clone, Debug, Default)]
pub(super) struct SumDigits {
    /// The bits of each column.
    pub(super) columns: Vec<Vec<Bit>>,
    /// The literals of all disjunctions, at least two of each.
    pub(super) literals: Vec<Lit>,
    /// The end of each disjunction in `literals`.
    pub(super) ends: Vec<usize>,
    /// The sum of the bits when no input is true.
    pub(super) offset: u128,
}

/// Where a weight has the digits 1 and −1: in the non-adjacent form if that has fewer digits than binary.
fn signed_digits(weight: u64) -> (u128, u128) {
    let (binary, thrice) = (u128::from(weight), 3 * u128::from(weight));
    let nonadjacent = ((thrice & !binary) >> 1, (binary & !thrice) >> 1);
    let fewer = nonadjacent.0.count_ones() + nonadjacent.1.count_ones() < binary.count_ones();
    if fewer { nonadjacent } else { (binary, 0) }
}

/// True if some weight has fewer digits when −1 is one.
pub(super) fn gains_by_sign(terms: &Terms<'_>) -> bool {
    !terms.is_grouped() && terms.all().iter().any(|&(_, weight)| signed_digits(weight).1 != 0)
}

/// The columns of the digits in a number.
fn columns_of(mut number: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let column = (number != 0).then(|| number.trailing_zeros() as usize);
        number &= number.wrapping_sub(1);
        column
    })
}

impl SumDigits {
    /// The digits of all weights; with digits −1 where that saves some, if `signed`.
    pub(super) fn new(terms: &Terms<'_>, signed: bool) -> Self {
        let mut digits = Self::default();
        for group in terms.groups() {
            match group {
                &[(lit, weight)] if signed && !terms.is_grouped() => digits.weight(lit, signed_digits(weight)),
                &[(lit, weight)] => digits.weight(lit, (weight.into(), 0)),
                group => digits.group(group),
            }
        }
        digits
    }

    /// The digits of weights of up to 128 bits, in binary.
    pub(super) fn wide(terms: &[(Lit, u128)]) -> Self {
        let mut digits = Self::default();
        terms.iter().for_each(|&(lit, weight)| digits.weight(lit, (weight, 0)));
        digits
    }

    fn push(&mut self, column: usize, bit: Bit) {
        if column >= self.columns.len() {
            self.columns.resize_with(column + 1, Vec::new);
        }
        self.columns[column].push(bit);
    }

    fn weight(&mut self, lit: Lit, (plus, minus): (u128, u128)) {
        columns_of(plus).for_each(|column| self.push(column, Bit::Lit(lit)));
        columns_of(minus).for_each(|column| self.push(column, Bit::Lit(!lit)));
        self.offset += minus;
    }

    /// Of a group at most one literal is true: a digit is the disjunction of the literals that have it.
    fn group(&mut self, group: &[(Lit, u64)]) {
        let first = self.ends.len();
        let all = group.iter().fold(0, |all, &(_, weight)| all | weight);
        for column in columns_of(u128::from(all)) {
            let start = self.literals.len();
            let having = group.iter().filter(|&&(_, weight)| weight >> column & 1 == 1);
            self.literals.extend(having.map(|&(lit, _)| lit));
            let found = &self.literals[start..];
            let bit = if let &[lit] = found {
                self.literals.truncate(start);
                Bit::Lit(lit)
            } else if let Some(same) = (first..self.ends.len()).find(|&at| self.any(at) == found) {
                self.literals.truncate(start);
                Bit::Any(same as u32)
            } else {
                self.ends.push(self.literals.len());
                Bit::Any((self.ends.len() - 1) as u32)
            };
            self.push(column, bit);
        }
    }

    /// The literals of a disjunction.
    pub(super) fn any(&self, at: usize) -> &[Lit] {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.literals[start..self.ends[at]]
    }

    /// The sum when all bits are true.
    pub(super) fn greatest(&self) -> u128 {
        self.columns.iter().enumerate().map(|(column, bits)| (bits.len() as u128) << column).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signed_digits_are_the_number() {
        for weight in (1..2_000).chain([u64::MAX, u64::MAX - 1, u64::MAX / 3, 1 << 63, (1 << 63) - 1]) {
            let (plus, minus) = signed_digits(weight);
            assert_eq!(plus - minus, u128::from(weight));
            assert!(plus.count_ones() + minus.count_ones() <= weight.count_ones());
        }
        assert_eq!(signed_digits(7), (8, 1));
        assert_eq!(signed_digits(3), (3, 0));
    }
}
