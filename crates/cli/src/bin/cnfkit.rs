//! The program `cnfkit`.

use std::process::ExitCode;

fn main() -> ExitCode {
    cnfkit_cli::main()
}
