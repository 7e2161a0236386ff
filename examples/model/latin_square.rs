//! A Latin square whose middle diagonal is given: every number once in every row and column.

use cnfkit::model::{Model, ModelError};

pub(crate) fn run(n: Option<usize>, set: &dyn Fn(&mut Model)) -> Result<String, ModelError> {
    let n = n.unwrap_or(9);
    let mut model = Model::new();
    let grid = model.int_grid(n, n, 1..=n as i64);
    for i in 0..n {
        model.all_different(grid.row(i));
        model.all_different(grid.column(i));
        model.post(grid.at(i, i).eq(1 + i as i64 * 3 % n as i64));
    }
    set(&mut model);
    let solution = model.solve()?;
    Ok(solution.map_or("no solution".into(), |solution| solution.grid(&grid).to_string()))
}
