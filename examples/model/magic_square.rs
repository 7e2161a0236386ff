//! The numbers from 1 to n² in a square whose rows, columns and diagonals have the same sum.

use cnfkit::model::{IntGrid, Model, ModelError, sum};

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

pub(crate) fn run(n: Option<usize>, set: &dyn Fn(&mut Model)) -> Result<String, ModelError> {
    let n = n.unwrap_or(4);
    let (mut model, grid) = model(n);
    // Of eight squares that are turned or mirrored images of each other, one.
    let (corner, last) = (grid.at(0, 0), n.saturating_sub(1));
    for other in [grid.at(0, last), grid.at(last, 0), grid.at(last, last)] {
        model.post(corner.le(other));
    }
    model.post(grid.at(0, last).le(grid.at(last, 0)));
    set(&mut model);
    let solution = model.solve()?;
    Ok(solution.map_or("no solution".into(), |solution| solution.grid(&grid).to_string()))
}
