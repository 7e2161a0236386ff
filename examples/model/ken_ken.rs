//! `KenKen`: a Latin square in cages; the numbers of a cage make its result by addition, subtraction, multiplication or
//! division.

use cnfkit::model::{Expr, Model, Solution, any, sum, times};

/// The operation, the result, and the cells by row and column.
type Cage = (char, i64, &'static [(usize, usize)]);

const CAGES: [Cage; 7] = [
    ('*', 24, &[(0, 0), (0, 1), (1, 0)]),
    ('-', 3, &[(0, 2), (0, 3)]),
    ('-', 1, &[(1, 2), (1, 3)]),
    ('+', 5, &[(1, 1), (2, 1)]),
    ('-', 2, &[(2, 0), (3, 0)]),
    ('+', 9, &[(2, 2), (2, 3), (3, 3)]),
    ('/', 2, &[(3, 1), (3, 2)]),
];

pub(crate) fn page(_: Option<usize>) -> (Model, Option<Expr>, Box<dyn Fn(&Solution, i64) -> String>) {
    let mut model = Model::new();
    let grid = model.int_grid(4, 4, 1..=4);
    for i in 0..4 {
        model.all_different(grid.row(i));
        model.all_different(grid.column(i));
    }
    for (operation, result, cells) in CAGES {
        let cells: Vec<_> = cells.iter().map(|&cell| grid[cell]).collect();
        match (operation, &cells[..]) {
            ('+', cells) => model.post(sum(cells).eq(result)),
            ('-', &[a, b]) => model.post(any([(a - b).eq(result), (b - a).eq(result)])),
            ('/', &[a, b]) => model.post(any([a.eq(result * b), b.eq(result * a)])),
            (_, cells) => {
                let mut product = Expr::from(1);
                for &cell in cells {
                    let next = model.int(1..=result);
                    model.post(times(product, cell, next));
                    product = next.into();
                }
                model.post(product.eq(result));
            }
        }
    }
    (model, None, Box::new(move |solution, _| solution.grid(&grid).to_string()))
}
