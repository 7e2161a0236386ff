//! Questions without an answer, after which solvers say nothing, and interrupts that are raised rustsat's way.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use rustsat::solvers::InterruptSolver;
use rustsat::types::Lit;

use super::SolverSink;
use crate::choose::{CardEncoding, PbEncoding};
use crate::constrain::Constrain;
use crate::formula::Formula;
use crate::limits::{Limits, SolveError, Stopped};
use crate::sink::ClauseSink;
use crate::solvers::{Anew, BatSat, External, Plain, Solver};

/// After each question without an answer there is no model and no core: those of the one before are gone.
fn nothing_is_left_of_an_older_question<S: Solver>(solver: S, counts_conflicts: bool) {
    let mut sink = SolverSink::owned(solver);
    let x = sink.new_lits(3);
    assert!(sink.model().is_err(), "nothing was asked");
    sink.add_clause(&x).unwrap();
    let raised = Limits::none().cancel(Arc::new(AtomicBool::new(true)));
    let mut ends = vec![Limits::none().time(Duration::ZERO), raised];
    ends.extend(counts_conflicts.then(|| Limits::none().conflicts(0)));
    for limits in ends {
        assert!(sink.solve(&Limits::none(), &[!x[0], !x[1]]).unwrap());
        assert!(sink.model().unwrap().is_true(x[2]));
        assert!(matches!(sink.solve(&limits, &[x[0]]), Err(SolveError::Interrupted(_))));
        assert!(sink.model().is_err() && matches!(sink.core(), Err(SolveError::NoCore)));
        assert!(!sink.solve(&Limits::none(), &[!x[0], !x[1], !x[2]]).unwrap());
        assert!(sink.model().is_err() && !sink.core().unwrap().is_empty());
        assert!(matches!(sink.solve(&limits, &[x[0]]), Err(SolveError::Interrupted(_))));
        assert!(sink.model().is_err() && matches!(sink.core(), Err(SolveError::NoCore)));
    }
    // A variable that no solver has room for.
    assert!(sink.solve(&Limits::none(), &[]).unwrap());
    let far = Lit::positive(1 << 30);
    assert!(matches!(sink.add_clause(&[far]), Err(SolveError::Capacity(_))));
    assert!(matches!(sink.solve(&Limits::none(), &[far]), Err(SolveError::Capacity(_))) && sink.model().is_err());
    assert!(sink.solve(&Limits::none(), &[x[1]]).unwrap() && sink.model().unwrap().is_true(x[1]));
}

#[test]
fn a_model_is_that_of_the_last_question() {
    nothing_is_left_of_an_older_question(BatSat::default(), true);
    nothing_is_left_of_an_older_question(Plain(BatSat::default()), false);
    nothing_is_left_of_an_older_question(Anew::new(BatSat::default), false);
    let mut sink = SolverSink::owned(BatSat::default());
    let x = sink.new_lits(4);
    x.windows(2).for_each(|pair| sink.add_clause(&[!pair[0], !pair[1]]).unwrap());
    assert!(!sink.solve(&Limits::none(), &x).unwrap());
    assert!(sink.smallest_core(&Limits::none().conflicts(0)).is_err() && sink.model().is_err());
    // The solver itself may be asked, too.
    rustsat::solvers::Solve::solve(sink.solver()).unwrap();
    assert!(sink.model().is_ok());
}

/// A core of many assumptions takes no longer than the question: one look-up each.
#[test]
fn cores_of_many_assumptions_are_found_at_once() {
    let mut sink = SolverSink::owned(BatSat::default());
    let x = sink.new_lits(60_000);
    sink.add_clause(&x.iter().map(|&lit| !lit).collect::<Vec<Lit>>()).unwrap();
    assert!(!sink.solve(&Limits::none(), &x).unwrap());
    let begun = Instant::now();
    assert_eq!(sink.core().unwrap(), x);
    assert!(begun.elapsed() < Duration::from_secs(2));
}

/// The interrupt ends a search that has a clock, too, once and for all.
fn an_interrupt_ends<S: Solver>(mut solver: S, load: impl FnOnce(&mut SolverSink<S>)) {
    let interrupter = solver.interrupter();
    let mut sink = SolverSink::owned(solver);
    load(&mut sink);
    let begun = Instant::now();
    let other = thread::spawn(move || {
        thread::sleep(Duration::from_millis(200));
        interrupter.interrupt();
    });
    let answer = sink.solve(&Limits::none().time(Duration::from_secs(20)), &[]);
    assert!(matches!(answer, Err(SolveError::Interrupted(_))), "{answer:?}");
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    other.join().unwrap();
}

/// More pigeons than holes.
fn pigeons<S: Solver>(sink: &mut SolverSink<S>) {
    let rows: Vec<Vec<Lit>> = (0..14).map(|_| sink.new_lits(13)).collect();
    rows.iter().for_each(|row| sink.add_clause(row).unwrap());
    for hole in 0..13 {
        for (at, row) in rows.iter().enumerate() {
            rows[..at].iter().for_each(|other| sink.add_clause(&[!row[hole], !other[hole]]).unwrap());
        }
    }
}

#[test]
fn interrupts_are_not_swallowed() {
    an_interrupt_ends(BatSat::default(), pigeons);
    an_interrupt_ends(Anew::new(BatSat::default), pigeons);
}

#[cfg(unix)]
#[test]
fn a_program_that_was_interrupted_is_not_started_again() {
    let starts = std::env::temp_dir().join(format!("cnfkit-starts-{}", std::process::id()));
    let engine = External::new(format!("sh -c 'echo start >> \"{}\"; exec sleep 60' sh {{file}}", starts.display()));
    an_interrupt_ends(engine, |sink| {
        let x = sink.new_lit();
        sink.add_clause(&[x]).unwrap();
    });
    let started = std::fs::read_to_string(&starts).unwrap();
    std::fs::remove_file(starts).unwrap();
    assert_eq!(started, "start\n");
}

/// Answers to what is watched are those to what is written.
#[test]
fn watched_answers_are_those_of_clauses() {
    let (mut random, mut refuted) = (crate::random::Random::new(3), 0);
    for round in 0..200 {
        let mut formula = Formula::new();
        let x = formula.new_lits(14);
        for _ in 0..10 + random.below(20) {
            let some: Vec<Lit> = x.iter().filter_map(|&lit| [None, Some(lit), Some(!lit)][random.below(3)]).collect();
            let terms: Vec<(Lit, u64)> = some.iter().map(|&lit| (lit, 1 + random.below(9) as u64)).collect();
            let half: u64 = terms.iter().map(|&(_, weight)| weight).sum::<u64>() / 2;
            match random.below(4) {
                0 => formula.exactly(&some, some.len() / 2, CardEncoding::Auto),
                1 => formula.pb_at_most(&terms, half, PbEncoding::Auto),
                2 => formula.when(x[0]).at_least(&some, some.len() / 2, CardEncoding::Auto),
                _ => formula.add_clause(&some),
            }
            .unwrap();
        }
        let found = crate::session::solve_watched(&formula, &Limits::none().start()).unwrap();
        assert_eq!(found.is_some(), formula.solve().unwrap().is_some(), "round {round}");
        refuted += usize::from(found.is_none());
        if let Some(model) = found {
            let is_true = |lit: Lit| model.is_true(lit);
            assert!(formula.clauses().all(|clause| clause.iter().any(|&lit| is_true(lit))), "round {round}");
            assert!(formula.constraints().all(|constraint| constraint.holds(is_true)), "round {round}");
        }
    }
    assert!((20..180).contains(&refuted), "{refuted}");
    let mut pigeons = Formula::new();
    let x = pigeons.new_lits(40);
    pigeons.at_least(&x, 21, CardEncoding::Auto).unwrap();
    for pair in x.chunks(2) {
        pigeons.add_clause(&[!pair[0], !pair[1]]).unwrap();
    }
    let stopped = crate::session::solve_watched(&pigeons, &Limits::none().conflicts(10).start());
    assert!(matches!(stopped, Err(SolveError::Interrupted(Stopped::Conflicts))), "{stopped:?}");
}
