//! Some numbers of a board as a formula of their own, over the cells that are still open.

use std::fmt;

use rustsat::types::Lit;

use super::sat;
use crate::infer::deduce::BoardState;
use crate::rules;
use cnfkit_ask::internals::{backbone, nothing_lazy};
use cnfkit_core::internals::{Clock, Session};
use cnfkit_core::{ClauseSink, Combinatorial, SolveError};

/// Numbers, their open cells as variables 0, 1, …, and, from the first question on, a solver.
pub(crate) struct LocalBoard {
    /// The cells, ascending.
    cells: Vec<u32>,
    /// The cells of all numbers, as literals, number by number.
    lits: Vec<Lit>,
    /// For each number, how many traps are left for its cells, and where they end in `lits`.
    numbers: Vec<(i32, u32)>,
    clock: Clock,
    session: Option<Session>,
}

impl fmt::Debug for LocalBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Local").field("cells", &self.cells).finish_non_exhaustive()
    }
}

impl LocalBoard {
    pub(crate) fn new(state: &BoardState<'_>, numbers: &[u32], clock: &Clock) -> Self {
        let mut cells: Vec<u32> = numbers.iter().flat_map(|&number| state.open(number)).collect();
        cells.sort_unstable();
        cells.dedup();
        let mut lits = Vec::new();
        let numbers = numbers
            .iter()
            .map(|&number| {
                lits.extend(state.open(number).filter_map(|cell| lit(&cells, cell)));
                (state.left(number).need, lits.len() as u32)
            })
            .collect();
        Self { cells, lits, numbers, clock: clock.clone(), session: None }
    }

    /// The cells, ascending.
    pub(crate) fn cells(&self) -> &[u32] {
        &self.cells
    }

    fn session(&mut self) -> Result<&mut Session, SolveError> {
        let Self { cells, lits, numbers, clock, session } = self;
        let new = session.take();
        let loaded = new.is_some();
        let session = session.insert(new.unwrap_or_else(|| sat::session(clock)));
        if !loaded {
            session.new_vars(cells.len())?;
            let mut from = 0;
            for &(need, end) in &*numbers {
                let lits = &lits[from..end as usize];
                from = end as usize;
                rules::exactly(lits, need, &Combinatorial, session)?;
            }
        }
        Ok(session)
    }

    /// True if there is an answer in which this cell is as given; [`read`](Self::read) gives it.
    pub(crate) fn solve(&mut self, assumed: Option<(u32, bool)>) -> Result<bool, SolveError> {
        let assumed: Option<Lit> =
            assumed.and_then(|(cell, trap)| lit(&self.cells, cell).map(|lit| if trap { lit } else { !lit }));
        let clock = self.clock.clone();
        sat::solve(self.session()?, assumed.as_slice(), &clock)
    }

    /// The answer found last.
    pub(crate) fn read(&self) -> impl Iterator<Item = (u32, bool)> + '_ {
        let value = |var: usize| self.session.as_ref().is_some_and(|s| s.is_true(Lit::positive(var as u32)));
        self.cells.iter().enumerate().map(move |(var, &cell)| (cell, value(var)))
    }

    /// Finds the cells that are the same in all answers: see [`backbone`].
    pub(crate) fn intersect(&mut self, mut decided: impl FnMut(u32, Option<bool>)) -> Result<bool, SolveError> {
        let lits: Vec<Lit> = (0..self.cells.len()).map(|var| Lit::positive(var as u32)).collect();
        let (cells, clock) = (self.cells.clone(), self.clock.clone());
        backbone(self.session()?, &lits, &clock, &mut nothing_lazy, |var, value| decided(cells[var], value))
    }

    /// Blocks an answer: from now on, answers differ from this one.
    pub(crate) fn block(&mut self, answer: &[bool]) -> Result<(), SolveError> {
        let clause: Vec<Lit> = answer.iter().enumerate().map(|(var, &trap)| Lit::new(var as u32, trap)).collect();
        self.session()?.add_clause(&clause)
    }
}

fn lit(cells: &[u32], cell: u32) -> Option<Lit> {
    cells.binary_search(&cell).ok().map(|var| Lit::positive(var as u32))
}
