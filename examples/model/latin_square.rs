//! A Latin square whose middle diagonal is given: every number once in every row and column.

use cnfkit::model::{Expr, Model, Solution};

pub(crate) fn page(n: Option<usize>) -> (Model, Option<Expr>, Box<dyn Fn(&Solution, i64) -> String>) {
    let n = n.unwrap_or(9);
    let mut model = Model::new();
    let grid = model.int_grid(n, n, 1..=n as i64);
    for i in 0..n {
        model.all_different(grid.row(i));
        model.all_different(grid.column(i));
        model.post(grid.at(i, i).eq(1 + i as i64 * 3 % n as i64));
    }
    (model, None, Box::new(move |solution, _| solution.grid(&grid).to_string()))
}
