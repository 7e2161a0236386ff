//! Proofs of a Sudoku's answer, new puzzles and hints.

use std::path::Path;
use std::process::ExitCode;

use cnfkit::sudoku::{Grade, Hint};
use cnfkit::{Grid, SudokuEncoder, SudokuError};

use super::args::SudokuArgs;
use super::generate;
use crate::proof;
use crate::watch::Watch;

/// Does what `--proof`, `--generate` or `--hint` asks for.
pub(crate) fn run(
    args: &SudokuArgs,
    watch: &Watch,
    name: &str,
    grid: Grid,
    encoder_of: impl Fn(&Grid) -> SudokuEncoder,
    wrong: impl Fn(SudokuError) -> String,
) -> Result<ExitCode, String> {
    if let Some(dir) = &args.proof {
        let encoder = encoder_of(&grid);
        let proven = watch.run(format!("proving the answer to {name}"), || encoder.solve_certified(dir));
        return Ok(certified(proven.map_err(wrong)?, dir));
    }
    if let Some(number) = args.generate {
        let encoder = encoder_of(&grid);
        return generated(args, number, |seed| {
            let make = || generate::puzzle(&encoder, args.difficulty, seed, &encoder_of);
            watch.run("making puzzles", make).map_err(&wrong)
        });
    }
    hints(grid, args.hint.unwrap_or(1), |grid| {
        let encoder = encoder_of(grid);
        let ask = || Ok((encoder.hint()?, encoder.solve()?.is_some()));
        watch.run(format!("looking for a forced cell of {name}"), ask).map_err(&wrong)
    })
}

/// Prints what is proven, and the commands that check it.
fn certified(found: Option<(Grid, Option<Grid>)>, dir: &Path) -> ExitCode {
    let first = proof::check(&dir.join("solution"));
    let Some((solution, other)) = found else {
        say!("There is no solution.\n{first}");
        return ExitCode::from(1);
    };
    say!("Solution:\n{solution:#}\n\n{first}");
    say!("There is {} solution.", if other.is_none() { "no other" } else { "another" });
    say!("{}", proof::check(&dir.join("other")));
    ExitCode::SUCCESS
}

/// Prints new puzzles, one for each seed from the one that was given on, and draws them.
fn generated(
    args: &SudokuArgs,
    number: u32,
    make: impl Fn(u64) -> Result<Option<(Grid, Grid, Grade)>, String>,
) -> Result<ExitCode, String> {
    let mut made = Vec::new();
    for at in 0..u64::from(number) {
        let Some(puzzle) = make(args.seed.wrapping_add(at))? else {
            say!("There is no solution.");
            return Ok(ExitCode::from(1));
        };
        say!("Puzzle {}, {}, {} givens:\n{:#}\n", at + 1, puzzle.2, puzzle.0.givens().count(), puzzle.0);
        made.push(puzzle);
    }
    if let Some(folder) = &args.svg {
        generate::draw(folder, &made)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints the puzzle and the next forced cells, each found after those before it are filled in. `next` also says if
/// there is a solution.
fn hints(
    mut grid: Grid,
    steps: usize,
    next: impl Fn(&Grid) -> Result<(Option<Hint>, bool), String>,
) -> Result<ExitCode, String> {
    say!("Puzzle, {}, {} givens:\n{grid:#}\n", grid.layout(), grid.givens().count());
    for _ in 0..steps {
        match next(&grid)? {
            (_, false) => {
                say!("There is no solution.");
                return Ok(ExitCode::from(1));
            }
            (None, true) => {
                say!("{}", if grid.is_full() { "every cell is filled" } else { "no cell is forced" });
                break;
            }
            (Some(hint), true) => {
                say!("hint       {hint}");
                grid.set(hint.row, hint.col, hint.value);
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}
