//! [`GemHunterEncoder`]: a board, the options of a question, and the questions that need no solver of ours.

use rustsat::types::{Lit, TernaryVal};

use super::board::GemBoard;
use super::encode::{self, BoardPlan, Redundancy};
use super::error::GemError;
use super::map::{Cell, GemMap};
use super::neighbourhood::Neighbourhood;
use super::rules;
use super::strategy::Strategy;
use super::verify::{self, Violation};
use cnfkit_core::internals::{Asking, Clock};
use cnfkit_core::solvers::Solve;
use cnfkit_core::{CardEncoding, Cnf};

/// The questions about a board, and their options.
///
/// ```
/// use cnfkit::{GemHunterEncoder, GemMap};
/// let map: GemMap = "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _".parse()?;
/// let encoder = GemHunterEncoder::new(map);
/// assert_eq!(encoder.encode()?.n_clauses(), 27);
/// let answer = encoder.solve()?.expect("the board can be solved");
/// assert_eq!(answer.to_string(), "3, T, 2, G\nT, T, 2, G\nT, 3, 1, G\n");
///
/// let wrong = GemHunterEncoder::new("3, _\n_, 1".parse()?);
/// assert!(wrong.solve()?.is_none());
/// assert_eq!(wrong.explain()?, Some(vec![(0, 0)])); // the 3 has only two neighbours left
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A number counts the traps among its neighbours, given ones (`T`) included; a cell with a number never is a trap; `0`
/// is a number like any other; a hole (`#`) is no trap and counts nothing. Rows and columns count from 0.
#[derive(Clone, Debug)]
pub struct GemHunterEncoder {
    pub(super) map: GemMap,
    neighbourhood: Neighbourhood,
    encoding: CardEncoding,
    redundancy: Redundancy,
    pub(super) traps: Option<usize>,
    pub(super) asking: Asking,
    pub(super) strategy: Strategy,
}

impl GemHunterEncoder {
    /// Questions about `map`, with 8 neighbours a cell and the combinatorial encoding.
    #[must_use]
    pub fn new(map: GemMap) -> Self {
        Self {
            map,
            neighbourhood: Neighbourhood::default(),
            encoding: CardEncoding::Combinatorial,
            redundancy: Redundancy::default(),
            traps: None,
            asking: Asking::default(),
            strategy: Strategy::default(),
        }
    }

    /// The encoding of numbers. The combinatorial encoding (the default) needs no auxiliary variable and, with at most
    /// 8 neighbours, is solved fastest.
    #[must_use]
    pub const fn encoding(mut self, encoding: CardEncoding) -> Self {
        self.encoding = encoding;
        self
    }

    /// The treatment of superfluous clauses: by default each clause is there once.
    #[must_use]
    pub const fn redundancy(mut self, redundancy: Redundancy) -> Self {
        self.redundancy = redundancy;
        self
    }

    /// The cells that a number counts: by default the 8 around it.
    #[must_use]
    pub fn neighbourhood(mut self, neighbourhood: Neighbourhood) -> Self {
        self.neighbourhood = neighbourhood;
        self
    }

    /// Demands exactly `total` traps on the whole board, given ones included.
    #[must_use]
    pub const fn traps(mut self, total: usize) -> Self {
        self.traps = Some(total);
        self
    }

    /// The strategy by which the board is answered: by default the fastest.
    #[must_use]
    pub const fn strategy(mut self, strategy: Strategy) -> Self {
        self.strategy = strategy;
        self
    }

    cnfkit_core::asking_methods!();

    /// The board asked about.
    #[must_use]
    pub const fn map(&self) -> &GemMap {
        &self.map
    }

    /// The whole board as a formula. Variables of unknown cells are those of [`var`](Self::var), in DIMACS
    /// `row · columns + column + 1`; auxiliaries, if the encoding has any, are above those of all cells.
    ///
    /// # Errors
    /// When the neighbourhood does not fit the board, or the formula would be larger than a [`Cnf`] may be.
    pub fn encode(&self) -> Result<Cnf, GemError> {
        Ok(encode::cnf(&self.board(&Clock::default())?, &self.plan())?)
    }

    /// The literal *this cell is a trap* of [`encode`](Self::encode): `None` unless the cell is on the board and
    /// unknown.
    #[must_use]
    pub fn var(&self, row: usize, column: usize) -> Option<Lit> {
        let on_board = row < self.map.rows() && column < self.map.columns();
        let index = row.checked_mul(self.map.columns())? + column;
        (on_board && self.map.get(row, column) == Cell::Unknown && index < GemBoard::MOST_CELLS)
            .then(|| rules::trap(index))
    }

    /// Solves the whole board with a solver of your own: every unknown cell becomes a trap or a gem, or `None` when
    /// that is proven impossible. Limits are not known to such a solver: set its own.
    ///
    /// # Errors
    /// As [`encode`](Self::encode), and when the solver fails or is interrupted.
    pub fn solve_with<S: Solve>(&self, solver: S) -> Result<Option<GemMap>, GemError> {
        let model = self.encode()?.solve_with(solver)?;
        Ok(model.map(|model| rules::answer(&self.map, |lit| model.lit_value(lit) == TernaryVal::True)))
    }

    /// The numbers that are impossible on their own: their unknown neighbours are too few, or the traps already given
    /// around them too many. As (row, column), row by row.
    ///
    /// ```
    /// use cnfkit::GemHunterEncoder;
    /// let encoder = GemHunterEncoder::new("3, _\n1, _\nT, T".parse()?);
    /// assert_eq!(encoder.impossible_numbers()?, [(0, 0), (1, 0)]); // two unknown neighbours; two traps already
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the neighbourhood does not fit the board.
    pub fn impossible_numbers(&self) -> Result<Vec<(usize, usize)>, GemError> {
        let board = self.board(&Clock::default())?;
        Ok(board.impossible().map(|number| self.map.position(board.cell(number))).collect())
    }

    /// Everything that keeps `answer` from being an answer to the board: nothing if it is one. Unknown
    /// cells must be traps or gems, also where no number touches them.
    ///
    /// ```
    /// use cnfkit::GemHunterEncoder;
    /// let encoder = GemHunterEncoder::new("2, _\n_, G".parse()?);
    /// assert!(encoder.verify(&"2, T\nT, G".parse()?)?.is_empty());
    /// let wrong = encoder.verify(&"2, T\nG, G".parse()?)?;
    /// assert_eq!(wrong[0].to_string(), "row 1, column 1: there are 1 traps around the 2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the neighbourhood does not fit the board.
    pub fn verify(&self, answer: &GemMap) -> Result<Vec<Violation>, GemError> {
        verify::violations(&self.map, &self.neighbourhood, self.traps, answer)
    }

    /// The board made ready for a question with this clock.
    pub(super) fn board(&self, clock: &Clock) -> Result<GemBoard, GemError> {
        GemBoard::new(self.map.clone(), &self.neighbourhood, clock)
    }

    pub(super) const fn plan(&self) -> BoardPlan {
        BoardPlan { encoding: self.encoding, redundancy: self.redundancy, traps: self.traps }
    }
}
