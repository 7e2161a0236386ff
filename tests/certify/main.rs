//! Certificates: what [`Formula::certify`] writes is replayed here (`replay.rs`), and checked by VeriPB, a program of
//! somebody else's, in the tests that are ignored without it:
//!
//! `VERIPB=$(which veripb) cargo test --test certify -- --include-ignored`

#[cfg(any(feature = "batsat", feature = "cadical"))]
mod drat;
#[cfg(any(feature = "batsat", feature = "cadical"))]
mod expressions;
#[cfg(any(feature = "batsat", feature = "cadical"))]
mod files;
#[cfg(any(feature = "batsat", feature = "cadical"))]
mod limits;
#[cfg(all(any(feature = "batsat", feature = "cadical"), feature = "model"))]
mod models;
mod parities;
#[cfg(all(
    any(feature = "batsat", feature = "cadical"),
    feature = "gem-hunter",
    feature = "make",
    feature = "proofs",
    feature = "sudoku"
))]
mod puzzles;
mod replay;
#[cfg(feature = "batsat")]
mod rules;
#[cfg(any(feature = "batsat", feature = "cadical"))]
mod said;
#[cfg(feature = "batsat")]
mod services;
mod shared;
#[cfg(any(feature = "batsat", feature = "cadical"))]
mod speed;
mod substitution;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use cnfkit::{
    AmoEncoding, CardEncoding, CertifyError, ClauseSink, Cnf, Constrain, Formula, Lit, Order, PbEncoding, PbRelation,
    Relation,
};
use replay::{Inequality, replay};

/// True if all cases are taken: where `CNFKIT_EXHAUSTIVE` is set, as in `.ci/run`.
fn is_exhaustive() -> bool {
    std::env::var_os("CNFKIT_EXHAUSTIVE").is_some()
}

/// The words of VeriPB about files.
fn veripb(files: &[PathBuf]) -> String {
    let program = std::env::var_os("VERIPB").expect("VERIPB is the program's path");
    let out = Command::new(program).args(files).output().unwrap();
    String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr)
}

/// A folder that is not there, taken away in the end.
#[cfg(any(feature = "batsat", feature = "cadical"))]
struct Folder(PathBuf);

#[cfg(any(feature = "batsat", feature = "cadical"))]
impl Folder {
    fn new(name: &str) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("cnfkit-certify-{name}-{}-{number}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Self(path)
    }

    fn files(&self) -> [PathBuf; 2] {
        ["formula.opb", "proof.pbp"].map(|name| self.0.join(name))
    }
}

#[cfg(any(feature = "batsat", feature = "cadical"))]
impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A formula and its proof.
struct Certificate {
    opb: String,
    proof: String,
    clauses: String,
    /// The clauses are those of `encode`.
    is_encoded: bool,
}

impl Certificate {
    fn new(formula: &Formula) -> Result<Self, CertifyError> {
        let (mut opb, mut proof, mut clauses) = (Vec::new(), Vec::new(), Vec::new());
        let cnf = formula.certify(&mut opb, &mut proof, &mut clauses)?;
        Ok(Self::of(&cnf, formula, [opb, proof, clauses]))
    }

    /// Of what is detected in the formula.
    fn detected(formula: &Formula) -> Result<Self, CertifyError> {
        let (mut opb, mut proof, mut clauses) = (Vec::new(), Vec::new(), Vec::new());
        let detected = formula.detect();
        let cnf = detected.certify(&mut opb, &mut proof, &mut clauses)?;
        Ok(Self::of(&cnf, &detected.formula(), [opb, proof, clauses]))
    }

    fn of(cnf: &Cnf, formula: &Formula, texts: [Vec<u8>; 3]) -> Self {
        let is_encoded = cnf.clauses().eq(formula.encode().unwrap().clauses());
        let [opb, proof, clauses] = texts.map(|text| String::from_utf8(text).unwrap());
        assert_eq!(replay::lines(&clauses).len(), cnf.n_clauses());
        Self { opb, proof, clauses, is_encoded }
    }

    /// Replays the proof; all clauses have to be there in the end, and nothing else.
    fn replay(&self) -> Result<(), String> {
        let text = |all: Vec<Inequality>| all.into_iter().map(|one| format!("{one:?}")).collect::<BTreeSet<String>>();
        let left = text(replay(&self.opb, &self.proof)?);
        let clauses = text(replay::lines(&self.clauses));
        if left == clauses { Ok(()) } else { Err(format!("left: {left:?}; clauses: {clauses:?}")) }
    }

    /// The last words of VeriPB, if it refuses.
    fn check(&self) -> Result<(), String> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let dir = std::env::temp_dir().join(format!("cnfkit-certify-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let files = ["f.opb", "f.pbp", "out.opb"].map(|name| dir.join(name));
        for (file, text) in files.iter().zip([&self.opb, &self.proof, &self.clauses]) {
            std::fs::write(file, text).unwrap();
        }
        let text = veripb(&files);
        std::fs::remove_dir_all(&dir).unwrap();
        let verified = text.contains("s VERIFIED OUTPUT DERIVABLE");
        if verified { Ok(()) } else { Err(text) }
    }
}

/// A constraint, under a condition, or reified.
#[derive(Clone, Copy, Debug)]
enum Shape {
    Plain,
    When,
    Iff,
}

/// Calls `found` with a name and a formula of one constraint, for each encoding, relation and shape, of `n` literals.
fn each(n: usize, found: &mut dyn FnMut(&str, &Formula)) {
    let x: Vec<Lit> = (0..n as u32).map(|var| Lit::new(var, var % 3 == 1)).collect();
    let c = [Lit::positive(n as u32), Lit::negative(n as u32 + 1)];
    let formula = || Formula::with_vars(n + 2).order(Order::Variable);
    let mut say = |name: String, say: &dyn Fn(&mut Formula)| {
        let mut formula = formula();
        say(&mut formula);
        found(&name, &formula);
    };
    for &enc in AmoEncoding::ALL.iter().filter(|enc| !matches!(enc, AmoEncoding::Card(_))) {
        let name = format!("at most one, {enc}");
        say(name.clone(), &|formula| formula.at_most_one(&x, &enc).unwrap());
        say(name.clone(), &|formula| formula.exactly_one(&x, &enc).unwrap());
        say(name.clone(), &|formula| formula.when(&c).at_most_one(&x, &enc).unwrap());
        say(name.clone(), &|formula| formula.when(&c).exactly_one(&x, &enc).unwrap());
    }
    let relations = |k: usize| [Relation::AtMost(k), Relation::AtLeast(k), Relation::Exactly(k)];
    for (relation, shape) in (1..n)
        .flat_map(relations)
        .flat_map(|relation| [Shape::Plain, Shape::When, Shape::Iff].map(|shape| (relation, shape)))
    {
        for enc in CardEncoding::ALL {
            say(format!("count, {enc}"), &|formula| match (shape, relation) {
                (Shape::Plain, _) => formula.cardinality(&x, relation, enc).unwrap(),
                (Shape::When, _) => formula.when(&c).cardinality(&x, relation, enc).unwrap(),
                (Shape::Iff, Relation::AtMost(k)) => formula.iff_at_most(c[1], &x, k, enc).unwrap(),
                (Shape::Iff, Relation::AtLeast(k)) => formula.iff_at_least(c[0], &x, k, enc).unwrap(),
                (Shape::Iff, Relation::Exactly(k)) => formula.iff_exactly(c[1], &x, k, enc).unwrap(),
            });
        }
    }
    let mut random = n as u64;
    let mut below = |bound: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % bound
    };
    for most in [3, 4, 9, 40] {
        let terms: Vec<(Lit, u64)> = x.iter().map(|&lit| (lit, 1 + below(most))).collect();
        let bound = 1 + below(terms.iter().map(|&(_, weight)| weight).sum::<u64>() - 1);
        let relations = [PbRelation::AtMost(bound), PbRelation::AtLeast(bound), PbRelation::Exactly(bound)];
        for (relation, shape) in relations
            .into_iter()
            .flat_map(|relation| [Shape::Plain, Shape::When, Shape::Iff].map(|shape| (relation, shape)))
        {
            for enc in PbEncoding::ALL {
                say(format!("sum, {enc}"), &|formula| match (shape, relation) {
                    (Shape::Plain, _) => formula.pb(&terms, relation, enc).unwrap(),
                    (Shape::When, _) => formula.when(&c).pb(&terms, relation, enc).unwrap(),
                    (Shape::Iff, PbRelation::AtMost(k)) => formula.pb_iff_at_most(c[0], &terms, k, enc).unwrap(),
                    (Shape::Iff, PbRelation::AtLeast(k)) => formula.pb_iff_at_least(c[1], &terms, k, enc).unwrap(),
                    (Shape::Iff, PbRelation::Exactly(k)) => formula.pb_iff_exactly(c[0], &terms, k, enc).unwrap(),
                });
            }
        }
    }
}

/// Holds every certificate against `checker`, for so many literals; counts clauses and lines by encoding. All are
/// covered, and about the clauses of `encode`, but for some equalities of generalized totalizers, taken as two bounds.
fn check_all(range: std::ops::RangeInclusive<usize>, checker: impl Fn(&Certificate) -> Result<(), String> + Sync) {
    let table: Mutex<BTreeMap<String, [usize; 4]>> = Mutex::default();
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    // Each thread makes all formulas and checks its part of them.
    let part = |own: usize| {
        let mut number = 0;
        let mut check = |name: &str, formula: &Formula| {
            number += 1;
            if number % threads != own {
                return;
            }
            let certificate = Certificate::new(formula).unwrap_or_else(|error| panic!("{name}: {error}"));
            let said = checker(&certificate);
            assert!(said.is_ok(), "{name}: {:?}: {}", formula.constraints().next(), said.unwrap_err());
            let clauses = replay::lines(&certificate.clauses).len();
            let counts = [1, usize::from(certificate.is_encoded), clauses, certificate.proof.lines().count() - 5];
            let mut table = table.lock().unwrap();
            let row = table.entry(name.to_string()).or_default();
            row.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        };
        range.clone().for_each(|n| each(n, &mut check));
    };
    std::thread::scope(|scope| (0..threads).for_each(|own| drop(scope.spawn(move || part(own)))));
    let table = table.into_inner().unwrap();
    println!("| encoding | checked | as encoded | clauses | lines a clause |\n|---|---|---|---|---|");
    for (name, [all, same, clauses, lines]) in &table {
        println!("| {name} | {all} | {same} | {clauses} | {:.1} |", *lines as f64 / (*clauses).max(1) as f64);
    }
    let others = |(name, [all, same, ..]): (&String, &[usize; 4])| all != same && name != "sum, generalized-totalizer";
    assert!(!table.iter().any(others));
}

#[test]
fn proofs_of_all_encodings_replay() {
    check_all(3..=5, Certificate::replay);
}

#[test]
#[ignore = "needs VeriPB, named by the environment variable VERIPB"]
fn veripb_accepts_proofs_of_all_encodings() {
    check_all(3..=12, Certificate::check);
}

/// An equality if and only if a literal is true whose sums, exactly the bound at the root of a tree, have no proof.
#[test]
fn equalities_without_a_proof_are_two_bounds() {
    for (weights, bound) in [(&[2, 6, 3, 8, 7, 6, 4][..], 22), (&[32, 31, 35, 33, 14, 12, 10, 29], 106)] {
        let mut formula = Formula::new();
        let x = formula.new_lits(weights.len());
        let r = formula.new_lit();
        let terms: Vec<(Lit, u64)> = x.into_iter().zip(weights.iter().copied()).collect();
        formula.pb_iff_exactly(r, &terms, bound, PbEncoding::GeneralizedTotalizer).unwrap();
        let certificate = Certificate::new(&formula).unwrap();
        assert!(!certificate.is_encoded);
        certificate.replay().unwrap();
    }
}

/// Numbers by lot, the same each time.
fn lot(mut state: u64) -> impl FnMut(usize) -> usize {
    move |below| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    }
}

/// Encodings whose auxiliaries are sums.
const SUMS: [&str; 4] = ["at most one, ladder", "count, totalizer", "count, decision-diagram", "sum, interval-diagram"];

/// Encodings whose auxiliaries are defined by what their clauses say.
const FUNCTIONS: [&str; 5] =
    ["count, adder", "count, network", "count, modulo", "sum, global-watchdog", "sum, binary-adder"];

/// Proofs of several kinds, for whoever breaks them.
fn some(names: &[&str], lengths: &[usize]) -> Vec<Certificate> {
    let mut all = Vec::new();
    for &n in lengths {
        each(n, &mut |name, formula| {
            if names.contains(&name) && formula.size().vars > 2 {
                all.extend(Certificate::new(formula));
            }
        });
    }
    all
}

/// Reified sums of which two literals, or two negations, exclude each other: with groups of negations more is less.
fn check_reified_with_groups(checker: impl Fn(&Certificate) -> Result<(), String>) {
    for (weights, sum) in [(&[1_u64, 3, 3, 1][..], 5), (&[1, 2, 3], 3), (&[1, 2, 2, 1], 3)] {
        for (at, is_neg) in (2..=weights.len()).flat_map(|at| [(at, false), (at, true)]) {
            let mut formula = Formula::new();
            let x = formula.new_lits(1 + weights.len());
            let terms: Vec<(Lit, u64)> = x[1..].iter().copied().zip(weights.iter().copied()).collect();
            formula.pb_iff_exactly(x[0], &terms, sum, PbEncoding::Auto).unwrap();
            formula.add_clause(&[x[1], x[at]].map(|lit| if is_neg { !lit } else { lit })).unwrap();
            let certificate = Certificate::new(&formula).unwrap_or_else(|error| panic!("{weights:?} {at}: {error}"));
            checker(&certificate).unwrap_or_else(|error| panic!("{weights:?} {at} {is_neg}: {error}"));
        }
    }
}

#[test]
fn reified_sums_with_groups_replay() {
    check_reified_with_groups(Certificate::replay);
}

#[test]
#[ignore = "needs VeriPB, named by the environment variable VERIPB"]
fn veripb_accepts_reified_sums_with_groups() {
    check_reified_with_groups(Certificate::check);
}

/// An auxiliary that says, in both of its lines, that a sum is at least one more, or one less, than it should be.
fn check_wrong_meanings(names: &[&str], checker: impl Fn(&Certificate) -> Result<(), String>) {
    let (mut made, mut accepted) = (0, 0);
    for Certificate { opb, proof, clauses, .. } in some(names, &[5, 7]) {
        let lines: Vec<&str> = proof.lines().collect();
        let is_pair = |at: &usize| {
            let name =
                |line: &str| line.split(" : ").nth(1).and_then(|rest| rest.split(' ').next()).map(str::to_string);
            let [one, two] = [lines[*at], lines[*at + 1]];
            // Of weights a bound that is one more or less may say the same.
            let is_count = one.split(' ').filter(|word| word.starts_with('+')).skip(1).all(|weight| weight == "+1");
            is_count && one.starts_with("red") && two.starts_with("red") && name(one) == name(two)
        };
        for at in (2..lines.len() - 1).filter(is_pair).step_by(3) {
            for by in [1, -1] {
                let moved = |line: &str, by: i64| {
                    let words: Vec<&str> = line.split(' ').collect();
                    let degree = words.iter().position(|word| *word == ">=").unwrap() + 1;
                    let to = words[degree].parse::<i64>().unwrap() + by;
                    let to = [(1, format!("+{to}")), (degree, to.to_string())];
                    let word = |at: usize| to.iter().find(|(place, _)| *place == at).map(|(_, word)| word.as_str());
                    let words = words.iter().enumerate().map(|(at, old)| word(at).unwrap_or(old));
                    (words.collect::<Vec<&str>>().join(" "), to[1].1 == "0")
                };
                let ((one, none), (two, all)) = (moved(lines[at], by), moved(lines[at + 1], -by));
                if none || all {
                    continue; // it would be always true, or never
                }
                let mut wrong = lines.clone();
                (wrong[at], wrong[at + 1]) = (&one, &two);
                let proof = wrong.join("\n") + "\n";
                let refused =
                    checker(&Certificate { opb: opb.clone(), proof, clauses: clauses.clone(), is_encoded: true });
                assert!(refused.is_err() || names != SUMS, "{one}\n{two}");
                (made, accepted) = (made + 1, accepted + usize::from(refused.is_ok()));
            }
        }
    }
    // Some other functions would do as well, where nothing asks for all that they say.
    println!("{names:?}: wrong definitions: {made} made, {accepted} accepted");
    assert!(made >= 10 && 20 * accepted <= made, "{made} made, {accepted} accepted");
}

#[test]
fn wrong_meanings_do_not_replay() {
    check_wrong_meanings(&SUMS, Certificate::replay);
    check_wrong_meanings(&FUNCTIONS, Certificate::replay);
}

#[test]
#[ignore = "needs VeriPB, named by the environment variable VERIPB"]
fn veripb_refuses_wrong_meanings() {
    check_wrong_meanings(&SUMS, Certificate::check);
    check_wrong_meanings(&FUNCTIONS, Certificate::check);
}

/// A formula by lot.
fn drawn(below: &mut impl FnMut(usize) -> usize) -> Formula {
    let n = 6 + below(8);
    let mut formula = Formula::with_vars(n);
    for _ in 0..3 + below(6) {
        let mut x: Vec<Lit> = Vec::new();
        for var in 0..n as u32 {
            if below(3) > 0 {
                x.push(Lit::new(var, below(2) == 0));
            }
        }
        if x.len() < 3 {
            continue;
        }
        let k = 1 + below(x.len() - 1);
        let r = Lit::new(below(n) as u32, below(2) == 0);
        let terms: Vec<(Lit, u64)> = x.iter().map(|&lit| (lit, 1 + below(9) as u64)).collect();
        let half = terms.iter().map(|&(_, weight)| weight).sum::<u64>() / 2;
        match below(9) {
            0 => formula.at_most(&x, k, &CardEncoding::Auto).unwrap(),
            1 => formula.at_least(&x, k, &CardEncoding::Auto).unwrap(),
            2 => formula.exactly(&x, k, &CardEncoding::Sequential).unwrap(),
            3 => formula.iff_at_least(r, &x, k, &CardEncoding::Auto).unwrap(),
            4 => formula.iff_exactly(r, &x, k, &CardEncoding::DecisionDiagram).unwrap(),
            5 => formula.pb_at_most(&terms, half, &PbEncoding::Auto).unwrap(),
            6 => formula.when(&[r]).pb_at_least(&terms, half, &PbEncoding::Auto).unwrap(),
            7 => formula.when(&[r, !x[0]]).exactly_one(&x[1..], &AmoEncoding::Auto).unwrap(),
            _ => formula.add_clause(&x).unwrap(),
        }
    }
    formula
}

/// A formula of several constraints: merged ones, too.
#[test]
fn whole_formulas_replay() {
    let mut below = lot(3);
    for _ in 0..60 {
        let certificate = Certificate::new(&drawn(&mut below)).unwrap();
        certificate.replay().unwrap();
    }
    let mut formula = Formula::new();
    let x = formula.new_lits(9);
    formula.at_most(&x, 5, &CardEncoding::Auto).unwrap();
    let y: Vec<Lit> = x.iter().map(|&lit| !lit).collect();
    formula.at_most(&y, 6, &CardEncoding::Auto).unwrap();
    formula.at_most(&x, 4, &CardEncoding::Auto).unwrap();
    Certificate::new(&formula).unwrap().replay().unwrap();
}

/// Formulas whose bounds become tighter by double counting, or that contradict each other: rows and columns of a grid.
fn grid(below: &mut impl FnMut(usize) -> usize) -> Formula {
    let (rows, columns) = (2 + below(4) as u32, 2 + below(4) as u32);
    let mut formula = Formula::with_vars((rows * columns) as usize);
    let hole = below(2 * (rows * columns) as usize) as u32;
    for row in 0..rows + columns {
        let all = 0..rows * columns;
        let is_in = |cell: &u32| if row < rows { cell / columns == row } else { cell % columns == row - rows };
        let sign = below(4) == 0;
        let x: Vec<Lit> = all.filter(|cell| is_in(cell) && *cell != hole).map(|var| Lit::new(var, sign)).collect();
        let k = below(x.len() + 1);
        let k = if sign { x.len() - k } else { k };
        match below(4) {
            0 => formula.exactly(&x, k, CardEncoding::Auto).unwrap(),
            1 => formula.at_least(&x, k, CardEncoding::Auto).unwrap(),
            2 => formula.at_most(&x, k, CardEncoding::Auto).unwrap(),
            _ => formula.add_clause(&x).unwrap(),
        }
    }
    formula
}

/// Sums whose literals exclude each other: by constraints that are kept, by clauses, and by groups that are given.
fn grouped(below: &mut impl FnMut(usize) -> usize) -> Formula {
    let (n, size) = (4 + below(9), 2 + below(3));
    let mut formula = Formula::new();
    let x = formula.new_lits(n);
    for group in x.chunks(size) {
        match below(4) {
            0 => formula.at_most_one(group, AmoEncoding::Auto).unwrap(),
            1 => formula.exactly_one(group, AmoEncoding::Auto).unwrap(),
            2 => formula.at_least(group, group.len() - 1, CardEncoding::Auto).unwrap(),
            _ => {
                for (at, &one) in group.iter().enumerate() {
                    group[..at].iter().for_each(|&other| formula.add_clause(&[!one, !other]).unwrap());
                }
            }
        }
    }
    let terms: Vec<(Lit, u64)> = x.iter().map(|&lit| (lit, 1 + below(12) as u64)).collect();
    let bound = 1 + below(terms.iter().map(|&(_, weight)| weight as usize).sum()) as u64 / 2;
    let enc = PbEncoding::ALL[below(PbEncoding::ALL.len())];
    let enc = if below(2) == 0 { PbEncoding::Auto } else { enc };
    match below(3) {
        0 => formula.pb_at_most(&terms, bound, enc).unwrap(),
        1 => formula.pb_at_least(&terms, bound, enc).unwrap(),
        _ => formula.pb_exactly(&terms, bound, enc).unwrap(),
    }
    formula
}

/// Clauses of at-most-ones and exactly-ones.
fn hidden(below: &mut impl FnMut(usize) -> usize) -> Formula {
    let mut cnf = Cnf::new();
    let x = cnf.new_lits(6 + below(12));
    for _ in 0..=below(3) {
        let enc = AmoEncoding::ALL[below(AmoEncoding::ALL.len())];
        let mut y: Vec<Lit> = x.iter().copied().filter(|_| below(3) > 0).collect();
        y.iter_mut().filter(|_| below(4) == 0).for_each(|lit| *lit = !*lit);
        if below(2) == 0 { cnf.at_most_one(&y, enc).unwrap() } else { cnf.exactly_one(&y, enc).unwrap() }
    }
    Formula::read_dimacs(cnf.to_string().as_bytes()).unwrap()
}

/// Holds certificates of formulas by lot against `checker`; prints how many are about the clauses of `encode`.
fn check_formulas(rounds: usize, checker: impl Fn(&Certificate) -> Result<(), String>) {
    let mut below = lot(3);
    for (name, draw) in [
        ("constraints", &(drawn as fn(&mut _) -> _)),
        ("grids", &(grid as fn(&mut _) -> _)),
        ("groups", &(grouped as fn(&mut _) -> _)),
        ("detected", &(hidden as fn(&mut _) -> _)),
    ] {
        let mut counts = [0; 3];
        for _ in 0..rounds {
            let formula: Formula = draw(&mut below);
            let made = if name == "detected" { Certificate::detected(&formula) } else { Certificate::new(&formula) };
            let certificate = match made {
                Ok(certificate) => certificate,
                Err(error) => {
                    counts[2] += 1;
                    println!("{name}: {error}");
                    continue;
                }
            };
            if let Err(why) = checker(&certificate) {
                panic!("{name}: {why}\n{}\n{}", certificate.opb, certificate.proof);
            }
            counts[usize::from(certificate.is_encoded)] += 1;
        }
        println!("{name}: {} as encoded, {} otherwise, {} refused", counts[1], counts[0], counts[2]);
        // What folding makes of weights that are bounded in groups is no sum of lines; equal literals stay in proofs.
        let most = [("constraints", 2), ("groups", 25)].iter().find(|(of, _)| *of == name).map_or(0, |&(_, most)| most);
        assert!(counts[2] == 0 && counts[0] * 100 <= most * rounds, "{name}: {counts:?}");
    }
}

#[test]
fn formulas_replay() {
    check_formulas(100, Certificate::replay);
}

#[test]
#[ignore = "needs VeriPB, named by the environment variable VERIPB"]
fn veripb_accepts_formulas() {
    check_formulas(150, Certificate::check);
}

/// Weights whose sum is hardly below 2⁶⁴.
fn wide() -> Certificate {
    let mut formula = Formula::new();
    let x = formula.new_lits(6);
    let terms: Vec<(Lit, u64)> =
        x.iter().zip([61, 60, 60, 59, 62, 58]).map(|(&lit, bit)| (lit, (1 << bit) - 7)).collect();
    for enc in [PbEncoding::IntervalDiagram, PbEncoding::GeneralizedTotalizer] {
        formula.pb_at_most(&terms, 5 << 60, &enc).unwrap();
        formula.pb_at_least(&terms, 3 << 59, &enc).unwrap();
    }
    Certificate::new(&formula).unwrap()
}

#[test]
fn wide_weights_replay() {
    wide().replay().unwrap();
}

#[test]
#[ignore = "needs VeriPB, named by the environment variable VERIPB"]
fn veripb_accepts_wide_weights() {
    wide().check().unwrap();
}

/// The sums of `benches/peers`, each literal by itself, as all encodings have them. Prints what is not covered.
#[test]
#[ignore = "needs VeriPB, named by the environment variable VERIPB; minutes"]
fn sums_of_the_benches_are_accepted() {
    let drawn = |(n, most, seed): (usize, usize, u64)| {
        let mut below = lot(seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
        (0..n).map(|_| 1 + below(most) as u64).collect::<Vec<u64>>()
    };
    let mut all = vec![vec![3, 5, 7, 11, 13, 17, 19, 23], drawn((10, 8, 1)), drawn((10, 512, 1)), drawn((40, 4, 2))];
    all.extend([8, 16, 32, 64].map(|n| drawn((n, 8, 3))));
    all.extend([64, 512, 4096].map(|most| drawn((8, most, 4))));
    let mut counts = [0; 2];
    for weights in all {
        let mut formula = Formula::new();
        let terms: Vec<(Lit, u64)> = formula.new_lits(weights.len()).into_iter().zip(weights.iter().copied()).collect();
        let bound = weights.iter().step_by(2).sum();
        for relation in [PbRelation::AtMost(bound), PbRelation::AtLeast(bound), PbRelation::Exactly(bound)] {
            for enc in PbEncoding::ALL {
                let mut formula = Formula::with_vars(weights.len());
                formula.pb(&terms, relation, enc).unwrap();
                match Certificate::new(&formula) {
                    Ok(certificate) => {
                        certificate.check().unwrap_or_else(|why| panic!("{enc}, {relation:?} of {weights:?}: {why}"));
                        counts[0] += 1;
                    }
                    Err(error) => {
                        println!(
                            "{relation:?} of {} weights to {}: {error}",
                            weights.len(),
                            weights.iter().max().unwrap()
                        );
                        counts[1] += 1;
                    }
                }
            }
        }
    }
    println!("checked, refused: {counts:?}");
    assert!(counts[0] > 3 * counts[1], "{counts:?}");
}

/// Definitions in proofs say what unit propagation on the clauses of an encoding finds, wherever the constraint holds:
/// beyond its bound they may say anything.
#[cfg(feature = "svg")]
#[test]
fn meanings_are_those_that_propagation_finds() {
    use std::collections::BTreeMap;

    use cnfkit::render::Blueprint;

    const N: usize = 7;
    let mut compared: BTreeMap<String, usize> = BTreeMap::new();
    let mut compare = |name: String,
                       weights: &[u64],
                       holds: &dyn Fn(u64) -> bool,
                       say: &dyn Fn(&mut Formula),
                       draw: &dyn Fn(&mut Blueprint)| {
        let mut formula = Formula::with_vars(N).order(Order::Variable);
        say(&mut formula);
        let mut blueprint = Blueprint::weighted(weights);
        draw(&mut blueprint);
        let (proof, structure) = (Certificate::new(&formula).unwrap().proof, blueprint.structure());
        for auxiliary in structure.auxiliaries() {
            let Some(count) = auxiliary.count() else { continue };
            // The line in which the auxiliary is false, or a sum of inputs is large enough, and the other one.
            let own = format!("x{}", auxiliary.var().idx() + 1);
            let lines = proof.lines().filter_map(|line| line.strip_prefix("red ")?.split_once(" : "));
            let own_lines =
                lines.filter(|(_, witness)| witness.strip_prefix(&own).is_some_and(|rest| rest.starts_with(' ')));
            // Some lines speak of variables of the proof alone.
            let about = |word: &str| {
                let name = word.trim_start_matches('~');
                let is_input = name.strip_prefix('x').map(|index| index.parse::<usize>().unwrap() <= N);
                is_input.is_none_or(|is_input| is_input || name == own)
            };
            let own_lines = own_lines.filter(|(line, _)| line.split(' ').all(about));
            for line in own_lines.flat_map(|(line, _)| replay::lines(line)) {
                for choice in 0..1_u32 << N {
                    let is_true = |input: usize| choice >> input & 1 == 1;
                    let sum = |inputs: &mut dyn Iterator<Item = usize>| inputs.map(|input| weights[input]).sum::<u64>();
                    if !holds(sum(&mut (0..N).filter(|&input| is_true(input)))) {
                        continue;
                    }
                    let counted = auxiliary.inputs().iter().copied().filter(|&input| is_true(input) == count.of);
                    let says = sum(&mut counted.into_iter()) >= count.least;
                    // Both lines hold just where its value is that.
                    let met = |value: bool| {
                        line.is_met(|lit| {
                            let (name, sign) = lit.strip_prefix('~').map_or((lit, true), |name| (name, false));
                            let index: usize = name[1..].parse().unwrap();
                            (if name == own { value } else { is_true(index - 1) }) == sign
                        })
                    };
                    assert!(met(says), "{name}: {line:?}; {}", auxiliary.role());
                }
                *compared.entry(name.clone()).or_default() += 1;
            }
        }
    };
    let x: Vec<Lit> = (0..N as u32).map(Lit::positive).collect();
    for k in 1..N {
        for relation in [Relation::AtMost(k), Relation::AtLeast(k), Relation::Exactly(k)] {
            for enc in CardEncoding::ALL {
                let say = |formula: &mut Formula| formula.cardinality(&x, relation, enc).unwrap();
                compare(enc.to_string(), &[1; N], &|sum| relation.allows(sum as usize), &say, &|blueprint| {
                    blueprint.cardinality(&x, relation, enc).unwrap();
                });
            }
        }
    }
    let weights = [3, 4, 2, 7, 4, 1, 5];
    let terms: Vec<(Lit, u64)> = x.iter().copied().zip(weights).collect();
    for bound in [9, 13, 18] {
        for relation in [PbRelation::AtMost(bound), PbRelation::AtLeast(bound)] {
            for enc in PbEncoding::ALL {
                let say = |formula: &mut Formula| formula.pb(&terms, relation, enc).unwrap();
                compare(enc.to_string(), &weights, &|sum| relation.allows(sum), &say, &|blueprint| {
                    blueprint.pb(&terms, relation, enc).unwrap();
                });
            }
        }
    }
    println!("{compared:?}");
    for name in ["totalizer", "sequential", "decision-diagram", "generalized-totalizer", "interval-diagram"] {
        assert!(compared.get(name).is_some_and(|&lines| lines > 20), "{name}: {compared:?}");
    }
}

/// A certificate that cannot be written.
#[test]
fn errors_say_where() {
    let mut formula = Formula::new();
    let x = formula.new_lits(9);
    formula.at_most(&x, 4, &CardEncoding::Totalizer).unwrap();
    if let Ok(full) = std::fs::File::options().write(true).open("/dev/full") {
        for full_one in 0..3 {
            let text = |at: usize| -> Box<dyn std::io::Write> {
                if at == full_one { Box::new(full.try_clone().unwrap()) } else { Box::new(std::io::sink()) }
            };
            let error = formula.certify(text(0), text(1), text(2)).unwrap_err();
            assert!(error.to_string().starts_with("the certificate cannot be written: "), "{error}");
        }
    }
}

/// A sum by digits whose clauses take a long search is given up, in seconds.
#[test]
fn what_is_too_difficult_is_refused() {
    let mut formula = Formula::new();
    let terms: Vec<(Lit, u64)> = formula.new_lits(90).into_iter().zip((3..).step_by(2)).collect();
    formula.pb_at_most(&terms, 4_000, PbEncoding::MixedRadixSorter).unwrap();
    let (mut opb, mut proof) = (Vec::new(), Vec::new());
    let error = formula.certify(&mut opb, &mut proof, Vec::new()).unwrap_err();
    assert!(matches!(error, CertifyError::NotCovered { constraint: 0, .. }), "{error}");
    assert!(!proof.ends_with(b"end pseudo-Boolean proof;\n"), "a proof that was not finished says so");
}

/// Proofs of large counts, by encodings that had none, or took long: the lines a clause are bounded.
fn check_large(n: usize, checker: impl Fn(&Certificate) -> Result<(), String>) {
    let encodings = [CardEncoding::Adder, CardEncoding::Totalizer];
    let relations = |k: usize| [Relation::AtMost(k), Relation::AtLeast(k), Relation::Exactly(k)];
    for (enc, relation) in
        encodings.iter().flat_map(|enc| [7, n / 2].map(relations).concat().into_iter().map(move |r| (enc, r)))
    {
        let mut formula = Formula::new();
        let x = formula.new_lits(n);
        formula.cardinality(&x, relation, enc).unwrap();
        let certificate = Certificate::new(&formula).unwrap_or_else(|error| panic!("{enc}, {relation:?}: {error}"));
        checker(&certificate).unwrap_or_else(|why| panic!("{enc}, {relation:?}: {why}"));
        let [lines, clauses] = [&certificate.proof, &certificate.clauses].map(|text| text.lines().count());
        assert!(certificate.is_encoded && 2 * lines < 7 * clauses, "{enc}, {relation:?}: {lines} for {clauses}");
    }
}

/// Proofs of sums of large weights by adders: bounds from both sides, under a condition, reified, and *exactly*, which
/// is two bounds then.
fn check_large_sums(n: usize, most: usize, checker: impl Fn(&Certificate) -> Result<(), String>) {
    let mut below = lot(n as u64);
    for kind in 0..5 {
        let mut formula = Formula::new();
        let (r, x) = (formula.new_lit(), formula.new_lits(n));
        let terms: Vec<(Lit, u64)> = x.iter().map(|&lit| (lit, 1 + below(most) as u64)).collect();
        let bound = terms.iter().map(|&(_, weight)| weight).sum::<u64>() / 5 * 2;
        let adder = PbEncoding::BinaryAdder;
        match kind {
            0 => formula.pb_at_most(&terms, bound, adder),
            1 => formula.pb_at_least(&terms, bound, adder),
            2 => formula.when(r).pb_at_most(&terms, bound, adder),
            3 => formula.pb_iff_at_least(r, &terms, bound, adder),
            _ => formula.pb_exactly(&terms, bound, adder),
        }
        .unwrap();
        let certificate = Certificate::new(&formula).unwrap_or_else(|error| panic!("{kind}: {error}"));
        checker(&certificate).unwrap_or_else(|why| panic!("{kind}: {why}"));
        let [lines, clauses] = [&certificate.proof, &certificate.clauses].map(|text| text.lines().count());
        assert!(certificate.is_encoded == (kind < 4) && 2 * lines < 7 * clauses, "{kind}: {lines} for {clauses}");
    }
}

#[test]
fn large_sums_replay() {
    check_large_sums(20, 1_000, Certificate::replay);
}

#[test]
#[ignore = "needs VeriPB, named by the environment variable VERIPB"]
fn veripb_accepts_large_sums() {
    for (n, most) in [(16, 50), (40, 1_000_000), (100, 1_000_000_000)] {
        check_large_sums(n, most, Certificate::check);
    }
}

#[test]
fn large_counts_replay() {
    check_large(40, Certificate::replay);
}

#[test]
#[ignore = "needs VeriPB, named by the environment variable VERIPB"]
fn veripb_accepts_large_counts() {
    check_large(200, Certificate::check);
}

/// Networks of some sizes, and what falls back to them: each is derived, in the same clauses as those of `encode`.
fn check_networks(sizes: &[usize], bounds: &[usize], checker: impl Fn(&Certificate) -> Result<(), String>) {
    let encodings = [CardEncoding::Network, CardEncoding::CardinalityNetwork, CardEncoding::GeneralizedProduct];
    let all = sizes.iter().flat_map(|&n| bounds.iter().map(move |&k| (n, k)));
    for (n, k) in all.filter(|&(n, k)| k < n - 1) {
        for (enc, relation) in
            encodings.iter().flat_map(|enc| [Relation::AtMost(k), Relation::Exactly(k)].map(|relation| (enc, relation)))
        {
            let mut formula = Formula::new();
            let x = formula.new_lits(n);
            formula.cardinality(&x, relation, enc).unwrap();
            let certificate =
                Certificate::new(&formula).unwrap_or_else(|error| panic!("{enc}, {relation:?} of {n}: {error}"));
            let [lines, clauses] = [&certificate.proof, &certificate.clauses].map(|text| text.lines().count());
            assert!(certificate.is_encoded && lines < 5 * clauses, "{enc}, {relation:?} of {n}: {lines} for {clauses}");
            checker(&certificate).unwrap_or_else(|why| panic!("{enc}, {relation:?} of {n}: {why}"));
        }
    }
}

#[test]
fn networks_replay() {
    check_networks(&[14, 19, 23, 30, 47], &[4, 9, 15, 21], Certificate::replay);
}

#[test]
#[ignore = "needs VeriPB, named by the environment variable VERIPB"]
fn veripb_accepts_networks() {
    check_networks(&[16, 23, 48, 63, 100, 250], &[2, 5, 10, 18, 30, 45], Certificate::check);
}

#[cfg(any(feature = "batsat", feature = "cadical"))]
mod answers {
    use cnfkit::ask::Strategy;
    use cnfkit::{Assignment, Limits, Questions};

    use super::*;

    pub(crate) fn pigeons(holes: u32) -> Formula {
        let mut formula = Formula::with_vars((holes * (holes + 1)) as usize);
        for pigeon in 0..=holes {
            let x: Vec<Lit> = (0..holes).map(|hole| Lit::positive(pigeon * holes + hole)).collect();
            formula.add_clause(&x).unwrap();
        }
        for hole in 0..holes {
            let x: Vec<Lit> = (0..=holes).map(|pigeon| Lit::positive(pigeon * holes + hole)).collect();
            // As clauses: of constraints, double counting would leave nothing to search for.
            let pairs = x.iter().enumerate().flat_map(|(at, &one)| x[..at].iter().map(move |&other| [!one, !other]));
            pairs.for_each(|pair| formula.add_clause(&pair).unwrap());
        }
        formula
    }

    #[test]
    fn an_unsatisfiable_formula_replays() {
        let dir = Folder::new("pigeons");
        assert_eq!(pigeons(4).solve_certified(&dir.0, &Limits::none()).unwrap(), None);
        let [opb, proof] = dir.files().map(|file| std::fs::read_to_string(file).unwrap());
        assert!(proof.contains("conclusion UNSAT : "));
        replay(&opb, &proof).unwrap();
        // CaDiCaL says from which clauses it derived each.
        let has_hints = proof.lines().any(|line| line.starts_with("rup ") && line.contains(" : ~ "));
        assert_eq!(has_hints, !cfg!(feature = "batsat"));
        let cut = proof.replace("end pseudo-Boolean proof;\n", "");
        assert!(replay(&opb, &cut).is_err(), "a proof without its last line");
    }

    /// Sums of weights that no solution has: with BatSat they are watched, and encoded once that is less of a proof.
    #[test]
    fn sums_are_watched_until_they_cost_more() {
        let defined = [(3, 10, 40), (5, 16, 8)].map(|(n_sums, n, most)| {
            let mut below = lot(43);
            let mut formula = Formula::new();
            let x = formula.new_lits(n);
            for _ in 0..n_sums {
                let terms: Vec<(Lit, u64)> = x.iter().map(|&lit| (lit, 1 + below(most) as u64)).collect();
                let half = terms.iter().map(|&(_, weight)| weight).sum::<u64>() / 2;
                formula.pb_exactly(&terms, half, PbEncoding::Auto).unwrap();
            }
            let dir = Folder::new("sums");
            assert_eq!(formula.solve_certified(&dir.0, &Limits::none()).unwrap(), None);
            let [opb, proof] = dir.files().map(|file| std::fs::read_to_string(file).unwrap());
            replay(&opb, &proof).unwrap();
            proof.lines().filter(|line| line.starts_with("red ")).count()
        });
        assert_eq!(defined.map(|auxiliaries| auxiliaries > 0), [!cfg!(feature = "batsat"), true], "{defined:?}");
    }

    /// Least values by all strategies, whose solutions and cores are lines: small ones by lot, and vertex covers of
    /// triangles, each a core of its own, of odd cycles, one core of all, and of cliques.
    #[test]
    fn least_values_replay() {
        let mut below = lot(77);
        let (mut counted, mut solutions) = (0, 0);
        for round in 0..90 {
            let mut formula = Formula::new();
            let edges: Vec<(usize, usize)> = match round % 3 {
                0 => (0..9).map(|at| (at, at / 3 * 3 + (at + 1) % 3)).collect(),
                1 => (0..7).map(|at| (at, (at + 1) % 7)).collect(),
                _ => (0..12).map(|_| (below(8), below(8))).collect(),
            };
            let x = formula.new_lits(9);
            edges.iter().for_each(|&(one, other)| formula.add_clause(&[x[one], x[other]]).unwrap());
            formula.at_most(&x, 7, CardEncoding::Auto).unwrap();
            let most = [1, 3, 12][round / 3 % 3];
            let mut weight = || 1 + if round < 45 { most - 1 } else { below(most) };
            // Some sum up to more than 64 bits.
            let heavy = if round % 10 == 9 { 1_u64 << 63 } else { 0 };
            formula.set_objective(x.iter().map(|&lit| (lit, heavy + weight() as u64)));
            let expected = formula.minimum().unwrap().unwrap().value;
            for strategy in [Strategy::Auto, Strategy::SolutionImproving, Strategy::CoreGuided] {
                let dir = Folder::new("least");
                let found = formula.minimum_certified(&dir.0, strategy, &Limits::none()).unwrap();
                assert_eq!(found.map(|(_, value)| value), Some(expected), "{round} {strategy:?}");
                let [opb, proof] = dir.files().map(|file| std::fs::read_to_string(file).unwrap());
                replay(&opb, &proof).unwrap_or_else(|why| panic!("{round} {strategy:?}: {why}"));
                let n_of = |rule: &str| proof.lines().filter(|line| line.starts_with(rule)).count();
                counted += usize::from(strategy == Strategy::CoreGuided) * n_of("red ");
                solutions += n_of("soli ");
                let wrong = proof.replace(&format!("BOUNDS {expected}"), &format!("BOUNDS {}", expected - 1));
                assert!(replay(&opb, &wrong).is_err());
            }
        }
        assert!(counted > 100 && solutions > 270, "{counted} {solutions}");
    }

    /// Formulas with many symmetries, of which none or one solution is left: rows and columns are exchanged, signs too.
    fn symmetric(below: &mut impl FnMut(usize) -> usize) -> Formula {
        let mut formula = Formula::new();
        let (rows, columns) = (2 + below(4), 2 + below(4));
        let is_free = below(3) > 0;
        let x: Vec<Vec<Lit>> = (0..rows).map(|_| formula.new_lits(columns)).collect();
        let x: Vec<Vec<Lit>> =
            x.iter().map(|row| row.iter().map(|&lit| if lit.vidx() % 3 == 1 { !lit } else { lit }).collect()).collect();
        for row in &x {
            match below(2) {
                0 if is_free => formula.at_least(row, columns / 2, CardEncoding::Auto).unwrap(),
                _ => formula.add_clause(row).unwrap(),
            }
        }
        for column in 0..columns {
            let lits: Vec<Lit> = x.iter().map(|row| row[column]).collect();
            formula.at_most(&lits, if is_free { rows / 2 } else { 1 }, CardEncoding::Totalizer).unwrap();
        }
        let ring = formula.new_lits(2 + below(5));
        for (at, &lit) in ring.iter().enumerate() {
            let next = ring[(at + 1) % ring.len()];
            formula.add_clause(&[lit, next]).unwrap();
            if ring.len().is_multiple_of(2) {
                formula.add_clause(&[!lit, !next]).unwrap();
            }
        }
        let weight = below(3) as i64 - 1;
        formula.set_objective(x.iter().flatten().map(|&lit| (lit, weight)));
        formula
    }

    /// The cost of a solution is what it violates, in each that is told: also where a limit leaves no time to put it in
    /// the proof, and where the clauses that break symmetries want more.
    #[test]
    fn certified_solutions_cost_what_they_violate() {
        let (mut below, mut text) = (lot(7), "* #variable= 60 #constraint= 180\nsoft: ;\n".to_string());
        let mut soft: Vec<(i128, Vec<(u64, Lit)>)> = Vec::new();
        for at in 0..180 {
            let mut vars: Vec<u32> = (0..60).collect();
            let mut term = |_| (1 + below(6) as u64, Lit::new(vars.swap_remove(below(vars.len())), below(2) == 0));
            let terms: Vec<(u64, Lit)> = (0..5).map(&mut term).collect();
            let cost = if at % 5 == 0 { 0 } else { 1 + below(20) as i128 };
            let term = |(weight, lit): &(u64, Lit)| {
                format!("{weight} {}x{}", if lit.is_neg() { "~" } else { "" }, lit.vidx32() + 1)
            };
            let all = terms.iter().map(term).collect::<Vec<String>>().join(" ");
            let prefix = if cost > 0 { format!("[{cost}]") } else { String::new() };
            let half = terms.iter().map(|&(weight, _)| weight).sum::<u64>() / 2;
            text.extend([prefix, format!(" {all} >= {half} ;\n")]);
            soft.push((cost, terms));
        }
        let formula = Formula::read_opb(text.as_bytes()).unwrap();
        let (limits, mut values) = (Limits::none().conflicts(2_000), Vec::new());
        let mut told = |found: Option<(&Assignment, i128)>, _| {
            let Some((model, value)) = found else { return };
            let is_violated = |terms: &[(u64, Lit)]| {
                let reached = terms.iter().filter(|&&(_, lit)| model.is_true(lit)).map(|&(weight, _)| weight);
                reached.sum::<u64>() < terms.iter().map(|&(weight, _)| weight).sum::<u64>() / 2
            };
            let costs = soft.iter().filter(|(_, terms)| is_violated(terms)).map(|&(cost, _)| cost);
            assert_eq!(value, costs.sum::<i128>());
            values.push(value);
        };
        for strategy in [Strategy::Auto, Strategy::SolutionImproving] {
            let [plain, apart] = ["soft", "soft-broken"].map(Folder::new);
            let is_stopped = |result| matches!(result, Err(CertifyError::Interrupted(_)));
            assert!(is_stopped(formula.minimum_certified_with(&plain.0, strategy, &limits, &mut told)));
            let broken = formula.break_symmetries().unwrap();
            assert!(is_stopped(broken.minimum_certified_with(&apart.0, strategy, &limits, &mut told)));
        }
        assert!(values.len() > 4, "{values:?}");
    }

    #[test]
    #[ignore = "needs VeriPB, named by the environment variable VERIPB"]
    fn veripb_accepts_broken_symmetries() {
        let mut below = lot(60);
        let (mut none, mut some, mut dominated) = (0, 0, 0);
        for round in 0..120 {
            let formula = symmetric(&mut below);
            let broken = formula.break_symmetries().unwrap();
            let dir = Folder::new("broken");
            let expected = if round % 2 == 0 {
                let value = |found: i128| format!("s VERIFIED BOUNDS {found} <= obj <= {found}");
                let expected = formula.minimum().unwrap().map(|best| best.value);
                let strategy = [Strategy::Auto, Strategy::SolutionImproving, Strategy::CoreGuided][round / 2 % 3];
                let found = broken.minimum_certified(&dir.0, strategy, &Limits::none()).unwrap();
                assert_eq!(found.map(|(_, value)| value), expected, "{round}");
                expected.map_or("s VERIFIED BOUNDS INF <= obj <= INF".to_string(), value)
            } else {
                let is_open = formula.solve().unwrap().is_some();
                let found = broken.solve_certified(&dir.0, &Limits::none()).unwrap();
                assert_eq!(found.is_some(), is_open, "{round}");
                if is_open { "s VERIFIED SATISFIABLE".into() } else { "s VERIFIED UNSATISFIABLE".into() }
            };
            let said = veripb(&dir.files());
            assert!(said.contains(&expected), "{round}: {expected}: {said}");
            let proof = std::fs::read_to_string(&dir.files()[1]).unwrap();
            dominated += proof.lines().filter(|line| line.starts_with("dom ")).count();
            let is_none = expected.contains("INF") || expected.contains("UNSAT");
            (none, some) = (none + usize::from(is_none), some + usize::from(!is_none));
            // A symmetry that is none is refused: one that moves a single literal.
            let wrong = proof.lines().map(|line| match line.split_once(" : x") {
                Some((dom, _)) if dom.starts_with("dom +1") => format!("{dom} : x1 -> ~x1;\n"),
                _ => format!("{line}\n"),
            });
            let wrong: String = wrong.collect();
            if round < 20 && wrong != proof {
                std::fs::write(&dir.files()[1], wrong).unwrap();
                assert!(!veripb(&dir.files()).contains("VERIFIED"), "{round}");
            }
        }
        assert!(none > 10 && some > 10 && dominated > 500, "{none} {some} {dominated}");
        // An equality that is reified has a variable of its own in the file.
        let mut formula = Formula::new();
        let x = formula.new_lits(13);
        formula.iff_exactly(x[0], &x[1..], 4, CardEncoding::Auto).unwrap();
        let dir = Folder::new("sides");
        let refused = formula.break_symmetries().unwrap().solve_certified(&dir.0, &Limits::none()).unwrap_err();
        assert!(matches!(refused, CertifyError::Symmetries { .. }), "{refused}");
    }

    #[test]
    fn a_folder_that_has_something_is_refused() {
        let dir = Folder::new("exists");
        std::fs::create_dir(&dir.0).unwrap();
        assert_eq!(pigeons(3).solve_certified(&dir.0, &Limits::none()).unwrap(), None, "an empty folder");
        let error = pigeons(3).solve_certified(&dir.0, &Limits::none()).unwrap_err();
        assert!(matches!(&error, CertifyError::Folder { .. }) && error.to_string().contains("exists"), "{error}");
    }

    /// A program that stands at the end of a pipe gets the lines that a file would have.
    #[cfg(unix)]
    #[test]
    fn a_proof_goes_to_a_pipe() {
        let [dir, piped] = ["file", "pipe"].map(Folder::new);
        std::fs::create_dir(&piped.0).unwrap();
        let [_, pipe] = piped.files();
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader = std::thread::spawn(move || std::fs::read(pipe).unwrap());
        let answers = [&dir, &piped].map(|dir| pigeons(6).solve_certified(&dir.0, &Limits::none()).unwrap());
        assert_eq!(answers, [None, None]);
        let [opb, proof] = dir.files().map(|file| std::fs::read(file).unwrap());
        assert!(reader.join().unwrap() == proof && std::fs::read(&piped.files()[0]).unwrap() == opb);
        assert!(proof.len() > 1 << 16, "more than one piece: {}", proof.len());
    }

    /// Models, contradictions and least values.
    #[test]
    #[ignore = "needs VeriPB, named by the environment variable VERIPB"]
    fn veripb_accepts_answers() {
        let mut below = lot(11);
        let mut counts = [0; 3];
        for round in 0..400 {
            let mut formula = drawn(&mut below);
            let n = formula.n_vars();
            let dir = Folder::new("answers");
            let (expected, kind) = if round % 2 == 0 {
                let all = (0..n as u32).map(|var| {
                    let weight = if round % 4 == 0 { 6 } else { below(20) as i64 - 9 };
                    (Lit::new(var, var % 3 == 0), weight)
                });
                let all: Vec<(Lit, i64)> = all.collect();
                formula.set_objective(all);
                let strategy = [Strategy::Auto, Strategy::SolutionImproving, Strategy::CoreGuided][round / 2 % 3];
                match formula.minimum_certified(&dir.0, strategy, &Limits::none()).unwrap() {
                    Some((_, value)) => (format!("s VERIFIED BOUNDS {value} <= obj <= {value}"), 0),
                    None => ("s VERIFIED BOUNDS INF <= obj <= INF".into(), 1),
                }
            } else {
                match formula.solve_certified(&dir.0, &Limits::none()).unwrap() {
                    Some(_) => ("s VERIFIED SATISFIABLE".into(), 2),
                    None => ("s VERIFIED UNSATISFIABLE".into(), 1),
                }
            };
            let said = veripb(&dir.files());
            assert!(said.contains(&expected), "{round}: {expected}: {said}");
            counts[kind] += 1;
        }
        let dir = Folder::new("pigeons-8");
        assert_eq!(pigeons(8).solve_certified(&dir.0, &Limits::none()).unwrap(), None);
        assert!(veripb(&dir.files()).contains("s VERIFIED UNSATISFIABLE"));
        // What is detected there leaves nothing to search for.
        let dir = Folder::new("pigeons-30");
        assert_eq!(pigeons(30).detect().solve_certified(&dir.0, &Limits::none()).unwrap(), None);
        assert!(veripb(&dir.files()).contains("s VERIFIED UNSATISFIABLE"));
        for _ in 0..60 {
            let dir = Folder::new("detected");
            let formula = hidden(&mut below);
            let model = formula.detect().solve_certified(&dir.0, &Limits::none()).unwrap();
            let is_model = |model: &cnfkit::Assignment| {
                formula.clauses().all(|clause| clause.iter().any(|&lit| model.is_true(lit)))
            };
            assert!(model.as_ref().is_none_or(is_model));
            let expected = if model.is_some() { "s VERIFIED SATISFIABLE" } else { "s VERIFIED UNSATISFIABLE" };
            let said = veripb(&dir.files());
            assert!(said.contains(expected), "{expected}: {said}");
        }
        assert!(counts.iter().all(|&count| count > 20), "{counts:?}");
    }
}
