//! WCNF, the format of MaxSAT: hard clauses, and soft ones whose weight is the cost of leaving them unsatisfied. Both
//! forms are read: that of 2022, and the one before with a header.
//!
//! ```text
//! c 2022                  c before: p wcnf VARIABLES CLAUSES TOP
//! h 1 2 0                 p wcnf 2 3 16
//! 3 -1 0                  16 1 2 0
//! 12 -2 1 0               3 -1 0
//!                         12 -2 1 0
//! ```
//!
//! A soft clause of one literal costs its weight where that literal is false, which the objective says as it is; any
//! other gets a *relaxation* variable that may satisfy it at its weight. Relaxation variables come above those of the
//! text.
//!
//! Source: *`MaxSAT` Evaluation 2022: Rules*, and those of the years before, at maxsat-evaluations.github.io.

use std::hash::BuildHasher;
use std::io::{self, BufRead, Write};

use rustc_hash::FxBuildHasher;
use rustsat::types::Lit;

use super::out::Text;
use crate::cnf::CapacityError;
use crate::constrain::writing;
use crate::dimacs::{DimacsRemarks, comment};
use crate::formula::Formula;
use crate::read::ReadError;
use crate::sink::ClauseSink;
use crate::size::Size;
use crate::words::{Ahead, BY_SPACE, Scanner, Word};

/// Soft clauses of other than one literal, until all variables of the text are known.
#[derive(Default)]
struct Soft {
    lits: Vec<Lit>,
    /// The end of each clause, and its weight.
    clauses: Vec<(usize, u64)>,
}

/// The header of the older form.
struct WcnfHeader {
    n_vars: u32,
    clauses: u64,
    /// Clauses of this weight and more are hard.
    top: Option<u64>,
}

impl Formula {
    /// Adds a clause that may be left unsatisfied at the cost of `weight`, which the
    /// [objective](Self::objective) sums up.
    ///
    /// A clause of one literal needs nothing more; any other gets a relaxation variable, which may satisfy it at that
    /// cost. A clause that was added before has its variable, and costs both weights. A weight of 0 adds nothing.
    ///
    /// ```
    /// use cnfkit::Questions;
    /// use cnfkit::{ClauseSink, Formula};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(2);
    /// formula.add_clause(&[x[0], x[1]])?;
    /// formula.add_soft_clause(&[!x[0]], 3)?;
    /// formula.add_soft_clause(&[!x[1], x[0]], 12)?;
    /// assert_eq!((formula.n_vars(), formula.n_relaxations()), (3, 1));
    /// assert_eq!(formula.minimum()?.map(|best| best.value), Some(3));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When the clause does not fit.
    ///
    /// # Panics
    /// When a literal's variable is at or above [`next_var`](ClauseSink::next_var).
    pub fn add_soft_clause(&mut self, clause: &[Lit], weight: u64) -> Result<(), CapacityError> {
        crate::encode::check_known(&self.clauses, clause);
        if weight == 0 {
            return Ok(());
        }
        let costs = match clause {
            &[lit] => !lit,
            _ => self.relaxation_of(clause)?,
        };
        self.add_cost(costs, weight.into());
        Ok(())
    }

    /// The variable that may satisfy a clause.
    fn relaxation_of(&mut self, clause: &[Lit]) -> Result<Lit, CapacityError> {
        let distinct = |lits: &[Lit]| {
            let mut lits = lits.to_vec();
            lits.sort_unstable();
            lits.dedup();
            lits
        };
        let lits = distinct(clause);
        let hash = FxBuildHasher.hash_one(&lits);
        if let Some(&at) = self.soft.get(&hash)
            && let Some((relaxed, others)) = self.clauses.clause(at as usize).split_last()
            && distinct(others) == lits
        {
            return Ok(*relaxed);
        }
        self.reserve(&(Size::variables(1) + Size::clause(clause.len() + 1)))?;
        let relaxed = writing(self, &"", ClauseSink::new_lit);
        self.add_clause(&[clause, &[relaxed]].concat())?;
        self.soft.insert(hash, self.n_clauses() as u32 - 1);
        if self.counting {
            clause.iter().try_for_each(|&lit| self.add_clause(&[!relaxed, !lit]))?;
        }
        self.relaxations += 1;
        Ok(relaxed)
    }

    /// The number of variables that [`add_soft_clause`](Self::add_soft_clause) has made. Those of a formula that was
    /// [read](Self::read_wcnf) are the last.
    #[must_use]
    #[doc(hidden)]
    pub const fn n_relaxations(&self) -> usize {
        self.relaxations
    }

    /// Reads a formula in WCNF format, that of 2022 or the one before, with the weight of the soft clauses that are
    /// left unsatisfied as its objective.
    ///
    /// Weights are whole numbers below 2⁶⁴; a weight of 0 says nothing. A clause ends in its line, in the older form
    /// also in a later one. There clauses of the weight TOP and more are hard, and all are soft where there is no TOP.
    /// Comments of the form `c name VARIABLE NAME` give names to variables.
    ///
    /// ```
    /// use cnfkit::Formula;
    /// let formula = Formula::read_wcnf(&b"h 1 2 0\n3 -1 0\n12 -2 1 0\n"[..]).unwrap();
    /// assert_eq!((formula.n_clauses(), formula.objective().len(), formula.n_relaxations()), (2, 2, 1));
    /// let error = Formula::read_wcnf(&b"p wcnf 2 1 9\n4 1 3 0\n"[..]).unwrap_err();
    /// assert_eq!(error.to_string(), "line 2, column 5: `3` found; allowed: -2 to 2, and 0 at the end");
    /// let error = Formula::read_wcnf(&b"18446744073709551616 1 0\n"[..]).unwrap_err();
    /// assert!(error.to_string().starts_with("line 1, column 1: `18446744073709551616` found; allowed: `h`"));
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] with line and column of the first thing that is wrong, among it variables beyond
    /// [`MOST_READ`](Self::MOST_READ), or when the formula is larger than a [`Cnf`](crate::Cnf) may be. A header costs
    /// no memory, whatever it announces.
    pub fn read_wcnf<R: BufRead>(mut reader: R) -> Result<Self, ReadError> {
        Self::read_soft(&mut reader)
    }

    fn read_soft(reader: &mut dyn BufRead) -> Result<Self, ReadError> {
        let mut scanner = Scanner::new(reader, &BY_SPACE);
        let mut formula = Self::new();
        formula.begin_objective(false);
        let (mut said, mut soft) = (DimacsRemarks::default(), Soft::default());
        let mut header: Option<WcnfHeader> = None;
        let mut clauses = 0_u64;
        let mut lits: Vec<Lit> = Vec::new();
        let mut next = None;
        loop {
            let may_begin = next.is_none() && header.as_ref().is_none_or(|header| clauses < header.clauses);
            let plain = if may_begin { scanner.ahead(|ahead| weight_ahead(ahead, header.is_none()))? } else { None };
            let (weight, start) = if let Some((is_hard, weight)) = plain {
                clauses += 1;
                (Some(weight).filter(|_| !is_hard), scanner.place())
            } else {
                let read = if next.is_some() { next.take() } else { scanner.next()? };
                let Some((word, first)) = read else { break };
                if first && word.text()[0] == b'c' {
                    comment(&mut scanner, &word, Some(&mut said))?;
                    continue;
                }
                if word.is("p") {
                    if clauses > 0 || header.is_some() {
                        let message = "a header after the first clause or a second one; one is allowed, first";
                        return Err(word.wrong(message));
                    }
                    let (read, after) = read_header(&mut scanner, &word)?;
                    if let Some(highest) = read.n_vars.checked_sub(1) {
                        formula.know(Lit::positive(highest))?;
                    }
                    (header, next) = (Some(read), after);
                    continue;
                }
                clauses += 1;
                if let Some(header) = header.as_ref().filter(|header| clauses > header.clauses) {
                    return Err(word.wrong(format!("a clause more than the {} of the header", header.clauses)));
                }
                let weight = word.unsigned();
                if weight.is_none() && (header.is_some() || !word.is("h")) {
                    return Err(no_weight(&word, header.is_none()));
                }
                (weight, word)
            };
            let top = header.as_ref().and_then(|header| header.top);
            let weight = weight.filter(|&weight| top.is_none_or(|top| weight < top));
            lits.clear();
            read_clause(&mut scanner, header.as_ref(), &start, &mut said, &mut lits)?;
            if header.is_none()
                && let Some(&highest) = lits.iter().max_by_key(|lit| lit.vidx32())
            {
                formula.know(highest)?;
            }
            match (weight, &lits[..]) {
                (None, lits) => formula.add_clause(lits)?,
                (Some(0), _) => {}
                (Some(weight), [_]) => formula.add_soft_clause(&lits, weight)?,
                (Some(weight), _) => {
                    soft.lits.extend_from_slice(&lits);
                    soft.clauses.push((soft.lits.len(), weight));
                }
            }
        }
        match header.map(|header| header.clauses) {
            Some(announced) if announced != clauses => {
                let message = format!("the header announces {announced} clauses, the text holds {clauses}");
                return Err(scanner.wrong(message));
            }
            None if clauses == 0 => {
                let message = "the text ends without a clause or a header `p wcnf VARIABLES CLAUSES TOP`";
                return Err(scanner.wrong(message));
            }
            _ => {}
        }
        // A variable that is shown may be in no clause.
        formula.take_shown(said.shown, Self::MOST_READ)?;
        formula.take_names(said.names);
        let mut start = 0;
        for &(end, weight) in &soft.clauses {
            formula.add_soft_clause(&soft.lits[start..end], weight)?;
            start = end;
        }
        Ok(formula)
    }

    /// Writes the formula in WCNF format, that of 2022: clauses and [encoded](Self::encode) constraints as hard
    /// clauses, and the [objective](Self::objective) as soft clauses of one literal each.
    ///
    /// Lines `c p show` list the [formula's own](Self::lits) variables where there are auxiliaries beside them, or the
    /// last is in no clause, as no header says how many there are. A negative weight is that of the negated literal,
    /// and a constant; a comment says what all constants sum up to. The writer need not be buffered.
    ///
    /// ```
    /// use cnfkit::{ClauseSink, Formula};
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(2);
    /// formula.add_clause(&x)?;
    /// formula.set_objective([(x[0], 3), (x[1], 2)]);
    /// let mut text = Vec::new();
    /// formula.write_wcnf(&mut text)?;
    /// let text = String::from_utf8(text)?;
    /// assert!(text.lines().any(|line| line == "h 1 2 0") && text.lines().any(|line| line == "3 -1 0"), "{text}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When writing fails, or when encoding passes the limit of the formula ([`io::ErrorKind::OutOfMemory`]).
    pub fn write_wcnf<W: Write>(&self, writer: W) -> io::Result<()> {
        self.write_wcnf_as(writer, false)
    }

    /// Writes the formula in this form or the older one, which is all that some engines read.
    pub(crate) fn write_wcnf_as<W: Write>(&self, mut writer: W, is_old: bool) -> io::Result<()> {
        let cnf = self.encode().map_err(|error| io::Error::new(io::ErrorKind::OutOfMemory, error))?;
        let mut text = Text::new(&mut writer);
        self.write_names(&mut text)?;
        let soft = self.objective().iter().filter(|(_, weight)| *weight != 0);
        let lits = cnf.clauses().flatten().chain(soft.map(|(lit, _)| lit));
        let last = lits.map(|lit| lit.vidx() + 1).max();
        let is_seen = is_old || last.is_none_or(|last| last == cnf.n_vars());
        self.write_shown(&mut text, if is_seen { cnf.n_vars() } else { usize::MAX })?;
        let constant: i128 = self.objective().iter().map(|&(_, weight)| i128::from(weight.min(0))).sum();
        match (self.is_maximised(), constant) {
            (true, _) => text.line(&format!("c the greatest value of the objective is {} minus the cost", -constant)),
            (false, 0) => {}
            (false, _) => text.line(&format!("c the objective is {constant} plus the cost")),
        }
        let mut hard = "h".to_owned();
        // A text of no clauses says that it is one by its header.
        if is_old || cnf.n_clauses() == 0 && self.objective().iter().all(|&(_, weight)| weight == 0) {
            hard = self.objective().iter().fold(1, |top: u64, (_, w)| top.saturating_add(w.unsigned_abs())).to_string();
            let n_clauses = cnf.n_clauses() + self.objective().iter().filter(|(_, weight)| *weight != 0).count();
            text.line(&format!("p wcnf {} {n_clauses} {hard}", cnf.n_vars()));
        }
        for clause in cnf.clauses() {
            text.word(&hard)?;
            text.clause(clause)?;
        }
        for &(lit, weight) in self.objective() {
            if weight != 0 {
                text.number(weight.unsigned_abs())?;
                text.lits([if weight < 0 { lit } else { !lit }].into_iter())?;
                text.line("0");
            }
        }
        text.finish()
    }
}

/// The error of a clause that begins with this word: see the sentences.
#[cold]
fn no_weight(word: &Word, or_hard: bool) -> ReadError {
    let text = std::str::from_utf8(word.text()).unwrap_or_default();
    let message = match text.parse::<f64>() {
        Ok(weight) if weight < 0.0 => {
            "a negative weight; allowed are weights of clauses that had better be satisfied: \
             a clause of one literal may have its weight, without the sign, on the negated literal"
        }
        Ok(_) if text.contains(['.', 'e', 'E']) => {
            "a weight with a fraction; allowed are whole numbers: multiply all weights by the same power of ten"
        }
        _ if or_hard => return word.expected("`h` or a weight below 2⁶⁴ at the start of a clause"),
        _ => return word.expected("a weight below 2⁶⁴ at the start of a clause"),
    };
    word.wrong(format!("`{word}`: {message}"))
}

/// The start of a clause, as most have it: true for `h`, where that may be, or a weight.
fn weight_ahead(ahead: &mut Ahead<'_>, may_be_hard: bool) -> Option<(bool, u64)> {
    ahead.pass_space();
    let is_hard = may_be_hard && ahead.takes(b'h');
    let weight = if is_hard { 0 } else { ahead.digits()? };
    ahead.at_start = false;
    (ahead.byte() == b' ').then_some((is_hard, weight))
}

/// The literals up to the 0, of a clause that begins with the word `start`. In the form of 2022 a clause is one line.
fn read_clause(
    scanner: &mut Scanner<'_>,
    header: Option<&WcnfHeader>,
    start: &Word,
    said: &mut DimacsRemarks,
    lits: &mut Vec<Lit>,
) -> Result<(), ReadError> {
    let most = header.map_or(Formula::MOST_READ, |header| header.n_vars);
    loop {
        let ends = scanner.ahead(|ahead| {
            while let Some((number, is_negative)) = ahead.find(|ahead| {
                ahead.pass_space();
                let is_same_line = !ahead.at_start;
                ahead.word_of_digits().filter(|&(number, _)| is_same_line && number <= most.into())
            }) {
                if number == 0 {
                    return Some(true);
                }
                lits.push(Lit::new(number as u32 - 1, is_negative));
            }
            Some(false)
        })?;
        if ends == Some(true) {
            return Ok(());
        }
        let Some((word, first)) = scanner.next()? else {
            return Err(scanner.wrong("the text ends within a clause; every clause ends with 0"));
        };
        if first && header.is_none() {
            return Err(word.wrong(format!("the clause of line {} ends without its 0", start.line)));
        }
        if first && word.text()[0] == b'c' {
            comment(scanner, &word, Some(&mut *said))?;
            continue;
        }
        match word.number().filter(|number| header.is_none() || number.unsigned_abs() <= u64::from(most)) {
            Some(0) => return Ok(()),
            Some(number) => {
                let var = word.within_limit(number.unsigned_abs(), Formula::MOST_READ)? - 1;
                lits.push(Lit::new(var, number < 0));
            }
            None => return Err(word.expected(&format!("-{most} to {most}, and 0 at the end"))),
        }
    }
}

/// The rest of a header, and the word after it.
fn read_header(scanner: &mut Scanner<'_>, start: &Word) -> Result<(WcnfHeader, Option<(Word, bool)>), ReadError> {
    let mut part =
        || scanner.next()?.map(|(word, _)| word).ok_or_else(|| start.wrong("the text ends within the header"));
    let (format, vars, lines) = (part()?, part()?, part()?);
    if !format.is("wcnf") {
        return Err(format.expected("a header `p wcnf VARIABLES CLAUSES TOP`"));
    }
    let n_vars = vars.unsigned().ok_or_else(|| vars.expected("a number of variables"))?;
    let n_vars = vars.within_limit(n_vars, Formula::MOST_READ)?;
    let clauses = lines.unsigned().ok_or_else(|| lines.expected("a number of clauses"))?;
    let next = scanner.next()?;
    match next {
        Some((word, false)) => {
            let top = word.unsigned().filter(|&top| top > 0);
            let top = top.ok_or_else(|| word.expected("the weight of hard clauses, 1 to 2⁶⁴ − 1"))?;
            Ok((WcnfHeader { n_vars, clauses, top: Some(top) }, scanner.next()?))
        }
        next => Ok((WcnfHeader { n_vars, clauses, top: None }, next)),
    }
}
