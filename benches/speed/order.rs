//! CPU time to order a formula of 10³ to 10⁷ literals beside that to encode it and to load it into BatSat.
//!
//! Half of the literals are in clauses of two to four, half in constraints on 20 to 79 literals; neighbours are near to
//! each other in some hidden numbering, or anywhere.
//!
//! A second table has 10⁶ small constraints: what they take in a formula's order, and in the order of numbers.

use std::time::Instant;

use cnfkit::{CardEncoding, ClauseSink, Constrain, Formula, Lit, Order};
use cnfkit_speed::seconds;

/// `SplitMix64` (Steele, Lea, Flood 2014).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((u128::from(mixed ^ (mixed >> 31)) * n as u128) >> 64) as usize
    }
}

/// A formula with so many literals and a tenth as many variables; those of an edge are within `near` edges' lengths of
/// each other.
fn formula(lits: usize, near: usize) -> Formula {
    let n = lits / 10;
    let mut random = Random(lits as u64);
    let mut to: Vec<u32> = (0..n as u32).collect();
    for last in (1..n).rev() {
        to.swap(last, random.below(last + 1));
    }
    let some = |len: usize, random: &mut Random| -> Vec<Lit> {
        let (first, span) = (random.below(n), if near == 0 { n } else { near * len.max(10) });
        (0..len).map(|_| Lit::new(to[(first + random.below(span)) % n], random.below(2) == 0)).collect()
    };
    let mut formula = Formula::with_vars(n);
    let mut used = 0;
    while used < lits / 2 {
        let clause = some(2 + random.below(3), &mut random);
        used += clause.len();
        formula.add_clause(&clause).expect("small enough");
    }
    while used < lits {
        let mut clause = some(20 + random.below(60), &mut random);
        clause.sort_unstable();
        clause.dedup_by_key(|lit| lit.var());
        used += clause.len();
        formula.at_most(&clause, clause.len() / 3, &CardEncoding::Auto).expect("small enough");
    }
    formula
}

/// The mean of as many runs as take a second or so, in milliseconds.
fn timed<T>(mut run: impl FnMut() -> T) -> f64 {
    let clock = Instant::now();
    let start = seconds(clock);
    for runs in 1.. {
        std::hint::black_box(run());
        let taken = seconds(clock) - start;
        if taken > 0.5 {
            return 1e3 * taken / f64::from(runs);
        }
    }
    unreachable!("time goes by")
}

/// A formula of n constraints that at most two of five literals are true: they share none, are a chain, or share any.
fn small(kind: &str, n: usize) -> Formula {
    let mut random = Random(n as u64);
    let vars = if kind == "apart" { 5 * n } else { 4 * n + 1 };
    let mut formula = Formula::with_vars(vars);
    for at in 0..n {
        let var = |place: usize, random: &mut Random| match kind {
            "apart" => 5 * at + place,
            "chain" => 4 * at + place,
            _ => random.below(vars),
        };
        let mut lits: Vec<Lit> = (0..5).map(|place| Lit::positive(var(place, &mut random) as u32)).collect();
        lits.sort_unstable();
        lits.dedup();
        formula.at_most(&lits, 2, &CardEncoding::Auto).expect("small enough");
    }
    formula
}

/// The least of some runs, in milliseconds: what is looked for is the ratio of two.
fn least<T>(mut run: impl FnMut() -> T) -> f64 {
    let clock = Instant::now();
    let once = |_| {
        let start = seconds(clock);
        std::hint::black_box(run());
        1e3 * (seconds(clock) - start)
    };
    (0..3).map(once).fold(f64::INFINITY, f64::min)
}

fn main() {
    println!("| 10^6 at most 2 of 5 | by number, ms | in order, ms | ÷ |\n|---|---:|---:|---:|");
    for kind in ["apart", "chain", "anywhere"] {
        let formula = small(kind, 1_000_000);
        let given = formula.clone().order(Order::Variable);
        let without = least(|| given.encode().expect("small enough"));
        let with = least(|| formula.encode().expect("small enough"));
        println!("| {kind} | {without:.0} | {with:.0} | {:.2} |", with / without);
    }
    if std::env::args().any(|word| word == "small") {
        return;
    }
    println!("\n| literals | neighbours | order, ms | encode, ms | load, ms | order ÷ (encode + load) |");
    println!("|---:|---|---:|---:|---:|---:|");
    for exponent in 3..=7 {
        for (near, name) in [(3, "near"), (0, "anywhere")] {
            let lits = 10_usize.pow(exponent);
            let formula = formula(lits, near);
            let order = timed(|| formula.sequence());
            let sorted = formula.clone().order(Order::Variable);
            let encode = timed(|| sorted.encode().expect("small enough"));
            // Loading 10⁷ literals and their constraints takes BatSat 3 GB: it is not needed to see the ratio.
            let load = if exponent < 7 { load(&sorted.encode().expect("small enough")) } else { None };
            let (loaded, ratio) = match load {
                None => ("–".into(), "–".into()),
                Some(load) => (format!("{load:.2}"), format!("{:.2}", order / (encode + load))),
            };
            println!("| 10^{exponent} | {name} | {order:.2} | {encode:.2} | {loaded} | {ratio} |");
        }
    }
}

#[cfg(feature = "batsat")]
#[allow(clippy::unnecessary_wraps)] // None without the feature
fn load(cnf: &cnfkit::Cnf) -> Option<f64> {
    use cnfkit::rustsat::{solvers::Solve, types::Cl};
    Some(timed(|| {
        let mut solver = cnfkit::solvers::BatSat::default();
        let add = |clause: &[Lit]| solver.add_clause_ref(Cl::new(clause)).expect("BatSat takes clauses");
        cnf.clauses().for_each(add);
    }))
}

#[cfg(not(feature = "batsat"))]
fn load(_: &cnfkit::Cnf) -> Option<f64> {
    None
}
