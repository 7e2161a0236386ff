//! Proofs that a limit ends: they conclude what has been shown by then.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use cnfkit::ask::Strategy;
use cnfkit::{Assignment, CardEncoding, CertifyError, ClauseSink, Constrain, Formula, Limits, Lit, Questions};

use crate::answers::pigeons;
use crate::{Folder, lot, veripb};

/// The conclusion of a proof, if it ends as one.
fn conclusion(proof: &str) -> Option<&str> {
    let line = proof.strip_suffix(";\nend pseudo-Boolean proof;\n")?.lines().next_back();
    line.and_then(|line| line.strip_prefix("conclusion "))
}

/// True if a conclusion is an answer.
fn is_answer(conclusion: &str) -> bool {
    match conclusion.strip_prefix("BOUNDS ") {
        Some(bounds) => bounds.split(' ').next() == bounds.split(' ').next_back(),
        None => conclusion != "NONE",
    }
}

/// Asks without a limit, and then twice with one that comes after a tenth of the time: the question ends long before
/// it would have, with an error, and its proof has no answer.
pub(crate) fn check_limits<A: std::fmt::Debug, E: std::fmt::Debug>(
    is_interrupted: impl Fn(&E) -> bool,
    ask: impl Fn(&Path, Limits) -> Result<A, E>,
) {
    let timed = |limits: Limits| {
        let (dir, begun) = (Folder::new("limits"), Instant::now());
        let answer = ask(&dir.0, limits);
        let time = begun.elapsed();
        // Certificates about puzzles have two parts.
        let proofs = ["", "solution"].map(|part| fs::read_to_string(dir.0.join(part).join("proof.pbp")));
        (time, answer, proofs.iter().flatten().filter_map(|proof| conclusion(proof)).any(is_answer))
    };
    let (whole, answer, is_proof) = timed(Limits::none());
    assert!(answer.is_ok() && is_proof, "{answer:?}");
    let flag = Arc::new(AtomicBool::new(false));
    let hold = |limits: Limits| {
        let (part, answer, is_proof) = timed(limits);
        assert!(answer.as_ref().is_err_and(&is_interrupted), "{answer:?}");
        assert!(!is_proof && part < whole / 2, "{part:?} of {whole:?}");
    };
    hold(Limits::none().time(whole / 10));
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(whole / 10);
            flag.store(true, Ordering::Relaxed);
        });
        hold(Limits::none().cancel(Arc::clone(&flag)));
    });
}

/// Limits reach the search for a proof: of one constraint, of many, of sums and of functions.
#[test]
fn limits_hold_while_clauses_are_certified() {
    let say = |n: usize, times: usize, enc: CardEncoding| {
        let mut formula = Formula::new();
        for _ in 0..times {
            let x = formula.new_lits(n);
            formula.at_most(&x, n / 2, enc).unwrap();
            formula.set_objective(x.iter().map(|&lit| (lit, 1)));
        }
        formula
    };
    let (one, many) = (say(800, 1, CardEncoding::Totalizer), say(8, 400, CardEncoding::Adder));
    for formula in [one, many, say(9, 400, CardEncoding::Network)] {
        let is_interrupted = |error: &CertifyError| matches!(error, CertifyError::Interrupted(_));
        check_limits(is_interrupted, |dir, limits| formula.solve_certified(dir, &limits));
        check_limits(is_interrupted, |dir, limits| formula.minimum_certified(dir, Strategy::Auto, &limits));
    }
}

#[test]
fn a_limit_on_time_is_an_error() {
    let dir = Folder::new("time");
    let error = pigeons(14).solve_certified(&dir.0, &Limits::none().time(Duration::from_millis(20))).unwrap_err();
    assert!(matches!(error, CertifyError::Interrupted(_)), "{error}");
}

/// A vertex cover of a graph with four times as many edges as vertices: each vertex costs a multiple of `weight`, and
/// the first less than nothing.
fn cover(n: usize, weight: i64) -> Formula {
    let (mut formula, mut below) = (Formula::new(), lot(5));
    let x = formula.new_lits(n);
    for _ in 0..4 * n {
        formula.add_clause(&[x[below(n)], x[below(n)]]).unwrap();
    }
    let weights = |(at, &lit): (usize, &Lit)| (lit, weight * (if at == 0 { -3 } else { 1 + at as i64 % 3 }));
    formula.set_objective(x.iter().enumerate().map(weights));
    formula
}

/// Proofs that ended early, and what VeriPB says of them.
fn ended_early(mut found: impl FnMut(&Folder, &str)) {
    let dir = Folder::new("early");
    let error = pigeons(12).solve_certified(&dir.0, &Limits::none().conflicts(100)).unwrap_err();
    assert!(matches!(error, CertifyError::Interrupted(_)), "{error}");
    found(&dir, "s VERIFIED NO CONCLUSION");
    for strategy in [Strategy::Auto, Strategy::CoreGuided, Strategy::SolutionImproving] {
        for weight in [1, 5] {
            let dir = Folder::new("early");
            let formula = cover(150, weight);
            let question = formula.ask().strategy(strategy).limits(Limits::none().conflicts(2500)).proof(&dir.0);
            let least = -3 * i128::from(weight);
            let Ok(Some(best)) = question.minimum() else {
                assert_eq!(strategy, Strategy::CoreGuided); // it has found none yet
                let (dir, mut bound) = (Folder::new("early"), None);
                let told = &mut |found: Option<(&Assignment, i128)>, lower| {
                    bound = Some(lower).filter(|_| found.is_none());
                };
                let limits = Limits::none().conflicts(2500);
                let error = formula.minimum_certified_with(&dir.0, strategy, &limits, told).unwrap_err();
                assert!(matches!(error, CertifyError::Interrupted(_)), "{error}");
                let lower = bound.filter(|&lower| lower > least).expect("a bound");
                found(&dir, &format!("s VERIFIED BOUNDS {lower} <= obj <= INF"));
                continue;
            };
            let (lower, upper) = (best.lower_bound, best.value);
            assert!(!best.is_optimal() && least <= lower && lower < upper, "{lower} {upper}");
            assert_eq!(strategy == Strategy::SolutionImproving, lower == least, "{lower}");
            found(&dir, &format!("s VERIFIED BOUNDS {lower} <= obj <= {upper}"));
        }
    }
}

#[test]
fn proofs_that_end_early_conclude_bounds() {
    ended_early(|dir, said| {
        let proof = fs::read_to_string(&dir.files()[1]).unwrap();
        let conclusion = conclusion(&proof).expect("the last lines");
        assert!(!is_answer(conclusion), "{conclusion}");
        match said.strip_prefix("s VERIFIED BOUNDS ").and_then(|bounds| bounds.split_once(" <= obj <= ")) {
            None => assert_eq!(conclusion, "NONE"),
            Some((lower, upper)) => {
                let words: Vec<&str> = conclusion.split(' ').collect();
                assert_eq!((words[1], words[words.len() - 1]), (lower, upper), "{conclusion}");
            }
        }
    });
}

#[test]
#[ignore = "needs VeriPB, named by the environment variable VERIPB"]
fn veripb_accepts_proofs_that_end_early() {
    ended_early(|dir, expected| {
        let said = veripb(&dir.files());
        assert!(said.contains(expected), "{expected}: {said}");
    });
}
