//! The builder behind every question, and the first questions: the formula, and a solution by a solver of somebody's.

use rustsat::types::{Lit, TernaryVal};
use thiserror::Error;

use crate::encode::strategy::Strategy;
use crate::grid::{Grid, Problem};
use crate::rules::{self, ConstraintSet, LitBuffer, RuleForm};
use cnfkit_core::internals::{Asking, TimedSink};
use cnfkit_core::solvers::Solve;
use cnfkit_core::{AmoEncoding, CapacityError, CertifyError, ClauseSink, Cnf, Size, SolveError, Stopped};

/// The reason why a question about a Sudoku has no answer. That there is no solution is an answer: `Ok(None)`, never an
/// error.
///
/// ```
/// use cnfkit::{Grid, SudokuEncoder, SudokuError};
/// let mut grid: Grid = "1.....3..4.....2".parse()?;
/// grid.set(0, 1, 9);
/// let error = SudokuEncoder::new(grid).solve().unwrap_err();
/// assert!(matches!(error, SudokuError::Invalid { problems, .. } if (problems[0].row, problems[0].col) == (0, 1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SudokuError {
    /// Some values are not values of the grid.
    #[error("{}", list(problems))]
    #[non_exhaustive]
    Invalid {
        /// All of them.
        problems: Vec<Problem>,
    },
    /// A limit was reached, or the cancel flag was raised, and which.
    #[error("interrupted before there was an answer: {0}")]
    Interrupted(Stopped),
    /// The formula would be larger than its limit.
    #[error(transparent)]
    Capacity(#[from] CapacityError),
    /// The solver failed.
    #[error("the solver failed: {0}")]
    Solver(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// There is no certificate.
    #[error(transparent)]
    Certify(CertifyError),
}

fn list(problems: &[Problem]) -> String {
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

impl From<SolveError> for SudokuError {
    fn from(error: SolveError) -> Self {
        match error {
            SolveError::Interrupted(why) => Self::Interrupted(why),
            SolveError::Capacity(error) => Self::Capacity(error),
            SolveError::Solver(error) => Self::Solver(error),
            other => Self::Solver(other.into()),
        }
    }
}

impl From<CertifyError> for SudokuError {
    fn from(error: CertifyError) -> Self {
        match error {
            CertifyError::Interrupted(why) => Self::Interrupted(why),
            CertifyError::Capacity(error) => Self::Capacity(error),
            error => Self::Certify(error),
        }
    }
}

/// The questions about a grid, and their options.
///
/// ```
/// use cnfkit::{Grid, SudokuEncoder};
/// let text = "000260701680070090190004500820100040004602900050003028009300074040050036703018000";
/// let grid: Grid = text.parse().unwrap();
/// let solution = SudokuEncoder::new(grid).solve().unwrap().expect("it has one");
/// let solved = "435269781682571493197834562826195347374682915951743628519326874248957136763418259";
/// assert_eq!(solution.to_string(), solved);
/// ```
#[derive(Clone, Debug)]
pub struct SudokuEncoder {
    pub(crate) grid: Grid,
    pub(crate) encoding: AmoEncoding,
    pub(crate) constraints: ConstraintSet,
    pub(crate) strategy: Option<Strategy>,
    pub(crate) seed: u64,
    pub(crate) asking: Asking,
    pub(crate) capacity: Option<Size>,
    pub(crate) crossings: bool,
}

impl SudokuEncoder {
    /// Questions about `grid`.
    pub fn new(grid: impl Into<Grid>) -> Self {
        Self {
            grid: grid.into(),
            encoding: AmoEncoding::Pairwise,
            constraints: ConstraintSet::Extended,
            strategy: None,
            seed: 0,
            asking: Asking::default(),
            capacity: None,
            crossings: false,
        }
    }

    /// The encoding of every *at most one*: [`AmoEncoding::Pairwise`] unless this is called. For 9×9 boxes, BatSat does
    /// not load the pairwise clauses of the open cells: it looks up those that its conflict analysis needs. Any other
    /// encoding is loaded.
    #[must_use]
    pub fn encoding(mut self, encoding: AmoEncoding) -> Self {
        self.encoding = encoding;
        self
    }

    /// The share of the rules that is written out, whatever the strategy: [`Extended`](ConstraintSet::Extended) unless
    /// this is called.
    #[must_use]
    pub fn constraints(mut self, constraints: ConstraintSet) -> Self {
        self.constraints = constraints;
        self
    }

    /// The way to answer questions: [`Pruned`](Strategy::Pruned) unless this is called. [`encode`](Self::encode) always
    /// writes the whole rules, with the givens as unit clauses; [`prune`](Self::prune) what is left open.
    #[must_use]
    pub fn strategy(mut self, strategy: Strategy) -> Self {
        self.strategy = Some(strategy);
        self
    }

    /// Lets [`Pruned`](Strategy::Pruned) state the rules of what is open through *crossings* of a region with a row or
    /// column ("triads"): unit propagation then sees locked candidates at every step of the search, at the
    /// price of more variables; off by default. Crossings state the extended set of [`constraints`](Self::constraints)
    /// whichever is chosen.
    ///
    /// ```
    /// use cnfkit::sudoku::Strategy;
    /// use cnfkit::{Grid, Layout, SudokuEncoder};
    /// let encoder = SudokuEncoder::new(Grid::empty(Layout::boxes(2, 2))).strategy(Strategy::Pruned).seed(7);
    /// assert_eq!(encoder.clone().crossings(true).count(1_000)?, encoder.count(1_000)?);
    /// # Ok::<(), cnfkit::SudokuError>(())
    /// ```
    #[must_use]
    pub fn crossings(mut self, crossings: bool) -> Self {
        self.crossings = crossings;
        self
    }

    /// The seed of the solver's choices. 0, the default, leaves the solver as it is.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    cnfkit_core::asking_methods!();

    /// The most a formula may hold, whether written or loaded into a solver; more is a [`SudokuError::Capacity`],
    /// before the first clause. Unless this is called, a written formula may be as large as [`Cnf::DEFAULT_LIMIT`], and
    /// what is loaded at most 10⁸ clauses and 2²⁸ literals, about 5 GiB of a solver's memory: an empty 81×81 fits, an
    /// empty 100×100 only with an [`encoding`](Self::encoding) of fewer clauses than the pairwise one.
    ///
    /// ```
    /// use cnfkit::{Grid, Layout, Size, SudokuEncoder, SudokuError};
    /// let encoder = SudokuEncoder::new(Grid::empty(Layout::boxes(3, 3)));
    /// let small = encoder.capacity(Size { vars: 729, clauses: 5_000, lits: 20_000 });
    /// assert!(matches!(small.encode(), Err(SudokuError::Capacity(_))));
    /// ```
    #[must_use]
    pub fn capacity(mut self, limit: Size) -> Self {
        self.capacity = Some(limit);
        self
    }

    /// The grid the questions are about.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Everything wrong with the givens: see [`Grid::check`].
    #[must_use]
    pub fn check(&self) -> Vec<Problem> {
        self.grid.check()
    }

    /// The literal that says that a cell holds a value, in the formula of [`encode`](Self::encode). Rows and columns
    /// count from 0, values from 1; as a DIMACS number the literal is n²·row + n·col + value.
    ///
    /// # Panics
    /// When the cell or the value is outside the grid.
    #[must_use]
    pub fn var(&self, row: usize, col: usize, value: u16) -> Lit {
        let (side, value) = (self.grid.side(), usize::from(value));
        let inside = row < side && col < side && (1..=side).contains(&value);
        assert!(inside, "row {row}, column {col}, value {value} is outside a grid of side {side}");
        rules::lit(side, row * side + col, value)
    }

    /// The size of [`encode`](Self::encode)'s [`Base`](Strategy::Base) formula, known without encoding it; its n³ first
    /// variables are not counted.
    #[must_use]
    pub fn size(&self) -> Size {
        rules::rules_size(self.grid.layout(), &self.form()) + Size::clauses(self.grid.givens().count() as u64, 1)
    }

    pub(crate) fn form(&self) -> RuleForm {
        RuleForm { set: self.constraints, amo: self.encoding }
    }

    /// Checks that all values are in range and that the formula of an empty grid, which is the whole rules, fits into
    /// `limit`: that is known at once, where going through all candidates first takes a second at side 400.
    pub(crate) fn ready(&self, limit: Size) -> Result<(), SudokuError> {
        self.grid.valid()?;
        if self.grid.cells().iter().all(|&value| value == 0) {
            let needed = self.size() + Size::variables(self.grid.side().pow(3) as u64);
            if !needed.fits(&limit) {
                return Err(CapacityError::new(needed, limit).into());
            }
        }
        Ok(())
    }

    /// The formula, numbered as [`var`](Self::var) says, auxiliaries above: cells, rows, columns, regions, givens.
    ///
    /// # Errors
    /// When a value is out of range, the formula would be too large, or the time is over.
    pub fn encode(&self) -> Result<Cnf, SudokuError> {
        self.grid.valid()?;
        let side = self.grid.side();
        let mut cnf = Cnf::with_vars(side * side * side).with_limit(self.capacity.unwrap_or(Cnf::DEFAULT_LIMIT));
        cnf.reserve(&self.size())?;
        let clock = self.asking.start();
        if clock.is_limited() {
            self.encode_rules(&mut TimedSink::new(&mut cnf, &clock))?;
        } else {
            self.encode_rules(&mut cnf)?;
        }
        rules::clues(&mut cnf, side, self.grid.cells())?;
        Ok(cnf)
    }

    /// Sends the rules, without the givens, to any sink whose first n³ variables are those of [`var`](Self::var): a
    /// base for many puzzles, whose givens are then units or assumptions.
    ///
    /// ```
    /// use cnfkit::{Grid, Layout, SudokuEncoder, Tally};
    /// let encoder = SudokuEncoder::new(Grid::empty(Layout::boxes(3, 3)));
    /// let mut tally = Tally::new(729);
    /// encoder.encode_rules(&mut tally).unwrap();
    /// assert_eq!(tally.size().clauses, 11_988);
    /// ```
    ///
    /// # Errors
    /// As the sink fails.
    ///
    /// # Panics
    /// When the sink has fewer than n³ variables.
    pub fn encode_rules<S: ClauseSink + ?Sized>(&self, sink: &mut S) -> Result<(), S::Error> {
        let layout = self.grid.layout();
        sink.reserve(&rules::rules_size(layout, &self.form()))?;
        rules::rules(sink, layout, &self.form(), &mut LitBuffer::default(), rules::all_open(layout.side()))
    }

    /// A solution found by any rustsat solver, or `None` when there is provably none. It gets the formula of
    /// [`prune`](Self::prune), or with [`Base`](Strategy::Base) that of [`encode`](Self::encode); seed and limits are
    /// not known to such a solver: set its own.
    ///
    /// # Errors
    /// When a value is out of range, the formula would be too large, or the solver fails or is interrupted.
    pub fn solve_with<S: Solve>(&self, solver: S) -> Result<Option<Grid>, SudokuError> {
        if self.strategy.unwrap_or_default() == Strategy::Pruned {
            let Some(pruned) = self.prune()? else { return Ok(None) };
            let model = pruned.cnf().solve_with(solver)?;
            return Ok(model.map(|model| pruned.decode(|lit| model.lit_value(lit) == TernaryVal::True)));
        }
        let Some(model) = self.encode()?.solve_with(solver)? else { return Ok(None) };
        let mut grid = self.grid.clone();
        rules::decode(grid.side(), grid.cells_mut(), |lit| model.lit_value(lit) == TernaryVal::True);
        Ok(Some(grid))
    }
}

impl Grid {
    /// All values in range, or the error that names those that are not.
    pub(crate) fn valid(&self) -> Result<(), SudokuError> {
        let problems = self.out_of_range();
        if problems.is_empty() { Ok(()) } else { Err(SudokuError::Invalid { problems }) }
    }
}
