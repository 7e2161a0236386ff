//! Queens that do not attack each other.

use cnfkit::model::{IntVar, Model};

use crate::api::model::Page;
use crate::api::model::answer::{Answer, Drawing, Goal, ask};
use crate::api::model::parameters::{Chosen, Parameter};
use crate::jobs::Work;
use crate::problem::Problem;

pub(super) const PAGE: Page = Page {
    name: "queens",
    title: "Queens",
    about: "n queens on an n × n board, none of which attacks another.",
    parameters: &[Parameter::integer("n", "Queens", "the number of queens, and the side of the board", [1, 8, 60])],
    file: include_str!("queens.rs"),
    run,
};

/// n queens on an n × n board: the column of the queen in each row.
fn model(n: usize) -> (Model, Vec<IntVar>) {
    let mut model = Model::new();
    let columns = model.ints(n, 0..n as i64);
    model.all_different(&columns);
    model.all_different((0..).zip(&columns).map(|(row, &column)| column + row));
    model.all_different((0..).zip(&columns).map(|(row, &column)| column - row));
    (model, columns)
}

fn run(chosen: &Chosen<'_>, work: &Work) -> Result<Answer, Problem> {
    let n = chosen.integer("n")?.unsigned_abs() as usize;
    let (model, columns) = model(n);
    ask(model, Goal::Any, work, |solution, _| {
        let columns = solution.values(&columns);
        let line = |&queen: &i64| (0..n as i64).map(|at| if at == queen { " Q" } else { " ." }).collect::<String>();
        let text = columns.iter().map(line).collect::<Vec<_>>().join("\n");
        Drawing::Queens { n, columns, text }
    })
}
