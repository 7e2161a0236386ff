//! Names for the rules, so that every clause of the formula can say where it comes from.

use std::fmt;

use crate::grid::Group;

/// A rule that a part of the formula comes from; the [minimal set](crate::ConstraintSet::Minimal) says only
/// half of it. Rows and columns count from 0, in messages from 1.
///
/// ```
/// use cnfkit::sudoku::Rule;
/// use cnfkit::{Grid, SudokuEncoder};
/// let encoder = SudokuEncoder::new("12..............".parse::<Grid>()?);
/// let given = encoder.rules().find(|(rule, _)| matches!(rule, Rule::Given { value: 2, .. }));
/// assert_eq!(given.map(|(rule, _)| rule.to_string()).as_deref(), Some("row 1, column 2: 2 is given"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// A cell holds exactly one value.
    Cell {
        /// The cell's row.
        row: usize,
        /// The cell's column.
        col: usize,
    },
    /// A group holds a value exactly once.
    Group {
        /// The group.
        group: Group,
        /// The value.
        value: u16,
    },
    /// Two cells a banned chess move apart do not both hold a value.
    Ban {
        /// Row and column of the first cell.
        first: (usize, usize),
        /// Row and column of the second cell.
        second: (usize, usize),
        /// The value.
        value: u16,
    },
    /// A cell's value is given.
    Given {
        /// The cell's row.
        row: usize,
        /// The cell's column.
        col: usize,
        /// The value.
        value: u16,
    },
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Cell { row, col } => write!(f, "row {}, column {}: exactly one value", row + 1, col + 1),
            Self::Group { group, value } => write!(f, "{group}: {value} exactly once"),
            Self::Ban { first, second, value } => write!(
                f,
                "row {}, column {} and row {}, column {}: not both {value}",
                first.0 + 1,
                first.1 + 1,
                second.0 + 1,
                second.1 + 1
            ),
            Self::Given { row, col, value } => write!(f, "row {}, column {}: {value} is given", row + 1, col + 1),
        }
    }
}
