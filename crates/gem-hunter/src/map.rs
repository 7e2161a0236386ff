//! The board: what each cell shows.

use std::fmt::{self, Write};

/// The contents of a cell of a [`GemMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cell {
    /// The number of traps among the cell's neighbours. The cell itself never is one.
    Number(u8),
    /// Not known yet: `_`.
    Unknown,
    /// A trap: `T`.
    Trap,
    /// A gem: `G`.
    Gem,
    /// No cell of the board: `#`. It is no trap, shows nothing, and no question is about it.
    Hole,
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Unknown => f.write_char('_'),
            Self::Trap => f.write_char('T'),
            Self::Gem => f.write_char('G'),
            Self::Hole => f.write_char('#'),
        }
    }
}

/// A board: `rows` × `columns` cells, addressed by row and column from 0.
///
/// Text is read with [`str::parse`] (tolerant) or [`GemParser`](super::GemParser) (strict, or larger numbers), and
/// written by `Display` in the format `3, T, 2, G`, a row a line, which reads back as the same board.
///
/// ```
/// use cnfkit::{Cell, GemMap};
/// let map: GemMap = "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _\n".parse()?;
/// assert_eq!((map.rows(), map.columns()), (3, 4));
/// assert_eq!((map.get(0, 2), map.get(1, 0)), (Cell::Number(2), Cell::Unknown));
/// assert_eq!(map.to_string().parse::<GemMap>()?, map);
/// # Ok::<(), cnfkit::gem_hunter::GemParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct GemMap {
    columns: usize,
    cells: Vec<Cell>,
}

impl GemMap {
    /// A board on which nothing is known.
    ///
    /// # Panics
    /// When `rows` · `columns` overflows.
    #[must_use]
    pub fn new(rows: usize, columns: usize) -> Self {
        let cells = rows.checked_mul(columns).expect("a board of more cells than memory has");
        Self::from_cells(columns, vec![Cell::Unknown; cells])
    }

    /// A board from its cells, row by row.
    pub(super) const fn from_cells(columns: usize, cells: Vec<Cell>) -> Self {
        Self { columns, cells }
    }

    /// The number of rows.
    #[must_use]
    pub const fn rows(&self) -> usize {
        match self.cells.len().checked_div(self.columns) {
            Some(rows) => rows,
            None => 0,
        }
    }

    /// The number of columns.
    #[must_use]
    pub const fn columns(&self) -> usize {
        self.columns
    }

    /// The contents of the cell.
    ///
    /// # Panics
    /// When there is no such cell.
    #[must_use]
    pub fn get(&self, row: usize, column: usize) -> Cell {
        self.cells[self.index(row, column)]
    }

    /// Changes what the cell shows.
    ///
    /// # Panics
    /// When there is no such cell.
    pub fn set(&mut self, row: usize, column: usize, cell: Cell) {
        let index = self.index(row, column);
        self.cells[index] = cell;
    }

    /// All cells, row by row.
    ///
    /// ```
    /// use cnfkit::{Cell, GemMap};
    /// let map: GemMap = "1, _\nT, G".parse()?;
    /// assert_eq!(map.cells(), [Cell::Number(1), Cell::Unknown, Cell::Trap, Cell::Gem]);
    /// # Ok::<(), cnfkit::gem_hunter::GemParseError>(())
    /// ```
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The number of cells that show `cell`.
    #[must_use]
    pub fn count(&self, cell: Cell) -> usize {
        self.cells.iter().filter(|&&other| other == cell).count()
    }

    pub(super) fn cells_mut(&mut self) -> &mut [Cell] {
        &mut self.cells
    }

    /// Row and column of the cell with this index in [`cells`](Self::cells).
    pub(super) const fn position(&self, index: usize) -> (usize, usize) {
        (index / self.columns, index % self.columns)
    }

    pub(super) fn index(&self, row: usize, column: usize) -> usize {
        let (rows, columns) = (self.rows(), self.columns);
        assert!(row < rows && column < columns, "no cell ({row}, {column}) on a board of {rows} × {columns}");
        row * columns + column
    }
}

impl fmt::Display for GemMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in self.cells.chunks(self.columns.max(1)) {
            for (column, cell) in row.iter().enumerate() {
                if column > 0 {
                    f.write_str(", ")?;
                }
                write!(f, "{cell}")?;
            }
            f.write_char('\n')?;
        }
        Ok(())
    }
}

impl fmt::Debug for GemMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GemMap {} × {}\n{self}", self.rows(), self.columns)
    }
}
