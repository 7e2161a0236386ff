//! A magic square.

use cnfkit::model::{IntGrid, Model, sum};

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
    file: include_str!("magic_square.rs"),
    run,
};

/// The numbers from 1 to n², such that rows, columns and diagonals have the same sum.
fn model(n: usize) -> (Model, IntGrid) {
    let numbers = (n * n) as i64;
    let total = n as i64 * (numbers + 1) / 2;
    let mut model = Model::new();
    let grid = model.int_grid(n, n, 1..=numbers);
    model.all_different(&grid);
    for i in 0..n {
        model.post(sum(grid.row(i)).eq(total));
        model.post(sum(grid.column(i)).eq(total));
    }
    model.post(sum((0..n).map(|i| grid.at(i, i))).eq(total));
    model.post(sum((0..n).map(|i| grid.at(i, n - 1 - i))).eq(total));
    (model, grid)
}

fn run(chosen: &Chosen<'_>, work: &Work) -> Result<Answer, Problem> {
    let n = chosen.integer("n")?;
    let (model, grid) = model(n.unsigned_abs() as usize);
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
