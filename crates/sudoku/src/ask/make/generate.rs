//! Puzzles with one solution.

use super::grade::order_of_removal;
use crate::encode::Strategy;
use crate::encode::{SudokuEncoder, SudokuError};
use crate::grid::{Grid, Layout};
use crate::search::{Pruned, Settings};

impl SudokuEncoder {
    /// A puzzle with exactly one solution, equal for equal seeds; `None` when the layout has no solution at all. It is
    /// [`random_puzzle`](Self::random_puzzle) of an empty grid, without limits.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn generate(layout: &Layout, seed: u64) -> Result<Option<Grid>, SudokuError> {
        Self::new(Grid::empty(layout.clone())).random_puzzle(seed)
    }

    /// A puzzle with exactly one solution and no given that could be left out, equal for equal seeds; `None` when the
    /// layout has no solution at all. It is [`random_minimal_puzzle`](Self::random_minimal_puzzle) of an empty grid,
    /// without limits.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn generate_minimal(layout: &Layout, seed: u64) -> Result<Option<Grid>, SudokuError> {
        Self::new(Grid::empty(layout.clone())).random_minimal_puzzle(seed)
    }

    /// A puzzle with exactly one solution, which is one of this grid's: equal for equal seeds, `None` when this grid
    /// has none. The time limit is for the whole search.
    ///
    /// A [random solution](Self::random_solution) loses one given after the other, in random order, as long as singles
    /// and locked candidates still lead from the rest to the solution.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn random_puzzle(&self, seed: u64) -> Result<Option<Grid>, SudokuError> {
        self.dig(seed, false)
    }

    /// As [`random_puzzle`](Self::random_puzzle), and no given could be left out. It may need search.
    ///
    /// ```
    /// use cnfkit::{Grid, Layout, SudokuEncoder};
    /// let encoder = SudokuEncoder::new(Grid::empty(Layout::boxes(2, 2)));
    /// let solution = encoder.random_solution(7)?.expect("there are 288");
    /// let like = SudokuEncoder::new(solution.clone());
    /// let generated = SudokuEncoder::generate_minimal(&Layout::boxes(2, 2), 7)?;
    /// for puzzle in [like.random_puzzle(7)?, like.random_minimal_puzzle(7)?, generated] {
    ///     assert!(SudokuEncoder::new(puzzle.expect("a puzzle")).is_unique()?);
    /// }
    /// assert!(solution.is_full());
    /// # Ok::<(), cnfkit::SudokuError>(())
    /// ```
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn random_minimal_puzzle(&self, seed: u64) -> Result<Option<Grid>, SudokuError> {
        self.dig(seed, true)
    }

    fn dig(&self, seed: u64, minimal: bool) -> Result<Option<Grid>, SudokuError> {
        let clock = self.asking.start();
        let Some(solution) = self.random_by(seed, &clock)? else { return Ok(None) };
        let order = order_of_removal(solution.cells().len(), seed);
        let mut open = Pruned::new(solution.layout(), Settings { strategy: Strategy::Pruned, ..self.settings() });
        let mut puzzle = solution.clone();
        let mut other = solution.clone();
        // The cheap questions come first: they leave few that need search.
        for by_search in if minimal { &[false, true][..] } else { &[false] } {
            for &cell in &order {
                let value = std::mem::take(&mut puzzle.cells_mut()[cell]);
                if value == 0 {
                    continue;
                }
                open.begin(puzzle.cells(), &clock)?;
                // There is a solution; deduction alone found it if nothing is open.
                let mut unique = open.report().open == 0;
                if !unique && *by_search {
                    open.block(solution.cells())?;
                    unique = !open.next(other.cells_mut())?;
                }
                if !unique {
                    puzzle.cells_mut()[cell] = value;
                }
            }
        }
        Ok(Some(puzzle))
    }
}
