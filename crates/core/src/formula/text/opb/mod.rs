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
//! Weights and bounds are integers below 2¹²⁸ − 1 in absolute value; those of the objective are below 2⁶⁴. Weights that
//! are all equal make a count. Weights that are equal but for literals that satisfy the constraint alone are a count
//! under a condition, the negations of those literals: `+2 ~x1 +1 x2 +1 x3 >= 2` is *at least 2 of x2 and x3 when x1*.
//! Lines that start with `*` are comments; those of the form `* name x1 NAME` give names to variables, and lines
//! `* show x1 x2` list those that solutions are counted by, where there are others. A text has at least one constraint,
//! an objective, or the header `* #variable= N #constraint= M`: then it has M constraints over at most N variables,
//! auxiliaries of products and soft constraints not counted.
//!
//! Read, and not written: `max:`, the least of the negated sum; soft constraints of the format WBO (`soft: TOP ;`, and
//! `[COST]` before a constraint, of weights below 2⁹⁶), each relaxed by an auxiliary at its cost, all costs together
//! below TOP; `+1*x1` as in 2005, `+ 1 x1`, no spaces at all, `>` and `<`, other names than `x1`, products of literals
//! (`+3 x1 ~x2`); and as in OPBDP, comments after a space from `/*` to `*/`, and labels of constraints
//! (`R1: +1 x1 >= 1 ;`, and VeriPB's `@R1 +1 x1 >= 1 ;`), which are passed over. A name is a letter or `_`, and up to
//! 40 bytes without spaces and `;*+-~:<=>`; variables with such names take the lowest numbers that are free when they
//! come. Each product is one auxiliary above the variables that are known when it comes, defined by clauses, however
//! often it occurs.
//!
//! Source: Roussel, Manquinho, *Input/Output Format and Solver Requirements for the Competitions of Pseudo-Boolean
//! Solvers*, 2012; Manquinho, Roussel, *The First Evaluation of Pseudo-Boolean Solvers (PB'05)*, JSAT 2, 2006, pages
//! 103–143; OPBDP: Barth, *A Davis-Putnam Based Enumeration Algorithm for Linear Pseudo-Boolean Optimization*, report
//! MPI-I-95-2-003, 1995.

mod plain;
mod sums;
mod variables;

use std::borrow::Cow;
use std::convert::Infallible;
use std::io::{self, BufRead, Write};

use rustsat::types::{Lit, Var};

use self::plain::{PlainTerms, plain_bound, plain_term};
use self::sums::{OpbSums, OpbTerms};
use self::variables::OpbVariables;
use super::dimacs::SHOWN_A_LINE;
use super::out::{Text, out_of_memory};
use crate::constraint::Constraint;
use crate::dimacs::{LONGEST_NAME, Names};
use crate::formula::Formula;
use crate::formula::spelling::Spelling;
use crate::read::ReadError;
use crate::relation::PbRelation;
use crate::words::{OF_SUMS, Scanner, Word};

/// The most that a weight of a constraint, or its bound, may be.
const MOST: u128 = u128::MAX - 1;
const ALLOWED: &str = "a weight with a variable, `>=`, `=`, `<=`, `>`, `<`";
const TERM: &str = "weights with variables, and `;` at the end";
const COST: &str = "a cost below 2⁶⁴ in brackets, after a line `soft: TOP ;`";
const NOTHING: &str = "the text ends without a constraint, an objective or a header `* #variable= N #constraint= M`";
const BOUND: &str = "a bound, a number below 2¹²⁸ − 1";

impl Formula {
    /// Reads a formula in OPB format, with an objective if there is one: that of `max:` is negated, and
    /// [said to be](Self::is_maximised). Variables have their numbers, but those that come after a product without a
    /// header: the product may have taken the number, and they have theirs as a [name](Self::name).
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
    /// let error = Formula::read_opb(&b"2 x1 3 x2 >= x3 ;"[..]).unwrap_err();
    /// assert!(error.to_string().starts_with("line 1, column 14: `x3` found; allowed: a bound"));
    ///
    /// let named = Formula::read_opb(&b"+1*wine +2*~beer > 1;"[..]).unwrap(); // at least 2
    /// assert!(named.names().map(|(_, name)| name).eq(["wine", "beer"]));
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] with line and column of the first thing that is wrong, among it weights and bounds beyond 128 bits
    /// and variables beyond [`MOST_READ`](Self::MOST_READ), or when the formula is larger than a [`Cnf`](crate::Cnf)
    /// may be. A header costs no memory, whatever it announces.
    pub fn read_opb<R: BufRead>(mut reader: R) -> Result<Self, ReadError> {
        Self::read_sums(&mut reader)
    }

    fn read_sums(reader: &mut dyn BufRead) -> Result<Self, ReadError> {
        let scanner = Scanner::new(reader, &OF_SUMS);
        let mut text = Reading {
            scanner,
            formula: Self::new(),
            variables: OpbVariables::default(),
            names: Vec::new(),
            shown: Vec::new(),
            shows_none: false,
            announced: None,
            is_soft: false,
            plain: PlainTerms::default(),
        };
        let mut held = 0_u64;
        let mut top = None;
        loop {
            let start = text.place()?;
            text.plain_terms()?;
            if !text.plain.given.is_empty() {
                held += 1;
                text.constraint(&start, None, None)?;
                continue;
            }
            let Some(mut word) = text.next()? else { break };
            let mut cost = None;
            match text.keyword(&word)?.as_deref() {
                Some(sense @ (b"min" | b"max" | b"soft")) => {
                    if held > 0 || text.formula.has_objective() {
                        return Err(word.wrong("an objective comes before all constraints, and once"));
                    }
                    if sense == b"soft" {
                        top = text.top()?;
                    } else {
                        text.objective(sense == b"max")?;
                    }
                    continue;
                }
                Some(_) => word = text.part(TERM)?,
                None if word.text()[0] == b'@' => word = text.after_label(word)?,
                None if word.text()[0] == b'[' => (cost, word) = (Some(text.cost(&word)?), text.part(TERM)?),
                None => {}
            }
            held += 1;
            text.constraint(&word, Some(word), cost)?;
        }
        match text.announced {
            Some(announced) if announced != held => {
                let message = format!("the header announces {announced} constraints, the text holds {held}");
                return Err(text.scanner.wrong(message));
            }
            None if held == 0 && !text.formula.has_objective() => return Err(text.scanner.wrong(NOTHING)),
            _ => {}
        }
        if let Some(top) = top {
            text.below(top)?;
        }
        let Reading { mut formula, variables, mut names, mut shown, shows_none, .. } = text;
        let n_vars = formula.n_vars();
        shown.retain(|&number| (1..=n_vars as u64).contains(&number) && variables.is_by_number(number));
        if shows_none || !shown.is_empty() {
            shown.sort_unstable();
            formula.aside.show(shown.into_iter().map(|number| number as u32 - 1), n_vars as u32);
        }
        names.retain(|&(number, _)| variables.is_by_number(number));
        formula.take_names(names);
        Ok(formula)
    }

    /// The name that a variable has in OPB text: that of the text that the formula was [read](Self::read_opb) from,
    /// `x7` by its number otherwise. None of auxiliaries of that text, which are made for products and for wide
    /// weights.
    ///
    /// ```
    /// use cnfkit::{Formula, Lit};
    /// let formula = Formula::read_opb(&b"+1*wine +2 x2 ~wine >= 1;"[..])?;
    /// let names: Vec<_> = (0..3).map(|var| formula.opb_name(Lit::positive(var).var())).collect();
    /// assert_eq!(names, [Some("wine".into()), Some("x2".into()), None]);
    /// # Ok::<(), cnfkit::formula::ReadError>(())
    /// ```
    #[must_use]
    #[doc(hidden)]
    pub fn opb_name(&self, var: Var) -> Option<Cow<'_, str>> {
        match self.spelled.get(&var) {
            Some(Spelling::Auxiliary) => None,
            Some(Spelling::Name) => self.name(var).map(Cow::Borrowed),
            None => Some(format!("x{}", var.idx() + 1).into()),
        }
    }

    /// Writes the formula in OPB: clauses and constraints as they were given, the objective, names as comments.
    ///
    /// Constraints under a condition have the negated condition with a weight that satisfies them. Reified ones are two
    /// such constraints; *exactly k* if and only if r is some more, with a variable above those of the formula that
    /// says on which side of k the sum is where r is false, and is true otherwise: there are as many solutions.
    /// Parities are the clauses of their encoding, with auxiliaries above those of the formula. The writer need not be
    /// buffered.
    ///
    /// ```
    /// use cnfkit::{ClauseSink, Constrain, Formula, PbEncoding};
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(4);
    /// formula.pb_at_least(&[(x[0], 5), (x[1], 4), (x[2], 3), (x[3], 2)], 8, PbEncoding::Auto)?;
    /// formula.set_objective([(x[0], 2), (x[1], -1)]);
    /// let mut text = Vec::new();
    /// formula.write_opb(&mut text)?;
    /// let text = String::from_utf8(text)?;
    /// assert!(text.contains("min: +2 x1 -1 x2 ;") && text.ends_with(">= 8 ;\n"), "{text}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When writing fails, or when encoding parities passes the limit of the formula ([`io::ErrorKind::OutOfMemory`]).
    pub fn write_opb<W: Write>(&self, writer: W) -> io::Result<()> {
        self.without_parities().map_err(out_of_memory)?.write_sums(writer)
    }

    /// Writes a formula that has no parities.
    fn write_sums<W: Write>(&self, mut writer: W) -> io::Result<()> {
        let lines: usize = self.constraints().map(|constraint| lines(&constraint)).sum();
        let lines = self.n_clauses() + lines;
        let mut text = Text::new(&mut writer);
        let n_vars = self.n_vars() + self.constraints().filter(Constraint::reifies_exactly).count();
        // A sum has at least one term: that of the empty clause has two, which make nothing.
        let needs_one = self.has_objective() || self.clauses().any(<[Lit]>::is_empty);
        let n_vars = if needs_one { n_vars.max(1) } else { n_vars };
        text.line(&format!("* #variable= {n_vars} #constraint= {lines}"));
        for (var, name) in self.names() {
            text.word("* name")?;
            text.word(&format!("x{}", var.idx32() + 1))?;
            text.name(name);
        }
        let shown = self.lits();
        if shown.len() < self.n_vars() || self.aside.shows {
            let none = shown.is_empty().then_some(&shown[..]);
            for some in shown.chunks(SHOWN_A_LINE).chain(none) {
                text.word("* show")?;
                some.iter().try_for_each(|lit| text.word(&format!("x{}", lit.vidx32() + 1)))?;
                text.line("");
            }
        }
        if self.has_objective() {
            text.word("min:")?;
            self.objective().iter().try_for_each(|&(lit, weight)| term(&mut text, weight, lit))?;
            if self.objective().is_empty() {
                term(&mut text, 0, Lit::positive(0))?;
            }
            text.line(";");
        }
        for clause in self.clauses() {
            clause.iter().try_for_each(|&lit| term(&mut text, 1, lit))?;
            if clause.is_empty() {
                let first = Lit::positive(0);
                [1, -1].into_iter().try_for_each(|weight| term(&mut text, weight, first))?;
            }
            text.line(">= 1 ;");
        }
        for (constraint, below) in self.with_sides() {
            write_constraint(&mut text, &constraint, below)?;
        }
        text.finish()
    }

    /// The constraints, each with a variable above those of the formula, which only those that reify *exactly*
    /// [need](Constraint::linear): they have one each.
    pub(crate) fn with_sides(&self) -> impl Iterator<Item = (Constraint<'_>, Lit)> {
        let mut next = self.n_vars() as u32;
        self.constraints().map(move |constraint| {
            let below = Lit::positive(next);
            next += u32::from(constraint.reifies_exactly());
            (constraint, below)
        })
    }
}

/// A number of up to 128 bits and a sign.
struct OpbNumber {
    magnitude: u128,
    is_negative: bool,
}

impl OpbNumber {
    /// The number below 2⁹⁶, or else its lowest 32 bits and those above.
    fn parts(&self) -> [i128; 2] {
        let sign = if self.is_negative { -1 } else { 1 };
        let parts = if self.magnitude >> 96 == 0 { [self.magnitude, 0] } else { sums::split(self.magnitude) };
        parts.map(|part| sign * part as i128)
    }
}

/// A text that is being read.
struct Reading<'r> {
    scanner: Scanner<'r>,
    formula: Formula,
    variables: OpbVariables,
    /// Names that comments give to variables.
    names: Names,
    /// Those that comments show, and true for one that shows none.
    shown: Vec<u64>,
    shows_none: bool,
    /// The constraints that the header announces.
    announced: Option<u64>,
    /// There are soft constraints.
    is_soft: bool,
    /// The first terms of the constraint at hand, as far as they are plain.
    plain: PlainTerms,
}

impl Reading<'_> {
    /// The next word, after comments.
    fn next(&mut self) -> Result<Option<Word>, ReadError> {
        while let Some((word, first)) = self.scanner.next()? {
            if first && word.is("*") {
                self.comment()?;
            } else if word.text() == b"/" {
                let star = self.scanner.next()?.filter(|(star, _)| star.is("*") && star.touches(&word));
                if star.is_none() || !self.scanner.rest_of_comment()? {
                    return Err(word.expected("a comment, `/* … */`"));
                }
            } else {
                return Ok(Some(word));
            }
        }
        Ok(None)
    }

    /// The place of the next word.
    fn place(&mut self) -> Result<Word, ReadError> {
        self.scanner.ahead(|ahead| {
            ahead.pass_space();
            Some(())
        })?;
        Ok(self.scanner.place())
    }

    /// Reads plain terms, as many as follow.
    fn plain_terms(&mut self) -> Result<(), ReadError> {
        let Self { scanner, variables, plain, formula, .. } = self;
        plain.given.clear();
        let mut highest = Lit::positive(0);
        scanner.ahead(|ahead| {
            while let Some(term) = ahead.find(|ahead| plain_term(ahead, variables)) {
                highest = highest.max(term.0);
                plain.given.push(term);
            }
            Some(())
        })?;
        if highest.vidx() >= formula.n_vars() && !plain.given.is_empty() {
            formula.know(highest)?;
        }
        Ok(())
    }

    /// Reads the bound of a constraint of plain terms, and adds it. False, and the terms are left, where the bound is
    /// not plain or the sum is none that these have.
    fn plain(&mut self) -> Result<bool, ReadError> {
        let Self { scanner, plain, formula, .. } = self;
        match scanner.ahead(|ahead| plain.tell(plain_bound(ahead)?))? {
            Some(sum) => plain.add(sum, formula).map(|()| true),
            None => Ok(false),
        }
    }

    /// The next word of a constraint or an objective.
    fn part(&mut self, allowed: &str) -> Result<Word, ReadError> {
        let end = |text: &Self| text.scanner.wrong(format!("the text ends within a constraint; allowed: {allowed}"));
        self.next()?.ok_or_else(|| end(self))
    }

    /// Passes over the line of a comment, and keeps what it says of variables.
    fn comment(&mut self) -> Result<(), ReadError> {
        let rest = self.scanner.rest_of_line(LONGEST_NAME)?;
        let rest = String::from_utf8_lossy(&rest);
        let mut words = rest.split_whitespace();
        match (words.next(), words.next()) {
            (Some("#variable="), Some(count)) => {
                self.variables.announced = count.parse().ok();
                self.announced = words
                    .next()
                    .filter(|&word| word == "#constraint=")
                    .and(words.next())
                    .and_then(|count| count.parse().ok());
                if let Some(highest) = self.variables.announced.and_then(|count| count.checked_sub(1))
                    && highest < Formula::MOST_READ.into()
                {
                    self.formula.know(Lit::positive(highest as u32))?;
                }
            }
            (Some("name"), Some(var)) => {
                if let Some(number) = var.strip_prefix('x').and_then(|number| number.parse().ok())
                    && number > 0
                    && let Some((_, name)) = rest.trim().split_once(var)
                {
                    self.names.push((number, name.trim().into()));
                }
            }
            (Some("show"), None) => self.shows_none = true,
            (Some("show"), Some(first)) => {
                let number = |word: &str| word.strip_prefix('x').and_then(|number| number.parse::<u64>().ok());
                if let Some(shown) = [first].into_iter().chain(words).map(number).collect::<Option<Vec<u64>>>() {
                    self.shown.extend(shown);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The word if a colon follows: `min`, `max`, or a constraint's label. None if it is not a name.
    fn keyword(&mut self, word: &Word) -> Result<Option<Vec<u8>>, ReadError> {
        if !matches!(word.text()[0], b'a'..=b'z' | b'A'..=b'Z' | b'_') {
            return Ok(None);
        }
        let name = word.text().strip_suffix(b":");
        if name.is_none() && !self.part("`:`")?.is(":") {
            return Err(word.expected(ALLOWED));
        }
        let name = name.unwrap_or(word.text()).to_vec();
        // A label would hide that somebody means an objective.
        let is_objective = |word: &str| name.eq_ignore_ascii_case(word.as_bytes());
        let others = ["min", "minimise", "minimize", "max", "maximise", "maximize", "soft"];
        if others.into_iter().any(is_objective) && !matches!(&name[..], b"min" | b"max" | b"soft") {
            return Err(word.expected("`min:` or `max:` before an objective"));
        }
        Ok(Some(name))
    }

    /// The first word of a constraint after its label.
    fn after_label(&mut self, label: Word) -> Result<Word, ReadError> {
        let mut last = label;
        loop {
            let next = self.part(TERM)?;
            if !next.touches(&last) {
                return Ok(next);
            }
            last = next;
        }
    }

    /// The rest of an objective, whose weights are negated where the greatest value is wanted.
    fn objective(&mut self, maximised: bool) -> Result<(), ReadError> {
        self.plain_terms()?;
        let ([terms, _], end) = self.terms(None, u64::MAX.into())?;
        if !end.is(";") {
            return Err(end.expected(TERM));
        }
        self.formula.begin_objective(maximised);
        let sign = if maximised { -1 } else { 1 };
        terms.iter().for_each(|&(lit, weight)| self.formula.add_cost(lit, sign * weight));
        Ok(())
    }

    /// The rest of `soft: TOP ;`: what the costs of soft constraints are below, if that is said.
    fn top(&mut self) -> Result<Option<u64>, ReadError> {
        const TOP: &str = "a number from 1 to 2⁶⁴ − 1, and `;`";
        (self.is_soft, self.formula.maximised) = (true, Some(false));
        let word = self.part(TOP)?;
        if word.is(";") {
            return Ok(None);
        }
        let top = word.unsigned().filter(|&top| top > 0).ok_or_else(|| word.expected(TOP))?;
        let end = self.part("`;`")?;
        if end.is(";") { Ok(Some(top)) } else { Err(end.expected("`;`")) }
    }

    /// The cost in brackets that this word begins.
    fn cost(&mut self, word: &Word) -> Result<u64, ReadError> {
        let mut cost = word.text().to_vec();
        while !cost.ends_with(b"]") && cost.len() < 40 {
            cost.extend(self.part(COST)?.text());
        }
        let number =
            std::str::from_utf8(&cost[1..cost.len() - 1]).ok().filter(|_| self.is_soft && cost.ends_with(b"]"));
        let number = number.filter(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
        number.and_then(|number| number.parse().ok()).ok_or_else(|| word.expected(COST))
    }

    /// Adds that the costs of soft constraints are less than this.
    fn below(&mut self, top: u64) -> Result<(), ReadError> {
        let costs = self.formula.objective().iter().map(|&(lit, cost)| (lit, -i128::from(cost))).collect();
        let most = 1 - i128::from(top);
        self.sums(&Word::NONE).add([costs, OpbTerms::new()], [most, 0], false)
    }

    /// A constraint that begins at `start`, with the word `first` behind plain terms, if that was read. It may be left
    /// unsatisfied at its cost, if it has one.
    fn constraint(&mut self, start: &Word, first: Option<Word>, cost: Option<u64>) -> Result<(), ReadError> {
        if first.is_none() && self.plain()? {
            return Ok(());
        }
        let (mut parts, relation) = self.terms(first, MOST)?;
        if relation.is(";") {
            return Err(relation.expected("`>=`, `=`, `<=`, `>` or `<` and a bound"));
        }
        let first = self.part(BOUND)?;
        let value = self.number(&first)?.filter(|value| value.magnitude <= MOST);
        let mut value = value.ok_or_else(|| first.expected(BOUND))?.parts();
        let end = self.part("`;`")?;
        if !end.is(";") {
            return Err(end.expected("`;`"));
        }
        if relation.text()[0] == b'<' {
            parts.iter_mut().flatten().for_each(|(_, weight)| *weight = -*weight);
            value = value.map(|part| -part);
        }
        value[0] += i128::from(relation.is("<") || relation.is(">"));
        let is_exact = relation.is("=");
        let Some(cost) = cost else { return self.sums(start).add(parts, value, is_exact) };
        let [terms, upper] = parts;
        if !upper.is_empty() || value[1] != 0 {
            return Err(
                start.wrong("a soft constraint with a weight or a bound of 2⁹⁶ or more; allowed are smaller ones")
            );
        }
        let relaxed = self.variables.auxiliary(start, &mut self.formula)?;
        self.formula.add_cost(relaxed, cost.into());
        for sign in if is_exact { &[1, -1][..] } else { &[1] } {
            let mut terms: OpbTerms = terms.iter().map(|&(lit, weight)| (lit, sign * weight)).collect();
            let least: i128 = terms.iter().map(|&(_, weight)| weight.min(0)).sum();
            terms.push((relaxed, (sign * value[0] - least).max(0)));
            self.sums(start).add([terms, OpbTerms::new()], [sign * value[0], 0], false)?;
        }
        Ok(())
    }

    /// Adds sums to the formula, as they stand at this word.
    fn sums<'a>(&'a mut self, start: &'a Word) -> OpbSums<'a> {
        OpbSums { formula: &mut self.formula, variables: &mut self.variables, start }
    }

    /// The number that begins with this word, which may be a sign alone; none if there is none.
    fn number(&mut self, word: &Word) -> Result<Option<OpbNumber>, ReadError> {
        let is_negative = word.is_negative();
        if !(word.is("+") || word.is("-")) {
            return Ok(word.wide_magnitude().map(|magnitude| OpbNumber { magnitude, is_negative }));
        }
        let part = self.part("a number after its sign")?;
        let magnitude = part.wide_magnitude().filter(|_| !matches!(part.text()[0], b'+' | b'-'));
        let magnitude = magnitude.ok_or_else(|| part.expected("a number after its sign"))?;
        Ok(Some(OpbNumber { magnitude, is_negative }))
    }

    /// Reads weights of absolute values up to `most` and literals up to the word that is neither, behind the plain ones
    /// that were read, `next` before them.
    fn terms(&mut self, mut next: Option<Word>, most: u128) -> Result<([OpbTerms; 2], Word), ReadError> {
        let mut terms: OpbTerms = self.plain.given.drain(..).map(|(lit, weight)| (lit, weight.into())).collect();
        let mut upper = OpbTerms::new();
        let mut lits = Vec::with_capacity(4);
        loop {
            let word = match next.take() {
                Some(word) => word,
                None => self.part(TERM)?,
            };
            if matches!(word.text(), b">=" | b"=" | b"<=" | b">" | b"<" | b";") {
                return Ok(([terms, upper], word));
            }
            let weight = self.number(&word)?.ok_or_else(|| word.expected(ALLOWED))?;
            if weight.magnitude > most {
                let bits = 128 - most.leading_zeros();
                let less = if most == MOST { 2 } else { 1 };
                return Err(word.expected(&format!("weights from −2^{bits} + {less} to 2^{bits} − {less}")));
            }
            // One literal, and as many more as follow: their product.
            let mut part = self.part(TERM)?;
            loop {
                let is_times = part.is("*");
                if is_times {
                    part = self.part(TERM)?;
                }
                match self.variables.literal(&part, &mut self.formula)? {
                    Some(lit) => lits.push(lit),
                    None if is_times || lits.is_empty() => {
                        return Err(part.expected("a variable, `x1` or `~x1`, after its weight"));
                    }
                    None => break,
                }
                part = self.part(TERM)?;
            }
            next = Some(part);
            let product = match lits[..] {
                [lit] => Some(lit),
                _ => self.variables.product(std::mem::take(&mut lits), &word, &mut self.formula)?,
            };
            lits.clear();
            let [weight, above] = weight.parts();
            terms.extend(product.map(|lit| (lit, weight)));
            upper.extend(product.filter(|_| above != 0).map(|lit| (lit, above)));
        }
    }
}

/// A weight and a variable.
fn term(text: &mut Text<'_>, weight: impl Into<i128>, lit: Lit) -> io::Result<()> {
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
    let Ok(()): Result<(), Infallible> = constraint.linear(Lit::positive(0), |_, _| {
        lines += 1;
        Ok(())
    });
    lines
}

fn write_constraint(text: &mut Text<'_>, constraint: &Constraint<'_>, below: Lit) -> io::Result<()> {
    constraint.linear(below, |terms, relation| {
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
