//! The OPB of a certificate says what was said to its formula; and conclusions at the ends of what numbers can be.

use cnfkit::ask::Strategy;
use cnfkit::{
    AmoEncoding, CardEncoding, CertifyError, ClauseSink, Constrain, Formula, Limits, Lit, PbEncoding, Totalizer,
};

use crate::expressions::random_expr;
use crate::replay::{Inequality, lines, replay};
use crate::{Folder, is_exhaustive, lot, veripb};

/// The meaning of a constraint, for an assignment.
type Said = Box<dyn Fn(&dyn Fn(Lit) -> bool) -> bool>;

/// Says a constraint by any method of the front door, with weights that pass 64 bits together, too.
fn say(formula: &mut Formula, x: &[Lit], below: &mut impl FnMut(usize) -> usize) -> Said {
    let mut lits: Vec<Lit> = x.to_vec();
    (1..lits.len()).rev().for_each(|last| lits.swap(last, below(last + 1)));
    lits.iter_mut().for_each(|lit| *lit = if below(3) == 0 { !*lit } else { *lit });
    let (r, cond) = (lits[0], lits[1..=below(2)].to_vec());
    let lits = lits[2..].to_vec();
    let unit = [1, i64::MAX / 4][below(2)];
    let mut weight = || unit * (below(8) as i64 - 3) + below(2) as i64;
    let terms: Vec<(Lit, i64)> = lits.iter().map(|&lit| (lit, weight())).collect();
    let bound = terms[0].1.saturating_add(terms[1].1.max(0));
    let (k, kind) = (below(lits.len() + 1), below(17));
    let expr = random_expr(&lits, 1 + k, below);
    let mut when = formula.when(&cond);
    let said = match kind {
        0 => when.at_most(&lits, k, CardEncoding::Auto),
        1 => when.at_least(&lits, k, CardEncoding::Totalizer),
        2 => when.exactly(&lits, k, CardEncoding::Auto),
        3 => when.pb_at_most(&terms, bound, PbEncoding::Auto),
        4 => when.pb_at_least(&terms, bound, PbEncoding::Auto),
        5 => when.pb_exactly(&terms, bound, PbEncoding::Auto),
        6 => when.iff_at_most(r, &lits, k, CardEncoding::Auto),
        7 => when.iff_at_least(r, &lits, k, CardEncoding::Auto),
        8 => when.iff_exactly(r, &lits, k, CardEncoding::Auto),
        9 => when.pb_iff_at_most(r, &terms, bound, PbEncoding::Auto),
        10 => when.pb_iff_at_least(r, &terms, bound, PbEncoding::Auto),
        11 => when.pb_iff_exactly(r, &terms, bound, PbEncoding::Auto),
        12 => when.at_most(&lits, k, Totalizer::default().order(true)), // has no name
        13 => when.exactly_one(&lits, AmoEncoding::Auto),
        14 => when.parity(&lits, k % 2 == 1),
        15 => when.require(&expr),
        _ => when.literal(&expr).and_then(|lit| formula.when(&cond).add_clause(&[lit])),
    };
    said.unwrap();
    Box::new(move |is_true| {
        let trues = terms.iter().filter(|(lit, _)| is_true(*lit));
        let (sum, bound): (i128, i128) = match kind {
            3..=5 | 9..=11 => (trues.map(|&(_, weight)| i128::from(weight)).sum(), bound.into()),
            13 => (trues.count() as i128, 1),
            _ => (trues.count() as i128, k as i128),
        };
        let holds = match kind {
            0 | 3 | 6 | 9 | 12 => sum <= bound,
            1 | 4 | 7 | 10 => sum >= bound,
            14 => (sum + bound) % 2 == 0,
            15 | 16 => expr.holds(is_true),
            _ => sum == bound,
        };
        !cond.iter().all(|&lit| is_true(lit)) || if (6..=11).contains(&kind) { holds == is_true(r) } else { holds }
    })
}

/// The checker gets what was said, of every kind, or the certificate is refused and says why.
#[test]
fn the_formula_of_a_certificate_is_what_was_said() {
    let mut below = lot(46);
    let (mut said_whole, mut refused) = (0, 0);
    for round in 0..1_500 {
        let mut formula = Formula::new();
        let x = formula.new_lits(6);
        let says = say(&mut formula, &x, &mut below);
        let mut opb = Vec::new();
        match formula.certify(&mut opb, Vec::new(), Vec::new()) {
            Err(CertifyError::Written { constraint, .. }) => {
                let is_sum = constraint.contains(" of ") && constraint.contains(", from x");
                assert!(is_sum, "{constraint}");
                refused += 1;
                continue;
            }
            Err(CertifyError::NotCovered { .. }) => continue,
            other => drop(other.unwrap()),
        }
        said_whole += 1;
        let opb = String::from_utf8(opb).unwrap();
        let (inequalities, others) = (lines(&opb), others(&opb, 6));
        assert!(others.len() < 12, "round {round}: {opb}");
        for bits in 0..1 << 6 {
            let expected = says(&|lit| (bits >> lit.vidx() & 1 == 1) == lit.is_pos());
            let found = is_met(&inequalities, &|var| bits >> (var - 1) & 1 == 1, &others);
            assert_eq!(found, expected, "round {round}: {bits:06b}\n{opb}");
        }
    }
    assert!(said_whole > 1_400 && refused > 30, "{said_whole} {refused}");
}

/// The weights of true literals, and the values of the other variables, meet all lines for some of the latter.
fn is_met(inequalities: &[Inequality], is_true: &dyn Fn(usize) -> bool, others: &[usize]) -> bool {
    (0..1_usize << others.len()).any(|bits| {
        let value = |lit: &str| {
            let var: usize = lit.trim_start_matches('~')[1..].parse().unwrap();
            let other = others.iter().position(|&other| other == var);
            other.map_or_else(|| is_true(var), |at| bits >> at & 1 == 1) != lit.starts_with('~')
        };
        inequalities.iter().all(|inequality| inequality.is_met(value))
    })
}

/// The variables of OPB above those of a formula.
fn others(opb: &str, n_vars: usize) -> Vec<usize> {
    let words = opb.split_whitespace().filter_map(|word| word.trim_start_matches('~').strip_prefix('x'));
    let mut vars: Vec<usize> = words.map(|var| var.parse().unwrap()).filter(|&var| var > n_vars).collect();
    vars.sort_unstable();
    vars.dedup();
    vars
}

/// A parity of nine to twelve literals is a sum, and says what it should, under a condition that may have its literals.
#[test]
fn long_parities_say_what_was_said() {
    for (n, odd, cond) in [(9, false, 0), (9, true, 1), (10, true, 2), (11, false, 3), (12, true, 0)] {
        let mut formula = Formula::with_vars(n + 1);
        let x: Vec<Lit> = (0..=n as u32).map(|var| Lit::new(var, var % 3 == 1)).collect();
        let cond = [x[n], !x[0], x[4]][..cond].to_vec();
        formula.when(&cond).parity(&x[..n], odd).unwrap();
        let mut opb = Vec::new();
        formula.certify(&mut opb, Vec::new(), Vec::new()).unwrap();
        let opb = String::from_utf8(opb).unwrap();
        let (inequalities, others) = (lines(&opb), others(&opb, n + 1));
        assert_eq!((inequalities.len(), others.len()), (2, 3), "{opb}");
        for bits in 0..1_usize << (n + 1) {
            let is_true = |lit: &Lit| (bits >> lit.vidx() & 1 == 1) == lit.is_pos();
            let holds = (x[..n].iter().filter(|lit| is_true(lit)).count() % 2 == 1) == odd;
            let expected = holds || !cond.iter().all(is_true);
            assert_eq!(is_met(&inequalities, &|var| bits >> (var - 1) & 1 == 1, &others), expected, "{bits:b}\n{opb}");
        }
    }
}

/// Solutions, least values and contradictions where parities are long.
fn check_long_parities(long: usize, checker: impl Fn(&Folder, &str)) {
    for (n, is_even) in [(9, false), (long, false), (long, true)] {
        let mut formula = Formula::with_vars(n + 1);
        let x = formula.lits();
        formula.parity(&x[..n], true).unwrap();
        formula.when([!x[n]]).parity(&x[1..n], true).unwrap();
        if is_even {
            formula.parity([&x[..n], &x[n..], &x[n..]].concat(), false).unwrap();
        }
        formula.at_least(&x[..n], 4, CardEncoding::Auto).unwrap();
        let dir = Folder::new("parity");
        let answer = formula.solve_certified(&dir.0, &Limits::none()).unwrap();
        assert_eq!(answer.is_none(), is_even);
        checker(&dir, if is_even { "s VERIFIED UNSATISFIABLE" } else { "s VERIFIED SATISFIABLE" });
        if n < 20 {
            formula.set_objective(x.iter().map(|&lit| (lit, 1)));
            let dir = Folder::new("parity");
            formula.minimum_certified(&dir.0, Strategy::Auto, &Limits::none()).unwrap().expect("a solution");
            checker(&dir, "s VERIFIED BOUNDS 5 <= obj <= 5");
        }
    }
}

#[test]
fn answers_about_long_parities_replay() {
    check_long_parities(if is_exhaustive() { 40 } else { 20 }, |dir, _| {
        let [opb, proof] = dir.files().map(|file| std::fs::read_to_string(file).unwrap());
        replay(&opb, &proof).unwrap();
    });
}

#[test]
#[ignore = "needs VeriPB, named by the environment variable VERIPB"]
fn veripb_accepts_answers_about_long_parities() {
    check_long_parities(40, |dir, verdict| {
        let said = veripb(&dir.files());
        assert!(said.contains(verdict), "{verdict}: {said}");
    });
}

/// A ring of clauses and at-most-ones, all of whose bounds are tightened: the proof grows with the formula.
#[test]
fn proofs_of_tightened_bounds_are_no_square() {
    let proof = |n: usize| {
        let mut formula = Formula::new();
        let x: Vec<Vec<Lit>> = (0..n).map(|_| formula.new_lits(3)).collect();
        for (row, next) in x.iter().zip(x.iter().cycle().skip(1)) {
            formula.add_clause(row).unwrap();
            formula.at_most([row[1], row[2], next[0]], 1, CardEncoding::Auto).unwrap();
        }
        let (mut opb, mut proof) = (Vec::new(), Vec::new());
        formula.certify(&mut opb, &mut proof, Vec::new()).unwrap();
        let [opb, proof] = [opb, proof].map(|text| String::from_utf8(text).unwrap());
        replay(&opb, &proof).unwrap();
        proof
    };
    let (short, long) = (proof(100).len(), proof(400).len());
    assert!(long < 6 * short, "{short} {long}");
}

/// The largest weight that an objective keeps in one term.
const MOST: u64 = i64::MAX as u64;

/// Formulas at the ends, each with the verdict on its proof.
fn conclusions() -> Vec<(Formula, &'static str)> {
    let with = |n: usize, weights: &[u64], least: usize| {
        let mut formula = Formula::new();
        let x = formula.new_lits(n);
        formula.at_least(&x, least, CardEncoding::Auto).unwrap();
        let terms: Vec<(Lit, u64)> = x.iter().copied().zip(weights.iter().copied()).collect();
        formula.set_objective(terms);
        formula
    };
    vec![
        (Formula::new(), "s VERIFIED SATISFIABLE"),
        (Formula::with_vars(2), "s VERIFIED SATISFIABLE"),
        (with(2, &[1, 0], 0), "s VERIFIED BOUNDS 0 <= obj <= 0"),
        (with(3, &[MOST, MOST, MOST], 2), "s VERIFIED BOUNDS 18446744073709551614 <= obj <= 18446744073709551614"),
        (with(3, &[MOST, MOST, MOST - 1], 2), "s VERIFIED BOUNDS 18446744073709551613 <= obj <= 18446744073709551613"),
        (with(2, &[MOST + 1, 1], 2), "s VERIFIED BOUNDS 9223372036854775809 <= obj <= 9223372036854775809"),
        (
            with(3, &[u64::MAX, u64::MAX, u64::MAX], 1),
            "s VERIFIED BOUNDS 18446744073709551615 <= obj <= 18446744073709551615",
        ),
    ]
}

fn check_conclusions(checker: impl Fn(&Folder, &str)) {
    for (formula, verdict) in conclusions() {
        for strategy in [Strategy::Auto, Strategy::CoreGuided] {
            let dir = Folder::new("ends");
            if formula.objective().is_empty() {
                formula.solve_certified(&dir.0, &Limits::none()).unwrap().expect("a model");
            } else {
                formula.minimum_certified(&dir.0, strategy, &Limits::none()).unwrap().expect("a solution");
            }
            checker(&dir, verdict);
        }
    }
}

#[test]
fn proofs_at_the_ends_replay() {
    check_conclusions(|dir, _| {
        let [opb, proof] = dir.files().map(|file| std::fs::read_to_string(file).unwrap());
        replay(&opb, &proof).unwrap();
        assert!(!proof.contains("conclusion SAT :;"));
    });
    let (formula, _) = conclusions().swap_remove(4);
    let dir = Folder::new("ends");
    // No bound of 64 bits can be put on it: cores lead to the optimum there, too.
    let best = formula.minimum_certified(&dir.0, Strategy::SolutionImproving, &Limits::none()).unwrap();
    assert!(best.is_some());
}

#[test]
#[ignore = "needs VeriPB, named by the environment variable VERIPB"]
fn veripb_accepts_proofs_at_the_ends() {
    check_conclusions(|dir, verdict| {
        let said = veripb(&dir.files());
        assert!(said.contains(verdict), "{verdict}: {said}");
    });
}
