//! The `OpenAPI` file says what the server does.

use std::collections::BTreeSet;

use cnfkit_app::api::{Questions, openapi};
use serde_json::Value;

use super::tools::{get, post};

/// `CNFKIT_APP_OPENAPI=write cargo test -p cnfkit-app openapi` writes the file.
#[test]
fn the_file_is_what_the_questions_say() {
    let document = serde_json::to_string_pretty(&openapi::document(&Questions::all())).unwrap() + "\n";
    if std::env::var("CNFKIT_APP_OPENAPI").is_ok_and(|value| value == "write") {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.json"), &document).unwrap();
        return;
    }
    assert!(
        document == openapi::FILE,
        "write openapi.json anew: CNFKIT_APP_OPENAPI=write cargo test -p cnfkit-app openapi"
    );
}

/// Paths of questions in the file, and in the list that the server gives.
#[tokio::test]
async fn it_lists_exactly_the_questions_there_are() {
    let file: Value = get("/api/openapi.json").await.json();
    let paths = file["paths"].as_object().unwrap();
    let asked: BTreeSet<&str> =
        paths.iter().filter(|(_, path)| path.get("post").is_some()).map(|(name, _)| &**name).collect();
    let list = get("/api").await.json();
    let listed =
        list["questions"].as_array().unwrap().iter().map(|question| question["path"].as_str().unwrap()).collect();
    assert_eq!(asked, listed);
    assert!(asked.len() >= 27, "{asked:?}");
    for (path, methods) in paths {
        if methods.get("get").is_some() {
            assert_eq!(get(path).await.status, 200, "{path}");
        }
    }
}

#[tokio::test]
async fn every_example_is_answered_with_the_fields_that_are_announced() {
    let file: Value = get("/api/openapi.json").await.json();
    for (path, methods) in file["paths"].as_object().unwrap() {
        let Some(post_) = methods.get("post") else { continue };
        let example = &post_["requestBody"]["content"]["application/json"]["example"];
        let reply = post(path.strip_prefix("/api/").unwrap(), example.to_string()).await;
        assert_eq!(reply.status, 200, "{path}: {}", reply.text());
        let schema = &post_["responses"]["200"]["content"]["application/json"]["schema"];
        let schema = schema["$ref"].as_str().unwrap().rsplit('/').next().unwrap();
        let announced = file["components"]["schemas"][schema]["properties"].as_object().unwrap();
        let answer = reply.json();
        for name in answer.as_object().unwrap().keys() {
            assert!(announced.contains_key(name), "{path}: {name} is not announced");
        }
    }
}

/// Every `$ref` leads somewhere, and every question says that it takes `limit_ms`.
#[test]
fn references_lead_somewhere() {
    let file: Value = serde_json::from_str(openapi::FILE).unwrap();
    let mut open = vec![&file];
    let mut found = 0;
    while let Some(value) = open.pop() {
        match value {
            Value::Object(fields) => {
                if let Some(to) = fields.get("$ref").and_then(Value::as_str) {
                    assert!(file.pointer(to.trim_start_matches('#')).is_some(), "{to}");
                    found += 1;
                }
                open.extend(fields.values());
            }
            Value::Array(values) => open.extend(values),
            _ => {}
        }
    }
    assert!(found > 50, "{found}");
    for path in file["paths"].as_object().unwrap().values().filter_map(|path| path.get("post")) {
        let to = path["requestBody"]["content"]["application/json"]["schema"]["$ref"].as_str().unwrap();
        let asked = file.pointer(to.trim_start_matches('#')).unwrap();
        assert_eq!(asked["properties"]["limit_ms"]["maximum"], 120_000, "{to}");
    }
}
