//! Answers as server-sent events.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};

use super::limits::odd;
use super::tools::{ask, begin, listen, rest, server};

/// Name and data of each event of a reply.
fn events(reply: &str) -> Vec<(String, Value)> {
    let mut events = Vec::new();
    let mut name = String::new();
    for line in reply.lines() {
        if let Some(event) = line.strip_prefix("event: ") {
            event.clone_into(&mut name);
        } else if let Some(data) = line.strip_prefix("data: ") {
            events.push((name.clone(), serde_json::from_str(data).unwrap()));
        }
    }
    events
}

#[tokio::test(flavor = "multi_thread")]
async fn progress_comes_first_and_the_answer_is_the_plain_one() {
    let address = listen(server()).await;
    let question = json!({ "sheet": { "n": 4, "cells": [[1,0,0,0],[0,0,3,0],[0,4,0,0],[0,0,0,2]] } });
    let reply = rest(begin(address, "sudoku/solve", "text/event-stream", &question).await).await;
    assert!(reply.starts_with("HTTP/1.1 200") && reply.contains("text/event-stream"), "{reply}");
    let events = events(&reply);
    let (last, before) = events.split_last().unwrap();
    assert_eq!(last.0, "result");
    assert_eq!(last.1, ask("sudoku/solve", question).await);
    assert!(before.iter().all(|(name, data)| name == "progress" && data["text"].is_string() && data["done"].is_u64()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_problem_is_the_last_event() {
    let address = listen(server()).await;
    let question = json!({ "sheet": { "n": 4, "cells": [[9,0,0,0],[0,0,3,0],[0,4,0,0],[0,0,0,2]] } });
    let reply = rest(begin(address, "sudoku/solve", "text/event-stream", &question).await).await;
    let events = events(&reply);
    let (name, problem) = events.last().unwrap();
    assert_eq!(name, "error");
    assert_eq!((problem["status"].as_u64(), problem["where"].as_str()), (Some(422), Some("sheet.cells[0][0]")));
    // What is wrong before the work begins is a plain refusal.
    let reply = rest(begin(address, "nothing", "text/event-stream", &question).await).await;
    assert!(reply.starts_with("HTTP/1.1 404"), "{reply}");
}

#[tokio::test(flavor = "multi_thread")]
async fn progress_is_told_four_times_a_second_until_the_limit() {
    let address = listen(odd("2")).await;
    let stream = begin(address, "slow", "text/event-stream", &json!({ "limit_ms": 1500 })).await;
    let mut lines = BufReader::new(stream).lines();
    let (mut last, mut longest, mut steps) = (Instant::now(), Duration::ZERO, Vec::new());
    let mut end = None;
    while let Some(line) = lines.next_line().await.unwrap() {
        let Some(data) = line.strip_prefix("data: ") else { continue };
        let data: Value = serde_json::from_str(data).unwrap();
        longest = longest.max(last.elapsed());
        last = Instant::now();
        match data["done"].as_u64() {
            Some(step) => steps.push(step),
            None => end = Some(data),
        }
    }
    assert_eq!(end.unwrap()["status"], 504);
    assert!(steps.len() >= 5 && steps.is_sorted() && steps.last() > steps.first(), "{steps:?}");
    assert!(longest < Duration::from_millis(450), "{longest:?} between two events");
}
