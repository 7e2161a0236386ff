use rustsat::types::Lit;

use super::*;
use crate::constraint::{Constraint, Terms};
use crate::encode::Prepared;
use crate::relation::PbRelation;
use crate::testing::Strength;
use crate::testing::pb::{check_drawn, check_grouped, drawn, terms};
use crate::{ClauseSink, Size, Tally};

const ONE_SIDED: BinaryAdder = BinaryAdder { full: false };

// The default computes its sums by unit propagation: that is why it is the default.
crate::testing::pb_suite!(plain: BinaryAdder::default(), Checks);
crate::testing::pb_suite!(one_sided: ONE_SIDED, Weak);

#[test]
fn heavier_and_longer() {
    check_drawn(&BinaryAdder::default(), Strength::Checks);
    check_drawn(&ONE_SIDED, Strength::Weak);
}

#[test]
fn groups() {
    check_grouped(&BinaryAdder::default(), Strength::Checks);
    check_grouped(&ONE_SIDED, Strength::Weak);
}

fn size(enc: BinaryAdder, weights: &[u64], relation: PbRelation) -> Size {
    enc.plan(&Constraint::weights(Terms::new(&terms(weights)), relation)).expect("it never declines").size()
}

/// No larger than the adder of pindakaas 0.6.1 on the shapes of its benchmark, and smaller on most.
#[test]
fn sizes_are_below_the_adder_of_pindakaas() {
    let primes = (vec![3, 5, 7, 11, 13, 17, 19, 23], 42);
    for ((weights, bound), most, exactly) in [
        (drawn(10, 8, 1), 176, 107),
        (drawn(10, 512, 1), 500, 302),
        (primes, 275, 194),
        (drawn(40, 4, 2), 727, 689),
        (drawn(16, 8, 3), 327, 277),
        (drawn(32, 8, 3), 745, 660),
    ] {
        let plain = BinaryAdder::default();
        let [at_most, equal] =
            [PbRelation::AtMost(bound), PbRelation::Exactly(bound)].map(|r| size(plain, &weights, r));
        assert!(at_most.cost() < most, "at most {bound} of {weights:?}: {at_most}");
        assert!(equal.cost() <= exactly, "exactly {bound} of {weights:?}: {equal}");
        assert!(size(ONE_SIDED, &weights, PbRelation::AtMost(bound)).cost() * 3 < most * 2);
    }
}

/// Variables + clauses of rustsat's adder, which defines what *at most* needs in one direction.
fn rustsats(weights: &[u64], relation: PbRelation) -> u64 {
    use rustsat::encodings::pb;
    use rustsat::instances::{BasicVarManager, Cnf, ManageVars};
    use rustsat::types::{Var, constraints::PbConstraint};

    let n = weights.len() as u32;
    let terms = (0..).map(Lit::positive).zip(weights.iter().map(|&weight| weight as usize));
    let bound = relation.bound() as isize;
    let constraint = match relation {
        PbRelation::AtMost(_) => PbConstraint::new_ub_unsigned(terms, bound),
        PbRelation::AtLeast(_) => PbConstraint::new_lb_unsigned(terms, bound),
        PbRelation::Exactly(_) => PbConstraint::new_eq_unsigned(terms, bound),
    };
    let (mut vars, mut cnf) = (BasicVarManager::from_next_free(Var::new(n)), Cnf::new());
    pb::encode_pb_constraint::<pb::BinaryAdder, _>(constraint, &mut cnf, &mut vars).unwrap();
    u64::from(vars.n_used() - n) + cnf.len() as u64
}

/// Like with like: one-sided for one side, and defined in both directions for both.
#[test]
fn sizes_are_at_most_those_of_rustsat() {
    let mut shapes = vec![
        vec![3, 5, 7, 11, 13, 17, 19, 23],
        (1..=12).map(|side| side * side).collect(),
        (1..=14).map(|side| side * (side + 1) / 2).collect(),
    ];
    for (n, most, seed) in [(10, 8, 1), (10, 512, 1), (40, 4, 2), (8, 8, 3), (16, 8, 3), (32, 8, 3), (64, 8, 3)] {
        shapes.push(drawn(n, most, seed).0);
    }
    shapes.extend([8, 64, 512, 4096].map(|most| drawn(8, most, 4).0));
    let held_out = [(9, 50), (12, 20), (14, 100), (20, 1_000), (24, 16), (36, 10), (48, 6), (72, 3)];
    shapes.extend(held_out.map(|(n, most)| drawn(n, most, 90 + most).0));
    for seed in 0..60 {
        shapes.push(drawn(7 + seed as usize * 2, 2 << (seed % 12), 1_000 + seed).0);
    }
    for weights in shapes {
        let bound = weights.iter().step_by(2).sum();
        for (relation, enc) in [
            (PbRelation::AtMost(bound), ONE_SIDED),
            (PbRelation::AtLeast(bound), ONE_SIDED),
            (PbRelation::Exactly(bound), BinaryAdder::default()),
        ] {
            let (ours, theirs) = (size(enc, &weights, relation).cost(), rustsats(&weights, relation));
            assert!(ours <= theirs, "{relation} of {weights:?}: {ours} for {theirs}");
        }
    }
}

/// Weights near the largest, and many.
#[test]
fn nothing_is_too_large() {
    let huge = [u64::MAX / 3, u64::MAX / 3 - 5, u64::MAX / 3 - 1];
    let total: u64 = huge.iter().sum();
    for relation in
        [PbRelation::AtMost(total - 1), PbRelation::AtLeast(huge[0] + 1), PbRelation::Exactly(huge[0] + huge[1])]
    {
        assert!(size(BinaryAdder::default(), &huge, relation).cost() < 64 * 3 * 20);
    }
    let (weights, bound) = drawn(30_000, 1_000_000_000, 7);
    let terms: Vec<(Lit, u64)> = (0..).map(Lit::positive).zip(weights).collect();
    for relation in [PbRelation::AtMost(bound), PbRelation::AtLeast(bound), PbRelation::Exactly(bound)] {
        let plan = BinaryAdder::default()
            .prepared(&Constraint::weights(Terms::new(&terms), relation), &mut || true)
            .expect("it never declines");
        let mut seen = Tally::new(terms.len());
        seen.write_by(&mut |to| plan.write(to)).unwrap();
        assert_eq!(seen.size(), plan.size());
        assert!(seen.size().clauses < 30_000 * 30 * 14);
    }
}

/// The number of enforcing clauses does not grow with the number of literals.
#[test]
fn few_clauses_enforce() {
    for n in [10, 40, 160] {
        let (weights, bound) = drawn(n, 100, 5);
        let digits = (u64::BITS - bound.leading_zeros()) as usize;
        for (relation, most) in [
            (PbRelation::AtMost(bound), digits + 3),
            (PbRelation::AtLeast(bound), digits + 3),
            (PbRelation::Exactly(bound), 4 * digits + 3),
        ] {
            let mut recorder = crate::testing::Recorder::new(n);
            let plan = BinaryAdder::default()
                .prepared(&Constraint::weights(Terms::new(&terms(&weights)), relation), &mut || true)
                .unwrap();
            let Ok(()) = recorder.write_by(&mut |to| plan.write(to));
            let enforcing = recorder.clauses.len() - recorder.defined;
            assert!(enforcing <= most, "{relation} of {n}: {enforcing}");
        }
    }
}

/// A group is one number: of m literals, it costs a disjunction for each digit, not an adder for each literal.
#[test]
fn a_group_is_one_number() {
    let weights: Vec<u64> = (0..6).flat_map(|_| 1..=7).collect();
    let ends: Vec<usize> = (1..=6).map(|group| 7 * group).collect();
    let terms = terms(&weights);
    let grouped = BinaryAdder::default()
        .plan(&Constraint::weights(Terms::grouped(&terms, &ends), PbRelation::AtMost(20)))
        .unwrap()
        .size();
    let single = size(BinaryAdder::default(), &weights, PbRelation::AtMost(20));
    assert!(grouped.cost() * 2 < single.cost(), "{grouped}, {single}");
}
