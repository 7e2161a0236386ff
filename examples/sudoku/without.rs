//! The answer where proofs, new puzzles and hints are left out.

use std::process::ExitCode;

use cnfkit::{Grid, SudokuEncoder, SudokuError};

use crate::Args;
use crate::solving::Watch;

pub(crate) fn run(
    args: &Args,
    _: &Watch,
    _: &str,
    _: Grid,
    _: impl Fn(&Grid) -> SudokuEncoder,
    _: impl Fn(SudokuError) -> String,
) -> Result<ExitCode, String> {
    let (option, _) = match (&args.proof, args.generate) {
        (Some(_), _) => ("--proof", args.difficulty),
        (None, Some(_)) => ("--generate", args.difficulty),
        (None, None) => ("--hint", args.difficulty),
    };
    Err(format!("{option} is left out of this build: `cargo run --features full` has it"))
}
