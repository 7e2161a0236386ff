//! A board that deduction from one number and from two has gone over, in parts.

use super::components::Components;
use super::presolve::presolve;
use super::state::BoardState;
use crate::board::GemBoard;

/// Numbers that contradict each other, perhaps with more of them than it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ContradictingNumbers {
    /// Somewhere around this number.
    Near(u32),
    /// Among these.
    Among(Vec<u32>),
}

/// Conclusions from one number and from two, and the parts of the rest.
pub(crate) struct Presolved<'a> {
    pub(crate) base: BoardState<'a>,
    pub(crate) parts: Components,
}

impl<'a> Presolved<'a> {
    pub(crate) fn new(board: &'a GemBoard) -> Result<Self, ContradictingNumbers> {
        let mut base = BoardState::new(board);
        presolve(&mut base).map_err(|conflict| ContradictingNumbers::Near(conflict.0))?;
        base.commit();
        let parts = Components::new(&base);
        Ok(Self { base, parts })
    }
}
