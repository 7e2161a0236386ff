//! Answers about encodings, held against what the library encodes.

use cnfkit::{AmoEncoding, CardEncoding, Cnf, Constrain, Lit, PbEncoding, Relation};
use serde_json::{Value, json};

use super::tools::ask;

#[tokio::test]
async fn every_encoding_is_listed() {
    let list = ask("encodings/list", json!({})).await;
    let own = AmoEncoding::ALL.iter().filter(|enc| !matches!(enc, AmoEncoding::Card(_))).count();
    for (family, count) in [("amo", own), ("card", CardEncoding::ALL.len()), ("pb", PbEncoding::ALL.len())] {
        let entries = list[family].as_array().unwrap();
        assert_eq!(entries.len(), count);
        for entry in entries {
            assert!(entry["name"].as_str().unwrap().starts_with(&format!("{family}:")), "{entry}");
            assert!(entry["about"].as_str().unwrap().ends_with('.'), "{entry}");
        }
    }
    let strength = |name: &str| {
        let entry = list["card"].as_array().unwrap().iter().find(|entry| entry["name"] == name).unwrap();
        entry["strength"].as_str().unwrap().to_owned()
    };
    assert_eq!((strength("card:totalizer").as_str(), strength("card:adder").as_str()), ("GAC", "not GAC"));
}

/// All names of the list, and the relations that each is said to encode.
async fn names() -> Vec<(String, Vec<String>)> {
    let list = ask("encodings/list", json!({})).await;
    let entries = ["amo", "card", "pb"].map(|family| list[family].as_array().unwrap().clone()).concat();
    let relations = |entry: &Value| serde_json::from_value(entry["relations"].clone()).unwrap();
    entries.iter().map(|entry| (entry["name"].as_str().unwrap().to_owned(), relations(entry))).collect()
}

#[tokio::test]
async fn sizes_are_those_of_the_clauses() {
    let names = names().await;
    for (relation, k) in [("at_most", 1), ("at_most", 3), ("at_least", 2), ("exactly", 1), ("exactly", 4)] {
        let all: Vec<&str> = names.iter().map(|name| &*name.0).collect();
        let question = json!({ "relation": relation, "k": k, "n": [2, 7, 12], "encodings": all, "time": true });
        let rows = ask("encodings/sizes", question).await["rows"].clone();
        assert_eq!(rows.as_array().unwrap().len(), 3 * all.len());
        for row in rows.as_array().unwrap() {
            let name = row["encoding"].as_str().unwrap();
            let can = &names.iter().find(|other| other.0 == name).unwrap().1;
            if row["variables"].is_null() {
                assert!(name.starts_with("amo:") && (k != 1 || !can.iter().any(|other| other == relation)), "{row}");
                assert!(row["refused"].is_string(), "{row}");
                continue;
            }
            assert!(row["micros"].as_f64().unwrap() > 0.0, "{row}");
            let question = json!({ "relation": relation, "k": k, "n": row["n"], "encoding": name });
            let clauses = ask("encodings/clauses", question).await;
            let (variables, listed) =
                (clauses["variables"].as_array().unwrap(), clauses["clauses"].as_array().unwrap());
            assert_eq!(
                variables.len() as u64 - row["n"].as_u64().unwrap(),
                row["variables"].as_u64().unwrap(),
                "{row}"
            );
            assert_eq!(listed.len() as u64, row["clauses"].as_u64().unwrap(), "{row}");
            let lits: usize = listed.iter().map(|clause| clause.as_array().unwrap().len()).sum();
            assert_eq!(lits as u64, row["literals"].as_u64().unwrap(), "{row}");
        }
    }
}

#[tokio::test]
async fn sizes_follow_n_and_weights_and_are_refused_where_they_are_too_large() {
    let encodings = ["card:network", "card:combinatorial"];
    let question =
        json!({ "relation": "at_most", "k": "n/2", "n": [10, 100_000], "encodings": encodings, "time": true });
    let rows = ask("encodings/sizes", question).await["rows"].clone();
    assert_eq!((&rows[0]["k"], &rows[2]["k"]), (&json!(5), &json!(50_000)));
    assert!(rows[2]["clauses"].as_u64().unwrap() > 1_000_000);
    assert!(rows[3]["refused"].as_str().unwrap().contains("clauses") && rows[3]["micros"].is_null());

    let encodings = ["pb:auto", "card:auto"];
    let weights = json!({ "relation": "at_most", "k": "n/2", "n": [6], "encodings": encodings, "weights": [3, 5, 8] });
    let rows = ask("encodings/sizes", weights).await["rows"].clone();
    assert_eq!(rows[0]["k"], 16);
    assert!(rows[0]["clauses"].as_u64().unwrap() > 0);
    assert!(rows[1]["refused"].as_str().unwrap().contains("weights"));
}

/// A formula as text says what it should of every choice of its inputs.
#[tokio::test]
async fn formulas_mean_what_was_asked_for() {
    let literals = [2, -3, 5, -7, 11];
    for (name, _) in names().await {
        for (word, relation) in [("at_most", Relation::AtMost(1)), ("exactly", Relation::Exactly(1))] {
            let question = json!({ "text": "2 -3, 5\n-7 11 0", "relation": word, "k": 1, "encoding": name });
            let dimacs = ask("encodings/dimacs", question).await;
            let cnf = Cnf::from_dimacs(dimacs["text"].as_str().unwrap().as_bytes()).unwrap();
            assert_eq!(cnf.n_clauses() as u64, dimacs["clauses"].as_u64().unwrap());
            for bits in 0..32_u32 {
                let mut fixed = cnf.clone();
                let mut count = 0;
                for (at, literal) in literals.into_iter().enumerate() {
                    let literal = Lit::from_ipasir(literal).unwrap();
                    let is_true = bits >> at & 1 == 1;
                    count += usize::from(is_true);
                    fixed.exactly_one(&[if is_true { literal } else { !literal }], &AmoEncoding::Auto).unwrap();
                }
                assert_eq!(fixed.solve().unwrap().is_some(), relation.allows(count), "{name} {relation} {bits:05b}");
            }
        }
    }
}

#[tokio::test]
async fn roles_tell_inputs_from_auxiliaries() {
    let question = json!({ "relation": "at_most", "k": 2, "n": 6, "encoding": "card:totalizer" });
    let clauses = ask("encodings/clauses", question).await;
    let roles: Vec<&str> =
        clauses["variables"].as_array().unwrap().iter().map(|variable| variable["role"].as_str().unwrap()).collect();
    assert_eq!(roles[..6], ["x1", "x2", "x3", "x4", "x5", "x6"]);
    assert!(roles.len() > 6 && roles[6..].iter().all(|role| role.starts_with("auxiliary ")), "{roles:?}");
    assert!(roles.iter().any(|role| role.contains(": at least 2 of x1 to x3 are true")), "{roles:?}");
    let structure = clauses["structure"].as_array().unwrap();
    assert_eq!(structure.len(), roles.len() - 6);
    assert_eq!(clauses["enforces"].as_array().unwrap().len(), clauses["clauses"].as_array().unwrap().len());
    for made in structure {
        let before = |number: &Value| number.as_u64() != made["number"].as_u64();
        assert!(!made["from"].as_array().unwrap().is_empty() && made["from"].as_array().unwrap().iter().all(before));
    }
    let none =
        ask("encodings/clauses", json!({ "relation": "at_most", "k": 1, "n": 4, "encoding": "amo:pairwise" })).await;
    assert_eq!((&none["structure"], none["clauses"].as_array().unwrap().len()), (&json!([]), 6));
    let svg = |dark: bool| json!({ "constraint": { "relation": "at_most", "k": 2, "n": 6, "encoding": "card:totalizer" }, "dark": dark });
    let (light, dark) = (ask("encodings/svg", svg(false)).await, ask("encodings/svg", svg(true)).await);
    assert!(light["svg"].as_str().unwrap().starts_with("<svg") && light != dark);
}
