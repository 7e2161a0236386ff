//! Answers about models, held against their rules.

use serde_json::{Value, json};

use super::tools::ask;

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
