//! Speeds, as tables: of writing proofs beside encoding, and of checking them beside solving. Nothing is held against a
//! clock but what is refused and the lines a clause.
//!
//! `VERIPB=$(which veripb) cargo test --release --test certify speed -- --ignored --nocapture`

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use cnfkit::{AmoEncoding, CardEncoding, CertifyError, ClauseSink, Constrain, Formula, Limits, Lit, PbEncoding};

use crate::{Folder, lot, veripb};

/// Counts bytes and lines.
#[derive(Default)]
struct Counted {
    bytes: usize,
    lines: usize,
}

impl Write for Counted {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.bytes += text.len();
        self.lines += text.split(|&byte| byte == b'\n').count() - 1;
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The least time of three runs.
fn best(mut run: impl FnMut()) -> Duration {
    let timed = |_| {
        let begun = Instant::now();
        run();
        begun.elapsed()
    };
    (0..3).map(timed).min().unwrap()
}

/// `most` of `n` literals, or so much of their weights by lot.
fn said(n: usize, most: usize, say: impl Fn(&mut Formula, &[Lit], &[(Lit, u64)], usize)) -> Formula {
    let mut formula = Formula::new();
    let x = formula.new_lits(n);
    let mut below = lot(n as u64);
    let terms: Vec<(Lit, u64)> = x.iter().map(|&lit| (lit, 1 + below(20) as u64)).collect();
    say(&mut formula, &x, &terms, most);
    formula
}

fn count(n: usize, most: usize, enc: CardEncoding) -> Formula {
    said(n, most, |formula, x, _, most| formula.at_most(x, most, enc).unwrap())
}

fn weights(n: usize, most: usize, enc: PbEncoding) -> Formula {
    said(n, most, |formula, _, terms, most| formula.pb_at_most(terms, most as u64, enc).unwrap())
}

/// A formula of one constraint of `n` literals, by each encoding that has a name: at most one, at most ten or half of
/// them, or half of the sum of weights.
fn each(n: usize, found: &mut dyn FnMut(String, &Formula)) {
    for enc in AmoEncoding::ALL.iter().filter(|enc| !matches!(enc, AmoEncoding::Card(_))) {
        found(format!("1, {enc}"), &said(n, 1, |formula, x, _, _| formula.at_most_one(x, enc).unwrap()));
    }
    for enc in CardEncoding::ALL {
        [10, n / 2].iter().for_each(|&k| found(format!("{k}, {enc}"), &count(n, k, *enc)));
    }
    for enc in PbEncoding::ALL.iter().filter(|_| n <= 100) {
        found(format!("half, {enc}"), &weights(n, n * 5, *enc));
    }
}

/// The most clauses of a formula in the table of all encodings.
const CLAUSES: u64 = 1_000_000;

/// The seconds that VeriPB takes for these files, at most a minute of them; `None` where it does not accept them.
fn checked(files: &[PathBuf]) -> Option<f64> {
    let (program, begun) = (std::env::var_os("VERIPB")?, Instant::now());
    let out = Command::new("timeout").arg("60").arg(program).args(files).output().unwrap();
    let verified = String::from_utf8_lossy(&out.stdout).contains("s VERIFIED OUTPUT DERIVABLE");
    verified.then(|| begun.elapsed().as_secs_f64())
}

#[test]
#[ignore = "a table of times, minutes; with checking, if VeriPB is named by the environment variable VERIPB"]
fn speed_of_each_encoding() {
    println!(
        "| n | at most | clauses | encoding ms | lines a clause | MB | writing ÷ encoding | checking ÷ encoding |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let only = std::env::var("ONLY").unwrap_or_default();
    for n in [30, 100, 1_000, 10_000] {
        each(n, &mut |name, formula| {
            let size = formula.size();
            if size.clauses > CLAUSES || size.lits > 8 * CLAUSES || !name.contains(&only) {
                return;
            }
            let encoding = best(|| drop(formula.encode().unwrap())).as_secs_f64();
            let (dir, row) =
                (Folder::new("each"), format!("| {n} | {name} | {} | {:.2}", size.clauses, encoding * 1e3));
            std::fs::create_dir(&dir.0).unwrap();
            let (mut proof, begun) = (Counted::default(), Instant::now());
            let first = formula.certify(io::sink(), &mut proof, io::sink());
            let mut writing = begun.elapsed();
            let clauses = match first {
                Ok(cnf) => cnf.n_clauses().max(1),
                Err(error) => {
                    let why = error.to_string().chars().take(90).collect::<String>();
                    return println!("{row} | refused after {:.1} s: {why} | | | |", writing.as_secs_f64());
                }
            };
            if writing < Duration::from_secs(1) {
                writing = best(|| drop(formula.certify(io::sink(), io::sink(), io::sink()).unwrap()));
            }
            let files = ["f.opb", "f.pbp", "out.opb"].map(|name| dir.0.join(name));
            let [f, p, o] = files.each_ref().map(|file| std::fs::File::create(file).unwrap());
            formula.certify(f, p, o).unwrap();
            let checking = checked(&files).map_or("none".into(), |time| format!("{:.1}", time / encoding));
            let (lines, mb) = (proof.lines as f64 / clauses as f64, proof.bytes as f64 / 1e6);
            let times = writing.as_secs_f64() / encoding;
            let other = if clauses as u64 == size.clauses { "" } else { " (other clauses)" };
            println!("{row} | {lines:.1}{other} | {mb:.2} | {times:.1} | {checking} |");
        });
    }
}

#[test]
#[ignore = "a table of times"]
fn speed_of_writing() {
    println!("| at most | clauses | lines a clause | MB | MB/s | times encoding |\n|---|---|---|---|---|---|");
    for (name, formula) in [
        ("1 of 2,000, ladder", said(2_000, 1, |formula, x, _, _| formula.at_most_one(x, AmoEncoding::Ladder).unwrap())),
        ("50 of 200, totalizer", count(200, 50, CardEncoding::Totalizer)),
        ("200 of 400, totalizer", count(400, 200, CardEncoding::Totalizer)),
        ("20 of 200, sequential", count(200, 20, CardEncoding::Sequential)),
        ("100 of 200, sequential", count(200, 100, CardEncoding::Sequential)),
        ("50 of 200, decision-diagram", count(200, 50, CardEncoding::DecisionDiagram)),
        ("20 of 60 weights, interval-diagram", weights(60, 20, PbEncoding::IntervalDiagram)),
        ("300 of 60 weights, interval-diagram", weights(60, 300, PbEncoding::IntervalDiagram)),
        ("100 of 40 weights, generalized-totalizer", weights(40, 100, PbEncoding::GeneralizedTotalizer)),
        ("300 of 60 weights, sequential-weight-counter", weights(60, 300, PbEncoding::SequentialWeightCounter)),
    ] {
        let encoding = best(|| drop(formula.encode().unwrap()));
        let (mut proof, mut clauses) = (Counted::default(), 0);
        let writing = best(|| {
            proof = Counted::default();
            clauses = formula.certify(io::sink(), &mut proof, io::sink()).unwrap().n_clauses();
        });
        let (lines, mb) = (proof.lines as f64 / clauses as f64, proof.bytes as f64 / 1e6);
        let (speed, times) = (mb / writing.as_secs_f64(), writing.as_secs_f64() / encoding.as_secs_f64());
        println!("| {name} | {clauses} | {lines:.1} | {mb:.1} | {speed:.0} | {times:.0} |");
        assert!(lines <= 5.0, "{name}: {lines}");
    }
    for (name, enc) in [("totalizer", CardEncoding::Totalizer), ("sequential", CardEncoding::Sequential)] {
        let is_long = |&n: &usize| {
            let certified = count(n, n / 2, enc).certify(io::sink(), io::sink(), io::sink());
            matches!(certified, Err(CertifyError::TooLong { .. }))
        };
        let first = (5..60).map(|at| 1 << (at / 2) | (at % 2) << (at / 2 - 1)).find(is_long);
        println!("{name}, half of n: too long from n = {} on, by steps of a half", first.unwrap());
    }
}

/// A formula by lot, of `size` variables or vertices.
type Family = (&'static str, fn(usize, &mut dyn FnMut(usize) -> usize) -> Formula);

const FAMILIES: [Family; 5] = [
    ("3-SAT", |n, below| {
        let mut formula = Formula::with_vars(n);
        for _ in 0..n * 23 / 5 {
            let clause: Vec<Lit> = (0..3).map(|_| Lit::new(below(n) as u32, below(2) == 0)).collect();
            formula.add_clause(&clause).unwrap();
        }
        formula
    }),
    ("3 colours", |n, below| {
        let mut formula = Formula::new();
        let colours: Vec<Vec<Lit>> = (0..n).map(|_| formula.new_lits(3)).collect();
        colours.iter().for_each(|colour| formula.exactly_one(colour, AmoEncoding::Auto).unwrap());
        for _ in 0..n * 12 / 5 {
            let (one, other) = (below(n), below(n));
            let pairs = colours[one].iter().zip(&colours[other]).filter(|_| one != other);
            pairs.for_each(|(&a, &b)| formula.add_clause(&[!a, !b]).unwrap());
        }
        formula
    }),
    ("exactly 3 of 6", |n, below| {
        let mut formula = Formula::with_vars(n);
        for _ in 0..n * 7 / 10 {
            let mut vars: Vec<u32> = (0..n as u32).collect();
            let x: Vec<Lit> = (0..6).map(|_| Lit::positive(vars.swap_remove(below(vars.len())))).collect();
            formula.exactly(&x, 3, CardEncoding::Auto).unwrap();
        }
        formula
    }),
    ("vertex cover", |n, below| {
        let mut formula = Formula::new();
        let x = formula.new_lits(n);
        for _ in 0..3 * n {
            let (one, other) = (below(n), below(n));
            formula.add_clause(&[x[one], x[if one == other { (one + 1) % n } else { other }]]).unwrap();
        }
        formula.at_most(&x, n * 11 / 20, CardEncoding::Auto).unwrap();
        formula
    }),
    ("3 sums of weights", |n, below| {
        let mut formula = Formula::new();
        let x = formula.new_lits(n);
        for _ in 0..3 {
            let terms: Vec<(Lit, u64)> = x.iter().map(|&lit| (lit, 1 + below(40) as u64)).collect();
            let half = terms.iter().map(|&(_, weight)| weight).sum::<u64>() / 2;
            formula.pb_exactly(&terms, half, PbEncoding::Auto).unwrap();
        }
        formula
    }),
];

#[test]
#[ignore = "needs VeriPB, named by the environment variable VERIPB; a table of times, minutes"]
fn speed_of_checking() {
    println!(
        "| instance | answer | solving | with a proof | MB | checking | times solving |\n|---|---|---|---|---|---|---|"
    );
    for (name, draw) in FAMILIES {
        for seed in 1..=2 {
            // The first size that takes a second.
            let (mut size, mut solving, mut formula, mut is_open) = (10, Duration::ZERO, Formula::new(), false);
            while solving < Duration::from_secs(1) && size < 2_000 {
                size += 1 + size / 12;
                formula = draw(size, &mut lot(seed));
                let begun = Instant::now();
                is_open = formula.solve().unwrap().is_some();
                solving = begun.elapsed();
            }
            let (dir, begun) = (Folder::new("speed"), Instant::now());
            let answer = formula.solve_certified(&dir.0, &Limits::none()).unwrap();
            let (proving, begun) = (begun.elapsed(), Instant::now());
            assert_eq!(answer.is_some(), is_open);
            let said = veripb(&dir.files());
            let checking = begun.elapsed();
            let verdict = if is_open { "s VERIFIED SATISFIABLE" } else { "s VERIFIED UNSATISFIABLE" };
            assert!(said.contains(verdict), "{name} {size}: {said}");
            let mb = dir.files()[1].metadata().unwrap().len() as f64 / 1e6;
            let [solving, proving, checking] = [solving, proving, checking].map(|time| time.as_secs_f64());
            let (answer, times) = (if is_open { "yes" } else { "no" }, checking / solving);
            let row = format!("{solving:.1} s | {proving:.1} s | {mb:.0} | {checking:.1} s | {times:.1}");
            println!("| {name}, {size}, {seed} | {answer} | {row} |");
        }
    }
}
