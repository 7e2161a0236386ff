//! The cost of choosing an encoding, against encoding.

use std::hint::black_box;
use std::thread;
use std::time::{Duration, Instant};

use cnfkit::Relation::{self, AtLeast, AtMost, Exactly};
use cnfkit::{CardEncoding, ClauseSink, Cnf, Constrain};

use crate::baseline::markdown;

const JOBS: &[(Relation, usize)] = &[
    (AtMost(3), 8),
    (AtMost(5), 20),
    (AtLeast(5), 20),
    (Exactly(5), 20),
    (AtMost(16), 33),
    (AtMost(10), 50),
    (Exactly(10), 50),
    (AtMost(8), 64),
    (AtMost(20), 64),
    (Exactly(20), 64),
    (AtMost(10), 100),
    (AtMost(50), 100),
    (Exactly(50), 100),
    (AtMost(64), 128),
    (Exactly(64), 128),
    (AtMost(100), 200),
    (Exactly(100), 200),
    (AtMost(10), 1000),
    (AtMost(500), 1000),
    (Exactly(500), 1000),
    (AtMost(100), 10_000),
    (AtMost(5000), 10_000),
];

/// The first choosing of a shape may cost this many times encoding it, and this much beside.
pub const TIMES_ENCODING: u32 = 3;
pub const BESIDE: Duration = Duration::from_micros(20);

fn encode(relation: Relation, n: usize, enc: CardEncoding) -> Cnf {
    let mut cnf = Cnf::new();
    let lits = cnf.new_lits(n);
    cnf.cardinality(&lits, relation, enc).expect("fits");
    cnf
}

/// The shortest of `runs`.
fn best(runs: u32, mut run: impl FnMut() -> Duration) -> Duration {
    (0..runs.max(1)).map(|_| run()).min().expect("some run")
}

fn timed<T>(run: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let done = run();
    (start.elapsed(), done)
}

/// On a fresh thread, where nothing is kept yet.
fn on_a_thread<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    thread::spawn(run).join().expect("no panic")
}

/// Choosing, planning and predicting the size: the first time, and every other time.
fn choosing(relation: Relation, n: usize, enc: CardEncoding) -> (Duration, Duration) {
    const TIMES: u32 = 1000;
    on_a_thread(move || {
        let (cold, _) = timed(|| black_box(black_box(relation).size(&enc, n)));
        let (warm, ()) = timed(|| (0..TIMES).for_each(|_| _ = black_box(black_box(relation).size(&enc, n))));
        (cold, warm / TIMES)
    })
}

/// The table of the jobs that are `wanted`: for either chooser clauses, encoding with a plan that is kept, and choosing
/// for the first time, with ✗ beyond the goal, and every other time.
pub fn table(runs: u32, wanted: fn(Relation) -> bool) -> String {
    let of_each = |chooser| [chooser, "encoding µs", "cold µs", "warm ns"];
    let head = [&["count"][..], &of_each("auto"), &of_each("smallest")].concat();
    let mut rows = vec![head.into_iter().map(str::to_owned).collect::<Vec<_>>()];
    for &(relation, n) in JOBS.iter().filter(|(relation, _)| wanted(*relation)) {
        let mut row = vec![format!("{relation:?} of {n}")];
        for enc in [CardEncoding::Auto, CardEncoding::Smallest] {
            let (mut cold, mut warm) = (Duration::MAX, Duration::MAX);
            for _ in 0..runs.max(1) {
                let (once, again) = choosing(relation, n, enc);
                (cold, warm) = (cold.min(once), warm.min(again));
            }
            let encoding = best(20 * runs, || timed(|| encode(relation, n, enc)).0);
            let micros = |time: Duration| format!("{:.2}", time.as_secs_f64() * 1e6);
            let verdict = if cold <= TIMES_ENCODING * encoding + BESIDE { "" } else { " ✗" };
            row.push(encode(relation, n, enc).n_clauses().to_string());
            row.extend([micros(encoding), micros(cold) + verdict, warm.as_nanos().to_string()]);
        }
        rows.push(row);
    }
    markdown(1, &rows)
}
