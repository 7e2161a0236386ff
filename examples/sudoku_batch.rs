//! Solves many Sudokus, one a line, with a progress bar; then says how many a second.
//!
//! Exit code 0: every line has a solution; 1: some have none; 2: some lines are no puzzles, or the file cannot be read.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use cnfkit::sudoku::Answer;
use cnfkit::sudoku::Strategy;
use cnfkit::{AmoEncoding, Grid, Layout, SudokuEncoder};
use indicatif::{HumanCount, ProgressBar, ProgressStyle};

/// Solves many Sudokus, one a line: 81 characters, or `name|n|box rows|box columns|cells|regions|…`.
///
/// Without a file it makes 1,000 puzzles and solves them. Built with `--features rayon` it uses all threads.
#[derive(Parser)]
#[command(version)]
struct Args {
    /// A file with a puzzle a line, or - for standard input
    file: Option<String>,
    /// Print the solutions, one a line, in the order of the puzzles (`-` where there is none)
    #[arg(short, long)]
    print: bool,
    /// Encode all rules once and assume the givens, instead of propagating givens first
    #[arg(long)]
    base: bool,
    /// The encoding of at most one
    #[arg(long, default_value_t)]
    encoding: AmoEncoding,
}

#[derive(Default)]
struct Tally {
    solved: u64,
    unsolvable: u64,
    wrong: u64,
}

fn main() -> ExitCode {
    let args = Args::parse();
    match run(&args) {
        Ok(Tally { unsolvable: 0, wrong: 0, .. }) => ExitCode::SUCCESS,
        Ok(Tally { wrong: 0, .. }) => ExitCode::from(1),
        Ok(_) => ExitCode::from(2),
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &Args) -> Result<Tally, String> {
    let nine = Layout::boxes(3, 3);
    let strategy = if args.base { Strategy::Base } else { Strategy::Pruned };
    let like = SudokuEncoder::new(Grid::empty(nine.clone())).strategy(strategy).encoding(args.encoding);
    let lines: Vec<String> = match args.file.as_deref() {
        None => (0..1000)
            .map(|seed| match SudokuEncoder::generate_minimal(&nine, seed) {
                Ok(Some(puzzle)) => Ok(puzzle.to_string()),
                Ok(None) => Err("9×9 has no solution".to_owned()),
                Err(error) => Err(error.to_string()),
            })
            .collect::<Result<_, _>>()?,
        Some("-") => read(io::stdin().lock()).map_err(|error| format!("standard input: {error}"))?,
        Some(file) => {
            File::open(file).and_then(|file| read(BufReader::new(file))).map_err(|error| format!("{file}: {error}"))?
        }
    };
    let style = "{bar:40} {human_pos} of {human_len} puzzles, {per_sec}, {eta} left";
    let bar = ProgressBar::new(lines.len() as u64)
        .with_style(ProgressStyle::with_template(style).map_err(|error| error.to_string())?);

    let mut out = BufWriter::new(io::stdout().lock());
    let mut tally = Tally::default();
    let start = Instant::now();
    let mut each = |answer: Answer| -> ControlFlow<io::Error> {
        let printed = match &answer.result {
            Ok(Some(grid)) => {
                tally.solved += 1;
                if args.print { writeln!(out, "{}", one_line(grid)) } else { Ok(()) }
            }
            Ok(None) => {
                tally.unsolvable += 1;
                if args.print { writeln!(out, "-") } else { Ok(()) }
            }
            Err(error) => {
                tally.wrong += 1;
                bar.suspend(|| eprintln!("{error}"));
                if args.print { writeln!(out, "-") } else { Ok(()) }
            }
        };
        if answer.line.is_multiple_of(1024) {
            bar.set_position(answer.line as u64);
        }
        match printed {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => ControlFlow::Break(error),
        }
    };
    let end = solve(&lines, &like, &mut each);
    let took = start.elapsed();
    let end = match end {
        ControlFlow::Continue(()) => out.flush(),
        ControlFlow::Break(error) => Err(error),
    };
    bar.finish_and_clear();
    match end {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => return Err(format!("standard output: {error}")),
        _ => {}
    }
    let Tally { solved, unsolvable, wrong } = tally;
    let rate = u128::from(solved + unsolvable) * 1_000_000_000 / took.as_nanos().max(1);
    eprintln!("{solved} solved, {unsolvable} without a solution, {wrong} wrong lines");
    eprintln!(
        "{took:.1?}, {} puzzles/s, reading their text included",
        HumanCount(u64::try_from(rate).unwrap_or(u64::MAX))
    );
    Ok(tally)
}

#[cfg(feature = "rayon")]
fn solve(
    lines: &[String],
    like: &SudokuEncoder,
    each: impl FnMut(Answer) -> ControlFlow<io::Error>,
) -> ControlFlow<io::Error> {
    cnfkit::sudoku::par_solve(lines, like, each)
}

#[cfg(not(feature = "rayon"))]
fn solve(
    lines: &[String],
    like: &SudokuEncoder,
    each: impl FnMut(Answer) -> ControlFlow<io::Error>,
) -> ControlFlow<io::Error> {
    cnfkit::sudoku::SudokuStream::new(lines, like).try_for_each(each)
}

/// The lines; what is no UTF-8 becomes a sign that no puzzle has, so that the line alone is wrong.
fn read(reader: impl BufRead) -> io::Result<Vec<String>> {
    reader.split(b'\n').map(|line| Ok(String::from_utf8_lossy(&line?).into_owned())).collect()
}

/// The cells of a solution in one line, whatever the side.
fn one_line(grid: &Grid) -> String {
    let by = if grid.side() <= 9 { "" } else { "," };
    grid.cells().iter().map(u16::to_string).collect::<Vec<_>>().join(by)
}
