//! The settings of a search: the public choice between two strategies, and everything that an engine is told.

#[cfg(feature = "any-solver")]
use cnfkit_core::Size;
#[cfg(feature = "any-solver")]
use std::time::Duration;

#[cfg(feature = "any-solver")]
use crate::rules::Form;
#[cfg(feature = "any-solver")]
use cnfkit_ask::internals::Choices;

/// The way in which givens get into the formula.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Strategy {
    /// Givens are propagated first (naked and hidden singles, locked candidates); only what is left open is encoded.
    #[default]
    Pruned,
    /// All rules are encoded, and the givens are added to them: the formula that depends on nothing but the layout.
    Base,
}

/// Everything that an engine is told.
#[cfg(feature = "any-solver")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub(crate) encoding: Form,
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
#[cfg(feature = "any-solver")]
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
