//! Errors of layouts and grids: the place, what was found, what is allowed.
//!
//! Text that somebody else wrote is shown shortened and with its control characters escaped: see [`shown`].

use thiserror::Error;

/// The largest side: n³ variables must be variables of rustsat.
pub(crate) const MAX_SIDE: usize = 1290;
/// The most cells that a grid has; nothing is stored for a text that has more.
pub(crate) const MAX_CELLS: usize = MAX_SIDE * MAX_SIDE;

/// The first `most` characters of a text, control characters escaped, for a message.
pub(crate) fn shown(text: &str, most: usize) -> String {
    let mut shown: String = text.chars().take(most).flat_map(char::escape_debug).collect();
    if text.chars().nth(most).is_some() {
        shown.push('…');
    }
    shown
}

/// The reason why something is no [`Grid`](super::Grid). Lines and columns count from 1, columns in characters.
///
/// ```
/// use cnfkit::Grid;
/// use cnfkit::sudoku::GridError;
/// let error = "1234\n12x4\n....\n....".parse::<Grid>().unwrap_err();
/// assert!(matches!(error, GridError::Syntax { line: 2, column: 3, .. }), "{error}");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GridError {
    /// There are more or fewer values than cells.
    #[error("{found} values for a grid of side {side}; {} are needed", side * side)]
    #[non_exhaustive]
    Length {
        /// The number of values.
        found: usize,
        /// The side of the layout.
        side: usize,
    },
    /// The text is not a grid.
    #[error("line {line}, column {column}: {message}")]
    #[non_exhaustive]
    Syntax {
        /// The line, from 1.
        line: usize,
        /// The column in characters, from 1.
        column: usize,
        /// The text that was found and the texts that are allowed.
        message: String,
    },
    /// The layout in the text is none.
    #[error("line {line}, column {column}: {source}")]
    #[non_exhaustive]
    Layout {
        /// The line, from 1.
        line: usize,
        /// The column in characters, from 1.
        column: usize,
        /// The fault of the layout.
        source: LayoutError,
    },
}

impl GridError {
    /// True if the texts have other signs where this error is.
    pub(super) fn is_at_change(&self, one: &str, other: &str) -> bool {
        let (Self::Syntax { line, column, .. } | Self::Layout { line, column, .. }) = *self else { return false };
        let sign = |text: &str| text.lines().nth(line - 1).and_then(|line| line.chars().nth(column - 1));
        sign(one) != sign(other)
    }

    /// This error on another line: for a text of one line that is line `number` of another.
    pub(crate) fn on_line(mut self, number: usize) -> Self {
        match &mut self {
            Self::Syntax { line, .. } | Self::Layout { line, .. } => *line = number,
            Self::Length { .. } => {}
        }
        self
    }
}

/// The reason why something is no [`Layout`](super::Layout). Rows and columns in fields count from 0, in messages from
/// 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LayoutError {
    /// The side is 0 or too large.
    #[error("a side of {side}; allowed are 1 to {}", MAX_SIDE)]
    #[non_exhaustive]
    Side {
        /// The side asked for.
        side: usize,
    },
    /// The number of labels is no square, so that there is no grid of as many cells.
    #[error("{cells} cells make no square; n rows of n cells each are needed")]
    #[non_exhaustive]
    NotSquare {
        /// The number of labels.
        cells: usize,
    },
    /// A row of labels is longer or shorter than the grid is wide.
    #[error("row {} of the regions has {cells} cells where {side} are needed", row + 1)]
    #[non_exhaustive]
    Ragged {
        /// The row.
        row: usize,
        /// The number of cells it has.
        cells: usize,
        /// The number it should have.
        side: usize,
    },
    /// There are more or fewer regions than rows.
    #[error("{found} regions where {side} are needed; the first cell too much is row {}, column {}", row + 1, col + 1)]
    #[non_exhaustive]
    RegionCount {
        /// The number of regions.
        found: usize,
        /// The number there should be.
        side: usize,
        /// Row of the first cell of a region too much, or of the first cell of the last region.
        row: usize,
        /// Column of that cell.
        col: usize,
    },
    /// A region has more or fewer cells than a row.
    #[error("region {region} has {cells} cells where {side} are needed: look at row {}, column {}", row + 1, col + 1)]
    #[non_exhaustive]
    RegionSize {
        /// The region's letter or number; its beginning when that is long, control characters escaped.
        region: String,
        /// The number of cells it has.
        cells: usize,
        /// The number it should have.
        side: usize,
        /// Row of its first cell too much, or of its last cell.
        row: usize,
        /// Column of that cell.
        col: usize,
    },
    /// A cell is in two groups, or twice in one.
    #[error("row {}, column {} is in region {} and again in region {}", row + 1, col + 1, first + 1, second + 1)]
    #[non_exhaustive]
    Repeated {
        /// The cell's row.
        row: usize,
        /// The cell's column.
        col: usize,
        /// The region that has it already.
        first: usize,
        /// The region that names it again.
        second: usize,
    },
    /// A cell is in no group.
    #[error("row {}, column {} is in no region", row + 1, col + 1)]
    #[non_exhaustive]
    Missing {
        /// The cell's row.
        row: usize,
        /// The cell's column.
        col: usize,
    },
    /// A group names a cell that the grid does not have.
    #[error(
        "row {}, column {} of region {} is outside the grid; rows and columns are 1 to {side}",
        row + 1, col + 1, region + 1
    )]
    #[non_exhaustive]
    Outside {
        /// The cell's row.
        row: usize,
        /// The cell's column.
        col: usize,
        /// The region that names it.
        region: usize,
        /// The grid's side.
        side: usize,
    },
    /// Windows need square boxes of 2 rows or more.
    #[error("windows need square boxes; this layout is `{layout}`")]
    #[non_exhaustive]
    NoWindows {
        /// The layout that should have got windows; its beginning when that is long.
        layout: String,
    },
    /// The text does not describe a layout.
    #[error(
        "`{text}` is no layout; allowed are `boxes RxC`, `latin N`, `side N`, `regions AAB…`, each with \
         `+ diagonals`, `+ windows`, `+ anti-knight`, `+ anti-king`"
    )]
    #[non_exhaustive]
    Syntax {
        /// The text that was found; its beginning when that is long, control characters escaped.
        text: String,
    },
}
