//! Certificates of reified counts that share a counter, and of reified ranges.

use cnfkit::{CardEncoding, Constrain, Constraint, Formula, Lit, PbEncoding, Relation};

use super::Certificate;

fn check_shared(checker: impl Fn(&Certificate) -> Result<(), String>) {
    let (n, mut smaller) = (7, 0);
    let relations: Vec<Relation> =
        (1..n).flat_map(|k| [Relation::AtMost(k), Relation::AtLeast(k), Relation::Exactly(k)]).collect();
    let encodings = [CardEncoding::Auto, CardEncoding::Smallest, CardEncoding::Totalizer, CardEncoding::Sequential];
    for (at, enc) in (0..relations.len()).flat_map(|at| encodings.map(|enc| (at, enc))) {
        let mut formula = Formula::with_vars(n + 4);
        let x: Vec<Lit> = (0..n as u32 + 4).map(|var| Lit::new(var, var % 3 == 1)).collect();
        let alone = |step: usize| {
            let mut formula = Formula::with_vars(n + 4);
            let constraint = Constraint::count(&x[..n], relations[(at + step) % relations.len()]);
            formula.post(&constraint.iff(x[n + step]), enc).unwrap();
            formula.size().cost()
        };
        let alone = alone(0) + alone(1) + alone(2);
        for step in 0..3 {
            let constraint = Constraint::count(&x[..n], relations[(at + step) % relations.len()]);
            formula.post(&constraint.iff(x[n + step]), enc).unwrap();
        }
        smaller += usize::from(formula.size().cost() < alone);
        formula.when([x[n + 3]]).iff_between(x[n], &x[..n], 2..=4, enc).unwrap();
        formula.when([x[n + 3]]).iff_between(x[n + 1], &x[..n], 1..=3, enc).unwrap();
        let terms: Vec<(Lit, i64)> = x[..4].iter().copied().zip([3, 5, -4, 2]).collect();
        formula.pb_iff_between(x[n + 2], &terms, 0..=6, PbEncoding::Auto).unwrap();
        let certificate = Certificate::new(&formula).unwrap();
        assert!(certificate.is_encoded, "{at} {enc}");
        checker(&certificate).unwrap_or_else(|error| panic!("{at} {enc}: {error}"));
    }
    assert!(smaller > 50, "{smaller}");
}

#[test]
fn shared_counters_replay() {
    check_shared(Certificate::replay);
}

#[test]
#[ignore = "needs VeriPB, named by the environment variable VERIPB"]
fn veripb_accepts_shared_counters() {
    check_shared(Certificate::check);
}
