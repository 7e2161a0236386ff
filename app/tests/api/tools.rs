//! Requests to a server without a network, and to one on a port of this machine.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, Request, StatusCode, request};
use clap::Parser;
use cnfkit_app::options::Options;
use cnfkit_app::serve;
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tower::ServiceExt;

/// An answer of the server.
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// Status, and the place of the problem; its sentence must say something.
    pub(crate) fn problem(&self) -> (u16, Option<String>) {
        let problem = self.json();
        let sentence = problem["error"].as_str().unwrap();
        assert!(sentence.len() > 15 && sentence.contains(' '), "{problem}");
        (self.status.as_u16(), problem["where"].as_str().map(str::to_owned))
    }
}

pub(crate) fn options(arguments: &[&str]) -> Options {
    Options::parse_from([&["cnfkit-app"], arguments].concat())
}

/// A server in which nobody else asks.
pub(crate) fn server() -> Router {
    serve::app(&options(&[]))
}

pub(crate) fn request(method: &str, path: &str) -> request::Builder {
    Request::builder().method(method).uri(path).header("Host", "localhost:8080")
}

pub(crate) async fn send(server: Router, request: Request<Body>) -> Reply {
    let (parts, body) = server.oneshot(request).await.unwrap().into_parts();
    let body = body.collect().await.unwrap().to_bytes();
    Reply { status: parts.status, headers: parts.headers, body }
}

pub(crate) async fn get(path: &str) -> Reply {
    send(server(), request("GET", path).body(Body::empty()).unwrap()).await
}

/// Asks a question as text.
pub(crate) async fn post(name: &str, body: impl Into<Body>) -> Reply {
    let request = request("POST", &format!("/api/{name}")).header("Content-Type", "application/json");
    send(server(), request.body(body.into()).unwrap()).await
}

/// The answer to a question, which it must have.
pub(crate) async fn ask(name: &str, question: Value) -> Value {
    let reply = post(name, question.to_string()).await;
    assert_eq!(reply.status, StatusCode::OK, "{name}: {}", reply.text());
    reply.json()
}

/// Status and place of the refusal of a question.
pub(crate) async fn refusal(name: &str, question: Value) -> (u16, Option<String>) {
    post(name, question.to_string()).await.problem()
}

/// A server on a port of this machine.
pub(crate) async fn listen(server: Router) -> SocketAddr {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(serve::serve(listener, server));
    address
}

/// Sends a question by hand, and gives the connection.
pub(crate) async fn begin(to: SocketAddr, name: &str, accept: &str, question: &Value) -> TcpStream {
    let body = question.to_string();
    let mut stream = TcpStream::connect(to).await.unwrap();
    let head = format!(
        "POST /api/{name} HTTP/1.1\r\nHost: {to}\r\nContent-Type: application/json\r\nAccept: {accept}\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(body.as_bytes()).await.unwrap();
    stream
}

/// All that comes from a connection.
pub(crate) async fn rest(mut stream: TcpStream) -> String {
    let mut text = Vec::new();
    stream.read_to_end(&mut text).await.unwrap();
    String::from_utf8(text).unwrap()
}

/// The number of questions that are being worked on.
pub(crate) async fn running(to: SocketAddr) -> u64 {
    let mut stream = TcpStream::connect(to).await.unwrap();
    let head = format!("GET /api/health HTTP/1.1\r\nHost: {to}\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    let text = rest(stream).await;
    let body: Value = serde_json::from_str(text.split("\r\n\r\n").nth(1).unwrap()).unwrap();
    body["running"].as_u64().unwrap()
}

/// Waits until so many questions are being worked on, at most 5 seconds.
pub(crate) async fn until_running(to: SocketAddr, wanted: u64) {
    for _ in 0..500 {
        if running(to).await == wanted {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{} questions are being worked on, not {wanted}", running(to).await);
}

/// A question to the library that nobody answers within minutes: the values of each cell in all 36 × 36 Sudokus.
pub(crate) fn endless() -> Value {
    json!({ "sheet": { "n": 36 }, "exact": true, "limit_ms": 60_000 })
}
