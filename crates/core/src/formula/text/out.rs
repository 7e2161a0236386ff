//! Text in pieces of 64 KiB, whatever the writer.

use std::io::{self, Write};

use rustsat::types::Lit;

use crate::cnf::CapacityError;

/// Bytes that are written at a time.
const PIECE: usize = 1 << 16;

/// The error of a writer for what is larger than its limit.
pub(super) fn out_of_memory(error: CapacityError) -> io::Error {
    io::Error::new(io::ErrorKind::OutOfMemory, error)
}

pub(super) struct Text<W> {
    writer: W,
    piece: Vec<u8>,
    number: itoa::Buffer,
}

impl<W: Write> Text<W> {
    pub(super) fn new(writer: W) -> Self {
        Self { writer, piece: Vec::with_capacity(PIECE + 64), number: itoa::Buffer::new() }
    }

    /// A word and a space.
    pub(super) fn word(&mut self, word: &str) -> io::Result<()> {
        self.piece.extend_from_slice(word.as_bytes());
        self.piece.push(b' ');
        if self.piece.len() >= PIECE {
            self.writer.write_all(&self.piece)?;
            self.piece.clear();
        }
        Ok(())
    }

    /// A part of a word.
    pub(super) fn part(&mut self, part: &str) {
        self.piece.extend_from_slice(part.as_bytes());
    }

    /// A number and a space.
    pub(super) fn number(&mut self, number: impl itoa::Integer) -> io::Result<()> {
        let mut buffer = self.number;
        self.word(buffer.format(number))
    }

    /// The numbers of literals, each with a space.
    pub(super) fn lits(&mut self, mut lits: impl Iterator<Item = Lit>) -> io::Result<()> {
        lits.try_for_each(|lit| self.number(i64::from(lit.to_ipasir())))
    }

    /// A line with a clause.
    pub(super) fn clause(&mut self, clause: &[Lit]) -> io::Result<()> {
        self.lits(clause.iter().copied())?;
        self.line("0");
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

    pub(super) fn finish(mut self) -> io::Result<()> {
        self.writer.write_all(&self.piece)?;
        self.writer.flush()
    }
}
