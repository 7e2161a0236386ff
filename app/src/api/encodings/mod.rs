//! Questions about encodings.

mod clauses;
mod dimacs;
mod list;
mod named;
mod sizes;
mod terms;
mod weights;

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
            "Variables, clauses and literals of a count of literals, or a sum of weights, and how long encoding takes.",
            concat!(
                r#"{"relation": "at_most", "k": "n/2", "n": [4, 8, 16], "#,
                r#""encodings": ["card:totalizer", "card:network"], "time": true}"#
            ),
            sizes::sizes,
        ),
        Question::new(
            "encodings/clauses",
            "The clauses of a small constraint, and what each variable is.",
            r#"{"relation": "at_most", "n": 6, "k": 2, "encoding": "card:totalizer"}"#,
            clauses::clauses,
        ),
        Question::new(
            "encodings/svg",
            "A picture of how a small constraint is put together: inputs, auxiliaries, and what is made of what.",
            r#"{"constraint": {"relation": "at_most", "n": 6, "k": 2, "encoding": "card:totalizer"}, "dark": false}"#,
            clauses::svg,
        ),
        Question::new(
            "encodings/dimacs",
            "A constraint on literals of one's own as a formula in DIMACS format.",
            r#"{"text": "1 -2 3 -4 5", "relation": "exactly", "k": 2, "encoding": "card:auto"}"#,
            dimacs::dimacs,
        ),
    ]
}
