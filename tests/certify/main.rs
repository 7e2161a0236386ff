//! Certificates: what [`Formula::certify`] writes is replayed here (`replay.rs`), and checked by VeriPB, a program of
//! somebody else's, in the tests that are ignored without it:
//!
//! `VERIPB=$(which veripb) cargo test --test certify -- --include-ignored`

mod replay;

use std::collections::BTreeSet;
use std::process::Command;

use cnfkit::{
    AmoEncoding, CardEncoding, CertifyError, Constrain, Formula, Lit, Order, PbEncoding, PbRelation, Relation,
};
use replay::{Inequality, replay};

/// A formula and its proof.
struct Certificate {
    opb: String,
    proof: String,
    clauses: String,
}

impl Certificate {
    fn new(formula: &Formula) -> Result<Self, CertifyError> {
        let (mut opb, mut proof, mut clauses) = (Vec::new(), Vec::new(), Vec::new());
        let cnf = formula.certify(&mut opb, &mut proof, &mut clauses)?;
        let [opb, proof, clauses] = [opb, proof, clauses].map(|text| String::from_utf8(text).unwrap());
        assert_eq!(replay::lines(&clauses).len(), cnf.n_clauses());
        Ok(Self { opb, proof, clauses })
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
        let program = std::env::var_os("VERIPB").expect("VERIPB is the program's path");
        let dir = std::env::temp_dir().join(format!("cnfkit-certify-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let files = ["f.opb", "f.pbp", "out.opb"].map(|name| dir.join(name));
        for (file, text) in files.iter().zip([&self.opb, &self.proof, &self.clauses]) {
            std::fs::write(file, text).unwrap();
        }
        let out = Command::new(program).args(&files).output().unwrap();
        let text = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
        std::fs::remove_dir_all(&dir).unwrap();
        let verified = out.status.success() && text.contains("s VERIFIED OUTPUT DERIVABLE");
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
                let exactly = matches!((shape, relation), (Shape::Iff, PbRelation::Exactly(_)));
                let name = if exactly { "sum reified exactly".into() } else { format!("sum, {enc}") };
                say(name, &|formula| match (shape, relation) {
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

/// The encodings some of whose clauses have no derivation here. An encoding that joins the library and is not covered
/// has to be named, and one that is named has to be uncovered.
const UNCOVERED: [&str; 13] = [
    "count, adder",
    "count, generalized-product",
    "count, k-modulo",
    "count, modulo",
    "count, network",
    "count, parallel-counter",
    "sum reified exactly",
    "sum, binary-adder",
    "sum, binary-merger",
    "sum, dynamic-poly-watchdog",
    "sum, global-watchdog",
    "sum, local-watchdog",
    "sum, mixed-radix-sorter",
];

/// Holds every certificate against `checker`, for so many literals; counts clauses and lines by encoding.
fn check_all(range: std::ops::RangeInclusive<usize>, checker: impl Fn(&Certificate) -> Result<(), String>) {
    let mut uncovered = BTreeSet::new();
    let mut table: std::collections::BTreeMap<String, [usize; 4]> = std::collections::BTreeMap::new();
    for n in range {
        each(n, &mut |name, formula| {
            let row = table.entry(name.to_string()).or_default();
            row[0] += 1;
            match Certificate::new(formula) {
                Ok(certificate) => {
                    let said = checker(&certificate);
                    assert!(said.is_ok(), "{name}: {:?}: {}", formula.constraints().next(), said.unwrap_err());
                    row[1] += 1;
                    row[2] += replay::lines(&certificate.clauses).len();
                    row[3] += certificate.proof.lines().count() - 5;
                }
                Err(CertifyError::NotCovered { .. }) => drop(uncovered.insert(name.to_string())),
                Err(error) => panic!("{name}: {error}"),
            }
        });
    }
    println!("| encoding | constraints | covered | clauses | lines a clause |\n|---|---|---|---|---|");
    for (name, [all, covered, clauses, lines]) in &table {
        println!("| {name} | {all} | {covered} | {clauses} | {:.1} |", *lines as f64 / (*clauses).max(1) as f64);
    }
    let uncovered: Vec<&str> = uncovered.iter().map(String::as_str).collect();
    assert_eq!(uncovered, UNCOVERED);
}

#[test]
fn proofs_of_all_encodings_replay() {
    check_all(3..=8, Certificate::replay);
}

#[test]
#[ignore = "needs VeriPB, named by the environment variable VERIPB"]
fn veripb_accepts_proofs_of_all_encodings() {
    check_all(3..=12, Certificate::check);
}
