//! How grids are solved: the public choice between two strategies, and everything that an engine is told.

#[cfg(feature = "any-solver")]
use crate::Size;
use crate::puzzle::sudoku::rules::Form;
#[cfg(feature = "any-solver")]
use crate::session::Choices;

/// How the givens get into the formula (source document 003 compares the two).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Strategy {
    /// Givens are propagated first (naked and hidden singles, locked candidates); only what is left open is encoded.
    #[default]
    Pruned,
    /// All rules are encoded, and the givens are added to them: the formula that depends on nothing but the layout.
    Base,
}

/// What every grid is solved with.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) encoding: Form,
    pub(crate) strategy: Strategy,
    pub(crate) choices: Choices,
    /// Says what is open through crossings.
    pub(crate) crossings: bool,
    /// The most that is loaded into a solver.
    pub(crate) capacity: Size,
}
