//! The options `--lines`, `--shard` and `--output`: many questions in a file, one a line.
//!
//! Each answer is a line of JSON, as [`shard`](crate::shard) says. A question that is stopped has none, nor has one
//! whose solver failed, such as an engine that was killed: a restart asks again.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::json::Json;
use crate::shard::{self, Answers, Shard};
use crate::{bytes, input, say};

/// A file with many questions.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct LinesArgs {
    /// Answer each line of this file, as JSON; blank lines and those that start with # are passed over
    #[arg(id = "lines", long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// Take only the i-th of n parts of the lines, by a hash of the line: all parts together are all lines
    #[arg(long, value_name = "i/n", requires = "lines")]
    shard: Option<Shard>,
    /// Add the answers to this file; lines that it has are not done again
    #[arg(short, long, value_name = "FILE", requires = "lines")]
    output: Option<PathBuf>,
}

/// The answer to a line.
pub(crate) enum LineAnswer {
    Found(Json),
    /// The line is wrong.
    Error(String),
    /// The solver failed.
    Failed(String),
    /// There is none in time.
    Stopped,
}

impl LinesArgs {
    /// Answers the lines of `path` one after the other: true if all have answers. Those of another `question` are none
    /// of its own.
    pub(crate) fn each(
        &self,
        path: &Path,
        question: &str,
        mut ask: impl FnMut(&str) -> LineAnswer,
    ) -> Result<bool, String> {
        let named = |path: &Path, error: io::Error| format!("{}: {error}", path.display());
        let (_, mut input) = input::open(path)?;
        let output = self.output.as_deref();
        let answers = output.map(|path| Answers::open(path).map_err(|error| named(path, error)));
        let (mut answers, mut is_complete) = (answers.transpose()?, true);
        let mut bytes = Vec::new();
        for number in 1.. {
            if bytes::line(&mut input, usize::MAX, &mut bytes).map_err(|error| named(path, error))? == 0 {
                break;
            }
            if number == 1 {
                bytes::unmark(&mut bytes).map_err(|error| format!("{}: {error}", path.display()))?;
            }
            let Ok(line) = std::str::from_utf8(&bytes) else {
                return Err(format!("{}: line {number} is no UTF-8 text", path.display()));
            };
            let separator = if question.is_empty() { "" } else { "\n" };
            let hash = shard::hash(format!("{line}{separator}{question}").as_bytes());
            let is_ours = self.shard.is_none_or(|shard| shard.has(hash));
            if line.is_empty() || line.starts_with('#') || !is_ours {
                continue;
            }
            if answers.as_mut().is_some_and(|answers| answers.take(hash)) {
                continue;
            }
            let answer = match ask(line) {
                LineAnswer::Found(answer) => Ok(answer),
                LineAnswer::Error(error) => Err(error),
                LineAnswer::Failed(error) => {
                    say::error(&format!("{line}: {error}"));
                    is_complete = false;
                    continue;
                }
                LineAnswer::Stopped => return Ok(false),
            };
            is_complete &= answer.is_ok();
            let answer = answer.as_ref().map_err(String::as_str);
            match (&mut answers, output) {
                (Some(answers), Some(path)) => answers.write(hash, answer).map_err(|error| named(path, error))?,
                _ => {
                    let written = io::stdout().write_all(shard::answer(hash, answer).as_bytes());
                    written.map_err(|error| named(Path::new("standard output"), error))?;
                }
            }
        }
        Ok(is_complete)
    }
}
