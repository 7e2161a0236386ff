//! Parts of a board that do not touch each other.

use super::state::BoardState;

/// Open cells and the numbers around them, part by part: no number touches cells of two parts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Components {
    cells: Vec<u32>,
    numbers: Vec<u32>,
    ends: Vec<(u32, u32)>,
}

impl Components {
    /// The parts of what is open; cells that no number touches belong to none.
    pub(crate) fn new(state: &BoardState<'_>) -> Self {
        let board = state.board;
        let mut parts = Self::default();
        let mut seen = vec![false; board.map.cells().len()];
        let mut seen_number = vec![false; board.n_numbers()];
        for first in 0..board.n_numbers() as u32 {
            if seen_number[first as usize] || state.left(first).open == 0 {
                continue;
            }
            seen_number[first as usize] = true;
            let mut next = parts.numbers.len();
            parts.numbers.push(first);
            while let Some(&number) = parts.numbers.get(next) {
                next += 1;
                for cell in state.open(number) {
                    if std::mem::replace(&mut seen[cell as usize], true) {
                        continue;
                    }
                    parts.cells.push(cell);
                    for &other in board.touching(cell as usize) {
                        if !std::mem::replace(&mut seen_number[other as usize], true) {
                            parts.numbers.push(other);
                        }
                    }
                }
            }
            parts.ends.push((parts.cells.len() as u32, parts.numbers.len() as u32));
        }
        parts
    }

    /// The parts: their cells, and their numbers, both in the order in which a search from one number meets them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&[u32], &[u32])> {
        let mut from = (0, 0);
        self.ends.iter().map(move |&(cells, numbers)| {
            let part = (&self.cells[from.0 as usize..cells as usize], &self.numbers[from.1 as usize..numbers as usize]);
            from = (cells, numbers);
            part
        })
    }
}
