//! Deduction without search: what follows from one number, and from two near each other.
//!
//! A [`BoardState`] has the cells known so far and settles number by number; `presolve` adds pairs of numbers, to a
//! fixed point. What is left falls into parts that no number connects, and [`Presolved`] is both: the state, and its
//! parts. Everything here keeps every answer, and a [`ContradictingNumbers`] means that there is none. [`fill`] and
//! [`put`] write known cells onto a board.

mod components;
mod fill;
mod presolve;
mod presolved;
mod state;

pub(crate) use fill::{fill, put};
pub(crate) use presolved::{ContradictingNumbers, Presolved};
pub(crate) use state::{BoardState, CellKnowledge, Conflict};
