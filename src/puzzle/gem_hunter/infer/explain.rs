//! Why: minimal sets of numbers that contradict each other, or that force a cell.

use rustsat::types::Lit;

use super::answer::{Contradiction, Presolved};
use super::ball::Ball;
use super::board::Board;
use super::certain::Certain;
use super::encode::{self, Plan};
use super::local::Local;
use super::sat;
use super::state::State;
use super::{GemError, rules};
use crate::solve::Clock;
use crate::{Cnf, Combinatorial};

/// A minimal set of numbers without an answer, ascending; `None` if all numbers together have one.
pub(super) fn contradiction(board: &Board, plan: &Plan, clock: &Clock) -> Result<Option<Vec<u32>>, GemError> {
    let mut why = Why { board, plan, clock, raw: State::new(board), assumed: None, lits: Vec::new() };
    if plan.traps.is_some() {
        let all: Vec<u32> = (0..board.n_numbers() as u32).collect();
        return if why.holds(&all)? { Ok(None) } else { why.shrink(all).map(Some) };
    }
    if let Some(number) = board.impossible().next() {
        return Ok(Some(vec![number as u32]));
    }
    let around = match Presolved::new(board).map(|presolved| presolved.answer(true, clock)) {
        Ok(Ok(Ok(_))) => return Ok(None),
        Ok(Err(error)) => return Err(error.into()),
        Ok(Ok(Err(contradiction))) | Err(contradiction) => contradiction,
    };
    let numbers = match around {
        Contradiction::Near(number) => vec![number],
        Contradiction::Among(numbers) => numbers,
    };
    let seeds: Vec<u32> = numbers.iter().flat_map(|&number| board.open(number as usize)).copied().collect();
    why.minimal(&seeds)
}

/// A minimal set of numbers that force an unknown cell; `None` if the cell is not the same in all answers, or there is none.
pub(super) fn reason(board: &Board, plan: &Plan, cell: u32, clock: &Clock) -> Result<Option<Vec<u32>>, GemError> {
    let is = if plan.traps.is_some() {
        let lit = rules::trap(cell as usize);
        let mut session = sat::load(&encode::cnf(board, plan)?, clock)?;
        match (sat::solve(&mut session, &[lit], clock)?, sat::solve(&mut session, &[!lit], clock)?) {
            (true, false) => true,
            (false, true) => false,
            _ => return Ok(None),
        }
    } else {
        let Ok(presolved) = Presolved::new(board) else { return Ok(None) };
        let Ok(model) = presolved.answer(true, clock)? else { return Ok(None) };
        if board.touching(cell as usize).is_empty() {
            return Ok(None);
        }
        match Certain::new(presolved.base, model, clock).decide(cell)? {
            Some(is) => is,
            None => return Ok(None),
        }
    };
    let mut why = Why { board, plan, clock, raw: State::new(board), assumed: Some((cell, !is)), lits: Vec::new() };
    if plan.traps.is_some() {
        return why.shrink((0..board.n_numbers() as u32).collect()).map(Some);
    }
    why.minimal(&[cell])
}

/// Which of a board's numbers make a contradiction, together with what is assumed of one cell and with the total.
struct Why<'a, 'b> {
    board: &'a Board,
    plan: &'b Plan,
    clock: &'b Clock,
    /// The board with nothing drawn from it.
    raw: State<'a>,
    assumed: Option<(u32, bool)>,
    lits: Vec<Lit>,
}

impl Why<'_, '_> {
    /// A minimal contradiction around some cells: a window grows until it holds one, then shrinks.
    fn minimal(&mut self, seeds: &[u32]) -> Result<Option<Vec<u32>>, GemError> {
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

    /// Whether these numbers have an answer.
    fn holds(&mut self, numbers: &[u32]) -> Result<bool, GemError> {
        let Some(traps) = self.plan.traps else {
            return Ok(Local::new(&self.raw, numbers, self.clock).solve(self.assumed)?);
        };
        let mut cnf = Cnf::with_vars(self.board.map.cells().len());
        for &number in numbers {
            rules::number(self.board, number as usize, &Combinatorial, &mut self.lits, &mut cnf)?;
        }
        rules::total(self.board, traps, self.plan.total_encoding(), &mut cnf)?;
        let assumed: Vec<Lit> =
            self.assumed.iter().map(|&(cell, trap)| Lit::new(rules::trap(cell as usize).vidx32(), !trap)).collect();
        Ok(sat::solve(&mut sat::load(&cnf, self.clock)?, &assumed, self.clock)?)
    }

    /// Takes numbers away, many at a time and then fewer, as long as the rest has no answer. The last round asks for each
    /// one left whether it is needed: the result is minimal.
    fn shrink(&mut self, mut core: Vec<u32>) -> Result<Vec<u32>, GemError> {
        let mut chunk = core.len().div_ceil(2);
        loop {
            let mut from = 0;
            while from < core.len() {
                let to = (from + chunk).min(core.len());
                let rest: Vec<u32> = core[..from].iter().chain(&core[to..]).copied().collect();
                if self.holds(&rest)? {
                    from = to;
                } else {
                    core = rest;
                }
            }
            if chunk <= 1 {
                return Ok(core);
            }
            chunk = chunk.div_ceil(2).min(core.len().div_ceil(2)).max(1);
        }
    }
}
