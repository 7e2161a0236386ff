//! Many puzzles, one after the other or over several threads.

use std::fmt;

use crate::puzzle::sudoku::encoder::{SudokuEncoder, SudokuError};
use crate::puzzle::sudoku::engine::Engine;
use crate::puzzle::sudoku::grid::Grid;
use crate::puzzle::sudoku::layout::Layout;

/// Solves one grid after the other, and keeps its solver and its memory from grid to grid while the layout stays the same.
pub struct SudokuSolver {
    like: SudokuEncoder,
    engine: Option<(Layout, Engine)>,
}

impl SudokuSolver {
    /// A solver with the encoding, strategy, seed and limits of `like`; its grid does not matter.
    #[must_use]
    pub fn new(like: &SudokuEncoder) -> Self {
        Self { like: like.clone(), engine: None }
    }

    /// A solution of `grid`, or `None` when there is provably none.
    ///
    /// # Errors
    /// As [`SudokuEncoder::solve`].
    pub fn solve(&mut self, grid: &Grid) -> Result<Option<Grid>, SudokuError> {
        grid.valid()?;
        let engine = match &mut self.engine {
            Some((layout, engine)) if layout == grid.layout() => engine,
            engine => {
                let new = Engine::new(grid.layout(), self.like.settings())?;
                &mut engine.insert((grid.layout().clone(), new)).1
            }
        };
        let mut solution = grid.clone();
        let found = engine.begin(grid.cells())? && engine.next(solution.cells_mut())?;
        Ok(found.then_some(solution))
    }
}

impl fmt::Debug for SudokuSolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SudokuSolver").field("like", &self.like).finish_non_exhaustive()
    }
}
