//! The questions of the README have the answers that stand below them.

use serde_json::Value;

use super::tools::ask;

#[tokio::test]
async fn the_readme_tells_the_truth() {
    let readme = include_str!("../../README.md");
    let parts: Vec<&str> = readme.split("curl -s localhost:8080/api/").skip(1).collect();
    assert_eq!(parts.len(), 5);
    for part in parts {
        let name = part.split_whitespace().next().unwrap();
        let question = part.split("-d '").nth(1).unwrap().split("'\n").next().unwrap();
        let answer = part.split("```json\n").nth(1).unwrap().split("```").next().unwrap();
        let answer: Value = serde_json::from_str(answer).unwrap();
        assert_eq!(ask(name, serde_json::from_str(question).unwrap()).await, answer, "{name}");
    }
}
