//! `cnfkit sudoku`: one puzzle, or many, a line each.

mod args;
mod cells;
mod generate;
mod lines;
mod more;
mod one;
mod progress;

use std::process::ExitCode;

pub(crate) use self::args::SudokuArgs;
use crate::CommandFailure;

pub(crate) fn main(args: &SudokuArgs) -> Result<ExitCode, CommandFailure> {
    let done = if args.lines.file.is_some() { lines::main(&args.lines, args) } else { one::run(args) };
    done.map_err(CommandFailure::Output)
}
