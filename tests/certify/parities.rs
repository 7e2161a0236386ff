//! Certificates of parities.

use cnfkit::{CardEncoding, CertifyError, ClauseSink, Constrain, Formula, Lit};

use super::Certificate;

/// Parities with and without conditions, that share variables or do not; of more than eight literals they are refused.
fn check_parities(checker: impl Fn(&Certificate) -> Result<(), String>) {
    for n in 2..=8 {
        let mut formula = Formula::with_vars(n + 2);
        let x: Vec<Lit> = (0..n as u32 + 2).map(Lit::positive).collect();
        formula.parity(&x[..n], true).unwrap();
        formula.when(&x[n..]).parity(&x[..n], false).unwrap();
        formula.iff_parity(x[n], &x[1..n], n % 2 == 0).unwrap();
        formula.at_most(&x, 2, CardEncoding::Auto).unwrap();
        checker(&Certificate::new(&formula).unwrap()).unwrap_or_else(|error| panic!("{n}: {error}"));
    }
    let mut formula = Formula::with_vars(9);
    formula.add_clause(&[Lit::positive(0)]).unwrap();
    formula.parity(&(0..9).map(Lit::positive).collect::<Vec<Lit>>(), true).unwrap();
    let refused = formula.certify(Vec::new(), Vec::new(), Vec::new()).unwrap_err();
    assert!(matches!(refused, CertifyError::Parity { constraint: 0, .. }), "{refused}");
    assert_eq!(refused.to_string(), "no proof for constraint 0, a parity of more than 8 literals");
}

/// The clauses of parities, in which they are detected.
fn check_detected(checker: impl Fn(&Certificate) -> Result<(), String>) {
    for n in 3..=12 {
        let mut formula = Formula::with_vars(n);
        let x: Vec<Lit> = (0..n as u32).map(Lit::positive).collect();
        formula.parity(&x, true).unwrap();
        formula.at_most(&x, 2, CardEncoding::Auto).unwrap();
        let clauses = Formula::read_dimacs(formula.encode().unwrap().to_string().as_bytes()).unwrap();
        checker(&Certificate::detected(&clauses).unwrap()).unwrap_or_else(|error| panic!("{n}: {error}"));
    }
}

#[test]
fn parities_replay() {
    check_parities(Certificate::replay);
    check_detected(Certificate::replay);
}

#[test]
#[ignore = "needs VeriPB, named by the environment variable VERIPB"]
fn veripb_accepts_parities() {
    check_parities(Certificate::check);
    check_detected(Certificate::check);
}
