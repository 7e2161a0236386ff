//! Any Sudoku: rows, columns and boxes are all different, and the givens are what they are.

use cnfkit::model::{Model, ModelError};

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

pub(crate) fn run(_: Option<usize>) -> Result<String, ModelError> {
    let mut model = Model::new();
    let grid = model.int_grid(9, 9, 1..=9);
    for i in 0..9 {
        model.all_different(grid.row(i));
        model.all_different(grid.column(i));
        let (r, c) = (i / 3 * 3, i % 3 * 3);
        model.all_different(grid.slice(r..r + 3, c..c + 3));
    }
    for (r, row) in GIVENS.iter().enumerate() {
        for (c, digit) in row.chars().enumerate().filter_map(|(c, sign)| Some((c, sign.to_digit(10)?))) {
            model.post(grid.at(r, c).eq(i64::from(digit)));
        }
    }
    let solution = model.solve()?;
    Ok(solution.map_or("no solution".into(), |solution| solution.grid(&grid).to_string()))
}
