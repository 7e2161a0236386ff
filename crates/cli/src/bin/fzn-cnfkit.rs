//! `cnfkit fzn` by the name that MiniZinc calls.

use std::process::ExitCode;

fn main() -> ExitCode {
    cnfkit_cli::fzn_main()
}
