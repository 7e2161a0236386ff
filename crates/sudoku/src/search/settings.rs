//! The settings of a search: the public choice between two strategies, and everything that an engine is told.

use cnfkit_core::Size;
use cnfkit_core::internals::Choices;
use std::time::Duration;

use crate::encode::Strategy;
use crate::rules::RuleForm;

/// Everything that an engine is told.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub(crate) encoding: RuleForm,
    pub(crate) strategy: Strategy,
    pub(crate) choices: Choices,
    /// Says what is open through crossings.
    pub(crate) crossings: bool,
    /// The most that is loaded into a solver.
    pub(crate) capacity: Size,
}

/// The effort of an answer; made by
/// [`SudokuEncoder::solve_with_report`](crate::SudokuEncoder::solve_with_report).
///
/// ```
/// use cnfkit::sudoku::Report;
/// use cnfkit::{Grid, Layout, SudokuEncoder};
/// let (solution, report): (_, Report) = SudokuEncoder::new(Grid::empty(Layout::boxes(2, 2))).solve_with_report()?;
/// assert!(solution.is_some() && report.open == 64, "nothing is given, so nothing is deduced");
/// # Ok::<(), cnfkit::SudokuError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// Values over which the solver searched, a variable each: those that deduction left open, or all n³ with
    /// [`Strategy::Base`]. 0 where deduction alone had the answer, and no solver was asked.
    pub open: usize,
    /// Clauses that the solver was given at the start, as it counts them: BatSat leaves out units and what they
    /// satisfy.
    pub clauses: u64,
    /// The solver was given no clauses but looks up what it needs of them, as BatSat does at 9×9.
    pub looked_up: bool,
    /// Deducing, writing clauses and loading them.
    pub preparation: Duration,
    /// The solver's search.
    pub search: Duration,
}
