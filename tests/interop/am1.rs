//! Our at-most-one encodings behind rustsat's trait.

use cnfkit::interop::Am1;
use cnfkit::solvers::BatSat;
use cnfkit::{AmoEncoding, CardEncoding, Ladder, Lit, Pairwise, Var};
use rustsat::encodings::{EncodeStats, IterInputs, am1};
use rustsat::instances::{Cnf as Clauses, ManageVars};
use rustsat::solvers::Solve;

use super::{Subsets, check, inputs};

fn am1_exhaustive<E: am1::Encode + Extend<Lit> + EncodeStats + IterInputs>(make: impl Fn(Vec<Lit>) -> E) {
    for n in 1..=7 {
        let (lits, mut vars) = inputs(n);
        let mut enc = make(lits[..1].to_vec());
        enc.extend(lits[1..].iter().copied());
        assert_eq!((enc.n_lits(), enc.iter().collect()), (n as usize, lits.clone()));
        let mut clauses = Clauses::new();
        enc.encode(&mut clauses, &mut vars).unwrap();
        assert_eq!((enc.n_clauses(), enc.n_vars()), (clauses.len(), vars.n_used() - n));
        let mut solver = BatSat::default();
        solver.add_cnf(clauses).unwrap();
        solver.reserve(Var::new(vars.n_used())).unwrap();
        check(&mut solver, &lits, &[], |count| count <= 1, &format!("n = {n}"));
    }
}

macro_rules! am1_tests {
    ($($name:ident: $enc:ty),* $(,)?) => { $(mod $name {
        use super::*;
        #[test]
        fn exhaustive() { am1_exhaustive(<$enc>::from) }
    })* };
}

am1_tests! {
    am1_of_rustsat: am1::TwoProduct,
    am1_pairwise: Am1<Pairwise>,
    am1_bitwise: Am1<cnfkit::Bitwise>,
    am1_ladder: Am1<Ladder>,
    am1_nested: Am1<cnfkit::Nested>,
    am1_product: Am1<cnfkit::Product>,
    am1_commander: Am1<cnfkit::Commander>,
    am1_bimander: Am1<cnfkit::Bimander>,
    am1_chosen: Am1<CardEncoding>,
    am1_third_party: Am1<Subsets>,
    am1_within_rustsats: am1::Commander<3, Am1<Pairwise>>,
}

#[test]
fn every_encoding_by_name() {
    for &enc in AmoEncoding::ALL {
        println!("{enc}");
        am1_exhaustive(|lits| Am1::new(enc, lits));
    }
}
