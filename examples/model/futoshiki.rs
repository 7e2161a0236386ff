//! Futoshiki: a Latin square with some numbers given, and signs between cells that say which is less.

use cnfkit::model::{Expr, Model, Solution};

const GIVENS: [(usize, usize, i64); 2] = [(0, 3, 4), (3, 1, 2)];
/// The first cell's number is less than the second's.
const LESS: [((usize, usize), (usize, usize)); 7] = [
    ((0, 1), (0, 0)),
    ((1, 1), (1, 2)),
    ((1, 4), (0, 4)),
    ((2, 2), (2, 3)),
    ((3, 0), (2, 0)),
    ((4, 2), (3, 2)),
    ((4, 3), (4, 4)),
];

pub(crate) fn page(_: Option<usize>) -> (Model, Option<Expr>, Box<dyn Fn(&Solution, i64) -> String>) {
    let mut model = Model::new();
    let grid = model.int_grid(5, 5, 1..=5);
    for i in 0..5 {
        model.all_different(grid.row(i));
        model.all_different(grid.column(i));
    }
    for (row, column, number) in GIVENS {
        model.post(grid.at(row, column).eq(number));
    }
    for (less, more) in LESS {
        model.post(grid[less].lt(grid[more]));
    }
    (model, None, Box::new(move |solution, _| solution.grid(&grid).to_string()))
}
