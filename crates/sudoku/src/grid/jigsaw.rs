//! Regions by lot, each of one piece: the layouts of jigsaw Sudokus.
//!
//! The rows are a partition of the square into connected regions of n cells. It is changed by exchanging a cell of one
//! region for a cell of a region beside it, if both are still of one piece: so what holds at the beginning holds after
//! every exchange. An exchange that makes borders longer is taken half of the time, so that regions stay compact enough
//! to be seen as shapes.

use cnfkit_core::internals::Random;

use crate::grid::error::LayoutError;
use crate::grid::layout::Layout;

/// Exchanges that are tried for each cell of the square, from which on the rows cannot be seen any more (`cargo test
/// jigsaw -- --nocapture` prints regions).
const TRIES: usize = 60;
/// Exchanges that are tried at most: beyond side 264 rows are mixed less, and nobody waits longer than a second.
const MOST_TRIES: usize = 1 << 22;

impl Layout {
    /// Connected regions of `side` cells each, by lot: the layout of a jigsaw Sudoku. Equal for equal seeds. Most such
    /// layouts have solutions, not all: a question about an empty grid tells.
    ///
    /// ```
    /// use cnfkit::{Grid, Layout, SudokuEncoder};
    /// let layout = Layout::jigsaw(7, 1)?;
    /// assert_eq!(layout.side(), 7);
    /// assert!(SudokuEncoder::new(Grid::empty(layout.clone())).solve().unwrap().is_some());
    /// assert_eq!("jigsaw 7 1".parse::<Layout>()?, layout);
    /// # Ok::<(), cnfkit::sudoku::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// When the side is 0 or beyond [`MAX_SIDE`](Self::MAX_SIDE).
    pub fn jigsaw(side: usize, seed: u64) -> Result<Self, LayoutError> {
        if side == 0 || side > Self::MAX_SIDE {
            return Err(LayoutError::Side { side });
        }
        let mut pieces = Pieces::rows(side);
        let mut random = Random::new(seed);
        for _ in 0..(TRIES * side * side).min(MOST_TRIES) {
            pieces.exchange(&mut random);
        }
        Self::from_numbers(&pieces.region)
    }
}

/// A partition of a square into connected regions of `side` cells.
struct Pieces {
    side: usize,
    /// The region of each cell.
    region: Vec<usize>,
    /// The cells of each region.
    cells: Vec<Vec<usize>>,
    /// By cell, the last search for connections that reached it.
    looked: Vec<usize>,
    looks: usize,
}

impl Pieces {
    fn rows(side: usize) -> Self {
        Self::new(side, (0..side * side).map(|cell| cell / side).collect())
    }

    fn new(side: usize, region: Vec<usize>) -> Self {
        let mut cells = vec![Vec::with_capacity(side); side];
        region.iter().enumerate().for_each(|(cell, &region)| cells[region].push(cell));
        Self { side, region, cells, looked: vec![0; side * side], looks: 0 }
    }

    /// Cells that share a side with a cell.
    fn beside(&self, cell: usize) -> impl Iterator<Item = usize> + use<> {
        let (side, col) = (self.side, cell % self.side);
        let left = (col > 0).then(|| cell - 1);
        let right = (col + 1 < side).then_some(cell + 1);
        let up = cell.checked_sub(side);
        let down = Some(cell + side).filter(|&down| down < side * side);
        [left, right, up, down].into_iter().flatten()
    }

    /// Exchanges a cell by lot for one of a region beside it, if that leaves both regions connected.
    fn exchange(&mut self, random: &mut Random) {
        let given = random.below(self.region.len());
        let from = self.region[given];
        let others: Vec<usize> = self.beside(given).filter(|&cell| self.region[cell] != from).collect();
        if others.is_empty() {
            return;
        }
        let to = self.region[others[random.below(others.len())]];
        let taken = self.cells[to][random.below(self.side)];
        if !self.beside(taken).any(|cell| self.region[cell] == from && cell != given) {
            return;
        }
        let before = self.border(given) + self.border(taken);
        self.swap(given, taken);
        let longer = self.border(given) + self.border(taken) > before;
        // The lot is drawn whether it is needed or not, so that regions depend on the seed alone.
        let keep = random.chance(0.5) || !longer;
        if !keep || !self.connected(from) || !self.connected(to) {
            self.swap(given, taken);
        }
    }

    /// Two cells of different regions change places.
    fn swap(&mut self, one: usize, other: usize) {
        for (cell, by) in [(one, other), (other, one)] {
            let cells = &mut self.cells[self.region[cell]];
            if let Some(at) = cells.iter().position(|&member| member == cell) {
                cells[at] = by;
            }
        }
        self.region.swap(one, other);
    }

    /// Sides of a cell beyond which another region is.
    fn border(&self, cell: usize) -> usize {
        self.beside(cell).filter(|&other| self.region[other] != self.region[cell]).count()
    }

    fn connected(&mut self, region: usize) -> bool {
        self.looks += 1;
        let (mut open, mut reached) = (vec![self.cells[region][0]], 0);
        while let Some(cell) = open.pop() {
            if std::mem::replace(&mut self.looked[cell], self.looks) != self.looks {
                reached += 1;
                open.extend(self.beside(cell).filter(|&other| self.region[other] == region));
            }
        }
        reached == self.side
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(layout: &Layout) -> Pieces {
        let side = layout.side();
        let region: Vec<usize> = (0..side * side).map(|at| layout.region(at / side, at % side).unwrap_or(0)).collect();
        Pieces::new(side, region)
    }

    #[test]
    fn regions_are_of_one_piece_and_of_the_right_size() {
        for side in 1..=16 {
            for seed in 0..5 {
                let layout = Layout::jigsaw(side, seed).unwrap();
                println!("{layout}");
                let mut pieces = pieces(&layout);
                assert!(pieces.cells.iter().all(|cells| cells.len() == side), "{layout}");
                assert!((0..side).all(|region| pieces.connected(region)), "{layout}");
            }
        }
    }

    #[test]
    fn seeds_differ_and_rows_are_mixed() {
        for side in 4..=16 {
            let layouts: Vec<Layout> = (0..10).map(|seed| Layout::jigsaw(side, seed).unwrap()).collect();
            let different = layouts.iter().filter(|layout| **layout != layouts[0]).count();
            assert!(different >= 8, "side {side}: {different}");
            assert_eq!(layouts[3], Layout::jigsaw(side, 3).unwrap());
            let whole_rows = |layout: &Layout| {
                let pieces = pieces(layout);
                pieces.cells.iter().filter(|cells| cells.iter().all(|cell| cell / side == cells[0] / side)).count()
            };
            let rows: usize = layouts.iter().map(whole_rows).sum();
            assert!(rows <= 10, "side {side}: {rows} rows of 10 layouts are regions");
        }
    }

    #[test]
    fn sides_that_are_none_are_refused() {
        for side in [0, Layout::MAX_SIDE + 1, usize::MAX] {
            assert_eq!(Layout::jigsaw(side, 1).unwrap_err(), LayoutError::Side { side });
        }
        for text in ["jigsaw", "jigsaw 9", "jigsaw 9 x", "jigsaw 0 1"] {
            assert!(text.parse::<Layout>().is_err(), "{text}");
        }
    }

    #[test]
    fn puzzles_are_made_for_every_side() {
        use crate::SudokuEncoder;
        for side in 5..=12 {
            let puzzle = (0..8).find_map(|seed| {
                let layout = Layout::jigsaw(side, seed).unwrap();
                SudokuEncoder::generate(&layout, seed).unwrap()
            });
            let puzzle = puzzle.unwrap_or_else(|| panic!("no puzzle of side {side}"));
            assert!(SudokuEncoder::new(puzzle).is_unique().unwrap());
        }
    }
}
