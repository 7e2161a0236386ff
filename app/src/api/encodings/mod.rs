//! Questions about encodings.

mod list;
mod named;
mod sizes;

use super::Question;

/// Its questions.
#[must_use]
pub fn questions() -> Vec<Question> {
    vec![
        Question::new(
            "encodings/list",
            "Every encoding by family: how it works, its paper, its strength, and the relations it encodes.",
            "{}",
            list::list,
        ),
        Question::new(
            "encodings/sizes",
            "Variables, clauses and literals of encodings, and how long encoding takes.",
            r#"{"relation": "at_most", "k": "n/2", "n": [4, 8, 16], "encodings": ["card:totalizer", "card:network"], "time": true}"#,
            sizes::sizes,
        ),
    ]
}
