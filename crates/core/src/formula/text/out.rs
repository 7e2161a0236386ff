//! Text in pieces of 64 KiB, whatever the writer.

use std::io::{self, Write};

use rustsat::types::{Lit, Var};

use crate::cnf::CapacityError;
use crate::dimacs::{push_lit, push_number};
use crate::sink::ClauseSink;

/// Bytes that are written at a time.
const PIECE: usize = 1 << 16;

/// The error of a writer for what is larger than its limit.
pub(super) fn out_of_memory(error: CapacityError) -> io::Error {
    io::Error::new(io::ErrorKind::OutOfMemory, error)
}

pub(super) struct Text<'w> {
    writer: &'w mut dyn Write,
    piece: Vec<u8>,
}

impl<'w> Text<'w> {
    pub(super) fn new(writer: &'w mut dyn Write) -> Self {
        Self { writer, piece: Vec::with_capacity(PIECE + 64) }
    }

    /// A word and a space.
    pub(super) fn word(&mut self, word: &str) -> io::Result<()> {
        self.piece.extend_from_slice(word.as_bytes());
        self.piece.push(b' ');
        self.pass_on()
    }

    /// Writes the piece, if it is full.
    #[inline]
    fn pass_on(&mut self) -> io::Result<()> {
        if self.piece.len() >= PIECE {
            self.writer.write_all(&self.piece)?;
            self.piece.clear();
        }
        Ok(())
    }

    /// A part of a word.
    #[inline]
    pub(super) fn part(&mut self, part: &str) {
        self.piece.extend_from_slice(part.as_bytes());
    }

    /// A number and a space.
    #[inline]
    pub(super) fn number(&mut self, number: impl Into<i128>) -> io::Result<()> {
        let number = number.into();
        push_number(&mut self.piece, number.unsigned_abs(), number < 0);
        self.pass_on()
    }

    /// The numbers of literals, each with a space.
    pub(super) fn lits(&mut self, mut lits: impl Iterator<Item = Lit>) -> io::Result<()> {
        lits.try_for_each(|lit| {
            push_lit(&mut self.piece, lit);
            self.pass_on()
        })
    }

    /// A line with a clause.
    pub(super) fn clause(&mut self, clause: &[Lit]) -> io::Result<()> {
        self.lits(clause.iter().copied())?;
        self.piece.extend_from_slice(b"0\n");
        Ok(())
    }

    /// The rest of a line.
    pub(super) fn line(&mut self, rest: &str) {
        self.piece.extend_from_slice(rest.as_bytes());
        self.piece.push(b'\n');
    }

    /// The rest of a line: a name, with spaces for what would end it.
    pub(super) fn name(&mut self, name: &str) {
        self.line(&name.replace(char::is_control, " "));
    }

    pub(super) fn finish(self) -> io::Result<()> {
        self.writer.write_all(&self.piece)?;
        self.writer.flush()
    }
}

/// Clauses as lines, with auxiliaries from the first of these variables on.
pub(super) struct ClauseLines<'t, 'w> {
    pub(super) text: &'t mut Text<'w>,
    pub(super) next: u32,
}

impl ClauseSink for ClauseLines<'_, '_> {
    type Error = io::Error;

    #[inline]
    fn add_clause(&mut self, clause: &[Lit]) -> io::Result<()> {
        self.text.clause(clause)
    }

    #[inline]
    fn new_lit(&mut self) -> Lit {
        self.next += 1;
        Lit::positive(self.next - 1)
    }

    fn next_var(&self) -> Var {
        Var::new(self.next)
    }
}
