//! n queens on an n × n board, none of which attacks another.

use cnfkit::model::{Expr, IntVar, Model, Solution};

/// n queens on an n × n board: the column of the queen in each row.
pub(crate) fn model(n: usize) -> (Model, Vec<IntVar>) {
    let mut model = Model::new();
    let columns = model.ints(n, 0..n as i64);
    model.all_different(&columns);
    model.all_different((0..).zip(&columns).map(|(row, &column)| column + row));
    model.all_different((0..).zip(&columns).map(|(row, &column)| column - row));
    (model, columns)
}

pub(crate) fn page(n: Option<usize>) -> (Model, Option<Expr>, Box<dyn Fn(&Solution, i64) -> String>) {
    let n = n.unwrap_or(8);
    let (model, columns) = model(n);
    let line = move |queen: i64| (0..n as i64).map(|at| if at == queen { " Q" } else { " ." }).collect::<String>();
    let show =
        move |solution: &Solution, _| solution.values(&columns).into_iter().map(line).collect::<Vec<_>>().join("\n");
    (model, None, Box::new(show))
}
