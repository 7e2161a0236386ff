//! Proofs of a Sudoku's answer, new puzzles and hints.

use std::path::Path;
use std::process::ExitCode;

use cnfkit::sudoku::{Grade, Hint};
use cnfkit::{Grid, SudokuEncoder, SudokuError};

use super::args::SudokuArgs;
use super::cells::{place, rows};
use super::generate;
use crate::json::Json;
use crate::printed::Printed;
use crate::watch::Watch;
use crate::{proof, say};

/// Does what `--proof`, `--generate` or `--hint` asks for.
pub(crate) fn run(
    args: &SudokuArgs,
    watch: &Watch,
    printed: &mut Printed<'_>,
    name: &str,
    grid: Grid,
    encoder_of: impl Fn(&Grid) -> SudokuEncoder,
    wrong: impl Fn(SudokuError) -> String,
) -> Result<ExitCode, String> {
    if let Some(dir) = &args.proof {
        let encoder = encoder_of(&grid);
        let proven = watch.prove(format!("proving the answer to {name}"), || encoder.solve_certified(dir));
        return Ok(certified(proven.map_err(wrong)?, dir, printed));
    }
    if let Some(number) = args.generate {
        let encoder = encoder_of(&grid);
        return generated(args, number, printed, |seed| {
            let make = || generate::puzzle(&encoder, args.difficulty, seed, &encoder_of);
            watch.run("making puzzles", make).map_err(&wrong)
        });
    }
    hints(grid, args.hint.unwrap_or(1), printed, |grid| {
        let encoder = encoder_of(grid);
        let ask = || Ok((encoder.hint()?, encoder.solve()?.is_some()));
        watch.run(format!("looking for a forced cell of {name}"), ask).map_err(&wrong)
    })
}

/// Prints what is proven, and the commands that check it.
fn certified(found: Option<(Grid, Option<Grid>)>, dir: &Path, printed: &mut Printed<'_>) -> ExitCode {
    let [solution_dir, other_dir] = ["solution", "other"].map(|name| dir.join(name));
    let first = proof::check(&solution_dir);
    let Some((solution, other)) = found else {
        say::written(printed.line(format_args!("There is no solution.\n{first}")));
        printed.member("proofs", Json::list([solution_dir.display().to_string()]));
        return none(printed);
    };
    let number = if other.is_none() { "no other" } else { "another" };
    let second = proof::check(&other_dir);
    let words = format!("Solution:\n{solution:#}\n\n{first}\nThere is {number} solution.\n{second}");
    say::written(printed.line(words));
    printed.member("solution", rows(&solution));
    printed.member("unique", other.is_none());
    printed.member("proofs", Json::list([solution_dir, other_dir].map(|dir| dir.display().to_string())));
    say::written(printed.end(Some("SATISFIABLE"), 0));
    ExitCode::SUCCESS
}

/// The end where there is no solution.
fn none(printed: &mut Printed<'_>) -> ExitCode {
    say::written(printed.end(Some("UNSATISFIABLE"), 1));
    ExitCode::from(1)
}

/// Prints new puzzles, one for each seed from the one that was given on, and draws them.
fn generated(
    args: &SudokuArgs,
    number: u32,
    printed: &mut Printed<'_>,
    make: impl Fn(u64) -> Result<Option<(Grid, Grid, Grade)>, String>,
) -> Result<ExitCode, String> {
    let (mut made, mut all) = (Vec::new(), Vec::new());
    for at in 0..u64::from(number) {
        let Some(puzzle) = make(args.seed.wrapping_add(at))? else {
            say::written(printed.line("There is no solution."));
            return Ok(none(printed));
        };
        let (grid, solution, grade) = &puzzle;
        let words = format!("Puzzle {}, {grade}, {} givens:\n{grid:#}\n", at + 1, grid.givens().count());
        say::written(printed.line(words));
        let members = [("puzzle", rows(grid)), ("solution", rows(solution)), ("grade", grade.to_string().into())];
        all.push(Json::object(members));
        made.push(puzzle);
    }
    if let Some(folder) = &args.svg {
        generate::draw(folder, &made)?;
    }
    printed.member("puzzles", Json::list(all));
    say::written(printed.end(Some("SATISFIABLE"), 0));
    Ok(ExitCode::SUCCESS)
}

/// Prints the puzzle and the next forced cells, each found after those before it are filled in. `next` also says if
/// there is a solution.
fn hints(
    mut grid: Grid,
    steps: usize,
    printed: &mut Printed<'_>,
    next: impl Fn(&Grid) -> Result<(Option<Hint>, bool), String>,
) -> Result<ExitCode, String> {
    let words = format!("Puzzle, {}, {} givens:\n{grid:#}\n", grid.layout(), grid.givens().count());
    say::written(printed.line(words));
    printed.member("puzzle", rows(&grid));
    let mut all = Vec::new();
    for _ in 0..steps {
        match next(&grid)? {
            (_, false) => {
                say::written(printed.line("There is no solution."));
                return Ok(none(printed));
            }
            (None, true) => {
                let words = if grid.is_full() { "every cell is filled" } else { "no cell is forced" };
                say::written(printed.line(words));
                break;
            }
            (Some(hint), true) => {
                say::written(printed.line(format_args!("hint       {hint}")));
                let cell = place(hint.row, hint.col, hint.value);
                all.push(Json::object([("cell", cell), ("text", hint.to_string().into())]));
                grid.set(hint.row, hint.col, hint.value);
            }
        }
    }
    printed.member("hints", Json::list(all));
    say::written(printed.end(Some("SATISFIABLE"), 0));
    Ok(ExitCode::SUCCESS)
}
