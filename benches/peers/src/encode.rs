//! Encoding speed.

use std::hint::black_box;
use std::time::{Duration, Instant};

use cnfkit::{Cnf, Lit, Relation};

use crate::baseline::markdown;
use crate::encoders::{AT_MOST_ONE, Encoder, Made, encoders};

/// A constraint, and which encoders take part.
struct Job {
    name: &'static str,
    n: usize,
    relation: Relation,
    encoders: &'static [&'static str],
}

const JOBS: &[Job] = &[
    Job { name: "pairwise 1000", n: 1000, relation: AT_MOST_ONE, encoders: &["pairwise"] },
    Job { name: "ladder 100000", n: 100_000, relation: AT_MOST_ONE, encoders: &["ladder", "nested"] },
    Job { name: "product 100000", n: 100_000, relation: AT_MOST_ONE, encoders: &["product"] },
    Job { name: "bitwise 100000", n: 100_000, relation: AT_MOST_ONE, encoders: &["bitwise"] },
    Job { name: "chosen 100000", n: 100_000, relation: AT_MOST_ONE, encoders: &["auto", "smallest", "optimal"] },
    Job { name: "at most 500 of 1000", n: 1000, relation: Relation::AtMost(500), encoders: &[] },
    Job { name: "at most 100 of 10000", n: 10_000, relation: Relation::AtMost(100), encoders: &[] },
];

/// A plain loop: every clause once more, into two flat vectors of the right capacity.
pub fn copy(cnf: &Cnf) -> Made {
    let mut lits: Vec<Lit> = Vec::with_capacity(cnf.n_lits());
    let mut ends: Vec<u32> = Vec::with_capacity(cnf.n_clauses());
    for clause in black_box(cnf).clauses() {
        lits.extend_from_slice(clause);
        ends.push(u32::try_from(lits.len()).expect("small"));
    }
    Made { aux: 0, clauses: ends.len(), formula: Box::new((lits, ends)) }
}

/// Pairwise as one would write it by hand.
fn pairwise(n: usize) -> Made {
    let x: Vec<Lit> = (0..u32::try_from(n).expect("small")).map(Lit::positive).collect();
    let mut lits: Vec<Lit> = Vec::with_capacity(n * (n - 1));
    let mut ends: Vec<u32> = Vec::with_capacity(n * (n - 1) / 2);
    let x = black_box(x);
    for i in 0..n {
        for j in i + 1..n {
            lits.extend_from_slice(&[!x[i], !x[j]]);
            ends.push(u32::try_from(lits.len()).expect("small"));
        }
    }
    Made { aux: 0, clauses: ends.len(), formula: Box::new((lits, ends)) }
}

/// The fastest of several runs, and how often one allocates.
#[derive(Clone, Copy)]
struct Best {
    time: Duration,
    clauses: usize,
    allocations: u64,
}

impl Best {
    const NONE: Self = Self { time: Duration::MAX, clauses: 0, allocations: 0 };

    fn of(&mut self, run: impl Fn() -> Option<Made>) {
        let start = Instant::now();
        let Some(made) = run() else { return };
        let time = start.elapsed();
        if self.clauses == 0 {
            let mut counted = None;
            self.allocations = allocation_counter::measure(|| counted = Some(run())).count_total;
        }
        *self = Self { time: self.time.min(time), clauses: made.clauses, ..*self };
        drop(made.formula);
    }

    fn ns(&self) -> f64 {
        self.time.as_secs_f64() * 1e9 / self.clauses.max(1) as f64
    }
}

/// The times of one encoder for one job.
struct Row {
    constraint: &'static str,
    library: &'static str,
    encoder: String,
    best: Best,
    plain: Best,
}

fn measured(runs: u32, only: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    for job in JOBS.iter().filter(|job| job.name.contains(only)) {
        let takes_part = |enc: &Encoder| job.encoders.is_empty() || job.encoders.contains(&enc.name.as_str());
        let encoders: Vec<Encoder> = encoders(job.relation).into_iter().filter(takes_part).collect();
        // What the plain loop copies: the first formula of ours.
        let mut formulas = encoders.iter().filter(|enc| enc.library == "cnfkit").filter_map(|enc| (enc.encode)(job.n));
        let reference = formulas.find_map(|made| made.formula.downcast::<Cnf>().ok()).expect("ours");
        let by_hand = job.encoders == ["pairwise"];
        let (mut plain, mut best) = (Best::NONE, vec![Best::NONE; encoders.len()]);
        for _ in 0..runs.max(1) {
            plain.of(|| Some(if by_hand { pairwise(job.n) } else { copy(&reference) }));
            for (best, enc) in best.iter_mut().zip(&encoders) {
                best.of(|| (enc.encode)(job.n));
            }
        }
        // Without those that are too large.
        rows.extend(best.into_iter().zip(encoders).filter(|(best, _)| best.clauses > 0).map(|(best, enc)| Row {
            constraint: job.name,
            library: enc.library,
            encoder: enc.name,
            best,
            plain,
        }));
    }
    rows
}

/// The table of the jobs whose names have `only`.
pub fn table(runs: u32, only: &str) -> String {
    let head = ["constraint", "library", "encoder", "clauses", "ns a clause", "× plain", "allocations"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(measured(runs, only).iter().map(|Row { constraint, library, encoder, best, plain }| {
        let (ns, times) = (format!("{:.2}", best.ns()), format!("{:.2}", best.ns() / plain.ns()));
        let (clauses, allocations) = (best.clauses.to_string(), best.allocations.to_string());
        vec![(*constraint).to_owned(), (*library).to_owned(), encoder.clone(), clauses, ns, times, allocations]
    }));
    markdown(3, &rows)
}

/// Nanoseconds a clause of the plain loop, and clauses and nanoseconds of each library, of the encoders that several
/// have.
pub fn short(runs: u32) -> String {
    let head = ["constraint", "encoder", "plain, ns", "cnfkit", "rustsat", "pindakaas"].map(str::to_owned);
    let mut rows = vec![head.to_vec()];
    let measured = measured(runs, "");
    for ours in measured.iter().filter(|row| row.library == "cnfkit") {
        let of = |library: &str| {
            let same =
                |row: &&Row| (row.constraint, row.library, &row.encoder) == (ours.constraint, library, &ours.encoder);
            let cell = |row: &Row| format!("{}: {:.2}", row.best.clauses, row.best.ns());
            measured.iter().find(same).map_or("–".to_owned(), cell)
        };
        let others = ["rustsat", "pindakaas"].map(of);
        if others != ["–", "–"] || ours.encoder == "auto" {
            let plain = format!("{:.2}", ours.plain.ns());
            let cells = [ours.constraint.to_owned(), ours.encoder.clone(), plain, of("cnfkit")];
            rows.push(cells.into_iter().chain(others).collect());
        }
    }
    markdown(2, &rows)
}
