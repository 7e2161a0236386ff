//! Reasons: minimal sets of numbers that contradict each other, or that force a cell.

use super::count::total;
use super::deduce::{Contradiction, Presolved, State};
use super::windows::{Ball, Certain, Local, Outcome};
use crate::board::Board;
use crate::error::GemError;
use cnfkit_core::internals::Clock;
use cnfkit_core::internals::minimal;

/// A minimal set of numbers without an answer, ascending; `None` if all numbers together have one.
///
/// With a total, one that contradicts it: numbers that contradict each other without it are looked for first, since few
/// are left to be tried then.
pub(super) fn unsat_core(board: &Board, total: Option<usize>, clock: &Clock) -> Result<Option<Vec<u32>>, GemError> {
    let alone = without_total(board, clock)?;
    let Some(total) = total else { return Ok(alone) };
    let why = Why::new(board, Some(total), clock, None);
    match alone {
        Some(numbers) => why.shrink(numbers).map(Some),
        None if why.holds(&why.all())? => Ok(None),
        None => why.shrink(why.all()).map(Some),
    }
}

fn without_total(board: &Board, clock: &Clock) -> Result<Option<Vec<u32>>, GemError> {
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
        Contradiction::Near(number) => vec![number],
        Contradiction::Among(numbers) => numbers,
    };
    let seeds: Vec<u32> = numbers.iter().flat_map(|&number| board.open(number as usize)).copied().collect();
    Why::new(board, None, clock, None).minimal(&seeds)
}

/// A minimal set of numbers that force an unknown cell; `None` if the cell is not the same in all answers, or there is
/// none.
pub(super) fn reason(
    board: &Board,
    total: Option<usize>,
    cell: u32,
    clock: &Clock,
) -> Result<Option<Vec<u32>>, GemError> {
    if let Some(total) = total {
        let can_be = |trap| Why::new(board, Some(total), clock, Some((cell, trap)));
        let all: Vec<u32> = (0..board.n_numbers() as u32).collect();
        let refuted = match (can_be(false).holds(&all)?, can_be(true).holds(&all)?) {
            (true, false) => can_be(true),
            (false, true) => can_be(false),
            _ => return Ok(None),
        };
        return refuted.shrink(all).map(Some);
    }
    let Ok(presolved) = Presolved::new(board) else { return Ok(None) };
    let Outcome::Answer(model) = presolved.answer(true, clock)? else { return Ok(None) };
    if board.touching(cell as usize).is_empty() {
        return Ok(None);
    }
    match Certain::new(presolved.base, model, clock).decide(cell)? {
        Some(is) => Why::new(board, None, clock, Some((cell, !is))).minimal(&[cell]),
        None => Ok(None),
    }
}

/// The question which of a board's numbers make a contradiction, together with an assumption about one cell and with
/// the total.
struct Why<'a> {
    board: &'a Board,
    total: Option<usize>,
    clock: &'a Clock,
    /// The board with nothing drawn from it.
    raw: State<'a>,
    assumed: Option<(u32, bool)>,
}

impl<'a> Why<'a> {
    fn new(board: &'a Board, total: Option<usize>, clock: &'a Clock, assumed: Option<(u32, bool)>) -> Self {
        Self { board, total, clock, raw: State::new(board), assumed }
    }

    /// All numbers.
    fn all(&self) -> Vec<u32> {
        (0..self.board.n_numbers() as u32).collect()
    }

    /// A minimal contradiction around some cells: a window grows until it holds one, then shrinks.
    fn minimal(&self, seeds: &[u32]) -> Result<Option<Vec<u32>>, GemError> {
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
    fn holds(&self, numbers: &[u32]) -> Result<bool, GemError> {
        let Some(total) = self.total else {
            return Ok(Local::new(&self.raw, numbers, self.clock).solve(self.assumed)?);
        };
        let part = self.board.part(numbers, self.assumed);
        total::is_possible(&part, total, self.clock).map_err(|limit| limit.error(self.board))
    }

    /// The numbers that are left when as many as possible were taken away, many at a time and then fewer: minimal.
    fn shrink(&self, numbers: Vec<u32>) -> Result<Vec<u32>, GemError> {
        let step = numbers.len().div_ceil(2);
        minimal(numbers, step, |rest| Ok((!self.holds(rest)?).then(|| rest.to_vec())))
    }
}
