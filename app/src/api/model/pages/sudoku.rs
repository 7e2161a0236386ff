//! A Sudoku as a model.

#[path = "../../../../../examples/model/sudoku.rs"]
#[expect(dead_code, reason = "its `page` is for the terminal")]
mod example;

use crate::api::model::Page;
use crate::api::model::answer::{Answer, Drawing, Goal, ask};
use crate::api::model::parameters::{Chosen, Parameter, wrong};
use crate::jobs::Work;
use crate::problem::Problem;

pub(super) const PAGE: Page = Page {
    name: "sudoku",
    title: "Sudoku",
    about: "Rows, columns and boxes are all different, and the givens are what they are.",
    parameters: &[Parameter::text(
        "givens",
        "Givens",
        "nine lines of nine characters, . for an empty cell",
        ".7....69.\n...61....\n.92....5.\n....817.9\n4....3...\n....561.8\n.59....1.\n...56....\n.2....57.",
    )],
    file: include_str!("../../../../../examples/model/sudoku.rs"),
    run,
};

fn run(chosen: &Chosen<'_>, work: &Work) -> Result<Answer, Problem> {
    let signs: Vec<char> = chosen.text("givens")?.chars().filter(|sign| !sign.is_whitespace()).collect();
    if signs.len() != 81 {
        return Err(wrong("givens", format!("{} characters that are no blanks; 81 are needed", signs.len())));
    }
    let mut givens = Vec::new();
    for (at, sign) in signs.into_iter().enumerate() {
        match sign {
            '.' | '0' | '_' | '*' => {}
            '1'..='9' => givens.push((at / 9, at % 9, i64::from(sign.to_digit(10).unwrap_or(0)))),
            _ => {
                let (row, column) = (at / 9 + 1, at % 9 + 1);
                return Err(wrong(
                    "givens",
                    format!("row {row}, column {column}: `{}` is no digit", sign.escape_debug()),
                ));
            }
        }
    }
    let (model, grid) = example::model(&givens);
    ask(model, Goal::Any, work, |solution, _| {
        let values = solution.grid(&grid);
        let cells = values.rows().map(|row| row.iter().map(i64::to_string).collect()).collect();
        Drawing::Grid { cells, note: format!("{} givens", givens.len()), text: values.to_string() }
    })
}
