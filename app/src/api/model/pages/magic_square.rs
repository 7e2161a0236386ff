//! A magic square.

#[path = "../../../../../examples/model/magic_square.rs"]
#[expect(dead_code, reason = "its `page` is for the terminal")]
mod example;

use crate::api::model::Page;
use crate::api::model::answer::{Answer, Drawing, Goal, ask};
use crate::api::model::parameters::{Chosen, Parameter};
use crate::jobs::Work;
use crate::problem::Problem;

pub(super) const PAGE: Page = Page {
    name: "magic-square",
    title: "Magic square",
    about: "The numbers from 1 to n² in a square whose rows, columns and diagonals have the same sum.",
    parameters: &[Parameter::integer("n", "Side", "rows and columns", [1, 4, 7])],
    file: include_str!("../../../../../examples/model/magic_square.rs"),
    run,
};

fn run(chosen: &Chosen<'_>, work: &Work) -> Result<Answer, Problem> {
    let n = chosen.integer("n")?;
    let (model, grid) = example::model(n.unsigned_abs() as usize);
    ask(model, Goal::Any, work, |solution, _| {
        let values = solution.grid(&grid);
        let cells = values.rows().map(|row| row.iter().map(i64::to_string).collect()).collect();
        Drawing::Grid {
            cells,
            note: format!("every line has the sum {}", n * (n * n + 1) / 2),
            text: values.to_string(),
        }
    })
}
