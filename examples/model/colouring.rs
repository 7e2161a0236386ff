//! Colours for the vertices of a graph, such that neighbours differ, and as few as possible: queens' squares, so a
//! colour is a set of queens that do not attack each other.

use cnfkit::model::{Expr, Model, Solution, maximum};

pub(crate) fn page(n: Option<usize>) -> (Model, Option<Expr>, Box<dyn Fn(&Solution, i64) -> String>) {
    let n = n.unwrap_or(5);
    let squares: Vec<(usize, usize)> = (0..n).flat_map(|row| (0..n).map(move |column| (row, column))).collect();
    let most = n as i64 + 2;
    let mut model = Model::new();
    let colour = model.int_grid(n, n, 1..=most);
    for (at, &(r, c)) in squares.iter().enumerate() {
        for &(row, column) in &squares[at + 1..] {
            let (down, right) = (r.abs_diff(row), c.abs_diff(column));
            if down == 0 || right == 0 || down == right {
                model.post(colour.at(r, c).ne(colour.at(row, column)));
            }
        }
    }
    let used = model.int(1..=most);
    model.post(maximum(&colour, used));
    let show = move |solution: &Solution, colours| format!("{}\n{colours} colours", solution.grid(&colour));
    (model, Some(used.into()), Box::new(show))
}
