//! Sums of weights larger than the exhaustive tests reach, against rustsat's generalized totalizer and addition.

use std::fmt::Write;

use cnfkit::rustsat::encodings::pb::{BoundBoth, BoundLower, BoundUpper, DoubleGeneralizedTotalizer};
use cnfkit::rustsat::instances::{BasicVarManager, Cnf as RustsatCnf, ManageVars};
use cnfkit::rustsat::solvers::{Solve, SolveIncremental, SolverResult};
use cnfkit::rustsat::types::Cl;
use cnfkit::{Cnf, Constrain, Constraint, Formula, Lit, PbEncoding, PbRelation, Size, Terms, Var};
use proptest::prelude::*;
use rustsat_batsat::BasicSolver;

/// A solver with our clauses, beside a further variable; `None` where that would be very large.
fn ours(terms: &[(Lit, u64)], relation: PbRelation, encoding: PbEncoding, reified: bool) -> Option<BasicSolver> {
    let n = terms.len();
    let mut cnf = Cnf::with_vars(n + 1).with_limit(Size { clauses: 50_000, ..Cnf::DEFAULT_LIMIT });
    let r = Lit::positive(n as u32);
    match (reified, relation) {
        (false, relation) => cnf.when(&[r]).pb(terms, relation, &encoding),
        (true, relation) => cnf.post(&Constraint::weights(Terms::new(terms), relation).iff(r), &encoding),
    }
    .ok()?;
    let mut solver = BasicSolver::default();
    solver.reserve(Var::new(cnf.n_vars() as u32)).unwrap();
    cnf.clauses().for_each(|clause| solver.add_clause_ref(Cl::new(clause)).unwrap());
    Some(solver)
}

/// rustsat's clauses; `None` where it says that there is no model.
fn rustsats(terms: &[(Lit, u64)], relation: PbRelation) -> Option<BasicSolver> {
    let mut cnf = RustsatCnf::new();
    let mut vars = BasicVarManager::default();
    vars.increase_next_free(Var::new(terms.len() as u32));
    let bound = relation.bound() as usize;
    let mut totalizer: DoubleGeneralizedTotalizer = terms.iter().map(|&(lit, weight)| (lit, weight as usize)).collect();
    let enforced = match relation {
        PbRelation::AtMost(_) => {
            totalizer.encode_ub(bound..=bound, &mut cnf, &mut vars).unwrap();
            totalizer.enforce_ub(bound)
        }
        PbRelation::AtLeast(_) => {
            totalizer.encode_lb(bound..=bound, &mut cnf, &mut vars).unwrap();
            totalizer.enforce_lb(bound)
        }
        PbRelation::Exactly(_) => {
            totalizer.encode_both(bound..=bound, &mut cnf, &mut vars).unwrap();
            totalizer.enforce_eq(bound)
        }
    };
    let mut solver = BasicSolver::default();
    solver.reserve(Var::new(vars.n_used() + terms.len() as u32)).unwrap();
    solver.add_cnf(cnf).unwrap();
    enforced.ok()?.into_iter().for_each(|lit| solver.add_unit(lit).unwrap());
    Some(solver)
}

fn satisfiable(solver: &mut BasicSolver, assumptions: &[Lit]) -> bool {
    solver.solve_assumps(assumptions).unwrap() == SolverResult::Sat
}

/// Weights of several kinds, and signs; fewer where rustsat's totalizer has a literal for nearly every subset.
fn weights() -> impl Strategy<Value = Vec<(u64, bool)>> {
    let heaviest = prop_oneof![Just((3_u64, 18)), Just((9, 18)), Just((100, 16)), Just((100_000, 12))];
    heaviest.prop_flat_map(|(most, below)| prop::collection::vec((1..=most, any::<bool>()), 8..below))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cnfkit_properties::cases(4, 12), ..ProptestConfig::default() })]

    #[test]
    fn the_same_assignments_are_allowed(
        weights in weights(),
        part in 0..=100_u64,
        assignments in prop::collection::vec(any::<u32>(), 12),
    ) {
        let term = |(var, &(weight, negated)): (u32, &(u64, bool))| (Lit::new(var, negated), weight);
        let terms: Vec<(Lit, u64)> = (0..).zip(&weights).map(term).collect();
        let n = terms.len();
        let r = Lit::positive(n as u32);
        let total: u64 = weights.iter().map(|&(weight, _)| weight).sum();
        let is_true = |bits: u32, lit: Lit| (bits >> lit.vidx32() & 1 == 1) == lit.is_pos();
        let sum = |bits: u32| terms.iter().filter(|&&(lit, _)| is_true(bits, lit)).map(|&(_, w)| w).sum::<u64>();
        // A part of the total, and a sum that some assignment has.
        for bound in [total * part / 100, sum(assignments[0])] {
            for relation in [PbRelation::AtMost(bound), PbRelation::AtLeast(bound), PbRelation::Exactly(bound)] {
                let mut reference = rustsats(&terms, relation);
                let questions: Vec<(Vec<Lit>, bool)> = assignments.iter().map(|&bits| {
                    let lits = (0..n as u32).map(|var| Lit::new(var, bits >> var & 1 == 0)).collect();
                    (lits, relation.allows(sum(bits)))
                }).collect();
                for (lits, holds) in &questions {
                    let theirs = reference.as_mut().is_some_and(|solver| satisfiable(solver, lits));
                    prop_assert_eq!(theirs, *holds, "rustsat: {} of {:?}", relation, terms);
                }
                for (&encoding, reified) in PbEncoding::ALL.iter().flat_map(|enc| [(enc, false), (enc, true)]) {
                    let Some(mut solver) = ours(&terms, relation, encoding, reified) else { continue };
                    for (lits, holds) in &questions {
                        let with = |r| lits.iter().copied().chain([r]).collect::<Vec<_>>();
                        let what = format!("{encoding}, {relation} of {terms:?} under {lits:?}, {reified}");
                        prop_assert_eq!(satisfiable(&mut solver, &with(r)), *holds, "{}", what);
                        let without = satisfiable(&mut solver, &with(!r));
                        prop_assert_eq!(without, !reified || !holds, "{}, not r", what);
                    }
                }
            }
        }
    }

    /// OPB with weights of any sign, repeated variables and all relations: what is read says what the text says, and
    /// what is written is read back as the same.
    #[test]
    fn opb_says_what_its_text_says(
        constraints in prop::collection::vec(
            (prop::collection::vec((-20..=20_i64, 0..6_u32, any::<bool>()), 1..8), 0..3_usize, -30..40_i64),
            1..4,
        ),
        scale in prop_oneof![Just(1_i64), Just(1), Just(7), Just(1 << 40), Just(i64::MAX / 1_000)],
    ) {
        const VARS: u32 = 6;
        let mut text = format!("* #variable= {VARS} #constraint= {}\n", constraints.len());
        for (terms, relation, bound) in &constraints {
            for &(weight, var, negated) in terms {
                let sign = if negated { "~" } else { "" };
                write!(text, "{:+} {sign}x{} ", weight * scale, var + 1).unwrap();
            }
            writeln!(text, "{} {} ;", [">=", "=", "<="][*relation], bound * scale).unwrap();
        }
        let allowed = |bits: u32| constraints.iter().all(|(terms, relation, bound)| {
            let is_true = |&&(_, var, negated): &&(i64, u32, bool)| (bits >> var & 1 == 1) != negated;
            let sum: i64 = terms.iter().filter(is_true).map(|&(weight, ..)| weight).sum();
            match relation {
                0 => sum >= *bound,
                1 => sum == *bound,
                _ => sum <= *bound,
            }
        });
        let expected: Vec<u32> = (0..1 << VARS).filter(|&bits| allowed(bits)).collect();
        let formula = Formula::read_opb(text.as_bytes()).unwrap();
        let mut again = Vec::new();
        formula.write_opb(&mut again).unwrap();
        for formula in [&formula, &Formula::read_opb(&again[..]).unwrap()] {
            let cnf = formula.encode().unwrap();
            prop_assert_eq!(cnf.n_clauses() as u64, formula.size().clauses, "{}", text);
            let mut solver = BasicSolver::default();
            solver.reserve(Var::new(cnf.n_vars() as u32)).unwrap();
            cnf.clauses().for_each(|clause| solver.add_clause_ref(Cl::new(clause)).unwrap());
            let assignment = |bits: u32| (0..VARS).map(|var| Lit::new(var, bits >> var & 1 == 0)).collect::<Vec<_>>();
            let found: Vec<u32> = (0..1 << VARS).filter(|&bits| satisfiable(&mut solver, &assignment(bits))).collect();
            prop_assert_eq!(&found, &expected, "{}", text);
        }
    }
}
