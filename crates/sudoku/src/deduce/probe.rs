//! Failed literals, for 9×9 boxes: a candidate that singles and locked candidates refute goes.
//!
//! One candidate at a time, and nothing is tried within a trial. Sudoku players say *nishio*; in SAT it is failed
//! literal probing.

use crate::deduce::contradiction::GridContradiction;
use crate::deduce::nine::Nine;

/// Trials in a row that may show nothing before the rest is left to the solver, which is as quick from there on
/// (`cargo run --release -p cnfkit-peers -- puzzles --list 17clue_2000 --list hardest_1000`).
const IDLE: u32 = 16;

impl Nine {
    /// Tries candidates, those of cells with two first, and takes away what fails, with all that follows.
    pub(crate) fn probe(&mut self) -> Result<(), GridContradiction> {
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

    /// True if a candidate failed, and went.
    fn fails(&mut self, digit: usize, band: usize, bit: u32) -> Result<bool, GridContradiction> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SudokuEncoder;
    use crate::deduce::colour::ChainColouring;
    use crate::deduce::samples;
    use crate::grid::{Grid, Layout};
    use cnfkit_core::AmoEncoding;

    fn cells(text: &str) -> [u16; 81] {
        std::array::from_fn(|cell| match text.as_bytes()[cell] {
            b'.' => 0,
            digit => (digit - b'0').into(),
        })
    }

    /// Whatever a cell has in some solution stays, and without a solution nothing else is claimed.
    #[test]
    fn takes_nothing_that_some_solution_has() {
        for seed in 0..48 {
            let cells = samples::nine(seed, 25..60, 2);
            // Asked with another encoding, and without trials.
            let encoder = SudokuEncoder::new(Grid::new(Layout::boxes(3, 3), cells).unwrap());
            let truth = encoder.encoding(AmoEncoding::Ladder).candidates().unwrap();
            let mut nine = Nine::new();
            let found = nine.load(&cells).and_then(|()| nine.probe());
            if found.is_err() {
                assert!(truth.iter().all(Vec::is_empty), "seed {seed}");
                continue;
            }
            for (cell, values) in truth.iter().enumerate() {
                for &value in values {
                    let places = nine.places(usize::from(value) - 1);
                    assert_eq!(places[cell / 27] >> (cell % 27) & 1, 1, "seed {seed}, cell {cell}, value {value}");
                }
            }
        }
    }

    /// Singles, locked candidates and colouring stop before the end of these.
    #[test]
    fn trials_go_further_than_colouring() {
        for text in [
            "...........732...15.9.7...28.....9......5..34.1......51.8.47..9.9...6.4.62.......",
            "............2..4.5...3589.6.4...9....6.827.........78.8.7.35...31..8.....5.9.....",
            "...........329.7...15.8.4..1.........8...6...2...5.9137.....32....7...8....53...7",
        ] {
            let mut nine = Nine::new();
            nine.load(&cells(text)).unwrap();
            let mut colouring = ChainColouring::default();
            while !nine.is_solved() && colouring.run(&mut nine).unwrap() {
                nine.propagate().unwrap();
            }
            assert!(!nine.is_solved(), "{text}");
            nine.probe().unwrap();
            assert!(nine.is_solved(), "{text}");
        }
    }

    /// The hardest puzzles are left to the solver, as they were.
    #[test]
    fn gives_up_where_nothing_fails() {
        let mut nine = Nine::new();
        nine.load(&cells("8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..")).unwrap();
        let before = nine.clone();
        nine.probe().unwrap();
        assert!(!nine.is_solved());
        assert_eq!(nine.digits, before.digits);
    }
}
