//! Why: minimal sets of numbers that contradict each other, or that force a cell.

use rustsat::types::Lit;

use super::board::Board;
use super::encode::Plan;
use super::sat::Session;
use super::{GemError, rules};
use crate::solve::Clock;
use crate::{Cnf, Combinatorial};

/// A minimal set of numbers without an answer, ascending; `None` if all numbers together have one.
pub(super) fn contradiction(board: &Board, plan: &Plan, clock: &Clock) -> Result<Option<Vec<usize>>, GemError> {
    if plan.traps.is_none() {
        if let Some(number) = board.impossible().next() {
            return Ok(Some(vec![number]));
        }
    }
    let mut oracle = Oracle { board, plan, clock, lits: Vec::new() };
    let all: Vec<usize> = (0..board.n_numbers()).collect();
    if oracle.has_answer(&all)? {
        return Ok(None);
    }
    oracle.shrink(all).map(Some)
}

/// Whether some of the numbers have an answer.
struct Oracle<'a> {
    board: &'a Board,
    plan: &'a Plan,
    clock: &'a Clock,
    lits: Vec<Lit>,
}

impl Oracle<'_> {
    fn has_answer(&mut self, numbers: &[usize]) -> Result<bool, GemError> {
        let mut cnf = Cnf::with_vars(self.board.map.cells().len());
        for &number in numbers {
            rules::number(self.board, number, &Combinatorial, &mut self.lits, &mut cnf)?;
        }
        if let Some(traps) = self.plan.traps {
            rules::total(self.board, traps, &self.plan.total_encoding(), &mut cnf)?;
        }
        Ok(Session::new(cnf, self.clock.clone()).solve(&[])?.is_some())
    }

    /// Takes away numbers, many at a time and then fewer, as long as the rest has no answer.
    fn shrink(&mut self, mut core: Vec<usize>) -> Result<Vec<usize>, GemError> {
        let mut chunk = core.len().div_ceil(2);
        loop {
            let mut from = 0;
            while from < core.len() {
                let to = (from + chunk).min(core.len());
                let rest: Vec<usize> = core[..from].iter().chain(&core[to..]).copied().collect();
                if self.has_answer(&rest)? {
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
