//! The text of a formula: DIMACS out and in.
//!
//! The writer fills a buffer of its own and hands it over in pieces. The reader goes over the bytes once, whatever
//! pieces they come in, and keeps no line and no word: only the first bytes of a word, for a message. Beside the
//! formula it builds it therefore needs a constant amount of memory, however long a line, a comment, a number or a
//! clause is. What the formula may take is limited by a [`Size`], and the header is held against it before anything is
//! allocated.

use std::fmt;
use std::io::{self, BufRead, ErrorKind, Write};

use rustsat::types::{Lit, Var};

use crate::cnf::{CapacityError, Cnf};
use crate::read::{ReadError, SHOWN, show};
use crate::size::Size;

impl Cnf {
    /// Writes the formula in DIMACS format: a header `p cnf VARIABLES CLAUSES`, then a line per clause.
    ///
    /// The writer need not be buffered.
    ///
    /// # Errors
    /// When writing fails.
    pub fn write_dimacs<W: Write>(&self, mut writer: W) -> io::Result<()> {
        const CHUNK: usize = 1 << 16;
        let mut text = Vec::with_capacity(CHUNK + 64);
        let mut number = itoa::Buffer::new();
        writeln!(text, "p cnf {} {}", self.n_vars(), self.n_clauses())?;
        for clause in self.clauses() {
            for &lit in clause {
                text.extend_from_slice(number.format(lit.to_ipasir()).as_bytes());
                text.push(b' ');
                if text.len() >= CHUNK {
                    writer.write_all(&text)?;
                    text.clear();
                }
            }
            text.extend_from_slice(b"0\n");
        }
        writer.write_all(&text)?;
        writer.flush()
    }

    /// Reads a formula in DIMACS format, of at most [`DEFAULT_LIMIT`](Self::DEFAULT_LIMIT).
    ///
    /// Lines that start with `c` are comments (of any bytes), clauses may span lines, and a line `%` ends the text as
    /// in SATLIB. The header must come first, and what follows must be what it announces. Time is linear in the text;
    /// memory is that of the formula and a constant.
    ///
    /// # Errors
    /// [`ReadError`] with line and column of the first thing that is wrong.
    pub fn from_dimacs<R: BufRead>(reader: R) -> Result<Self, ReadError> {
        Self::from_dimacs_within(reader, Self::DEFAULT_LIMIT)
    }

    /// Reads a formula in DIMACS format that may have at most `limit`, which stays the limit of what is read.
    ///
    /// A header that announces more is refused before anything is allocated, and a text that is longer than it
    /// announced is refused where the limit is passed.
    ///
    /// ```
    /// use cnfkit::{Cnf, ReadError, Size};
    /// let limit = Size { vars: 1_000_000, clauses: 5_000_000, lits: 20_000_000 };
    /// let refused = Cnf::from_dimacs_within(&b"p cnf 2000000 1\n1 0\n"[..], limit).unwrap_err();
    /// assert!(matches!(refused, ReadError::Capacity(error) if error.needed.vars == 2_000_000));
    /// ```
    ///
    /// # Errors
    /// [`ReadError::Capacity`] when the limit would be passed, [`ReadError`] with line and column of the first
    /// thing that is wrong.
    pub fn from_dimacs_within<R: BufRead>(mut reader: R, limit: Size) -> Result<Self, ReadError> {
        let mut parser = Parser::new(limit);
        while !parser.ended {
            let piece = match reader.fill_buf() {
                Ok([]) => break,
                Ok(piece) => piece,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error.into()),
            };
            parser.feed(piece)?;
            let read = piece.len();
            reader.consume(read);
        }
        parser.finish()
    }
}

/// DIMACS text.
impl fmt::Display for Cnf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "p cnf {} {}", self.n_vars(), self.n_clauses())?;
        for clause in self.clauses() {
            for lit in clause {
                write!(f, "{} ", lit.to_ipasir())?;
            }
            writeln!(f, "0")?;
        }
        Ok(())
    }
}

/// A word as it is read: its number, and its first bytes for a message.
#[derive(Clone, Copy)]
struct Word {
    /// The column where it starts, from 1.
    column: usize,
    len: usize,
    first: [u8; SHOWN],
    /// Nothing but digits so far, after a sign if there is one.
    numeric: bool,
    negative: bool,
    digits: bool,
    /// The number, or some number beyond all that are allowed anywhere.
    value: u64,
}

impl Word {
    const NONE: Self =
        Self { column: 0, len: 0, first: [0; SHOWN], numeric: true, negative: false, digits: false, value: 0 };

    #[inline]
    fn push(&mut self, byte: u8) {
        match byte {
            b'0'..=b'9' => {
                self.digits = true;
                self.value = self.value.saturating_mul(10).saturating_add(u64::from(byte - b'0'));
            }
            b'-' | b'+' if self.len == 0 => self.negative = byte == b'-',
            _ => self.numeric = false,
        }
        if let Some(first) = self.first.get_mut(self.len) {
            *first = byte;
        }
        self.len += 1;
    }

    fn is(&self, word: &[u8]) -> bool {
        self.len == word.len() && self.first[..self.len] == *word
    }

    /// The number without its sign.
    #[inline]
    fn magnitude(&self) -> Option<u64> {
        (self.numeric && self.digits).then_some(self.value)
    }

    /// The number of a header's word.
    fn count(&self) -> Option<u64> {
        self.magnitude().filter(|_| !self.negative)
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(&self.first, self.len, f)
    }
}

/// The part of the text a line belongs to, which its first word decides.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// There was no word in this line yet.
    Unknown,
    Comment,
    /// The header, from this column on; so many of its words after `p` were read.
    Header {
        column: usize,
        words: u8,
    },
    Literals,
}

/// A reader of DIMACS that takes the text in pieces.
struct Parser {
    cnf: Cnf,
    limit: Size,
    /// Variables and clauses, once the header was read.
    announced: Option<(u64, u64)>,
    /// The numbers of the header while it is read.
    header: [u64; 2],
    line: usize,
    /// The number of bytes of this line that were read.
    column: usize,
    kind: Kind,
    word: Word,
    /// A line `%` was read: whatever follows is no part of the formula.
    ended: bool,
}

impl Parser {
    fn new(limit: Size) -> Self {
        Self {
            cnf: Cnf::new().with_limit(limit),
            limit,
            announced: None,
            header: [0; 2],
            line: 1,
            column: 0,
            kind: Kind::Unknown,
            word: Word::NONE,
            ended: false,
        }
    }

    fn feed(&mut self, mut piece: &[u8]) -> Result<(), ReadError> {
        while !self.ended {
            if self.kind == Kind::Comment {
                let rest = piece.iter().position(|&byte| byte == b'\n').unwrap_or(piece.len());
                self.column += rest;
                piece = &piece[rest..];
            }
            let Some((&byte, rest)) = piece.split_first() else { return Ok(()) };
            piece = rest;
            self.column += 1;
            if !byte.is_ascii_whitespace() {
                self.word_goes_on(byte)?;
                continue;
            }
            if self.word.len > 0 {
                self.word_ends()?;
            }
            if byte == b'\n' {
                self.line_ends()?;
            }
        }
        Ok(())
    }

    #[inline]
    fn word_goes_on(&mut self, byte: u8) -> Result<(), ReadError> {
        if self.word.len == 0 {
            self.word.column = self.column;
            if byte == b'c' && self.kind == Kind::Unknown {
                self.kind = Kind::Comment;
                return Ok(());
            }
        }
        self.word.push(byte);
        // A word may have leading zeros without end; any other one that long is wrong, and is not waited for.
        if self.word.len > SHOWN { self.long_word() } else { Ok(()) }
    }

    /// Refuses a long word that is wrong whatever follows.
    fn long_word(&mut self) -> Result<(), ReadError> {
        match self.kind {
            Kind::Header { column, words } if words == 0 || !self.word.numeric => Err(self.wrong_header(column)),
            Kind::Header { .. } => Ok(()),
            _ if self.announced.is_some_and(|(n_vars, _)| self.word.numeric && self.word.value <= n_vars) => Ok(()),
            _ => Err(self.wrong_literal()),
        }
    }

    fn word_ends(&mut self) -> Result<(), ReadError> {
        if self.kind == Kind::Unknown {
            self.kind = Kind::Literals;
            if self.word.is(b"%") {
                self.ended = true;
            } else if self.word.is(b"p") {
                self.header_starts()?;
            } else {
                self.literal()?;
            }
        } else if let Kind::Header { column, words } = self.kind {
            self.header_word(column, words)?;
        } else {
            self.literal()?;
        }
        self.word = Word::NONE;
        Ok(())
    }

    #[inline]
    fn literal(&mut self) -> Result<(), ReadError> {
        let Some((n_vars, n_clauses)) = self.announced else { return Err(self.wrong_literal()) };
        match self.word.magnitude() {
            Some(0) if self.cnf.n_clauses() as u64 == n_clauses => {
                Err(self.wrong(self.word.column, format!("a clause more than the {n_clauses} of the header")))
            }
            Some(0) => Ok(self.cnf.close_clause()?),
            Some(number) if number <= n_vars => {
                Ok(self.cnf.push_literal(Lit::new(number as u32 - 1, self.word.negative))?)
            }
            _ => Err(self.wrong_literal()),
        }
    }

    fn header_starts(&mut self) -> Result<(), ReadError> {
        let column = self.word.column;
        if self.announced.is_some() {
            return Err(self.wrong(column, "a second header; one is allowed, before the first clause".into()));
        }
        self.kind = Kind::Header { column, words: 0 };
        Ok(())
    }

    fn header_word(&mut self, column: usize, words: u8) -> Result<(), ReadError> {
        match (words, self.word.count()) {
            (0, _) if self.word.is(b"cnf") => {}
            (1 | 2, Some(number)) => self.header[usize::from(words) - 1] = number,
            _ => return Err(self.wrong_header(column)),
        }
        self.kind = Kind::Header { column, words: words + 1 };
        Ok(())
    }

    fn line_ends(&mut self) -> Result<(), ReadError> {
        self.header_ends()?;
        self.kind = Kind::Unknown;
        self.line += 1;
        self.column = 0;
        Ok(())
    }

    /// Takes the header for what it is when its line is over, and holds it against the limit.
    fn header_ends(&mut self) -> Result<(), ReadError> {
        let Kind::Header { column, words } = self.kind else { return Ok(()) };
        let [vars, clauses] = self.header;
        if words != 3 || vars > u64::from(Var::MAX_IDX) {
            return Err(self.wrong_header(column));
        }
        let needed = Size { vars, clauses, lits: 0 };
        if !needed.fits(&self.limit) {
            return Err(CapacityError::new(needed, self.limit).into());
        }
        self.announced = Some((vars, clauses));
        self.cnf = Cnf::with_vars(vars as usize).with_limit(self.limit);
        Ok(())
    }

    fn finish(mut self) -> Result<Cnf, ReadError> {
        if self.word.len > 0 && !self.ended {
            self.word_ends()?;
        }
        self.header_ends()?;
        let here = self.column + 1;
        let Some((_, n_clauses)) = self.announced else {
            return Err(self.wrong(here, "the text ends without a header `p cnf VARIABLES CLAUSES`".into()));
        };
        if self.cnf.has_open_clause() {
            return Err(self.wrong(here, "the text ends within a clause; every clause ends with 0".into()));
        }
        if self.cnf.n_clauses() as u64 != n_clauses {
            let held = self.cnf.n_clauses();
            return Err(self.wrong(here, format!("the header announces {n_clauses} clauses, the text holds {held}")));
        }
        Ok(self.cnf)
    }

    #[cold]
    fn wrong(&self, column: usize, message: String) -> ReadError {
        ReadError::Syntax { line: self.line, column, message }
    }

    #[cold]
    fn wrong_literal(&self) -> ReadError {
        let word = self.word;
        let message = match self.announced {
            None => format!("`{word}` before the header `p cnf VARIABLES CLAUSES`"),
            Some((n_vars, _)) => {
                format!("`{word}` is no literal: allowed are -{n_vars} to {n_vars}, and 0 to end a clause")
            }
        };
        self.wrong(word.column, message)
    }

    #[cold]
    fn wrong_header(&self, column: usize) -> ReadError {
        let most = Var::MAX_IDX;
        self.wrong(column, format!("a header must read `p cnf VARIABLES CLAUSES`, with at most {most} variables"))
    }
}
