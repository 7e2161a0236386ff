//! The examples as programs: what they print where, and their exit codes.

#[cfg(all(feature = "any-solver", feature = "gem-hunter"))]
mod gem_hunter;
mod messages;
#[cfg(feature = "batsat")]
mod minimise;
#[cfg(feature = "batsat")]
mod reencode;
#[cfg(all(feature = "any-solver", feature = "sudoku"))]
mod sudoku;

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// Beside the test's own program. `cargo test` builds examples, but not where targets are selected: then a program that
/// was built before is run as it is, and `cargo build --examples` comes first.
fn program(name: &str) -> Option<PathBuf> {
    let mut path = std::env::current_exe().ok()?;
    path.pop();
    path.pop();
    path.push("examples");
    path.push(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    path.exists().then_some(path)
}

fn run(name: &str, args: &[&str], input: &[u8]) -> Option<Output> {
    let Some(program) = program(name) else {
        eprintln!("the example is not built: run `cargo test` without selecting targets");
        return None;
    };
    let mut command = Command::new(program);
    let command = command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A program that stops before reading is no failure of the test.
    let _ = child.stdin.take().unwrap().write_all(input);
    Some(child.wait_with_output().unwrap())
}
