//! Programs as solvers: stand-ins in the shell for all that a program can do wrong, and this test's own binary as one
//! that solves.

#![cfg(all(unix, feature = "batsat"))]

#[path = "external/minutes.rs"]
mod minutes;

use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};
use std::{env, fs, process, thread};

use cnfkit::ask::Strategy;
use cnfkit::solvers::{External, ExternalError, Failure, Solve, SolverResult};
use cnfkit::{
    CardEncoding, ClauseSink, Cnf, Constrain, Formula, Limits, Lit, PbEncoding, Questions, SolveError, SolverSink,
};
use rustsat::solvers::{Interrupt, InterruptSolver};

/// A model of the formula of [`asked`], as an engine prints it.
const MODEL: &str = r#"echo "s SATISFIABLE"; echo "v -1"; echo "v 2 0"; exit 10"#;

/// A shell's script as an engine; `$1` is the formula's file.
fn script(text: &str) -> External {
    External::new(format!("sh -c '{text}' sh {{file}}"))
}

/// Not x1, and x1 or x2.
fn asked(engine: External) -> SolverSink<External> {
    let mut sink = SolverSink::owned(engine);
    let x = sink.new_lits(2);
    sink.add_clause(&x).unwrap();
    sink.add_clause(&[!x[0]]).unwrap();
    sink
}

fn failure(engine: External) -> ExternalError {
    match asked(engine).solve(&Limits::none(), &[]) {
        Err(SolveError::Solver(error)) => *error.downcast().expect("an error of the engine"),
        other => panic!("{other:?}"),
    }
}

fn failure_of(text: &str) -> Failure {
    failure(script(text)).failure
}

/// A new path in the tests' folder.
fn path(name: &str) -> PathBuf {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}-{number}", process::id()))
}

/// Waits up to ten seconds: machines of tests are busy.
fn becomes(what: &str, holds: impl Fn() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(10), "{what}");
        thread::sleep(Duration::from_millis(2));
    }
}

/// The processes whose command line has this text, and the zombies among the children of this process.
fn processes(marker: &str) -> Vec<PathBuf> {
    let me = process::id().to_string();
    let is_ours = |dir: &Path| {
        let command = fs::read(dir.join("cmdline")).unwrap_or_default();
        let stat = fs::read_to_string(dir.join("stat")).unwrap_or_default();
        let mut fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
        let is_zombie = fields.next() == Some("Z") && fields.next() == Some(&me);
        is_zombie || String::from_utf8_lossy(&command).contains(marker)
    };
    fs::read_dir("/proc").unwrap().map(|entry| entry.unwrap().path()).filter(|dir| is_ours(dir)).collect()
}

#[test]
fn every_failure_has_its_name() {
    assert!(matches!(failure(External::new("/nowhere/engine {file}")).failure, Failure::Start(_)));
    for command in ["", "sh 'a", "clasp:0", "clasp:many", "minisat:2"] {
        assert!(matches!(failure(External::new(command)).failure, Failure::Command(_)), "{command}");
    }
    assert!(matches!(failure_of("exit 3"), Failure::Died(_)));
    assert!(matches!(failure_of("kill -SEGV $$"), Failure::Died(_)));
    assert!(matches!(failure_of(r#"echo "s UNSATISFIABLE"; kill -KILL $$"#), Failure::Died(_)));
    assert!(matches!(failure_of("exit 10"), Failure::NoAnswer));
    assert!(matches!(failure_of(r#"echo "c UNSATISFIABLE"; exit 20"#), Failure::NoAnswer));
    assert!(matches!(failure_of(r#"echo "s UNKNOWN""#), Failure::Unknown));
    assert!(matches!(failure_of(r#"echo "s UNSATISFIABLE"; exit 10"#), Failure::ExitCode(10)));
    assert!(matches!(failure_of(&MODEL.replace("10", "20")), Failure::ExitCode(20)));
    assert!(matches!(failure_of(r#"echo "s SATISFIABLE"; exit 10"#), Failure::NoModel));
    assert!(matches!(failure_of(r#"echo "s SATISFIABLE"; printf "v -1 2"; exit 10"#), Failure::NoModel));
    let nonsense = [
        (r#"echo "s PERHAPS""#, "PERHAPS"),
        (r#"echo "s SATISFIABLE"; echo "s UNSATISFIABLE""#, "UNSATISFIABLE"),
        (r#"echo "v -1 3 0"; sleep 30"#, "3"),
        (r#"echo "v -1 two 0""#, "two"),
        (r#"printf "v %0100d" 1"#, "000000000000000000000000000000000000000000000000"),
    ];
    for (text, word) in nonsense {
        let failure = failure_of(text);
        assert!(matches!(&failure, Failure::Nonsense(said) if said == word), "{failure:?}");
    }
    let wrong = failure_of(r#"echo "s SATISFIABLE"; echo "v 1 2 0"; exit 10"#);
    assert!(matches!(&wrong, Failure::WrongModel(clause) if *clause == [Lit::negative(0)]), "{wrong:?}");
    let assumption = asked(script(MODEL)).solve(&Limits::none(), &[Lit::negative(1)]).unwrap_err();
    assert!(assumption.to_string().contains("printed a model that violates"), "{assumption}");
}

#[test]
fn an_error_shows_the_last_lines() {
    let engine = script(r#"for i in 1 2 3 4 5 6 7 8 9; do echo "line $i"; done; printf "cut%0200d" 7 >&2; exit 1"#);
    let error = failure(engine);
    assert_eq!(error.output.len(), 8, "{error}");
    assert!(error.output.contains(&"line 9".to_owned()) && !error.output.contains(&"line 1".to_owned()), "{error}");
    assert!(error.output.iter().any(|line| line.len() == 160 && line.starts_with("cut000")), "{error}");
    assert!(error.to_string().contains("died (exit status: 1)") && error.to_string().contains("\n  | line 9"));
}

#[test]
fn models_come_in_any_shape() {
    let floods = format!("head -c 3000000 /dev/zero >&2; {MODEL}");
    let model_first = r#"echo "v -1 2 0"; echo "s SATISFIABLE""#;
    let like_minisat = r#"echo "SAT"; echo "-1 2 0"; echo "SATISFIABLE"; exit 10"#;
    let long_lines = format!(r#"printf "c%0500000d\n" 1; printf "%0500000d\n" 1; {MODEL}"#);
    let leaves_another = format!("sleep 30 & {MODEL}");
    for text in [MODEL, &floods, model_first, like_minisat, &long_lines, &leaves_another] {
        let mut sink = asked(script(text));
        assert!(sink.solve(&Limits::none(), &[]).unwrap(), "{text}");
        let model = sink.model().unwrap();
        assert!(model.is_true(Lit::negative(0)) && model.is_true(Lit::positive(1)), "{text}");
        sink.add_clause(&[Lit::positive(0)]).unwrap();
        assert!(sink.model().is_err(), "a model of other clauses");
    }
}

/// The file is what its header says at each question: clauses so far, and the question's assumptions alone. By pipe, a
/// formula larger than a pipe is no reason to fail when nobody reads it.
#[test]
fn the_formula_is_whole_at_each_question() {
    let count = r#"exec <"${1:-/dev/stdin}"; read c; read p cnf vars n; [ $(wc -l) = $n ] || exit 1"#;
    for command in [format!("sh -c '{count}; exit $vars' sh {{file}}"), format!("sh -c '{count}; exit $vars'")] {
        let mut sink = asked(External::new(command));
        for (assumptions, n_vars) in [(&[Lit::positive(6), Lit::positive(7)][..], 8), (&[], 10), (&[], 20)] {
            sink.new_lits(n_vars - sink.next_var().idx());
            let error = sink.solve(&Limits::none(), assumptions).unwrap_err().to_string();
            let is_counted = error.contains(if n_vars == 8 { "exit status: 8" } else { "no line `s`" });
            assert!(is_counted, "{n_vars}: {error}");
            sink.add_clause(&[Lit::positive(3)]).unwrap();
        }
    }
    let mut sink = asked(External::new(format!("sh -c 'exec <&-; {MODEL}'")));
    (0..50_000).for_each(|_| sink.add_clause(&[Lit::negative(0), Lit::positive(1)]).unwrap());
    assert!(sink.solve(&Limits::none(), &[]).unwrap());
}

/// An engine that ignores SIGTERM, and says its process number, in a file of that name.
fn stubborn(name: &Path) -> External {
    script(&format!(r#"trap "" TERM; echo $$ >{0}.part; mv {0}.part {0}; sleep 30; {MODEL}"#, name.display()))
}

fn is_gone(number: &str) -> bool {
    !Path::new("/proc").join(number.trim()).exists()
}

/// The least of several times, at most twenty: machines of tests are busy.
fn least(mut time: impl FnMut() -> Duration) -> Duration {
    let mut best = time();
    for _ in 1..20 {
        if best < Duration::from_millis(100) {
            break;
        }
        best = best.min(time());
    }
    best
}

/// The time from the end of a limit, or from a cancel, to the answer, when the engine is gone.
fn late(is_cancelled: bool) -> Duration {
    let (flag, limit) = (Arc::new(AtomicBool::new(false)), Duration::from_millis(300));
    let limits = if is_cancelled { Limits::none().cancel(Arc::clone(&flag)) } else { Limits::none().time(limit) };
    let name = path("stubborn");
    let mut sink = asked(stubborn(&name));
    let (start, seen) = (Instant::now(), name.clone());
    let over = thread::spawn(move || {
        if is_cancelled {
            becomes("started", || seen.exists());
            flag.store(true, Ordering::Relaxed);
            Instant::now()
        } else {
            start + limit
        }
    });
    assert!(matches!(sink.solve(&limits, &[]), Err(SolveError::Interrupted(_))));
    let (end, over) = (Instant::now(), over.join().unwrap());
    let Ok(number) = fs::read_to_string(&name) else { return Duration::MAX }; // it did not start in time
    assert!(is_gone(&number), "it is still there");
    fs::remove_file(name).unwrap();
    end.saturating_duration_since(over)
}

#[test]
fn an_engine_that_ignores_sigterm_is_gone_within_100_ms() {
    for is_cancelled in [false, true] {
        let late = least(|| late(is_cancelled));
        println!("{} after {late:.1?}", if is_cancelled { "a cancel" } else { "a limit" });
        assert!(late < Duration::from_millis(100), "{late:?}");
    }
}

#[test]
fn an_interrupter_ends_the_engine() {
    let mut engine = script("sleep 30");
    engine.add_unit(Lit::positive(0)).unwrap();
    engine.interrupter().interrupt();
    assert_eq!(engine.solve().unwrap(), SolverResult::Interrupted);
}

/// The best answer so far is one that an engine may print when it is asked to end.
#[test]
fn a_model_that_is_printed_in_the_end_counts() {
    let text = r#"trap "echo s SATISFIABLE; echo v -1 2 0; exit 10" TERM; sleep 30 & wait"#;
    let mut sink = asked(script(text));
    assert!(sink.solve(&Limits::none().time(Duration::from_millis(500)), &[]).unwrap());
}

/// The last word of an engine that was stopped may be half of one: that is no failure of its.
#[test]
fn an_engine_that_is_stopped_within_a_word_is_interrupted() {
    for text in [r#"printf "s SATISFIABLE\nv 1 -"; sleep 30"#, r#"printf "s SATISFIAB"; sleep 30"#] {
        let answer = asked(script(text)).solve(&Limits::none().time(Duration::from_millis(400)), &[]);
        assert!(matches!(answer, Err(SolveError::Interrupted(_))), "{text}: {answer:?}");
    }
}

/// An engine has ended although what it has started goes on to write.
#[test]
fn an_engine_ends_before_its_children() {
    let start = Instant::now();
    let text = r#"while :; do echo c; done & echo "s UNSATISFIABLE"; exit 20"#;
    assert!(!asked(script(text)).solve(&Limits::none().time(Duration::from_secs(30)), &[]).unwrap());
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[test]
fn a_thousand_cancelled_engines_leave_nothing() {
    let marker = format!("30.{}7", process::id());
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for at in 0..125 {
                    let time = Limits::none().time(Duration::from_millis(at % 25));
                    let answer = asked(script(&format!("sleep {marker}"))).solve(&time, &[]);
                    assert!(matches!(answer, Err(SolveError::Interrupted(_))), "{answer:?}");
                }
            });
        }
    });
    becomes("none is left", || processes(&marker).is_empty());
}

/// Not a test of its own: a process that may write 8 blocks to a file.
#[test]
#[ignore = "part of another test"]
fn writes_to_a_full_disk() {
    let error = (|| {
        let mut sink = asked(script(MODEL));
        (0..20_000).try_for_each(|_| sink.add_clause(&[Lit::negative(0), Lit::positive(1)]))?;
        sink.solve(&Limits::none(), &[])
    })();
    let Err(SolveError::Solver(error)) = error else { panic!("{error:?}") };
    let error = error.downcast::<ExternalError>().expect("an error of the engine");
    assert!(matches!(error.failure, Failure::File(_)), "{error}");
    assert!(error.to_string().contains("cannot be given the formula"), "{error}");
}

/// A file that may not grow stands for a full disk, which takes a file system of its own.
#[test]
fn a_full_disk_is_an_error_and_leaves_no_file() {
    let place = path("full");
    fs::create_dir(&place).unwrap();
    let limited = r#"trap "" XFSZ; ulimit -f 8; exec "$@""#;
    let mut command = Command::new("sh");
    command.args(["-c", limited, "sh"]).arg(env::current_exe().unwrap());
    let done = command.args(["--exact", "writes_to_a_full_disk", "--ignored"]).env("TMPDIR", &place).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stdout));
    assert_eq!(fs::read_dir(&place).unwrap().count(), 0);
    fs::remove_dir(place).unwrap();
}

/// Not a test of its own: a process that is killed while its engine runs.
#[test]
#[ignore = "part of another test"]
fn asks_and_is_killed() {
    let name = env::var("CNFKIT_TEST_ENGINE").expect("a path, or a name");
    if let Some(path) = name.strip_prefix("between:") {
        // Has clauses, and asks nothing.
        let _sink = asked(script(MODEL));
        fs::write(path, "").unwrap();
        thread::sleep(Duration::from_secs(60));
        return;
    }
    let engine = match Path::new(&name) {
        path if path.is_dir() => External::new(format!("mallob:{name}")),
        path if path.is_absolute() => stubborn(path),
        _ => return drop(ask(&name, &hard(), &Limits::none())),
    };
    let _ = asked(engine).solve(&Limits::none(), &[]);
}

/// The time from the end of a caller that is killed to that of its engine, which ignores SIGTERM.
fn orphaned() -> Duration {
    let name = path("orphan");
    let test = ["--exact", "asks_and_is_killed", "--ignored"];
    let mut caller = Command::new(env::current_exe().unwrap()).args(test).env("CNFKIT_TEST_ENGINE", &name).spawn();
    becomes("the engine starts", || name.exists());
    let caller = caller.as_mut().unwrap();
    let formula = env::temp_dir().join(format!("cnfkit-{}-0.cnf", caller.id()));
    assert!(formula.exists());
    caller.kill().unwrap();
    caller.wait().unwrap();
    let (start, engine) = (Instant::now(), fs::read_to_string(&name).unwrap());
    // Its number is there until the system's first process has waited for it.
    let command = Path::new("/proc").join(engine.trim()).join("cmdline");
    becomes("the engine ends", || fs::read(&command).unwrap_or_default().is_empty());
    let late = start.elapsed();
    becomes("its file is removed", || !formula.exists());
    fs::remove_file(name).unwrap();
    late
}

/// No file stays of a caller that ends between questions, which is interrupted with all that it has started.
#[test]
fn the_formula_is_removed_with_its_caller() {
    // Processes in the background of a shell take no notice of SIGINT, nor do their children.
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    let heeds_int = ignored.unwrap_or_default() & 2 == 0;
    for signal in ["TERM", "INT", "KILL"].into_iter().filter(|&signal| heeds_int || signal != "INT") {
        let name = path("between");
        let marker = format!("between:{}", name.display());
        let test = ["--exact", "asks_and_is_killed", "--ignored"];
        let mut caller = Command::new(env::current_exe().unwrap());
        let mut caller = caller.args(test).env("CNFKIT_TEST_ENGINE", marker).spawn().unwrap();
        becomes("it has a formula", || name.exists());
        let formula = env::temp_dir().join(format!("cnfkit-{}-0.cnf", caller.id()));
        assert!(formula.exists());
        let sent = Command::new("kill").args([&format!("-{signal}"), &caller.id().to_string()]).status().unwrap();
        assert!(sent.success());
        caller.wait().unwrap();
        becomes("its file is removed", || !formula.exists());
        fs::remove_file(name).unwrap();
    }
}

#[test]
fn the_engine_ends_with_its_caller() {
    let late = least(orphaned);
    println!("{late:.1?} after its caller");
    assert!(late < Duration::from_millis(100), "{late:?}");
}

/// This binary as an engine, where it is told a formula.
#[test]
fn solves_what_it_is_given() {
    let Ok(file) = env::var("CNFKIT_TEST_FORMULA") else { return };
    let cnf = Cnf::from_dimacs(BufReader::new(fs::File::open(file).unwrap())).unwrap();
    let mut out = std::io::stdout().lock();
    match cnf.solve().unwrap() {
        None => writeln!(out, "\ns UNSATISFIABLE").unwrap(),
        Some(model) => {
            writeln!(out, "\ns SATISFIABLE").unwrap();
            model.iter().for_each(|lit| writeln!(out, "v {}", lit.to_ipasir()).unwrap());
            writeln!(out, "v 0").unwrap();
        }
    }
}

fn real() -> External {
    let program = env::current_exe().unwrap();
    let test = "--exact solves_what_it_is_given --nocapture";
    External::new(format!("env CNFKIT_TEST_FORMULA={{file}} '{}' {test}", program.display()))
}

#[test]
fn it_is_a_solver_for_every_question() {
    let mut formula = Formula::new();
    let x = formula.new_lits(8);
    formula.at_least(&x, 3, &CardEncoding::Auto).unwrap();
    formula.set_objective(x.iter().copied().zip([5, 1, 4, 1, 5, 9, 2, 6]));
    let model = formula.solve_with(real()).unwrap().expect("a model");
    assert!(x.iter().filter(|&&lit| model.is_true(lit)).count() >= 3);
    let search = formula.ask().strategy(Strategy::SolutionImproving);
    assert_eq!(search.solver(real).minimum().unwrap().expect("a model").value, 4);

    let mut sink = SolverSink::owned(real());
    let x = sink.new_lits(4);
    sink.at_most(&x, 1, &CardEncoding::Auto).unwrap();
    assert!(sink.solve(&Limits::none(), &[x[2]]).unwrap());
    assert!(sink.model().unwrap().is_true(!x[3]));
    assert!(!sink.solve(&Limits::none(), &[x[0], x[2]]).unwrap());
    assert_eq!(sink.core().unwrap(), [x[0], x[2]]);
}

/// Clauses are written as they come, and a model is compared with them, in the memory of a buffer: `CNFKIT_CLAUSES` is
/// their number. The peak is that of the whole process, so this test runs alone.
#[test]
#[ignore = "measures the memory of the process"]
fn memory_does_not_grow_with_clauses() {
    let n: u32 = env::var("CNFKIT_CLAUSES").map_or(10_000_000, |n| n.parse().unwrap());
    let (start, text) = (Instant::now(), r#"stat -c "%s bytes" $1 >&2; echo "s SATISFIABLE"; echo "v 0"; exit 10"#);
    let mut sink = SolverSink::owned(script(text));
    let x = sink.new_lits(1_000_000);
    for at in 0..n as usize {
        sink.add_clause(&[!x[at % x.len()], x[at * 7 % x.len()], x[at * 31 % x.len()]]).unwrap();
    }
    let (written, asked) = (start.elapsed(), Instant::now());
    assert!(sink.solve(&Limits::none(), &[]).unwrap());
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap().trim();
    println!("{n} clauses: peak {peak}, written in {written:.1?}, asked and checked in {:.1?}", asked.elapsed());
    let kilobytes: u64 = peak.trim_end_matches(" kB").parse().unwrap();
    assert!(kilobytes < 50_000, "{peak}");
}

/// Least where x2 and x3 are true, 1.
fn costly() -> Formula {
    let mut formula = Formula::new();
    let x = formula.new_lits(3);
    formula.add_clause(&x[..2]).unwrap();
    formula.at_least(&x[1..], 1, &CardEncoding::Auto).unwrap();
    formula.set_objective([(x[0], 3), (x[1], 2), (x[2], -1)]);
    formula
}

#[test]
fn least_values_are_those_of_their_models() {
    let least = |place: &str, text: &str, time: u64| {
        let engine = External::new(format!("sh -c '{text}' sh {{{place}}}"));
        let limits = Limits::none().time(Duration::from_millis(time));
        let answer = costly().minimum_by(&engine, &limits);
        answer.map(|found| found.map(|(model, value, is_optimal)| (model.is_true(Lit::positive(1)), value, is_optimal)))
    };
    let ends = "exit 30";
    let opb = format!(r#"grep -q "^min: " $1 || exit 1; echo "o 4"; echo "o 1"; echo "s OPTIMUM FOUND"; {ends}"#);
    let found = least("opb", &format!(r#"echo "v -x1 x2 x3"; {opb}"#), 60_000).unwrap();
    assert_eq!(found, Some((true, 1, true)));
    // The soft clause of a negative weight costs nothing at best: o 2 is a value of 1. A model is zeros and ones.
    let wcnf = r#"echo "o 2"; echo "s OPTIMUM FOUND"; echo "v 011"; exit 30"#;
    assert_eq!(least("wcnf", wcnf, 60_000).unwrap(), Some((true, 1, true)));
    assert_eq!(least("wcnf", &wcnf.replace("011", "-1 2 3 0"), 60_000).unwrap(), Some((true, 1, true)));
    let header = format!(r#"grep -q "^p wcnf 3 5 7" $1 || exit 1; [ $(grep -c "^7 " $1) = 2 ] || exit 1; {wcnf}"#);
    assert_eq!(least("old-wcnf", &header.replace("011", "-1 2 3"), 60_000).unwrap(), Some((true, 1, true)));
    assert_eq!(least("opb", r#"echo "s UNSATISFIABLE"; exit 20"#, 60_000).unwrap(), None);
    // Stopped with a solution, and with a part of one.
    let sleeps = r#"echo "o 1"; echo "v -x1 x2 x3"; sleep 30"#;
    assert_eq!(least("opb", sleeps, 500).unwrap(), Some((true, 1, false)));
    let part = r#"printf "v -x1 x2 x3"; sleep 30"#;
    assert!(matches!(least("opb", part, 500), Err(SolveError::Interrupted(_))));
    // Of a better one there is only a part: the one before counts.
    let part = r#"echo "o 2"; echo "v -x1 x2 -x3"; echo "o 1"; printf "v -x1 x2 x"; sleep 30"#;
    assert_eq!(least("opb", part, 500).unwrap(), Some((true, 2, false)));

    let failure = |text: &str| match least("opb", text, 60_000) {
        Err(SolveError::Solver(error)) => error.downcast::<ExternalError>().expect("an error of the engine").failure,
        other => panic!("{other:?}"),
    };
    let wrong = failure(&format!(r#"echo "v -x1 x2 -x3"; {opb}"#));
    assert!(matches!(wrong, Failure::WrongValue { model: 2, said: 1 }), "{wrong:?}");
    let wrong = failure(&format!(r#"echo "v x1 -x2 -x3"; {opb}"#));
    assert!(matches!(&wrong, Failure::WrongModel(lits) if lits.len() == 2), "{wrong:?}");
    assert!(matches!(failure(&opb), Failure::NoModel));
    assert!(matches!(failure(&format!(r#"echo "v x9999"; {opb}"#)), Failure::Nonsense(_)));
    let dimacs = costly().minimum_by(&External::new("kissat"), &Limits::none()).unwrap_err();
    assert!(dimacs.to_string().contains("no `{opb}`"), "{dimacs}");
    assert!(matches!(failure_of_engine("clasp {opb}"), Failure::Command(_)));
}

/// Random clauses that take the built-in solver minutes to refute, unless `escape` is true.
fn escaping(escape: Option<Lit>) -> Formula {
    let (_, random) = minutes::formula("random", 500);
    let mut formula = Formula::with_vars(random.n_vars() + 1);
    for clause in random.clauses() {
        formula.add_clause(&clause.iter().copied().chain(escape).collect::<Vec<Lit>>()).unwrap();
    }
    formula
}

/// A program that answers decisions searches beside the built-in solver: each has the best solution of the other, and
/// the first answer ends both.
#[test]
fn a_program_improves_what_the_built_in_solver_finds() {
    let limits = || Limits::none().time(Duration::from_secs(60));
    let refutes = script(r#"echo "s UNSATISFIABLE"; exit 20"#);
    assert_eq!(escaping(None).ask().limits(limits()).minimum_by(&refutes).unwrap(), None);

    let escape = Lit::positive(500);
    let mut formula = escaping(Some(escape));
    formula.set_objective([(escape, 5), (Lit::positive(0), 1)]);
    let mut told = Vec::new();
    let question = formula.ask().limits(limits()).hint(&[escape, !Lit::positive(0)]);
    let question = question.on_improvement(|better| told.push(better.value));
    let best = question.minimum_by(&refutes).unwrap().expect("the escape");
    assert!(best.is_optimal() && best.model.is_true(escape), "{best:?}");
    assert_eq!((best.value, best.lower_bound, told.last()), (5, 5, Some(&5)));

    // A panic of the listener ends the program, too, and goes on.
    let slow = script("sleep 60; exit 1");
    let (begun, question) = (Instant::now(), formula.ask().limits(limits()).hint(&[escape]));
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let _ = question.on_improvement(|_| panic!("listened")).minimum_by(&slow);
    }));
    assert!(panicked.is_err() && begun.elapsed() < Duration::from_secs(30));

    // What fails is said, but an answer that comes before the program does is one.
    let fails = script("exit 1");
    let error = escaping(None).ask().limits(limits()).minimum_by(&fails).unwrap_err();
    assert!(matches!(error, SolveError::Solver(_)), "{error}");
    let late = script("sleep 30; exit 1");
    assert_eq!(costly().ask().minimum_by(&late).unwrap().map(|best| best.value), Some(1));
    // With a strategy the program is asked alone.
    let alone = costly();
    assert!(alone.ask().strategy(Strategy::SolutionImproving).minimum_by(&fails).is_err());
    assert_eq!(alone.ask().strategy(Strategy::CoreGuided).minimum_by(&refutes).unwrap(), None);
}

/// Mallob has no result for an empty clause; no engine is asked.
#[test]
fn an_empty_clause_is_answered_without_the_engine() {
    for command in ["mallob:/nowhere", "/nowhere/engine {file}"] {
        let mut sink = SolverSink::owned(External::new(command));
        let x = sink.new_lit();
        assert!(sink.solve(&Limits::none(), &[]).unwrap(), "no clauses");
        assert!(sink.model().unwrap().is_true(!x));
        assert!(sink.solve(&Limits::none(), &[x]).is_err(), "an assumption is asked about");
        sink.add_clause(&[]).unwrap();
        assert!(!sink.solve(&Limits::none(), &[]).unwrap());
        assert!(!sink.solve(&Limits::none(), &[x]).unwrap());
    }
}

fn failure_of_engine(command: &str) -> Failure {
    failure(External::new(command)).failure
}

/// The way in which a stand-in for Mallob treats a job.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Job {
    Answers,
    AnswersInLines,
    AnswersInParts,
    AnswersByPipe,
    Lies,
    GivesUp,
    PrintsNonsense,
    Sleeps,
}

/// The text of a field, which is a text or a list of one.
fn field<'a>(json: &'a str, name: &str) -> Option<&'a str> {
    let rest = json.split_once(&format!("\"{name}\":"))?.1.trim_start_matches(['[', '"']);
    rest.split('"').next()
}

/// Obeys the protocol that Mallob's documentation has under *Process jobs on demand*, and Mallob itself: takes
/// descriptions out of `in`, and writes results to `out`, those of interrupted jobs, too. Says which descriptions it
/// took.
fn mallob(place: &Path, job: Job, is_over: &AtomicBool) -> Vec<String> {
    let mut taken = Vec::new();
    while !is_over.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_millis(1));
        for entry in fs::read_dir(place.join("in")).unwrap().filter_map(Result::ok) {
            let Ok(text) = fs::read_to_string(entry.path()) else { continue };
            if fs::remove_file(entry.path()).is_err() {
                continue; // taken back
            }
            taken.push(text.clone());
            let [user, name] = ["user", "name"].map(|name| field(&text, name).unwrap());
            let out = place.join("out").join(format!("{user}.{name}.json"));
            if text.contains("\"interrupt\":true") {
                thread::sleep(Duration::from_millis(200));
                fs::write(&out, "{\"result\": {\"resultcode\": 0, \"solution\": []}}\n").unwrap();
            }
            let Some(file) = field(&text, "files").filter(|_| job != Job::Sleeps) else { continue };
            let cnf = Cnf::from_dimacs(BufReader::new(fs::File::open(file).unwrap())).unwrap();
            let model = cnf.solve().unwrap();
            let mut numbers = vec![0];
            numbers.extend(model.iter().flat_map(|model| model.iter().map(Lit::to_ipasir)));
            if job == Job::Lies {
                numbers.iter_mut().for_each(|number| *number = -*number);
            }
            let pipe = place.join(format!("{name}.pipe"));
            let solution = if job == Job::AnswersByPipe && model.is_some() {
                assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
                format!("\"solution-file\": \"{}\", \"solution-size\": {}", pipe.display(), numbers.len())
            } else if job == Job::AnswersInLines {
                let lines = numbers.iter().skip(1).map(|number| format!("v {number} \n")).collect::<Vec<_>>();
                format!("\"solution\": {lines:?}")
            } else {
                format!("\"solution\": {numbers:?}")
            };
            let code = if job == Job::GivesUp { 0 } else { model.as_ref().map_or(20, |_| 10) };
            let text = format!(
                "{{\"name\": \"{name}\", \"result\": {{\"resultcode\": {code}, {solution}}}, \"user\": \"{user}\"}}\n"
            );
            match job {
                Job::PrintsNonsense => fs::write(&out, "{\"result\": perhaps}\n").unwrap(),
                Job::AnswersInParts => {
                    let mut file = fs::File::create(&out).unwrap();
                    for part in text.as_bytes().chunks(30) {
                        file.write_all(part).unwrap();
                        thread::sleep(Duration::from_millis(10));
                    }
                }
                _ => fs::write(&out, text).unwrap(),
            }
            if job == Job::AnswersByPipe && model.is_some() {
                fs::write(&pipe, numbers.iter().flat_map(|number| number.to_ne_bytes()).collect::<Vec<u8>>()).unwrap();
            }
        }
    }
    taken
}

/// A new directory for a client of Mallob.
fn client() -> PathBuf {
    let place = path("mallob");
    ["in", "out"].iter().for_each(|part| fs::create_dir_all(place.join(part)).unwrap());
    place
}

/// Nothing is left in a client's directory, in the end.
fn becomes_empty(place: &Path) {
    let files = || ["", "in", "out"].iter().flat_map(|part| fs::read_dir(place.join(part)).unwrap()).count();
    becomes("in and out alone", || files() == 2);
}

/// Asks a stand-in for Mallob: the answer, and the descriptions that it took.
fn ask_mallob<T>(job: Job, ask: impl FnOnce(&Path) -> T) -> (T, Vec<String>) {
    let (place, is_over) = (client(), AtomicBool::new(false));
    let answer = thread::scope(|scope| {
        let running = scope.spawn(|| mallob(&place, job, &is_over));
        let answer = ask(&place);
        becomes_empty(&place);
        is_over.store(true, Ordering::Relaxed);
        (answer, running.join().unwrap())
    });
    becomes_empty(&place); // of what it wrote last
    fs::remove_dir_all(place).unwrap();
    answer
}

fn asked_by_file(place: &Path) -> SolverSink<External> {
    asked(External::new(format!("mallob:{}", place.display())))
}

#[test]
fn mallob_takes_jobs_by_file() {
    let hour = Limits::none().time(Duration::from_secs(3600));
    for job in [Job::Answers, Job::AnswersInLines, Job::AnswersInParts, Job::AnswersByPipe] {
        let ((), taken) = ask_mallob(job, |place| {
            let mut sink = asked_by_file(place);
            assert!(sink.solve(&hour, &[]).unwrap());
            assert!(sink.model().unwrap().is_true(Lit::positive(1)));
            assert!(!sink.solve(&Limits::none(), &[Lit::negative(1)]).unwrap());
            sink.add_clause(&[Lit::negative(1), Lit::positive(2)]).unwrap();
            assert!(sink.solve(&Limits::none(), &[]).unwrap() && sink.model().unwrap().is_true(Lit::positive(2)));
        });
        assert_eq!(taken.len(), 3, "{taken:?}");
        assert_eq!(field(&taken[0], "application"), Some("SAT"));
        assert_eq!(field(&taken[0], "wallclock-limit"), Some("3600s"), "{taken:?}");
        assert!(taken[0].contains("\"priority\":0.5") && !taken[1].contains("wallclock"), "{taken:?}");
        assert!(field(&taken[0], "files").unwrap().starts_with('/'));
        let names: std::collections::BTreeSet<_> = taken.iter().map(|text| field(text, "name").unwrap()).collect();
        assert_eq!(names.len(), 3);
    }
}

#[test]
fn mallob_is_not_believed_and_not_waited_for() {
    let failure = |job| {
        let (error, _) = ask_mallob(job, |place| asked_by_file(place).solve(&Limits::none(), &[]).unwrap_err());
        let SolveError::Solver(error) = error else { panic!("{error}") };
        error.downcast::<ExternalError>().expect("an error of the engine").failure
    };
    assert!(matches!(failure(Job::Lies), Failure::WrongModel(_)));
    assert!(matches!(failure(Job::GivesUp), Failure::Unknown));
    assert!(matches!(failure(Job::PrintsNonsense), Failure::Nonsense(_)));
    assert!(matches!(failure_of_engine("mallob:/nowhere"), Failure::Start(_)));

    let brief = Limits::none().time(Duration::from_millis(300));
    let (answer, taken) = ask_mallob(Job::Sleeps, |place| asked_by_file(place).solve(&brief, &[]));
    assert!(matches!(answer, Err(SolveError::Interrupted(_))), "{answer:?}");
    assert_eq!(taken.len(), 2, "{taken:?}");
    assert!(taken[1].contains("\"interrupt\":true") && field(&taken[0], "name") == field(&taken[1], "name"));

    // Nobody is there to take it: it is taken back.
    let place = client();
    let answer = asked_by_file(&place).solve(&brief, &[]);
    assert!(matches!(answer, Err(SolveError::Interrupted(_))), "{answer:?}");
    becomes_empty(&place);
    fs::remove_dir_all(place).unwrap();
}

#[test]
fn a_job_ends_with_its_caller() {
    let (formula, taken) = ask_mallob(Job::Sleeps, |place| {
        let test = ["--exact", "asks_and_is_killed", "--ignored"];
        let caller = Command::new(env::current_exe().unwrap()).args(test).env("CNFKIT_TEST_ENGINE", place).spawn();
        let mut caller = caller.unwrap();
        let formula = env::temp_dir().join(format!("cnfkit-{}-0.cnf", caller.id()));
        let files = |part: &str| fs::read_dir(place.join(part)).unwrap().count();
        becomes("the job is taken", || formula.exists() && files("") == 3 && files("in") == 0);
        thread::sleep(Duration::from_millis(50));
        becomes("the job is taken", || files("in") == 0);
        caller.kill().unwrap();
        caller.wait().unwrap();
        formula
    });
    becomes("its file is removed", || !formula.exists());
    assert!(taken.len() == 2 && taken[1].contains("\"interrupt\":true"), "{taken:?}");
}

/// One pigeon more than holes.
fn pigeons(holes: usize) -> Formula {
    let mut formula = Formula::new();
    let x: Vec<Vec<Lit>> = (0..=holes).map(|_| formula.new_lits(holes)).collect();
    for (at, pigeon) in x.iter().enumerate() {
        formula.add_clause(pigeon).unwrap();
        let pairs = x[..at].iter().flat_map(|other| other.iter().zip(pigeon));
        pairs.into_iter().for_each(|(&a, &b)| formula.add_clause(&[!a, !b]).unwrap());
    }
    formula
}

/// The proof that a shell's script leads to; `$1` is the formula's file, `$2` that of the engine's proof.
fn proof_of(formula: &Formula, n_parts: usize, text: &str) -> Result<String, SolveError> {
    let dir = path("proof");
    let engine = External::new(format!("sh -c '{text}' sh {{file}} {{proof}}"));
    let answer = formula.solve_certified_by(&engine, n_parts, &dir, &Limits::none());
    let left: Vec<_> = fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "the engine's proof is removed: {left:?}");
    let proof = fs::read_to_string(dir.join("proof.pbp")).unwrap();
    fs::remove_dir_all(dir).unwrap();
    assert_eq!(answer?.is_some(), proof.contains("conclusion SAT : "), "{proof}");
    Ok(proof)
}

#[test]
fn proofs_of_engines_are_linked() {
    let mut formula = Formula::new();
    let x = formula.new_lits(2);
    for clause in [[x[0], x[1]], [x[0], !x[1]], [!x[0], x[1]], [!x[0], !x[1]]] {
        formula.add_clause(&clause).unwrap();
    }
    let unsat = r#"echo "s UNSATISFIABLE"; exit 20"#;
    let proof = proof_of(&formula, 1, &format!(r#"echo "1 0 0" >$2; {unsat}"#)).unwrap();
    assert!(proof.contains("red +1 x1 >= 1 : x1 -> 1;\nrup >= 1;\noutput NONE;\nconclusion UNSAT : 6;"), "{proof}");
    let mut empty = Formula::new();
    empty.add_clause(&[]).unwrap();
    assert!(proof_of(&empty, 1, "exit 3").unwrap().ends_with("conclusion UNSAT : 2;\nend pseudo-Boolean proof;\n"));
    let model = proof_of(&costly(), 1, r#"echo "s SATISFIABLE"; echo "v 2 3 0"; exit 10"#).unwrap();
    assert!(model.contains("conclusion SAT : ~x1 x2 x3"), "{model}");

    let failure = |text: &str| match proof_of(&formula, 1, text) {
        Err(SolveError::Solver(error)) => error.downcast::<ExternalError>().expect("an error of the engine").failure,
        other => panic!("{other:?}"),
    };
    for text in [unsat.to_owned(), format!("echo 1 0 >$2; {unsat}"), format!("echo 1 >$2; {unsat}")] {
        let failure = failure(&text);
        assert!(matches!(failure, Failure::NoProof), "{failure:?}");
    }
    assert!(matches!(failure(&format!("echo a1 >$2; {unsat}")), Failure::Nonsense(word) if word == "a1"));
    assert!(matches!(failure(r#"echo "s SATISFIABLE"; echo "v 1 2 0""#), Failure::WrongModel(_)));
    assert!(matches!(failure_of_engine("cadical {file} {proof}"), Failure::Command(_)));
    for command in ["clasp:8", "minisat", "mallob:/nowhere", "clasp {opb} {proof}"] {
        let dir = path("refused");
        let error = formula.solve_certified_by(&External::new(command), 1, &dir, &Limits::none()).unwrap_err();
        assert!(error.to_string().contains("it has no `{proof}`"), "{error}");
        fs::remove_dir_all(dir).unwrap();
    }
    let dir = path("slow");
    let slow = External::new("sh -c 'sleep 30' sh {file} {proof}");
    let brief = Limits::none().time(Duration::from_millis(300));
    let answer = formula.solve_certified_by(&slow, 1, &dir, &brief);
    assert!(matches!(answer, Err(SolveError::Interrupted(_))), "{answer:?}");
    fs::remove_dir_all(dir).unwrap();
}

/// Each part's proof stands under its cube, and the last line follows from those of all parts.
#[test]
fn proofs_of_parts_are_combined() {
    let proof = proof_of(&pigeons(4), 6, r#"echo 0 >$2; echo "s UNSATISFIABLE""#).unwrap();
    let lines: Vec<&str> = proof.lines().filter(|line| line.starts_with("rup")).collect();
    assert!(lines.len() > 10 && lines.iter().filter(|&&line| line == "rup >= 1;").count() == 1, "{proof}");
    assert_eq!(lines.last(), Some(&"rup >= 1;"));
}

/// `VERIPB=$(which veripb) cargo test --test external real_engines_prove -- --ignored` asks Debian's CaDiCaL, or what
/// `CNFKIT_ENGINES` names.
#[test]
#[ignore = "asks a program that is to be installed, and VeriPB, named by the environment variable VERIPB"]
fn real_engines_prove() {
    let veripb = env::var_os("VERIPB").expect("VERIPB is the program's path");
    let accepts = |dir: &Path| {
        let checked = Command::new(&veripb).args(["formula.opb", "proof.pbp"]).current_dir(dir).output().unwrap();
        String::from_utf8_lossy(&checked.stdout).into_owned()
    };
    let mut counts = Formula::new();
    let x = counts.new_lits(40);
    counts.at_least(&x[..30], 12, &CardEncoding::Auto).unwrap();
    counts.at_most(&x[10..], 10, &CardEncoding::Auto).unwrap();
    (0..10).for_each(|at| counts.add_clause(&[!x[at], !x[(at + 1) % 10], !x[(at + 3) % 10]]).unwrap());
    let mut sums = Formula::new();
    let x = sums.new_lits(14);
    let weights = [1, 7, 3, 9, 5, 11, 13, 2, 8, 15, 4, 6, 10, 12];
    sums.pb_exactly(&x.iter().copied().zip(weights).collect::<Vec<_>>(), 53, &PbEncoding::Auto).unwrap();
    sums.at_most(&x, 3, &CardEncoding::Auto).unwrap();
    let formulas = [("pigeons", pigeons(7)), ("counts", counts), ("sums", sums)];
    // An engine that lies, or proves nothing.
    for (_, formula) in &formulas[..2] {
        let dir = path("lie");
        let engine = External::new(r#"sh -c 'echo 0 >$2; echo "s UNSATISFIABLE"' sh {file} {proof}"#);
        assert!(formula.solve_certified_by(&engine, 3, &dir, &Limits::none()).unwrap().is_none());
        assert!(!accepts(&dir).contains("s VERIFIED"));
        fs::remove_dir_all(dir).unwrap();
    }
    for engine in env::var("CNFKIT_ENGINES").unwrap_or_else(|_| "cadical".to_owned()).split(',') {
        for (name, formula) in &formulas {
            for n_parts in [1, 8] {
                let dir = path("proven");
                let (asked, limits) = (External::new(engine), Limits::none().time(Duration::from_secs(60)));
                // What is detected in pigeons leaves nothing to search for.
                let answer = match *name {
                    "pigeons" => formula.solve_certified_by(&asked, n_parts, &dir, &limits),
                    _ => formula.detect().solve_certified_by(&asked, n_parts, &dir, &limits),
                };
                let answer = answer.unwrap();
                let proof = fs::read_to_string(dir.join("proof.pbp")).unwrap();
                let n_lines = proof.lines().filter(|line| line.starts_with("red") || line.starts_with("rup")).count();
                let text = accepts(&dir);
                let word = if answer.is_some() { "s VERIFIED SATISFIABLE" } else { "s VERIFIED UNSATISFIABLE" };
                println!("{engine}, {name} in {n_parts} parts: {n_lines} lines, {word}");
                assert!(text.contains(word), "{name} in {n_parts} parts: {text}");
                fs::remove_dir_all(dir).unwrap();
            }
        }
        // Parts that were refuted elsewhere, but for the first one.
        let (formula, dir) = (pigeons(7), path("joined"));
        let cubes = formula.cubes(8, &Limits::none()).unwrap();
        fs::create_dir(&dir).unwrap();
        for number in 1..cubes.iter().len() {
            let file = |kind: &str| dir.join(format!("cube-{}.{kind}", number + 1));
            cubes.write_dimacs(number, fs::File::create(file("cnf")).unwrap()).unwrap();
            let (_, command) = External::KNOWN_PROVERS.iter().find(|(name, _)| *name == engine).expect("a prover");
            let named = |word: &str| match word {
                "{file}" => file("cnf").display().to_string(),
                "{proof}" => file("drat").display().to_string(),
                other => other.replace("{limit}", "60"),
            };
            let words: Vec<String> = command.split(' ').map(named).collect();
            assert_eq!(Command::new(&words[0]).args(&words[1..]).output().unwrap().status.code(), Some(20));
        }
        let (whole, asked) = (dir.join("whole"), External::new(engine).proofs_in(&dir));
        assert!(formula.solve_certified_by(&asked, 8, &whole, &Limits::none()).unwrap().is_none());
        let text = accepts(&whole);
        println!("{engine}, pigeons in {} files: {}", cubes.iter().len() - 1, text.trim());
        assert!(text.contains("s VERIFIED UNSATISFIABLE"), "{text}");
        fs::remove_dir_all(dir).unwrap();
    }
}

/// A formula that takes every engine minutes.
fn hard() -> Formula {
    let (_, mut formula) = minutes::formula("random", 500);
    formula.set_objective([(Lit::positive(0), 1)]);
    formula
}

/// True if there is a model, which is checked, and its value, too, where the engine reads no DIMACS.
fn ask(name: &str, formula: &Formula, limits: &Limits) -> Result<bool, SolveError> {
    let engine = External::new(name);
    if !External::KNOWN.iter().any(|(known, _)| name.split(':').next() == Some(known)) {
        return Ok(formula.minimum_by(&engine, limits)?.is_some());
    }
    let mut sink = SolverSink::owned(engine);
    formula.encode_into(&mut sink)?;
    sink.solve(limits, &[])
}

/// The processes that read a formula of this process, but for the shells that lead them.
fn engines_of(process: u32) -> Vec<PathBuf> {
    let is_engine = |dir: &PathBuf| !fs::read_to_string(dir.join("cmdline")).unwrap_or_default().contains("read how");
    processes(&format!("/cnfkit-{process}-")).into_iter().filter(is_engine).collect()
}

/// Debian's packages, and programs that are built by hand: a model, none, a limit, engine killed, caller killed.
#[test]
#[ignore = "asks programs that are to be installed"]
fn real_engines_agree() {
    let chosen = env::var("CNFKIT_ENGINES").unwrap_or_else(|_| "cadical,clasp:2,sat4j".to_owned());
    for name in chosen.split(',') {
        let minute = Limits::none().time(Duration::from_secs(60));
        let counted = |n_given: usize| {
            let mut formula = Formula::new();
            let x = formula.new_lits(60);
            formula.at_most(&x, 20, &CardEncoding::Auto).unwrap();
            formula.at_least(&x[10..], 19, &CardEncoding::Auto).unwrap();
            x[..n_given].iter().for_each(|&lit| formula.add_clause(&[lit]).unwrap());
            formula.set_objective([(x[0], 1)]);
            formula
        };
        assert!(ask(name, &counted(1), &minute).unwrap(), "{name}");
        assert!(!ask(name, &counted(2), &minute).unwrap(), "{name}");
        if External::new(name).is_optimiser() {
            let (model, value, is_optimal) = costly().minimum_by(&External::new(name), &minute).unwrap().unwrap();
            assert!(model.is_true(Lit::positive(1)) && value == 1 && is_optimal, "{name}");
        }
        // The time from the end of a limit to the engine's.
        let (hard, brief) = (hard(), Duration::from_millis(400));
        let late = least(|| {
            let start = Instant::now();
            let answer = ask(name, &hard, &Limits::none().time(brief));
            assert!(matches!(answer, Err(SolveError::Interrupted(_))), "{name}: {answer:?}");
            assert!(engines_of(process::id()).is_empty(), "{name}");
            start.elapsed().saturating_sub(brief)
        });
        assert!(late < Duration::from_millis(100), "{name}: {late:?}");
        let killed = thread::scope(|scope| {
            let asked = scope.spawn(|| ask(name, &hard, &minute));
            becomes("the engine starts", || !engines_of(process::id()).is_empty());
            // One that is just being started may not be listed.
            while !asked.is_finished() {
                for engine in engines_of(process::id()) {
                    Command::new("kill").arg("-KILL").arg(engine.file_name().unwrap()).status().unwrap();
                }
                thread::sleep(Duration::from_millis(20));
            }
            asked.join().unwrap()
        });
        assert!(killed.is_err_and(|error| error.to_string().contains("died (signal: 9")), "{name}");
        let test = ["--exact", "asks_and_is_killed", "--ignored"];
        let mut caller = Command::new(env::current_exe().unwrap());
        let mut caller = caller.args(test).env("CNFKIT_TEST_ENGINE", name).spawn().unwrap();
        becomes("the engine starts", || !engines_of(caller.id()).is_empty());
        caller.kill().unwrap();
        let start = Instant::now();
        caller.wait().unwrap();
        becomes("the engine ends with its caller", || processes(&format!("/cnfkit-{}-", caller.id())).is_empty());
        let orphaned = start.elapsed();
        println!("{name} agrees; gone {late:.0?} after a limit, {orphaned:.0?} after its caller was killed");
    }
}
