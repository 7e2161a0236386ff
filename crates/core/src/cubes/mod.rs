//! [`Cubes`]: one formula in parts that exclude each other, for as many solvers.

mod propagate;
mod split;

use std::io::{self, BufRead, Write};

use rustsat::types::{Assignment as Values, Lit, TernaryVal};

use self::split::{Among, split};
use crate::cnf::Cnf;
use crate::deadline::TimedSink;
use crate::formula::Formula;
use crate::lazy::MOST_WRITTEN;
use crate::limits::{Limits, SolveError};
use crate::read::ReadError;
use crate::running::Clock;
use crate::sink::ClauseSink;
use crate::size::Size;
use crate::solve::Assignment;
use crate::solvers::answer_in;
use crate::words::{BY_SPACE, Scanner};

/// A formula's clauses, and cubes: sets of literals such that every model of the clauses makes all literals of exactly
/// one cube true. With the literals of a cube, the formula is a part of the whole that is solved by itself, in a thread
/// ([`Threads`](https://docs.rs/cnfkit/latest/cnfkit/ask/struct.Threads.html)), by a program, on another machine. The
/// whole has a model if a part has one.
///
/// ```
/// use cnfkit::{CardEncoding, ClauseSink, Constrain, Cubes, Formula, Limits};
/// let mut formula = Formula::new();
/// let x = formula.new_lits(20);
/// formula.exactly(&x, 10, &CardEncoding::Auto)?;
/// let cubes: Cubes = formula.cubes(8, &Limits::none())?;
/// assert_eq!(cubes.iter().len(), 8);
/// assert!(cubes.n_vars() == 20 && cubes.cnf().n_vars() > 20); // auxiliaries are above
///
/// // One file for all, in the format of incremental solvers, or one a cube.
/// let mut text = Vec::new();
/// cubes.write_icnf(&mut text)?;
/// assert!(text.starts_with(b"p inccnf\n") && text.iter().filter(|&&byte| byte == b'a').count() == 8);
///
/// // Seven are refuted, one has a model.
/// let mut answers = vec!["s UNSATISFIABLE\n".to_owned(); 8];
/// let part = {
///     let mut text = Vec::new();
///     cubes.write_dimacs(3, &mut text)?;
///     Formula::read_dimacs(&text[..])?
/// };
/// # #[cfg(feature = "batsat")] {
/// let model = part.solve()?.expect("a model");
/// let values: Vec<String> = model.iter().map(|lit| lit.to_ipasir().to_string()).collect();
/// answers[3] = format!("s SATISFIABLE\nv {} 0\n", values.join(" "));
/// let model = cubes.combine(answers.iter().map(String::as_bytes))?.expect("that one");
/// assert_eq!(x.iter().filter(|&&lit| model.is_true(lit)).count(), 10);
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Cubes {
    cnf: Cnf,
    n_vars: usize,
    parts: Vec<Vec<Lit>>,
}

impl Formula {
    /// The encoded formula in at most `n` parts, but at least one, found by look-ahead. There are fewer where unit
    /// propagation decides others, and none if it refutes all.
    ///
    /// Splits are on variables of the formula and on auxiliaries of its encodings: on those whose both values have the
    /// most consequences by unit propagation. In time, `n` splits take about a hundred propagations each.
    ///
    /// # Errors
    /// [`SolveError::Interrupted`] when a limit is reached, [`SolveError::Capacity`] when the encoded formula is larger
    /// than the formula's limit, or has more than 2²⁶ variables or clauses.
    pub fn cubes(&self, n: usize, limits: &Limits) -> Result<Cubes, SolveError> {
        let clock = limits.start();
        let Size { vars, clauses, lits } = self.limit();
        let most = Size { vars: vars.min(MOST_WRITTEN), clauses: clauses.min(MOST_WRITTEN), lits };
        let mut cnf = Cnf::with_vars(self.n_vars()).with_limit(most);
        self.encode_into(&mut TimedSink::new(&mut cnf, &clock))?;
        let parts = parts(&cnf, self.n_vars(), n, &clock)?;
        Ok(Cubes { cnf, n_vars: self.n_vars(), parts })
    }
}

/// At most `n` cubes of these clauses: see [`split`].
pub(crate) fn parts(cnf: &Cnf, n_vars: usize, n: usize, clock: &Clock) -> Result<Vec<Vec<Lit>>, SolveError> {
    split(cnf, n_vars, n, Among::All, clock)
}

impl Cubes {
    /// The number of variables of the formula; higher ones are auxiliaries.
    #[must_use]
    pub const fn n_vars(&self) -> usize {
        self.n_vars
    }

    /// The clauses, which all parts have.
    #[must_use]
    pub const fn cnf(&self) -> &Cnf {
        &self.cnf
    }

    /// The cubes.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[Lit]> {
        self.parts.iter().map(Vec::as_slice)
    }

    /// Writes clauses and cubes as incremental solvers read them: a header `p inccnf`, then the clauses, then a line
    /// `a literals 0` for each cube.
    ///
    /// # Errors
    /// When writing fails.
    pub fn write_icnf(&self, writer: impl Write) -> io::Result<()> {
        self.cnf.write_with("p inccnf", self.iter().map(|cube| ("a ", cube)), writer)
    }

    /// Reads what [`write_icnf`](Self::write_icnf) has written, over at most [`Formula::MOST_READ`] variables: all
    /// count as the formula's, because the text does not tell which are auxiliaries. That every model makes exactly one
    /// cube true is not checked.
    ///
    /// ```
    /// use cnfkit::Cubes;
    /// let text = "p inccnf\n1 2 3 0\na -1 0\na 1 3 0\n";
    /// let cubes = Cubes::read_icnf(text.as_bytes())?;
    /// assert_eq!((cubes.n_vars(), cubes.cnf().n_clauses(), cubes.iter().len()), (3, 1, 2));
    /// # Ok::<(), cnfkit::formula::ReadError>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError`] with line and column of the first thing that is wrong.
    pub fn read_icnf<R: BufRead>(mut reader: R) -> Result<Self, ReadError> {
        let mut words = Scanner::new(&mut reader, &BY_SPACE);
        let (mut cnf, mut parts, mut lits) = (Cnf::new(), Vec::new(), Vec::new());
        let (mut has_header, mut is_open, mut is_cube) = (false, false, false);
        while let Some((word, first)) = words.next()? {
            match word.number() {
                _ if first && word.text()[0] == b'c' => _ = words.rest_of_line(0)?,
                _ if !has_header => {
                    let format = if word.is("p") { words.next()?.map(|(format, _)| format) } else { Some(word) };
                    has_header = format.as_ref().is_some_and(|format| word.is("p") && format.is("inccnf"));
                    if !has_header {
                        return Err(format.unwrap_or(word).expected("a header `p inccnf`"));
                    }
                }
                None if word.is("a") && !is_open => (is_open, is_cube) = (true, true),
                Some(0) => {
                    if std::mem::take(&mut is_cube) {
                        parts.push(std::mem::take(&mut lits));
                    } else {
                        cnf.add_clause(&lits)?;
                        lits.clear();
                    }
                    is_open = false;
                }
                Some(number) => {
                    let var = word.within_limit(number.unsigned_abs(), Formula::MOST_READ)? - 1;
                    let lit = Lit::new(var, number < 0);
                    cnf.know(lit)?;
                    lits.push(lit);
                    is_open = true;
                }
                None => return Err(word.expected("literals with 0 at the end, and `a` before those of a cube")),
            }
        }
        if is_open || !has_header {
            let what =
                if is_open { "within a clause; every clause ends with 0" } else { "without a header `p inccnf`" };
            return Err(words.wrong(format!("the text ends {what}")));
        }
        Ok(Self { n_vars: cnf.n_vars(), cnf, parts })
    }

    /// Writes a part in DIMACS: the clauses, and one for each literal of the cube of this number. The numbers of cubes
    /// begin at 0.
    ///
    /// # Errors
    /// When writing fails.
    ///
    /// # Panics
    /// When there are no more than `number` cubes.
    pub fn write_dimacs(&self, number: usize, writer: impl Write) -> io::Result<()> {
        let cube = &self.parts[number];
        let header = format!("p cnf {} {}", self.cnf.n_vars(), self.cnf.n_clauses() + cube.len());
        self.cnf.write_with(&header, cube.chunks(1).map(|lit| ("", lit)), writer)
    }

    /// The answer to the whole from the outputs of solvers, one for each cube in their order: a model that a solver
    /// printed for its part, compared with every clause, or none if all parts are refuted.
    ///
    /// # Errors
    /// An [`ExternalError`](crate::solvers::ExternalError) when no output has a model, and one has neither a model nor
    /// a refutation, such as one that is missing.
    pub fn combine<R: BufRead>(&self, outputs: impl IntoIterator<Item = R>) -> Result<Option<Assignment>, SolveError> {
        let mut outputs = outputs.into_iter();
        let mut first = None;
        for number in 1..=self.parts.len() {
            let wrong = |is_true: &dyn Fn(Lit) -> bool| {
                self.cnf.clauses().find(|clause| !clause.iter().any(|&lit| is_true(lit))).map(<[Lit]>::to_vec)
            };
            let name = format!("cube {number}");
            match answer_in(&name, outputs.next(), self.cnf.n_vars(), &wrong) {
                Ok(Some(model)) => {
                    let values = (0..self.n_vars).map(|var| TernaryVal::from(model.is_true(var)));
                    return Ok(Some(values.collect::<Values>().into()));
                }
                Ok(None) => {}
                Err(error) => _ = first.get_or_insert(error),
            }
        }
        first.map_or(Ok(None), |error| Err(SolveError::solver(error)))
    }
}
