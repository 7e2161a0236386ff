//! Certificates of Boolean expressions whose clauses have auxiliaries.

use cnfkit::{BoolExpr, CardEncoding, CertifyError, ClauseSink, Cnf, Constrain, Formula, Layer, Limits, Lit};

use crate::{Certificate, Folder, lot, veripb};

/// An expression of this many operations, some of whose parts are shared or alike.
pub(crate) fn random_expr(x: &[Lit], operations: usize, below: &mut impl FnMut(usize) -> usize) -> BoolExpr {
    let mut parts: Vec<BoolExpr> = x.iter().map(|&lit| BoolExpr::from(lit)).collect();
    for step in 0..operations {
        let mut part = || {
            // The last one is used more often than not.
            let at = if step > 0 && below(3) == 0 { parts.len() - 1 } else { below(parts.len()) };
            if below(3) == 0 { !parts[at].clone() } else { parts[at].clone() }
        };
        let (a, b, c) = (part(), part(), part());
        parts.push(match below(5) {
            0 => BoolExpr::all([a, b, c]),
            1 => BoolExpr::any([a, b, c]),
            2 => a ^ b ^ c,
            3 => a.iff(b),
            _ => BoolExpr::ite(a, b, c),
        });
    }
    parts.swap_remove(x.len() + operations - 1)
}

/// A layer that sends on what it likes, so that nobody knows what its clauses say.
struct Weaker<'f>(&'f mut Formula, Lit);

impl Layer for Weaker<'_> {
    type Inner = Formula;

    fn inner(&self) -> &Formula {
        self.0
    }

    fn inner_mut(&mut self) -> &mut Formula {
        self.0
    }

    fn pass_clause(&mut self, clause: &[Lit]) -> Result<(), cnfkit::CapacityError> {
        self.0.add_clause(&[clause, &[self.1]].concat())
    }
}

/// Expressions that hold, under conditions and not, and that have literals, beside other constraints.
fn check_expressions(checker: impl Fn(&Certificate) -> Result<(), String>) {
    let mut below = lot(11);
    for round in 0..120 {
        let (n, operations) = (4 + below(4), 2 + below(if round % 10 == 0 { 30 } else { 8 }));
        let mut formula = Formula::with_vars(n);
        let x: Vec<Lit> = (0..n as u32).map(|var| Lit::new(var, below(2) == 0)).collect();
        if round % 3 == 0 {
            formula = formula.for_counting();
        }
        formula.at_least(&x, 1, CardEncoding::Auto).unwrap();
        formula.require(random_expr(&x, operations, &mut below)).unwrap();
        formula.add_clause(&x[..3]).unwrap();
        formula.when([x[0], !x[1]]).require(random_expr(&x, operations, &mut below)).unwrap();
        let r = formula.literal(random_expr(&x, operations, &mut below)).unwrap();
        let both = random_expr(&x, operations, &mut below).iff(random_expr(&x, operations, &mut below));
        formula.when([r]).keep_order().require(both).unwrap();
        formula.iff_exactly(r, &x[..3], 2, CardEncoding::Auto).unwrap();
        let certificate = Certificate::new(&formula).unwrap_or_else(|error| panic!("{round}: {error}"));
        assert!(certificate.is_encoded, "{round}");
        checker(&certificate).unwrap_or_else(|error| panic!("{round}: {error}"));
        for (one, other) in (1..n).flat_map(|one| (0..one).map(move |other| (one, other))) {
            formula.add_clause(&[!x[one], !x[other]]).unwrap(); // at most one, for detection
        }
        let certificate = Certificate::detected(&formula).unwrap_or_else(|error| panic!("{round}: {error}"));
        checker(&certificate).unwrap_or_else(|error| panic!("{round}, detected: {error}"));
    }
    for n in [3, 12, 60] {
        let mut formula = Formula::with_vars(2 * n);
        let x = formula.lits();
        formula.require(BoolExpr::lex_le(&x[..n], &x[n..])).unwrap();
        let x = &x[..x.len().min(24)];
        let odd = x[1..].iter().fold(BoolExpr::from(x[0]), |odd, &lit| odd ^ lit);
        formula.require(odd.clone()).unwrap();
        formula.when([x[0]]).require(odd.iff(BoolExpr::all(x.iter().copied()))).unwrap();
        checker(&Certificate::new(&formula).unwrap()).unwrap_or_else(|error| panic!("{n}: {error}"));
    }
}

#[test]
fn expressions_replay() {
    check_expressions(Certificate::replay);
}

#[test]
#[ignore = "needs VeriPB, named by the environment variable VERIPB"]
fn veripb_accepts_expressions() {
    check_expressions(Certificate::check);
}

/// Answers about expressions, each with the verdict on its proof.
fn check_answers(checker: impl Fn(&Folder, &str)) {
    let mut below = lot(5);
    let mut found = [0, 0];
    for _ in 0..40 {
        let mut formula = Formula::with_vars(6);
        let x = formula.lits();
        for _ in 0..4 {
            formula.require(random_expr(&x, 6, &mut below)).unwrap();
        }
        let dir = Folder::new("expressions");
        let answer = formula.solve_certified(&dir.0, &Limits::none()).unwrap();
        found[usize::from(answer.is_some())] += 1;
        let detected = Folder::new("expressions");
        formula.detect().solve_certified(&detected.0, &Limits::none()).unwrap();
        checker(&detected, if answer.is_some() { "s VERIFIED SATISFIABLE" } else { "s VERIFIED UNSATISFIABLE" });
        checker(&dir, if answer.is_some() { "s VERIFIED SATISFIABLE" } else { "s VERIFIED UNSATISFIABLE" });
    }
    assert!(found[0] > 5 && found[1] > 5, "{found:?}");
}

#[test]
fn answers_about_expressions_replay() {
    check_answers(|dir, _| {
        let [opb, proof] = dir.files().map(|file| std::fs::read_to_string(file).unwrap());
        crate::replay::replay(&opb, &proof).unwrap();
    });
}

#[test]
#[ignore = "needs VeriPB, named by the environment variable VERIPB"]
fn veripb_accepts_answers_about_expressions() {
    check_answers(|dir, verdict| {
        let said = veripb(&dir.files());
        assert!(said.contains(verdict), "{verdict}: {said}");
    });
}

/// Expressions that are too long to be searched through, or that a layer may have changed, are refused by name.
#[test]
fn other_expressions_are_refused() {
    let refused = |formula: &Formula, words: &str| {
        let error = formula.certify(Vec::new(), Vec::new(), Vec::new()).unwrap_err();
        let CertifyError::Written { constraint, .. } = &error else { panic!("{error}") };
        assert!(constraint.contains(words), "{error}");
    };
    let mut formula = Formula::with_vars(5);
    let x = formula.lits();
    let expr = BoolExpr::from(x[0]) & x[1] | BoolExpr::from(x[2]) & x[3];
    Weaker(&mut formula, x[4]).require(&expr).unwrap();
    refused(&formula, "(x3 & x4)");
    let mut formula = Formula::with_vars(6_000);
    let x = formula.lits();
    formula.require(BoolExpr::lex_le(&x[..3_000], &x[3_000..])).unwrap();
    refused(&formula, "an expression of ");
    // A file of the clauses says nothing of where they come from.
    let mut cnf = Cnf::with_vars(6_000);
    cnf.require(BoolExpr::lex_le(&x[..3_000], &x[3_000..])).unwrap();
    let formula = Formula::read_dimacs(cnf.to_string().as_bytes()).unwrap();
    formula.certify(Vec::new(), Vec::new(), Vec::new()).unwrap();
}
