//! A puzzle being filled in: what was given, what somebody entered, what the solver added.

use thiserror::Error;

use crate::grid::cells::Grid;
use crate::grid::check::Problem;

/// The origin of the value of a cell of a [`Sheet`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CellStatus {
    /// It has none.
    #[default]
    Empty,
    /// The puzzle gives it: it stays.
    Given,
    /// Somebody entered it.
    Entered,
    /// The solver added it.
    Solved,
}

/// The reason why a value cannot be entered. Rows and columns count from 0, in messages from 1.
///
/// ```
/// use cnfkit::Grid;
/// use cnfkit::sudoku::{Sheet, SheetError};
/// let mut sheet = Sheet::new("1...............".parse::<Grid>()?);
/// assert!(matches!(sheet.enter(0, 0, 2), Err(SheetError::Given { given: 1, .. })));
/// sheet.enter(0, 1, 2)?;
/// sheet.clear();
/// assert_eq!(sheet.enter(0, 1, None), Ok(()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SheetError {
    /// There is no such cell.
    #[error("row {}, column {}: no such cell; allowed are 1 to {side}", row + 1, col + 1)]
    #[non_exhaustive]
    Outside {
        /// The row asked for.
        row: usize,
        /// The column asked for.
        col: usize,
        /// The number of rows and of columns.
        side: usize,
    },
    /// The puzzle gives this cell its value.
    #[error("row {}, column {}: {given} is given and cannot be changed", row + 1, col + 1)]
    #[non_exhaustive]
    Given {
        /// The cell's row.
        row: usize,
        /// The cell's column.
        col: usize,
        /// The value it has.
        given: u16,
    },
    /// The value is not one of the grid's.
    #[error("row {}, column {}: {value} is out of range; allowed are 1 to {side}", row + 1, col + 1)]
    #[non_exhaustive]
    OutOfRange {
        /// The cell's row.
        row: usize,
        /// The cell's column.
        col: usize,
        /// The value.
        value: u16,
        /// The largest value allowed.
        side: usize,
    },
}

/// A puzzle and what was filled in so far, for programs in which somebody plays. Rows and columns count from 0.
///
/// ```
/// use cnfkit::sudoku::{CellStatus, Sheet};
/// use cnfkit::Grid;
/// let puzzle: Grid = "1.....3..4.....2".parse()?;
/// let mut sheet = Sheet::new(puzzle);
/// sheet.enter(0, 1, 2)?;
/// assert_eq!((sheet.status(0, 0), sheet.status(0, 1)), (CellStatus::Given, CellStatus::Entered));
/// assert_eq!(sheet.enter(0, 0, 2).unwrap_err().to_string(), "row 1, column 1: 1 is given and cannot be changed");
/// sheet.enter(0, 2, 2)?;
/// assert_eq!(sheet.check()[0].to_string(), "row 1, column 3: 2 again in row 1, after row 1, column 2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    puzzle: Grid,
    filled: Grid,
    status: Vec<CellStatus>,
}

impl Sheet {
    /// A puzzle in which nothing is filled in yet.
    pub fn new(puzzle: impl Into<Grid>) -> Self {
        let puzzle = puzzle.into();
        let given = |&value: &u16| if value == 0 { CellStatus::Empty } else { CellStatus::Given };
        Self { filled: puzzle.clone(), status: puzzle.cells().iter().map(given).collect(), puzzle }
    }

    /// The puzzle as it was given.
    #[must_use]
    pub fn puzzle(&self) -> &Grid {
        &self.puzzle
    }

    /// The puzzle with everything that is filled in.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        &self.filled
    }

    /// The origin of the value of a cell.
    ///
    /// # Panics
    /// When the cell is outside the grid.
    #[must_use]
    pub fn status(&self, row: usize, col: usize) -> CellStatus {
        self.status[self.puzzle.index(row, col)]
    }

    /// Enters a value into a cell that is not given, or empties it with `None` or 0. A value that contradicts others is
    /// entered all the same: see [`check`](Self::check).
    ///
    /// # Errors
    /// When there is no such cell, it is given, or the value is not from 1 to the side; then nothing changes.
    pub fn enter(&mut self, row: usize, col: usize, value: impl Into<Option<u16>>) -> Result<(), SheetError> {
        let (side, value) = (self.puzzle.side(), value.into().unwrap_or(0));
        if row >= side || col >= side {
            return Err(SheetError::Outside { row, col, side });
        }
        if let Some(given) = self.puzzle.get(row, col) {
            return Err(SheetError::Given { row, col, given });
        }
        if usize::from(value) > side {
            return Err(SheetError::OutOfRange { row, col, value, side });
        }
        self.filled.set(row, col, value);
        self.status[row * side + col] = if value == 0 { CellStatus::Empty } else { CellStatus::Entered };
        Ok(())
    }

    /// Takes away everything but what is given.
    pub fn clear(&mut self) {
        *self = Self::new(self.puzzle.clone());
    }

    /// Everything wrong with what is there, without solving it: see [`Grid::check`].
    #[must_use]
    pub fn check(&self) -> Vec<Problem> {
        self.filled.check()
    }

    /// Fills the empty cells from a solution, however it was found. `false`, and nothing changes, when it is no
    /// solution of what is there.
    ///
    /// ```
    /// use cnfkit::sudoku::{CellStatus, Sheet};
    /// use cnfkit::{Grid, SudokuEncoder};
    /// let mut sheet = Sheet::new("1.....3..4.....2".parse::<Grid>().unwrap());
    /// let solution = SudokuEncoder::new(sheet.grid()).solve().unwrap().expect("it has one");
    /// assert!(sheet.fill(&solution));
    /// assert_eq!((sheet.status(0, 1), sheet.grid()), (CellStatus::Solved, &solution));
    /// ```
    ///
    /// # Panics
    /// When the layouts differ.
    pub fn fill(&mut self, solution: &Grid) -> bool {
        let fits = solution.verify(&self.filled).is_empty();
        if fits {
            self.filled = solution.clone();
            let empty = self.status.iter_mut().filter(|status| **status == CellStatus::Empty);
            empty.for_each(|status| *status = CellStatus::Solved);
        }
        fits
    }
}
