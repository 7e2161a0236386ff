//! Text from a file or from standard input, with a limit on its length.

use std::io::{self, IsTerminal, Read};
use std::path::Path;

use crate::bytes::decoded;
use crate::input;

/// The longest text that is read, in bytes: a board of ten million cells is a third of it.
const MOST: u64 = 64 << 20;

/// The text of a file, or for `-` of standard input, [`decoded`], and the name of where it is from. `what` is the noun
/// for what the text holds.
///
/// # Errors
/// A message with the name when the text cannot be read, is too long, or is not UTF-8: then with the line and the byte
/// in that line, from 1.
pub(crate) fn read(file: &Path, what: &str) -> Result<(String, String), String> {
    let (name, reader) = input::open(file)?;
    let mut bytes = Vec::new();
    reader.take(MOST + 1).read_to_end(&mut bytes).map_err(|error| format!("{name}: {error}"))?;
    if bytes.len() as u64 > MOST {
        return Err(format!("{name}: more than {} MiB; no {what} is that large", MOST >> 20));
    }
    let text = decoded(bytes).map_err(|error| format!("{name}: {error}"))?;
    Ok((name, text))
}

/// [`read`], or without a file what is piped in, or where that is nothing a text that is built in.
///
/// # Errors
/// As [`read`].
pub(crate) fn read_or(file: Option<&Path>, what: &str, built_in: &str) -> Result<(String, String), String> {
    let own = || Ok((format!("the built-in {what}"), built_in.to_owned()));
    match file {
        Some(file) => read(file, what),
        None if io::stdin().is_terminal() => own(),
        None => match read(Path::new("-"), what)? {
            (_, text) if text.trim().is_empty() => own(),
            piped => Ok(piped),
        },
    }
}
