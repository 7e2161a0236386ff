//! [`NormalSum`]: a sum of weights in normal form, with positive weights of distinct variables.

use rustsat::types::Lit;

use crate::sort;

/// A constant and weighted literals of distinct variables, by variable. No sum of what a formula can hold overflows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NormalSum {
    /// The value where no literal is true.
    pub offset: i128,
    /// Each literal that adds something, with what it adds.
    pub terms: Vec<(Lit, u128)>,
}

impl NormalSum {
    /// Sums up repeated literals, turns negative weights into those of the negations, and takes what a literal and its
    /// negation have in common for a constant.
    pub fn new(terms: impl IntoIterator<Item = (Lit, i128)>) -> Self {
        let mut offset = 0;
        let mut given: Vec<(Lit, i128)> = terms.into_iter().collect();
        if !given.is_sorted_by_key(|(lit, _)| lit.vidx32()) {
            sort::by_key(&mut given, |&(lit, _)| lit.vidx32().into());
        }
        let of_variable = |of_one: &[(Lit, i128)]| {
            // w·~x = w − w·x.
            offset += of_one.iter().filter(|(lit, _)| lit.is_neg()).map(|&(_, weight)| weight).sum::<i128>();
            let sum: i128 = of_one.iter().map(|&(lit, weight)| if lit.is_neg() { -weight } else { weight }).sum();
            offset += sum.min(0);
            (sum != 0).then(|| (of_one[0].0.var().lit(sum < 0), sum.unsigned_abs()))
        };
        let terms = given.chunk_by(|(one, _), (other, _)| one.var() == other.var()).filter_map(of_variable).collect();
        Self { offset, terms }
    }

    /// The sum of the true literals, without the constant.
    pub fn cost(&self, is_true: impl Fn(Lit) -> bool) -> u128 {
        self.terms.iter().filter(|&&(lit, _)| is_true(lit)).map(|&(_, weight)| weight).sum()
    }

    /// The value of a cost.
    #[must_use]
    pub const fn value(&self, cost: u128) -> i128 {
        self.offset + cost as i128
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folded() {
        let of = |terms: &[(Lit, i64)]| NormalSum::new(terms.iter().map(|&(lit, weight)| (lit, weight.into())));
        let (a, b) = (Lit::positive(0), Lit::positive(1));
        let sum = of(&[(a, 3), (!a, 5), (b, -4), (b, 1), (!b, 0), (a, i64::MIN), (a, i64::MIN)]);
        assert_eq!(sum.offset, 5 - 3 - 2 - (1 << 64));
        assert_eq!(sum.terms, [(!a, (1 << 64) + 2), (!b, 3)]);
        assert_eq!(sum.value(sum.cost(|lit| lit == a || lit == b)), 3 - 3 - (1 << 64));
        assert_eq!(of(&[(a, 2), (!a, 2), (b, 1), (b, -1)]), NormalSum { offset: 2, terms: vec![] });
    }
}
