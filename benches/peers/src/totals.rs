//! The time that questions with a total of traps and chances take: a table over boards and totals.
//!
//! A board is named side, trap density, share of safe cells shown. Totals are the fewest and the most traps that an
//! answer can have, these less and more one, the total of the planted answer (of a board from a file: the middle) and
//! the totals halfway. Times are of one question each, in milliseconds, from the board's text to the answer; the column
//! `answers` is the decimal logarithm of their number, and `chance` is that of the best next move.

use std::path::Path;
use std::time::Instant;

use cnfkit::{Cell, GemError, GemHunterEncoder, GemMap, gem_hunter};

#[derive(clap::Args)]
pub struct Args {
    /// The boards of the folder `gem_hunter` within the folder that `CNFKIT_DATA` names, instead of random boards.
    #[arg(long)]
    data: bool,
    /// One random board: rows, columns, trap density, share of safe cells shown, seed.
    #[arg(long, num_args = 5, value_names = ["ROWS", "COLUMNS", "DENSITY", "SHOWN", "SEED"])]
    plant: Option<Vec<f64>>,
}

const BOARDS: [(usize, usize, f64, f64); 5] =
    [(16, 30, 0.2, 0.5), (16, 30, 0.35, 0.4), (30, 30, 0.35, 0.4), (100, 100, 0.2, 0.5), (1000, 1000, 0.2, 0.5)];

#[allow(clippy::cast_sign_loss)] // of what is typed
pub fn run(args: &Args) {
    println!("| board | unknown | total | solve | certain | probabilities | count | answers | chance |");
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
    if args.data {
        let folder = std::env::var_os("CNFKIT_DATA").expect("CNFKIT_DATA is the data folder");
        let files = std::fs::read_dir(Path::new(&folder).join("gem_hunter")).expect("a folder of boards");
        let mut files: Vec<_> = files.flatten().map(|file| file.path()).collect();
        files.sort();
        for file in files {
            let map: GemMap = std::fs::read_to_string(&file).expect("a text").parse().expect("a board");
            rows(&file.file_stem().unwrap_or_default().to_string_lossy(), &map, None);
        }
        return;
    }
    let boards = match args.plant.as_deref() {
        Some(&[rows, columns, density, shown, seed]) => {
            vec![(rows as usize, columns as usize, density, shown, seed as u64)]
        }
        _ => BOARDS.iter().map(|&(rows, columns, density, shown)| (rows, columns, density, shown, 1)).collect(),
    };
    for (n_rows, columns, density, shown, seed) in boards {
        let (map, answer) = gem_hunter::plant(n_rows, columns, density, shown, seed);
        rows(&format!("{n_rows}×{columns} {density}/{shown}"), &map, Some(answer.count(Cell::Trap)));
    }
}

/// The rows of one board.
fn rows(name: &str, map: &GemMap, planted: Option<usize>) {
    let unknown = map.count(Cell::Unknown);
    let encoder = GemHunterEncoder::new(map.clone());
    let start = Instant::now();
    let totals = match encoder.trap_totals() {
        Ok(Some(totals)) => totals,
        Ok(None) => return println!("| {name} | {unknown} | no answer |"),
        Err(error) => return println!("| {name} | {unknown} | {error}, {:.1?} |", start.elapsed()),
    };
    let (min, max) = (totals.min(), totals.max());
    let middle = planted.unwrap_or(usize::midpoint(min, max));
    let asked = [min, usize::midpoint(min, middle), middle, usize::midpoint(middle, max), max, max + 1];
    let totals = min.checked_sub(1).into_iter().chain(asked).map(Some);
    for total in std::iter::once(None).chain(totals) {
        let encoder = total.map_or_else(|| encoder.clone(), |total| encoder.clone().traps(total));
        println!("{}", row(name, unknown, total, &encoder));
    }
}

/// One row: every question once.
fn row(name: &str, unknown: usize, total: Option<usize>, encoder: &GemHunterEncoder) -> String {
    let total = total.map_or_else(|| "any".to_owned(), |total| total.to_string());
    let solve = timed(|| encoder.solve(), Option::is_some);
    let certain = timed(|| encoder.deduce(), Option::is_some);
    let (mut answers, mut chance) = (String::new(), String::new());
    let probabilities = timed(
        || encoder.probabilities(),
        |found| match found {
            Some(found) => {
                answers = format!("{:.2}", found.log10_count());
                chance = found
                    .best_move()
                    .map_or_else(String::new, |(row, column)| format!("{:.4}", found.get(row, column)));
                true
            }
            None => false,
        },
    );
    let count = timed(|| encoder.count(usize::MAX), |&count| count > 0);
    format!("| {name} | {unknown} | {total} | {solve} | {certain} | {probabilities} | {count} | {answers} | {chance} |")
}

/// Milliseconds; `none` if there is no answer.
fn timed<T>(ask: impl FnOnce() -> Result<T, GemError>, is_some: impl FnOnce(&T) -> bool) -> String {
    let start = Instant::now();
    let answer = ask();
    let time = start.elapsed().as_secs_f64() * 1e3;
    match answer {
        Ok(answer) if is_some(&answer) => format!("{time:.2}"),
        Ok(_) => format!("{time:.2} (none)"),
        Err(error) => format!("{time:.2} ({error})"),
    }
}
