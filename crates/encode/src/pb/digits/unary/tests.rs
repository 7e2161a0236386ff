//! Helpers for the tests of all encodings by digits in unary.

use rustsat::types::Lit;

use crate::ClauseSink;
use crate::constraint::{Constraint, Terms};
use crate::encode::Encoding;
use crate::pb::digits::unary::numbers::UnaryNumbers;
use crate::relation::PbRelation;
use crate::testing::pb::{drawn, terms};
use crate::{Size, Tally};

/// The primes from 3 to 23.
pub(in crate::pb) struct Primes(&'static [u64]);

pub(in crate::pb) const PRIMES: Primes = Primes(&[3, 5, 7, 11, 13, 17, 19, 23]);

/// Weights and a bound.
pub(in crate::pb) type Sum = (Vec<u64>, u64);

impl Primes {
    /// With the sum of every second as a bound.
    pub(in crate::pb) fn with_bound(&self) -> Sum {
        (self.0.to_vec(), self.0.iter().step_by(2).sum())
    }
}

/// Variables and clauses of *at most* and of *exactly*.
pub(in crate::pb) fn sizes(enc: &dyn Encoding, weights: &[u64], bound: u64) -> [u64; 2] {
    let terms = terms(weights);
    [PbRelation::AtMost(bound), PbRelation::Exactly(bound)].map(|relation| {
        enc.plan(&Constraint::weights(Terms::new(&terms), relation)).expect("within the budget").size().cost()
    })
}

/// Variables and clauses of *at most* and of *exactly*, `times` as many, are below those of a peer, and no more than
/// they were here.
pub(in crate::pb) fn check_below_peers(enc: &dyn Encoding, times: u64, rows: &[(Sum, [u64; 2], [u64; 2])]) {
    for ((weights, bound), peers, here) in rows {
        let found = sizes(enc, weights, *bound);
        assert!(times * found[0] < peers[0] && times * found[1] < peers[1], "{weights:?}: {found:?}");
        assert!(found[0] <= here[0] && found[1] <= here[1], "{weights:?}: {found:?}");
    }
}

/// Tests an encoding by digits in unary: the suite, longer and heavier sums, groups, and its budget.
macro_rules! digit_suite {
    ($enc:ident, $strength:ident) => {
        $crate::testing::pb_suite!(suite: $enc::default(), $strength);

        #[test]
        fn heavier_and_longer() {
            $crate::testing::pb::check_drawn(&$enc::default(), $crate::testing::Strength::$strength);
        }

        #[test]
        fn groups() {
            $crate::testing::pb::check_grouped(&$enc::default(), $crate::testing::Strength::$strength);
        }

        #[test]
        fn a_budget_is_kept() {
            let mut small = $enc::default();
            small.budget = 100;
            $crate::pb::digits::unary::tests::check_declines(&$enc::default(), &small);
        }
    };
}
pub(in crate::pb) use digit_suite;

/// An encoding with a budget of 100, `small`, declines what is more, and the same encoding `large` ends in time for any
/// list: it plans 20 huge weights, and declines 100,000 large ones.
pub(in crate::pb) fn check_declines(large: &dyn Encoding, small: &dyn Encoding) {
    let (weights, bound) = drawn(20, 50, 1);
    for relation in [PbRelation::AtMost(bound), PbRelation::AtLeast(bound), PbRelation::Exactly(bound)] {
        assert!(small.plan(&Constraint::weights(Terms::new(&terms(&weights)), relation)).is_none(), "{relation}");
        assert!(large.plan(&Constraint::weights(Terms::new(&terms(&weights)), relation)).is_some(), "{relation}");
    }
    let huge: Vec<u64> = (0..20).map(|at| u64::MAX / 20 - at * at * 1_000_003).collect();
    let total: u64 = huge.iter().sum();
    for bound in [total / 2, total - 1, huge[0]] {
        let plan = large
            .plan(&Constraint::weights(Terms::new(&terms(&huge)), PbRelation::AtMost(bound)))
            .expect("within the budget");
        assert!(plan.size().cost() > 20);
    }
    let (weights, bound) = drawn(100_000, 1_000_000_000, 7);
    let many: Vec<(Lit, u64)> = (0..).map(Lit::positive).zip(weights).collect();
    let start = std::time::Instant::now();
    for relation in [PbRelation::AtMost(bound), PbRelation::AtLeast(2 * bound - 5_000_000), PbRelation::Exactly(bound)]
    {
        assert!(large.plan(&Constraint::weights(Terms::new(&many), relation)).is_none(), "{relation}");
    }
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
}

/// The example at the top of `numbers`: five auxiliaries and eight clauses, and nothing the second time.
#[test]
fn only_what_is_asked_for_is_written() {
    let mut numbers = UnaryNumbers::new(false, false);
    let mut tally = Tally::new(4);
    let all = (1, u64::MAX);
    let [a, b] = [[0, 1], [2, 3]].map(|pair| {
        let [one, two] = pair.map(|var| numbers.leaf(std::iter::once((Lit::positive(var), 1))));
        numbers.sum(one, two, all)
    });
    let sum = numbers.sum(a, b, all).unwrap();
    for _ in 0..2 {
        tally.write_by(&mut |to| numbers.at_least(to, sum, 3).map(drop)).unwrap();
        assert_eq!(tally.size(), Size { vars: 5, clauses: 8, lits: 4 * 2 + 4 * 3 });
    }
}
