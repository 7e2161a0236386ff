//! Limits on time and memory and a flag hold in every phase of every question: inputs that make one phase long each.
#![cfg(feature = "batsat")]

use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use cnfkit::ask::{Ask, Threads};
use cnfkit::solvers::BatSat;
use cnfkit::{
    AmoEncoding, CardEncoding, CertifyError, ClauseSink, Constrain, Formula, Limits, Lit, PbEncoding, Questions,
    SolveError, SolverSink,
};

/// The time that a question has, and when it is cancelled: in two phases, if it has them.
const TIME: Duration = Duration::from_millis(200);
const FLAG: Duration = Duration::from_millis(70);
/// The time in which a question ends that was told to, on a busy machine and without optimisation.
const MORE: Duration = Duration::from_millis(1_500);

/// Counts over the same variables, no two of which have the same signs: they are merged with none.
fn signs() -> Formula {
    let mut formula = Formula::new();
    let x = formula.new_lits(60);
    for number in 0..40_000_u64 {
        let signs = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let lits: Vec<Lit> = (0..60).map(|at| if signs >> at & 1 == 1 { x[at] } else { !x[at] }).collect();
        formula.at_least(&lits, 12, CardEncoding::Auto).unwrap();
    }
    formula.set_objective(x.iter().map(|&lit| (lit, 1)));
    formula
}

/// One count with far more clauses than literals.
fn count() -> Formula {
    let mut formula = Formula::new();
    let x = formula.new_lits(150_000);
    formula.at_most(&x, 75_000, CardEncoding::Auto).unwrap();
    formula.set_objective(x.iter().map(|&lit| (!lit, 1)));
    formula
}

/// Many sums of weights.
fn sums() -> Formula {
    let mut formula = Formula::new();
    let x = formula.new_lits(400);
    for number in 1..400_usize {
        let terms: Vec<(Lit, u64)> = (0..).zip(&x).map(|(at, &lit)| (lit, 1 + (at * number % 1_009) as u64)).collect();
        formula.pb_at_most(&terms, 50_000, PbEncoding::Auto).unwrap();
    }
    formula.set_objective(x.iter().map(|&lit| (!lit, 1)));
    formula
}

/// Many variables, clauses and counts to be ordered.
fn large() -> Formula {
    let mut formula = Formula::new();
    let x = formula.new_lits(200_000);
    let at = |number: usize| x[number.wrapping_mul(0x9E37_79B9) % x.len()];
    for number in 0..200_000 {
        formula.add_clause(&[at(3 * number), !at(3 * number + 1), at(3 * number + 2)]).unwrap();
    }
    for number in 0..20_000 {
        let lits: Vec<Lit> = (0..12).map(|other| at(12 * number + other)).collect();
        formula.at_most(&lits, 4, CardEncoding::Auto).unwrap();
    }
    formula.set_objective(x.iter().map(|&lit| (!lit, 1)));
    formula
}

/// Groups of at most one, and sums in which they are looked for.
fn groups() -> Formula {
    let mut formula = Formula::new();
    let x: Vec<Vec<Lit>> = (0..300).map(|_| formula.new_lits(60)).collect();
    for row in &x {
        for (at, &one) in row.iter().enumerate() {
            row[..at].iter().for_each(|&other| formula.add_clause(&[!one, !other]).unwrap());
        }
    }
    let all: Vec<(Lit, u64)> = (1..).zip(x.concat()).map(|(weight, lit)| (lit, weight % 97 + 1)).collect();
    for round in 0..20 {
        formula.pb_at_most(&all[round..], 4_000, PbEncoding::Auto).unwrap();
    }
    formula.set_objective(all.iter().map(|&(lit, _)| (!lit, 1)));
    formula
}

/// Rows and columns of a grid, whose sums are compared.
fn grid() -> Formula {
    let mut formula = Formula::new();
    let x: Vec<Vec<Lit>> = (0..1_200).map(|_| formula.new_lits(1_200)).collect();
    for at in 0..1_200 {
        formula.exactly_one(&x[at], AmoEncoding::Auto).unwrap();
        let column: Vec<Lit> = x.iter().map(|row| row[at]).collect();
        formula.at_most(&column, 1, CardEncoding::Auto).unwrap();
    }
    formula.set_objective([(x[0][0], 1)]);
    formula
}

/// More pigeons than holes, without the count that makes it easy.
fn pigeons() -> Formula {
    let mut formula = Formula::new();
    let rows: Vec<Vec<Lit>> = (0..14).map(|_| formula.new_lits(13)).collect();
    rows.iter().for_each(|row| formula.add_clause(row).unwrap());
    for hole in 0..13 {
        for (at, row) in rows.iter().enumerate() {
            rows[..at].iter().for_each(|other| formula.add_clause(&[!row[hole], !other[hole]]).unwrap());
        }
    }
    formula.set_objective([(rows[0][0], 1)]);
    formula
}

/// The end of a question: an answer that came in time, or interrupted, which is no other error.
fn ended<T: Debug>(answer: Result<T, SolveError>) -> String {
    match answer {
        Err(SolveError::Interrupted(why)) => format!("interrupted: {why}"),
        Err(error) => panic!("{error}"),
        Ok(_) => "answered".into(),
    }
}

fn certified<T: Debug>(answer: Result<T, CertifyError>) -> String {
    match answer {
        Err(CertifyError::Interrupted(why)) => format!("interrupted: {why}"),
        // What is not covered is said as soon as it is known.
        Err(error) => error.to_string(),
        Ok(_) => "answered".into(),
    }
}

/// Asks all questions, each with these limits, and gives the time of each by name.
fn ask_all(formula: &Formula, mut limits: impl FnMut() -> Limits) -> Vec<(&'static str, Duration, String)> {
    static FOLDERS: AtomicUsize = AtomicUsize::new(0);
    let folder = || {
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        std::env::temp_dir().join(format!("cnfkit-limits-{}-{number}", std::process::id()))
    };
    let mut times = Vec::new();
    let mut ask = |name, question: &dyn Fn(Limits) -> String| {
        let limits = limits();
        let begun = Instant::now();
        let end = question(limits);
        times.push((name, begun.elapsed(), end));
    };
    let two = |limits| Threads::new(2).limits(limits);
    ask("solve", &|limits| ended(formula.solve_within(&limits)));
    ask("solve with a solver", &|limits| ended(formula.solve_with_limits(BatSat::default(), &limits)));
    ask("sink", &|limits| {
        let mut sink = SolverSink::owned(BatSat::default());
        formula.clauses().for_each(|clause| sink.add_clause(clause).unwrap());
        ended(sink.solve(&limits, &[]))
    });
    ask("count", &|limits| ended(Ask::new(formula).limits(limits).count(usize::MAX)));
    ask("watched", &|limits| ended(Ask::new(formula).limits(limits).watched().solve()));
    ask("backbone", &|limits| ended(Ask::new(formula).limits(limits).backbone()));
    ask("core", &|limits| ended(formula.ask().assuming(&formula.lits()[..9]).limits(limits).unsat_core()));
    ask("smallest core", &|limits| {
        ended(formula.ask().assuming(&formula.lits()[..9]).limits(limits).smallest_unsat_core())
    });
    ask("minimum", &|limits| ended(formula.ask().limits(limits).minimum()));
    ask("maximum", &|limits| ended(formula.ask().limits(limits).maximum()));
    ask("minimum, watched", &|limits| ended(formula.ask().limits(limits).watched().minimum()));
    ask("cubes", &|limits| ended(formula.cubes(16, &limits)));
    ask("threads", &|limits| ended(two(limits).solve(formula)));
    ask("minimum of threads", &|limits| ended(two(limits).minimum(formula)));
    for (name, is_minimum) in [("proof", false), ("proof of the minimum", true)] {
        ask(name, &|limits| {
            let folder = folder();
            let end = if is_minimum {
                certified(formula.minimum_certified(&folder, cnfkit::ask::Strategy::Auto, &limits))
            } else {
                certified(formula.solve_certified(&folder, &limits))
            };
            std::fs::remove_dir_all(folder).expect("a folder");
            end
        });
    }
    times
}

fn ends(name: &str, formula: &Formula) {
    let mut late = Vec::new();
    let by_time = ask_all(formula, || Limits::none().time(TIME));
    let by_flag = ask_all(formula, || {
        let flag = Arc::new(AtomicBool::new(false));
        let raised = Arc::clone(&flag);
        thread::spawn(move || {
            thread::sleep(FLAG);
            raised.store(true, Ordering::Relaxed);
        });
        Limits::none().cancel(flag)
    });
    // The process has more than a byte: every question that has anything to do ends at once.
    for (question, time, end) in ask_all(formula, || Limits::none().memory(1)) {
        let is_memory = end == "interrupted: the memory was used up";
        assert!(is_memory && time < MORE, "{name}, {question}: {time:.2?}, {end}");
    }
    let reasons = [(by_time, "the time was over"), (by_flag, "it was cancelled")];
    let all = reasons.into_iter().flat_map(|(all, reason)| all.into_iter().map(move |ended| (ended, reason)));
    for ((question, time, end), reason) in all {
        let why = end.strip_prefix("interrupted: ");
        assert!(why.is_none_or(|why| why == reason), "{name}, {question}: {end}, not {reason}");
        println!("{name}, {question}: {time:.2?}, {end}");
        if time > TIME + MORE {
            late.push(format!("{name}, {question}: {time:.2?}, {end}"));
        }
    }
    assert!(late.is_empty(), "{late:#?}");
}

/// Tests of their own, so that they run beside each other.
macro_rules! time_flags_and_memory_end_every_phase_of {
    ($($formula:ident)*) => {
        mod time_flags_and_memory_end_every_phase_of {
            $(#[test]
            fn $formula() {
                super::ends(stringify!($formula), &super::$formula());
            })*
        }
    };
}

time_flags_and_memory_end_every_phase_of!(signs count sums large groups grid pigeons);
