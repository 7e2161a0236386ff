//! The text of a formula: DIMACS out and in.
//!
//! The writer fills a buffer of its own and hands it over in pieces. The reader, [`Dimacs`], takes one word after the
//! other, for a `Formula` and its KNF too. Beside the formula it needs a constant amount of memory,
//! however long a line, a comment, a number or a clause is. What the formula may take is limited by a [`Size`], and the
//! header is held against it before anything is allocated.

use std::fmt;
use std::io::{self, BufRead, Write};

use rustsat::types::{Lit, Var};

use crate::cnf::{CapacityError, Cnf};
use crate::read::ReadError;
use crate::size::Size;
use crate::words::{Ahead, BY_SPACE, Scanner, Word};

impl Cnf {
    /// Writes the formula in DIMACS format: a header `p cnf VARIABLES CLAUSES`, then a line per clause.
    ///
    /// The writer need not be buffered.
    ///
    /// # Errors
    /// When writing fails.
    pub fn write_dimacs<W: Write>(&self, writer: W) -> io::Result<()> {
        let header = format!("p cnf {} {}", self.n_vars(), self.n_clauses());
        self.write_with(&header, std::iter::empty(), writer)
    }

    /// Writes a header, the clauses, and lines of a word and literals.
    #[doc(hidden)]
    pub fn write_with<'a>(
        &'a self,
        header: &str,
        lines: impl Iterator<Item = (&'static str, &'a [Lit])>,
        mut writer: impl Write,
    ) -> io::Result<()> {
        const CHUNK: usize = 1 << 16;
        let mut text = Vec::with_capacity(CHUNK + 64);
        writeln!(text, "{header}")?;
        for (word, lits) in self.clauses().map(|clause| ("", clause)).chain(lines) {
            text.extend_from_slice(word.as_bytes());
            for &lit in lits {
                push_lit(&mut text, lit);
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
        Self::read_within(&mut reader, limit)
    }

    fn read_within(reader: &mut dyn BufRead, limit: Size) -> Result<Self, ReadError> {
        let mut text = Dimacs::open(reader, false, Var::MAX_IDX, None)?;
        let needed = Size { vars: text.n_vars.into(), clauses: text.announced, lits: 0 };
        if !needed.fits(&limit) {
            return Err(CapacityError::new(needed, limit).into());
        }
        let mut cnf = Self::with_vars(text.n_vars as usize).with_limit(limit);
        let mut lits = Vec::new();
        while let Some(item) = text.next(&mut lits)? {
            lits.drain(..).try_for_each(|lit| cnf.push_literal(lit))?;
            if let Item::End = item {
                cnf.close_clause()?;
            }
        }
        Ok(cnf)
    }
}

/// Appends the number of a literal and a space.
#[inline]
pub fn push_lit(text: &mut Vec<u8>, lit: Lit) {
    push_number(text, (lit.vidx32() + 1).into(), lit.is_neg());
}

/// Appends a number and a space.
#[inline]
pub fn push_number(text: &mut Vec<u8>, magnitude: u128, is_negative: bool) {
    if magnitude >= EIGHT_DIGITS.into() {
        return push_long(text, magnitude, is_negative);
    }
    let digits = digits(magnitude as u32);
    // The last digit is one where all are zeros.
    let zeros = (digits | 1 << 56).trailing_zeros() & !7;
    // Leading zeros become spaces, behind the others; then there are more spaces.
    let blanks = 0x1010_1010_1010_1010 & ((1 << zeros) - 1);
    let word = ((digits | 0x3030_3030_3030_3030) ^ blanks).rotate_right(zeros);
    let mut bytes = [b' '; 16];
    bytes[..8].copy_from_slice(&word.to_le_bytes());
    // All bytes are appended, as copies of fixed length are one instruction, and those behind the first space go again.
    let start = text.len() + usize::from(is_negative);
    text.push(b'-');
    text.truncate(start);
    text.extend_from_slice(&bytes);
    text.truncate(start + 9 - (zeros / 8) as usize);
}

/// A number of more digits.
#[cold]
fn push_long(text: &mut Vec<u8>, magnitude: u128, is_negative: bool) {
    let sign = if is_negative { "-" } else { "" };
    text.extend_from_slice(format!("{sign}{magnitude} ").as_bytes());
}

const EIGHT_DIGITS: u32 = 100_000_000;

/// The eight digits of a number below 10⁸, a byte each, the first digit in the lowest byte: all pairs of digits, and
/// then all digits, are found by one multiplication, which divides each by 100 and by 10.
const fn digits(number: u32) -> u64 {
    let fours = (number as u64 / 10_000) | ((number as u64 % 10_000) << 32);
    let high = ((fours * 10_486) >> 20) & 0x7F_0000_007F;
    let twos = high | ((fours - 100 * high) << 16);
    let tens = ((twos * 103) >> 10) & 0x000F_000F_000F_000F;
    tens | ((twos - 10 * tens) << 8)
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

/// A part of a text in DIMACS or KNF, behind its header.
#[derive(Debug)]
pub enum Item {
    /// Literals, and perhaps more of the same clause or constraint.
    Lits,
    /// The last literals, if there are more, and the end of a clause or a constraint.
    End,
}

/// Variables from 1 on, and their names.
pub type Names = Vec<(u64, String)>;

/// Remarks of comments on variables, from 1 on.
#[derive(Debug, Default)]
pub struct DimacsRemarks {
    /// Their names.
    pub names: Names,
    /// Those that solutions are counted by, if there is a line that lists some: the first such line begins there.
    pub shown: Option<(Word, Vec<u64>)>,
}

/// The kind of text that a header announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DimacsKind {
    Cnf,
    /// Constraints `k BOUND literals 0`.
    Knf,
    /// Constraints `literals <= BOUND`.
    Plus,
}

/// A text in DIMACS, KNF or PySAT's CNF+, whose header was read.
#[derive(Debug)]
pub struct Dimacs<'r> {
    words: Scanner<'r>,
    /// The line of the header.
    header: usize,
    kind: DimacsKind,
    /// The variables that the header announces.
    pub n_vars: u32,
    /// The clauses and constraints that the header announces.
    pub(crate) announced: u64,
    /// Those that have ended.
    ended: u64,
    /// The clause or constraint at hand has begun.
    is_open: bool,
    /// At least as many of the literals at hand are true, where that was said, or at most (`true`).
    pub bound: Option<(i64, bool)>,
    /// The literals at hand are a parity, of which an odd number is true.
    pub is_parity: bool,
    /// The first literal of a parity, where it touches the letter that begins it.
    first: Option<Lit>,
    /// Remarks of comments, if somebody wants them. Parities are read where somebody does.
    pub said: Option<DimacsRemarks>,
}

impl<'r> Dimacs<'r> {
    /// Reads comments and the header, which may announce variables up to `most`. Constraints are read where `knf` is
    /// allowed and the header says so.
    pub fn open(
        reader: &'r mut dyn BufRead,
        knf: bool,
        most: u32,
        mut said: Option<DimacsRemarks>,
    ) -> Result<Self, ReadError> {
        let header = if knf {
            "a header `p knf VARIABLES LINES` or `p cnf VARIABLES CLAUSES`"
        } else {
            "a header `p cnf VARIABLES CLAUSES`"
        };
        let mut words = Scanner::new(reader, &BY_SPACE);
        let start = loop {
            match words.next()? {
                None => return Err(words.wrong(format!("the text ends without {header}"))),
                Some((word, _)) if word.text()[0] == b'c' => comment(&mut words, &word, said.as_mut())?,
                Some((word, _)) if word.is("p") => break word,
                Some((word, _)) => return Err(word.expected(header)),
            }
        };
        let mut part = || match words.next()? {
            Some((word, false)) => Ok(word),
            _ => Err(start.wrong(format!("the line ends within the header; allowed: {header}"))),
        };
        let (format, vars, lines) = (part()?, part()?, part()?);
        let kinds = [("cnf", DimacsKind::Cnf), ("knf", DimacsKind::Knf), ("cnf+", DimacsKind::Plus)];
        let kind = kinds.into_iter().take(if knf { 3 } else { 1 }).find(|(name, _)| format.is(name));
        let or_knf = "a header `p cnf VARIABLES CLAUSES`; `Formula::read_knf` reads `p knf`";
        let (_, kind) = kind.ok_or_else(|| format.expected(if format.is("knf") { or_knf } else { header }))?;
        let n_vars = vars.unsigned().ok_or_else(|| vars.expected("a number of variables"))?;
        let n_vars = vars.within_limit(n_vars, most)?;
        let announced = lines.unsigned().ok_or_else(|| lines.expected("a count"))?;
        let (header, ended, is_open, bound) = (start.line, 0, false, None);
        Ok(Self { words, kind, n_vars, announced, header, ended, is_open, bound, is_parity: false, first: None, said })
    }

    /// The next part, with its literals behind those of `lits`; `None` at the end of the text, which is where the
    /// header says.
    #[inline]
    pub fn next(&mut self, lits: &mut Vec<Lit>) -> Result<Option<Item>, ReadError> {
        let (header, n_vars, may_end) = (self.header, u64::from(self.n_vars), self.ended < self.announced);
        let (start, most) = (lits.len(), lits.len() + MOST_AT_ONCE);
        let may_bound = self.kind == DimacsKind::Knf && !self.is_open;
        let (bound, is_open) = (&mut self.bound, &mut self.is_open);
        let ends = self.words.ahead(|ahead| {
            if may_bound
                && let Some((least, is_negative)) =
                    ahead.find(|ahead| bound_ahead(ahead).filter(|_| ahead.line > header))
            {
                let least = least.cast_signed();
                (*bound, *is_open) = (Some((if is_negative { -least } else { least }, false)), true);
            }
            let mut ends = false;
            while !ends
                && lits.len() < most
                && let Some((number, is_negative)) = ahead.find(|ahead| {
                    let (number, is_negative) = ahead.word_of_digits().filter(|_| ahead.line > header)?;
                    let is_in_place = if number == 0 { may_end && !is_negative } else { number <= n_vars };
                    is_in_place.then_some((number, is_negative))
                })
            {
                match number {
                    0 => ends = true,
                    _ => lits.push(Lit::new(number as u32 - 1, is_negative)),
                }
            }
            Some(ends)
        })?;
        if ends == Some(true) {
            (self.is_open, self.ended) = (false, self.ended + 1);
            return Ok(Some(Item::End));
        }
        if lits.len() > start {
            self.is_open = true;
            return Ok(Some(Item::Lits));
        }
        while let Some((word, first)) = self.words.advance()? {
            match word.magnitude() {
                Some(number @ 1..) if number <= self.n_vars.into() && word.line > self.header => {
                    self.is_open = true;
                    lits.push(Lit::new(number as u32 - 1, word.is_negative()));
                    return Ok(Some(Item::Lits));
                }
                Some(0) if word.line > self.header && self.ended < self.announced && !word.is_negative() => {
                    self.ended += 1;
                    self.is_open = false;
                    return Ok(Some(Item::End));
                }
                _ => {}
            }
            let word = *word;
            if !self.other(&word, first)? {
                break;
            }
            if self.bound.is_some() && !self.is_open {
                return Ok(Some(Item::End));
            }
            if let Some(lit) = self.first.take() {
                lits.push(lit);
                return Ok(Some(Item::Lits));
            }
        }
        if self.is_open {
            return Err(self.words.wrong("the text ends within a clause; every clause ends with 0"));
        }
        if self.ended != self.announced {
            let (announced, held) = (self.announced, self.ended);
            let message = format!("the header announces {announced} {}s, the text holds {held}", self.line());
            return Err(self.words.wrong(message));
        }
        Ok(None)
    }

    /// Takes a word that is no literal and ends nothing. False where it ends the text.
    #[cold]
    fn other(&mut self, word: &Word, first: bool) -> Result<bool, ReadError> {
        if word.line == self.header {
            Err(word.expected("nothing after the header in its line"))
        } else if first && word.text()[0] == b'c' {
            comment(&mut self.words, word, self.said.as_mut()).map(|()| true)
        } else if first && word.is("%") && !self.is_open {
            Ok(false) // as SATLIB ends its files
        } else if word.is("p") {
            Err(word.wrong("a second header; one is allowed, before the first clause"))
        } else if word.is("k") && self.kind == DimacsKind::Knf && !self.is_open {
            self.is_open = true;
            self.read_bound(false)
        } else if word.text()[0] == b'x' && self.said.is_some() && !self.is_open {
            self.begin_parity(word)
        } else if (word.is("<=") || word.is(">=")) && self.kind == DimacsKind::Plus && self.ended < self.announced {
            self.is_open = true;
            let has_bound = self.read_bound(word.is("<="))?;
            self.is_open = !has_bound;
            self.ended += u64::from(has_bound);
            Ok(has_bound)
        } else if word.magnitude() == Some(0) && !word.is_negative()
            || self.kind == DimacsKind::Plus && (word.is("<=") || word.is(">="))
        {
            Err(word.wrong(format!("a {} more than the {} of the header", self.line(), self.announced)))
        } else {
            let more = match self.kind {
                DimacsKind::Knf if !self.is_open => ", and `k` before a constraint",
                DimacsKind::Plus => ", or `<=` and a bound there",
                _ => "",
            };
            Err(word.expected(&format!("-{0} to {0}, and 0 at the end{more}", self.n_vars)))
        }
    }

    /// Begins a parity, as CryptoMiniSat writes them: an `x`, and its first literal, if that touches it.
    fn begin_parity(&mut self, word: &Word) -> Result<bool, ReadError> {
        (self.is_open, self.is_parity) = (true, true);
        let number = std::str::from_utf8(&word.text()[1..]).unwrap_or("?");
        if !number.is_empty() {
            let number = number.parse::<i64>().ok().filter(|_| word.is_whole());
            let var = number.map(i64::unsigned_abs).filter(|&var| var <= self.n_vars.into());
            let Some((number, var @ 1..)) = number.zip(var) else {
                return Err(word.expected(&format!("`x` and a literal, -{0} to {0}", self.n_vars)));
            };
            self.first = Some(Lit::new(var as u32 - 1, number < 0));
        }
        Ok(true)
    }

    /// Reads the bound of a constraint. False at the end of the text.
    fn read_bound(&mut self, is_most: bool) -> Result<bool, ReadError> {
        let Some((word, _)) = self.words.next()? else { return Ok(false) };
        let bound = word.number().ok_or_else(|| word.expected("a bound, a number below 2⁶³"))?;
        self.bound = Some((bound, is_most));
        Ok(true)
    }

    /// The word for what the header announces.
    const fn line(&self) -> &'static str {
        if let DimacsKind::Cnf = self.kind { "clause" } else { "line" }
    }
}

/// The bound of a constraint, behind its `k`.
fn bound_ahead(ahead: &mut Ahead<'_>) -> Option<(u64, bool)> {
    ahead.pass_space();
    (ahead.takes(b'k') && ahead.byte() == b' ').then(|| ahead.word_of_digits()).flatten()
}

/// Literals that are taken before they are handed on, so that a clause of any length takes constant memory.
const MOST_AT_ONCE: usize = 1 << 10;

/// The longest name that is read; the rest of a longer one is left out.
pub const LONGEST_NAME: usize = 1 << 10;

/// The longest list of variables that is read, in bytes.
const LONGEST_LIST: usize = 1 << 24;

/// Passes over a comment, and keeps the name that it gives to a variable, or the list of those that are shown: `c ind`
/// or `c p show`, and numbers, with a 0 at the end or without.
pub fn comment(words: &mut Scanner<'_>, word: &Word, said: Option<&mut DimacsRemarks>) -> Result<(), ReadError> {
    let Some(said) = said.filter(|_| word.is("c")) else { return words.rest_of_line(0).map(drop) };
    let rest = words.rest_of_line(LONGEST_LIST)?;
    let mut listed = rest.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let is_list = match listed.next() {
        Some(b"ind") => true,
        Some(b"p") => listed.next() == Some(b"show"),
        _ => false,
    };
    if is_list {
        let mut numbers = Vec::new();
        for listed in listed {
            let number = std::str::from_utf8(listed).ok().and_then(|number| number.parse::<i64>().ok());
            match number.map(u64::try_from) {
                Some(Ok(number)) => numbers.push(number),
                None if numbers.is_empty() => return Ok(()), // a remark
                _ => return Err(word.wrong("a list of variables has numbers from 1 on, and 0 at the end")),
            }
        }
        if let Some(&last) = numbers.last() {
            numbers.truncate(numbers.len() - usize::from(last == 0));
            said.shown.get_or_insert_with(|| (*word, Vec::new())).1.extend(numbers);
        }
        return Ok(());
    }
    let rest = String::from_utf8_lossy(&rest[..rest.len().min(LONGEST_NAME)]);
    if let Some((var, name)) = rest.trim().strip_prefix("name ").and_then(|rest| rest.split_once(' '))
        && let Ok(var) = var.parse()
        && var > 0
    {
        said.names.push((var, name.trim().into()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers around those at which the number of digits changes, up to the greatest.
    #[test]
    fn literals_are_written_as_numbers() {
        let powers = (0..10).map(|digits| 10_u32.pow(digits)).chain([99_990_000, 12_345_678, Var::MAX_IDX]);
        for number in powers.flat_map(|power| power.saturating_sub(12).max(1)..=power.saturating_add(12)) {
            for lit in [false, true].map(|negated| Lit::new((number - 1).min(Var::MAX_IDX - 1), negated)) {
                let mut text = b"c ".to_vec();
                push_lit(&mut text, lit);
                assert_eq!(String::from_utf8(text).unwrap(), format!("c {} ", lit.to_ipasir()));
            }
        }
        for number in [0, 1, -7, i128::from(u64::MAX), i128::MIN] {
            let mut text = Vec::new();
            push_number(&mut text, number.unsigned_abs(), number < 0);
            assert_eq!(String::from_utf8(text).unwrap(), format!("{number} "));
        }
    }
}
