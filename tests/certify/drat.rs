//! Proofs in DRAT: they are translated, as those of other programs, and replayed, and given to drat-trim where
//! `DRAT_TRIM` names it.

use cnfkit::solvers::External;
use cnfkit::{CardEncoding, CertifyError, ClauseSink, Constrain, Formula, Limits, Lit};

use crate::answers::pigeons;
use crate::replay::replay;
use crate::{Folder, lot};

/// Clauses of three literals by lot, more than have a model.
fn random(n: usize, seed: u64) -> Formula {
    let (mut formula, mut below) = (Formula::with_vars(n), lot(seed));
    for _ in 0..6 * n {
        let clause = [(); 3].map(|()| Lit::new(below(n) as u32, below(2) == 0));
        formula.add_clause(&clause).unwrap();
    }
    formula
}

/// A proof that there is no model becomes one of another format; without its clauses it does not.
#[test]
#[cfg(unix)]
fn clauses_of_drat_follow() {
    for (round, formula) in [pigeons(4), pigeons(5), random(12, 1), random(30, 2)].into_iter().enumerate() {
        let dir = Folder::new("drat");
        assert_eq!(formula.solve_drat(&dir.0, &Limits::none()).unwrap(), None);
        let path = dir.0.join("proof.drat");
        let text = std::fs::read_to_string(&path).unwrap();
        let says = |text: &str| {
            std::fs::write(&path, text).unwrap();
            let copy = format!("sh -c 'cp {} $2; echo s UNSATISFIABLE' sh {{file}} {{proof}}", path.display());
            let translated = Folder::new("translated");
            formula.solve_certified_by(&External::new(copy), 1, &translated.0, &Limits::none()).unwrap();
            let [opb, proof] = translated.files().map(|file| std::fs::read_to_string(file).unwrap());
            replay(&opb, &proof)
        };
        says(&text).unwrap_or_else(|why| panic!("{round}: {why}"));
        assert!(says("0\n").is_err(), "{round}");
    }
}

#[test]
fn models_and_other_constraints() {
    let dir = Folder::new("drat");
    let mut formula = Formula::new();
    let x = formula.new_lits(4);
    formula.add_clause(&[!x[0], x[1]]).unwrap();
    formula.add_clause(&[x[0]]).unwrap();
    let model = formula.solve_drat(&dir.0, &Limits::none()).unwrap().expect("a model");
    assert!(model.is_true(x[0]) && model.is_true(x[1]));
    formula.at_most(&x, 2, CardEncoding::Auto).unwrap();
    let error = formula.solve_drat(&dir.0, &Limits::none()).unwrap_err();
    assert!(matches!(error, CertifyError::NoClause { constraint: 0, .. }), "{error}");
    let error = pigeons(12).solve_drat(&Folder::new("drat").0, &Limits::none().conflicts(100)).unwrap_err();
    assert!(matches!(error, CertifyError::Interrupted(_)), "{error}");
}

#[test]
#[ignore = "needs drat-trim, named by the environment variable DRAT_TRIM"]
fn drat_trim_accepts_proofs() {
    let mut deleted = 0;
    for formula in [pigeons(4), pigeons(8), random(12, 1), random(150, 2)] {
        let dir = Folder::new("drat");
        assert_eq!(formula.solve_drat(&dir.0, &Limits::none()).unwrap(), None);
        let program = std::env::var_os("DRAT_TRIM").expect("DRAT_TRIM is the program's path");
        let files = ["formula.cnf", "proof.drat"].map(|name| dir.0.join(name));
        let said =
            String::from_utf8(std::process::Command::new(program).args(&files).output().unwrap().stdout).unwrap();
        assert!(said.contains("s VERIFIED") && !said.contains("ignoring"), "{said}");
        deleted += std::fs::read_to_string(&files[1]).unwrap().matches("\nd ").count();
    }
    assert!(deleted > 100, "{deleted}");
}
