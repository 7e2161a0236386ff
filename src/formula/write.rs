//! Text in pieces of 64 KiB, whatever the writer.

use std::io::{self, Write};

use rustsat::types::Lit;

/// So many bytes are written at a time.
const PIECE: usize = 1 << 16;

pub(super) struct Text<W> {
    writer: W,
    text: Vec<u8>,
    number: itoa::Buffer,
}

impl<W: Write> Text<W> {
    pub(super) fn new(writer: W) -> Self {
        Self { writer, text: Vec::with_capacity(PIECE + 64), number: itoa::Buffer::new() }
    }

    /// A word and a space.
    pub(super) fn word(&mut self, word: &str) -> io::Result<()> {
        self.text.extend_from_slice(word.as_bytes());
        self.text.push(b' ');
        if self.text.len() >= PIECE {
            self.writer.write_all(&self.text)?;
            self.text.clear();
        }
        Ok(())
    }

    /// A number and a space.
    pub(super) fn number(&mut self, number: i64) -> io::Result<()> {
        let mut buffer = self.number;
        self.word(buffer.format(number))
    }

    /// The numbers of literals, each with a space.
    pub(super) fn lits(&mut self, mut lits: impl Iterator<Item = Lit>) -> io::Result<()> {
        lits.try_for_each(|lit| self.number(i64::from(lit.to_ipasir())))
    }

    /// The rest of a line.
    pub(super) fn line(&mut self, rest: &str) -> io::Result<()> {
        self.text.extend_from_slice(rest.as_bytes());
        self.text.push(b'\n');
        Ok(())
    }

    /// The rest of a line: a name, with spaces for what would end it.
    pub(super) fn name(&mut self, name: &str) -> io::Result<()> {
        self.line(&name.replace(char::is_control, " "))
    }

    pub(super) fn finish(mut self) -> io::Result<()> {
        self.writer.write_all(&self.text)?;
        self.writer.flush()
    }
}
