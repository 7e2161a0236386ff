//! Queens that do not attack each other.

#[path = "../../../../../examples/model/queens.rs"]
#[expect(dead_code, reason = "its `page` is for the terminal")]
mod example;

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
    file: include_str!("../../../../../examples/model/queens.rs"),
    run,
};

fn run(chosen: &Chosen<'_>, work: &Work) -> Result<Answer, Problem> {
    let n = chosen.integer("n")?.unsigned_abs() as usize;
    let (model, columns) = example::model(n);
    ask(model, Goal::Any, work, |solution, _| {
        let columns = solution.values(&columns);
        let line = |&queen: &i64| (0..n as i64).map(|at| if at == queen { " Q" } else { " ." }).collect::<String>();
        let text = columns.iter().map(line).collect::<Vec<_>>().join("\n");
        Drawing::Queens { n, columns, text }
    })
}
