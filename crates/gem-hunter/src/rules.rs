//! The game on one page: its rules as constraints, and an answer from a model.
//!
//! Variable `row · columns + column` (one more in DIMACS) of an unknown cell is true when the cell is a trap. Cells
//! that are not unknown have a number but no clause.

use rustsat::types::Lit;

use super::board::GemBoard;
use super::map::{Cell, GemMap};
use cnfkit_core::{AtMostK, CardEncoding, ClauseSink, Constrain};

/// *The cell is a trap.*
pub(super) fn trap(cell: usize) -> Lit {
    Lit::positive(cell as u32)
}

/// The one rule: as many of a number's unknown neighbours are traps as the number says, less the traps already known.
pub(super) fn number<S: ClauseSink + ?Sized, E: AtMostK>(
    board: &GemBoard,
    number: usize,
    enc: &E,
    lits: &mut Vec<Lit>,
    sink: &mut S,
) -> Result<(), S::Error> {
    lits.clear();
    lits.extend(board.open(number).iter().map(|&cell| trap(cell as usize)));
    exactly(lits, board.need(number), enc, sink)
}

/// Exactly `need` of the cells are traps. A negative `need`, where more traps are known than a number allows, is a
/// contradiction.
pub(super) fn exactly<S: ClauseSink + ?Sized, E: AtMostK>(
    cells: &[Lit],
    need: i32,
    enc: &E,
    sink: &mut S,
) -> Result<(), S::Error> {
    match usize::try_from(need) {
        Ok(need) => sink.exactly(cells, need, enc),
        Err(_) => sink.add_clause(&[]),
    }
}

/// The optional rule: so many traps are on the whole board, less those known. `unknown` are all unknown
/// cells, in the order in which a sink that keeps the order gets them.
pub(super) fn total<S: ClauseSink>(
    board: &GemBoard,
    traps: usize,
    unknown: &[Lit],
    enc: CardEncoding,
    sink: &mut S,
) -> Result<(), S::Error> {
    match traps.checked_sub(board.map.count(Cell::Trap)) {
        Some(left) => sink.exactly(unknown, left, &enc),
        None => sink.add_clause(&[]),
    }
}

/// The board with every unknown cell a trap or, also where the model leaves it open, a gem.
pub(super) fn answer(map: &GemMap, is_true: impl Fn(Lit) -> bool) -> GemMap {
    let mut answer = map.clone();
    for (index, cell) in answer.cells_mut().iter_mut().enumerate() {
        if *cell == Cell::Unknown {
            *cell = if is_true(trap(index)) { Cell::Trap } else { Cell::Gem };
        }
    }
    answer
}
