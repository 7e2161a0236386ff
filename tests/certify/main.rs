//! Proofs are checked by a program of somebody else's.

use std::collections::BTreeMap;
use std::process::Command;

use cnfkit::{
    AmoEncoding, CardEncoding, CertifyError, ClauseSink, Constrain, Formula, Lit, Order, PbEncoding, PbRelation, Relation,
};

/// The checker.
fn checker() -> std::ffi::OsString {
    std::env::var_os("VERIPB").expect("VERIPB names the program")
}

/// The last words of the checker, if it refuses.
fn check(opb: &[u8], proof: &[u8]) -> Result<(), String> {
    let dir = std::env::temp_dir().join(format!("cnfkit-{}-{:?}", std::process::id(), std::thread::current().id()));
    std::fs::create_dir_all(&dir).unwrap();
    let [a, b] = ["f.opb", "f.pbp"].map(|name| dir.join(name));
    std::fs::write(&a, opb).unwrap();
    std::fs::write(&b, proof).unwrap();
    let out = Command::new(checker()).args([&a, &b]).output().unwrap();
    let text = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
    if out.status.success() && text.contains("s VERIFIED") { Ok(()) } else { Err(text) }
}

fn certified(formula: &Formula) -> Result<(Vec<u8>, Vec<u8>), CertifyError> {
    let (mut opb, mut proof) = (Vec::new(), Vec::new());
    let cnf = formula.certify(&mut opb, &mut proof)?;
    let _ = cnf;
    Ok((opb, proof))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Shape { Plain, When, Iff }

fn post(formula: &mut Formula, shape: Shape, x: &[Lit], extra: &[Lit], relation: Relation, enc: &CardEncoding) {
    match shape {
        Shape::Plain => formula.cardinality(x, relation, enc).unwrap(),
        Shape::When => formula.when(extra).cardinality(x, relation, enc).unwrap(),
        Shape::Iff => match relation {
            Relation::AtMost(k) => formula.iff_at_most(extra[0], x, k, enc).unwrap(),
            Relation::AtLeast(k) => formula.iff_at_least(extra[0], x, k, enc).unwrap(),
            Relation::Exactly(k) => formula.iff_exactly(extra[0], x, k, enc).unwrap(),
        },
    }
}

#[test]
#[ignore = "needs the checker"]
fn survey() {
    let mut table: BTreeMap<String, [usize; 5]> = BTreeMap::new();
    let mut shown: BTreeMap<String, usize> = BTreeMap::new();
    let mut note = |name: String, formula: &Formula| {
        let row = table.entry(name.clone()).or_default();
        row[0] += 1;
        match certified(formula) {
            Err(CertifyError::NotCovered { clause, .. }) => {
                row[1] += 1;
                let n = shown.entry(name.clone()).or_default();
                *n += 1;
                if *n <= 1 {
                    println!("{name} uncovered {clause:?} {:?}", formula.constraints().next());
                    if std::env::var_os("SHOW").is_some() { print!("{}", formula.encode().unwrap()); }
                }
            }
            Err(other) => panic!("{other}"),
            Ok((opb, proof)) => {
                row[3] += formula.size().clauses as usize;
                row[4] += proof.iter().filter(|&&b| b == b'\n').count() - 5;
                if let Err(why) = check(&opb, &proof) {
                    row[2] += 1;
                    if row[2] == 1 {
                        println!("{name} REFUSED {:?}: {}", formula.constraints().next(), &why[why.len().saturating_sub(700)..]);
                        println!("{}\n{}", String::from_utf8_lossy(&opb), String::from_utf8_lossy(&proof).chars().take(3000).collect::<String>());
                    }
                }
            }
        }
    };
    let most: usize = std::env::var("N").map_or(8, |n| n.parse().unwrap());
    let only = std::env::var("ENC").unwrap_or_default();
    for n in 3..=most {
        for &enc in AmoEncoding::ALL.iter().filter(|enc| !enc.to_string().contains(':') && enc.to_string().contains(&only)) {
            for exactly in [false, true] {
                for when in [false, true] {
                    let mut formula = Formula::with_vars(n + 2).order(Order::Variable);
                    let x: Vec<Lit> = (0..n as u32).map(Lit::positive).collect();
                    let c = [Lit::positive(n as u32), Lit::negative(n as u32 + 1)];
                    match (exactly, when) {
                        (false, false) => formula.at_most_one(&x, &enc).unwrap(),
                        (true, false) => formula.exactly_one(&x, &enc).unwrap(),
                        (false, true) => formula.when(&c).at_most_one(&x, &enc).unwrap(),
                        (true, true) => formula.when(&c).exactly_one(&x, &enc).unwrap(),
                    }
                    note(format!("amo {enc} {when}"), &formula);
                }
            }
        }
        for &enc in CardEncoding::ALL.iter().filter(|enc| enc.to_string().contains(&only)) {
            for k in 1..n {
                for relation in [Relation::AtMost(k), Relation::AtLeast(k), Relation::Exactly(k)] {
                    for shape in [Shape::Plain, Shape::When, Shape::Iff] {
                        let mut formula = Formula::with_vars(n + 2).order(Order::Variable);
                        let x: Vec<Lit> = (0..n as u32).map(Lit::positive).collect();
                        let c = [Lit::positive(n as u32), Lit::negative(n as u32 + 1)];
                        post(&mut formula, shape, &x, &c, relation, &enc);
                        let kind = match relation { Relation::AtMost(_) => "most", Relation::AtLeast(_) => "least", _ => "exactly" };
                        note(format!("card {enc} {kind} {shape:?}"), &formula);
                    }
                }
            }
        }
        for &enc in PbEncoding::ALL.iter().filter(|enc| enc.to_string().contains(&only)) {
            for seed in 0..6_u64 {
                let mut state = seed * 7 + n as u64;
                let mut next = |m: u64| { state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407); (state >> 33) % m };
                let weights: Vec<u64> = (0..n).map(|_| 1 + next([4, 9, 40][seed as usize % 3])).collect();
                let total: u64 = weights.iter().sum();
                let bound = 1 + next(total - 1);
                for relation in [PbRelation::AtMost(bound), PbRelation::AtLeast(bound), PbRelation::Exactly(bound)] {
                    for shape in [Shape::Plain, Shape::When, Shape::Iff] {
                        let mut formula = Formula::with_vars(n + 2).order(Order::Variable);
                        let terms: Vec<(Lit, u64)> = (0..n as u32).map(Lit::positive).zip(weights.iter().copied()).collect();
                        let c = [Lit::positive(n as u32), Lit::negative(n as u32 + 1)];
                        match shape {
                            Shape::Plain => formula.pb(&terms, relation, &enc).unwrap(),
                            Shape::When => formula.when(&c).pb(&terms, relation, &enc).unwrap(),
                            Shape::Iff => match relation {
                                PbRelation::AtMost(k) => formula.pb_iff_at_most(c[0], &terms, k, &enc).unwrap(),
                                PbRelation::AtLeast(k) => formula.pb_iff_at_least(c[0], &terms, k, &enc).unwrap(),
                                PbRelation::Exactly(k) => formula.pb_iff_exactly(c[0], &terms, k, &enc).unwrap(),
                            },
                        }
                        let kind = match relation { PbRelation::AtMost(_) => "most", PbRelation::AtLeast(_) => "least", _ => "exactly" };
                        note(format!("pb {enc} {kind} {shape:?}"), &formula);
                    }
                }
            }
        }
    }
    for (name, [all, uncovered, refused, clauses, lines]) in &table {
        println!("{name:45} {all:5} uncovered {uncovered:5} refused {refused:5}  clauses {clauses:6} lines {lines:7}");
    }
}
