#![doc = include_str!("../README.md")]

#[macro_use]
mod solving;
mod bytes;
mod check;
mod encode;
mod encodings;
mod formula;
mod fzn;
mod gems;
mod input;
mod json;
mod lines;
mod minizinc;
mod optimise;
mod output;
mod printed;
mod proof;
mod rules;
mod say;
mod shard;
mod solve;
mod statements;
mod sudoku;
mod text;
mod watch;

use std::io;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

/// Constraints and puzzles through SAT: exactly one, at most k, sums of weights.
#[derive(Debug, Parser)]
#[command(name = "cnfkit", version)]
enum Cnfkit {
    Encode(encode::EncodeArgs),
    Solve(solve::SolveArgs),
    Optimise(optimise::OptimiseArgs),
    Detect(encode::DetectArgs),
    Check(check::CheckArgs),
    Sudoku(sudoku::SudokuArgs),
    Gems(gems::GemsArgs),
    Fzn(fzn::FznArgs),
    MinizincInstall(minizinc::MinizincArgs),
    Encodings(encodings::EncodingsArgs),
    /// Writes completions for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Writes the manual, or that of a command, for `man -l -`.
    Man {
        /// The command.
        command: Option<String>,
    },
}

/// FlatZinc, which MiniZinc compiles a model to, answered as MiniZinc expects.
#[derive(Debug, Parser)]
#[command(name = "fzn-cnfkit", version)]
struct Fzn {
    #[command(flatten)]
    args: fzn::FznArgs,
}

/// The reason why there is nothing to print: bad input, or a failure on the way.
#[derive(Debug)]
enum CommandFailure {
    Input(String),
    Output(String),
}

/// The exit code: 2 where there is a message instead of one.
fn end(done: Result<ExitCode, CommandFailure>) -> ExitCode {
    done.unwrap_or_else(|failure| {
        let (CommandFailure::Input(message) | CommandFailure::Output(message)) = failure;
        say::error(&message);
        ExitCode::from(2)
    })
}

/// The program `cnfkit`, with the arguments of this process.
#[must_use]
pub fn main() -> ExitCode {
    end(match Cnfkit::parse() {
        Cnfkit::Encode(args) => encode::encode(&args),
        Cnfkit::Solve(args) => solve::main(&args),
        Cnfkit::Optimise(args) => optimise::main(&args),
        Cnfkit::Detect(args) => encode::detect(&args),
        Cnfkit::Check(args) => check::main(&args),
        Cnfkit::Sudoku(args) => sudoku::main(&args),
        Cnfkit::Gems(args) => gems::main(&args),
        Cnfkit::Fzn(args) => fzn::main(&args),
        Cnfkit::MinizincInstall(args) => minizinc::install(&args),
        Cnfkit::Encodings(args) => encodings::main(&args),
        Cnfkit::Completions { shell } => {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut Cnfkit::command(), "cnfkit", &mut text);
            output::write(None, |out| out.write_all(&text)).map(|()| ExitCode::SUCCESS).map_err(CommandFailure::Output)
        }
        Cnfkit::Man { command } => manual(command.as_deref()),
    })
}

/// The program `fzn-cnfkit`, with the arguments of this process.
#[must_use]
pub fn fzn_main() -> ExitCode {
    end(fzn::main(&Fzn::parse().args))
}

/// Writes a page of the manual.
fn manual(name: Option<&str>) -> Result<ExitCode, CommandFailure> {
    let mut all = Cnfkit::command();
    all.build();
    let command = match name {
        None => all,
        Some(name) => {
            let found = all.find_subcommand(name).cloned();
            let names = || formula::listed(all.get_subcommands().map(clap::Command::get_name));
            found.ok_or_else(|| CommandFailure::Input(format!("`{name}` is no command; allowed: {}", names())))?
        }
    };
    let page = |out: &mut dyn io::Write| clap_mangen::Man::new(command).render(out);
    output::write(None, page).map(|()| ExitCode::SUCCESS).map_err(CommandFailure::Output)
}
