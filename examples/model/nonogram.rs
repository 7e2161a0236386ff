//! A nonogram: the lengths of the runs of filled cells are known for every row and column.

use cnfkit::model::{Automaton, Model, ModelError, regular};

const ROWS: [&[usize]; 10] = [&[1, 1], &[2, 2], &[5], &[2, 1, 2], &[7], &[2, 2], &[3], &[1, 1], &[7], &[1, 1]];
const COLUMNS: [&[usize]; 9] = [&[1], &[2, 1], &[6, 2], &[2, 3, 1], &[3, 1, 1], &[2, 3, 1], &[6, 2], &[2, 1], &[1]];

pub(crate) fn run(_: Option<usize>) -> Result<String, ModelError> {
    let mut model = Model::new();
    let grid = model.int_grid(ROWS.len(), COLUMNS.len(), 0..=1);
    for (row, runs) in ROWS.iter().enumerate() {
        model.post(regular(grid.row(row), &Automaton::runs(runs)));
    }
    for (column, runs) in COLUMNS.iter().enumerate() {
        model.post(regular(grid.column(column), &Automaton::runs(runs)));
    }
    let Some(solution) = model.solve()? else { return Ok("no solution".into()) };
    let line = |row: &[i64]| row.iter().map(|&cell| if cell == 1 { '#' } else { '.' }).collect::<String>();
    Ok(solution.grid(&grid).rows().map(line).collect::<Vec<_>>().join("\n"))
}
