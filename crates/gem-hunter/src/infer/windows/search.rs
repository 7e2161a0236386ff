//! Backtracking over a few cells, number by number: quick where the answer is near, and given up where it is not.

use std::ops::ControlFlow;

use crate::infer::deduce::{BoardState, CellKnowledge, Conflict};

/// The end of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WindowSearchEnd {
    /// Every cell is known and no number is wrong.
    Yes,
    /// That is proven impossible; the state is as before.
    No,
    /// Too many dead ends; the state is as before.
    GaveUp,
}

/// A choice of the value to try first for a cell.
pub(crate) trait Prefer {
    fn trap(&self, cell: u32, state: &BoardState<'_>) -> bool;
}

impl<F: Fn(u32, &BoardState<'_>) -> bool> Prefer for F {
    fn trap(&self, cell: u32, state: &BoardState<'_>) -> bool {
        self(cell, state)
    }
}

/// True if the numbers around the cell make a trap more likely than a gem.
pub(crate) fn likely(cell: u32, state: &BoardState<'_>) -> bool {
    let balance: i32 = state
        .board
        .touching(cell as usize)
        .iter()
        .map(|&number| state.left(number))
        .map(|left| 2 * left.need - left.open)
        .sum();
    balance > 0
}

/// Reusable memory of searches.
#[derive(Clone, Debug, Default)]
pub(crate) struct WindowSearch {
    decisions: Vec<Decision>,
    /// Numbers that were wrong last: their cells come first.
    wrong: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Decision {
    /// Cells known before.
    known: usize,
    cell: u32,
    trap: bool,
    /// The place of the next one in the order of cells.
    next: usize,
}

impl WindowSearch {
    /// Numbers remembered for having been wrong: as many as a number has neighbours, so that a dead end is left at its
    /// place. `cargo bench --bench gem_hunter -- certain` shows what a change costs.
    const MEMORY: usize = 8;

    /// Makes all of `cells` known, in this order, so that no number is wrong; gives up after `dead_ends`.
    ///
    /// The state must be propagated. Cells elsewhere become known only where they must.
    pub(crate) fn run(
        &mut self,
        state: &mut BoardState<'_>,
        cells: &[u32],
        prefer: &impl Prefer,
        dead_ends: usize,
    ) -> WindowSearchEnd {
        self.visit(state, cells, prefer, dead_ends, |_| ControlFlow::Break(()))
    }

    /// Makes all of `cells` known in one way after another, each of them once, until `found` has enough; otherwise as
    /// [`run`](Self::run). Gives up after so many dead ends without a new way between them.
    pub(crate) fn visit(
        &mut self,
        state: &mut BoardState<'_>,
        cells: &[u32],
        prefer: &impl Prefer,
        dead_ends: usize,
        mut found: impl FnMut(&BoardState<'_>) -> ControlFlow<()>,
    ) -> WindowSearchEnd {
        let start = state.trail().len();
        self.decisions.clear();
        self.wrong.clear();
        let (mut next, mut left) = (0, dead_ends);
        loop {
            let mut result = if let Some(cell) = self.pick(state, cells, &mut next) {
                let trap = prefer.trap(cell, state);
                self.decisions.push(Decision { known: state.trail().len(), cell, trap, next });
                state.assume(cell, trap).map_err(Some)
            } else if found(state).is_break() {
                return WindowSearchEnd::Yes;
            } else {
                left = dead_ends;
                Err(None)
            };
            while let Err(wrong) = result {
                if let Some(Conflict(number)) = wrong {
                    if left == 0 {
                        state.back_to(start);
                        return WindowSearchEnd::GaveUp;
                    }
                    left -= 1;
                    self.remember(number);
                }
                let Some(decision) = self.decisions.pop() else {
                    state.back_to(start);
                    return WindowSearchEnd::No;
                };
                // The other value is forced now: a consequence of the decisions before it.
                state.back_to(decision.known);
                next = decision.next;
                result = state.assume(decision.cell, !decision.trap).map_err(Some);
            }
        }
    }

    fn pick(&self, state: &BoardState<'_>, cells: &[u32], next: &mut usize) -> Option<u32> {
        for &number in self.wrong.iter().rev() {
            if let Some(cell) = state.open(number).next() {
                return Some(cell);
            }
        }
        while let Some(&cell) = cells.get(*next) {
            if state.known(cell) == CellKnowledge::Nothing {
                return Some(cell);
            }
            *next += 1;
        }
        None
    }

    fn remember(&mut self, number: u32) {
        if let Some(at) = self.wrong.iter().position(|&other| other == number) {
            self.wrong.remove(at);
        } else if self.wrong.len() == Self::MEMORY {
            self.wrong.remove(0);
        }
        self.wrong.push(number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::GemBoard;
    use crate::infer::generate::plant;
    use crate::neighbourhood::Neighbourhood;
    use cnfkit_core::internals::Clock;

    /// A search gives up after as many dead ends as it is allowed, and otherwise ends.
    #[test]
    fn few_dead_ends_are_few() {
        let mut gave_up = 0;
        for seed in 0..100 {
            let (map, _) = plant(10, 10, 0.4, 0.6, seed);
            let board = GemBoard::new(map, &Neighbourhood::default(), &Clock::default()).unwrap();
            let cells: Vec<u32> = board.unknown().map(|cell| cell as u32).collect();
            let found = |dead_ends: usize| {
                let mut state = BoardState::new(&board);
                assert!(state.start().is_ok());
                WindowSearch::default().run(&mut state, &cells, &likely, dead_ends)
            };
            assert_eq!(found(1_000_000), WindowSearchEnd::Yes, "seed {seed}");
            gave_up += usize::from(found(1) == WindowSearchEnd::GaveUp);
        }
        assert!(gave_up > 0);
    }
}
