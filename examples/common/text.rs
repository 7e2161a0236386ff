//! Text from a file or from standard input, with a limit on its length; shared by the examples.
//!
//! ```text
//! #[path = "common/text.rs"]
//! mod text;
//! …
//! let (name, text) = text::read(args.file.as_deref(), "puzzle")?;
//! ```

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The longest text that is read, in bytes: a board of ten million cells is a third of it.
const MOST: u64 = 64 << 20;

/// The text of a file, or for `-` of standard input, and the name of where it is from: with LF for CR where all line
/// ends are CR, and without a byte order mark. `what` is the noun for what the
/// text holds.
///
/// # Errors
/// A message with the name when the text cannot be read, is too long, or is not UTF-8: then with the line and the byte
/// in that line, from 1.
pub(crate) fn read(file: &Path, what: &str) -> Result<(String, String), String> {
    let (name, bytes) = if file.as_os_str() == "-" {
        ("standard input".to_owned(), bytes(io::stdin()))
    } else {
        (file.display().to_string(), File::open(file).and_then(bytes))
    };
    let bytes = bytes.map_err(|error| format!("{name}: {error}"))?;
    if bytes.len() as u64 > MOST {
        return Err(format!("{name}: more than {} MiB; no {what} is that large", MOST >> 20));
    }
    if bytes.starts_with(b"\x1f\x8b") {
        return Err(format!("{name}: data compressed by gzip; UTF-8 text is needed"));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let before = &error.as_bytes()[..valid];
        let line = before.split(|&byte| byte == b'\n').count();
        let byte = valid - before.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1) + 1;
        format!("{name}: line {line}, byte {byte}: not UTF-8 text")
    })?;
    let mut text = if text.contains('\n') { text } else { text.replace('\r', "\n") };
    Ok((name, text.split_off(if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 })))
}

/// All bytes, or one more than are allowed.
fn bytes(reader: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(MOST + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
