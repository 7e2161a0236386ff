//! Sums of weights where an encoding might write half of a constraint: budgets that are enough for one side only, and
//! groups with equal weights.

use cnfkit::solvers::BatSat;
use cnfkit::{
    Cnf, Constrain, Constraint, Encoding, GeneralizedTotalizer, IntervalDiagram, Lit, PbEncoding, PbRelation, Plan,
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
            plan.write(&constraint, &mut cnf).unwrap();
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
