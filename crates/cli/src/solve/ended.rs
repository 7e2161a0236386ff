//! Last words: of a question that is stopped, and of output that cannot be written.

use std::io::{self, ErrorKind};

use super::args::SolveArgs;
use crate::printed::Printed;
use crate::watch::{BestAnswer, Watch};
use crate::{CommandFailure, say};

/// Has a question without an answer end with these words; lines have no answer then.
pub(super) fn known(args: &SolveArgs, watch: &Watch, printed: &Printed<'_>) -> Option<BestAnswer<()>> {
    let mut last = Printed::new(io::stdout(), "solve", args.solving.printed());
    last.start = printed.start;
    let is_one = args.lines.file.is_none();
    is_one.then(|| watch.known((), move |(), reason| unknown(&mut last, reason)))
}

/// The last words of a question without an answer.
fn unknown(printed: &mut Printed<'_>, reason: &str) -> u8 {
    printed.member("reason", reason);
    let said = printed.comment(reason).and_then(|()| printed.line("s UNKNOWN"));
    say::written(said.and_then(|()| printed.end(Some("UNKNOWN"), 0)));
    0
}

/// The end of a question, after which it has no other.
pub(super) fn concluded<T>(unknown: Option<BestAnswer<()>>, say: impl FnOnce() -> T) -> T {
    match unknown {
        Some(unknown) => unknown.conclude(|()| say()),
        None => say(),
    }
}

/// Nothing, if output was written, or nobody reads it any more.
pub(super) fn written(result: io::Result<()>) -> Result<(), CommandFailure> {
    match result {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(CommandFailure::Output(format!("standard output: {error}")))
        }
        _ => Ok(()),
    }
}
