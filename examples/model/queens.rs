//! n queens on an n × n board, none of which attacks another.

use cnfkit::model::{IntVar, Model, ModelError};

/// n queens on an n × n board: the column of the queen in each row.
pub(crate) fn model(n: usize) -> (Model, Vec<IntVar>) {
    let mut model = Model::new();
    let columns = model.ints(n, 0..n as i64);
    model.all_different(&columns);
    model.all_different((0..).zip(&columns).map(|(row, &column)| column + row));
    model.all_different((0..).zip(&columns).map(|(row, &column)| column - row));
    (model, columns)
}

pub(crate) fn run(n: Option<usize>, set: &dyn Fn(&mut Model)) -> Result<String, ModelError> {
    let n = n.unwrap_or(8);
    let (mut model, columns) = model(n);
    set(&mut model);
    let Some(solution) = model.solve()? else { return Ok("no solution".into()) };
    let line = |queen: i64| (0..n as i64).map(|at| if at == queen { " Q" } else { " ." }).collect::<String>();
    Ok(solution.values(&columns).into_iter().map(line).collect::<Vec<_>>().join("\n"))
}
