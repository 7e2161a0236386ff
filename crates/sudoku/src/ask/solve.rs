//! A solution, by the default solver.

use std::time::Instant;

use crate::encode::{SudokuEncoder, SudokuError};
use crate::grid::Grid;
use crate::search::{GridEngine, Report, Settings};
use cnfkit_core::internals::{Choices, Clock};
use cnfkit_core::{Cnf, Size};

/// The most that is loaded into a solver unless the user says otherwise. BatSat takes about 48 bytes for a clause of
/// two literals and its watches, so that this is about 5 GiB (`cnfkit sudoku --layout "side 81" FILE`
/// with an empty grid: 85 million clauses).
const SOLVER_LIMIT: Size = Size { vars: Cnf::DEFAULT_LIMIT.vars, clauses: 100_000_000, lits: 1 << 28 };

impl SudokuEncoder {
    pub(crate) fn settings(&self) -> Settings {
        Settings {
            encoding: self.form(),
            strategy: self.strategy.unwrap_or_default(),
            choices: Choices { seed: self.seed, ..Choices::default() },
            crossings: self.crossings,
            capacity: self.capacity.unwrap_or(SOLVER_LIMIT),
        }
    }

    /// A solution, or `None` when there is provably none; by the [default solver](cnfkit_core::solvers::DefaultSolver).
    ///
    /// # Errors
    /// When a value is out of range, the formula would be too large, or the solver fails or is interrupted.
    pub fn solve(&self) -> Result<Option<Grid>, SudokuError> {
        self.solve_by(&self.asking.start())
    }

    /// [`solve`](Self::solve), and what that took.
    ///
    /// ```
    /// use cnfkit::{Grid, SudokuEncoder};
    /// let text = "000260701680070090190004500820100040004602900050003028009300074040050036703018000";
    /// let grid: Grid = text.parse().unwrap();
    /// let (solution, report) = SudokuEncoder::new(grid).solve_with_report().unwrap();
    /// assert!(solution.is_some() && report.open == 0, "deduction alone finds it");
    /// ```
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn solve_with_report(&self) -> Result<(Option<Grid>, Report), SudokuError> {
        self.reported(&self.asking.start())
    }

    /// [`solve`](Self::solve) as part of a question whose clock runs already.
    pub(crate) fn solve_by(&self, clock: &Clock) -> Result<Option<Grid>, SudokuError> {
        self.reported(clock).map(|(solution, _)| solution)
    }

    fn reported(&self, clock: &Clock) -> Result<(Option<Grid>, Report), SudokuError> {
        let start = Instant::now();
        let settings = self.settings();
        self.ready(settings.capacity)?;
        let mut solution = self.grid.clone();
        let mut engine = GridEngine::new(self.grid.layout(), settings, clock)?;
        let begun = engine.begin(self.grid.cells(), clock)?;
        let report = Report { preparation: start.elapsed(), ..engine.report() };
        let start = Instant::now();
        let found = begun && engine.next(solution.cells_mut())?;
        Ok((found.then_some(solution), Report { search: start.elapsed(), ..report }))
    }
}
