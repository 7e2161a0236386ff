//! Larger constraints than the exhaustive suite reaches, against rustsat's totalizer and against counting.

use cnfkit::rustsat::encodings::card::{BoundBoth, BoundLower, BoundUpper, Totalizer};
use cnfkit::rustsat::instances::{BasicVarManager, Cnf as RustsatCnf, ManageVars};
use cnfkit::rustsat::solvers::{Solve, SolveIncremental, SolverResult};
use cnfkit::rustsat::types::Cl;
use cnfkit::{AmoEncoding, CardEncoding, ClauseSink, Cnf, Constrain, Lit, Size, Var};
use itertools::Itertools;
use proptest::prelude::*;
use rustsat_batsat::BasicSolver;

const RELATIONS: [&str; 3] = ["at most", "at least", "exactly"];

/// The clauses of a constraint on `n` variables, and of one more variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Plain,
    /// It holds when the further variable is true.
    Conditional,
    /// It holds if and only if the further variable is true.
    Reified,
}

/// `None` where that would be very large.
fn ours(lits: &[Lit], k: usize, relation: usize, encoding: CardEncoding, form: Form) -> Option<BasicSolver> {
    let n = lits.len();
    let mut cnf = Cnf::with_vars(n + 1).with_limit(Size { clauses: 20_000, ..Cnf::DEFAULT_LIMIT });
    let r = Lit::positive(n as u32);
    match (form, relation) {
        (Form::Plain, 0) => cnf.at_most(lits, k, &encoding),
        (Form::Plain, 1) => cnf.at_least(lits, k, &encoding),
        (Form::Plain, _) => cnf.exactly(lits, k, &encoding),
        (Form::Conditional, 0) => cnf.when(&[r]).at_most(lits, k, &encoding),
        (Form::Conditional, 1) => cnf.when(&[r]).at_least(lits, k, &encoding),
        (Form::Conditional, _) => cnf.when(&[r]).exactly(lits, k, &encoding),
        (Form::Reified, 0) => cnf.iff_at_most(r, lits, k, &encoding),
        (Form::Reified, 1) => cnf.iff_at_least(r, lits, k, &encoding),
        (Form::Reified, _) => cnf.iff_exactly(r, lits, k, &encoding),
    }
    .ok()?;
    let mut solver = BasicSolver::default();
    solver.reserve(Var::new(cnf.n_vars() as u32)).unwrap();
    cnf.clauses().for_each(|clause| solver.add_clause_ref(Cl::new(clause)).unwrap());
    Some(solver)
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

/// A partial assignment of the inputs, and whether some completion of it meets the bound, and some does not.
struct Question {
    assumptions: Vec<Lit>,
    holds: bool,
    fails: bool,
}

impl Question {
    fn new(lits: &[Lit], k: usize, relation: usize, assumptions: Vec<Lit>) -> Self {
        let least = assumptions.iter().filter(|lit| lits.contains(lit)).count();
        let most = least + lits.len() - assumptions.len();
        let (holds, fails) = match relation {
            0 => (least <= k, most > k),
            1 => (most >= k, least < k),
            _ => (least <= k && k <= most, least != k || most != k),
        };
        Self { assumptions, holds, fails }
    }

    /// This question beside the further variable's value.
    fn with(&self, r: Lit) -> Vec<Lit> {
        self.assumptions.iter().copied().chain([r]).collect()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    #[test]
    fn the_same_partial_assignments_can_be_completed(
        (n, k) in (10_usize..44).prop_flat_map(|n| (Just(n), 0..=n)),
        signs in any::<u64>(),
        partial in prop::collection::vec((any::<u64>(), any::<u64>()), 4),
    ) {
        let lits: Vec<Lit> = (0..n).map(|i| Lit::new(i as u32, signs >> i & 1 == 1)).collect();
        let r = Lit::positive(n as u32);
        for (relation, name) in RELATIONS.iter().enumerate() {
            let mut reference = rustsats(&lits, n, k, relation);
            let mut questions = Vec::new();
            for &(mask, value) in &partial {
                let chosen = (0..n).filter(|i| mask >> i & 1 == 1);
                let chosen = chosen.map(|i| Lit::new(i as u32, value >> i & 1 == 1)).collect();
                // Up to k + 1 literals true, the edge of what is allowed.
                let edge = lits.iter().copied().take(k + usize::from(value & 1 == 1)).collect();
                let false_ones = n - k - usize::from(n > k && value & 2 == 2);
                let rest = lits.iter().skip(k).map(|&lit| !lit).take(false_ones).collect();
                questions.extend([chosen, edge, rest].map(|assumed| Question::new(&lits, k, relation, assumed)));
            }
            for asked in &questions {
                let holds = satisfiable(&mut reference, &asked.assumptions);
                prop_assert_eq!(holds, asked.holds, "rustsat: {} {} of {}", name, k, n);
            }
            let forms = [Form::Plain, Form::Conditional, Form::Reified];
            for (&encoding, form) in CardEncoding::ALL.iter().cartesian_product(forms) {
                let Some(mut solver) = ours(&lits, k, relation, encoding, form) else { continue };
                for asked in &questions {
                    let what = format!("{encoding}, {form:?}, {name} {k} of {n} under {:?}", asked.assumptions);
                    prop_assert_eq!(satisfiable(&mut solver, &asked.with(r)), asked.holds, "{}", what);
                    let otherwise = match form {
                        Form::Plain => asked.holds,
                        Form::Conditional => true,
                        Form::Reified => asked.fails,
                    };
                    let without = satisfiable(&mut solver, &asked.with(!r));
                    prop_assert_eq!(without, otherwise, "{}, the further variable false", what);
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
                let both = satisfiable(&mut solver, pair);
                prop_assert_eq!(both, pair[0] == pair[1], "{} of {}: {:?}", encoding, n, pair);
            }
            let none: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
            prop_assert!(!satisfiable(&mut solver, &none), "{} of {}", encoding, n);
            prop_assert!(satisfiable(&mut solver, &none[1..]), "{} of {}", encoding, n);
        }
    }
}
