//! Text from a file or from standard input, with a limit on its length.

use std::io::{self, BufRead, IsTerminal, Read};
use std::path::Path;

use crate::input;

/// The longest text that is read, in bytes: a board of ten million cells is a third of it.
const MOST: u64 = 64 << 20;

/// The starts of files that hold text in another form.
const OTHER: [(&[u8], &str); 3] =
    [(b"PK\x03\x04", "a zip archive"), (b"\xff\xfe", "text in UTF-16"), (b"\xfe\xff", "text in UTF-16")];

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

/// Bytes as text, with LF for CR where all line ends are CR, and without a byte order mark.
///
/// # Errors
/// A message that names what stands in the place of text, or the first byte that is not UTF-8.
pub(crate) fn decoded(mut bytes: Vec<u8>) -> Result<String, String> {
    unmark(&mut bytes)?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let before = &error.as_bytes()[..valid];
        let line = before.split(|&byte| byte == b'\n').count();
        let byte = valid - before.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1) + 1;
        format!("line {line}, byte {byte}: not UTF-8 text")
    })?;
    Ok(if text.contains('\n') { text } else { text.replace('\r', "\n") })
}

/// Takes the byte order mark off the start of a text, which is one.
///
/// # Errors
/// A message that names the kind of data, if it is no text.
pub(crate) fn unmark(start: &mut Vec<u8>) -> Result<(), String> {
    if let Some((_, what)) = OTHER.iter().find(|(other, _)| start.starts_with(other)) {
        return Err(format!("{what}; UTF-8 text is needed"));
    }
    if start.starts_with("\u{feff}".as_bytes()) {
        start.drain(..'\u{feff}'.len_utf8());
    }
    Ok(())
}

/// Reads a line without its end, LF, CRLF or CR, and gives the number of bytes with it: 0 at the end of the text. It
/// is broken off where it is longer than `most`.
pub(crate) fn line(input: &mut impl BufRead, most: usize, line: &mut Vec<u8>) -> io::Result<u64> {
    line.clear();
    let mut bytes = 0;
    loop {
        let (read, end) = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            buffer => {
                let buffer = buffer?;
                let end = buffer.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
                line.extend_from_slice(&buffer[..end.unwrap_or(buffer.len())]);
                (end.map_or(buffer.len(), |end| end + 1), end.map(|end| buffer[end]))
            }
        };
        input.consume(read);
        bytes += read as u64;
        if end == Some(b'\r') && input.fill_buf()?.first() == Some(&b'\n') {
            input.consume(1);
            bytes += 1;
        }
        if end.is_some() || read == 0 || line.len() > most {
            return Ok(bytes);
        }
    }
}
