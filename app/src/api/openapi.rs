//! The `OpenAPI` file: written from the questions' types, kept in the repository, and served as it is there.

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use super::Questions;
use crate::jobs::{MOST_TIME, TIME};

/// The file. `CNFKIT_APP_OPENAPI=write cargo test -p cnfkit-app --test openapi` writes it anew.
pub const FILE: &str = include_str!("../../openapi.json");

const REFUSALS: [(&str, &str); 13] = [
    ("400", "The question is no JSON, or the address no text."),
    ("403", "`Host` is not this server, or `Origin` another page."),
    ("404", "There is no such question."),
    ("405", "Not a POST."),
    ("408", "The question did not arrive within 15 seconds."),
    ("413", "More than 2 MiB, or more memory is needed than all questions together have."),
    ("415", "Not `application/json`."),
    ("422", "Understood, but not allowed: `where` is the field."),
    ("429", "All places are taken; `Retry-After` is in seconds."),
    ("500", "A bug: the question is given up, the server goes on."),
    ("502", "The engine that was asked for failed."),
    ("503", "Other questions have the memory that this one needs; `Retry-After` is in seconds."),
    ("504", "The time limit passed."),
];

/// Where its schemas are.
const PLACE: &str = "/components/schemas";

fn limit() -> Value {
    json!({
        "type": "integer", "minimum": 1, "maximum": MOST_TIME, "default": TIME,
        "description": "The most time that the question may take, in milliseconds.",
    })
}

fn engine() -> Value {
    json!({
        "type": ["string", "null"],
        "description": "The engine that is to answer, of those that `/api/engines` names; none is the built-in solver.",
    })
}

/// The description of the interface that the file should hold.
#[must_use]
pub fn document(questions: &Questions) -> Value {
    let settings = SchemaSettings::draft2020_12();
    let mut generator = settings.with(|settings| settings.definitions_path = PLACE.into()).into_generator();
    let mut asks = Vec::new();
    let problem = generator.subschema_for::<crate::problem::Problem>();
    let mut paths = Map::new();
    for question in questions {
        let (asked, given) = question.schemas(&mut generator);
        let example: Value = serde_json::from_str(question.example).unwrap_or_default();
        let name = asked.get("$ref").and_then(Value::as_str).and_then(|to| to.rsplit('/').next());
        asks.extend(name.map(|name| (name.to_owned(), question.takes_engine)));
        let mut responses = Map::new();
        let events = "`progress` events `{text, done, of}`, then one `result` or `error` event";
        responses.insert(
            "200".into(),
            json!({ "description": "The answer.", "content": {
                "application/json": { "schema": given },
                "text/event-stream": { "schema": { "type": "string", "description": events } },
            }}),
        );
        for (status, description) in REFUSALS {
            responses.insert(
                status.into(),
                json!({ "description": description, "content": { "application/json": { "schema": problem } } }),
            );
        }
        let operation = json!({
            "operationId": question.name.replace('/', "_"),
            "tags": [question.name.split('/').next()],
            "description": question.about,
            "requestBody": { "required": true, "content": { "application/json": {
                "schema": asked,
                "example": example,
            }}},
            "responses": responses,
        });
        paths.insert(format!("/api/{}", question.name), json!({ "post": operation }));
    }
    for (path, description, kind) in [
        ("/api", "The list of questions.", "application/json"),
        ("/api/engines", "Names of engines that are installed, and the questions that take one.", "application/json"),
        ("/api/health", "`ok`, and the number of questions that are being worked on.", "application/json"),
        ("/api/openapi.json", "This file.", "application/json"),
    ] {
        let answer =
            json!({ "200": { "description": description, "content": { kind: { "schema": { "type": "object" } } } } });
        paths.insert(path.into(), json!({ "get": { "description": description, "responses": answer } }));
    }
    let mut schemas = generator.take_definitions(true);
    // Every question may carry its time, and some an engine; the server takes both out before it looks at the question.
    for (name, takes_engine) in asks {
        let Some(Value::Object(asked)) = schemas.get_mut(&name) else { continue };
        if let Value::Object(fields) = asked.entry("properties").or_insert_with(|| json!({})) {
            fields.insert("limit_ms".into(), limit());
            if takes_engine {
                fields.insert("engine".into(), engine());
            }
        }
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "cnfkit-app",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Questions about Sudokus, Gem Hunter boards, encodings and models.",
        },
        "paths": paths,
        "components": { "schemas": schemas },
    })
}
