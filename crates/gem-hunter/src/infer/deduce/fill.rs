//! Known cells, put onto a board.

use super::state::{BoardState, CellKnowledge};
use crate::map::{Cell, GemMap};

/// Puts the known cells onto a board; cells that are not known become gems.
pub(crate) fn fill(map: &mut GemMap, state: &BoardState<'_>) {
    for (index, cell) in map.cells_mut().iter_mut().enumerate() {
        if *cell == Cell::Unknown {
            *cell = if state.known(index as u32) == CellKnowledge::Trap { Cell::Trap } else { Cell::Gem };
        }
    }
}

/// Puts traps and gems onto a board.
pub(crate) fn put(map: &mut GemMap, values: impl Iterator<Item = (u32, bool)>) {
    for (cell, trap) in values {
        map.cells_mut()[cell as usize] = if trap { Cell::Trap } else { Cell::Gem };
    }
}
