//! The lines of an engine, read as they come, in pieces of any length.
//!
//! A word is the longest text that is kept; the model takes a bit for each variable. Only lines that begin with the
//! word `s`, `v` or `o` count; `SAT`, `UNSAT` and lines of numbers after that are MiniSat's. A model of DIMACS ends
//! with 0; in OPB it is a line of `x1 -x2`, in WCNF a line of zeros and ones, or of literals.

use std::collections::VecDeque;

use super::error::Failure;
use super::names::Format;

/// The most lines that are kept for an error, and the most bytes of each.
const LAST_LINES: usize = 8;
const LAST_BYTES: usize = 160;
/// The most bytes of a word that counts, but for a model of zeros and ones.
const LONGEST: usize = 48;

/// The answer in a line `s`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Sat,
    Unsat,
    Optimum,
    Unknown,
}

/// A set of variables: those that are true.
#[derive(Clone, Debug, Default)]
pub(crate) struct TrueVariables(Vec<u64>);

impl TrueVariables {
    pub(super) fn set(&mut self, var: usize, value: bool) {
        if self.0.len() <= var / 64 {
            self.0.resize(var / 64 + 1, 0);
        }
        let word = &mut self.0[var / 64];
        *word = *word & !(1 << (var % 64)) | u64::from(value) << (var % 64);
    }

    pub(crate) fn is_true(&self, var: usize) -> bool {
        self.0.get(var / 64).is_some_and(|word| word >> (var % 64) & 1 == 1)
    }
}

/// The kind of the line that is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum LineKind {
    #[default]
    Start,
    Comment,
    Status,
    Value,
    /// A model, before its first word.
    Model,
    /// After it.
    Values,
}

/// The answer of an engine, as far as it was read.
#[derive(Debug, Default)]
pub(super) struct EngineOutput {
    format: Format,
    n_vars: usize,
    pub(super) status: Option<Status>,
    /// The number in the last line `o`.
    pub(super) value: Option<i128>,
    pub(super) model: TrueVariables,
    /// The model has ended.
    pub(super) is_complete: bool,
    /// The model before, whose value was not the last one.
    before: Option<TrueVariables>,
    /// There was a value since the model.
    is_better: bool,
    kind: LineKind,
    word: Vec<u8>,
    /// After MiniSat's `SAT`, a line of numbers is a model.
    plain: bool,
}

impl EngineOutput {
    /// Of an engine for this number of variables.
    pub(super) fn new(format: Format, n_vars: usize) -> Self {
        Self { format, n_vars, ..Self::default() }
    }

    /// A piece of standard output.
    pub(super) fn feed(&mut self, piece: &[u8]) -> Result<(), Failure> {
        let longest = if self.format == Format::Wcnf { LONGEST.max(self.n_vars) } else { LONGEST };
        for &byte in piece {
            match byte {
                b'\n' => self.end_line()?,
                b' ' | b'\t' | b'\r' => self.end_word()?,
                _ if self.kind == LineKind::Comment => {}
                _ if self.word.len() < longest => self.word.push(byte),
                _ if self.kind == LineKind::Start => self.kind = LineKind::Comment,
                _ => return Err(self.nonsense()),
            }
        }
        Ok(())
    }

    fn end_line(&mut self) -> Result<(), Failure> {
        self.end_word()?;
        if matches!(self.kind, LineKind::Model | LineKind::Values) && self.format != Format::Dimacs {
            self.is_complete = true;
        }
        self.kind = LineKind::Start;
        Ok(())
    }

    fn nonsense(&self) -> Failure {
        Failure::Nonsense(String::from_utf8_lossy(&self.word).escape_debug().to_string())
    }

    pub(super) fn end_word(&mut self) -> Result<(), Failure> {
        if !self.word.is_empty() {
            match self.kind {
                LineKind::Start => self.first_word()?,
                LineKind::Comment => {}
                LineKind::Status => self.answer()?,
                LineKind::Value => {
                    self.value = Some(self.number().ok_or_else(|| self.nonsense())?);
                    self.is_better = true;
                    self.kind = LineKind::Comment;
                }
                LineKind::Model if self.is_bits() => {
                    self.begin();
                    let word = std::mem::take(&mut self.word);
                    (0..).zip(&word).for_each(|(var, &bit)| self.model.set(var, bit == b'1'));
                    self.kind = LineKind::Values;
                }
                LineKind::Model | LineKind::Values => self.literal()?,
            }
            self.word.clear();
        }
        Ok(())
    }

    fn first_word(&mut self) -> Result<(), Failure> {
        self.kind = match self.word.as_slice() {
            b"s" => LineKind::Status,
            b"v" => LineKind::Model,
            b"o" => LineKind::Value,
            b"SAT" | b"UNSAT" => {
                self.plain = true;
                return self.answer();
            }
            [b'-' | b'0'..=b'9', ..] if self.plain => {
                return self.literal();
            }
            _ => LineKind::Comment,
        };
        Ok(())
    }

    fn answer(&mut self) -> Result<(), Failure> {
        let status = match self.word.as_slice() {
            b"SATISFIABLE" | b"SAT" => Status::Sat,
            b"UNSATISFIABLE" | b"UNSAT" => Status::Unsat,
            b"OPTIMUM" => Status::Optimum,
            b"UNKNOWN" | b"INDETERMINATE" | b"INDET" => Status::Unknown,
            _ => return Err(self.nonsense()),
        };
        if self.status.is_some_and(|before| before != status) {
            return Err(self.nonsense());
        }
        (self.status, self.kind) = (Some(status), LineKind::Comment);
        Ok(())
    }

    fn number(&self) -> Option<i128> {
        std::str::from_utf8(&self.word).ok()?.parse().ok()
    }

    /// True if the first word of a model is all of it: a list of literals begins with variable 1.
    fn is_bits(&self) -> bool {
        let is_bit = |byte: &u8| matches!(byte, b'0' | b'1');
        self.format == Format::Wcnf && (2..=self.n_vars).contains(&self.word.len()) && self.word.iter().all(is_bit)
    }

    /// The model goes on, or another one begins.
    fn begin(&mut self) {
        if self.is_complete && self.is_better {
            self.before = Some(self.model.clone());
        }
        (self.is_complete, self.is_better) = (false, false);
    }

    /// The last model that was read to its end.
    pub(super) fn last_complete(self) -> Option<TrueVariables> {
        if self.is_complete { Some(self.model) } else { self.before }
    }

    fn literal(&mut self) -> Result<(), Failure> {
        self.kind = LineKind::Values;
        if self.format == Format::Opb
            && let Some(at) = self.word.iter().take(2).position(|&byte| byte == b'x')
        {
            self.word.remove(at);
        }
        match self.number() {
            Some(0) => self.is_complete = true,
            Some(number) if number.unsigned_abs() <= self.n_vars as u128 => {
                self.begin();
                self.model.set(number.unsigned_abs() as usize - 1, number > 0);
            }
            _ => return Err(self.nonsense()),
        }
        Ok(())
    }
}

/// The last lines of two streams.
#[derive(Debug, Default)]
pub(super) struct Tail {
    lines: VecDeque<Vec<u8>>,
    open: [Vec<u8>; 2],
}

impl Tail {
    /// A piece of one of the streams.
    pub(super) fn feed(&mut self, stream: usize, piece: &[u8]) {
        for part in piece.split_inclusive(|&byte| byte == b'\n') {
            let open = &mut self.open[stream];
            let text = part.trim_ascii_end();
            open.extend_from_slice(&text[..text.len().min(LAST_BYTES - open.len().min(LAST_BYTES))]);
            if part.ends_with(b"\n") {
                let line = std::mem::take(open);
                self.push(line);
            }
        }
    }

    fn push(&mut self, line: Vec<u8>) {
        if !line.is_empty() {
            self.lines.push_back(line);
            self.lines.drain(..self.lines.len().saturating_sub(LAST_LINES));
        }
    }

    pub(super) fn lines(mut self) -> Vec<String> {
        for open in std::mem::take(&mut self.open) {
            self.push(open);
        }
        self.lines.iter().map(|line| String::from_utf8_lossy(line).escape_debug().to_string()).collect()
    }
}
