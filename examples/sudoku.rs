//! Solves a Sudoku: a built-in one, one from a file, or one from standard input. With the features `hints`, `make` and
//! `proofs`, which `full` turns on, it also explains, makes and proves.

#[macro_use]
#[path = "common/solving.rs"]
mod solving;
#[cfg(all(feature = "hints", feature = "make", feature = "proofs"))]
#[path = "sudoku/more.rs"]
mod more;
#[cfg(not(all(feature = "hints", feature = "make", feature = "proofs")))]
#[path = "sudoku/without.rs"]
mod more;
#[path = "common/text.rs"]
mod text;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, ValueEnum};
use cnfkit::sudoku::{ConstraintSet, Problem, Report, Strategy};
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

/// The time that a second solution is looked for.
const SECOND_SOLUTION: Duration = Duration::from_millis(500);

const EXIT_CODES: &str = "\
Exit codes:
  0  solved
  1  there is no solution
  2  wrong input, no answer in time (or Ctrl-C), or output that cannot be written";

/// Solves a Sudoku through SAT.
///
/// Without an argument it solves a built-in puzzle. Text may be 81 characters, rows of characters or numbers, boxed,
/// with a line `layout: boxes 2x3` (or `latin 5`, `side 9`, `regions AAB…`, each with `+ diagonals` …) before it; or
/// one line `puzzle:number of solutions`, or `name|n|box rows|box columns|cells|regions`.
#[derive(Parser)]
#[command(version, after_help = EXIT_CODES)]
struct Args {
    /// A file with one puzzle, or - for standard input
    file: Option<PathBuf>,
    /// The layout, whatever the side suggests: `boxes 2x3`, `latin 5`, `regions AAB…`, each with
    /// `+ diagonals` …
    #[arg(long)]
    layout: Option<Layout>,
    /// Propagate givens first, or encode all rules
    #[arg(long, value_enum, default_value_t = How::Pruned)]
    strategy: How,
    #[arg(long, default_value_t = AmoEncoding::Pairwise, help = encodings())]
    encoding: AmoEncoding,
    /// The minimal set of rules, or the extended set with those that follow from it
    #[arg(long, value_enum, default_value_t = Which::Extended)]
    constraints: Which,
    /// Also count the solutions, up to this many
    #[arg(long, value_name = "LIMIT")]
    count: Option<usize>,
    /// Print the next forced cells and the reason for each, one or this many, and no solution
    #[arg(long, value_name = "STEPS", num_args = 0..=1, require_equals = true, default_missing_value = "1")]
    hint: Option<usize>,
    /// Write a proof that there is no other solution, or none at all, to this new folder; VeriPB checks it
    #[arg(long, value_name = "DIR", conflicts_with_all = ["hint", "engine"])]
    proof: Option<PathBuf>,
    /// Seed of the solver's choices
    #[arg(long, default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    solving: solving::Solving,
    /// Make this many puzzles instead, of the layout or on 9×9
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["file", "hint", "count", "proof"])]
    generate: Option<u32>,
    /// The hardest technique that new puzzles need
    #[arg(long, value_enum, default_value_t = Difficulty::Medium, requires = "generate")]
    difficulty: Difficulty,
    /// Also draw the solution, or the puzzle where it has none, into this file; new puzzles and their solutions into
    /// this folder, with a page to print
    #[cfg(feature = "svg")]
    #[arg(long, value_name = "FILE")]
    svg: Option<String>,
}

/// The names of the encodings, for `--help`.
fn encodings() -> String {
    let names: Vec<String> = AmoEncoding::ALL.iter().map(ToString::to_string).collect();
    format!("The encoding of at most one: {}", names.join(", "))
}

/// The techniques that a new puzzle may need.
#[derive(Clone, Copy, ValueEnum)]
enum Difficulty {
    /// Naked singles
    Easy,
    /// Hidden singles, too
    Medium,
    /// Locked candidates, too
    Hard,
    /// More than these
    Expert,
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
        Ok(code) => code,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

/// The output, line by line; a reader that has seen enough is no error.
struct Out(io::Stdout);

impl Out {
    fn line(&mut self, text: impl std::fmt::Display) -> Result<(), String> {
        match writeln!(self.0, "{text}") {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(format!("standard output: {error}")),
            _ => Ok(()),
        }
    }
}

fn run(args: &Args) -> Result<ExitCode, String> {
    let watch = args.solving.watch()?;
    let (name, grid) = puzzle(args)?;
    let strategy = match args.strategy {
        How::Pruned => Strategy::Pruned,
        How::Base => Strategy::Base,
    };
    let constraints = match args.constraints {
        Which::Minimal => ConstraintSet::Minimal,
        Which::Extended => ConstraintSet::Extended,
    };
    let encoder_of = |grid: &Grid| {
        let encoder = SudokuEncoder::new(grid).strategy(strategy).constraints(constraints);
        let encoder = encoder.encoding(args.encoding).seed(args.seed).limits(watch.limits());
        by!(args.solving, encoder)
    };
    let encoder = encoder_of(&grid);
    let wrong = |error| match error {
        SudokuError::Invalid { problems, .. } => format!("{name}:\n  {}", listed(&problems).join("\n  ")),
        SudokuError::Capacity(error) => format!("{name}: {error}; another --encoding takes fewer clauses"),
        error => format!("{name}: {}", watch.explain(error.to_string())),
    };
    if args.proof.is_some() || args.generate.is_some() || args.hint.is_some() {
        return more::run(args, &watch, &name, grid, encoder_of, wrong);
    }
    let solved = watch.run(format!("solving {name}"), || encoder.solve_with_report());
    let (solution, report) = solved.map_err(wrong)?;

    // The answer is printed before anything else is asked, which may take long.
    let mut out = Out(io::stdout());
    out.line(format_args!("Puzzle, {}, {} givens:\n{grid:#}\n", grid.layout(), grid.givens().count()))?;
    match &solution {
        Some(solution) => out.line(format_args!("Solution:\n{solution:#}\n"))?,
        None => out.line("There is no solution.\n")?,
    }
    listed(&encoder.check()).iter().try_for_each(|line| out.line(line))?;
    out.line(format_args!("encoding   {}", args.encoding))?;
    out.line(format_args!("strategy   {strategy:?}"))?;
    out.line(format_args!("rules      {constraints:?}"))?;
    done(&report).iter().try_for_each(|line| out.line(line))?;
    draw(args, &grid, solution.as_ref())?;

    if let Some(limit) = args.count {
        let mut count = 0;
        let ended = watch.run(format!("counting solutions of {name}"), || {
            encoder.solutions().take(limit).try_for_each(|solution| solution.map(|_| count += 1))
        });
        match watch.stopped().filter(|_| ended.is_err()) {
            Some(reason) => {
                out.line(format_args!("solutions  at least {count}"))?;
                return Err(format!("{name}: {reason}: there may be more solutions"));
            }
            None => ended.map_err(wrong)?,
        }
        out.line(format_args!("solutions  {count}{}", if count == limit { " or more" } else { "" }))?;
    }
    if let Some(solution) = solution {
        // Nobody asked for it: it is looked for as long as nobody waits for it.
        let brief = encoder.limits(watch.limits().time(SECOND_SOLUTION));
        if let Some(Ok(second)) = watch.run("looking for a second solution", || brief.solutions().nth(1)) {
            let differs = |&(row, col): &(usize, usize)| second.get(row, col) != solution.get(row, col);
            let cells = (0..solution.side()).flat_map(|row| (0..solution.side()).map(move |col| (row, col)));
            if let Some((row, col)) = { cells }.find(differs) {
                let value = second.get(row, col).unwrap_or(0);
                out.line(format_args!("another    solution has {value} in row {}, column {}", row + 1, col + 1))?;
            }
        }
        return Ok(ExitCode::SUCCESS);
    }
    let why =
        watch.run(format!("looking for the givens of {name} that contradict each other"), || encoder.unsat_core());
    match why {
        Ok(why) => {
            let why = why.unwrap_or_default();
            let givens = why.iter().map(|(row, col, value)| format!("row {}, column {}: {value}", row + 1, col + 1));
            out.line(format_args!("these givens contradict each other: {}", givens.collect::<Vec<_>>().join("; ")))?;
        }
        // That there is no solution stands.
        Err(error) => eprintln!("which givens contradict each other is not known: {}", wrong(error)),
    }
    Ok(ExitCode::from(1))
}

/// The puzzle to solve and the name of where it is from; an empty one where new ones are asked for.
fn puzzle(args: &Args) -> Result<(String, Grid), String> {
    if args.generate.is_some() {
        let layout = args.layout.clone().unwrap_or_else(|| Layout::boxes(3, 3));
        return Ok(("the layout".to_owned(), Grid::empty(layout)));
    }
    let (name, text) = read(args.file.as_deref())?;
    let parsed = match &args.layout {
        Some(layout) => Grid::parse_as(layout.clone(), &text),
        None => text.parse(),
    };
    let grid = parsed.map_err(|error| format!("{name}: {error}"))?;
    let (side, layout) = (grid.side(), grid.layout());
    let is_named = |line: &str| ["layout", "boxes", "latin", "regions", "side"].iter().any(|word| line.contains(word));
    if args.layout.is_none()
        && !layout.to_string().starts_with("boxes")
        && !text.lines().any(is_named)
        && !text.contains('|')
    {
        eprintln!("{name}: the text names no regions; taken for side {side}: `{layout}`; --layout takes others");
    }
    Ok((name, grid))
}

/// The effort of the answer.
fn done(report: &Report) -> Vec<String> {
    let Report { open, clauses, looked_up, preparation, search, .. } = *report;
    if open == 0 {
        return vec![
            "search     none: deduction alone has the answer".to_owned(),
            format!("deduce     {preparation:.1?}"),
        ];
    }
    let clauses =
        if looked_up { "none loaded, looked up where needed".to_owned() } else { format!("{clauses} loaded") };
    vec![
        format!("variables  {open}, values left open"),
        format!("clauses    {clauses}"),
        format!("prepare    {preparation:.1?}"),
        format!("search     {search:.1?}"),
    ]
}

#[cfg(feature = "svg")]
fn draw(args: &Args, grid: &Grid, solution: Option<&Grid>) -> Result<(), String> {
    let Some(file) = &args.svg else { return Ok(()) };
    let mut sheet = cnfkit::sudoku::Sheet::new(grid);
    if let Some(solution) = solution {
        sheet.fill(solution);
    }
    std::fs::write(file, sheet.to_svg()).map_err(|error| format!("{file}: {error}"))
}

#[cfg(not(feature = "svg"))]
#[allow(clippy::unnecessary_wraps)] // drawing may fail
fn draw(_: &Args, _: &Grid, _: Option<&Grid>) -> Result<(), String> {
    Ok(())
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

/// The name of the text to solve, and the text.
fn read(file: Option<&Path>) -> Result<(String, String), String> {
    file.map_or_else(|| Ok(("the built-in puzzle".to_owned(), BUILT_IN.to_owned())), |file| text::read(file, "puzzle"))
}
