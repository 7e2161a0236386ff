//! Lines on standard output; shared by the examples.
//!
//! A line that cannot be written ends the program: with exit code 0 where the reader has seen enough, such as `head`,
//! and with a message and exit code 2 otherwise, such as on a full disk. That is one rule for all examples: 0 is done,
//! 1 is a proven no, such as a puzzle without a solution, and 2 is everything that went wrong.
//!
//! ```text
//! #[macro_use]
//! #[path = "common/say.rs"]
//! mod say;
//! …
//! say!("{} of {n}", best.len());
//! ```

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
