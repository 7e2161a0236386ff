//! Lines on standard output.
//!
//! A line that cannot be written ends the program: with exit code 0 where the reader has seen enough, such as `head`,
//! and with a message and exit code 2 otherwise, such as on a full disk.

use std::io::{self, ErrorKind};
use std::process;

/// Ends the program if writing failed.
pub(crate) fn written(result: io::Result<()>) {
    match result {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::BrokenPipe => process::exit(0),
        Err(error) => {
            eprintln!("error: standard output: {error}");
            process::exit(2);
        }
    }
}

/// Writes a line.
macro_rules! say {
    ($($line:tt)*) => {{
        use std::io::Write;
        $crate::say::written(writeln!(std::io::stdout(), $($line)*));
    }};
}
