//! Our cardinality encodings behind rustsat's traits of a range of bounds.

use cnfkit::interop::{Counted, Selected};
use cnfkit::solvers::BatSat;
use cnfkit::{CardEncoding, IncTotalizer, Lit, Var};
use rustsat::encodings::card::{self, BoundBoth, Totalizer};
use rustsat::encodings::{ConstraintEncodingError, EnforceError};
use rustsat::instances::ManageVars;
use rustsat::solvers::{Solve, SolveIncremental, SolverResult};
use rustsat::types::constraints::CardConstraint;

use super::{Subsets, check, inputs};

fn bounds_exhaustive<E: BoundBoth>(make: impl Fn(Vec<Lit>) -> E) {
    for n in 1..=5 {
        for low in 0..=n as usize {
            for high in low..=n as usize {
                let (lits, mut vars) = inputs(n);
                let mut enc = make(lits.clone());
                assert_eq!(enc.n_lits(), n as usize);
                let mut solver = BatSat::default();
                solver.reserve(Var::new(n)).unwrap();
                enc.encode_both(low..=high, &mut solver, &mut vars).unwrap();
                solver.reserve(Var::new(vars.n_used())).unwrap();
                check(&mut solver, &lits, &[], |_| true, "encoding must not enforce");
                for b in low..=high {
                    let what = format!("n = {n}, bound {b} of {low}..={high}");
                    let (upper, lower) = (enc.enforce_ub(b).unwrap(), enc.enforce_lb(b).unwrap());
                    check(&mut solver, &lits, &upper, |count| count <= b, &format!("{what}, upper"));
                    check(&mut solver, &lits, &lower, |count| count >= b, &format!("{what}, lower"));
                    check(&mut solver, &lits, &enc.enforce_eq(b).unwrap(), |count| count == b, &what);
                }
                assert_eq!(enc.enforce_ub(n as usize), Ok(vec![]), "n is no bound");
                assert_eq!(enc.enforce_lb(0), Ok(vec![]), "0 is no bound");
                assert_eq!(enc.enforce_lb(n as usize + 1), Err(EnforceError::Unsat));
            }
        }
    }
}

/// Bounds on negated literals, in a formula that has its own mind.
fn bounds_in_context<E: BoundBoth + From<Vec<Lit>>>() {
    // A path whose vertices 1 and 4 are covered: the cheapest cover of its edges takes one more.
    let (x, mut vars) = inputs(6);
    let mut solver = BatSat::default();
    for edge in x.windows(2) {
        solver.add_binary(edge[0], edge[1]).unwrap();
    }
    solver.add_unit(x[1]).unwrap();
    solver.add_unit(x[4]).unwrap();
    let left_out: Vec<Lit> = x.iter().map(|&lit| !lit).collect();
    let mut enc = E::from(left_out);
    enc.encode_both(2..=4, &mut solver, &mut vars).unwrap();
    let mut solve = |assumptions: Vec<Lit>| solver.solve_assumps(&assumptions).unwrap();
    assert_eq!(solve(enc.enforce_lb(3).unwrap()), SolverResult::Sat);
    assert_eq!(solve(enc.enforce_lb(4).unwrap()), SolverResult::Unsat);
    assert_eq!(solve(enc.enforce_eq(3).unwrap()), SolverResult::Sat);
    assert_eq!(solve(enc.enforce_ub(2).unwrap()), SolverResult::Sat);
    assert_eq!(solve(enc.enforce_eq(4).unwrap()), SolverResult::Unsat);
}

/// Whole constraints, trivial ones included.
fn constraints<E: BoundBoth + FromIterator<Lit>>() {
    for n in 0..=5 {
        for b in 0..=n as usize + 1 {
            for (relation, name) in [(0, "<="), (1, ">="), (2, "=")] {
                let (lits, mut vars) = inputs(n);
                let (constraint, holds): (_, fn(usize, usize) -> bool) = match relation {
                    0 => (CardConstraint::new_ub(lits.clone(), b), |count, b| count <= b),
                    1 => (CardConstraint::new_lb(lits.clone(), b), |count, b| count >= b),
                    _ => (CardConstraint::new_eq(lits.clone(), b), |count, b| count == b),
                };
                let what = format!("sum of {n} {name} {b}");
                let mut solver = BatSat::default();
                solver.reserve(Var::new(n)).unwrap();
                card::encode_cardinality_constraint::<E, _>(constraint.clone(), &mut solver, &mut vars).unwrap();
                check(&mut solver, &lits, &[], |count| holds(count, b), &what);
                // And without rustsat's own folding of the trivial ones.
                let mut solver = BatSat::default();
                solver.reserve(Var::new(n)).unwrap();
                match E::encode_constr(constraint, &mut solver, &mut vars) {
                    Ok(()) => check(&mut solver, &lits, &[], |count| holds(count, b), &what),
                    Err(error) => {
                        assert_eq!(error, ConstraintEncodingError::Unsat, "{what}");
                        assert!(b > n as usize && relation > 0, "{what}");
                    }
                }
            }
        }
    }
}

macro_rules! card_tests {
    ($($name:ident: $enc:ty),* $(,)?) => { $(mod $name {
        use super::*;
        #[test]
        fn exhaustive() { bounds_exhaustive(<$enc>::from) }
        #[test]
        fn in_context() { bounds_in_context::<$enc>() }
        #[test]
        fn whole_constraints() { constraints::<$enc>() }
    })* };
}

card_tests! {
    selected_third_party: Selected<Subsets>,
    selected_combinatorial: Selected<cnfkit::Combinatorial>,
    selected_sequential: Selected<cnfkit::SequentialCounter>,
    selected_totalizer: Selected<cnfkit::Totalizer>,
    selected_chosen: Selected<CardEncoding>,
    counted_incremental: Counted<IncTotalizer>,
    counted_totalizer: Counted<cnfkit::Totalizer>,
    counted_sequential: Counted<cnfkit::SequentialCounter>,
}

#[test]
fn every_encoding_by_name() {
    for &enc in CardEncoding::ALL {
        println!("{enc}");
        bounds_exhaustive(|lits| Selected::new(enc, lits));
    }
}

mod card_of_rustsat {
    use super::*;

    #[test]
    fn exhaustive() {
        bounds_exhaustive(Totalizer::from);
    }

    #[test]
    fn in_context() {
        bounds_in_context::<Totalizer>();
    }
}
