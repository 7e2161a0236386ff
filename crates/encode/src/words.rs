//! Words of a text with the line and column where each starts, for the readers of all formats.
//!
//! A [`Scanner`] takes text in pieces as large as its reader's buffer and keeps none of it: only the first bytes of the
//! word it is at, for messages. So lines, words and comments of any length cost no memory. Lines end with LF, CRLF or
//! CR, and a byte order mark at the start is passed over.

use std::fmt;
use std::io::{BufRead, ErrorKind};

use crate::read::{ReadError, show};

/// Bytes of a word that are kept. No number and no keyword of a format is longer, but for leading zeros.
const KEPT: usize = 40;

/// A word and its place.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// The line where the word starts, from 1.
    pub line: usize,
    column: usize,
    len: usize,
    first: [u8; KEPT],
    sign: Option<u8>,
    /// Nothing but digits so far, after a sign if there is one, of a number below 2⁶⁴.
    is_narrow: bool,
    /// That number without its sign.
    value: u64,
    /// Nothing but white space is before it in the text.
    is_first: bool,
}

impl Word {
    pub const NONE: Self =
        Self { line: 0, column: 0, len: 0, first: [0; KEPT], sign: None, is_narrow: true, value: 0, is_first: true };

    /// Begins another word, whose bytes take the place of these.
    #[inline]
    const fn start(&mut self) {
        (self.len, self.sign, self.is_narrow, self.value) = (0, None, true, 0);
    }

    /// Adds the first `n` of these bytes.
    #[inline]
    fn extend(&mut self, bytes: &[u8], n: usize) {
        match (self.len, bytes.first_chunk::<KEPT>()) {
            (0, Some(first)) => self.first = *first, // faster than just those that are the word's
            (at, _) if at < KEPT => {
                let kept = n.min(KEPT - at);
                self.first[at..at + kept].copy_from_slice(&bytes[..kept]);
            }
            _ => {}
        }
        let mut digits = &bytes[..n];
        if self.len == 0
            && let [sign @ (b'-' | b'+'), rest @ ..] = digits
        {
            (self.sign, digits) = (Some(*sign), rest);
        }
        self.len += n;
        for digit in digits.iter().map(|byte| byte.wrapping_sub(b'0')) {
            let value = self.value.checked_mul(10).and_then(|value| value.checked_add(digit.into()));
            match value.filter(|_| digit < 10) {
                Some(value) => self.value = value,
                None => {
                    self.is_narrow = false;
                    break;
                }
            }
        }
    }

    /// The word, as far as it is kept.
    #[inline]
    #[must_use]
    pub fn text(&self) -> &[u8] {
        &self.first[..self.len.min(KEPT)]
    }

    /// All of the word is kept.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        self.len <= KEPT
    }

    /// True if it is this text.
    #[inline]
    #[must_use]
    pub fn is(&self, text: &str) -> bool {
        self.len == text.len() && self.text() == text.as_bytes()
    }

    /// Nothing is between the other word and this one.
    #[must_use]
    pub const fn touches(&self, before: &Self) -> bool {
        self.line == before.line && self.column == before.column + before.len
    }

    /// True if it begins with a minus.
    #[must_use]
    pub const fn is_negative(&self) -> bool {
        matches!(self.sign, Some(b'-'))
    }

    /// A number with a sign or without, without that sign; none where it is no number or not below 2⁶⁴.
    #[inline]
    pub(crate) fn magnitude(&self) -> Option<u64> {
        (self.is_narrow && self.len > usize::from(self.sign.is_some())).then_some(self.value)
    }

    /// A number with a sign or without; none where it is no number or not below 2⁶³.
    #[inline]
    #[must_use]
    pub fn number(&self) -> Option<i64> {
        let value = i64::try_from(self.magnitude()?).ok()?;
        Some(if self.is_negative() { -value } else { value })
    }

    /// A number with a sign or without, without that sign; none where it is no number, the greatest of 128 bits where
    /// it is greater.
    #[inline]
    pub fn wide_magnitude(&self) -> Option<u128> {
        let digits = || {
            let digits = &self.text()[usize::from(self.sign.is_some())..];
            let digits =
                std::str::from_utf8(digits).ok().filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
            digits.filter(|digits| !digits.is_empty())
        };
        let number = |digits: &str| if self.is_whole() { digits.parse().unwrap_or(u128::MAX) } else { u128::MAX };
        self.magnitude().map(u128::from).or_else(|| digits().map(number))
    }

    /// A number without a sign; none where it is no number or not below 2⁶⁴.
    #[inline]
    #[must_use]
    pub fn unsigned(&self) -> Option<u64> {
        self.magnitude().filter(|_| self.sign.is_none())
    }

    /// This word's variable, or number of variables, if it is not beyond `limit`.
    pub fn within_limit(&self, variable: u64, limit: u32) -> Result<u32, ReadError> {
        let (line, column) = (self.line, self.column);
        let within = u32::try_from(variable).ok().filter(|&variable| variable <= limit);
        within.ok_or(ReadError::Variable { line, column, variable, limit })
    }

    /// An error at this word.
    #[cold]
    pub fn wrong(&self, message: impl Into<String>) -> ReadError {
        ReadError::Syntax { line: self.line, column: self.column, message: message.into() }
    }

    /// The error that this word is not one of those allowed. The first word of a text may tell what the text is.
    #[cold]
    #[must_use]
    pub fn expected(&self, allowed: &str) -> ReadError {
        let text = self.text();
        let packed = PACKED.iter().find(|(start, _)| self.is_first && text.starts_with(start));
        let other = OTHER_FORMATS.iter().find(|(word, _)| self.is_first && text == *word);
        match (packed, other) {
            (Some((_, what)), _) => self.wrong(format!("{what} found; allowed: {allowed}")),
            (None, Some((_, what))) => self.wrong(format!("`{self}` found, {what}; allowed: {allowed}")),
            (None, None) => self.wrong(format!("`{self}` found; allowed: {allowed}")),
        }
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(self.text(), self.len, f)
    }
}

/// The starts of files whose text has to be taken out of them first.
const PACKED: [(&[u8], &str); 7] = [
    (b"\x1f\x8b", "data compressed by gzip"),
    (b"BZh", "data compressed by bzip2"),
    (b"\xfd7zXZ", "data compressed by xz"),
    (b"\x28\xb5\x2f\xfd", "data compressed by zstd"),
    (b"PK\x03\x04", "a zip archive"),
    (b"\xff\xfe", "text in UTF-16"),
    (b"\xfe\xff", "text in UTF-16"),
];

/// The first words of texts in formats that are taken for one another.
const OTHER_FORMATS: [(&[u8], &str); 6] = [
    (b"c", "a comment of DIMACS, KNF or WCNF"),
    (b"p", "the header of DIMACS, KNF or WCNF"),
    (b"h", "a hard clause of WCNF"),
    (b"*", "a comment of OPB"),
    (b"min:", "an objective of OPB"),
    (b"max:", "an objective of OPB"),
];

/// The mark of UTF-8 at the start of a text, which says nothing.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Where words end, by byte: a sum of [`SPACE`], [`BEGINS`], [`ENDS`] and [`COMPARES`].
pub(crate) type WordEnds = [u8; 256];

/// White space, which belongs to no word.
const SPACE: u8 = 1;
/// A word begins with the byte.
const BEGINS: u8 = 2;
/// A word ends with the byte.
const ENDS: u8 = 4;
/// Bytes of a relation: no word has such bytes and others.
const COMPARES: u8 = 8;

const fn split(marks: &[(&[u8], u8)]) -> WordEnds {
    let mut split = [0; 256];
    let (mut byte, mut at) = (0, 0);
    while byte < 256 {
        split[byte] = if (byte as u8).is_ascii_whitespace() { SPACE } else { 0 };
        byte += 1;
    }
    while at < marks.len() {
        let (bytes, kind) = marks[at];
        let mut byte = 0;
        while byte < bytes.len() {
            split[bytes[byte] as usize] = kind;
            byte += 1;
        }
        at += 1;
    }
    split
}

/// Words are between white space.
pub static BY_SPACE: WordEnds = split(&[]);

/// Words of OPB: `+1*x1` is `+1`, `*` and `x1`.
pub static OF_SUMS: WordEnds = split(&[(b";*", BEGINS | ENDS), (b"+-~", BEGINS), (b":", ENDS), (b"<=>", COMPARES)]);

/// The bytes that a buffer begins with, none of which is taken before all that is looked for was found.
#[derive(Clone, Debug)]
pub struct Ahead<'b> {
    bytes: &'b [u8],
    at: usize,
    /// The line that was reached.
    pub line: usize,
    /// Where that line begins, if not before the buffer.
    begins: Option<usize>,
    /// No word of the line was read yet.
    pub at_start: bool,
}

impl Ahead<'_> {
    /// Passes over all that `find` looks at, or over nothing where it finds nothing.
    #[inline]
    pub fn find<T>(&mut self, find: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let mut ahead = self.clone();
        let found = find(&mut ahead)?;
        *self = ahead;
        Some(found)
    }

    /// The next byte; 0 at the end of the buffer.
    #[inline]
    #[must_use]
    pub fn byte(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or(0)
    }

    /// Passes over spaces and ends of lines but CR.
    #[inline]
    pub fn pass_space(&mut self) {
        loop {
            match self.byte() {
                b' ' => {}
                b'\n' => (self.line, self.begins, self.at_start) = (self.line + 1, Some(self.at + 1), true),
                _ => return,
            }
            self.at += 1;
        }
    }

    /// True, and passed over, if this byte comes next.
    #[inline]
    pub fn takes(&mut self, byte: u8) -> bool {
        let is_next = self.byte() == byte;
        self.at += usize::from(is_next);
        is_next
    }

    /// Passes over a sign, if there is one. True if it is a minus.
    #[inline]
    pub fn takes_sign(&mut self) -> bool {
        let is_negative = self.takes(b'-');
        let _ = is_negative || self.takes(b'+');
        is_negative
    }

    /// A number below 10¹⁸ without a sign.
    #[inline]
    pub fn digits(&mut self) -> Option<u64> {
        let rest = &self.bytes[self.at..];
        let (value, n) = match rest.first_chunk().map(|&eight| first_digits(eight)) {
            Some((value, n @ ..8)) => (value, n),
            _ => each_digit(rest)?,
        };
        (self.at, self.at_start) = (self.at + n, false);
        (n > 0).then_some(value)
    }

    /// A number below 10¹⁸ between white space, with whether a minus is before it.
    #[inline]
    pub fn word_of_digits(&mut self) -> Option<(u64, bool)> {
        self.pass_space();
        let is_negative = self.takes_sign();
        let value = self.digits()?;
        self.byte().is_ascii_whitespace().then_some((value, is_negative))
    }
}

/// The number below 10⁸ that these bytes begin with, and how many of them are its digits.
///
/// Pairs of digits become numbers below 100, pairs of those below 10⁴, and those the number, by a multiplication each.
#[inline]
const fn first_digits(bytes: [u8; 8]) -> (u64, usize) {
    let digits = u64::from_le_bytes(bytes) ^ 0x3030_3030_3030_3030;
    // The first byte that is no digit has one of its upper bits, or has it with 6 more.
    let others = (digits | digits.wrapping_add(0x0606_0606_0606_0606)) & 0xF0F0_F0F0_F0F0_F0F0;
    let n = others.trailing_zeros() / 8;
    if n == 0 {
        return (0, 0);
    }
    let pairs = (digits << (64 - 8 * n)).wrapping_mul(10 * 0x100 + 1) >> 8 & 0x00FF_00FF_00FF_00FF;
    let fours = pairs.wrapping_mul(100 * 0x1_0000 + 1) >> 16 & 0x0000_FFFF_0000_FFFF;
    (fours.wrapping_mul(10_000 * 0x1_0000_0000 + 1) >> 32, n as usize)
}

/// The number below 10¹⁸ that a text begins with, and its length.
fn each_digit(text: &[u8]) -> Option<(u64, usize)> {
    let digits = text.iter().map(|byte| byte.wrapping_sub(b'0')).take_while(|&digit| digit < 10);
    let (value, n) = digits.take(19).fold((0, 0), |(value, n), digit| (value * 10 + u64::from(digit), n + 1));
    (n < 19).then_some((value, n))
}

/// A text, word by word.
pub struct Scanner<'r> {
    reader: &'r mut dyn BufRead,
    /// Where the next byte is.
    line: usize,
    column: usize,
    /// The last line has ended with CR, and LF at the start of this one would be of the same end.
    after_cr: bool,
    split: &'static WordEnds,
    /// No word of this line was read yet.
    at_start: bool,
    word: Word,
}

impl fmt::Debug for Scanner<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scanner").field("line", &self.line).field("word", &self.word).finish_non_exhaustive()
    }
}

impl<'r> Scanner<'r> {
    /// The words of `reader`, which `split` tells apart.
    pub const fn new(reader: &'r mut dyn BufRead, split: &'static WordEnds) -> Self {
        Self { reader, line: 1, column: 1, after_cr: false, split, at_start: true, word: Word::NONE }
    }

    /// The next word, and whether it is the first in its line; none at the end of the text.
    #[allow(clippy::should_implement_trait)] // it can fail
    pub fn next(&mut self) -> Result<Option<(Word, bool)>, ReadError> {
        Ok(self.advance()?.map(|(word, first)| (*word, first)))
    }

    /// Takes what `find` finds ahead; nothing where it finds none, where a line may end in CR, or before the first
    /// word. This is for what most of a text consists of, and [`next`](Self::next) for all else.
    #[inline]
    pub fn ahead<T>(&mut self, find: impl FnOnce(&mut Ahead<'_>) -> Option<T>) -> Result<Option<T>, ReadError> {
        let bytes = match self.reader.fill_buf() {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::Interrupted => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let mut ahead = Ahead { bytes, at: 0, line: self.line, begins: None, at_start: self.at_start };
        if self.after_cr || self.word.len == 0 {
            return Ok(None);
        }
        let Some(found) = find(&mut ahead) else { return Ok(None) };
        let Ahead { at, line, begins, at_start, .. } = ahead;
        (self.line, self.at_start) = (line, at_start);
        self.column = begins.map_or(self.column + at, |begins| at - begins + 1);
        self.reader.consume(at);
        Ok(Some(found))
    }

    /// The place that was reached, as a word without bytes.
    #[must_use]
    pub const fn place(&self) -> Word {
        Word { line: self.line, column: self.column, ..Word::NONE }
    }

    /// The next word where it is kept, as [`next`](Self::next).
    #[inline]
    pub(crate) fn advance(&mut self) -> Result<Option<(&Word, bool)>, ReadError> {
        let word = &mut self.word;
        word.is_first &= word.len == 0;
        word.start();
        let (mut ended, mut last) = (false, 0);
        while !ended {
            let piece = match self.reader.fill_buf() {
                Ok([]) if word.len == 0 => return Ok(None),
                Ok([]) => break,
                Ok(piece) => piece,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error.into()),
            };
            let mut read = 0;
            if word.len == 0 {
                while let Some(&byte) = piece.get(read).filter(|byte| byte.is_ascii_whitespace()) {
                    read += 1;
                    self.column += 1;
                    if matches!(byte, b'\n' | b'\r') {
                        let is_same_end = byte == b'\n' && self.after_cr && self.column == 2;
                        self.line += usize::from(!is_same_end);
                        (self.column, self.at_start, self.after_cr) = (1, true, byte == b'\r');
                    }
                }
                (word.line, word.column) = (self.line, self.column);
            }
            let rest = &piece[read..];
            let mut n = 0;
            while let Some(&byte) = rest.get(n)
                && !ended
            {
                let kind = self.split[usize::from(byte)];
                if (kind & (SPACE | BEGINS) | (kind ^ last) & COMPARES) != 0 && word.len + n > 0 {
                    ended = true;
                    break;
                }
                last = kind;
                n += 1;
                ended = kind & ENDS != 0;
            }
            word.extend(rest, n);
            // A longer word is wrong, and its end is not waited for.
            ended |= word.len > KEPT && !word.is_narrow;
            self.column += n;
            self.reader.consume(read + n);
        }
        let first = std::mem::take(&mut self.at_start);
        if self.word.is_first && self.word.text().starts_with(BYTE_ORDER_MARK) {
            return self.unmarked();
        }
        Ok(Some((&self.word, first)))
    }

    /// The first word without a byte order mark.
    #[cold]
    fn unmarked(&mut self) -> Result<Option<(&Word, bool)>, ReadError> {
        let marked = self.word;
        self.word.start();
        let rest = &marked.text()[BYTE_ORDER_MARK.len()..];
        self.word.extend(rest, rest.len());
        self.word.column += BYTE_ORDER_MARK.len();
        self.at_start = self.word.len == 0;
        if self.at_start { self.advance() } else { Ok(Some((&self.word, true))) }
    }

    /// Passes over the rest of the line, and gives its first bytes, up to `most`.
    pub fn rest_of_line(&mut self, most: usize) -> Result<Vec<u8>, ReadError> {
        let mut rest = Vec::new();
        loop {
            let piece = match self.reader.fill_buf() {
                Ok([]) => return Ok(rest),
                Ok(piece) => piece,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error.into()),
            };
            let end = piece.iter().position(|&byte| matches!(byte, b'\n' | b'\r'));
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

    /// Passes over text up to the next `*/`, and over that; false where there is none.
    pub fn rest_of_comment(&mut self) -> Result<bool, ReadError> {
        let mut last = 0;
        loop {
            let piece = match self.reader.fill_buf() {
                Ok([]) => return Ok(false),
                Ok(piece) => piece,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error.into()),
            };
            let (mut read, mut ended) = (0, false);
            while let Some(&byte) = piece.get(read)
                && !ended
            {
                read += 1;
                let is_end = byte == b'\r' || byte == b'\n' && last != b'\r';
                self.column = if matches!(byte, b'\n' | b'\r') { 1 } else { self.column + 1 };
                self.line += usize::from(is_end);
                ended = last == b'*' && byte == b'/';
                last = byte;
            }
            self.reader.consume(read);
            if ended {
                return Ok(true);
            }
        }
    }

    /// An error at the place that was reached.
    #[cold]
    pub fn wrong(&self, message: impl Into<String>) -> ReadError {
        ReadError::Syntax { line: self.line, column: self.column, message: message.into() }
    }
}
