//! Lines on standard output, and errors on standard error.
//!
//! A line that cannot be written ends the program: with exit code 0 where the reader has seen enough, such as `head`,
//! and with a message and exit code 2 otherwise, such as on a full disk.

use std::env;
use std::io::{self, ErrorKind, IsTerminal};
use std::process;

use anstyle::{AnsiColor, Style};

/// Ends the program if writing failed.
pub(crate) fn written(result: io::Result<()>) {
    match result {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::BrokenPipe => process::exit(0),
        Err(failure) => {
            error(&format!("standard output: {failure}"));
            process::exit(2);
        }
    }
}

/// Says what went wrong, with a coloured word at a terminal, unless `NO_COLOR` is set; `CLICOLOR_FORCE` colours it
/// anywhere.
pub(crate) fn error(message: &str) {
    let is_set = |name: &str, off: &str| env::var_os(name).is_some_and(|value| !value.is_empty() && value != off);
    let is_able = || io::stderr().is_terminal() && env::var_os("TERM").is_none_or(|term| term != "dumb");
    let is_coloured = !is_set("NO_COLOR", "") && (is_set("CLICOLOR_FORCE", "0") || is_able());
    let style = if is_coloured { AnsiColor::Red.on_default().bold() } else { Style::new() };
    eprintln!("{style}error:{style:#} {message}");
}
