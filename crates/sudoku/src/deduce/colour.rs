//! Colouring, for 9×9 boxes: deduction from chains of *either this or that*, without trying anything.
//!
//! Two candidates are a pair when one of them must hold: the two values of a cell with two, the two places of a digit
//! in a group with two. Pairs that share candidates form a component whose candidates take two colours: all of one
//! colour hold, and none of the other. A colour that rules out one of its own, or every value of a cell, is wrong; what
//! both colours rule out goes. (Known as 3D Medusa, or multi-colouring.)

use crate::deduce::contradiction::GridContradiction;
use crate::deduce::nine::{ALL, Nine, PEERS, ROWS};

type Boards = [[u32; 3]; 9];

/// Boards for one component. Reused from puzzle to puzzle.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChainColouring {
    /// The candidates of each colour.
    members: [Boards; 2],
    /// The candidates that each colour rules out.
    ruled_out: [Boards; 2],
    queue: Vec<(u8, u8, u8)>,
}

/// Of two bits, the one that is not `bit`.
#[inline]
const fn other(bits: u32, bit: u32) -> Option<u32> {
    let rest = bits & !bit;
    if rest.is_power_of_two() { Some(rest.trailing_zeros()) } else { None }
}

impl ChainColouring {
    /// Goes through all components once; says whether anything was ruled out for good.
    pub(crate) fn run(&mut self, nine: &mut Nine) -> Result<bool, GridContradiction> {
        let mut done: Boards = [[0; 3]; 9];
        let mut changed = false;
        for band in 0..3 {
            // Where cells with two values are, components of use nearly always begin.
            let [mut cells, ..] = nine.open_cells(band);
            while cells != 0 {
                let bit = cells & cells.wrapping_neg();
                cells &= cells - 1;
                let cell = 27 * band as u32 + bit.trailing_zeros();
                let digit = (0..9).find(|&digit| nine.digits[digit][band] & bit != 0);
                if let Some(digit) = digit.filter(|&digit| done[digit][band] & bit == 0) {
                    self.flood(nine, cell as u8, digit as u8);
                    changed |= self.conclude(nine)?;
                    for members in &self.members {
                        done.iter_mut().flatten().zip(members.iter().flatten()).for_each(|(done, here)| *done |= here);
                    }
                }
            }
        }
        Ok(changed)
    }

    /// Colours the component of one candidate.
    fn flood(&mut self, nine: &Nine, cell: u8, digit: u8) {
        self.members = [[[0; 3]; 9]; 2];
        self.ruled_out = [[[0; 3]; 9]; 2];
        self.queue.clear();
        self.join(cell, digit, 0);
        while let Some((cell, digit, colour)) = self.queue.pop() {
            let (at, value) = (usize::from(cell), usize::from(digit));
            let (band, bit) = (at / 27, 1 << (at % 27));
            let here = (0..9).fold(0, |all, digit| all | (nine.digits[digit][band] >> (at % 27) & 1) << digit);
            if let Some(digit) = other(here, 1 << value) {
                self.join(cell, digit as u8, 1 - colour);
            }
            let places = &nine.digits[value];
            let row = 511 << (at % 27 / 9 * 9);
            let boxed = (7 * ROWS) << (at % 9 / 3 * 3);
            for group in [row, boxed] {
                if let Some(place) = other(places[band] & group, bit) {
                    self.join((27 * band) as u8 + place as u8, digit, 1 - colour);
                }
            }
            let column = ROWS << (at % 9);
            let mut elsewhere = [places[0] & column, places[1] & column, places[2] & column];
            elsewhere[band] &= !bit;
            if elsewhere.iter().map(|bits| bits.count_ones()).sum::<u32>() == 1
                && let Some(band) = elsewhere.iter().position(|&bits| bits != 0)
            {
                self.join((27 * band) as u8 + elsewhere[band].trailing_zeros() as u8, digit, 1 - colour);
            }
        }
    }

    fn join(&mut self, cell: u8, digit: u8, colour: u8) {
        let (at, value, kind) = (usize::from(cell), usize::from(digit), usize::from(colour));
        let (band, bit) = (at / 27, 1 << (at % 27));
        if self.members[kind][value][band] & bit != 0 {
            return;
        }
        self.members[kind][value][band] |= bit;
        let ruled_out = &mut self.ruled_out[kind];
        for (digit, boards) in ruled_out.iter_mut().enumerate() {
            if digit != value {
                boards[band] |= bit;
            }
        }
        ruled_out[value].iter_mut().zip(PEERS[at]).for_each(|(board, peers)| *board |= peers);
        self.queue.push((cell, digit, colour));
    }

    fn conclude(&self, nine: &mut Nine) -> Result<bool, GridContradiction> {
        let wrong = [0, 1].map(|colour| {
            let (members, ruled_out) = (self.members[colour].iter().flatten(), self.ruled_out[colour].iter().flatten());
            members.zip(ruled_out).any(|(members, ruled_out)| members & ruled_out != 0)
                || (0..3).any(|band| {
                    let left = nine.digits.iter().zip(&self.ruled_out[colour]);
                    left.fold(0, |all, (places, ruled_out)| all | places[band] & !ruled_out[band]) != ALL
                })
        });
        let out = |digit: usize, band: usize| match wrong {
            [true, _] => self.members[0][digit][band],
            [_, true] => self.members[1][digit][band],
            _ => self.ruled_out[0][digit][band] & self.ruled_out[1][digit][band],
        };
        if wrong == [true, true] {
            return Err(GridContradiction);
        }
        let mut changed = false;
        for (digit, places) in nine.digits.iter_mut().enumerate() {
            for (band, places) in places.iter_mut().enumerate() {
                changed |= *places & out(digit, band) != 0;
                *places &= !out(digit, band);
            }
        }
        Ok(changed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deduce::samples::{self, SOLUTION};

    /// Whatever givens are left of a solution, the solution stays possible.
    #[test]
    fn no_solution_is_lost() {
        for seed in 0..512 {
            let mut nine = Nine::new();
            let mut colouring = ChainColouring::default();
            assert!(nine.load(&samples::nine(seed, 25..26, 0)).is_ok(), "seed {seed}");
            while colouring.run(&mut nine).expect("it has a solution") {
                assert!(nine.propagate().is_ok(), "seed {seed}");
            }
            for (cell, value) in SOLUTION.iter().enumerate() {
                let places = nine.places(usize::from(value - b'1'));
                assert_eq!(places[cell / 27] >> (cell % 27) & 1, 1, "seed {seed}, cell {cell}");
            }
        }
    }

    /// A skyscraper: singles and locked candidates stop before it.
    #[test]
    fn chains_go_further_than_singles() {
        let texts = [
            "..1.28759.879.5132952173486.2.7..34....5..27.714832695....9.817.78.5196319..87524",
            "1.....569492.561.8.561.924...964.8.1.64.1....218.356.4.4.5...169.5.614.2621.....5",
            "697.....2..1972.63..3..679.912...6.737426.95.8657.9.241486932757.9.24..6..68.7..9",
        ];
        let mut further = 0;
        for text in texts {
            let cells: [u16; 81] = std::array::from_fn(|cell| match text.as_bytes()[cell] {
                b'.' => 0,
                digit => (digit - b'0').into(),
            });
            let mut nine = Nine::new();
            nine.load(&cells).expect("it has a solution");
            if !nine.is_solved() {
                further += usize::from(ChainColouring::default().run(&mut nine).expect("it has a solution"));
            }
        }
        assert!(further > 0);
    }
}
