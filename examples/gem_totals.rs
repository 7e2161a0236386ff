//! The time that questions with a total of traps and chances take: a table over boards and totals.
//!
//! ```text
//! cargo run --release --example gem_totals                                  # random boards, 16 × 30 to 1000 × 1000
//! CNFKIT_DATA=data cargo run --release --example gem_totals -- --data       # the boards of a data folder
//! ```
//!
//! A board is named side, trap density, share of safe cells shown. Totals are the fewest and the most traps that an
//! answer can have, these less and more one, the total of the planted answer (of a board from a file: the middle) and
//! the totals halfway. Times are of one question each, in milliseconds, from the board's text to the answer; the column
//! `answers` is the decimal logarithm of their number, and `chance` is that of the best next move.

#[macro_use]
#[path = "common/say.rs"]
mod say;
#[macro_use]
#[path = "common/solving.rs"]
mod solving;

use std::fmt::Display;
use std::path::Path;
use std::process::ExitCode;
use std::str::FromStr;
use std::time::Instant;

use clap::Parser;
use cnfkit::{Cell, GemError, GemHunterEncoder, GemMap, gem_hunter};
use solving::Watch;

/// Prints the time that questions with a total of traps take.
///
/// The table has a row for each board and total; times are milliseconds of one question each.
#[derive(Parser)]
#[command(after_help = EXIT_CODES)]
struct Args {
    /// The boards of the folder `gem_hunter` within the folder that `CNFKIT_DATA` names, instead of random boards
    #[arg(long)]
    data: bool,
    /// One random board: rows, columns, trap density, share of safe cells shown, seed
    #[arg(long, num_args = 5, value_names = ["ROWS", "COLUMNS", "DENSITY", "SHOWN", "SEED"])]
    plant: Option<Vec<String>>,
    #[command(flatten)]
    solving: solving::Solving,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  the table was printed
  2  wrong arguments, a board that cannot be read, the time limit, Ctrl-C, or output that cannot be written";

const BOARDS: [(usize, usize, f64, f64); 5] =
    [(16, 30, 0.2, 0.5), (16, 30, 0.35, 0.4), (30, 30, 0.35, 0.4), (100, 100, 0.2, 0.5), (1000, 1000, 0.2, 0.5)];

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &Args) -> Result<(), String> {
    let watch = args.solving.watch()?;
    say!("| board | unknown | total | solve | certain | probabilities | count | answers | chance |");
    say!("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
    if args.data {
        let folder = std::env::var_os("CNFKIT_DATA").ok_or("CNFKIT_DATA is not set")?;
        let folder = Path::new(&folder).join("gem_hunter");
        let files = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let mut files: Vec<_> = files.flatten().map(|file| file.path()).collect();
        files.sort();
        for file in files {
            let text = std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
            let map: GemMap = text.parse().map_err(|error| format!("{}: {error}", file.display()))?;
            rows(&file.file_stem().unwrap_or_default().to_string_lossy(), &map, None, args, &watch)?;
        }
        return Ok(());
    }
    let boards = match args.plant.as_deref() {
        Some([rows, columns, density, shown, seed]) => {
            vec![(number(rows)?, number(columns)?, number(density)?, number(shown)?, number(seed)?)]
        }
        _ => BOARDS.iter().map(|&(rows, columns, density, shown)| (rows, columns, density, shown, 1)).collect(),
    };
    for (n_rows, columns, density, shown, seed) in boards {
        let (map, answer) = watch.run("making a board", || gem_hunter::plant(n_rows, columns, density, shown, seed));
        rows(&format!("{n_rows}×{columns} {density}/{shown}"), &map, Some(answer.count(Cell::Trap)), args, &watch)?;
    }
    Ok(())
}

fn number<T: FromStr<Err: Display>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error| format!("--plant: `{}`: {error}", text.escape_debug()))
}

/// The rows of one board.
fn rows(name: &str, map: &GemMap, planted: Option<usize>, args: &Args, watch: &Watch) -> Result<(), String> {
    let unknown = map.count(Cell::Unknown);
    let encoder = by!(args.solving, GemHunterEncoder::new(map.clone()).limits(watch.limits()));
    let start = Instant::now();
    let totals = watch.run(format!("counting totals of {name}"), || encoder.trap_totals());
    watch.stopped().map_or(Ok(()), Err)?;
    let totals = match totals {
        Ok(Some(totals)) => totals,
        Ok(None) => {
            say!("| {name} | {unknown} | no answer |");
            return Ok(());
        }
        Err(error) => {
            say!("| {name} | {unknown} | {error}, {:.1?} |", start.elapsed());
            return Ok(());
        }
    };
    let (min, max) = (totals.min(), totals.max());
    let middle = planted.unwrap_or(usize::midpoint(min, max));
    let asked = [min, usize::midpoint(min, middle), middle, usize::midpoint(middle, max), max, max + 1];
    let totals = min.checked_sub(1).into_iter().chain(asked).map(Some);
    for total in std::iter::once(None).chain(totals) {
        let encoder = total.map_or_else(|| encoder.clone(), |total| encoder.clone().traps(total));
        let line = watch.run(format!("asking about {name}"), || row(name, unknown, total, &encoder));
        watch.stopped().map_or(Ok(()), Err)?;
        say!("{line}");
    }
    Ok(())
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
