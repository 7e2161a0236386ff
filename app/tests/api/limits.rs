//! Time, places and cancelling.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use cnfkit_app::api::{Nothing, Question, Questions};
use cnfkit_app::jobs::Work;
use cnfkit_app::problem::Problem;
use cnfkit_app::serve;
use serde_json::{Value, json};

use super::tools::{Reply, begin, endless, listen, options, request, rest, running, send, server, until_running};

/// Works until it is stopped.
fn slow(_: &Nothing, work: &Work) -> Result<Value, Problem> {
    for step in 0.. {
        work.check()?;
        work.say("waiting", step, None);
        std::thread::sleep(Duration::from_millis(2));
    }
    Ok(json!("never"))
}

/// Looks at nothing for a while.
#[allow(clippy::unnecessary_wraps)] // as all answers
fn stubborn(_: &Nothing, _: &Work) -> Result<Value, Problem> {
    std::thread::sleep(Duration::from_millis(1500));
    Ok(json!("at last"))
}

fn panics(_: &Nothing, _: &Work) -> Result<Value, Problem> {
    panic!("a bug")
}

/// A server with questions that are none of the program.
pub(crate) fn odd(threads: &str) -> Router {
    let questions = vec![
        Question::new("slow", "", "{}", slow),
        Question::new("stubborn", "", "{}", stubborn),
        Question::new("panics", "", "{}", panics),
        Question::new("quick", "", "{}", |_: &Nothing, _: &Work| Ok(json!("done"))),
    ];
    serve::with_questions(&options(&["--threads", threads]), Questions::of(questions))
}

async fn post(server: &Router, name: &str, question: Value) -> Reply {
    let request = request("POST", &format!("/api/{name}")).header("Content-Type", "application/json");
    send(server.clone(), request.body(Body::from(question.to_string())).unwrap()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_ends_at_its_limit() {
    let server = odd("4");
    for (name, limit) in [("slow", 200), ("stubborn", 100)] {
        let start = Instant::now();
        let reply = post(&server, name, json!({ "limit_ms": limit })).await;
        assert_eq!(reply.problem(), (504, Some("limit_ms".into())), "{name}");
        let took = start.elapsed().as_millis();
        assert!(took >= limit * 8 / 10 && took < limit + 400, "{name}: {took} ms");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_library_ends_at_its_limit() {
    let mut question = endless();
    question["limit_ms"] = json!(300);
    let start = Instant::now();
    let reply = post(&server(), "sudoku/candidates", question).await;
    assert_eq!(reply.problem().0, 504);
    assert!(start.elapsed() < Duration::from_millis(800), "{:?}", start.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_panic_is_an_answer_and_the_server_goes_on() {
    let server = odd("1");
    for _ in 0..3 {
        let reply = post(&server, "panics", json!({})).await;
        assert_eq!(reply.problem(), (500, None));
    }
    assert_eq!(post(&server, "quick", json!({})).await.json(), json!("done"));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_finds_no_place_is_told_to_come_again() {
    let address = listen(odd("2")).await;
    let waits = json!({ "limit_ms": 20_000 });
    let one = begin(address, "slow", "*/*", &waits).await;
    let _two = begin(address, "slow", "*/*", &waits).await;
    until_running(address, 2).await;
    let start = Instant::now();
    let reply = rest(begin(address, "quick", "*/*", &json!({})).await).await;
    assert!(reply.starts_with("HTTP/1.1 429") && reply.to_lowercase().contains("retry-after: 1"), "{reply}");
    assert!(start.elapsed() < Duration::from_millis(2500), "{:?}", start.elapsed());
    // Who comes while a place becomes free gets it.
    let third = begin(address, "quick", "*/*", &json!({})).await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    drop(one);
    let reply = rest(third).await;
    assert!(reply.starts_with("HTTP/1.1 200") && reply.ends_with("\"done\""), "{reply}");
}

/// A question whose asker is gone leaves its place.
async fn cancelled(address: SocketAddr, name: &str, accept: &str, question: &Value) -> Duration {
    assert_eq!(running(address).await, 0);
    let stream = begin(address, name, accept, question).await;
    until_running(address, 1).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    let start = Instant::now();
    drop(stream);
    until_running(address, 0).await;
    start.elapsed()
}

#[tokio::test(flavor = "multi_thread")]
async fn closing_the_connection_stops_the_work() {
    let (odd, real) = (listen(odd("2")).await, listen(server()).await);
    let slow = json!({ "limit_ms": 20_000 });
    for accept in ["*/*", "text/event-stream"] {
        let took = cancelled(odd, "slow", accept, &slow).await;
        assert!(took < Duration::from_millis(250), "{accept}: {took:?}");
        let took = cancelled(real, "sudoku/candidates", accept, &endless()).await;
        assert!(took < Duration::from_millis(500), "{accept}: {took:?}");
    }
}

/// Places are kept by work that goes on, not by its asker: no more threads work than there are places.
#[tokio::test(flavor = "multi_thread")]
async fn a_place_is_free_when_the_work_has_ended() {
    let address = listen(odd("1")).await;
    let reply = rest(begin(address, "stubborn", "*/*", &json!({ "limit_ms": 50 })).await).await;
    assert!(reply.starts_with("HTTP/1.1 504"), "{reply}");
    assert_eq!(running(address).await, 1);
    until_running(address, 0).await;
}
