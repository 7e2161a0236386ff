//! Hitori and Slitherlink as magazines print them, by what is connected: one solution, and no other.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use cnfkit::Limits;
use cnfkit::model::{Constraint, Model, ModelError, connected, sum};
use cpu_time::ThreadTime;

/// Equal numbers of a row or a column are not both white, black cells do not touch, white cells are connected.
pub fn hitori(rows: usize, columns: usize, given: &[usize]) -> Model {
    let mut model = Model::new();
    let white = model.bool_grid(rows, columns);
    let place = |at: usize| (at / columns, at % columns);
    for one in 0..given.len() {
        for other in 0..one {
            let ((row, column), (other_row, other_column)) = (place(one), place(other));
            if given[one] == given[other] && (row == other_row || column == other_column) {
                model.post(Constraint::from(!white[place(one)]).or(!white[place(other)]));
            }
        }
    }
    for (one, other) in white.adjacent() {
        model.post(white[place(one)] | white[place(other)]);
    }
    model.post(connected(&white, white.adjacent()));
    model
}

/// Cells inside the loop are connected, and those outside, with a frame of cells around the board.
fn slitherlink(rows: usize, columns: usize, clues: &[Option<usize>]) -> Model {
    let mut model = Model::new();
    let inside = model.bool_grid(rows + 2, columns + 2);
    for row in 0..rows + 2 {
        for column in 0..columns + 2 {
            let at = inside[(row, column)];
            let is_frame = row == 0 || column == 0 || row > rows || column > columns;
            let clue = if is_frame { None } else { clues[(row - 1) * columns + column - 1] };
            if is_frame {
                model.post(!at);
            } else if let Some(clue) = clue {
                let around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)];
                let around = sum(around.map(|near| inside[near]));
                model.post(around.clone().eq(clue as i64).or(at));
                model.post(around.eq(4 - clue as i64).or(!at));
            }
        }
    }
    let outside: Vec<_> = inside.iter().map(|&cell| !cell).collect();
    model.post(connected(&inside, inside.adjacent()));
    model.post(connected(&outside, inside.adjacent()));
    model
}

/// Number of puzzles by size with one solution, with more, without an answer, and the most CPU seconds.
pub fn run(file: &Path, only: &str, limit: u64) {
    let text = std::fs::read_to_string(file).expect("a readable file");
    let read: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let is_hitori = read["name"].as_str().is_some_and(|name| name.eq_ignore_ascii_case("hitori"));
    let mut table: BTreeMap<(usize, usize), ([usize; 3], f64)> = BTreeMap::new();
    for (name, puzzle) in
        read["data"].as_object().expect("puzzles by name").iter().filter(|(name, _)| name.contains(only))
    {
        let text = puzzle["problem"].as_str().expect("a puzzle");
        let mut words = text.split_whitespace().map(|word| word.parse::<usize>().ok());
        let (Some(Some(rows)), Some(Some(columns))) = (words.next(), words.next()) else { panic!("{name}: no size") };
        let cells: Vec<Option<usize>> = words.collect();
        assert_eq!(cells.len(), rows * columns, "{name}");
        let start = ThreadTime::now();
        let mut model = if is_hitori {
            hitori(rows, columns, &cells.into_iter().map(|cell| cell.expect("a number")).collect::<Vec<_>>())
        } else {
            slitherlink(rows, columns, &cells)
        };
        model.set_limits(Limits::none().time(Duration::from_secs(limit)));
        let answer = match model.count(2) {
            Ok(1) => 0,
            Ok(2) => 1,
            Ok(_) => panic!("{name} has no solution"),
            Err(ModelError::Interrupted(_)) => 2,
            Err(error) => panic!("{name}: {error}"),
        };
        let row = table.entry((rows, columns)).or_default();
        row.0[answer] += 1;
        row.1 = row.1.max(start.elapsed().as_secs_f64());
        if answer > 0 {
            eprintln!("{name}: {}", ["one solution", "more than one solution", "not within the limit"][answer]);
        }
    }
    println!("| size | one solution | more | not in {limit} s | most CPU, s |\n|---|---:|---:|---:|---:|");
    for ((rows, columns), ([one, more, open], most)) in table {
        println!("| {rows}×{columns} | {one} | {more} | {open} | {most:.3} |");
    }
}
