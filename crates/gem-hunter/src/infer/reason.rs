//! Reasons: minimal sets of numbers that force a cell.

use super::deduce::Presolved;
use super::explain::ContradictionQuestion;
use super::windows::{Certain, Outcome};
use crate::board::GemBoard;
use crate::encoder::GemHunterEncoder;
use crate::error::GemError;
use crate::map::Cell;
use cnfkit_core::internals::Clock;

impl GemHunterEncoder {
    /// A minimal set of numbers that force what an unknown cell is: they leave it one value, and without any one of
    /// them the rest does not. As (row, column), row by row. With [`traps`](Self::traps) they do so together with that
    /// total.
    ///
    /// `None` when the cell is not the same in all answers, when there is no answer, and when it is not unknown.
    ///
    /// ```
    /// use cnfkit::GemHunterEncoder;
    /// let encoder = GemHunterEncoder::new("G, 2, 1, _\n_, _, _, _\n_, _, 1, _\n".parse()?);
    /// assert_eq!(encoder.reason(1, 0)?, Some(vec![(0, 1), (0, 2)]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`solve`](Self::solve), and when there is no such cell.
    pub fn reason(&self, row: usize, column: usize) -> Result<Option<Vec<(usize, usize)>>, GemError> {
        let (rows, columns) = (self.map.rows(), self.map.columns());
        if row >= rows || column >= columns {
            return Err(GemError::NoSuchCell { row, column, rows, columns });
        }
        if self.map.get(row, column) != Cell::Unknown {
            return Ok(None);
        }
        let clock = self.asking.start();
        let board = self.board(&clock)?;
        let cell = (row * columns + column) as u32;
        let numbers = forcing(&board, self.traps, cell, &clock)?;
        Ok(numbers.map(|numbers| self.positions(&board, &numbers)))
    }
}

/// A minimal set of numbers that force an unknown cell; `None` if the cell is not the same in all answers, or there is
/// none.
fn forcing(board: &GemBoard, total: Option<usize>, cell: u32, clock: &Clock) -> Result<Option<Vec<u32>>, GemError> {
    if let Some(total) = total {
        let can_be = |trap| ContradictionQuestion::new(board, Some(total), clock, Some((cell, trap)));
        let all: Vec<u32> = (0..board.n_numbers() as u32).collect();
        let refuted = match (can_be(false).holds(&all)?, can_be(true).holds(&all)?) {
            (true, false) => can_be(true),
            (false, true) => can_be(false),
            _ => return Ok(None),
        };
        return refuted.shrink(all).map(Some);
    }
    let Ok(presolved) = Presolved::new(board) else { return Ok(None) };
    let Outcome::Answer(model) = presolved.answer(true, clock)? else { return Ok(None) };
    if board.touching(cell as usize).is_empty() {
        return Ok(None);
    }
    match Certain::new(presolved.base, model, clock).decide(cell)? {
        Some(is) => ContradictionQuestion::new(board, None, clock, Some((cell, !is))).minimal(&[cell]),
        None => Ok(None),
    }
}
