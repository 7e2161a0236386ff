//! The cells near some cells, going from cell to number to cell.

use crate::board::GemBoard;
use crate::infer::deduce::BoardState;

/// The open cells near some cells, nearest first, and the numbers around them. Reusable memory.
#[derive(Clone, Debug)]
pub(crate) struct Ball {
    round: u32,
    cell_seen: Vec<u32>,
    number_seen: Vec<u32>,
    cells: Vec<u32>,
    numbers: Vec<u32>,
    is_whole: bool,
}

impl Ball {
    pub(crate) fn new(board: &GemBoard) -> Self {
        let (cell_seen, number_seen) = (vec![0; board.map.cells().len()], vec![0; board.n_numbers()]);
        Self { round: 0, cell_seen, number_seen, cells: Vec::new(), numbers: Vec::new(), is_whole: false }
    }

    /// Collects about `most` of the cells open in `state` that are nearest to `seeds`, at most `hops` numbers away.
    pub(crate) fn grow(&mut self, state: &BoardState<'_>, seeds: &[u32], most: usize, hops: usize) {
        self.round += 1;
        self.cells.clear();
        self.numbers.clear();
        self.is_whole = false;
        for &seed in seeds {
            self.see(seed);
        }
        let (mut next, mut hop) = (0, 0);
        while next < self.cells.len() && self.cells.len() < most && hop < hops {
            hop += 1;
            // A whole ring at a time, so that a ball is round.
            let ring = std::mem::replace(&mut next, self.cells.len())..self.cells.len();
            for at in ring {
                for &number in state.board.touching(self.cells[at] as usize) {
                    if std::mem::replace(&mut self.number_seen[number as usize], self.round) == self.round {
                        continue;
                    }
                    self.numbers.push(number);
                    for cell in state.open(number) {
                        self.see(cell);
                    }
                }
            }
        }
        self.is_whole = next == self.cells.len();
        for at in next..self.cells.len() {
            for &number in state.board.touching(self.cells[at] as usize) {
                if std::mem::replace(&mut self.number_seen[number as usize], self.round) != self.round {
                    self.numbers.push(number);
                }
            }
        }
    }

    fn see(&mut self, cell: u32) {
        if std::mem::replace(&mut self.cell_seen[cell as usize], self.round) != self.round {
            self.cells.push(cell);
        }
    }

    /// The cells, nearest first.
    pub(crate) fn cells(&self) -> &[u32] {
        &self.cells
    }

    /// All numbers that touch the cells.
    pub(crate) fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    /// True if no open cell outside touches one of the numbers.
    pub(crate) const fn is_whole(&self) -> bool {
        self.is_whole
    }
}
