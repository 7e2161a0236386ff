//! [`Lines`]: a proof as text, line after line, in the format of VeriPB 3.0.

use std::io::{self, Write};

use rustsat::types::{Lit, Var};

use crate::dimacs::{push_lit, push_number};

/// Bytes that are written at a time.
const PIECE: usize = 1 << 16;

/// The number of a constraint in a proof: those of the input come first, then one for each line.
pub(crate) type Id = u64;

/// The steps of folding from one line to another.
pub(crate) struct FoldingSteps {
    /// No weight is above the degree at first.
    pub(crate) saturates: bool,
    /// Weights of negations that are added then.
    pub(crate) weakened: Vec<(Lit, u128)>,
    pub(crate) divisor: u128,
}

/// Text in pieces of 64 KiB, whatever the writer, and the number of its constraints so far.
pub(crate) struct Lines<'w> {
    writer: Box<dyn Write + 'w>,
    piece: Vec<u8>,
    last: Id,
    is_drat: bool,
}

impl<'w> Lines<'w> {
    pub(crate) fn new(writer: impl Write + 'w) -> Self {
        let writer = Box::new(writer);
        Self { writer, piece: Vec::with_capacity(PIECE + 256), last: 0, is_drat: false }
    }

    /// A proof in DRAT.
    pub(crate) fn drat(writer: impl Write + 'w) -> Self {
        Self { is_drat: true, ..Self::new(writer) }
    }

    /// The first two lines of a proof about so many constraints.
    pub(crate) fn header(&mut self, inputs: Id) -> io::Result<()> {
        self.word("pseudo-Boolean proof version 3.0\nf ");
        self.number(inputs);
        self.last = inputs;
        self.end(";\n")
    }

    pub(crate) fn word(&mut self, word: &str) {
        self.piece.extend_from_slice(word.as_bytes());
    }

    fn number(&mut self, number: impl Into<u128>) {
        push_number(&mut self.piece, number.into(), false);
        self.piece.pop(); // the space
    }

    pub(crate) fn literal(&mut self, lit: Lit) {
        self.word(if lit.is_neg() { "~x" } else { "x" });
        self.number(u64::from(lit.vidx32()) + 1);
    }

    /// A weighted literal of a sum.
    pub(crate) fn term(&mut self, weight: i128, lit: Lit) {
        self.word(if weight < 0 { "-" } else { "+" });
        self.number(weight.unsigned_abs());
        self.word(" ");
        self.literal(lit);
        self.word(" ");
    }

    /// A sum of terms that is at least `degree`.
    pub(crate) fn sum(&mut self, terms: impl IntoIterator<Item = (u128, Lit)>, degree: u128) {
        terms.into_iter().for_each(|(weight, lit)| self.term(weight as i128, lit));
        self.word(">= ");
        self.number(degree);
    }

    /// A line of OPB that says a clause.
    pub(crate) fn clause(&mut self, clause: &[Lit]) -> io::Result<()> {
        self.sum(clause.iter().map(|&lit| (1, lit)), 1);
        if clause.is_empty() {
            // A sum has at least one term.
            self.piece.truncate(self.piece.len() - ">= 1".len());
            self.word("+1 x1 -1 x1 >= 1");
        }
        self.end(" ;\n")
    }

    /// A rule for all of these constraints, which makes none.
    pub(crate) fn list(&mut self, rule: &str, ids: &[Id]) -> io::Result<()> {
        for ids in ids.chunks(1000) {
            self.word(rule);
            for &id in ids {
                self.word(" ");
                self.number(id);
            }
            self.end(";\n")?;
        }
        Ok(())
    }

    pub(crate) fn end(&mut self, end: &str) -> io::Result<()> {
        self.word(end);
        if self.piece.len() >= PIECE {
            self.writer.write_all(&self.piece)?;
            self.piece.clear();
        }
        Ok(())
    }

    fn constraint(&mut self) -> io::Result<Id> {
        self.end(";\n")?;
        self.last += 1;
        Ok(self.last)
    }

    /// A sum that may be demanded without a loss because making `witness` true repairs what it breaks.
    pub(crate) fn red(
        &mut self,
        terms: impl IntoIterator<Item = (u128, Lit)>,
        degree: u128,
        witness: Lit,
    ) -> io::Result<Id> {
        self.word("red ");
        self.sum(terms, degree);
        self.word(" : x");
        self.number(u64::from(witness.vidx32()) + 1);
        self.word(if witness.is_pos() { " -> 1" } else { " -> 0" });
        self.constraint()
    }

    /// A clause that may be demanded because where it is violated, these images of literals make a solution that is
    /// before in the order that is loaded.
    pub(crate) fn dom(&mut self, clause: &[Lit], images: &[(Lit, Lit)]) -> io::Result<Id> {
        self.word("dom ");
        self.sum(clause.iter().map(|&lit| (1, lit)), 1);
        self.images(images);
        self.constraint()
    }

    /// The sum that says that no images make a solution that is before in the order that is loaded.
    pub(crate) fn dom_order<'t>(
        &mut self,
        terms: impl IntoIterator<Item = (&'t str, &'t str, Lit)>,
        images: &[(Lit, Lit)],
    ) -> io::Result<Id> {
        self.word("dom ");
        for (sign, weight, lit) in terms {
            self.word(sign);
            self.word(weight);
            self.word(" ");
            self.literal(lit);
            self.word(" ");
        }
        self.word(">= 0");
        self.images(images);
        // The sum violated contradicts that it is as the order says: two lines, and their sum.
        self.end(" : subproof\nproofgoal #2\npol -1 -2 +;\nqed : -1;\nqed")?;
        self.last += 3;
        self.constraint()
    }

    fn images(&mut self, images: &[(Lit, Lit)]) {
        self.word(" :");
        for &(from, to) in images {
            self.word(" ");
            self.literal(from);
            self.word(" -> ");
            self.literal(to);
        }
    }

    /// The sum of multiples of constraints, by factors in decimal.
    pub(crate) fn multiples(&mut self, parts: &[(Id, &str)]) -> io::Result<Id> {
        self.word("pol");
        for (at, &(id, factor)) in parts.iter().enumerate() {
            self.word(" ");
            self.number(id);
            self.word(" ");
            self.word(factor);
            self.word(if at > 0 { " * +" } else { " *" });
        }
        self.constraint()
    }

    /// The number of the last constraint.
    pub(crate) const fn last(&self) -> Id {
        self.last
    }

    /// The sum of multiples of constraints, whatever the values of the variables `without`.
    pub(crate) fn pol(&mut self, parts: &[(Id, u128)], without: &[Var]) -> io::Result<Id> {
        self.begin_pol(parts);
        self.weaken(without);
        self.constraint()
    }

    /// The sum of multiples of constraints, divided by a number and rounded up.
    pub(crate) fn quotient(&mut self, parts: &[(Id, u128)], divisor: u128) -> io::Result<Id> {
        self.begin_pol(parts);
        if divisor != 1 {
            self.word(" ");
            self.number(divisor);
            self.word(" d");
        }
        self.constraint()
    }

    /// The clause that a sum of multiples of constraints is once no weight is above the degree.
    pub(crate) fn saturated(&mut self, parts: &[(Id, u128)]) -> io::Result<Id> {
        self.begin_pol(parts);
        self.word(" s");
        self.constraint()
    }

    /// The sum of multiples of constraints as these steps fold it.
    pub(crate) fn folded(&mut self, parts: &[(Id, u128)], steps: &FoldingSteps) -> io::Result<Id> {
        self.begin_pol(parts);
        self.word(if steps.saturates { " s" } else { "" });
        for &(lit, weight) in &steps.weakened {
            self.word(" ");
            self.literal(lit);
            self.word(" ");
            self.number(weight);
            self.word(" * +");
        }
        self.word(" s ");
        self.number(steps.divisor);
        self.word(" d");
        self.constraint()
    }

    /// A sum of multiples: halves are summed up, and halves of these, so that n constraints take n·log n steps.
    fn begin_pol(&mut self, parts: &[(Id, u128)]) {
        self.word("pol");
        for (at, &(id, factor)) in parts.iter().enumerate() {
            self.word(" ");
            self.number(id);
            if factor != 1 {
                self.word(" ");
                self.number(factor);
                self.word(" *");
            }
            (0..(at + 1).trailing_zeros()).for_each(|_| self.word(" +"));
        }
        (1..parts.len().count_ones()).for_each(|_| self.word(" +"));
    }

    fn weaken(&mut self, without: &[Var]) {
        for var in without {
            self.word(" ");
            self.literal(var.pos_lit());
            self.word(" w");
        }
    }

    /// The sum of two constraints, each whatever the values of some variables, divided by two, and rounded up.
    pub(crate) fn halves(&mut self, parts: [(Id, &[Var]); 2]) -> io::Result<Id> {
        self.word("pol");
        for (id, without) in parts {
            self.word(" ");
            self.number(id);
            self.weaken(without);
            self.word(" 2 d");
        }
        self.word(" +");
        self.constraint()
    }

    /// At most one of `n` literals is true, because no two of them are, says the line `pair` of their numbers: one
    /// literal after the other is added to those before it.
    pub(crate) fn clique(&mut self, n: usize, pair: impl Fn(usize, usize) -> Id) -> io::Result<Id> {
        self.word("pol ");
        self.number(pair(0, 1));
        for last in 2..n {
            self.word(" ");
            self.number(last as u64 - 1);
            self.word(" *");
            for first in 0..last {
                self.word(" ");
                self.number(pair(first, last));
                self.word(" +");
            }
            self.word(" ");
            self.number(last as u64);
            self.word(" d");
        }
        self.constraint()
    }

    /// A clause that unit propagation derives from the constraints `hints`; from all, where there are none.
    pub(crate) fn rup(&mut self, clause: &[Lit], hints: &[Id]) -> io::Result<Id> {
        if self.is_drat {
            return self.drat_line("", clause).map(|()| 0);
        }
        self.word("rup ");
        self.sum(clause.iter().map(|&lit| (1, lit)), 1);
        if !hints.is_empty() {
            self.word(" : ~");
            for &hint in hints {
                self.word(" ");
                self.number(hint);
            }
        }
        self.constraint()
    }

    /// A clause, of this number, that is not needed any more.
    pub(crate) fn forget(&mut self, clause: &[Lit], id: Id) -> io::Result<()> {
        if self.is_drat { self.drat_line("d ", clause) } else { self.list("del id", &[id]) }
    }

    fn drat_line(&mut self, word: &str, clause: &[Lit]) -> io::Result<()> {
        self.word(word);
        clause.iter().for_each(|&lit| push_lit(&mut self.piece, lit));
        self.end("0\n")
    }

    /// A solution: what is left is to be better.
    pub(crate) fn better(&mut self, values: &[Lit]) -> io::Result<Id> {
        self.word("soli");
        self.values(values);
        self.constraint()
    }

    /// Literals that are true.
    pub(crate) fn values(&mut self, values: &[Lit]) {
        for &lit in values {
            self.word(" ");
            self.literal(lit);
        }
    }

    /// The last lines of a proof: a conclusion, with these literals as its model if it has one, which names a variable
    /// at least: the first, where there is none.
    pub(crate) fn conclude(mut self, conclusion: &str, model: Option<&[Lit]>) -> io::Result<()> {
        self.word("output NONE;\nconclusion ");
        self.word(conclusion);
        let first = [Lit::positive(0)];
        self.values(model.map_or(&[], |model| if model.is_empty() { &first } else { model }));
        self.word(";\nend pseudo-Boolean proof;\n");
        self.finish()
    }

    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.writer.write_all(&self.piece)?;
        self.writer.flush()
    }
}
