//! The server: which request goes where.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, PathRejection};
use axum::extract::{DefaultBodyLimit, FromRequest, Path, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{any, get};
use axum::{Json, Router, middleware};
use serde_json::Value;
use tokio::net::TcpListener;

use crate::api::{Questions, listing, openapi, shown};
use crate::connections::accept;
use crate::engines::{self, Engine};
use crate::events::{Answer, events, panicked};
use crate::guard::{Hosts, guard};
use crate::jobs::{Jobs, MOST_TIME, TIME};
use crate::memory::MIB;
use crate::options::Options;
use crate::page;
use crate::problem::Problem;

/// The most bytes of a question.
pub const BODY: usize = 2 << 20;
/// The time that a question may take to arrive.
const ARRIVAL: Duration = Duration::from_secs(15);
/// The part of its time that a question keeps to bring back what it has.
const RESERVE: Duration = Duration::from_millis(50);

#[derive(Clone)]
struct App {
    jobs: Jobs,
    questions: Arc<Questions>,
    engines: Arc<[Engine]>,
}

/// Everything that the server answers.
pub fn app(options: &Options) -> Router {
    with_questions(options, Questions::all())
}

/// A server with these questions.
pub fn with_questions(options: &Options, questions: Questions) -> Router {
    let jobs = Jobs::new(options.threads.into(), options.memory as usize * MIB);
    let engines = if options.no_engines { Vec::new() } else { engines::installed() };
    let app = App { jobs, questions: Arc::new(questions), engines: engines.into() };
    Router::new()
        .route("/", get(page::index))
        .route("/page/{*name}", get(page::named))
        .route("/api", get(list))
        .route("/api/openapi.json", get(openapi_file))
        .route("/api/health", get(health))
        .route("/api/engines", get(engine_list))
        .route("/api/{*question}", any(ask))
        .fallback(nothing)
        .method_not_allowed_fallback(wrong_method)
        .layer(DefaultBodyLimit::max(BODY))
        .with_state(app)
        .layer(middleware::from_fn_with_state(Hosts::new(options.listen, &options.names), guard))
}

/// Answers requests until the end of the program.
///
/// A connection that sends no whole head of a request within ten seconds is closed.
pub async fn serve(listener: TcpListener, app: Router) -> Infallible {
    accept(listener, app).await
}

async fn nothing() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "there is nothing here; the page is at `/`, the questions are listed at `/api`")
}

async fn wrong_method() -> Problem {
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "only GET is answered here")
}

async fn list(State(app): State<App>, headers: HeaderMap) -> Response {
    let html = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    if html.is_some_and(|kinds| kinds.contains("text/html")) {
        Html(listing::html(&app.questions)).into_response()
    } else {
        Json(listing::json(&app.questions)).into_response()
    }
}

async fn openapi_file() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], openapi::FILE).into_response()
}

async fn health(State(app): State<App>) -> Response {
    Json(serde_json::json!({ "ok": true, "running": app.jobs.running() })).into_response()
}

async fn engine_list(State(app): State<App>) -> Response {
    let names: Vec<&str> = app.engines.iter().map(|engine| engine.name).collect();
    let takers = app.questions.iter().filter(|question| question.takes_engine);
    let questions: Vec<&str> = takers.map(|question| question.name).collect();
    Json(serde_json::json!({ "engines": names, "questions": questions })).into_response()
}

async fn ask(
    State(app): State<App>,
    name: Result<Path<String>, PathRejection>,
    request: Request,
) -> Result<Response, Problem> {
    let Path(name) = name.map_err(|_| Problem::unreadable_path())?;
    let (method, headers) = (request.method().clone(), request.headers().clone());
    // Whatever the answer, the body is read: a connection is closed where some of it is left.
    let body = tokio::time::timeout(ARRIVAL, Bytes::from_request(request, &())).await;
    let Some(index) = app.questions.iter().position(|question| question.name == name) else {
        let error = format!("there is no question `{}`; they are listed at `/api`", name.escape_debug());
        return Err(Problem::new(StatusCode::NOT_FOUND, error));
    };
    if method != Method::POST {
        let error = format!("a question is asked by POST, not by {method}");
        let mut response = Problem::new(StatusCode::METHOD_NOT_ALLOWED, error).into_response();
        response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("POST"));
        return Ok(response);
    }
    is_json(&headers)?;
    let body = body.map_err(|_| Problem::late(ARRIVAL))?.map_err(|error| broken_off(&error))?;
    // JSON takes many times its length in memory, so it is read where there is a place.
    let place = app.jobs.place().await?;
    let (mut asked, time) = read(&body)?;
    drop(body);
    let engine = if app.questions.at(index).takes_engine { engine(&app.engines, &mut asked)? } else { None };
    let until = Instant::now() + time;
    let work = app.jobs.work(time.saturating_sub(RESERVE.min(time / 10))).by(engine);
    let watch = work.watch();
    let questions = Arc::clone(&app.questions);
    let mut answer = app.jobs.start(place, work.clone(), move |work| questions.at(index).answer(asked, work));
    if wants_events(&headers) {
        return Ok(events(work, watch, answer, until).into_response());
    }
    let answer: Answer = match tokio::time::timeout_at(until.into(), &mut answer).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(_)) => Err(panicked()),
        Err(_) => Err(Problem::out_of_time()),
    };
    drop(watch);
    let headers = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
    Ok((headers, answer?).into_response())
}

/// The engine that a question names, taken out of it.
fn engine(engines: &[Engine], asked: &mut Value) -> Result<Option<Engine>, Problem> {
    let name = asked.as_object_mut().and_then(|fields| fields.remove("engine")).filter(|name| !name.is_null());
    let Some(name) = name else { return Ok(None) };
    let found = engines.iter().find(|engine| name.as_str() == Some(engine.name));
    found.cloned().map(Some).ok_or_else(|| {
        let names: Vec<&str> = engines.iter().map(|engine| engine.name).collect();
        let (name, names) = (shown(&name.to_string()), names.join(", "));
        let error = format!("{name} is no engine of this server; allowed are null, the built-in solver, and: {names}");
        Problem::refused("engine", error)
    })
}

fn wants_events(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    accepted.is_some_and(|kinds| kinds.contains("text/event-stream"))
}

/// Nothing, if the body is said to be JSON.
fn is_json(headers: &HeaderMap) -> Result<(), Problem> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    if kind.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    let error = "a question is JSON: say `Content-Type: application/json`";
    Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, error).at("Content-Type"))
}

/// Why there is no body.
fn broken_off(error: &BytesRejection) -> Problem {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
        return Problem::new(StatusCode::PAYLOAD_TOO_LARGE, format!("a question has at most {BODY} bytes"));
    }
    Problem::new(StatusCode::BAD_REQUEST, "the question broke off before its end")
}

/// The question as JSON, without its time, and its time.
fn read(body: &[u8]) -> Result<(Value, Duration), Problem> {
    let asked = if body.is_empty() { Ok(Value::Object(serde_json::Map::new())) } else { serde_json::from_slice(body) };
    let mut asked: Value = asked.map_err(|error| {
        let place = format!("line {}, column {}", error.line(), error.column());
        Problem::new(StatusCode::BAD_REQUEST, format!("the question is no JSON: {error}")).at(place)
    })?;
    let Value::Object(fields) = &mut asked else {
        let error = "a question is a JSON object, as in `{\"limit_ms\": 1000}`";
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, error));
    };
    let time = match fields.remove("limit_ms") {
        None | Some(Value::Null) => TIME,
        Some(time) => time.as_u64().filter(|time| (1..=MOST_TIME).contains(time)).ok_or_else(|| {
            let found: String = time.to_string().chars().take(20).collect();
            Problem::refused(
                "limit_ms",
                format!("the limit is {found}; allowed are whole numbers from 1 to {MOST_TIME}"),
            )
        })?,
    };
    Ok((asked, Duration::from_millis(time)))
}
