//! Bytes as text, whole or line by line, whatever ends the lines.

use std::io::{self, BufRead};

/// The starts of files that hold text in another form.
const OTHER: [(&[u8], &str); 3] =
    [(b"PK\x03\x04", "a zip archive"), (b"\xff\xfe", "text in UTF-16"), (b"\xfe\xff", "text in UTF-16")];

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
