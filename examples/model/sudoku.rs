//! Any Sudoku: rows, columns and boxes are all different, and the givens are what they are.

use cnfkit::model::{Expr, IntGrid, Model, Solution};

/// A puzzle with 26 givens.
const GIVENS: [&str; 9] = [
    ".7....69.",
    "...61....",
    ".92....5.",
    "....817.9",
    "4....3...",
    "....561.8",
    ".59....1.",
    "...56....",
    ".2....57.",
];

/// A Sudoku: rows, columns and boxes are all different. Givens are rows and columns from 0, and digits.
pub(crate) fn model(givens: &[(usize, usize, i64)]) -> (Model, IntGrid) {
    let mut model = Model::new();
    let grid = model.int_grid(9, 9, 1..=9);
    for i in 0..9 {
        model.all_different(grid.row(i));
        model.all_different(grid.column(i));
        let (r, c) = (i / 3 * 3, i % 3 * 3);
        model.all_different(grid.slice(r..r + 3, c..c + 3));
    }
    for &(row, column, digit) in givens {
        model.post(grid.at(row, column).eq(digit));
    }
    (model, grid)
}

pub(crate) fn page(_: Option<usize>) -> (Model, Option<Expr>, Box<dyn Fn(&Solution, i64) -> String>) {
    let signs = GIVENS.concat();
    let signs = signs.chars().enumerate();
    let givens: Vec<_> = signs.filter_map(|(at, sign)| Some((at / 9, at % 9, sign.to_digit(10)?.into()))).collect();
    let (model, grid) = model(&givens);
    (model, None, Box::new(move |solution, _| solution.grid(&grid).to_string()))
}
