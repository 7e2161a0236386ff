//! Some numbers of a board as a formula of their own, over the cells that are still open.

use rustsat::types::{Assignment, Lit, TernaryVal};

use super::sat::{Session, intersect};
use super::state::State;
use crate::solve::Clock;
use crate::{ClauseSink, Cnf, Combinatorial, Constrain, SolveError};

/// Numbers, their open cells as variables 0, 1, …, and the solver.
#[derive(Debug)]
pub(super) struct Local {
    /// The cells, ascending.
    cells: Vec<u32>,
    session: Session,
}

impl Local {
    pub(super) fn new(state: &State<'_>, numbers: &[u32], clock: &Clock) -> Result<Self, SolveError> {
        let mut cells: Vec<u32> = numbers.iter().flat_map(|&number| state.open(number)).collect();
        cells.sort_unstable();
        cells.dedup();
        let mut cnf = Cnf::with_vars(cells.len());
        let mut lits = Vec::new();
        for &number in numbers {
            lits.clear();
            lits.extend(state.open(number).filter_map(|cell| lit(&cells, cell)));
            match usize::try_from(state.left(number).need) {
                Ok(need) => cnf.exactly(&lits, need, &Combinatorial)?,
                Err(_) => cnf.add_clause(&[])?,
            }
        }
        Ok(Self { cells, session: Session::new(cnf, clock.clone()) })
    }

    /// The cells, ascending.
    pub(super) fn cells(&self) -> &[u32] {
        &self.cells
    }

    /// An answer in which these cells are as given; ask it with [`is_trap`](Self::is_trap).
    pub(super) fn solve(&mut self, assumed: Option<(u32, bool)>) -> Result<Option<Assignment>, SolveError> {
        match assumed.map(|(cell, trap)| (lit(&self.cells, cell), trap)) {
            None | Some((None, _)) => self.session.solve(&[]),
            Some((Some(lit), trap)) => self.session.solve(&[if trap { lit } else { !lit }]),
        }
    }

    /// What the answer says of each cell.
    pub(super) fn read<'a>(&'a self, answer: &'a Assignment) -> impl Iterator<Item = (u32, bool)> + 'a {
        let value = |var: usize| answer.lit_value(Lit::positive(var as u32)) == TernaryVal::True;
        self.cells.iter().enumerate().map(move |(var, &cell)| (cell, value(var)))
    }

    /// Which cells are the same in all answers: see [`intersect`].
    pub(super) fn intersect(&mut self, mut decided: impl FnMut(u32, Option<bool>)) -> Result<bool, SolveError> {
        let lits: Vec<Lit> = (0..self.cells.len()).map(|var| Lit::positive(var as u32)).collect();
        let cells = &self.cells;
        intersect(&mut self.session, &lits, |var, value| decided(cells[var], value))
    }

    /// From now on, an answer must differ from this one.
    pub(super) fn block(&mut self, answer: &[bool]) -> Result<(), SolveError> {
        let clause: Vec<Lit> = answer.iter().enumerate().map(|(var, &trap)| Lit::new(var as u32, trap)).collect();
        self.session.add(&clause)
    }
}

fn lit(cells: &[u32], cell: u32) -> Option<Lit> {
    cells.binary_search(&cell).ok().map(|var| Lit::positive(var as u32))
}
