//! Megabytes a second of CPU time when text of each format is written and read, and nanoseconds a literal when its
//! constraints are added by calls. `cargo bench --bench formats` prints both tables, `cargo bench --bench formats --
//! OPB` the rows whose name contains that.

use std::io::{self, Write};
use std::time::Instant;

use cnfkit::formula::ReadError;
use cnfkit::{CardEncoding, ClauseSink, Constrain, Formula, Lit, PbEncoding};
use cnfkit_speed::seconds;

/// Literals in each text.
const LITERALS: usize = 6_000_000;
const VARS: u32 = 1_000_000;
/// Literals of a constraint.
const TERMS: usize = 8;

/// Numbers that look random, the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(most)) as u32
    }

    /// Literals of distinct variables, ascending.
    fn lits(&mut self, n: usize) -> Vec<Lit> {
        let mut lits: Vec<Lit> = (0..n).map(|_| Lit::new(self.below(VARS), self.below(2) == 1)).collect();
        lits.sort_unstable();
        lits.dedup_by_key(|lit| lit.var());
        lits
    }

    /// Those literals with weights from 1 to 20, of either sign.
    fn terms(&mut self) -> Vec<(Lit, i64)> {
        let lits = self.lits(TERMS);
        lits.into_iter()
            .map(|lit| (lit, (1 + i64::from(self.below(20))) * (1 - 2 * i64::from(self.below(2)))))
            .collect()
    }
}

/// A formula of two clauses of three literals to each constraint of six.
fn mixed() -> Formula {
    let (mut formula, mut numbers) = (Formula::with_vars(VARS as usize), Numbers(1));
    for _ in 0..LITERALS / 12 {
        (0..2).for_each(|_| formula.add_clause(&numbers.lits(3)).expect("small enough"));
        formula.at_least(&numbers.lits(6), 3, &CardEncoding::Auto).expect("small enough");
    }
    formula
}

fn clauses() -> Formula {
    let (mut formula, mut numbers) = (Formula::with_vars(VARS as usize), Numbers(2));
    (0..LITERALS / 3).for_each(|_| formula.add_clause(&numbers.lits(3)).expect("small enough"));
    formula
}

fn soft() -> Formula {
    let mut formula = clauses();
    let mut numbers = Numbers(3);
    (0..VARS).step_by(4).for_each(|var| {
        let soft = [Lit::positive(var), Lit::negative(numbers.below(VARS))];
        formula.add_soft_clause(&soft[..1 + var as usize / 4 % 2], 1 + u64::from(numbers.below(100))).expect("fits");
    });
    formula
}

/// Sums with weights of either sign, as text: the library writes positive ones.
fn signed() -> Vec<u8> {
    let mut numbers = Numbers(4);
    let mut text = Vec::new();
    for _ in 0..LITERALS / TERMS {
        for (lit, weight) in numbers.terms() {
            let sign = if lit.is_neg() { "~" } else { "" };
            write!(text, "{weight:+} {sign}x{} ", lit.vidx32() + 1).expect("memory holds it");
        }
        writeln!(text, "{} {} ;", if numbers.below(2) == 1 { ">=" } else { "<=" }, numbers.below(9)).expect("likewise");
    }
    text
}

fn row(
    name: &str,
    formula: &Formula,
    write: impl Fn(&Formula, &mut Vec<u8>) -> io::Result<()>,
    read: impl Fn(&[u8]) -> Result<Formula, ReadError>,
    given: Option<Vec<u8>>,
) {
    let clock = Instant::now();
    let rate = |bytes: usize, start: f64| bytes as f64 / 1e6 / (seconds(clock) - start);
    let mut text = Vec::new();
    write(formula, &mut text).expect("memory holds it");
    let again = given.unwrap_or_else(|| text.clone());
    text.clear();
    let start = seconds(clock);
    write(formula, &mut text).expect("memory holds it");
    let written = rate(text.len(), start);
    let start = seconds(clock);
    let formula = read(&again).expect("as written");
    let took = rate(again.len(), start);
    assert!(formula.n_vars() > 0);
    println!("| {name} | {:.0} | {written:.0} | {took:.0} |", again.len() as f64 / 1e6);
}

fn main() {
    let only = std::env::args().skip(1).find(|word| !word.starts_with('-')).unwrap_or_default();
    let is_asked = |name: &str| name.contains(&only);
    println!("| format | megabytes | written, MB/s | read, MB/s |\n|---|---:|---:|---:|");
    if is_asked("DIMACS") {
        row("DIMACS", &clauses(), |formula, text| formula.write_dimacs(text), |text| Formula::read_dimacs(text), None);
    }
    if is_asked("KNF") {
        row("KNF", &mixed(), |formula, text| formula.write_knf(text), |text| Formula::read_knf(text), None);
    }
    if is_asked("WCNF") {
        row("WCNF", &soft(), |formula, text| formula.write_wcnf(text), |text| Formula::read_wcnf(text), None);
    }
    if is_asked("OPB, clauses and counts") {
        let name = "OPB, clauses and counts";
        row(name, &mixed(), |formula, text| formula.write_opb(text), |text| Formula::read_opb(text), None);
    }
    if is_asked("OPB, weights and signs") {
        let text = signed();
        let formula = Formula::read_opb(&text[..]).expect("as written");
        let name = "OPB, weights and signs";
        row(name, &formula, |formula, text| formula.write_opb(text), |text| Formula::read_opb(text), Some(text));
    }
    println!("\n| constraints of {TERMS}, added | ns a literal |\n|---|---:|");
    posting(is_asked);
}

fn posting(is_asked: impl Fn(&str) -> bool) {
    const ADDED: usize = 200_000;
    const RUNS: usize = 10;
    let mut numbers = Numbers(5);
    let lits: Vec<Vec<Lit>> = (0..ADDED).map(|_| numbers.lits(TERMS)).collect();
    let signed: Vec<Vec<(Lit, i64)>> = (0..ADDED).map(|_| numbers.terms()).collect();
    let positive: Vec<Vec<(Lit, u64)>> =
        signed.iter().map(|terms| terms.iter().map(|&(lit, weight)| (lit, weight.unsigned_abs())).collect()).collect();
    let measure = |name: &str, add: &dyn Fn(&mut Formula, usize)| {
        if !is_asked(name) {
            return;
        }
        let (clock, mut taken) = (Instant::now(), 0.0);
        for _ in 0..RUNS {
            let mut formula = Formula::with_vars(VARS as usize);
            let start = seconds(clock);
            (0..ADDED).for_each(|at| add(&mut formula, at));
            taken += seconds(clock) - start;
        }
        println!("| {name} | {:.0} |", taken * 1e9 / (RUNS * ADDED * TERMS) as f64);
    };
    measure("clause", &|formula, at| formula.add_clause(&lits[at]).expect("fits"));
    measure("at_most", &|formula, at| formula.at_most(&lits[at], 3, CardEncoding::Auto).expect("fits"));
    measure("pb_at_most", &|formula, at| {
        formula.pb_at_most(&positive[at], 40, PbEncoding::Auto).expect("fits");
    });
    measure("pb_at_most, signed", &|formula, at| {
        formula.pb_at_most(&signed[at], 4, PbEncoding::Auto).expect("fits");
    });
    measure("pb_at_least, signed", &|formula, at| {
        formula.pb_at_least(&signed[at], 4, PbEncoding::Auto).expect("fits");
    });
    measure("pb_exactly, signed", &|formula, at| {
        formula.pb_exactly(&signed[at], 4, PbEncoding::Auto).expect("fits");
    });
}
