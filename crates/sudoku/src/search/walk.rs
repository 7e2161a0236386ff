//! Many solutions of 9×9 boxes, by trying one digit after the other: a blocked solution costs a solver more the more
//! there are, a step of this is always as quick.

use rustc_hash::FxHashSet;

use crate::deduce::Nine;
use cnfkit_core::SolveError;
use cnfkit_core::internals::Clock;

/// All solutions, one after the other, without those that were found before.
pub(crate) struct SolutionWalk {
    /// The grids that are still to be looked at, all singles found.
    left: Vec<Nine>,
    known: FxHashSet<Vec<u16>>,
}

impl SolutionWalk {
    pub(crate) fn new(nine: Nine, known: FxHashSet<Vec<u16>>) -> Self {
        Self { left: vec![nine], known }
    }

    /// Writes the next solution into `cells`; false when there is none.
    pub(crate) fn next(&mut self, cells: &mut [u16], clock: &Clock) -> Result<bool, SolveError> {
        while let Some(nine) = self.left.pop() {
            clock.check()?;
            if !nine.is_solved() {
                self.branch(&nine);
                continue;
            }
            for (digit, places) in (0..9).map(|digit| (digit as u16 + 1, nine.places(digit))) {
                let is_here = |cell: usize| places[cell / 27] >> (cell % 27) & 1 == 1;
                (0..81).filter(|&cell| is_here(cell)).for_each(|cell| cells[cell] = digit);
            }
            if !self.known.remove(cells) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The digits of a cell that has the fewest left.
    fn branch(&mut self, nine: &Nine) {
        let by_count = [0, 1, 2].map(|band| nine.open_cells(band));
        let open =
            |count: usize| (0..3).find(|&band| by_count[band][count] != 0).map(|band| (band, by_count[band][count]));
        let Some((band, cells)) = (0..3).find_map(open) else { return };
        let cell = cells.trailing_zeros() as usize;
        for digit in (0..9).rev().filter(|&digit| nine.is_open(digit, band, 1 << cell)) {
            let mut next = nine.clone();
            next.place(27 * band + cell, digit);
            if next.propagate().is_ok() {
                self.left.push(next);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use crate::encode::Strategy;
    use crate::encode::SudokuEncoder;
    use crate::grid::Grid;

    /// Where there are more solutions than the solver is asked for, all are found, each once.
    #[test]
    fn all_others_are_found_once() {
        let first = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
        let mut counts = Vec::new();
        for kept in [24, 28, 32, 36] {
            // Every third cell stays, up to so many.
            let mut left = kept;
            let is_kept = |at: usize, left: &mut usize| {
                at * 7 % 81 < 3 * kept / 2 && std::mem::replace(left, left.saturating_sub(1)) > 0
            };
            let text: String =
                first.chars().enumerate().map(|(at, sign)| if is_kept(at, &mut left) { sign } else { '.' }).collect();
            let grid: Grid = text.parse().unwrap();
            let encoder = SudokuEncoder::new(&grid);
            let found: Vec<Grid> = encoder.solutions().take(2_000).map(Result::unwrap).collect();
            assert!(found.iter().all(|solution| solution.verify(&grid).is_empty()));
            let all: HashSet<&[u16]> = found.iter().map(Grid::cells).collect();
            assert_eq!(all.len(), found.len());
            assert_eq!(encoder.strategy(Strategy::Base).count(2_000).unwrap(), found.len());
            counts.push(found.len());
        }
        assert!(counts.iter().any(|&count| (65..2_000).contains(&count)), "{counts:?}");
    }

    /// The empty grid has more than anybody waits for: they come as they are asked for.
    #[test]
    fn solutions_of_the_empty_grid_come_quickly() {
        let empty = Grid::empty(crate::grid::Layout::boxes(3, 3));
        let begun = std::time::Instant::now();
        assert_eq!(SudokuEncoder::new(&empty).count(100_000).unwrap(), 100_000);
        assert!(begun.elapsed() < std::time::Duration::from_secs(10), "{:?}", begun.elapsed());
    }
}
