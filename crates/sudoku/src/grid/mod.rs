//! Grids: the shape, the cells, their text, and faults that show without solving.
//!
//! [`Layout`] says which cells belong together and keeps the [`Tables`] that deduction looks things up in. [`Grid`] is
//! a layout with values; `parse` reads one in the `alphabet` that its text is written in, out of the `frame` that other
//! programs print around it, `check` lists what is wrong with one, [`Sheet`] is one that somebody fills in, `jigsaw`
//! draws regions by lot, and `view` shows a layout's groups to programs that draw or explain.

mod alphabet;
mod cells;
mod check;
mod error;
mod frame;
mod group;
mod jigsaw;
mod layout;
mod parse;
mod sheet;
mod tables;
mod view;

pub use cells::Grid;
pub use check::{Problem, ProblemKind};
pub use error::{GridError, LayoutError};
pub use group::Group;
pub use layout::Layout;
pub use sheet::{CellStatus, Sheet, SheetError};
pub(crate) use tables::Tables;
