//! Encoding speed of sums of weights, and what choosing costs.

use std::hint::black_box;
use std::thread;
use std::time::Duration;

use cnfkit::{Cnf, PbEncoding, PbRelation, Size};
use cpu_time::ThreadTime;

use super::encoders::{PEERS, by_ours};
use super::shapes::{Kind, Shape, weights};
use crate::baseline::markdown;
use crate::choose::{BESIDE, TIMES_ENCODING};
use crate::encode::copy;
use crate::encoders::Made;

/// A sum, and which of the other libraries' encoders take part: the others would take minutes.
struct Job {
    n: usize,
    most: u64,
    /// The bound, as so many percent of the sum of all.
    percent: u64,
    peers: &'static [&'static str],
}

/// Larger formulas are not measured.
const LIMIT: Size = Size { clauses: 10_000_000, ..Cnf::DEFAULT_LIMIT };

const SOME: &[&str] = &["adder", "totalizer", "watchdog", "dynamic watchdog", "mixed radix"];
const JOBS: &[Job] = &[
    Job { n: 50, most: 20, percent: 50, peers: &[] },
    Job { n: 200, most: 20, percent: 50, peers: SOME },
    Job { n: 1000, most: 4, percent: 10, peers: &["adder", "watchdog", "dynamic watchdog"] },
    Job { n: 100, most: 1_000_000, percent: 50, peers: &["adder", "watchdog", "dynamic watchdog"] },
    Job { n: 10_000, most: 1_000, percent: 50, peers: &["adder"] },
];

impl Job {
    fn shape(&self) -> Shape {
        let weights = weights(self.n, self.most, 7);
        let bound = u64::try_from(
            weights.iter().map(|&weight| u128::from(weight)).sum::<u128>() * u128::from(self.percent) / 100,
        )
        .expect("small");
        let name = format!("{} of 1..={}, {} %", self.n, self.most, self.percent);
        Shape { name, kind: Kind::Literals, weights: vec![weights], bound }
    }
}

/// The fastest of several runs, in CPU time, and what one allocates.
#[derive(Clone, Copy)]
struct Best {
    time: Duration,
    clauses: usize,
    allocations: u64,
}

impl Best {
    fn of(runs: u32, run: impl Fn() -> Option<Made>) -> Option<Self> {
        let mut best: Option<Self> = None;
        for _ in 0..runs.max(1) {
            let start = ThreadTime::now();
            let made = run()?;
            let time = start.elapsed();
            let found = best.get_or_insert_with(|| {
                let mut again = None;
                let allocations = allocation_counter::measure(|| again = Some(run())).count_total;
                Self { time, clauses: made.clauses, allocations }
            });
            found.time = found.time.min(time);
            drop(made.formula);
            if found.time > Duration::from_secs(1) {
                break;
            }
        }
        best
    }

    fn ns(&self) -> f64 {
        self.time.as_secs_f64() * 1e9 / self.clauses.max(1) as f64
    }

    /// A row of the table, if the formula was not too large.
    fn row(best: Option<&Self>, sum: &str, library: &str, name: &str, plain: &Self) -> Option<Vec<String>> {
        let best = best?;
        let cells = [sum, library, name].map(str::to_owned).into_iter().chain([
            best.clauses.to_string(),
            format!("{:.2}", best.ns()),
            format!("{:.2}", best.ns() / plain.ns()),
            best.allocations.to_string(),
        ]);
        Some(cells.collect())
    }
}

/// The table of the sums whose names have `only`: nanoseconds of CPU time a clause, planning included, into a fresh
/// formula.
pub fn table(runs: u32, only: &str) -> String {
    let head = ["sum", "library", "encoder", "clauses", "ns a clause", "× plain", "allocations"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for job in JOBS {
        let shape = job.shape();
        if !shape.name.contains(only) {
            continue;
        }
        let relation = PbRelation::AtMost(shape.bound);
        let ours: Vec<_> = PbEncoding::ALL
            .iter()
            .map(|&enc| (enc, Best::of(runs, || by_ours(&enc, &shape, relation, LIMIT))))
            .collect();
        let largest =
            ours.iter().filter_map(|(enc, best)| Some((best.as_ref()?.clauses, *enc))).max_by_key(|found| found.0);
        let Some((_, largest)) = largest else { continue };
        let reference = by_ours(&largest, &shape, relation, LIMIT).expect("as before");
        let reference = reference.formula.downcast::<Cnf>().expect("ours");
        let plain = Best::of(runs, || Some(copy(&reference))).expect("copied");
        let mut add = |best: Option<&Best>, library: &str, name: &str| {
            rows.extend(Best::row(best, &shape.name, library, name, &plain));
        };
        add(Some(&plain), "–", "plain copy");
        ours.iter().for_each(|(enc, best)| add(best.as_ref(), "cnfkit", &enc.to_string()));
        for (peer, library, name, _) in PEERS {
            if job.peers.is_empty() || job.peers.contains(name) {
                add(Best::of(runs, || Some(peer.encode(&shape, relation))).as_ref(), library, name);
            }
        }
    }
    markdown(3, &rows)
}

/// The first and the fastest of several times, on a thread where nothing is kept yet.
fn timed(runs: u32, run: impl Fn() + Send + 'static) -> (Duration, Duration) {
    let time = move || {
        let once = || {
            let start = ThreadTime::now();
            run();
            start.elapsed()
        };
        let first = once();
        (first, (0..runs).map(|_| once()).min().unwrap_or(first))
    };
    thread::spawn(time).join().expect("no panic")
}

/// Choosing and planning, against encoding with what was chosen, in one time from terms to clauses: `auto` does nothing
/// that its choice alone would not do, but for choosing.
pub fn choose(runs: u32) {
    println!("| sum | chooser | clauses | chosen alone µs | first µs | again µs | goal µs | |");
    println!("|---|---|---:|---:|---:|---:|---:|---|");
    let jobs = [
        (8, 8),
        (8, 4096),
        (16, 8),
        (32, 8),
        (40, 4),
        (64, 100),
        (100, 1_000_000),
        (200, 20),
        (1000, 4),
        (10_000, 1_000),
    ];
    for (n, most) in jobs {
        let shape = Job { n, most, percent: 50, peers: &[] }.shape();
        for relation in [PbRelation::AtMost(shape.bound), PbRelation::Exactly(shape.bound)] {
            for enc in [PbEncoding::Auto, PbEncoding::Smallest] {
                let encode = |enc| {
                    let shape = shape.clone();
                    move || drop(black_box(by_ours(&enc, &shape, relation, LIMIT)))
                };
                let Some(made) = by_ours(&enc, &shape, relation, LIMIT) else {
                    println!("| {relation} of {n} to {most} | {enc} | refused | | | | | |");
                    continue;
                };
                // The named encoding of the same size.
                let alone = PbEncoding::ALL[2..].iter().filter(|&&named| {
                    by_ours(&named, &shape, relation, LIMIT)
                        .is_some_and(|named| (named.aux, named.clauses) == (made.aux, made.clauses))
                });
                let alone = alone.map(|&named| timed(runs, encode(named)).1).min();
                let (first, again) = timed(runs, encode(enc));
                let goal = alone.map(|alone| TIMES_ENCODING * alone + BESIDE + alone);
                let micros = |time: Duration| format!("{:.1}", time.as_secs_f64() * 1e6);
                println!(
                    "| {relation} of {n} to {most} | {enc} | {} | {} | {} | {} | {} | {} |",
                    made.clauses,
                    alone.map(micros).unwrap_or_default(),
                    micros(first),
                    micros(again),
                    goal.map(micros).unwrap_or_default(),
                    goal.map_or("", |goal| if first <= goal { "met" } else { "missed" }),
                );
            }
        }
    }
}

/// Many terms of great weight: CPU time and the most heap held, or that it was refused.
pub fn many(n: usize, most: u64) {
    println!("| {n} of 1..={most} | encoding | clauses | s | MiB |\n|---|---|---:|---:|---:|");
    let shape = Job { n, most, percent: 50, peers: &[] }.shape();
    let bound = shape.bound;
    for relation in [PbRelation::AtMost(bound), PbRelation::AtLeast(bound), PbRelation::Exactly(bound)] {
        for &enc in PbEncoding::ALL {
            let mut made = None;
            let start = ThreadTime::now();
            let heap = allocation_counter::measure(|| made = by_ours(&enc, &shape, relation, Cnf::DEFAULT_LIMIT));
            let clauses = made.map_or("refused".into(), |made| made.clauses.to_string());
            let words = relation.to_string();
            let words = words.trim_end_matches(|char: char| char.is_ascii_digit());
            println!(
                "| {words} | {enc} | {clauses} | {:.3} | {} |",
                start.elapsed().as_secs_f64(),
                heap.bytes_max.div_ceil(1 << 20)
            );
        }
    }
}
