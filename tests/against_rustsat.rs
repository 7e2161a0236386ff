//! Larger constraints than the exhaustive suite reaches, against rustsat's totalizer and against counting.

use cnfkit::rustsat::encodings::card::{BoundBoth, BoundLower, BoundUpper, Totalizer};
use cnfkit::rustsat::instances::{BasicVarManager, Cnf as RustsatCnf, ManageVars};
use cnfkit::rustsat::solvers::{Solve, SolveIncremental, SolverResult};
use cnfkit::rustsat::types::Cl;
use cnfkit::{AmoEncoding, CardEncoding, ClauseSink, Cnf, Constrain, Lit, Var};
use proptest::prelude::*;
use rustsat_batsat::BasicSolver;

const RELATIONS: [&str; 3] = ["at most", "at least", "exactly"];

fn ours(lits: &[Lit], n: usize, k: usize, relation: usize, encoding: CardEncoding) -> BasicSolver {
    let mut cnf = Cnf::with_vars(n);
    match relation {
        0 => cnf.at_most(lits, k, &encoding),
        1 => cnf.at_least(lits, k, &encoding),
        _ => cnf.exactly(lits, k, &encoding),
    }
    .unwrap();
    let mut solver = BasicSolver::default();
    solver.reserve(Var::new(cnf.n_vars() as u32)).unwrap();
    cnf.clauses().for_each(|clause| solver.add_clause_ref(Cl::new(clause)).unwrap());
    solver
}

fn rustsats(lits: &[Lit], n: usize, k: usize, relation: usize) -> BasicSolver {
    let mut cnf = RustsatCnf::new();
    let mut vars = BasicVarManager::default();
    vars.increase_next_free(Var::new(n as u32));
    let mut totalizer: Totalizer = lits.iter().copied().collect();
    let enforced = match relation {
        0 => {
            totalizer.encode_ub(k..=k, &mut cnf, &mut vars).unwrap();
            totalizer.enforce_ub(k).unwrap()
        }
        1 => {
            totalizer.encode_lb(k..=k, &mut cnf, &mut vars).unwrap();
            totalizer.enforce_lb(k).unwrap()
        }
        _ => {
            totalizer.encode_both(k..=k, &mut cnf, &mut vars).unwrap();
            totalizer.enforce_eq(k).unwrap()
        }
    };
    let mut solver = BasicSolver::default();
    solver.reserve(Var::new(vars.n_used() + n as u32)).unwrap();
    solver.add_cnf(cnf).unwrap();
    enforced.into_iter().for_each(|lit| solver.add_unit(lit).unwrap());
    solver
}

fn satisfiable(solver: &mut BasicSolver, assumptions: &[Lit]) -> bool {
    solver.solve_assumps(assumptions).unwrap() == SolverResult::Sat
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn the_same_partial_assignments_can_be_completed(
        (n, k) in (10_usize..44).prop_flat_map(|n| (Just(n), 0..=n)),
        signs in any::<u64>(),
        partial in prop::collection::vec((any::<u64>(), any::<u64>()), 6),
    ) {
        let lits: Vec<Lit> = (0..n).map(|i| Lit::new(i as u32, signs >> i & 1 == 1)).collect();
        for (relation, name) in RELATIONS.iter().enumerate() {
            let mut reference = rustsats(&lits, n, k, relation);
            for &encoding in CardEncoding::ALL {
                // Subsets of this many literals fit in memory only near the ends.
                if encoding == CardEncoding::Combinatorial && n > 16 {
                    continue;
                }
                let mut solver = ours(&lits, n, k, relation, encoding);
                for &(mask, value) in &partial {
                    let chosen: Vec<Lit> = (0..n).filter(|i| mask >> i & 1 == 1).map(|i| Lit::new(i as u32, value >> i & 1 == 1)).collect();
                    // Up to k + 1 literals true, the edge of what is allowed.
                    let edge: Vec<Lit> = lits.iter().copied().take(k + usize::from(value & 1 == 1)).collect();
                    let rest: Vec<Lit> = lits.iter().skip(k).map(|&lit| !lit).take(n - k - usize::from(n > k && value & 2 == 2)).collect();
                    for assumptions in [chosen, edge, rest] {
                        let expected = satisfiable(&mut reference, &assumptions);
                        let holds = assumptions.iter().filter(|lit| lits.contains(lit)).count();
                        let open = n - assumptions.len();
                        let possible = match relation {
                            0 => holds <= k,
                            1 => holds + open >= k,
                            _ => holds <= k && holds + open >= k,
                        };
                        prop_assert_eq!(expected, possible, "rustsat: {} {} of {}", name, k, n);
                        prop_assert_eq!(
                            satisfiable(&mut solver, &assumptions), possible,
                            "{} {} {} of {} under {:?}", encoding, name, k, n, assumptions
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn at_most_one_of_many(n in 2_usize..400, picks in prop::collection::vec(any::<prop::sample::Index>(), 4)) {
        for &encoding in AmoEncoding::ALL {
            let mut cnf = Cnf::with_vars(n);
            let lits: Vec<Lit> = (0..n).map(|i| Lit::positive(i as u32)).collect();
            cnf.exactly_one(&lits, &encoding).unwrap();
            let mut solver = BasicSolver::default();
            solver.reserve(cnf.next_var()).unwrap();
            cnf.clauses().for_each(|clause| solver.add_clause_ref(Cl::new(clause)).unwrap());
            let picks: Vec<Lit> = picks.iter().map(|pick| lits[pick.index(n)]).collect();
            prop_assert!(satisfiable(&mut solver, &picks[..1]), "{} of {}", encoding, n);
            for pair in picks.windows(2) {
                prop_assert_eq!(satisfiable(&mut solver, pair), pair[0] == pair[1], "{} of {}: {:?}", encoding, n, pair);
            }
            let none: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
            prop_assert!(!satisfiable(&mut solver, &none) && satisfiable(&mut solver, &none[1..]), "{} of {}", encoding, n);
        }
    }
}
