//! Questions without an answer, after which solvers say nothing, and interrupts that are raised rustsat's way.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use cnfkit::solvers::{Anew, BatSat, External, Plain, Solver};
use cnfkit::{ClauseSink, Limits, Lit, SolveError, SolverSink};
use rustsat::solvers::InterruptSolver;

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
