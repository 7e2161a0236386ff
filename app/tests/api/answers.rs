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
    assert_eq!((&rows[0]["k"], &rows[0]["sum"]), (&json!(16), &json!(32)));
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

/// A sum says itself what is demanded, and negative weights are weights of negations: 3 x1 + 2 ~x2 - x3 <= 1.
#[tokio::test]
async fn sums_mean_what_they_say() {
    for (name, _) in names().await.into_iter().filter(|(name, _)| name.starts_with("pb:")) {
        let question = json!({ "text": "3 x1 + 2 ~x2 - x4 <= 1", "encoding": name });
        let dimacs = ask("encodings/dimacs", question).await;
        let cnf = Cnf::from_dimacs(dimacs["text"].as_str().unwrap().as_bytes()).unwrap();
        for bits in 0..16_u32 {
            let on = |at: u32| bits >> at & 1 == 1;
            let mut fixed = cnf.clone();
            for at in 0..4 {
                fixed.exactly_one(&[Lit::new(at, !on(at))], &AmoEncoding::Auto).unwrap();
            }
            let sum = 3 * i32::from(on(0)) + 2 * i32::from(!on(1)) - i32::from(on(3));
            assert_eq!(fixed.solve().unwrap().is_some(), sum <= 1, "{name} {bits:04b}");
        }
    }
    let chosen = |answer: Value| answer["text"].as_str().unwrap().lines().next().unwrap().to_owned();
    let weighted = ask("encodings/dimacs", json!({ "text": "3 x1 + 2 x2 >= 4", "relation": "at_most", "k": 9 })).await;
    assert_eq!(chosen(weighted), "c at least 4 weights in 2 literals, pb:auto; auxiliaries from 3.");
    let plain = ask("encodings/dimacs", json!({ "text": "1 2 3", "relation": "at_most", "k": 2 })).await;
    assert_eq!(chosen(plain), "c at most 2 of 3 literals, card:auto; auxiliaries from 4.");
}

/// Weights by lot stay in their range, and those of fewer literals are the first of those of more.
#[tokio::test]
async fn weights_are_drawn_by_lot() {
    let weights = |n: usize, seed: u64| async move {
        let lot = json!({ "least": 5, "most": 9, "seed": seed });
        let encoding = "pb:generalized-totalizer";
        let question = json!({ "relation": "at_most", "k": "sum/2", "n": n, "encoding": encoding, "weights": lot });
        let answer = ask("encodings/clauses", question).await;
        let role = |at: usize| answer["variables"][at]["role"].as_str().unwrap().to_owned();
        let weight = |at| role(at).strip_prefix("input of weight ").unwrap().parse::<u64>().unwrap();
        (0..n).map(weight).collect::<Vec<_>>()
    };
    let ten = weights(10, 1).await;
    assert_eq!(weights(6, 1).await, ten[..6]);
    assert_ne!(weights(10, 2).await, ten);
    assert!(ten.iter().all(|weight| (5..=9).contains(weight)) && ten.iter().any(|weight| *weight != ten[0]), "{ten:?}");
}

#[tokio::test]
async fn roles_tell_inputs_from_auxiliaries() {
    let question = json!({ "relation": "at_most", "k": 2, "n": 6, "encoding": "card:totalizer" });
    let clauses = ask("encodings/clauses", question).await;
    let roles: Vec<&str> =
        clauses["variables"].as_array().unwrap().iter().map(|variable| variable["role"].as_str().unwrap()).collect();
    assert!(roles.len() > 6 && roles[..6].iter().all(|role| *role == "input"), "{roles:?}");
    assert!(roles.contains(&"true as soon as at least 2 of x1 to x3 are true"), "{roles:?}");
    assert_eq!((&clauses["variables"][5]["name"], &clauses["variables"][7]["name"]), (&json!("x6"), &json!("a2")));
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
    let constraint = json!({ "relation": "at_most", "k": 2, "n": 6, "encoding": "card:totalizer" });
    let svg = |dark: bool| json!({ "constraint": constraint, "dark": dark });
    let (light, dark) = (ask("encodings/svg", svg(false)).await, ask("encodings/svg", svg(true)).await);
    assert!(light["svg"].as_str().unwrap().starts_with("<svg") && light != dark);
}
