//! Refusals: with which status, and which place is named.

use std::time::Duration;

use axum::body::Body;
use axum::http::StatusCode;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use super::tools::{get, listen, post, refusal, request, rest, send, server};

#[tokio::test]
async fn what_is_no_question_is_told_so() {
    assert_eq!(post("nothing", "{}").await.problem(), (404, None));
    assert_eq!(get("/nothing").await.problem(), (404, None));
    for path in ["/page/%ff", "/api/%ff", "/api/sudoku/%c0%af"] {
        assert_eq!(get(path).await.problem(), (400, None), "{path}");
    }
    assert_eq!(get("/page/%2e%2e").await.problem(), (404, None));
    for method in ["GET", "PUT", "DELETE"] {
        let reply = send(server(), request(method, "/api/sudoku/solve").body(Body::empty()).unwrap()).await;
        assert_eq!((reply.problem().0, reply.header("allow")), (405, "POST"), "{method}");
    }
    assert_eq!(post("health", "{}").await.problem().0, 405);
    for kind in [None, Some("text/plain"), Some("application/x-www-form-urlencoded")] {
        let mut request = request("POST", "/api/sudoku/modes");
        if let Some(kind) = kind {
            request = request.header("Content-Type", kind);
        }
        let reply = send(server(), request.body(Body::from("{}")).unwrap()).await;
        assert_eq!(reply.problem(), (415, Some("Content-Type".into())), "{kind:?}");
    }
    let kind = "application/json; charset=utf-8";
    let request = request("POST", "/api/sudoku/modes").header("Content-Type", kind).body(Body::from("{}"));
    assert_eq!(send(server(), request.unwrap()).await.status, StatusCode::OK);
}

/// The next question comes on the same connection, also where the first body came late, and nobody wanted it.
#[tokio::test]
async fn a_refusal_leaves_the_connection_open() {
    let to = listen(server()).await;
    for (name, kind, status) in [("sudoku/modes", "text/plain", 415), ("nothing", "application/json", 404)] {
        let body = ".".repeat(100_000);
        let mut stream = TcpStream::connect(to).await.unwrap();
        let head = format!(
            "POST /api/{name} HTTP/1.1\r\nHost: {to}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        tokio::time::sleep(Duration::from_millis(50)).await;
        stream.write_all(body.as_bytes()).await.unwrap();
        let next = format!("GET /api/health HTTP/1.1\r\nHost: {to}\r\nConnection: close\r\n\r\n");
        stream.write_all(next.as_bytes()).await.unwrap();
        let replies = rest(stream).await;
        let statuses: Vec<&str> = replies.match_indices("HTTP/1.1 ").map(|(at, _)| &replies[at + 9..at + 12]).collect();
        assert_eq!(statuses, [status.to_string().as_str(), "200"], "{name}");
    }
}

#[tokio::test]
async fn what_is_too_large_or_no_json_is_told_so() {
    let long = |bytes: usize| format!("{{\"text\": \"{}\"}}", ".".repeat(bytes));
    assert_eq!(post("sudoku/read", long(2 << 20)).await.problem(), (413, None));
    assert_eq!(post("sudoku/read", long((2 << 20) - 100)).await.problem().0, 422);
    assert_eq!(post("sudoku/read", "{\"text\":\n  oops}").await.problem(), (400, Some("line 2, column 3".into())));
    assert_eq!(post("sudoku/read", "[".repeat(5000)).await.problem().0, 400);
    assert_eq!(post("sudoku/read", b"{\"text\": \"\xff\"}".to_vec()).await.problem().0, 400);
    for other in ["[]", "7", "null", "\"text\""] {
        assert_eq!(post("sudoku/read", other).await.problem(), (422, None), "{other}");
    }
    // Nothing at all is a question without fields.
    assert_eq!(post("sudoku/modes", "").await.status, StatusCode::OK);
}

#[tokio::test]
async fn limits_are_whole_milliseconds_up_to_two_minutes() {
    for limit in [json!(0), json!(120_001), json!(-1), json!(1.5), json!("10"), json!([])] {
        let found = refusal("sudoku/modes", json!({ "limit_ms": limit })).await;
        assert_eq!(found, (422, Some("limit_ms".into())), "{limit}");
    }
    for limit in [json!(120_000), json!(null)] {
        assert_eq!(post("sudoku/modes", json!({ "limit_ms": limit }).to_string()).await.status, StatusCode::OK);
    }
}

/// A 4×4 sheet with one field changed.
fn sheet(name: &str, value: Value) -> Value {
    let mut sheet = json!({ "n": 4, "cells": [[1,0,0,0],[0,0,3,0],[0,4,0,0],[0,0,0,2]] });
    sheet[name] = value;
    json!({ "sheet": sheet })
}

#[tokio::test]
async fn sheets_that_are_none_name_the_field() {
    let wide: Vec<Vec<u16>> = vec![vec![0; 101]; 101];
    let table = [
        (json!({}), "the question"),
        (sheet("n", json!(0)), "sheet.n"),
        (sheet("n", json!(101)), "sheet.n"),
        (sheet("n", json!(5)), "sheet.cells"),
        (sheet("n", json!("4")), "sheet.n"),
        (sheet("more", json!(1)), "sheet.more"),
        (sheet("cells", json!([[1, 0, 0, 0], [0, 0, 3], [0, 4, 0, 0], [0, 0, 0, 2]])), "sheet.cells[1]"),
        (sheet("cells", json!([[1, 0, 0, 0], [0, 0, -3, 0], [0, 4, 0, 0], [0, 0, 0, 2]])), "sheet.cells[1][2]"),
        (sheet("cells", json!([[1, 0, 0, 0], [0, 0, 70000, 0], [0, 4, 0, 0], [0, 0, 0, 2]])), "sheet.cells[1][2]"),
        (sheet("cells", json!([[1, 0, 0, 0], [0, 0, 5, 0], [0, 4, 0, 0], [0, 0, 0, 2]])), "sheet.cells[1][2]"),
        (sheet("regions", json!("boxes:3x3")), "sheet.regions"),
        (sheet("regions", json!("boxes:0x4")), "sheet.regions"),
        (sheet("regions", json!("circles")), "sheet.regions"),
        (sheet("regions", json!([[0, 0, 1, 1], [0, 0, 1, 1], [2, 2, 3, 3]])), "sheet.regions"),
        (sheet("regions", json!([[0, 0, 1, 1], [0, 0, 1, 1], [2, 2, 2, 3], [2, 2, 3, 3]])), "sheet.regions"),
        (sheet("regions", json!([[0, 0, 1, 1], [0, 0, 1, 1], [2, 2, 3, 3], [2, 2, 3, 101]])), "sheet.regions[3][3]"),
        (sheet("regions", json!(7)), "sheet.regions"),
        (json!({ "sheet": { "n": 6, "windows": true } }), "sheet.windows"),
        (json!({ "sheet": { "n": 101, "cells": wide } }), "sheet.n"),
        (json!({ "sheet": { "n": 4 }, "not": [[[1]]] }), "not[0]"),
        (json!({ "sheet": { "n": 4 }, "seed": -1 }), "seed"),
    ];
    for (question, place) in table {
        assert_eq!(refusal("sudoku/solve", question.clone()).await, (422, Some(place.into())), "{question}");
    }
}

#[tokio::test]
async fn other_questions_name_the_field_too() {
    let board = json!({ "rows": [["1", "_"], ["_", "T"]] });
    let wide = json!({ "rows": vec![vec!["_"; 1001]; 2] });
    let table = [
        ("sudoku/read", json!({ "text": "1.....3..4....." }), "text"),
        ("sudoku/read", json!({ "text": 7 }), "text"),
        ("sudoku/write", json!({ "sheet": { "n": 4 }, "format": "pdf" }), "format"),
        ("sudoku/write", json!({ "sheet": { "n": 4, "diagonals": true }, "format": "record" }), "format"),
        ("sudoku/new", json!({ "difficulty": "easy" }), "mode"),
        ("sudoku/new", json!({ "mode": "17", "difficulty": "easy" }), "mode"),
        ("sudoku/new", json!({ "mode": "9", "difficulty": "absurd" }), "difficulty"),
        (
            "sudoku/new",
            json!({ "sheet": { "n": 4, "cells": [[1,1,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0]] }, "difficulty": "easy" }),
            "sheet",
        ),
        ("sudoku/regions", json!({ "n": 3 }), "n"),
        ("sudoku/regions", json!({ "n": 37 }), "n"),
        ("sudoku/dimacs", json!({ "sheet": { "n": 100 } }), "sheet.n"),
        ("sudoku/proof", json!({ "sheet": { "n": 25 } }), "sheet.n"),
        ("gem/proof", json!({ "board": { "lines": vec!["_".repeat(51); 50] } }), "board"),
        ("sudoku/svg", json!({ "sheet": { "n": 2 }, "solution": [[1, 1], [1, 1]] }), "solution"),
        ("gem/solve", json!({ "board": { "rows": [] } }), "board.rows"),
        ("gem/solve", json!({ "board": { "rows": [["1"], ["_", "_"]] } }), "board.rows[1]"),
        ("gem/solve", json!({ "board": { "rows": [["1", "9"]] } }), "board.rows[0][1]"),
        ("gem/solve", json!({ "board": { "text": "1 x" } }), "board.text"),
        ("gem/solve", json!({ "board": wide }), "board.rows"),
        ("gem/solve", json!({ "board": { "lines": [] } }), "board.lines"),
        ("gem/solve", json!({ "board": { "lines": ["1_", "1é"] } }), "board.lines[1][1]"),
        ("gem/svg", json!({ "board": { "lines": vec!["_".repeat(400); 101] } }), "board"),
        ("gem/read", json!({ "text": "" }), "text"),
        ("gem/why", json!({ "board": board, "row": 2, "column": 0 }), "row"),
        ("gem/new", json!({ "rows": 0, "columns": 5, "density": 0.2 }), "rows"),
        ("gem/new", json!({ "rows": 5, "columns": 1001, "density": 0.2 }), "columns"),
        ("gem/new", json!({ "rows": 5, "columns": 5, "density": 1.2 }), "density"),
        (
            "encodings/sizes",
            json!({ "relation": "at_most", "k": 1, "n": [100_001], "encodings": ["card:auto"] }),
            "n[0]",
        ),
        ("encodings/sizes", json!({ "relation": "at_most", "k": "n*2", "n": [4], "encodings": ["card:auto"] }), "k"),
        (
            "encodings/sizes",
            json!({ "relation": "at_most", "k": 1, "n": [4], "encodings": ["card:magic"] }),
            "encodings[0]",
        ),
        (
            "encodings/sizes",
            json!({ "relation": "at_most", "k": 1, "n": [4], "encodings": ["totalizer"] }),
            "encodings[0]",
        ),
        ("encodings/clauses", json!({ "relation": "at_most", "k": 1, "n": 65, "encoding": "card:auto" }), "n"),
        ("encodings/clauses", json!({ "relation": "at_least", "k": 2, "n": 5, "encoding": "amo:product" }), "relation"),
        (
            "encodings/dimacs",
            json!({ "relation": "at_most", "k": 1, "text": "1 0 2", "encoding": "card:auto" }),
            "text",
        ),
        (
            "encodings/dimacs",
            json!({ "relation": "at_most", "k": 1, "text": "1 3*2", "encoding": "card:auto" }),
            "encoding",
        ),
        ("encodings/dimacs", json!({ "text": "3 x1 + y2 <= 4" }), "text"),
        ("encodings/dimacs", json!({ "text": "3 x1 + x2" }), "relation"),
        ("encodings/dimacs", json!({ "text": "3 x1 + x2", "relation": "at_most" }), "k"),
        (
            "encodings/sizes",
            json!({ "relation": "at_most", "k": 1, "n": [4], "encodings": [], "weights": [1, 4_294_967_296_u64] }),
            "weights[1]",
        ),
        (
            "encodings/sizes",
            json!({ "relation": "at_most", "k": 1, "n": [4], "encodings": [], "weights": { "least": 3, "most": 2 } }),
            "weights.least",
        ),
        ("model/solve", json!({ "name": "chess" }), "name"),
        ("model/solve", json!({ "name": "queens", "parameters": { "n": 0 } }), "parameters.n"),
        ("model/solve", json!({ "name": "queens", "parameters": { "n": 61 } }), "parameters.n"),
        ("model/solve", json!({ "name": "queens", "parameters": { "m": 8 } }), "parameters.m"),
        ("model/solve", json!({ "name": "nonogram", "parameters": { "rows": "1 x" } }), "parameters.rows"),
        ("model/solve", json!({ "name": "cryptarithm", "parameters": { "sum": "A + = B" } }), "parameters.sum"),
        ("model/solve", json!({ "name": "knapsack", "parameters": { "things": "tent" } }), "parameters.things"),
        ("model/solve", json!({ "name": "map", "parameters": { "borders": "A: A" } }), "parameters.borders"),
        ("model/solve", json!({ "name": "sudoku", "parameters": { "givens": "12" } }), "parameters.givens"),
    ];
    for (name, question, place) in table {
        assert_eq!(refusal(name, question.clone()).await, (422, Some(place.into())), "{name} {question}");
    }
}
