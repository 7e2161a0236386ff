//! Questions about Gem Hunter boards.

mod board;
mod deduce;
mod explain;
mod make;

use super::Question;

/// Its questions.
#[must_use]
pub fn questions() -> Vec<Question> {
    vec![
        Question::new(
            "gem/read",
            "A board from text; errors have line and column.",
            r#"{"text": "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _\n"}"#,
            make::read,
        ),
        Question::new("gem/write", "A board as text.", r#"{"board": {"rows": [["3","_"],["_","T"]]}}"#, make::write),
        Question::new(
            "gem/deduce",
            "Certain traps, certain gems, undecided and free cells, chances, and the number of answers.",
            r#"{"board": {"text": "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _"}, "probabilities": true}"#,
            deduce::deduce,
        ),
        Question::new(
            "gem/solve",
            "One answer: every unknown cell a trap or a gem.",
            r#"{"board": {"text": "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _"}, "total": 5}"#,
            deduce::solve,
        )
        .by_engines(),
        Question::new(
            "gem/check",
            "Numbers that the traps and gems on the board make impossible; nothing is solved.",
            r#"{"board": {"rows": [["1","T"],["T","_"]]}}"#,
            explain::check,
        ),
        Question::new(
            "gem/why",
            "The kind of a cell, and the numbers that force it.",
            r#"{"board": {"text": "G, 2, 1, _\n_, _, _, _\n_, _, 1, _"}, "row": 1, "column": 0}"#,
            explain::why,
        ),
        Question::new(
            "gem/explain",
            "Why there is no answer: numbers that contradict each other.",
            r#"{"board": {"text": "3, _\n_, 1"}}"#,
            explain::explain,
        ),
        Question::new(
            "gem/new",
            "A random board and the answer that it was made from; with exactly one answer unless `shown` is given.",
            r#"{"rows": 9, "columns": 9, "density": 0.2, "shown": 0.4, "seed": 1}"#,
            make::new,
        ),
        Question::new(
            "gem/svg",
            "A picture of a board.",
            r#"{"board": {"text": "3, T, 2, G"}, "dark": true}"#,
            make::svg,
        ),
        Question::new(
            "gem/dimacs",
            "The formula, in DIMACS format.",
            r#"{"board": {"text": "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _"}}"#,
            make::dimacs,
        ),
        Question::new(
            "gem/proof",
            "Certificates for the proof checker VeriPB 3.0: that there is an answer, and that none has another kind \
             for a cell that is certain; or that there is none. Up to 2500 cells.",
            r#"{"board": {"text": "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _"}}"#,
            make::proof,
        ),
    ]
}
