//! DIMACS and KNF, which is DIMACS with cardinality constraints: a line `k BOUND literals 0` says that at least BOUND
//! of the literals are true, and the header reads `p knf VARIABLES LINES`.
//!
//! Source: Reeves, Heule, Bryant, *From Clauses to Klauses*, CAV 2024. Comments are lines that start with `c`; those of
//! the form `c name VARIABLE NAME` give names to variables. Clauses and constraints may span lines. PySAT's CNF+ is
//! read, too.

use std::io::{self, BufRead, Write};

use rustsat::types::{Lit, Var};

use super::out::{ClauseLines, Text, out_of_memory};
use crate::CardEncoding;
use crate::cnf::{CapacityError, Cnf};
use crate::constrain::Constrain;
use crate::constraint::Constraint;
use crate::dimacs::{Dimacs, DimacsRemarks, Item, Names};
use crate::formula::go_on::unlimited;
use crate::formula::{Formula, Order};
use crate::read::ReadError;
use crate::relation::Relation;
use crate::sink::ClauseSink;
use crate::size::Size;
use crate::words::Word;

/// Variables in a line that lists some.
pub(super) const SHOWN_A_LINE: usize = 20;

impl Formula {
    /// Reads a formula in DIMACS format; its literals are [`lits`](Self::lits): those that lines `c p show` or `c ind`
    /// list, variables from 1 on and a 0, if there are such lines. Solutions are counted by these.
    ///
    /// ```
    /// use cnfkit::Formula;
    /// let formula = Formula::read_dimacs(&b"p cnf 3 1\nc p show 1 2 0\n1 2 3 0\n"[..])?;
    /// assert_eq!((formula.n_vars(), formula.lits().len()), (3, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// CryptoMiniSat's parities are read, too: the exclusive or of the literals of a line `x1 -2 3 0`, or
    /// `x 1 -2 3 0`, is true.
    ///
    /// ```
    /// use cnfkit::Formula;
    /// let formula = Formula::read_dimacs(&b"p cnf 3 2\nx1 -2 3 0\n1 2 0\n"[..])?;
    /// let (lits, odd) = formula.constraints().next().unwrap().parity_of().unwrap();
    /// assert_eq!((lits.len(), odd), (3, false)); // of positive literals
    /// let mut text = Vec::new();
    /// formula.write_xor_dimacs(&mut text)?;
    /// assert_eq!(text, b"p cnf 3 2\n1 2 0\nx-1 2 3 0\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] with line and column of the first thing that is wrong, among it variables beyond
    /// [`MOST_READ`](Self::MOST_READ), or when the formula is larger than a [`Cnf`] may be. A header costs no memory,
    /// whatever it announces.
    pub fn read_dimacs<R: BufRead>(mut reader: R) -> Result<Self, ReadError> {
        read(&mut reader, false)
    }

    /// Reads a formula in KNF or DIMACS format: at least BOUND of the literals of a line `k BOUND literals 0` are true.
    /// With PySAT's header `p cnf+ VARIABLES LINES`, lines `literals <= BOUND` are bounds from above, and those with
    /// `>=` from below.
    ///
    /// ```
    /// use cnfkit::{Formula, Relation};
    /// let text = "c two of three, and not the first\nc name 1 first\np knf 3 2\nk 2 1 2 3 0\n-1 0\n";
    /// let formula = Formula::read_knf(text.as_bytes()).unwrap();
    /// let (lits, relation) = formula.constraints().next().unwrap().counted().unwrap();
    /// assert_eq!((lits.len(), relation), (3, Relation::AtLeast(2)));
    /// assert_eq!(formula.name(cnfkit::Var::new(0)), Some("first"));
    /// let error = Formula::read_knf(&b"p knf 3 1\nk 2 1 4 0\n"[..]).unwrap_err();
    /// assert_eq!(error.to_string(), "line 2, column 7: `4` found; allowed: -3 to 3, and 0 at the end");
    /// ```
    ///
    /// # Errors
    /// As [`read_dimacs`](Self::read_dimacs).
    pub fn read_knf<R: BufRead>(mut reader: R) -> Result<Self, ReadError> {
        read(&mut reader, true)
    }

    /// Writes the formula in DIMACS: clauses and [encoded](Self::encode) constraints, names as comments.
    ///
    /// Variables keep their numbers; auxiliaries are above them, in as many variables as the header says, and then
    /// lines `c p show` list those that are none. Before them stands `c t pmc`, projected model counting, where the
    /// formula is [for counting](Self::for_counting). The [objective](Self::objective) is left out. The writer need not
    /// be buffered.
    ///
    /// ```
    /// use cnfkit::{CardEncoding, ClauseSink, Constrain, Formula};
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(3);
    /// formula.set_name(x[1].var(), "second");
    /// formula.at_most(&x, 2, &CardEncoding::Auto).unwrap();
    /// let mut text = Vec::new();
    /// formula.write_dimacs(&mut text).unwrap();
    /// assert_eq!(text, b"c name 2 second\np cnf 3 1\n-1 -2 -3 0\n");
    /// ```
    ///
    /// # Errors
    /// When writing fails, or when encoding passes the limit of the formula ([`io::ErrorKind::OutOfMemory`]).
    pub fn write_dimacs<W: Write>(&self, mut writer: W) -> io::Result<()> {
        let mut text = Text::new(&mut writer);
        self.put_dimacs(&mut text)?;
        text.finish()
    }

    /// Clauses are written as they are encoded, none of them kept.
    fn put_dimacs(&self, text: &mut Text<'_>) -> io::Result<()> {
        let planned = unlimited(|go_on| self.planned(go_on));
        let next = self.n_vars() as u32;
        let size = planned.size + Size::variables(next.into());
        if !size.fits(&self.clauses.limit()) {
            return Err(out_of_memory(CapacityError::new(size, self.clauses.limit())));
        }
        if self.counting {
            text.line("c t pmc");
        }
        self.write_names(text)?;
        text.line(&format!("p cnf {} {}", size.vars, size.clauses));
        self.write_shown(text, size.vars as usize)?;
        self.clauses().try_for_each(|clause| text.clause(clause))?;
        planned.write(&mut ClauseLines { text, next }, &mut |_, _| {})
    }

    /// Writes the formula in DIMACS, as [`write_dimacs`](Self::write_dimacs) does, but for parities without a
    /// condition: these are lines that begin with `x`, which CryptoMiniSat reads. They are written as they were given.
    ///
    /// # Errors
    /// As [`write_dimacs`](Self::write_dimacs).
    pub fn write_xor_dimacs<W: Write>(&self, mut writer: W) -> io::Result<()> {
        let encoded = self.encoded(|constraint| plain_parity(constraint).is_none()).map_err(out_of_memory)?;
        let parities = || self.constraints().filter_map(|constraint| plain_parity(&constraint));
        let lines = self.n_clauses() + encoded.n_clauses() + parities().count();
        let mut text = Text::new(&mut writer);
        self.write_names(&mut text)?;
        text.line(&format!("p cnf {} {lines}", encoded.n_vars()));
        self.write_shown(&mut text, encoded.n_vars())?;
        self.clauses().chain(encoded.clauses()).try_for_each(|clause| text.clause(clause))?;
        for (lits, odd) in parities() {
            text.part("x");
            text.clause(
                &lits.iter().enumerate().map(|(at, &lit)| if at == 0 && !odd { !lit } else { lit }).collect::<Vec<_>>(),
            )?;
        }
        text.finish()
    }

    /// Gives names to those of the variables, from 1 on, that there are.
    pub(super) fn take_names(&mut self, names: Names) {
        for (var, name) in names {
            if var <= self.n_vars() as u64 {
                self.set_name(Var::new(var as u32 - 1), name);
            }
        }
    }

    /// Takes note which variables, of up to `most`, a text shows.
    pub(super) fn take_shown(&mut self, shown: Option<(Word, Vec<u64>)>, most: u32) -> Result<(), ReadError> {
        let Some((list, mut shown)) = shown else { return Ok(()) };
        shown.sort_unstable();
        if let Some(var) = shown.iter().find(|&var| !(1..=most.into()).contains(var)) {
            return Err(list.wrong(format!("variable {var} in the list of those that are shown; allowed: 1 to {most}")));
        }
        self.know_all(shown.last().map(|&var| Lit::positive(var as u32 - 1)))?;
        let n_vars = self.n_vars() as u32;
        self.aside.show(shown.into_iter().map(|var| var as u32 - 1), n_vars);
        Ok(())
    }

    /// The variables that solutions are counted by, where there are others, as comments that counters read.
    pub(super) fn write_shown(&self, text: &mut Text<'_>, n_vars: usize) -> io::Result<()> {
        let lits = self.lits();
        if lits.len() == n_vars && !self.counting && !self.aside.shows {
            return Ok(());
        }
        let empty: [&[Lit]; 1] = [&[]];
        lits.chunks(SHOWN_A_LINE).chain(empty.into_iter().filter(|_| lits.is_empty())).try_for_each(|some| {
            text.word("c p show")?;
            text.clause(some)
        })
    }

    /// The names as comments of DIMACS.
    pub(super) fn write_names(&self, text: &mut Text<'_>) -> io::Result<()> {
        self.names().try_for_each(|(var, name)| {
            text.word("c name")?;
            text.number(i64::from(var.idx32()) + 1)?;
            text.name(name);
            Ok(())
        })
    }

    /// Writes the formula in KNF: clauses and constraints as they were given, names as comments.
    ///
    /// Conditional and reified constraints, parities and sums of weights, which the format has no words for, are
    /// encoded, with auxiliaries above the formula's variables. The [objective](Self::objective) is left out. The
    /// writer need not be buffered.
    ///
    /// ```
    /// use cnfkit::{CardEncoding, ClauseSink, Constrain, Formula};
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(4);
    /// formula.at_least(&x, 2, CardEncoding::Auto)?;
    /// formula.add_clause(&[!x[0], x[3]])?;
    /// let mut text = Vec::new();
    /// formula.write_knf(&mut text)?;
    /// assert_eq!(String::from_utf8(text)?, "p knf 4 2\n-1 4 0\nk 2 1 2 3 4 0\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When writing fails, or when encoding those constraints passes the limit of the formula
    /// ([`io::ErrorKind::OutOfMemory`]).
    pub fn write_knf<W: Write>(&self, mut writer: W) -> io::Result<()> {
        let encoded = self.encoded(|constraint| plain_count(constraint).is_none()).map_err(out_of_memory)?;
        let plain = || self.constraints().filter_map(|constraint| plain_count(&constraint));
        let lines: usize = plain().map(|(lits, relation)| at_least(lits.len(), relation).count()).sum();
        let lines = self.n_clauses() + encoded.n_clauses() + lines;
        let mut text = Text::new(&mut writer);
        self.write_names(&mut text)?;
        text.line(&format!("p knf {} {lines}", encoded.n_vars()));
        self.write_shown(&mut text, encoded.n_vars())?;
        self.clauses().chain(encoded.clauses()).try_for_each(|clause| text.clause(clause))?;
        for (lits, relation) in plain() {
            for (bound, negated) in at_least(lits.len(), relation) {
                text.word("k")?;
                text.number(bound as i64)?;
                text.lits(lits.iter().map(|&lit| if negated { !lit } else { lit }))?;
                text.line("0");
            }
        }
        text.finish()
    }

    /// Those constraints that a format has no words for, as clauses over variables from `n_vars` on.
    pub(super) fn encoded(&self, is_concerned: impl Fn(&Constraint<'_>) -> bool) -> Result<Cnf, CapacityError> {
        let mut concerned = Self { order: Order::Variable, ..Self::with_vars(self.n_vars()) };
        concerned = concerned.with_limit(self.clauses.limit());
        self.constraints().filter(is_concerned).for_each(|constraint| concerned.kept.push_again(&constraint));
        concerned.encode()
    }
}

/// The literals and the bound of a count without a condition that is not reified.
fn plain_count<'a>(constraint: &Constraint<'a>) -> Option<(&'a [Lit], Relation)> {
    constraint.counted().filter(|_| constraint.cond.is_empty() && constraint.iff.is_none())
}

/// The literals of a parity without a condition, and whether it is odd.
fn plain_parity<'a>(constraint: &Constraint<'a>) -> Option<(&'a [Lit], bool)> {
    constraint.parity_of().filter(|_| constraint.cond.is_empty())
}

/// A count of `n` literals as bounds from below: on its literals (`false`), or on their negations (`true`).
fn at_least(n: usize, relation: Relation) -> impl Iterator<Item = (usize, bool)> {
    let above = relation.most().map(|most| (n.saturating_sub(most), true));
    relation.least().map(|least| (least, false)).into_iter().chain(above)
}

fn read(reader: &mut dyn BufRead, knf: bool) -> Result<Formula, ReadError> {
    let mut text = Dimacs::open(reader, knf, Formula::MOST_READ, Some(DimacsRemarks::default()))?;
    let mut formula = Formula::with_vars(text.n_vars as usize).order(Order::Given);
    let mut lits: Vec<Lit> = Vec::new();
    while let Some(item) = text.next(&mut lits)? {
        let Item::End = item else { continue };
        match text.bound {
            None if text.is_parity => formula.parity(&lits, true)?,
            None => formula.add_clause(&lits)?,
            Some((..0, true)) => formula.add_clause(&[])?,
            // The constraint says nothing where the bound is below 1, and cannot be met where it is beyond any count.
            Some((bound, is_most)) => {
                let bound = usize::try_from(bound.max(0)).unwrap_or(usize::MAX);
                let relation = if is_most { Relation::AtMost(bound) } else { Relation::AtLeast(bound) };
                formula.cardinality(&lits, relation, &CardEncoding::Auto)?;
            }
        }
        lits.clear();
        (text.bound, text.is_parity) = (None, false);
    }
    let DimacsRemarks { names, shown } = text.said.unwrap_or_default();
    formula.take_names(names);
    formula.take_shown(shown, text.n_vars)?;
    Ok(formula.order(Order::default()))
}
