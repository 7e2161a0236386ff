//! The chance of a trap in each cell.

use super::count::chances;
use crate::board::GemBoard;
use crate::encoder::GemHunterEncoder;
use crate::error::GemError;
use crate::map::{Cell, GemMap};
use cnfkit_core::internals::Clock;

/// The chance of a trap in each cell when all answers are equally likely; made by
/// [`GemHunterEncoder::probabilities`](crate::GemHunterEncoder::probabilities).
///
/// Chances are exact but for rounding: to nine digits or better. 0 and 1 are certain but for chances below 10⁻³⁰.
///
/// ```
/// use cnfkit::GemHunterEncoder;
/// use cnfkit::gem_hunter::Probabilities;
/// let encoder = GemHunterEncoder::new("_, 1, _\n_, _, _".parse()?);
/// let chances: Probabilities = encoder.probabilities()?.expect("five answers");
/// assert!((chances.get(0, 0) - 0.2).abs() < 1e-9 && chances.best_move() == Some((0, 0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Probabilities {
    map: GemMap,
    chances: Vec<f64>,
    /// For each unknown cell, true if a number touches it.
    is_touched: Vec<bool>,
    ln_count: f64,
}

impl GemHunterEncoder {
    /// The chance of a trap in each cell, when all answers are equally likely; `None` if there is no answer. With
    /// [`traps`](Self::traps), of all answers with that total.
    ///
    /// ```
    /// use cnfkit::GemHunterEncoder;
    /// let encoder = GemHunterEncoder::new("_, 1, _, _, 1, _, G, _\n".parse()?).traps(3);
    /// let probabilities = encoder.probabilities()?.expect("answers exist");
    /// // Each 1 has one trap of two beside it; the third trap is in the only cell that is left.
    /// assert!((probabilities.get(0, 0) - 0.5).abs() < 1e-9);
    /// assert!((probabilities.get(0, 7) - 1.0).abs() < 1e-9);
    /// assert_eq!(probabilities.best_move(), Some((0, 0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the neighbourhood does not fit the board, the time is over, or cells are too
    /// [entangled](GemError::Entangled).
    pub fn probabilities(&self) -> Result<Option<Probabilities>, GemError> {
        let clock = self.asking.start();
        Probabilities::new(&self.board(&clock)?, self.traps, &clock)
    }
}

impl Probabilities {
    pub(super) fn new(board: &GemBoard, total: Option<usize>, clock: &Clock) -> Result<Option<Self>, GemError> {
        let of_cell = |&cell: &Cell| if cell == Cell::Trap { 1.0 } else { 0.0 };
        let mut chances: Vec<f64> = board.map.cells().iter().map(of_cell).collect();
        let found = chances::chances(board, total, clock, |cell, chance| chances[cell as usize] = chance);
        let Some(ln_count) = found? else { return Ok(None) };
        let is_touched = (0..chances.len()).map(|cell| !board.touching(cell).is_empty()).collect();
        Ok(Some(Self { map: board.map.clone(), chances, is_touched, ln_count }))
    }

    /// The chance that the cell is a trap, from 0 to 1: 1 of a given trap, 0 of a number or a given gem.
    ///
    /// # Panics
    /// When there is no such cell.
    #[must_use]
    pub fn get(&self, row: usize, column: usize) -> f64 {
        self.chances[self.map.index(row, column)]
    }

    /// The unknown cell that is least likely a trap, as (row, column). Among equals, a cell that a number touches comes
    /// first, because more is learnt from it; among these, the first, row by row. `None` when no cell is unknown.
    ///
    /// Chances that differ by less than 10⁻⁹ count as equal.
    #[must_use]
    pub fn best_move(&self) -> Option<(usize, usize)> {
        const EQUAL: f64 = 1e-9;
        let unknown = || (0..self.chances.len()).filter(|&cell| self.map.cells()[cell] == Cell::Unknown);
        let least = unknown().map(|cell| self.chances[cell]).min_by(f64::total_cmp)?;
        let mut best = unknown().filter(|&cell| self.chances[cell] <= least + EQUAL).peekable();
        let first = best.peek().copied();
        best.find(|&cell| self.is_touched[cell]).or(first).map(|cell| self.map.position(cell))
    }

    /// The decimal logarithm of how many answers there are, to nine digits.
    ///
    /// ```
    /// # use cnfkit::{GemHunterEncoder, GemMap};
    /// let probabilities = GemHunterEncoder::new(GemMap::new(100, 100)).probabilities()?.expect("2^10000 answers");
    /// assert!((probabilities.log10_count() - 10_000.0 * 2_f64.log10()).abs() < 1e-6);
    /// # Ok::<(), cnfkit::GemError>(())
    /// ```
    #[must_use]
    pub const fn log10_count(&self) -> f64 {
        self.ln_count * std::f64::consts::LOG10_E
    }
}
