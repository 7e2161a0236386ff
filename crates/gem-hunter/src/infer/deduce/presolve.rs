//! Deduction from one number, and from two near each other, to a fixpoint.

use super::state::{BoardState, CellKnowledge, Conflict};
use crate::board::{GemBoard, LOOKS};
use crate::overlap::Overlap;

/// Deduces everything that follows from single numbers and from pairs, or less when the time is over.
///
/// Two numbers that share the cells C, with A the rest of the first's cells and B the rest of the second's: the traps
/// in C are at least `need₁ − |A|` and `need₂ − |B|`, at most `need₁`, `need₂` and `|C|`. Where these bounds leave one
/// way to fill A, B or C with traps only or gems only, it is filled.
pub(crate) fn presolve(state: &mut BoardState<'_>) -> Result<(), Conflict> {
    state.start()?;
    NumberPairs::new(state.board).run(state)
}

struct NumberPairs<'a> {
    board: &'a GemBoard,
    overlap: Overlap,
    queue: Vec<u32>,
    queued: Vec<bool>,
    /// Cells of the trail whose numbers are queued.
    seen: usize,
    /// The conclusions of a pair: cells, and whether each is a trap.
    found: Vec<(u32, bool)>,
}

impl<'a> NumberPairs<'a> {
    fn new(board: &'a GemBoard) -> Self {
        let queued = vec![false; board.n_numbers()];
        Self { board, overlap: Overlap::new(board), queue: Vec::new(), queued, seen: 0, found: Vec::new() }
    }

    fn run(&mut self, state: &mut BoardState<'_>) -> Result<(), Conflict> {
        // Last in, first out: ascending order at first.
        (0..self.board.n_numbers() as u32).rev().for_each(|number| self.push(number, state));
        self.seen = state.trail().len();
        let mut looks = 0;
        while let Some(number) = self.queue.pop() {
            looks += 1;
            if looks % LOOKS == 0 && self.board.clock.is_over() {
                break;
            }
            self.queued[number as usize] = false;
            self.pairs(number, state)?;
            for &(cell, trap) in &self.found {
                match state.known(cell) {
                    CellKnowledge::Nothing => state.set(cell, trap)?,
                    known if known == CellKnowledge::of(trap) => {}
                    _ => return Err(Conflict(number)),
                }
            }
            state.propagate()?;
            while let Some(&cell) = state.trail().get(self.seen) {
                self.seen += 1;
                self.board.touching(cell as usize).iter().for_each(|&number| self.push(number, state));
            }
        }
        Ok(())
    }

    fn push(&mut self, number: u32, state: &BoardState<'_>) {
        let open = state.left(number).open;
        if open > 1
            && open.unsigned_abs() as usize <= Overlap::MOST
            && !std::mem::replace(&mut self.queued[number as usize], true)
        {
            self.queue.push(number);
        }
    }

    /// Puts what `number` and one other say into `found`.
    fn pairs(&mut self, number: u32, state: &BoardState<'_>) -> Result<(), Conflict> {
        let Self { board, overlap, found, .. } = self;
        found.clear();
        let mine = state.left(number);
        if mine.open < 2 {
            return Ok(());
        }
        overlap.look_around(board, state.open(number));
        for &(other, shared) in overlap.near() {
            let common = shared.count_ones().cast_signed();
            if common < 2 || other == number {
                continue;
            }
            let theirs = state.left(other);
            let (a, b) = (mine.open - common, theirs.open - common);
            let least = (mine.need - a).max(theirs.need - b).max(0);
            let most = mine.need.min(theirs.need).min(common);
            if least > most {
                return Err(Conflict(number));
            }
            // For the common cells, the rest of mine, and the rest of theirs: all traps, all gems, or not known.
            let all = |least: i32, most: i32, of: i32| match () {
                () if of == 0 => None,
                () if most == 0 => Some(false),
                () if least == of => Some(true),
                () => None,
            };
            let common = all(least, most, common);
            let a = all(mine.need - most, mine.need - least, a);
            let b = all(theirs.need - most, theirs.need - least, b);
            let is_shared = |cell: u32, bits: &Overlap| {
                // A cell's bit is only meaningful for the cells of `number`.
                shared & bits.bit(cell as usize) != 0
            };
            if common.is_some() || a.is_some() {
                for cell in state.open(number) {
                    let known = if is_shared(cell, overlap) { common } else { a };
                    found.extend(known.map(|trap| (cell, trap)));
                }
            }
            if let Some(trap) = b {
                let mine = board.open(number as usize);
                found.extend(
                    state.open(other).filter(|cell| mine.binary_search(cell).is_err()).map(|cell| (cell, trap)),
                );
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infer::generate::plant;
    use crate::neighbourhood::Neighbourhood;
    use cnfkit_core::internals::Clock;

    /// Between 1 and 2 one trap is shared: the first cell is a gem, and the last one a trap.
    #[test]
    fn two_numbers_say_what_one_does_not() {
        let board =
            GemBoard::new("_, _, _, _\nG, 1, 2, G".parse().unwrap(), &Neighbourhood::default(), &Clock::default())
                .unwrap();
        let mut state = BoardState::new(&board);
        assert!(state.start().is_ok() && state.trail().is_empty());
        assert!(presolve(&mut state).is_ok());
        assert_eq!((state.known(0), state.known(3)), (CellKnowledge::Gem, CellKnowledge::Trap));
        assert!(state.is_open(1) && state.is_open(2));
    }

    /// A second round over all pairs finds nothing.
    #[test]
    fn pairs_come_to_a_fixpoint() {
        for seed in 0..300 {
            let (map, _) = plant(9, 9, 0.35, 0.4, seed);
            let board = GemBoard::new(map, &Neighbourhood::default(), &Clock::default()).unwrap();
            let mut state = BoardState::new(&board);
            assert!(presolve(&mut state).is_ok());
            let known = state.trail().len();
            assert!(NumberPairs::new(&board).run(&mut state).is_ok());
            assert_eq!(state.trail().len(), known, "seed {seed}");
        }
    }
}
