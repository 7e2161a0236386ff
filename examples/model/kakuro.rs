//! Kakuro: runs of white cells with digits that are all different and have the sum that is given.

use cnfkit::model::{Expr, Model, Solution, sum};

/// White cells are dots.
const BOARD: [&str; 4] = ["..#..", ".....", "#...#", "....."];
/// The sums of the runs, row by row, and column by column.
const ACROSS: [i64; 5] = [5, 8, 30, 11, 20];
const DOWN: [i64; 7] = [13, 5, 16, 17, 14, 7, 2];

pub(crate) fn page(_: Option<usize>) -> (Model, Option<Expr>, Box<dyn Fn(&Solution, i64) -> String>) {
    let (rows, columns) = (BOARD.len(), BOARD[0].len());
    let is_white = |row: usize, column: usize| BOARD[row].as_bytes()[column] == b'.';
    let mut model = Model::new();
    let grid = model.int_grid(rows, columns, 0..=9);
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        model.post(if is_white(row, column) { grid.at(row, column).ge(1) } else { grid.at(row, column).eq(0) });
    }
    let across = (0..rows).map(|row| (0..columns).map(|column| (row, column)).collect::<Vec<_>>());
    let down = (0..columns).map(|column| (0..rows).map(|row| (row, column)).collect::<Vec<_>>());
    for (lines, sums) in [(across.collect::<Vec<_>>(), &ACROSS[..]), (down.collect(), &DOWN[..])] {
        let runs = lines.iter().flat_map(|line| line.split(|&(row, column)| !is_white(row, column)));
        for (run, &total) in runs.filter(|run| !run.is_empty()).zip(sums) {
            let cells: Vec<_> = run.iter().map(|&cell| grid[cell]).collect();
            model.all_different(&cells);
            model.post(sum(&cells).eq(total));
        }
    }
    (model, None, Box::new(move |solution, _| solution.grid(&grid).to_string().replace('0', "#")))
}
