//! One puzzle solved, counted, explained, proven or made.

use std::io;
use std::num::NonZero;
use std::process::ExitCode;
use std::time::Duration;

use cnfkit::sudoku::{ConstraintSet, Problem, Report, Strategy};
use cnfkit::{Grid, Layout, SudokuEncoder, SudokuError};

use super::args::{SudokuArgs, Which};
use super::cells::{place, rows};
use super::more;
use crate::json::Json;
use crate::printed::Printed;
use crate::{say, text};

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

pub(crate) fn run(args: &SudokuArgs) -> Result<ExitCode, String> {
    let watch = args.solving.watch()?;
    let mut printed = Printed::new(io::stdout(), "sudoku", args.solving.printed());
    let (name, grid) = puzzle(args)?;
    let strategy = Strategy::from(args.strategy);
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
        return more::run(args, &watch, &mut printed, &name, grid, encoder_of, wrong);
    }
    let solved = watch.run(format!("solving {name}"), || encoder.solve_with_report());
    let (solution, report) = solved.map_err(wrong)?;

    // The answer is printed before anything else is asked, which may take long.
    let mut said = vec![format!("Puzzle, {}, {} givens:\n{grid:#}\n", grid.layout(), grid.givens().count())];
    said.push(match &solution {
        Some(solution) => format!("Solution:\n{solution:#}\n"),
        None => "There is no solution.\n".to_owned(),
    });
    said.extend(listed(&encoder.check()));
    said.push(format!("encoding   {}", args.encoding));
    said.push(format!("strategy   {strategy:?}\nrules      {constraints:?}"));
    said.extend(done(&report));
    if printed.is_quiet() {
        said = vec![solution.as_ref().map_or("There is no solution.".to_owned(), |solution| format!("{solution:#}"))];
    }
    said.iter().for_each(|line| say::written(printed.line(line)));
    printed.member("layout", grid.layout().to_string());
    printed.member("puzzle", rows(&grid));
    printed.member("solution", solution.as_ref().map(rows));
    draw(args, &grid, solution.as_ref())?;
    let (status, code) = if solution.is_some() { ("SATISFIABLE", 0) } else { ("UNSATISFIABLE", 1) };

    if let Some(limit) = args.count.map(NonZero::get) {
        let mut count = 0;
        let ended = watch.run(format!("counting solutions of {name}"), || {
            encoder.solutions().take(limit).try_for_each(|solution| solution.map(|_| count += 1))
        });
        printed.member("count", count);
        printed.member("complete", ended.is_ok() && count < limit);
        match watch.stopped().filter(|_| ended.is_err()) {
            Some(reason) => {
                say::written(printed.line(format_args!("solutions  at least {count}")));
                printed.member("reason", reason.as_str());
                say::written(printed.end(Some(status), 2));
                return Err(format!("{name}: {reason}: there may be more solutions"));
            }
            None => ended.map_err(wrong)?,
        }
        let more = if count == limit { " or more" } else { "" };
        say::written(printed.line(format_args!("solutions  {count}{more}")));
    }
    if let Some(solution) = solution {
        // Nobody asked for it: it is looked for as long as nobody waits for it.
        let brief = encoder.limits(watch.limits().time(SECOND_SOLUTION));
        if let Some(Ok(second)) = watch.run("looking for a second solution", || brief.solutions().nth(1)) {
            let differs = |&(row, col): &(usize, usize)| second.get(row, col) != solution.get(row, col);
            let cells = (0..solution.side()).flat_map(|row| (0..solution.side()).map(move |col| (row, col)));
            if let Some((row, col)) = { cells }.find(differs) {
                let value = second.get(row, col).unwrap_or(0);
                let words = format!("another    solution has {value} in row {}, column {}", row + 1, col + 1);
                say::written(if printed.is_quiet() { Ok(()) } else { printed.line(words) });
                printed.member("another", place(row, col, value));
            }
        }
        say::written(printed.end(Some(status), code));
        return Ok(ExitCode::SUCCESS);
    }
    let why =
        watch.run(format!("looking for the givens of {name} that contradict each other"), || encoder.unsat_core());
    match why {
        Ok(why) => {
            let why = why.unwrap_or_default();
            let givens = why.iter().map(|(row, col, value)| format!("row {}, column {}: {value}", row + 1, col + 1));
            let givens = givens.collect::<Vec<_>>().join("; ");
            say::written(printed.line(format_args!("these givens contradict each other: {givens}")));
            printed.member("core", Json::list(why.iter().map(|&(row, col, value)| place(row, col, value))));
        }
        // That there is no solution stands.
        Err(error) => eprintln!("which givens contradict each other is not known: {}", wrong(error)),
    }
    say::written(printed.end(Some(status), code));
    Ok(ExitCode::from(code))
}

/// The puzzle to solve and the name of where it is from; an empty one where new ones are asked for.
fn puzzle(args: &SudokuArgs) -> Result<(String, Grid), String> {
    if args.generate.is_some() {
        let layout = args.layout.clone().unwrap_or_else(|| Layout::boxes(3, 3));
        return Ok(("the layout".to_owned(), Grid::empty(layout)));
    }
    let (name, text) = text::read_or(args.file.as_deref(), "puzzle", BUILT_IN)?;
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

fn draw(args: &SudokuArgs, grid: &Grid, solution: Option<&Grid>) -> Result<(), String> {
    let Some(file) = &args.svg else { return Ok(()) };
    let mut sheet = cnfkit::sudoku::Sheet::new(grid);
    if let Some(solution) = solution {
        sheet.fill(solution);
    }
    std::fs::write(file, sheet.to_svg()).map_err(|error| format!("{file}: {error}"))
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
