//! Answers about models, held against their rules.

use serde_json::{Value, json};

use super::tools::{ask, post, refusal};

async fn solve(name: &str, parameters: Value) -> Value {
    ask("model/solve", json!({ "name": name, "parameters": parameters })).await["solution"].clone()
}

#[tokio::test]
async fn every_model_shows_its_source_and_solves_its_default() {
    let models = ask("model/list", json!({})).await["models"].clone();
    assert_eq!(models.as_array().unwrap().len(), 7);
    for model in models.as_array().unwrap() {
        let source = model["source"].as_str().unwrap();
        assert!(source.starts_with("///") && source.contains("\nfn model(") && source.ends_with("\n}"), "{source}");
        assert!((6..=30).contains(&source.lines().count()), "{source}");
        for parameter in model["parameters"].as_array().unwrap() {
            assert!(matches!(parameter["type"].as_str().unwrap(), "integer" | "text"));
            assert!(!parameter["default"].is_null() && parameter["title"].is_string());
        }
        let answer = ask("model/solve", json!({ "name": model["name"] })).await;
        assert!(answer["solution"]["text"].as_str().unwrap().len() > 5, "{model}");
        // What the domains decide alone takes no clause.
        assert!(answer["statistics"]["clauses"].is_u64() && answer["statistics"]["variables"].is_u64());
        assert!(answer["statistics"]["solve_ms"].as_f64().unwrap() > 0.0);
    }
}

#[tokio::test]
async fn queens_do_not_attack_each_other() {
    for n in [1, 4, 8, 20] {
        let solution = solve("queens", json!({ "n": n })).await;
        let columns: Vec<i64> = serde_json::from_value(solution["columns"].clone()).unwrap();
        assert_eq!((columns.len(), &solution["kind"]), (n, &json!("queens")));
        for (a, b) in (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))) {
            let across = (columns[a] - columns[b]).abs();
            assert!(across != 0 && across != (b - a) as i64, "{columns:?}");
        }
    }
    assert_eq!(solve("queens", json!({ "n": 3 })).await, Value::Null);
}

#[tokio::test]
async fn neighbours_have_different_colours() {
    let solution = solve("map", json!({})).await;
    let colour = |at: &Value| solution["regions"][at.as_u64().unwrap() as usize]["colour"].clone();
    let borders = solution["borders"].as_array().unwrap();
    assert_eq!((solution["regions"].as_array().unwrap().len(), borders.len()), (7, 9));
    assert!(borders.iter().all(|border| colour(&border[0]) != colour(&border[1])));
    assert_eq!(solve("map", json!({ "colours": 2 })).await, Value::Null);
    let own = solve("map", json!({ "borders": "A: B\nB: C" , "colours": 2 })).await;
    assert_eq!(own["regions"][0]["colour"], own["regions"][2]["colour"]);
    assert_eq!(own["regions"][0]["x"], Value::Null);
}

#[tokio::test]
async fn nonograms_have_their_runs() {
    let solution = solve("nonogram", json!({})).await;
    let cells: Vec<Vec<bool>> = serde_json::from_value(solution["cells"].clone()).unwrap();
    let runs = |line: Vec<bool>| -> Vec<usize> {
        line.split(|filled| !filled).map(<[bool]>::len).filter(|&length| length > 0).collect()
    };
    let rows: Vec<Vec<usize>> = serde_json::from_value(solution["rows"].clone()).unwrap();
    let columns: Vec<Vec<usize>> = serde_json::from_value(solution["columns"].clone()).unwrap();
    assert_eq!(cells.iter().map(|row| runs(row.clone())).collect::<Vec<_>>(), rows);
    let column = |at: usize| runs(cells.iter().map(|row| row[at]).collect());
    assert_eq!((0..columns.len()).map(column).collect::<Vec<_>>(), columns);
    assert_eq!(solve("nonogram", json!({ "rows": "1\n0", "columns": "0\n0" })).await, Value::Null);
}

#[tokio::test]
async fn numbers_are_right() {
    let square = solve("magic-square", json!({ "n": 3 })).await;
    let cells: Vec<Vec<String>> = serde_json::from_value(square["cells"].clone()).unwrap();
    let sum: u32 = cells[0].iter().map(|cell| cell.parse::<u32>().unwrap()).sum();
    assert_eq!((sum, square["note"].as_str().unwrap()), (15, "every line has the sum 15"));
    assert_eq!(solve("magic-square", json!({ "n": 2 })).await, Value::Null);
    assert_eq!(solve("cryptarithm", json!({})).await["text"], "9567 + 1085 = 10652");
    assert_eq!(solve("cryptarithm", json!({ "sum": "A + A = A" })).await, Value::Null);
    let knapsack = solve("knapsack", json!({})).await;
    // The best of all 256 choices: stove, water, camera, rope and map.
    assert!(knapsack["note"].as_str().unwrap().contains("weight 56, worth 188: nothing is worth more"), "{knapsack}");
    let sudoku = solve("sudoku", json!({})).await;
    assert_eq!(sudoku["cells"][0].as_array().unwrap().len(), 9);
}

async fn flat(text: &str, most: usize) -> Value {
    ask("model/flatzinc", json!({ "text": text, "most": most })).await
}

#[tokio::test]
async fn texts_are_solved_one_all_and_best() {
    let texts = ask("model/list", json!({})).await["texts"].clone();
    let text = |name: &str| {
        let found = texts.as_array().unwrap().iter().find(|text| text["name"] == name);
        found.unwrap()["text"].as_str().unwrap().to_owned()
    };
    let map = flat(&text("map"), 1000).await;
    assert_eq!((map["solutions"].as_array().unwrap().len(), &map["state"]), (6, &json!("all")));
    assert!(map["solutions"][0].as_str().unwrap().contains("nsw = "), "{map}");
    assert_eq!((&map["integers"], &map["constraints"]), (&json!(6), &json!(9)));
    let one = flat(&text("map"), 1).await;
    assert_eq!((one["solutions"].as_array().unwrap().len(), &one["state"]), (1, &json!("some")));
    let some = flat(&text("map"), 6).await;
    assert_eq!((some["solutions"].as_array().unwrap().len(), &some["state"]), (6, &json!("some")));
    // The fewest of all ways to pay.
    let ways = (0..=2).flat_map(|a| (0..=4).flat_map(move |b| (0..=8).map(move |c| (a, b, c))));
    let ways = ways.flat_map(|(a, b, c)| (0..=12).map(move |d| (a + b + c + d, 35 * a + 22 * b + 10 * c + 7 * d)));
    let fewest = ways.filter(|way| way.1 <= 89).map(|(count, worth)| count + 89 - worth).min().unwrap();
    let coins = flat(&text("coins"), 1).await;
    assert_eq!((&coins["state"], &coins["objective"]), (&json!("best"), &json!(fewest)));
    assert!(coins["solutions"][0].as_str().unwrap().contains(&format!("number = {fewest};")), "{coins}");
    let money = flat(&text("money"), 2).await;
    assert_eq!((money["solutions"].as_array().unwrap().len(), &money["state"]), (1, &json!("all")));
    assert!(money["solutions"][0].as_str().unwrap().starts_with("s = 9;\ne = 5;\nn = 6;\nd = 7;"), "{money}");
    let none = flat("var 1..2: x; constraint int_lt(x, 1); solve satisfy;", 5).await;
    assert_eq!((&none["solutions"], &none["state"]), (&json!([]), &json!("none")));
    let far = flat("var int: x :: output_var; constraint int_lt(x, -5); solve maximize x;", 1).await;
    assert_eq!((&far["objective"], &far["state"], &far["unbounded"]), (&json!(-6), &json!("some"), &json!(["x"])));
}

#[tokio::test]
async fn mistakes_have_their_place() {
    for (text, place, words) in [
        ("var 1..3: x;\nconstraint int_ne(x, y);\nsolve satisfy;", "line 2, column 22", "no `y` is declared"),
        ("var 1..3: x\nsolve satisfy;", "line 2, column 1", "found `solve`"),
        ("solve satisfy;\n% é\nconstraint nonsense(1);", "line 3, column 12", "`nonsense` is not supported"),
        ("var 1..3: x;", "line 1, column 13", "`solve` before the end"),
        ("", "line 1, column 1", "`solve` before the end"),
    ] {
        let reply = post("model/flatzinc", json!({ "text": text }).to_string()).await;
        assert_eq!(reply.problem(), (422, Some(place.into())), "{text}");
        assert!(reply.text().contains(words), "{text}: {}", reply.text());
    }
    let most = json!({ "text": "solve satisfy;", "most": 0 });
    assert_eq!(refusal("model/flatzinc", most).await, (422, Some("most".into())));
}

/// Pigeons without holes enough, far more than there is time for; and solutions that are found until it is over.
#[tokio::test]
async fn time_ends_texts_too() {
    let pigeons = 14;
    let names: Vec<String> = (0..pigeons).map(|at| format!("x{at}")).collect();
    let mut lines: Vec<String> =
        names.iter().map(|name| format!("var 1..{}: {name} :: output_var;", pigeons - 1)).collect();
    for (at, one) in names.iter().enumerate() {
        lines.extend(names[..at].iter().map(|other| format!("constraint int_ne({one}, {other});")));
    }
    lines.push("solve satisfy;".into());
    let text = lines.join("\n");
    let reply = post("model/flatzinc", json!({ "text": text, "limit_ms": 300 }).to_string()).await;
    assert!(reply.status == 504 || reply.json()["state"] == "none", "{}", reply.text());
}
