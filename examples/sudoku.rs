//! Solves a Sudoku: a built-in one, one from a file, or one from standard input.
//!
//! Exit code 0: solved; 1: no solution; 2: wrong input, or no answer in time.

use std::fs::File;
use std::io::{self, Read, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::{Parser, ValueEnum};
use cnfkit::sudoku::{ConstraintSet, Problem, Strategy};
use cnfkit::{AmoEncoding, Grid, Layout, SudokuEncoder, SudokuError};

/// 36 givens, one solution.
const BUILT_IN: &str = "\
0 0 0 | 2 6 0 | 7 0 1
6 8 0 | 0 7 0 | 0 9 0
1 9 0 | 0 0 4 | 5 0 0
------+-------+------
8 2 0 | 1 0 0 | 0 4 0
0 0 4 | 6 0 2 | 9 0 0
0 5 0 | 0 0 3 | 0 2 8
------+-------+------
0 0 9 | 3 0 0 | 0 7 4
0 4 0 | 0 5 0 | 0 3 6
7 0 3 | 0 1 8 | 0 0 0
";

/// Solves a Sudoku through SAT.
///
/// Without an argument it solves a built-in puzzle. Text may be 81 characters, rows of characters or numbers, boxed, with a
/// line `layout: boxes 2x3` (or `latin 5`, `regions AAB…`, `+ diagonals` …) before it.
#[derive(Parser)]
#[command(version)]
struct Args {
    /// A file with one puzzle, or - for standard input
    file: Option<String>,
    /// The layout, whatever the side suggests: `boxes 2x3`, `latin 5`, `regions AAB…`, each with `+ diagonals` …
    #[arg(long)]
    layout: Option<Layout>,
    /// Propagate givens first, or encode all rules
    #[arg(long, value_enum, default_value_t = How::Pruned)]
    strategy: How,
    /// The encoding of at most one
    #[arg(long, default_value_t = AmoEncoding::Pairwise)]
    encoding: AmoEncoding,
    /// Every rule once, or all that follow from them too
    #[arg(long, value_enum, default_value_t = Which::Extended)]
    constraints: Which,
    /// Also count the solutions, up to this many
    #[arg(long, value_name = "LIMIT")]
    count: Option<usize>,
    /// Also print the next forced cell, and why it is
    #[arg(long)]
    hint: bool,
    /// Seed of the solver's choices
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Give up after this many seconds
    #[arg(long, value_name = "SECONDS")]
    time_limit: Option<f64>,
    /// Also draw the solution, or the puzzle where it has none, into this file
    #[cfg(feature = "svg")]
    #[arg(long, value_name = "FILE")]
    svg: Option<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum How {
    Pruned,
    Base,
}

#[derive(Clone, Copy, ValueEnum)]
enum Which {
    Minimal,
    Extended,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &Args) -> Result<bool, String> {
    let text = match args.file.as_deref() {
        None => BUILT_IN.to_owned(),
        Some("-") => read(io::stdin()).map_err(|error| format!("standard input: {error}"))?,
        Some(file) => File::open(file).and_then(read).map_err(|error| format!("{file}: {error}"))?,
    };
    let name = match args.file.as_deref() {
        None => "the built-in puzzle",
        Some("-") => "standard input",
        Some(file) => file,
    };
    let parsed = match &args.layout {
        Some(layout) => Grid::parse_as(layout.clone(), &text),
        None => text.parse(),
    };
    let grid = parsed.map_err(|error| format!("{name}: {error}"))?;

    let strategy = match args.strategy {
        How::Pruned => Strategy::Pruned,
        How::Base => Strategy::Base,
    };
    let constraints = match args.constraints {
        Which::Minimal => ConstraintSet::Minimal,
        Which::Extended => ConstraintSet::Extended,
    };
    let mut encoder = SudokuEncoder::new(&grid).strategy(strategy).constraints(constraints);
    encoder = encoder.encoding(args.encoding).seed(args.seed);
    if let Some(seconds) = args.time_limit {
        let limit = Duration::try_from_secs_f64(seconds).map_err(|error| format!("--time-limit: {error}"))?;
        encoder = encoder.time_limit(limit);
    }
    let wrong = |error| match error {
        SudokuError::Invalid { problems, .. } => format!("{name}:\n  {}", listed(&problems).join("\n  ")),
        error => format!("{name}: {error}"),
    };
    let problems = encoder.check();
    let start = Instant::now();
    let cnf = encoder.encode().map_err(wrong)?;
    let encoded = start.elapsed();
    let start = Instant::now();
    let solution = encoder.solve().map_err(wrong)?;
    let solved = start.elapsed();

    let mut more: Vec<String> = Vec::new();
    if let Some(limit) = args.count {
        let count = encoder.count(limit).map_err(wrong)?;
        more.push(format!("solutions  {count}{}", if count == limit { " or more" } else { "" }));
    }
    if args.hint {
        let hint = encoder.hint().map_err(wrong)?;
        more.push(format!(
            "hint       {}",
            hint.map_or_else(|| "no cell is forced".to_owned(), |hint| hint.to_string())
        ));
    }
    if solution.is_none() {
        let why = encoder.why_unsolvable().map_err(wrong)?.unwrap_or_default();
        let givens = why.iter().map(|(row, col, value)| format!("row {}, column {}: {value}", row + 1, col + 1));
        more.push(format!("these givens contradict each other: {}", givens.collect::<Vec<_>>().join("; ")));
    }

    #[cfg(feature = "svg")]
    if let Some(file) = &args.svg {
        let mut sheet = cnfkit::sudoku::Sheet::new(&grid);
        if let Some(solution) = &solution {
            sheet.fill(solution);
        }
        std::fs::write(file, sheet.to_svg()).map_err(|error| format!("{file}: {error}"))?;
    }

    let mut out = io::stdout().lock();
    let mut print = || -> io::Result<()> {
        writeln!(out, "Puzzle, {}, {} givens:\n{grid:#}\n", grid.layout(), grid.givens().count())?;
        match &solution {
            Some(solution) => writeln!(out, "Solution:\n{solution:#}\n")?,
            None => writeln!(out, "There is no solution.\n")?,
        }
        listed(&problems).iter().try_for_each(|line| writeln!(out, "{line}"))?;
        writeln!(out, "encoding   {}", args.encoding)?;
        writeln!(out, "strategy   {strategy:?}")?;
        writeln!(out, "rules      {constraints:?}")?;
        writeln!(out, "variables  {}", cnf.n_vars())?;
        writeln!(out, "clauses    {}", cnf.n_clauses())?;
        writeln!(out, "encode     {encoded:.1?}")?;
        writeln!(out, "solve      {solved:.1?}, encoding included")?;
        more.iter().try_for_each(|line| writeln!(out, "{line}"))
    };
    match print() {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(format!("standard output: {error}")),
        _ => Ok(solution.is_some()),
    }
}

/// The first of `problems`, a line each, and how many more there are.
fn listed(problems: &[Problem]) -> Vec<String> {
    const MOST: usize = 10;
    let mut lines: Vec<String> = problems.iter().take(MOST).map(ToString::to_string).collect();
    if problems.len() > MOST {
        lines.push(format!("and {} more", problems.len() - MOST));
    }
    lines
}

/// A text; what is no text at all is told apart.
fn read(reader: impl Read) -> io::Result<String> {
    const MOST: u64 = 64 << 20;
    let mut bytes = Vec::new();
    reader.take(MOST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "more than 64 MiB; no puzzle is that large"));
    }
    String::from_utf8(bytes).map_err(|error| {
        let (line, column) = error.as_bytes()[..error.utf8_error().valid_up_to()]
            .iter()
            .fold((1, 1), |(line, column), &byte| if byte == b'\n' { (line + 1, 1) } else { (line, column + 1) });
        io::Error::new(io::ErrorKind::InvalidData, format!("line {line}, column {column}: not UTF-8 text"))
    })
}
