//! Search, a few cells at a time: a window is the cells near some cells, and the numbers that they touch.
//!
//! A [`Ball`] grows a window from cell to number to cell. [`WindowSearch`] backtracks over it and gives up early; then
//! [`LocalBoard`] puts its numbers, as a formula over the cells still open, in front of a SAT solver ([`sat`]). An
//! answer to a large part is put together from windows (`answer`, the method of `Presolved`), and [`Certain`] changes
//! an answer within windows until it is known which cells are the same in all answers. A contradiction in a window
//! holds for the whole board where nothing outside of the window was assumed; an answer within it leaves the rest as it
//! was.

mod answer;
mod ball;
mod certain;
mod local;
pub(crate) mod sat;
mod search;

pub(crate) use answer::Outcome;
pub(crate) use ball::Ball;
pub(crate) use certain::Certain;
pub(crate) use local::LocalBoard;
pub(crate) use search::{WindowSearch, WindowSearchEnd, likely};
