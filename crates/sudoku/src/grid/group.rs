//! The kinds of groups: rows, columns, regions, diagonals, windows.

use std::fmt;

/// A group of cells that together hold every value exactly once. Numbers count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Group {
    /// A row, from the top.
    Row(usize),
    /// A column, from the left.
    Column(usize),
    /// A box or region, in the order of its first cell.
    Region(usize),
    /// The main diagonal (0, from top left) or the other one (1).
    Diagonal(usize),
    /// A window: an extra box one cell off the border.
    Window(usize),
    /// Cells that windows leave of the lines they lie in: first those of their rows, then of their columns, then those
    /// of no window's lines. No rule names them; they hold every value once because the lines and windows do.
    BesideWindows(usize),
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, number) = match *self {
            Self::Row(number) => ("row", number),
            Self::Column(number) => ("column", number),
            Self::Region(number) => ("region", number),
            Self::Diagonal(number) => ("diagonal", number),
            Self::Window(number) => ("window", number),
            Self::BesideWindows(number) => ("hidden window", number),
        };
        write!(f, "{name} {}", number + 1)
    }
}
