//! The numbers near a number, and the cells that they share with it.

use super::board::GemBoard;

/// For one number after another: the numbers near by, each with the cells it shares as bits.
#[derive(Clone, Debug)]
pub(super) struct Overlap {
    /// For a cell of the number at hand, its bit.
    bits: Vec<u64>,
    /// For a number near by, where it is in `near`.
    slots: Vec<u32>,
    near: Vec<(u32, u64)>,
    cells: u32,
}

impl Overlap {
    /// The most cells a number may have here.
    pub(super) const MOST: usize = 64;

    pub(super) fn new(board: &GemBoard) -> Self {
        let (bits, slots) = (vec![0; board.map.cells().len()], vec![u32::MAX; board.n_numbers()]);
        Self { bits, slots, near: Vec::new(), cells: 0 }
    }

    /// Looks around the number whose cells are `cells`, at most [`MOST`](Self::MOST).
    #[inline]
    pub(super) fn look_around(&mut self, board: &GemBoard, cells: impl Iterator<Item = u32>) {
        let Self { bits, slots, near, .. } = self;
        near.clear();
        self.cells = 0;
        for cell in cells {
            let bit = 1 << self.cells;
            self.cells += 1;
            bits[cell as usize] = bit;
            for &other in board.touching(cell as usize) {
                let slot = &mut slots[other as usize];
                match near.get_mut(*slot as usize) {
                    Some((same, shared)) if *same == other => *shared |= bit,
                    _ => {
                        *slot = near.len() as u32;
                        near.push((other, bit));
                    }
                }
            }
        }
    }

    /// Every number that touches one of the cells, the number itself included, with the cells it touches.
    pub(super) fn near(&self) -> &[(u32, u64)] {
        &self.near
    }

    /// The bit of one of the cells.
    #[inline]
    pub(super) fn bit(&self, cell: usize) -> u64 {
        self.bits[cell]
    }
}
