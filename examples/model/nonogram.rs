//! A nonogram: the lengths of the runs of filled cells are known for every row and column.

use cnfkit::model::{Automaton, Expr, IntGrid, Model, Solution, regular};

const ROWS: [&[usize]; 10] = [&[1, 1], &[2, 2], &[5], &[2, 1, 2], &[7], &[2, 2], &[3], &[1, 1], &[7], &[1, 1]];
const COLUMNS: [&[usize]; 9] = [&[1], &[2, 1], &[6, 2], &[2, 3, 1], &[3, 1, 1], &[2, 3, 1], &[6, 2], &[2, 1], &[1]];

/// Cells that are filled (1) or not (0), such that each row and column has runs of these lengths.
pub(crate) fn model(rows: &[impl AsRef<[usize]>], columns: &[impl AsRef<[usize]>]) -> (Model, IntGrid) {
    let mut model = Model::new();
    let grid = model.int_grid(rows.len(), columns.len(), 0..=1);
    for (row, runs) in rows.iter().enumerate() {
        model.post(regular(grid.row(row), &Automaton::runs(runs.as_ref())));
    }
    for (column, runs) in columns.iter().enumerate() {
        model.post(regular(grid.column(column), &Automaton::runs(runs.as_ref())));
    }
    (model, grid)
}

pub(crate) fn page(_: Option<usize>) -> (Model, Option<Expr>, Box<dyn Fn(&Solution, i64) -> String>) {
    let (model, grid) = model(&ROWS, &COLUMNS);
    let line = |row: &[i64]| row.iter().map(|&cell| if cell == 1 { '#' } else { '.' }).collect::<String>();
    let show = move |solution: &Solution, _| solution.grid(&grid).rows().map(line).collect::<Vec<_>>().join("\n");
    (model, None, Box::new(show))
}
