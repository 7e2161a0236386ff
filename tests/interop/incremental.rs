//! Bounds that move and inputs that come later.

use cnfkit::interop::Counted;
use cnfkit::solvers::BatSat;
use cnfkit::{IncTotalizer, Lit, Var};
use rustsat::encodings::card::{BoundBothIncremental, BoundUpperIncremental, Totalizer};
use rustsat::instances::ManageVars;
use rustsat::solvers::{Solve, SolveIncremental, SolverResult};

use super::{check, inputs};

/// Which bounds a test encodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Upper,
    Lower,
    Both,
}

/// Inputs and bounds that come step by step; after each step, every bound of its range holds for what is there.
fn incremental<E: BoundBothIncremental + Extend<Lit> + Default>() {
    let ranges = [0..=0, 0..=1, 1..=2, 0..=3, 2..=2, 3..=6, 0..=6];
    for kind in [Kind::Upper, Kind::Lower, Kind::Both] {
        for (case, sizes) in [[1, 1, 1], [3, 0, 2], [2, 3, 0], [0, 4, 1], [4, 0, 0]].iter().enumerate() {
            for first in 0..ranges.len() {
                let (x, mut vars) = inputs(sizes.iter().sum());
                let mut solver = BatSat::default();
                solver.reserve(Var::new(x.len() as u32)).unwrap();
                let (mut enc, mut there) = (E::default(), 0);
                for (step, &more) in sizes.iter().enumerate() {
                    let lits: Vec<Lit> = x[there..there + more as usize].iter().map(|&lit| !lit).collect();
                    enc.extend(lits);
                    there += more as usize;
                    let range = ranges[(first + step * (case + 1)) % ranges.len()].clone();
                    match kind {
                        Kind::Upper => enc.encode_ub_change(range.clone(), &mut solver, &mut vars).unwrap(),
                        Kind::Lower => enc.encode_lb_change(range.clone(), &mut solver, &mut vars).unwrap(),
                        Kind::Both => enc.encode_both_change(range.clone(), &mut solver, &mut vars).unwrap(),
                    }
                    solver.reserve(Var::new(vars.n_used())).unwrap();
                    assert_eq!(enc.n_lits(), there);
                    for b in range.filter(|&b| b <= there) {
                        let what = format!("{kind:?}, sizes {sizes:?}, step {step}, first range {first}, bound {b}");
                        if kind != Kind::Lower {
                            let upper = enc.enforce_ub(b).unwrap();
                            check(&mut solver, &x[..there], &upper, |trues| there - trues <= b, &what);
                        }
                        if kind != Kind::Upper {
                            let lower = enc.enforce_lb(b).unwrap();
                            check(&mut solver, &x[..there], &lower, |trues| there - trues >= b, &what);
                        }
                    }
                }
                check(&mut solver, &x, &[], |_| true, "encoding must not enforce");
            }
        }
    }
}

/// The smallest vertex cover of a path that grows, found by bounds that rise.
fn rising_bounds<E: BoundUpperIncremental + Extend<Lit> + Default>() {
    let (x, mut vars) = inputs(13);
    let mut solver = BatSat::default();
    let (mut enc, mut bound) = (E::default(), 0);
    enc.extend([x[0]]);
    for n in 2..=x.len() {
        solver.add_binary(x[n - 2], x[n - 1]).unwrap();
        enc.extend([x[n - 1]]);
        loop {
            enc.encode_ub_change(bound..=bound, &mut solver, &mut vars).unwrap();
            let assumptions = enc.enforce_ub(bound).unwrap();
            if solver.solve_assumps(&assumptions).unwrap() == SolverResult::Sat {
                break;
            }
            bound += 1;
        }
        assert_eq!(bound, n / 2, "a path of {n} vertices");
    }
}

macro_rules! incremental_tests {
    ($($name:ident: $enc:ty),* $(,)?) => { $(mod $name {
        use super::*;
        #[test]
        fn in_steps() { incremental::<$enc>() }
        #[test]
        fn rising() { rising_bounds::<$enc>() }
    })* };
}

incremental_tests! {
    incremental_of_rustsat: Totalizer,
    incremental_totalizer: Counted<IncTotalizer>,
    incremental_anew: Counted<cnfkit::Totalizer>,
    incremental_sequential: Counted<cnfkit::SequentialCounter>,
}
