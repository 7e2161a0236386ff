//! Sums beyond 64 bits, by the same circuit: every other encoding counts in 64 bits, and is never asked for these.

use rustsat::types::Lit;

use super::circuit::AdderCircuit;
use super::form::{self, ComparedNumber};
use crate::encode::Prepared;
use crate::pb::prepared::DryRun;
use crate::relation::PbRelation;
use crate::sink::free_variable;
use crate::size::Size;
use crate::writer::{Full, Writer};

/// A bound on a sum of weights of up to 128 bits, ready to be written.
///
/// The variables are distinct, the weights at least 1, their sum is below 2¹²⁸, and the bound is not trivial.
#[derive(Clone, Debug)]
pub(crate) struct WideAdder(DryRun<AdderCircuit>);

impl WideAdder {
    /// Weights that fit into 64 bits, though their sum may not.
    pub(crate) fn new(terms: &[(Lit, u64)], relation: PbRelation) -> Self {
        let terms: Vec<(Lit, u128)> = terms.iter().map(|&(lit, weight)| (lit, weight.into())).collect();
        Self::bounded(&terms, relation.into())
    }

    /// The weights of the true literals sum up to `bound` or more.
    pub(crate) fn at_least(terms: &[(Lit, u128)], bound: u128) -> Self {
        Self::bounded(terms, ComparedNumber::Least(bound))
    }

    fn bounded(terms: &[(Lit, u128)], bound: ComparedNumber) -> Self {
        let free = free_variable(terms.iter().map(|&(lit, _)| lit));
        Self(DryRun::new(form::wide(terms, bound), free))
    }
}

impl Prepared for WideAdder {
    fn size(&self) -> Size {
        self.0.size()
    }

    fn write(&self, to: &mut Writer<'_>) -> Result<(), Full> {
        self.0.write(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ClauseSink;
    use crate::testing::{Lanes, Recorder, check_clauses, inputs};

    fn check(weights: &[u128], bound: ComparedNumber) {
        let n = weights.len();
        let terms = inputs(n).into_iter().zip(weights.iter().copied());
        let terms: Vec<(Lit, u128)> = terms.map(|(lit, w)| (lit.var().lit(lit.vidx() % 2 == 1), w)).collect();
        let plan = WideAdder::bounded(&terms, bound);
        let mut recorder = Recorder::new(n);
        recorder.write_by(&mut |to| plan.write(to)).unwrap();
        let what = format!("{bound:?} of {weights:?}");
        check_clauses(&recorder, &what);
        assert_eq!(recorder.size(n), plan.size(), "{what}");
        let lanes = Lanes::new(recorder.next_var().idx(), recorder.clauses.iter().map(Vec::as_slice));
        lanes.each_assignment(n, |assignment, allowed| {
            let is_true = |lit: Lit| (assignment >> lit.vidx32() & 1 == 1) == lit.is_pos();
            let sum: u128 = terms.iter().filter(|&&(lit, _)| is_true(lit)).map(|&(_, weight)| weight).sum();
            let expected = match bound {
                ComparedNumber::Most(bound) => sum <= bound,
                ComparedNumber::Least(bound) => sum >= bound,
                ComparedNumber::Exactly(bound) => sum == bound,
            };
            assert_eq!(allowed, expected, "{what}: {assignment:b}");
        });
    }

    fn check_each(weights: &[u128], bound: u128) {
        check(weights, ComparedNumber::Least(bound));
        if bound < weights.iter().sum() {
            check(weights, ComparedNumber::Most(bound));
            check(weights, ComparedNumber::Exactly(bound));
        }
    }

    #[test]
    fn sums_are_compared_and_as_large_as_planned() {
        for weights in
            [&[1, 1, 1][..], &[1, 2, 3, 3], &[5, 5, 6, 1, 2], &[4, 8, 12], &[7; 6], &[9], &[9, 2, 4], &[21, 10]]
        {
            (1..=weights.iter().sum()).for_each(|bound| check_each(weights, bound));
        }
    }

    #[test]
    fn sums_beyond_64_bits() {
        let max = u128::from(u64::MAX);
        for weights in [vec![max; 5], vec![max, max, 1, 1, 3, max - 2], vec![1 << 100, 1 << 64, max, 1]] {
            for bound in [1, max - 1, max, max + 1, 2 * max, 2 * max + 1, 3 * max + 2] {
                check_each(&weights, bound);
            }
        }
    }

    /// Up to the last bit.
    #[test]
    fn sums_of_128_bits() {
        let half = 1_u128 << 127;
        for weights in [vec![half, half - 1], vec![half - 1, half - 3, 2, 1], vec![u128::MAX / 5; 5], vec![u128::MAX]] {
            for bound in [1, 3, half - 2, half - 1, half, half + 1, u128::MAX / 5 * 4, u128::MAX - 1, u128::MAX] {
                if bound <= weights.iter().sum() {
                    check_each(&weights, bound);
                }
            }
        }
    }
}
