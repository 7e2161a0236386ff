//! Failed literals, for 9×9 boxes: a candidate that singles and locked candidates refute goes.
//!
//! One candidate at a time, and nothing is tried within a trial. Sudoku players say *nishio*; in SAT it is failed literal
//! probing.

use crate::puzzle::sudoku::nine::Nine;
use crate::puzzle::sudoku::propagate::Contradiction;

/// So many trials in a row may show nothing. Where more would, the solver is as quick.
const IDLE: u32 = 16;

impl Nine {
    /// Tries candidates, those of cells with two first, and takes away what fails, with all that follows.
    pub(super) fn probe(&mut self) -> Result<(), Contradiction> {
        let mut idle = 0;
        let by_count = [0, 1, 2].map(|band| self.open_cells(band));
        for count in 0..3 {
            for (band, cells) in by_count.iter().enumerate() {
                let mut cells = cells[count];
                while cells != 0 {
                    let bit = cells & cells.wrapping_neg();
                    cells &= cells - 1;
                    for digit in 0..9 {
                        if self.is_solved() || idle == IDLE {
                            return Ok(());
                        }
                        if self.is_open(digit, band, bit) {
                            idle = if self.fails(digit, band, bit)? { 0 } else { idle + 1 };
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether a candidate failed, and went.
    fn fails(&mut self, digit: usize, band: usize, bit: u32) -> Result<bool, Contradiction> {
        let mut trial = self.clone();
        trial.place(27 * band + bit.trailing_zeros() as usize, digit);
        if trial.propagate().is_ok() {
            return Ok(false);
        }
        self.digits[digit][band] &= !bit;
        self.propagate()?;
        Ok(true)
    }
}
