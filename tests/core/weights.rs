//! Sums of weights where an encoding might write half of a constraint: budgets that are enough for one side only, and
//! groups with equal weights.

use cnfkit::ClauseSink;
use cnfkit::constrain::Weight;
use cnfkit::solvers::BatSat;
use cnfkit::{
    Cnf, Constrain, Constraint, Encoding, Formula, GeneralizedTotalizer, IntervalDiagram, Lit, PbEncoding, PbRelation,
    SequentialWeightCounter, Terms,
};
use rustsat::solvers::{Solve, SolveIncremental, SolverResult};

/// Calls `check` with every assignment of the first `n` variables, as bits, and with true if it is part of a model.
fn each_assignment(cnf: &Cnf, n: usize, mut check: impl FnMut(u32, bool)) {
    let mut solver = BatSat::default();
    solver.reserve(cnfkit::Var::new(cnf.n_vars() as u32)).unwrap();
    cnf.clauses().for_each(|clause| solver.add_clause_ref(clause).unwrap());
    for bits in 0..1_u32 << n {
        let inputs: Vec<Lit> = (0..n as u32).map(|var| Lit::new(var, bits >> var & 1 == 0)).collect();
        check(bits, solver.solve_assumps(&inputs).unwrap() == SolverResult::Sat);
    }
}

fn terms(weights: &[u64]) -> Vec<(Lit, u64)> {
    (0..).map(Lit::positive).zip(weights.iter().copied()).collect()
}

fn sum(weights: &[u64], bits: u32) -> u64 {
    weights.iter().enumerate().filter(|&(at, _)| bits >> at & 1 == 1).map(|(_, weight)| weight).sum()
}

fn check_budgets<E: Encoding>(encs: impl Iterator<Item = E>) {
    let weights = [3, 5, 7, 9, 11];
    let terms = terms(&weights);
    let (mut planned, mut declined) = (0, 0);
    for enc in encs {
        for relation in [12, 15, 19, 24].map(PbRelation::Exactly) {
            let constraint = Constraint::weights(Terms::new(&terms), relation);
            let Some(plan) = enc.plan(&constraint) else {
                declined += 1;
                continue;
            };
            planned += 1;
            let mut cnf = Cnf::with_vars(weights.len());
            cnf.write_by(&mut |to| plan.write(&constraint, to)).unwrap();
            assert_eq!(cnf.n_clauses() as u64, plan.size().clauses);
            each_assignment(&cnf, weights.len(), |bits, is_model| {
                assert_eq!(is_model, relation.allows(sum(&weights, bits)), "{relation}: {bits:b}");
            });
        }
    }
    assert!(planned > 20 && declined > 20, "{planned} {declined}");
}

/// Where a budget is enough for one side of *exactly* only, there is no plan.
#[test]
fn a_budget_leaves_no_half() {
    check_budgets((1..80).map(|budget| GeneralizedTotalizer::default().budget(budget)));
    check_budgets((1..80).map(|budget| SequentialWeightCounter::default().budget(budget)));
    check_budgets((1..80).map(|budget| IntervalDiagram::default().budget(budget)));
}

/// Equal weights of a group below heavier ones, where the other groups tell both apart: an answer for the lighter ones
/// follows from the heavier ones, too.
#[test]
fn equal_weights_in_groups() {
    for (ends, weights) in [
        (&[3, 5][..], &[2, 2, 3, 1, 2][..]),
        (&[4, 7], &[2, 5, 2, 5, 1, 4, 4]),
        (&[3, 6, 7], &[4, 4, 6, 1, 3, 3, 2]),
        (&[5, 7], &[1, 1, 2, 3, 3, 1, 2]),
    ] {
        let n = weights.len();
        let terms = terms(weights);
        let is_grouped = |bits: u32| {
            let starts = [0].iter().chain(ends);
            starts.zip(ends).all(|(&start, &end)| (bits >> start & ((1 << (end - start)) - 1)).count_ones() <= 1)
        };
        let total = Terms::grouped(&terms, ends).total();
        let bounds = (1..total).flat_map(|k| [PbRelation::AtMost(k), PbRelation::AtLeast(k), PbRelation::Exactly(k)]);
        for (relation, enc) in bounds.flat_map(|relation| PbEncoding::ALL.iter().map(move |enc| (relation, enc))) {
            let mut cnf = Cnf::with_vars(n);
            cnf.pb_grouped(&Terms::grouped(&terms, ends), relation, enc).unwrap();
            each_assignment(&cnf, n, |bits, is_model| {
                let expected = relation.allows(sum(weights, bits));
                assert!(!is_grouped(bits) || is_model == expected, "{enc}: {relation} of {weights:?}, {bits:b}");
            });
        }
    }
}

/// Groups whose values are as large as 64 bits allow, and bounds there: more than the greatest bound is one beyond.
#[test]
fn groups_at_the_end_of_64_bits() {
    const MOST: u64 = u64::MAX;
    const HALF: u64 = MOST / 2 + 1;
    let r = Lit::positive(6);
    for weights in [[MOST, 1, MOST, 2, MOST, 3], [MOST - 4, 5, 4, 5, MOST, 1], [HALF, 7, HALF, 6, HALF, HALF - 7]] {
        let terms = terms(&weights);
        for bound in [MOST, MOST - 1, HALF, HALF - 1] {
            for relation in [PbRelation::AtMost(bound), PbRelation::AtLeast(bound), PbRelation::Exactly(bound)] {
                for enc in PbEncoding::ALL {
                    let mut cnf = Cnf::with_vars(7);
                    cnf.pb_iff_grouped(r, &Terms::grouped(&terms, &[2, 4, 6]), relation, enc).unwrap();
                    each_assignment(&cnf, 7, |bits, is_model| {
                        let of = |at: usize| if bits >> at & 1 == 1 { u128::from(weights[at]) } else { 0 };
                        let sum: u128 = (0..6).map(of).sum();
                        let holds = match relation {
                            PbRelation::AtMost(bound) => sum <= bound.into(),
                            PbRelation::AtLeast(bound) => sum >= bound.into(),
                            PbRelation::Exactly(bound) => sum == bound.into(),
                        };
                        let is_grouped = [3, 12, 48].iter().all(|group| bits & group != *group);
                        let expected = holds == (bits >> 6 & 1 == 1);
                        assert!(!is_grouped || is_model == expected, "{enc}: {relation} of {weights:?}, {bits:b}");
                    });
                }
            }
        }
    }
}

/// Weights of both signs, repeated and complementary literals among them, with bounds and sums far beyond 64 bits:
/// plain and reified, written at once and kept.
#[test]
fn weights_may_be_negative() {
    const LEAST: i64 = i64::MIN;
    let lit = |at: i32| Lit::new(at.unsigned_abs() - 1, at < 0);
    let small: [&[(i32, i64)]; 3] = [
        &[(1, 3), (2, -4), (3, 2), (-4, -3)],
        &[(1, -2), (-1, 5), (2, -1), (2, 3), (3, -3), (3, 3)],
        &[(2, -1), (3, -1)],
    ];
    let large: [&[(i32, i64)]; 4] = [
        &[(1, LEAST), (2, LEAST), (3, LEAST), (4, LEAST + 1)],
        &[(1, LEAST), (-1, i64::MAX), (2, LEAST), (3, 5), (4, LEAST + 3)],
        &[(1, LEAST), (2, LEAST + 1), (3, i64::MAX), (4, i64::MAX - 5)],
        &[(1, LEAST), (1, LEAST), (2, LEAST), (2, LEAST + 1), (3, LEAST), (3, LEAST), (4, LEAST + 2), (4, LEAST)],
    ];
    let r = Lit::positive(4);
    let is_true = |lit: Lit, bits: u32| (bits >> lit.vidx() & 1 == 1) == lit.is_pos();
    let mut answers = [0_usize; 2];
    for (terms, is_large) in small.map(|terms| (terms, false)).into_iter().chain(large.map(|terms| (terms, true))) {
        let terms: Vec<(Lit, i64)> = terms.iter().map(|&(at, weight)| (lit(at), weight)).collect();
        let sum = |bits: u32| -> i128 {
            terms.iter().filter(|&&(lit, _)| is_true(lit, bits)).map(|&(_, weight)| i128::from(weight)).sum()
        };
        let near: Vec<i64> = (0..16)
            .flat_map(|bits| [-1, 0, 1].map(|off| sum(bits) + off))
            .filter_map(|bound| i64::try_from(bound).ok())
            .collect();
        let mut bounds = if is_large { [near, vec![LEAST, -1, i64::MAX]].concat() } else { (-9..12).collect() };
        bounds.sort_unstable();
        bounds.dedup();
        let relations =
            bounds.iter().flat_map(|&k| [PbRelation::AtMost(k), PbRelation::AtLeast(k), PbRelation::Exactly(k)]);
        for (relation, enc) in relations.flat_map(|relation| PbEncoding::ALL.iter().map(move |enc| (relation, enc))) {
            if is_large && !matches!(enc, PbEncoding::Auto | PbEncoding::BinaryAdder) {
                continue;
            }
            let allows = |bits: u32| match relation {
                PbRelation::AtMost(k) => sum(bits) <= k.into(),
                PbRelation::AtLeast(k) => sum(bits) >= k.into(),
                PbRelation::Exactly(k) => sum(bits) == k.into(),
            };
            let (mut plain, mut reified) = (Cnf::with_vars(5), Formula::with_vars(5));
            plain.pb(&terms, relation, enc).unwrap();
            match relation {
                PbRelation::AtMost(k) => reified.pb_iff_at_most(r, &terms, k, enc).unwrap(),
                PbRelation::AtLeast(k) => reified.pb_iff_at_least(r, &terms, k, enc).unwrap(),
                PbRelation::Exactly(k) => reified.pb_iff_exactly(r, &terms, k, enc).unwrap(),
            }
            each_assignment(&plain, 4, |bits, is_model| {
                answers[usize::from(is_model)] += 1;
                assert_eq!(is_model, allows(bits), "{relation} of {terms:?} by {enc}: {bits:b}");
            });
            each_assignment(&reified.encode().unwrap(), 5, |bits, is_model| {
                assert_eq!(
                    is_model,
                    allows(bits) == is_true(r, bits),
                    "{r} iff {relation} of {terms:?} by {enc}: {bits:b}"
                );
            });
        }
    }
    assert!(answers.iter().all(|&answers| answers > 5_000), "{answers:?}");
}

/// One constraint is the same formula in every type that holds it.
#[test]
fn weights_of_all_types_are_one_constraint() {
    fn cnf<W: Weight>(weights: [W; 4], bound: W) -> Cnf {
        let mut cnf = Cnf::with_vars(4);
        let terms: Vec<(Lit, W)> = (0..).map(Lit::positive).zip(weights).collect();
        cnf.pb_at_most(&terms, bound, PbEncoding::Auto).unwrap();
        cnf
    }
    let expected = cnf([5_u64, 4, 3, 9], 8);
    assert!(expected.n_clauses() > 1);
    assert_eq!(cnf([5_i64, 4, 3, 9], 8), expected);
    assert_eq!(cnf([5_isize, 4, 3, 9], 8), expected);
    assert_eq!(cnf([5_usize, 4, 3, 9], 8), expected);
    assert_eq!(cnf([5_u8, 4, 3, 9], 8), expected);
    assert_eq!(cnf([5, 4, 3, 9], 8), expected);
}
