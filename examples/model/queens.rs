//! n queens on an n × n board, none of which attacks another.

use cnfkit::model::{Model, ModelError};

pub(crate) fn run(n: Option<usize>) -> Result<String, ModelError> {
    let n = n.unwrap_or(8);
    let mut model = Model::new();
    let rows = model.ints(n, 0..n as i64); // the row of the queen in each column
    model.all_different(&rows);
    model.all_different((0..).zip(&rows).map(|(column, &row)| row + column));
    model.all_different((0..).zip(&rows).map(|(column, &row)| row - column));
    let Some(solution) = model.solve()? else { return Ok("no solution".into()) };
    let line = |queen: i64| (0..n as i64).map(|at| if at == queen { " Q" } else { " ." }).collect::<String>();
    Ok(solution.values(&rows).into_iter().map(line).collect::<Vec<_>>().join("\n"))
}
