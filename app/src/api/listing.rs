//! The list of questions, for a reader and for a program.

use std::fmt::Write;

use serde_json::{Value, json};

use super::Questions;

/// Name, sentence and example of each question.
#[must_use]
pub fn json(questions: &Questions) -> Value {
    let all: Vec<Value> = questions
        .iter()
        .map(|question| {
            let example: Value = serde_json::from_str(question.example).unwrap_or_default();
            let path = format!("/api/{}", question.name);
            json!({ "method": "POST", "path": path, "about": question.about, "example": example })
        })
        .collect();
    json!({ "openapi": "/api/openapi.json", "health": "/api/health", "questions": all })
}

/// This list as a page.
#[must_use]
pub fn html(questions: &Questions) -> String {
    let mut page = String::from(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Questions of cnfkit</title>\n\
         <h1>Questions of cnfkit</h1>\n\
         <p>Each is asked by POST, with <code>Content-Type: application/json</code>; <code>limit_ms</code> limits its \
         time (10000 unless given, at most 120000). With <code>Accept: text/event-stream</code> the answer comes as \
         events, with progress before it. Errors are <code>{\"error\", \"where\"}</code>. Types of all fields: \
         <a href=\"/api/openapi.json\">openapi.json</a>. <a href=\"/api/health\">Health</a>. \
         <a href=\"/\">The page</a>.</p>\n<dl>\n",
    );
    for question in questions {
        let (about, example) = (escaped(question.about), escaped(question.example));
        let _ =
            writeln!(page, "<dt><code>/api/{}</code></dt>\n<dd>{about}<br><code>{example}</code></dd>", question.name);
    }
    page.push_str("</dl>\n</html>\n");
    page
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
