//! OPB, the format of pseudo-Boolean competitions, with linear constraints.
//!
//! ```text
//! * #variable= 3 #constraint= 3
//! min: +1 x1 +2 ~x2 ;
//! +1 x1 +1 x2 +1 ~x3 >= 2 ;
//! +2 ~x1 +1 x2 +1 x3 >= 2 ;
//! +5 x1 -3 x2 +2 x3 = 4 ;
//! ```
//!
//! Weights are integers below 2⁶⁴ in absolute value; those of the objective are below 2⁶³. Once what is alike is summed
//! up and negative weights are those of the negations, a bound has to be below 2⁶⁴ from below or from above. Weights
//! that are all equal make a count. Weights that are equal but for literals that satisfy the constraint alone are a
//! count under a condition, the negations of those literals: `+2 ~x1 +1 x2 +1 x3 >= 2` is *at least 2 of x2 and x3 when
//! x1*. Lines that start with `*` are comments; those of the form `* name x1 NAME` give names to variables. Products
//! of variables and soft constraints (`soft:` and costs in brackets, of the format WBO) are refused.
//!
//! Source: Roussel, Manquinho, *Input/Output Format and Solver Requirements for the Competitions of Pseudo-Boolean
//! Solvers*, 2012.

use std::convert::Infallible;
use std::io::{self, BufRead, Write};

use rustsat::types::Lit;

use super::out::{Text, out_of_memory};
use crate::cnf::{CapacityError, Cnf};
use crate::constrain::Constrain;
use crate::constraint::Constraint;
use crate::dimacs::{LONGEST_NAME, Names};
use crate::formula::Formula;
use crate::normal::NormalSum;
use crate::read::ReadError;
use crate::relation::{PbRelation, Relation};
use crate::sink::ClauseSink;
use crate::words::{Scanner, Word};
use crate::{CardEncoding, PbEncoding};

/// Weighted literals. As many weights below 2⁶⁴ as memory holds sum up to less than 2¹²⁷.
type Terms = Vec<(Lit, i128)>;

impl Formula {
    /// Reads a formula in OPB format, with an objective if there is one.
    ///
    /// ```
    /// use cnfkit::{Formula, PbRelation, Relation};
    /// let text = "min: 3 x1 -2 x4 ;\n2 x1 2 x2 -2 x3 2 x4 = 2 ;\n5 x1 -4 x2 3 x3 2 x4 >= 3 ;\n";
    /// let formula = Formula::read_opb(text.as_bytes()).unwrap();
    /// let mut constraints = formula.constraints();
    /// let (lits, relation) = constraints.next().unwrap().counted().unwrap();
    /// assert_eq!((lits.len(), relation), (4, Relation::Exactly(2))); // of x1, x2, ~x3, x4
    /// let (_, relation) = constraints.next().unwrap().weighted().unwrap();
    /// assert_eq!(relation, PbRelation::AtLeast(7)); // of 5·x1, 4·~x2, 3·x3 and 2·x4
    /// assert_eq!(formula.objective().len(), 2);
    /// let error = Formula::read_opb(&b"2 x1 3 x2 x3 >= 5 ;"[..]).unwrap_err();
    /// assert!(error.to_string().starts_with("line 1, column 11: `x3` without a weight"));
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] with line and column of the first thing that is wrong, among it weights and bounds beyond 64 bits
    /// and variables beyond [`MOST_READ`](Self::MOST_READ), or when the formula is larger than a [`Cnf`]
    /// may be. A header costs no memory, whatever it announces.
    pub fn read_opb<R: BufRead>(reader: R) -> Result<Self, ReadError> {
        let mut scanner = Scanner::new(reader, b';');
        let mut formula = Self::new();
        let mut names = Vec::new();
        let mut is_objective_allowed = true;
        while let Some((word, first)) = scanner.next()? {
            if first && word.text()[0] == b'*' {
                comment(&mut scanner, &mut formula, &mut names)?;
                continue;
            }
            if word.is("min:") || word.is("max:") {
                if !std::mem::take(&mut is_objective_allowed) {
                    return Err(word.wrong("an objective comes before all constraints, and once"));
                }
                let (terms, end) = read_terms(&mut scanner, &mut formula, None, i64::MAX as u128)?;
                if !end.is(";") {
                    return Err(end.expected("weights with variables, and `;` at the end"));
                }
                let sign = if word.is("max:") { -1 } else { 1 };
                // Weights were read within that range.
                formula.set_objective(terms.iter().map(|&(lit, weight)| (lit, sign * weight as i64)));
                continue;
            }
            if word.is("soft:") || word.text()[0] == b'[' {
                return Err(word.expected("hard constraints: soft ones, of the format WBO, are not read"));
            }
            is_objective_allowed = false;
            let (mut terms, relation) = read_terms(&mut scanner, &mut formula, Some(word), u64::MAX.into())?;
            if relation.is(";") {
                return Err(relation.expected("`>=`, `=` or `<=` and a bound"));
            }
            let mut part = |allowed: &str| match scanner.next()? {
                Some((part, _)) => Ok(part),
                None => Err(scanner.wrong(format!("the text ends within a constraint; allowed: {allowed}"))),
            };
            let bound = part("a bound")?;
            let value = bound.wide_number().filter(|value| value.unsigned_abs() <= u64::MAX.into());
            let value = value.ok_or_else(|| bound.expected("a bound, a number below 2⁶⁴"))?;
            let end = part("`;`")?;
            if !end.is(";") {
                return Err(end.expected("`;`"));
            }
            if relation.is("=") {
                formula.weighted_exactly(&word, terms, value)?;
            } else if relation.is(">=") {
                formula.weighted_at_least(&word, terms, value)?;
            } else {
                terms.iter_mut().for_each(|(_, weight)| *weight = -*weight);
                formula.weighted_at_least(&word, terms, -value)?;
            }
        }
        formula.take_names(names);
        Ok(formula)
    }

    /// Writes the formula in OPB: clauses and constraints as they were given, the objective, names as comments.
    ///
    /// Constraints under a condition have the negated condition with a weight that satisfies them. Reified ones are two
    /// such constraints; *exactly k* if and only if r is encoded, with auxiliaries above the formula's variables. The
    /// writer need not be buffered.
    ///
    /// ```
    /// use cnfkit::{ClauseSink, Constrain, Formula, PbEncoding};
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(3);
    /// formula.pb_at_least(&[(x[0], 5), (x[1], 3), (x[2], 4)], 7, PbEncoding::Auto)?;
    /// formula.set_objective([(x[0], 2), (x[1], -1)]);
    /// let mut text = Vec::new();
    /// formula.write_opb(&mut text)?;
    /// let text = String::from_utf8(text)?;
    /// assert!(text.contains("min: 2 x1 -1 x2 ;") && text.ends_with(">= 7 ;\n"), "{text}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When writing fails, or when encoding those constraints passes the limit of the formula
    /// ([`io::ErrorKind::OutOfMemory`]).
    pub fn write_opb<W: Write>(&self, writer: W) -> io::Result<()> {
        let encoded = self.reified_exactly().map_err(out_of_memory)?;
        let others = || self.constraints().filter(|constraint| !constraint.reifies_exactly());
        let lines: usize = others().map(|constraint| lines(&constraint)).sum();
        let lines = self.n_clauses() + encoded.n_clauses() + lines;
        let mut text = Text::new(writer);
        // A sum has at least one term: that of the empty clause has two, which make nothing.
        let is_empty = || self.clauses().chain(encoded.clauses()).any(<[Lit]>::is_empty);
        let n_vars = if encoded.n_vars() == 0 && is_empty() { 1 } else { encoded.n_vars() };
        text.line(&format!("* #variable= {n_vars} #constraint= {lines}"));
        for (var, name) in self.names() {
            text.word("* name")?;
            text.word(&format!("x{}", var.idx32() + 1))?;
            text.name(name);
        }
        if !self.objective().is_empty() {
            text.word("min:")?;
            self.objective().iter().try_for_each(|&(lit, weight)| term(&mut text, weight, lit))?;
            text.line(";");
        }
        for clause in self.clauses().chain(encoded.clauses()) {
            clause.iter().try_for_each(|&lit| term(&mut text, 1, lit))?;
            if clause.is_empty() {
                let first = Lit::positive(0);
                [1, -1].into_iter().try_for_each(|weight| term(&mut text, weight, first))?;
            }
            text.line(">= 1 ;");
        }
        others().try_for_each(|constraint| write_constraint(&mut text, &constraint))?;
        text.finish()
    }

    /// The constraints that are no [bounds on sums](Constraint::linear), as clauses over variables from `n_vars` on.
    #[allow(clippy::redundant_closure_for_method_calls)] // the method is of one lifetime
    pub(crate) fn reified_exactly(&self) -> Result<Cnf, CapacityError> {
        self.encoded(|constraint| constraint.reifies_exactly())
    }

    /// Adds that the weighted sum is `value`, or says why that is refused.
    fn weighted_exactly(&mut self, start: &Word, terms: Terms, value: i128) -> Result<(), ReadError> {
        let NormalSum { offset, terms } = NormalSum::new(terms);
        let total: u128 = terms.iter().map(|&(_, weight)| weight).sum();
        let Some(value) = u128::try_from(value - offset).ok().filter(|&value| value <= total) else {
            return Ok(self.add_clause(&[])?);
        };
        let Some(&(_, weight)) = terms.first() else { return Ok(()) };
        if terms.iter().any(|&(_, other)| other != weight) {
            let (terms, bound, _) = narrowed(start, &terms, value, total)?;
            return Ok(self.pb(&terms, PbRelation::Exactly(bound), &PbEncoding::Auto)?);
        }
        let lits: Vec<Lit> = terms.iter().map(|&(lit, _)| lit).collect();
        match usize::try_from(value / weight) {
            Ok(k) if value % weight == 0 => self.exactly(&lits, k, &CardEncoding::Auto)?,
            _ => self.add_clause(&[])?,
        }
        Ok(())
    }

    /// Adds that the weighted sum is at least `value`, or says why that is refused.
    fn weighted_at_least(&mut self, start: &Word, terms: Terms, value: i128) -> Result<(), ReadError> {
        let NormalSum { offset, mut terms } = NormalSum::new(terms);
        let value = u128::try_from(value - offset).unwrap_or(0);
        if value == 0 {
            return Ok(());
        }
        terms.iter_mut().for_each(|(_, weight)| *weight = value.min(*weight));
        let total: u128 = terms.iter().map(|&(_, weight)| weight).sum();
        let mut others = terms.iter().filter(|&&(_, weight)| weight < value);
        let weight = others.next().map_or(value, |&(_, weight)| weight);
        if others.any(|&(_, other)| other != weight) {
            if value > total {
                return Ok(self.add_clause(&[])?);
            }
            let (terms, bound, negated) = narrowed(start, &terms, value, total)?;
            let relation = if negated { PbRelation::AtMost(bound) } else { PbRelation::AtLeast(bound) };
            return Ok(self.pb(&terms, relation, &PbEncoding::Auto)?);
        }
        let (enough, lits): (Vec<_>, Vec<_>) = terms.iter().partition(|&&(_, term)| term == value);
        let [escape, lits] = [enough, lits].map(|part| part.into_iter().map(|&(lit, _)| lit).collect::<Vec<Lit>>());
        if lits.is_empty() {
            return Ok(self.add_clause(&escape)?);
        }
        let relation = Relation::AtLeast(usize::try_from(value.div_ceil(weight)).unwrap_or(usize::MAX));
        let cond: Vec<Lit> = escape.iter().map(|&lit| !lit).collect();
        Ok(self.when(&cond).cardinality(&lits, relation, &CardEncoding::Auto)?)
    }
}

/// Positive weights and a bound in 64 bits: as they are, or (`true`) those of the negated literals, whose sum is what
/// is left of `total`. An error where neither fits.
fn narrowed(
    start: &Word,
    terms: &[(Lit, u128)],
    bound: u128,
    total: u128,
) -> Result<(Vec<(Lit, u64)>, u64, bool), ReadError> {
    let narrow = |bound: u128, negated: bool| {
        let bound = u64::try_from(bound).ok()?;
        let term = |&(lit, weight): &(Lit, u128)| Some((if negated { !lit } else { lit }, u64::try_from(weight).ok()?));
        Some((terms.iter().map(term).collect::<Option<Vec<_>>>()?, bound, negated))
    };
    narrow(bound, false).or_else(|| narrow(total - bound, true)).ok_or_else(|| {
        start.wrong(format!(
            "a sum of {total} and a bound of {bound}, once no weight is negative and no variable repeated; allowed: \
             weights below 2⁶⁴, and a bound below 2⁶⁴ or less than that below the sum"
        ))
    })
}

/// Reads weights of absolute values up to `most` and literals up to the word that is neither, `first` before them.
fn read_terms<R: BufRead>(
    scanner: &mut Scanner<R>,
    formula: &mut Formula,
    first: Option<Word>,
    most: u128,
) -> Result<(Terms, Word), ReadError> {
    const ALLOWED: &str = "a weight with a variable `x1` or `~x1`, `>=`, `=`, `<=`";
    let mut next = first;
    let mut terms = Terms::new();
    loop {
        let word = match next.take() {
            Some(word) => word,
            None => match scanner.next()? {
                Some((word, _)) => word,
                None => return Err(scanner.wrong("the text ends within a constraint; every one ends with `;`")),
            },
        };
        if word.is(">=") || word.is("=") || word.is("<=") || word.is(";") {
            return Ok((terms, word));
        }
        let Some(weight) = word.wide_number() else {
            if variable(&word).is_some() && !terms.is_empty() {
                return Err(word.wrong(format!("`{word}` without a weight: products of variables are not read")));
            }
            return Err(word.expected(ALLOWED));
        };
        if weight.unsigned_abs() > most {
            let bits = 128 - most.leading_zeros();
            return Err(word.expected(&format!("weights from −2^{bits} + 1 to 2^{bits} − 1")));
        }
        let Some((word, _)) = scanner.next()? else { return Err(scanner.wrong("the text ends within a constraint")) };
        let (number, negated) =
            variable(&word).ok_or_else(|| word.expected("a variable, `x1` or `~x1`, after its weight"))?;
        let lit = Lit::new(word.within_limit(number, Formula::MOST_READ)? - 1, negated);
        formula.know(lit)?;
        terms.push((lit, weight));
    }
}

/// The number in `x1` or `~x1`, from 1 on, and whether it is negated.
fn variable(word: &Word) -> Option<(u64, bool)> {
    let (negated, name) = match word.text() {
        [b'~', name @ ..] => (true, name),
        name => (false, name),
    };
    let [b'x', digits @ ..] = name else { return None };
    if digits.is_empty() || digits.len() > 20 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let number =
        digits.iter().fold(0_u64, |number, digit| number.saturating_mul(10).saturating_add(u64::from(digit - b'0')));
    (number > 0).then_some((number, negated))
}

/// Passes over a comment, and keeps what it says of variables.
fn comment<R: BufRead>(scanner: &mut Scanner<R>, formula: &mut Formula, names: &mut Names) -> Result<(), ReadError> {
    let rest = scanner.rest_of_line(LONGEST_NAME)?;
    let rest = String::from_utf8_lossy(&rest);
    let mut words = rest.split_whitespace();
    match (words.next(), words.next()) {
        (Some("#variable="), Some(count)) => {
            if let Some(highest) = count.parse::<u32>().ok().and_then(|count| count.checked_sub(1))
                && highest < Formula::MOST_READ
            {
                formula.know(Lit::positive(highest))?;
            }
        }
        (Some("name"), Some(var)) => {
            if let Some(number) = var.strip_prefix('x').and_then(|number| number.parse().ok())
                && number > 0
                && let Some((_, name)) = rest.trim().split_once(var)
            {
                names.push((number, name.trim().into()));
            }
        }
        _ => {}
    }
    Ok(())
}

/// A weight and a variable.
fn term<W: Write>(text: &mut Text<W>, weight: impl Into<i128>, lit: Lit) -> io::Result<()> {
    let weight = weight.into();
    if weight >= 0 {
        text.part("+");
    }
    text.number(weight)?;
    text.part(if lit.is_neg() { "~x" } else { "x" });
    text.number(i64::from(lit.vidx32()) + 1)
}

/// The number of lines that say the constraint.
fn lines(constraint: &Constraint<'_>) -> usize {
    let mut lines = 0;
    let Ok(()): Result<(), Infallible> = constraint.linear(|_, _| {
        lines += 1;
        Ok(())
    });
    lines
}

fn write_constraint<W: Write>(text: &mut Text<W>, constraint: &Constraint<'_>) -> io::Result<()> {
    constraint.linear(|terms, relation| {
        let (sign, bound) = match relation {
            // At least what is left, of the negations.
            PbRelation::AtMost(most) => (">=", terms.iter().map(|&(_, weight)| weight).sum::<u64>() - most),
            PbRelation::AtLeast(least) => (">=", least),
            PbRelation::Exactly(bound) => ("=", bound),
        };
        let negated = matches!(relation, PbRelation::AtMost(_));
        terms.iter().try_for_each(|&(lit, weight)| term(text, weight, if negated { !lit } else { lit }))?;
        text.line(&format!("{sign} {bound} ;"));
        Ok(())
    })
}
