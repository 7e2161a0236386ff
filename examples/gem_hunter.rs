//! Solves a Gem Hunter board: the built-in one, a file, or standard input.

#[path = "common/watch.rs"]
mod watch;

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use watch::Watch;

use cnfkit::{CardEncoding, Cell, Deduction, GemHunterEncoder, GemParser, GemStrategy, Kind};

/// Writes a line; a reader that has seen enough is no error.
macro_rules! say {
    ($($line:tt)*) => {{
        let _ = writeln!(std::io::stdout(), $($line)*);
    }};
}

const BUILT_IN: &str = "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _\n";

/// Solves a Gem Hunter board.
///
/// A row a line, cells separated by commas or blanks: a number counts the traps around it, `_` is unknown, `T` a trap, `G` a
/// gem. Exit code 0: solved; 1: the board cannot be solved; 2: the input is no board.
#[derive(Parser)]
#[command(name = "gem_hunter")]
struct Args {
    /// The board's file, `-` for standard input; without it a built-in board is solved.
    file: Option<PathBuf>,
    /// How numbers become clauses.
    #[arg(long, default_value = "combinatorial", value_name = "NAME")]
    encoding: CardEncoding,
    /// Demand exactly this many traps on the whole board.
    #[arg(long, value_name = "TOTAL")]
    traps: Option<usize>,
    /// Take only the format `3, _, 2, _`.
    #[arg(long)]
    strict: bool,
    /// Also say what is certain of each cell: `T` or `G` in every answer, `?` not the same in all, `*` touched by no number.
    #[arg(long)]
    certain: bool,
    /// Give up after this many seconds.
    #[arg(long, value_name = "SECONDS")]
    time_limit: Option<f64>,
    /// How to solve: whole, parts or windows.
    #[arg(long, default_value_t, value_name = "NAME")]
    strategy: GemStrategy,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(code) => code,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &Args) -> Result<ExitCode, String> {
    let watch = Watch::new(args.time_limit)?;
    let (name, text) = read(args)?;
    let map = GemParser::new().strict(args.strict).parse(&text).map_err(|error| format!("{name}: {error}"))?;
    let mut encoder = GemHunterEncoder::new(map).encoding(args.encoding).strategy(args.strategy).cancel(watch.flag());
    if let Some(total) = args.traps {
        encoder = encoder.traps(total);
    }

    let (cnf, encoding) = timed(|| watch.run("encoding", || encoder.encode()));
    let cnf = cnf.map_err(|error| error.to_string())?;
    let (answer, solving) = timed(|| watch.run("solving", || encoder.solve()));
    let answer = answer.map_err(|error| watch.explain(error.to_string()))?;

    say!("{}", encoder.map());
    let code = if let Some(answer) = &answer {
        say!("{answer}");
        let new = |cell| answer.count(cell) - encoder.map().count(cell);
        say!("Filled: {}", encoder.map().count(Cell::Unknown));
        say!("Gems: {}", new(Cell::Gem));
        say!("Traps: {}", new(Cell::Trap));
        ExitCode::SUCCESS
    } else {
        say!(
            "No solution: {}",
            watch
                .run("looking for the numbers that contradict each other", || why(&encoder))
                .map_err(|error| watch.explain(error))?
        );
        ExitCode::FAILURE
    };
    say!("Size: {} x {}", encoder.map().rows(), encoder.map().columns());
    say!("Encoding: {}", args.encoding);
    say!("Variables: {}", encoder.map().count(Cell::Unknown) + cnf.n_vars() - encoder.map().cells().len());
    say!("Clauses: {}", cnf.n_clauses());
    say!("Encoding time: {encoding:.1?}");
    say!("Solving time: {solving:.1?}");
    if args.certain && answer.is_some() {
        let (deduction, time) = timed(|| watch.run("finding out what is certain", || encoder.deduce()));
        say!("Time for what is certain: {time:.1?}\n");
        if let Some(deduction) = deduction.map_err(|error| error.to_string())? {
            print_certain(&encoder, &deduction);
        }
    }
    Ok(code)
}

fn print_certain(encoder: &GemHunterEncoder, deduction: &Deduction) {
    for row in 0..encoder.map().rows() {
        let cells = (0..encoder.map().columns()).map(|column| match deduction.get(row, column) {
            Kind::Trap => "T".into(),
            Kind::Gem => "G".into(),
            Kind::Undecided => "?".into(),
            Kind::Free => "*".into(),
            Kind::Number => encoder.map().get(row, column).to_string(),
        });
        say!("{}", cells.collect::<Vec<String>>().join(", "));
    }
}

/// The numbers that contradict each other, rows and columns from 1.
fn why(encoder: &GemHunterEncoder) -> Result<String, String> {
    let numbers = encoder.explain().map_err(|error| error.to_string())?.unwrap_or_default();
    let named: Vec<String> = numbers
        .iter()
        .map(|&(row, column)| {
            format!("the {} in row {}, column {}", encoder.map().get(row, column), row + 1, column + 1)
        })
        .collect();
    Ok(match named.as_slice() {
        [] => "the total number of traps is impossible".into(),
        [one] => format!("{one} {}", alone(encoder, numbers[0])),
        several => format!("these contradict each other: {}", several.join("; ")),
    })
}

/// What is wrong with a number that contradicts no other.
fn alone(encoder: &GemHunterEncoder, (row, column): (usize, usize)) -> String {
    let map = encoder.map();
    let (rows, columns) =
        (row.saturating_sub(1)..map.rows().min(row + 2), column.saturating_sub(1)..map.columns().min(column + 2));
    let around: Vec<Cell> = rows.flat_map(|row| columns.clone().map(move |column| map.get(row, column))).collect();
    let count = |kind| around.iter().filter(|&&cell| cell == kind).count();
    let (traps, unknown) = (count(Cell::Trap), count(Cell::Unknown));
    match map.get(row, column) {
        Cell::Number(number) if usize::from(number) > traps + unknown => {
            format!("asks for more traps than its neighbours can be: {}", traps + unknown)
        }
        Cell::Number(number) if usize::from(number) < traps => {
            format!("asks for fewer traps than its neighbours are already: {traps}")
        }
        _ => "contradicts the total number of traps".into(),
    }
}

fn read(args: &Args) -> Result<(String, String), String> {
    let (name, bytes) = match &args.file {
        None => return Ok(("built-in board".into(), BUILT_IN.into())),
        Some(file) if file.as_os_str() == "-" => {
            let mut bytes = Vec::new();
            ("standard input".into(), std::io::stdin().read_to_end(&mut bytes).map(|_| bytes))
        }
        Some(file) => (file.display().to_string(), std::fs::read(file)),
    };
    match bytes {
        // What is not UTF-8 becomes a character that is no cell, and is reported where it is.
        Ok(bytes) => Ok((name, String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) => Err(format!("{name}: {error}")),
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}
