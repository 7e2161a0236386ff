//! Certificates of parities.

use cnfkit::{CardEncoding, Constrain, Formula, Lit};

use super::{Certificate, is_exhaustive};

/// Parities with and without conditions, some of which have literals of the parity, that share variables or do not.
fn check_parities(lengths: impl Iterator<Item = usize>, checker: impl Fn(&Certificate) -> Result<(), String>) {
    for n in lengths {
        let mut formula = Formula::with_vars(n + 2);
        let x: Vec<Lit> = (0..n as u32 + 2).map(|var| Lit::new(var, var % 4 == 1)).collect();
        formula.parity(&x[..n], true).unwrap();
        formula.when(&x[n..]).parity(&x[..n], false).unwrap();
        formula.when([!x[0], x[n - 1], x[n]]).parity(&x[..n], n % 3 == 0).unwrap();
        formula.iff_parity(x[n], &x[1..n], n % 2 == 0).unwrap();
        formula.when([x[1], x[n]]).iff_parity(x[n + 1], &x[..n], n % 2 == 0).unwrap();
        formula.iff_exactly(x[0], &x[1..4.min(n)], 1, CardEncoding::Auto).unwrap();
        formula.at_most(&x[..n.min(12)], 2, CardEncoding::Auto).unwrap();
        checker(&Certificate::new(&formula).unwrap()).unwrap_or_else(|error| panic!("{n}: {error}"));
    }
}

/// Short ones, and long ones that are cut.
fn lengths() -> impl Iterator<Item = usize> {
    (2..=20).chain([31, 32, 33, 100])
}

/// Of the parity of n literals, alone: one line that says it for each side, and no more than 9 of the proof for each
/// literal, none of which is much longer for longer parities.
#[test]
fn proofs_of_long_parities_are_linear() {
    for n in [9, 100, 3_000] {
        let mut formula = Formula::with_vars(n);
        formula.parity(&formula.lits(), true).unwrap();
        let certificate = Certificate::new(&formula).unwrap();
        assert_eq!(certificate.opb.lines().count(), 3);
        assert!(certificate.proof.lines().count() < 9 * n, "{n}");
        assert!(certificate.proof.len() < 600 * n, "{n}: {}", certificate.proof.len());
    }
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
    check_parities(
        lengths().filter(|n| is_exhaustive() || [2, 3, 4, 5, 8, 9, 12, 33].contains(n)),
        Certificate::replay,
    );
    check_detected(Certificate::replay);
}

#[test]
#[ignore = "needs VeriPB, named by the environment variable VERIPB"]
fn veripb_accepts_parities() {
    check_parities(lengths(), Certificate::check);
    check_detected(Certificate::check);
}
