//! A picture from the lengths of its runs.

#[path = "../../../../../examples/model/nonogram.rs"]
#[expect(dead_code, reason = "its `page` is for the terminal")]
mod example;

use crate::api::model::Page;
use crate::api::model::answer::{Answer, Drawing, Goal, ask};
use crate::api::model::parameters::{Chosen, Parameter, wrong};
use crate::jobs::Work;
use crate::problem::Problem;

pub(super) const PAGE: Page = Page {
    name: "nonogram",
    title: "Nonogram",
    about: "A picture of filled cells, of which the lengths of the runs are known for every row and column.",
    parameters: &[
        Parameter::text(
            "rows",
            "Rows",
            "a row a line: the lengths of its runs, 0 for none",
            "1 1\n2 2\n5\n2 1 2\n7\n2 2\n3\n1 1\n7\n1 1",
        ),
        Parameter::text("columns", "Columns", "a column a line", "1\n2 1\n6 2\n2 3 1\n3 1 1\n2 3 1\n6 2\n2 1\n1"),
    ],
    file: include_str!("../../../../../examples/model/nonogram.rs"),
    run,
};

const MOST: usize = 40;

fn run(chosen: &Chosen<'_>, work: &Work) -> Result<Answer, Problem> {
    let [rows, columns] = [read(chosen, "rows")?, read(chosen, "columns")?];
    let (model, grid) = example::model(&rows, &columns);
    ask(model, Goal::Any, work, |solution, _| {
        let cells: Vec<Vec<bool>> =
            solution.grid(&grid).rows().map(|row| row.iter().map(|&cell| cell == 1).collect()).collect();
        let line = |row: &Vec<bool>| row.iter().map(|&filled| if filled { '#' } else { '.' }).collect::<String>();
        let text = cells.iter().map(line).collect::<Vec<_>>().join("\n");
        Drawing::Nonogram { rows, columns, cells, text }
    })
}

fn read(chosen: &Chosen<'_>, name: &str) -> Result<Vec<Vec<usize>>, Problem> {
    let lines = chosen.lines(name, MOST)?;
    if lines.is_empty() {
        return Err(wrong(name, "there is no line; at least one is needed"));
    }
    let runs = lines.iter().enumerate().map(|(number, line)| {
        let words = line.split([' ', ',']).filter(|word| !word.is_empty());
        let runs: Option<Vec<usize>> = words.map(|word| word.parse().ok().filter(|&run| run <= MOST)).collect();
        let error = || wrong(name, format!("line {}: `{line}` is no list of lengths from 0 to {MOST}", number + 1));
        Ok(runs.ok_or_else(error)?.into_iter().filter(|&run| run > 0).collect())
    });
    runs.collect()
}
