//! Sequences of questions by lot, some of which are interrupted, against all assignments.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use rustsat::types::Lit;

use super::SolverSink;
use crate::limits::{Limits, SolveError};
use crate::random::Random;
use crate::sink::ClauseSink;
use crate::solvers::{Anew, BatSat, Plain, Solver};
use crate::testing::trials::{Until, any_lit, run};

const VARS: usize = 7;

fn lits(random: &mut Random, least: usize, most: usize) -> Vec<Lit> {
    (0..least + random.below(most + 1 - least)).map(|_| any_lit(random, VARS)).collect()
}

/// Clauses come in between questions; one that is interrupted leaves neither a model nor a core.
fn questions<S: Solver>(random: &mut Random, solver: S) -> u64 {
    const QUESTIONS: u64 = 20;
    let mut sink = SolverSink::owned(solver);
    sink.new_lits(VARS);
    let mut clauses: Vec<Vec<Lit>> = Vec::new();
    for _ in 0..QUESTIONS {
        for _ in 0..random.below(3) {
            clauses.push(lits(random, 1, 4));
            sink.add_clause(&clauses[clauses.len() - 1]).unwrap();
        }
        let assumed = lits(random, 0, 3);
        let (limits, is_limited) = match random.below(6) {
            0 => (Limits::none().time(Duration::ZERO), true),
            1 => (Limits::none().conflicts(0), true),
            2 => (Limits::none().cancel(Arc::new(AtomicBool::new(true))), true),
            _ => (Limits::none(), false),
        };
        let exists = |assumed: &[Lit]| {
            (0..1 << VARS).any(|bits| {
                let is_true = |lit: &Lit| (bits >> lit.vidx() & 1 == 1) == lit.is_pos();
                clauses.iter().all(|clause| clause.iter().any(is_true)) && assumed.iter().all(is_true)
            })
        };
        let answer = sink.solve(&limits, &assumed);
        let (model, core) = (sink.model(), sink.core());
        match answer {
            Err(SolveError::Interrupted(_)) => assert!(is_limited && model.is_err() && core.is_err()),
            Err(error) => panic!("{error}"),
            Ok(true) => {
                let model = model.unwrap();
                let is_met = |clause: &Vec<Lit>| clause.iter().any(|&lit| model.is_true(lit));
                assert!(clauses.iter().all(is_met) && assumed.iter().all(|&lit| model.is_true(lit)) && core.is_err());
            }
            Ok(false) => {
                let core = core.unwrap();
                assert!(model.is_err() && core.iter().all(|lit| assumed.contains(lit)) && !exists(&core));
            }
        }
    }
    QUESTIONS << VARS
}

fn trial(random: &mut Random) -> u64 {
    match random.below(3) {
        0 => questions(random, BatSat::default()),
        1 => questions(random, Plain(BatSat::default())),
        _ => questions(random, Anew::new(BatSat::default)),
    }
}

#[test]
fn interrupted_questions_leave_nothing() {
    run("questions", &Until::Assignments(1_000_000), &mut trial);
}

#[test]
#[ignore = "runs until its time is up"]
fn interrupted_questions_for_long() {
    run("questions", &Until::TimeIsUp, &mut trial);
}
