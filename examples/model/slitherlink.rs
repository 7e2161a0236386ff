//! Slitherlink: one loop along the lines of a grid; a number says how many of a cell's four sides are part of it.

use cnfkit::model::{Bool, Expr, Model, Solution, subcircuit, sum};

const CLUES: [&str; 5] = ["23...", "222.2", "22.2.", ".22..", "22222"];

pub(crate) fn page(_: Option<usize>) -> (Model, Option<Expr>, Box<dyn Fn(&Solution, i64) -> String>) {
    let (rows, columns) = (CLUES.len(), CLUES[0].len());
    let wide = columns + 1;
    let points: Vec<(usize, usize)> = (0..=rows).flat_map(|row| (0..wide).map(move |column| (row, column))).collect();
    let near = |&(a, b): &(usize, usize), &(c, d): &(usize, usize)| a.abs_diff(c) + b.abs_diff(d) <= 1;
    let mut model = Model::new();
    // The point that comes next on the loop; a point that is not on it stays where it is.
    let mut next = Vec::new();
    for point in &points {
        let targets: Vec<i64> = (0..).zip(&points).filter(|(_, other)| near(point, other)).map(|(at, _)| at).collect();
        next.push(model.int(targets));
    }
    model.post(subcircuit(&next));
    let step = |from: usize, to: usize| -> [Bool; 2] { [next[from].is(to as i64), next[to].is(from as i64)] };
    for (row, line) in CLUES.iter().enumerate() {
        for (column, clue) in line.chars().enumerate().filter_map(|(at, sign)| Some((at, sign.to_digit(10)?))) {
            let corner = row * wide + column;
            let (right, below) = (corner + 1, corner + wide);
            let sides = [(corner, right), (corner, below), (right, below + 1), (below, below + 1)];
            model.post(sum(sides.into_iter().flat_map(|(from, to)| step(from, to))).eq(i64::from(clue)));
        }
    }
    let show = move |solution: &Solution, _| {
        let step = |from: usize, to: usize| [next[from].is(to as i64), next[to].is(from as i64)];
        let is_drawn = |from: usize, to: usize| step(from, to).into_iter().any(|step| solution.is_true(step));
        let mut picture = Vec::new();
        for row in 0..=rows {
            let point = |column: usize| row * wide + column;
            let across = (0..columns).map(|at| if is_drawn(point(at), point(at + 1)) { "+--" } else { "+  " });
            picture.push(across.collect::<String>() + "+");
            if row < rows {
                let down = (0..wide).map(|at| {
                    let clue = CLUES.get(row).and_then(|line| line.get(at..=at)).unwrap_or(" ");
                    format!("{}{clue} ", if is_drawn(point(at), point(at) + wide) { "|" } else { " " })
                });
                picture.push(down.collect::<String>().trim_end().to_owned());
            }
        }
        picture.join("\n")
    };
    (model, None, Box::new(show))
}
