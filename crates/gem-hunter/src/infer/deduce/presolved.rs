//! A board that deduction from one number and from two has gone over, in parts.

use super::components::Components;
use super::presolve::presolve;
use super::state::State;
use crate::board::Board;

/// Numbers that contradict each other, perhaps with more of them than it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Contradiction {
    /// Somewhere around this number.
    Near(u32),
    /// Among these.
    Among(Vec<u32>),
}

/// Conclusions from one number and from two, and the parts of the rest.
pub(crate) struct Presolved<'a> {
    pub(crate) base: State<'a>,
    pub(crate) parts: Components,
}

impl<'a> Presolved<'a> {
    pub(crate) fn new(board: &'a Board) -> Result<Self, Contradiction> {
        let mut base = State::new(board);
        presolve(&mut base).map_err(|conflict| Contradiction::Near(conflict.0))?;
        base.commit();
        let parts = Components::new(&base);
        Ok(Self { base, parts })
    }
}
