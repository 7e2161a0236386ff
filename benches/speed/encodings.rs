//! Every encoding that the library names, of at most one, at most k and sums of weights, by n: time, clauses a second,
//! and at the end a table a group of clauses and time side by side.
//!
//! ```text
//! cargo bench --bench encodings                             # all; the report is target/criterion/report/index.html
//! cargo bench --bench encodings -- at_most/totalizer        # those whose names have this
//! ```
//!
//! A run encodes into a fresh `Cnf` and frees it. Counts are planned once for each shape and thread, so their plans are
//! kept from the first run on; sums are planned in every run. What has more than [`MOST`] clauses is left out.

use std::fmt::Display;
use std::time::{Duration, Instant};

use cnfkit::{
    AmoEncoding, AtMostOne, CapacityError, CardEncoding, Cnf, Constrain, Constraint, Encoding, Lit, PbEncoding,
    PbRelation, Relation, Terms,
};
use criterion::measurement::{Measurement, ValueFormatter, WallTime};
use criterion::{AxisScale, BenchmarkGroup, BenchmarkId, Criterion, PlotConfiguration, Throughput};

/// Clauses.
const MOST: u64 = 300_000;

/// Time, and millions of clauses a second. The report draws times by the first of two throughputs, which is n.
struct Clauses;

impl Measurement for Clauses {
    type Intermediate = Instant;
    type Value = Duration;

    fn start(&self) -> Instant {
        WallTime.start()
    }

    fn end(&self, start: Instant) -> Duration {
        WallTime.end(start)
    }

    fn add(&self, one: &Duration, other: &Duration) -> Duration {
        *one + *other
    }

    fn zero(&self) -> Duration {
        Duration::ZERO
    }

    fn to_f64(&self, value: &Duration) -> f64 {
        WallTime.to_f64(value)
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        self
    }
}

impl ValueFormatter for Clauses {
    fn scale_values(&self, typical: f64, values: &mut [f64]) -> &'static str {
        WallTime.formatter().scale_values(typical, values)
    }

    fn scale_throughputs(&self, _: f64, throughput: &Throughput, nanoseconds: &mut [f64]) -> &'static str {
        let (amount, unit) = match *throughput {
            Throughput::Elements(n) => (n, "M literals/s"),
            Throughput::ElementsAndBytes { bytes: clauses, .. } | Throughput::Bytes(clauses) => {
                (clauses, "M clauses/s")
            }
            _ => unreachable!("the throughput of a group is set below"),
        };
        nanoseconds.iter_mut().for_each(|value| *value = 1e3 * amount as f64 / *value);
        unit
    }

    fn scale_for_machines(&self, values: &mut [f64]) -> &'static str {
        WallTime.formatter().scale_for_machines(values)
    }
}

/// A group of benches: an encoding over `n` literals, how many clauses it has, if it takes part, and how to encode.
struct Group<'a, E> {
    name: &'a str,
    title: &'a str,
    sizes: &'a [usize],
    clauses: &'a dyn Fn(&[Lit], E) -> Option<u64>,
    encode: &'a dyn Fn(&mut Cnf, &[Lit], E) -> Result<(), CapacityError>,
}

impl<E: Copy + Display> Group<'_, E> {
    /// Measures each encoding for each n; the table has clauses and the fastest samples.
    fn run(&self, criterion: &mut Criterion<Clauses>, encodings: impl Iterator<Item = E>) -> String {
        let mut group = criterion.benchmark_group(self.name);
        group.plot_config(PlotConfiguration::default().summary_scale(AxisScale::Logarithmic));
        let row = |head: &dyn Display, cells: Vec<String>| format!("| {head} | {} |\n", cells.join(" | "));
        let mut cell = |encoding, n| match self.measure(&mut group, encoding, n) {
            Some((clauses, seconds)) => format!("{clauses} in {:.2} µs", seconds * 1e6),
            None => "–".to_owned(),
        };
        // What the filter leaves out has no row.
        let rows = encodings.map(|enc| (enc, self.sizes.iter().map(|&n| cell(enc, n)).collect::<Vec<_>>()));
        let measured = rows.filter(|(_, cells)| cells.iter().any(|cell| cell != "–"));
        let rows: String = measured.map(|(enc, cells)| row(&enc, cells)).collect();
        group.finish();
        if rows.is_empty() {
            return rows;
        }
        let head = row(&self.title, self.sizes.iter().map(ToString::to_string).collect());
        format!("\n{head}|---|{}\n{rows}", "---:|".repeat(self.sizes.len()))
    }

    /// The number of clauses, and the seconds of the fastest sample; `None` if it is left out for its size or its name.
    fn measure(&self, group: &mut BenchmarkGroup<'_, Clauses>, encoding: E, n: usize) -> Option<(u64, f64)> {
        let lits: Vec<Lit> = (0..n as u32).map(Lit::positive).collect();
        let clauses = (self.clauses)(&lits, encoding).filter(|&clauses| clauses <= MOST)?;
        let mut fastest = f64::INFINITY;
        group.throughput(Throughput::ElementsAndBytes { elements: n as u64, bytes: clauses });
        group.bench_function(BenchmarkId::new(encoding.to_string(), n), |bencher| {
            bencher.iter_custom(|runs| {
                let taken = self.timed(&lits, encoding, clauses, runs);
                fastest = fastest.min(taken.as_secs_f64() / runs as f64);
                taken
            });
        });
        fastest.is_finite().then_some((clauses, fastest))
    }

    /// The time of so many runs.
    fn timed(&self, lits: &[Lit], encoding: E, clauses: u64, runs: u64) -> Duration {
        let start = Instant::now();
        for _ in 0..runs {
            let mut cnf = Cnf::with_vars(lits.len());
            (self.encode)(&mut cnf, lits, encoding).expect("small enough");
            assert_eq!(cnf.n_clauses() as u64, clauses, "{encoding} of {}", lits.len());
        }
        start.elapsed()
    }
}

/// Weights of 1 to 20, and half of their sum.
fn weighted(lits: &[Lit]) -> (Vec<(Lit, u64)>, u64) {
    let terms: Vec<_> = lits.iter().zip(1..).map(|(&lit, i)| (lit, 1 + 7 * i % 20)).collect();
    let sum: u64 = terms.iter().map(|(_, weight)| weight).sum();
    (terms, sum / 2)
}

fn main() {
    let mut criterion = Criterion::default()
        .with_measurement(Clauses)
        .sample_size(10)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(200))
        .nresamples(2000)
        .configure_from_args();
    let sizes: &[usize] = &[16, 64, 256, 1024];
    let ones = AmoEncoding::ALL.iter().copied().filter(|encoding| !matches!(encoding, AmoEncoding::Card(_)));
    let one = Group {
        name: "at_most_one",
        title: "at most one of n",
        sizes,
        clauses: &|lits, encoding: AmoEncoding| Some(encoding.amo_size(lits.len()).clauses),
        encode: &|cnf, lits, encoding| cnf.at_most_one(lits, encoding),
    };
    let mut tables = vec![one.run(&mut criterion, ones)];
    let relations: [(_, _, fn(usize) -> Relation); 3] = [
        ("at_most", "at most n/2 of n", |n| Relation::AtMost(n / 2)),
        ("at_most_10", "at most 10 of n", |_| Relation::AtMost(10)),
        ("exactly", "exactly n/2 of n", |n| Relation::Exactly(n / 2)),
    ];
    for (name, title, relation) in relations {
        let count = Group {
            name,
            title,
            sizes,
            clauses: &|lits, encoding: CardEncoding| Some(relation(lits.len()).size(&encoding, lits.len()).clauses),
            encode: &|cnf, lits, encoding| cnf.cardinality(lits, relation(lits.len()), encoding),
        };
        tables.push(count.run(&mut criterion, CardEncoding::ALL.iter().copied()));
    }
    let sum = Group {
        name: "sum",
        title: "n weights of 1 to 20, at most half of their sum",
        sizes: &[8, 16, 64, 256],
        clauses: &|lits, encoding: PbEncoding| {
            let (terms, half) = weighted(lits);
            let constraint = Constraint::weights(Terms::new(&terms), PbRelation::AtMost(half));
            Some(encoding.plan(&constraint)?.size().clauses)
        },
        encode: &|cnf, lits, encoding| {
            let (terms, half) = weighted(lits);
            cnf.pb_at_most(&terms, half, encoding)
        },
    };
    tables.push(sum.run(&mut criterion, PbEncoding::ALL.iter().copied()));
    criterion.final_summary();
    println!("\nClauses, and the time of the fastest of ten samples:");
    tables.iter().for_each(|table| print!("{table}"));
}
