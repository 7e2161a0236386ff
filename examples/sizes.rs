//! The sizes of our encodings, which are known before the first clause, beside the best of other libraries.
//!
//! `cargo run --release --example sizes` prints them. `cargo run --release -p cnfkit-peers
//! -- sizes` measures the figures of those libraries again that install as crates.

use std::io::{self, Write};

use cnfkit::{Adder, AmoEncoding, AtMostK, AtMostOne, CardEncoding, Network, Optimal, Size};

const COLUMNS: &str = "\
Columns, in clauses for at most one, else in variables/clauses (auxiliary variables, the n inputs not counted):
  best library  the fewest clauses of rustsat 0.7.5, pindakaas 0.6.1, PySAT 1.9.dev17, PBLib 0.0.4 and kp-minicard
  programme     a dynamic programme over pairwise, splits into halves and grids
  fewest        ours with the fewest clauses: `Optimal` and `Network` of weight 0
  clauses       how many more or fewer clauses `fewest` has than the best library
  smallest      `AmoEncoding::Smallest` and `CardEncoding::Smallest`: the fewest variables + clauses
  sum           how many more or fewer variables + clauses `smallest` has than the best library
  default       `CardEncoding::Auto`, chosen for solving, at most twice `smallest`
  adder         one-sided `Adder`: the smallest of all for large k, but unit propagation is weak (no GAC)";

/// n; clauses of the best library; clauses of a dynamic programme over pairwise, splits (3n − 6) and grids.
#[rustfmt::skip]
const AT_MOST_ONE: [(usize, u64, u64); 9] = [
    (5, 9, 9), (9, 21, 21), (16, 42, 42), (25, 69, 68), (64, 172, 164), (100, 258, 248), (400, 912, 908),
    (1000, 2188, 2173), (10_000, 20_516, 20_496),
];

/// n, k; variables and clauses of the best library by clauses.
type Row = (usize, usize, u64, u64);

#[rustfmt::skip]
const COUNTS: [(&str, fn(&dyn AtMostK, usize, usize) -> Size, &[Row]); 3] = [
    ("at most k", |enc, n, k| enc.amk_size(n, k), &[
        (8, 3, 14, 31), (20, 5, 58, 143), (50, 10, 258, 621), (100, 10, 547, 1302), (100, 50, 1197, 2534),
        (200, 100, 3621, 6892), (1000, 10, 5679, 13_571), (1000, 500, 21_993, 57_548),
    ]),
    ("at least k", |enc, n, k| enc.alk_size(n, k), &[
        (8, 3, 15, 28), (20, 5, 59, 124), (50, 10, 197, 567), (100, 10, 413, 1233), (1000, 10, 4237, 13_157),
        (100, 50, 1197, 2534), (200, 100, 3621, 6892),
    ]),
    ("exactly k", |enc, n, k| enc.exk_size(n, k), &[
        (8, 3, 14, 58), (20, 5, 58, 266), (50, 10, 196, 1192), (100, 10, 412, 2624), (100, 50, 1016, 5351),
        (200, 100, 2933, 14_432), (1000, 500, 43_009, 129_029),
    ]),
];

fn main() -> io::Result<()> {
    let mut out = io::stdout();
    let more = |ours: u64, theirs: u64| format!("{:+.1} %", (ours as f64 / theirs as f64 - 1.0) * 100.0);
    writeln!(out, "at most one (clauses; variables in brackets)")?;
    writeln!(out, "          n   best library      programme           fewest  clauses         smallest")?;
    for (n, best, programme) in AT_MOST_ONE {
        let sizes = [Optimal::default().weight(0).amo_size(n), AmoEncoding::Smallest.amo_size(n)];
        let [fewest, smallest] = sizes.map(|size| format!("{} ({})", size.clauses, size.vars));
        let fewer = more(sizes[0].clauses, best);
        writeln!(out, "{n:>11}  {best:>13}  {programme:>13}  {fewest:>15} {fewer:>8}  {smallest:>15}")?;
    }
    let (fewest, adder) = (Network::default().weight(0), Adder::default().full(false));
    let encodings: [&dyn AtMostK; 4] = [&fewest, &CardEncoding::Smallest, &CardEncoding::Auto, &adder];
    for (title, size, rows) in COUNTS {
        writeln!(out, "\n{title} (variables/clauses)")?;
        write!(out, "{:>11}  {:>13}  {:>13} {:>8}  ", "n, k", "best library", "fewest", "clauses")?;
        writeln!(out, "{:>13} {:>8}  {:>13}  {:>13}", "smallest", "sum", "default", "adder, no GAC")?;
        for &(n, k, vars, clauses) in rows {
            let sizes = encodings.map(|enc| size(enc, n, k));
            let [fewest, smallest, default, adder] = sizes.map(|size| format!("{}/{}", size.vars, size.clauses));
            let (of, best) = (format!("{n}, {k}"), format!("{vars}/{clauses}"));
            let (fewer, sum) = (more(sizes[0].clauses, clauses), more(sizes[1].cost(), vars + clauses));
            write!(out, "{of:>11}  {best:>13}  {fewest:>13} {fewer:>8}  ")?;
            writeln!(out, "{smallest:>13} {sum:>8}  {default:>13}  {adder:>13}")?;
        }
    }
    writeln!(out, "\n{COLUMNS}")
}
