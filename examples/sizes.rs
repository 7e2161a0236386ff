//! The sizes of our encodings beside the best of other libraries.
//!
//! The figures of others were measured with rustsat 0.7.5, pindakaas 0.6.1, PySAT 1.9.dev17, PBLib 0.0.4 and
//! kp-minicard; `cargo run --release -p cnfkit-peers -- sizes` measures those that install as crates again.

#[macro_use]
#[path = "common/say.rs"]
mod say;
#[path = "common/watch.rs"]
#[allow(dead_code)] // no question of the library is asked here
mod watch;

use std::process::ExitCode;

use clap::Parser;
use cnfkit::{Adder, AmoEncoding, AtMostK, AtMostOne, CardEncoding, Network, Optimal, Size};
use watch::Watch;

/// The columns of the tables.
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

/// Prints sizes of formulas: ours beside the best of other libraries, or every encoding of one constraint.
///
/// Sizes are computed in advance: nothing is encoded.
#[derive(Parser)]
#[command(after_help = format!("{COLUMNS}\n\n{EXIT_CODES}"))]
struct Args {
    /// Instead of the tables, print every encoding of this many literals with bound K.
    #[arg(value_name = "N", requires = "k")]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=100_000))]
    n: Option<u32>,
    /// The bound.
    #[arg(value_name = "K")]
    k: Option<u32>,
    /// Give up after this many seconds.
    #[arg(long, value_name = "SECONDS")]
    time_limit: Option<f64>,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  everything was printed
  2  wrong arguments, the time limit, Ctrl-C, or output that cannot be written";

/// Vars/clauses.
fn pair(size: Size) -> String {
    format!("{}/{}", size.vars, size.clauses)
}

fn verdict(ours: u64, theirs: u64) -> String {
    format!("{:+.1} %", (ours as f64 / theirs as f64 - 1.0) * 100.0)
}

/// n; clauses of the best library; clauses of a dynamic programme over pairwise, splits (3n − 6) and grids.
const AT_MOST_ONE: [(usize, u64, u64); 9] = [
    (5, 9, 9),
    (9, 21, 21),
    (16, 42, 42),
    (25, 69, 68),
    (64, 172, 164),
    (100, 258, 248),
    (400, 912, 908),
    (1000, 2188, 2173),
    (10_000, 20_516, 20_496),
];

/// n, k; vars and clauses of the best library by clauses.
type Row = (usize, usize, u64, u64);

const AT_MOST: [Row; 8] = [
    (8, 3, 14, 31),
    (20, 5, 58, 143),
    (50, 10, 258, 621),
    (100, 10, 547, 1302),
    (100, 50, 1197, 2534),
    (200, 100, 3621, 6892),
    (1000, 10, 5679, 13_571),
    (1000, 500, 21_993, 57_548),
];

const AT_LEAST: [Row; 7] = [
    (8, 3, 15, 28),
    (20, 5, 59, 124),
    (50, 10, 197, 567),
    (100, 10, 413, 1233),
    (1000, 10, 4237, 13_157),
    (100, 50, 1197, 2534),
    (200, 100, 3621, 6892),
];

const EXACTLY: [Row; 7] = [
    (8, 3, 14, 58),
    (20, 5, 58, 266),
    (50, 10, 196, 1192),
    (100, 10, 412, 2624),
    (100, 50, 1016, 5351),
    (200, 100, 2933, 14_432),
    (1000, 500, 43_009, 129_029),
];

fn table(watch: &Watch, title: &str, rows: &[Row], size: impl Fn(&Encodings, usize, usize) -> [Size; 4]) {
    say!("\n{title} (variables/clauses)");
    say!(
        "{:>11}  {:>13}  {:>13} {:>8}  {:>13} {:>8}  {:>13}  {:>13}",
        "n, k",
        "best library",
        "fewest",
        "clauses",
        "smallest",
        "sum",
        "default",
        "adder, no GAC"
    );
    let encodings = Encodings {
        fewest: Network::default().weight(0),
        smallest: CardEncoding::Smallest,
        default: CardEncoding::Auto,
        adder: Adder::default().full(false),
    };
    for &(n, k, vars, clauses) in rows {
        let task = format!("planning {title}, {k} of {n}");
        let [fewest, smallest, default, adder] = watch.run(task, || size(&encodings, n, k));
        say!(
            "{:>11}  {:>13}  {:>13} {:>8}  {:>13} {:>8}  {:>13}  {:>13}",
            format!("{n}, {k}"),
            format!("{vars}/{clauses}"),
            pair(fewest),
            verdict(fewest.clauses, clauses),
            pair(smallest),
            verdict(smallest.cost(), vars + clauses),
            pair(default),
            pair(adder),
        );
    }
}

/// The columns.
struct Encodings {
    fewest: Network,
    smallest: CardEncoding,
    default: CardEncoding,
    adder: Adder,
}

fn everything(watch: &Watch, n: usize, k: usize) {
    say!("{:<28} {:>16} {:>16} {:>16}", format!("{k} of {n}, variables/clauses"), "at most", "at least", "exactly");
    for enc in CardEncoding::ALL {
        let sizes = watch.run(format!("planning `{enc}`, {k} of {n}"), || {
            [
                (1..n.saturating_sub(1)).contains(&k).then(|| enc.amk_size(n, k)),
                (2..n).contains(&k).then(|| enc.alk_size(n, k)),
                (n > 2 && (1..n).contains(&k)).then(|| enc.exk_size(n, k)),
            ]
        });
        let [most, least, exactly] = sizes.map(|size| size.map_or("trivial".into(), pair));
        say!("{:<28} {most:>16} {least:>16} {exactly:>16}", enc.to_string());
    }
    if k == 1 && n > 1 {
        for enc in AmoEncoding::ALL.iter().filter(|enc| !matches!(enc, AmoEncoding::Card(_))) {
            let size = watch.run(format!("planning `{enc}`, at most one of {n}"), || enc.amo_size(n));
            say!("{:<28} {:>16}", format!("{enc} (at most one)"), pair(size));
        }
    }
}

fn main() -> ExitCode {
    let args = Args::parse();
    let watch = match Watch::new(args.time_limit) {
        Ok(watch) => watch,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    };
    match (args.n, args.k) {
        (Some(n), Some(k)) => everything(&watch, n as usize, k as usize),
        _ => tables(&watch),
    }
    ExitCode::SUCCESS
}

fn tables(watch: &Watch) {
    say!("at most one (clauses; variables in brackets)");
    say!(
        "{:>11}  {:>13}  {:>13}  {:>15} {:>8}  {:>15}",
        "n",
        "best library",
        "programme",
        "fewest",
        "clauses",
        "smallest"
    );
    for (n, library, programme) in AT_MOST_ONE {
        let (fewest, smallest) = watch.run(format!("planning at most one of {n}"), || {
            (Optimal::default().weight(0).amo_size(n), AmoEncoding::Smallest.amo_size(n))
        });
        let shown = |size: Size| format!("{} ({})", size.clauses, size.vars);
        say!(
            "{n:>11}  {library:>13}  {programme:>13}  {:>15} {:>8}  {:>15}",
            shown(fewest),
            verdict(fewest.clauses, library),
            shown(smallest)
        );
    }
    table(watch, "at most k", &AT_MOST, |enc, n, k| {
        [enc.fewest.amk_size(n, k), enc.smallest.amk_size(n, k), enc.default.amk_size(n, k), enc.adder.amk_size(n, k)]
    });
    table(watch, "at least k", &AT_LEAST, |enc, n, k| {
        [enc.fewest.alk_size(n, k), enc.smallest.alk_size(n, k), enc.default.alk_size(n, k), enc.adder.alk_size(n, k)]
    });
    table(watch, "exactly k", &EXACTLY, |enc, n, k| {
        [enc.fewest.exk_size(n, k), enc.smallest.exk_size(n, k), enc.default.exk_size(n, k), enc.adder.exk_size(n, k)]
    });
    say!("\n{COLUMNS}");
}
