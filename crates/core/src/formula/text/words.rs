//! Words of a text with the line and column where each starts, for the readers of all formats.
//!
//! A [`Scanner`] takes text in pieces as large as its reader's buffer and keeps none of it: only the first bytes of the
//! word it is at, for messages. So lines, words and comments of any length cost no memory.

use std::fmt;
use std::io::{BufRead, ErrorKind};

use crate::formula::Formula;
use crate::read::{ReadError, show};

impl Formula {
    /// The highest variable that readers take, in every format: 2²⁶. A model takes a byte for each variable below the
    /// highest, whatever the length of the text.
    pub const MOST_READ: u32 = 1 << 26;
}

/// Bytes of a word that are kept. No number and no keyword of a format is longer, but for leading zeros.
const KEPT: usize = 40;

/// A word and its place.
#[derive(Clone, Copy)]
pub(super) struct Word {
    line: usize,
    column: usize,
    len: usize,
    first: [u8; KEPT],
}

impl Word {
    /// The word, as far as it is kept.
    pub(super) fn text(&self) -> &[u8] {
        &self.first[..self.len.min(KEPT)]
    }

    pub(super) fn is(&self, text: &str) -> bool {
        self.len == text.len() && self.text() == text.as_bytes()
    }

    /// A number with a sign or without; none where it is no number or beyond 2⁶³.
    #[inline]
    pub(super) fn number(&self) -> Option<i64> {
        if self.len > KEPT {
            return None;
        }
        let text = self.text();
        let negative = text.first() == Some(&b'-');
        let digits = text.strip_prefix(b"-").or_else(|| text.strip_prefix(b"+")).unwrap_or(text);
        let mut value = 0_i64;
        for &digit in digits {
            if !digit.is_ascii_digit() {
                return None;
            }
            value = value.checked_mul(10)?.checked_add(i64::from(digit - b'0'))?;
        }
        (!digits.is_empty()).then_some(if negative { -value } else { value })
    }

    /// A number with a sign or without, of any size up to 2¹²⁷.
    #[inline]
    pub(super) fn wide_number(&self) -> Option<i128> {
        let number = || std::str::from_utf8(self.text()).ok()?.parse().ok();
        if self.len > KEPT { None } else { self.number().map(i128::from).or_else(number) }
    }

    /// A number without a sign; none where it is no number or beyond 2⁶⁴.
    #[inline]
    pub(super) fn unsigned(&self) -> Option<u64> {
        let text = self.text();
        if self.len > KEPT || text.is_empty() {
            return None;
        }
        text.iter().try_fold(0_u64, |value, &digit| {
            let digit = digit.is_ascii_digit().then(|| u64::from(digit - b'0'))?;
            value.checked_mul(10)?.checked_add(digit)
        })
    }

    /// This word's variable, or number of variables, if readers take it.
    pub(super) fn within_limit(&self, variable: u64) -> Result<u32, ReadError> {
        let (line, column, limit) = (self.line, self.column, Formula::MOST_READ);
        let within = u32::try_from(variable).ok().filter(|&variable| variable <= limit);
        within.ok_or(ReadError::Variable { line, column, variable, limit })
    }

    /// An error at this word.
    #[cold]
    pub(super) fn wrong(&self, message: impl Into<String>) -> ReadError {
        ReadError::Syntax { line: self.line, column: self.column, message: message.into() }
    }

    /// The error that this word is not one of those allowed.
    #[cold]
    pub(super) fn expected(&self, allowed: &str) -> ReadError {
        self.wrong(format!("`{self}` found; allowed: {allowed}"))
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(self.text(), self.len, f)
    }
}

/// A text, word by word.
pub(super) struct Scanner<R> {
    reader: R,
    /// Where the next byte is.
    line: usize,
    column: usize,
    /// Bytes that stand as words of their own wherever they are.
    punctuation: &'static [u8],
    /// No word of this line was read yet.
    at_start: bool,
}

impl<R: BufRead> Scanner<R> {
    pub(super) fn new(reader: R, punctuation: &'static [u8]) -> Self {
        Self { reader, line: 1, column: 1, punctuation, at_start: true }
    }

    /// The next word, and whether it is the first in its line; none at the end of the text.
    pub(super) fn next(&mut self) -> Result<Option<(Word, bool)>, ReadError> {
        let mut word = Word { line: 0, column: 0, len: 0, first: [0; KEPT] };
        loop {
            let piece = match self.reader.fill_buf() {
                Ok([]) if word.len == 0 => return Ok(None),
                Ok([]) => break,
                Ok(piece) => piece,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error.into()),
            };
            let mut read = 0;
            let mut ended = false;
            for &byte in piece {
                if byte.is_ascii_whitespace() {
                    if word.len > 0 {
                        ended = true;
                        break;
                    }
                    self.column += 1;
                    if byte == b'\n' {
                        (self.line, self.column, self.at_start) = (self.line + 1, 1, true);
                    }
                } else {
                    let alone = self.punctuation.contains(&byte);
                    if alone && word.len > 0 {
                        ended = true;
                        break;
                    }
                    if word.len == 0 {
                        (word.line, word.column) = (self.line, self.column);
                    }
                    if let Some(first) = word.first.get_mut(word.len) {
                        *first = byte;
                    }
                    word.len += 1;
                    self.column += 1;
                    ended = alone;
                }
                read += 1;
                if ended {
                    break;
                }
            }
            self.reader.consume(read);
            if ended {
                break;
            }
        }
        let first = std::mem::take(&mut self.at_start);
        Ok(Some((word, first)))
    }

    /// Passes over the rest of the line, and gives its first bytes, up to `most`.
    pub(super) fn rest_of_line(&mut self, most: usize) -> Result<Vec<u8>, ReadError> {
        let mut rest = Vec::new();
        loop {
            let piece = match self.reader.fill_buf() {
                Ok([]) => return Ok(rest),
                Ok(piece) => piece,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error.into()),
            };
            let end = piece.iter().position(|&byte| byte == b'\n');
            let part = &piece[..end.unwrap_or(piece.len())];
            rest.extend_from_slice(&part[..part.len().min(most - rest.len())]);
            let read = part.len();
            self.column += read;
            self.reader.consume(read); // the end of the line is for `next`
            if end.is_some() {
                return Ok(rest);
            }
        }
    }

    /// An error at the place that was reached.
    #[cold]
    pub(super) fn wrong(&self, message: impl Into<String>) -> ReadError {
        ReadError::Syntax { line: self.line, column: self.column, message: message.into() }
    }
}
