//! Certificates of reified counts that share a counter, of sums that share a structure, and of reified ranges.

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

/// Reified, conditioned and plain bounds on the same terms, of either sign.
fn check_shared_sums(checker: impl Fn(&Certificate) -> Result<(), String>) {
    let weights = [3_i64, 5, 7, 4, 6, 9];
    let mut smaller = 0;
    for (k, enc) in (8..25_u64).flat_map(|k| [PbEncoding::Auto, PbEncoding::Smallest].map(|enc| (k, enc))) {
        for is_counting in [false, true] {
            let x: Vec<Lit> = (0..10).map(|var| Lit::new(var, var % 3 == 1)).collect();
            let terms: Vec<(Lit, i64)> = x.iter().copied().zip(weights).collect();
            let negated: Vec<(Lit, i64)> = terms.iter().rev().map(|&(lit, weight)| (lit, -weight)).collect();
            let post = |formula: &mut Formula, step: u32| {
                let bound = k as i64;
                match step {
                    0 => formula.pb_iff_at_most(x[6], &terms, bound, enc),
                    1 => formula.pb_iff_at_least(x[7], &negated, -bound - 2, enc),
                    2 => formula.when([x[8]]).pb_at_least(&terms, bound - 3, enc),
                    3 if k % 2 == 0 => formula.pb_at_most(&terms, bound + 4, enc),
                    _ => formula.pb_iff_exactly(x[9], &terms, bound + 1, enc),
                }
                .unwrap();
            };
            let formula = |steps: std::ops::Range<u32>| {
                let mut formula = Formula::with_vars(10);
                steps.for_each(|step| post(&mut formula, step));
                if is_counting { formula.for_counting() } else { formula }
            };
            let alone: u64 = (0..4).map(|step| formula(step..step + 1).size().cost()).sum();
            let formula = formula(0..4);
            smaller += usize::from(formula.size().cost() < alone);
            let certificate = Certificate::new(&formula).unwrap_or_else(|error| panic!("{k} {enc}: {error}"));
            assert!(certificate.is_encoded, "{k} {enc} {is_counting}");
            checker(&certificate).unwrap_or_else(|error| panic!("{k} {enc}: {error}"));
        }
    }
    assert!(smaller > 40, "{smaller}");
}

#[test]
fn shared_sums_replay() {
    check_shared_sums(Certificate::replay);
}

#[test]
#[ignore = "needs VeriPB, named by the environment variable VERIPB"]
fn veripb_accepts_shared_sums() {
    check_shared_sums(Certificate::check);
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
