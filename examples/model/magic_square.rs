//! The numbers from 1 to n² in a square whose rows, columns and diagonals have the same sum.

use cnfkit::model::{Expr, IntGrid, Model, Solution, sum};

/// The numbers from 1 to n², such that rows, columns and diagonals have the same sum.
pub(crate) fn model(n: usize) -> (Model, IntGrid) {
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

pub(crate) fn page(n: Option<usize>) -> (Model, Option<Expr>, Box<dyn Fn(&Solution, i64) -> String>) {
    let n = n.unwrap_or(4);
    let (mut model, grid) = model(n);
    // Of eight squares that are turned or mirrored images of each other, one.
    let (corner, last) = (grid.at(0, 0), n.saturating_sub(1));
    for other in [grid.at(0, last), grid.at(last, 0), grid.at(last, last)] {
        model.post(corner.le(other));
    }
    model.post(grid.at(0, last).le(grid.at(last, 0)));
    (model, None, Box::new(move |solution, _| solution.grid(&grid).to_string()))
}
