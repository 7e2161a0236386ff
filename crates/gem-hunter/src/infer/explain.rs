//! Minimal sets of numbers that contradict each other.

use super::count::total;
use super::deduce::{BoardState, ContradictingNumbers, Presolved};
use super::windows::{Ball, LocalBoard, Outcome};
use crate::board::GemBoard;
use crate::error::GemError;
use cnfkit_core::internals::{Clock, minimal};

/// A minimal set of numbers without an answer, ascending; `None` if all numbers together have one.
///
/// With a total, one that contradicts it: numbers that contradict each other without it are looked for first, since few
/// are left to be tried then.
pub(super) fn unsat_core(board: &GemBoard, total: Option<usize>, clock: &Clock) -> Result<Option<Vec<u32>>, GemError> {
    let alone = without_total(board, clock)?;
    let Some(total) = total else { return Ok(alone) };
    let why = ContradictionQuestion::new(board, Some(total), clock, None);
    match alone {
        Some(numbers) => why.shrink(numbers).map(Some),
        None if why.holds(&why.all())? => Ok(None),
        None => why.shrink(why.all()).map(Some),
    }
}

fn without_total(board: &GemBoard, clock: &Clock) -> Result<Option<Vec<u32>>, GemError> {
    if let Some(number) = board.impossible().next() {
        return Ok(Some(vec![number as u32]));
    }
    let around = match Presolved::new(board) {
        Ok(presolved) => match presolved.answer(true, clock)? {
            Outcome::Answer(_) => return Ok(None),
            Outcome::Contradiction(contradiction) => contradiction,
        },
        Err(contradiction) => contradiction,
    };
    let numbers = match around {
        ContradictingNumbers::Near(number) => vec![number],
        ContradictingNumbers::Among(numbers) => numbers,
    };
    let seeds: Vec<u32> = numbers.iter().flat_map(|&number| board.open(number as usize)).copied().collect();
    ContradictionQuestion::new(board, None, clock, None).minimal(&seeds)
}

/// The question which of a board's numbers make a contradiction, together with an assumption about one cell and with
/// the total.
pub(super) struct ContradictionQuestion<'a> {
    board: &'a GemBoard,
    total: Option<usize>,
    clock: &'a Clock,
    /// The board with nothing drawn from it.
    raw: BoardState<'a>,
    assumed: Option<(u32, bool)>,
}

impl<'a> ContradictionQuestion<'a> {
    pub(super) fn new(
        board: &'a GemBoard,
        total: Option<usize>,
        clock: &'a Clock,
        assumed: Option<(u32, bool)>,
    ) -> Self {
        Self { board, total, clock, raw: BoardState::new(board), assumed }
    }

    /// All numbers.
    pub(super) fn all(&self) -> Vec<u32> {
        (0..self.board.n_numbers() as u32).collect()
    }

    /// A minimal contradiction around some cells: a window grows until it holds one, then shrinks.
    pub(super) fn minimal(&self, seeds: &[u32]) -> Result<Option<Vec<u32>>, GemError> {
        let mut ball = Ball::new(self.board);
        let mut size = 2 * seeds.len();
        loop {
            ball.grow(&self.raw, seeds, size, usize::MAX);
            if !self.holds(ball.numbers())? {
                let mut numbers = ball.numbers().to_vec();
                numbers.sort_unstable();
                return self.shrink(numbers).map(Some);
            }
            if ball.is_whole() {
                return Ok(None);
            }
            size += size / 2 + 8;
        }
    }

    /// True if these numbers have an answer.
    pub(super) fn holds(&self, numbers: &[u32]) -> Result<bool, GemError> {
        let Some(total) = self.total else {
            return Ok(LocalBoard::new(&self.raw, numbers, self.clock).solve(self.assumed)?);
        };
        let part = self.board.part(numbers, self.assumed);
        total::is_possible(&part, total, self.clock).map_err(|limit| limit.error(self.board))
    }

    /// The numbers that are left when as many as possible were taken away, many at a time and then fewer: minimal.
    pub(super) fn shrink(&self, numbers: Vec<u32>) -> Result<Vec<u32>, GemError> {
        let step = numbers.len().div_ceil(2);
        minimal(numbers, step, |rest| Ok((!self.holds(rest)?).then(|| rest.to_vec())))
    }
}
