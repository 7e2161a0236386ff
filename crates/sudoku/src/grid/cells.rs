//! A grid: a layout and the values of its cells.

use std::fmt;

use crate::grid::error::GridError;
use crate::grid::layout::Layout;

/// A Sudoku grid, full, empty or in between. Rows and columns count from 0, values from 1 to the side.
///
/// A grid keeps whatever it is given: values out of range and values that contradict each other are reported by
/// [`check`](Self::check), and values out of range also by every question of
/// [`SudokuEncoder`](crate::SudokuEncoder). If the grid was text, the report has line and column.
///
/// ```
/// use cnfkit::{Grid, Layout};
/// let grid: Grid = "1 . . . / . . 3 . / . 4 . . / . . . 2".replace('/', "\n").parse().unwrap();
/// assert_eq!((grid.side(), grid.get(1, 2), grid.get(0, 1)), (4, Some(3), None));
/// assert_eq!(grid.to_string(), "1.....3..4.....2");
/// assert_eq!(grid, Grid::from([[1, 0, 0, 0], [0, 0, 3, 0], [0, 4, 0, 0], [0, 0, 0, 2]]));
/// assert_eq!(grid.layout(), &Layout::boxes(2, 2));
/// ```
///
/// # Text
/// [`FromStr`](std::str::FromStr) reads, with `.`, `*`, `_` or, where it is no value, `0` for an empty cell:
/// * all n² cells in one word: 81 characters for 9×9;
/// * n rows of n characters, or of n numbers parted by blanks or commas;
/// * such rows with `|` between boxes, and lines of `-`, `+`, `=`;
/// * sides beyond 9 by numbers, or by characters, small letters as large ones, in any alphabet of printed puzzles: for
///   side 16 `1-G`, `0-F` or `A-P`. `0` is a value beside another sign for an empty cell, and where it stands in no
///   more than n cells beside no sign that `0-F` lacks. Where two alphabets fit, as in a puzzle without `0` and `G`,
///   the error names the lines of which one, such as `values: 0-F`, before the grid says which it is;
/// * before all that a line `layout: …` with anything that a [`Layout`] parses; otherwise [`Layout::for_side`], or
///   whatever [`parse_as`](Self::parse_as) is told;
/// * a title before a complete grid, one line with letters that is longer or shorter than a row;
/// * one line `puzzle:number of solutions`, with or without `:solution` behind it: cells as characters, the rest passed
///   over;
/// * a line `puzzle,solution`, perhaps under a line of names, whose solution is compared with the puzzle;
/// * one line `name|n|box rows|box columns|cells|regions|…`: numbers parted by commas, 0 = empty; box rows = 0 means
///   the regions given, or none.
///
/// Text that is no grid, up to 128 KiB, is read without its frame, if that leads to one grid: lines of any kind
/// around cells and boxes, brackets and quotes of lists, `None` and `null`, a note after ` #`. `-`, `?`, `x` or `·` is
/// an empty cell where the text has no other sign for one; where it has none, so is nothing between two commas,
/// semicolons, tabs or bars, and a blank in rows of as many characters as there are rows.
///
/// Blank lines, and lines that start with `#`, are skipped. [`Display`](fmt::Display) prints one word where that can be
/// (side at most 9), rows of numbers otherwise, and the layout before it unless it is the usual one; `{:#}` draws
/// boxes. Both parse back to the same grid.
#[derive(Clone)]
pub struct Grid {
    layout: Layout,
    /// Row by row; 0 = empty.
    cells: Vec<u16>,
    /// The places in the text of the values out of range, by cell: for messages, no part of the grid's value.
    wrong: Box<[WrongCell]>,
}

/// A cell whose value is out of range, and where the value stands in the text; line and column from 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WrongCell {
    pub(crate) cell: usize,
    pub(crate) value: u16,
    pub(crate) line: usize,
    pub(crate) column: usize,
    /// The letter that stands there, and the first and the last sign that are allowed.
    pub(crate) letter: Option<[char; 3]>,
}

impl PartialEq for Grid {
    fn eq(&self, other: &Self) -> bool {
        self.layout == other.layout && self.cells == other.cells
    }
}

impl Eq for Grid {}

impl Grid {
    /// A grid with the given values, row by row, 0 = empty.
    ///
    /// # Errors
    /// [`GridError::Length`] when there are not side² of them.
    pub fn new(layout: Layout, givens: impl AsRef<[u16]>) -> Result<Self, GridError> {
        let (found, side) = (givens.as_ref().len(), layout.side());
        if found == side * side {
            Ok(Self { layout, cells: givens.as_ref().to_vec(), wrong: Box::default() })
        } else {
            Err(GridError::Length { found, side })
        }
    }

    /// A grid without any value.
    #[must_use]
    pub fn empty(layout: Layout) -> Self {
        let cells = vec![0; layout.side() * layout.side()];
        Self { layout, cells, wrong: Box::default() }
    }

    /// Remembers where in the text wrong values stood.
    pub(crate) fn with_wrong(mut self, wrong: Vec<WrongCell>) -> Self {
        self.wrong = wrong.into();
        self
    }

    /// No value that was read is out of range.
    pub(super) fn has_no_wrong(&self) -> bool {
        self.wrong.is_empty()
    }

    /// Puts values out of range on another line, for a text of one line that is line `number` of another.
    pub(crate) fn on_line(&mut self, number: usize) {
        self.wrong.iter_mut().for_each(|wrong| wrong.line = number);
    }

    /// The place where a value out of range still stands as in the text.
    pub(crate) fn wrong(&self, cell: usize) -> Option<&WrongCell> {
        let index = self.wrong.binary_search_by_key(&cell, |wrong| wrong.cell).ok()?;
        Some(&self.wrong[index]).filter(|wrong| wrong.value == self.cells[cell])
    }

    /// The number of rows, of columns, and of values.
    #[must_use]
    pub fn side(&self) -> usize {
        self.layout.side()
    }

    /// The layout.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The value of a cell, if it has one.
    ///
    /// # Panics
    /// When the cell is outside the grid.
    #[must_use]
    pub fn get(&self, row: usize, col: usize) -> Option<u16> {
        Some(self.cells[self.index(row, col)]).filter(|&value| value != 0)
    }

    /// Puts a value into a cell, or empties it with `None` or 0.
    ///
    /// # Panics
    /// When the cell is outside the grid.
    pub fn set(&mut self, row: usize, col: usize, value: impl Into<Option<u16>>) {
        let index = self.index(row, col);
        self.cells[index] = value.into().unwrap_or(0);
    }

    pub(crate) fn index(&self, row: usize, col: usize) -> usize {
        let side = self.side();
        assert!(row < side && col < side, "row {row}, column {col} is outside a grid of side {side}");
        row * side + col
    }

    /// The cells row by row, 0 = empty.
    #[must_use]
    pub fn cells(&self) -> &[u16] {
        &self.cells
    }

    pub(crate) fn cells_mut(&mut self) -> &mut [u16] {
        &mut self.cells
    }

    /// Row, column and value of every cell that has one.
    ///
    /// ```
    /// use cnfkit::Grid;
    /// let grid: Grid = "1.....3..4.....2".parse()?;
    /// assert_eq!(grid.givens().collect::<Vec<_>>(), [(0, 0, 1), (1, 2, 3), (2, 1, 4), (3, 3, 2)]);
    /// assert_eq!(grid.cells()[..4], [1, 0, 0, 0]);
    /// # Ok::<(), cnfkit::sudoku::GridError>(())
    /// ```
    pub fn givens(&self) -> impl Iterator<Item = (usize, usize, u16)> {
        let side = self.side();
        let filled = self.cells.iter().enumerate().filter(|&(_, &value)| value != 0);
        filled.map(move |(cell, &value)| (cell / side, cell % side, value))
    }

    /// True if every cell has a value, right or wrong.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.cells.iter().all(|&value| value != 0)
    }
}

/// 0 = empty; the layout is [`Layout::for_side`].
///
/// # Panics
/// When `N` is 0 or beyond [`Layout::MAX_SIDE`].
impl<const N: usize> From<[[u8; N]; N]> for Grid {
    fn from(rows: [[u8; N]; N]) -> Self {
        let cells = rows.as_flattened().iter().map(|&value| value.into()).collect();
        Self { layout: Layout::for_side(N), cells, wrong: Box::default() }
    }
}

impl From<&Grid> for Grid {
    fn from(grid: &Grid) -> Self {
        grid.clone()
    }
}

impl fmt::Debug for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Grid").field("layout", &self.layout).field("cells", &self.cells).finish_non_exhaustive()
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = self.side();
        if Layout::try_for_side(side).ok().as_ref() != Some(&self.layout) {
            writeln!(f, "layout: {}", self.layout)?;
        }
        if f.alternate() {
            return self.draw(f);
        }
        if side <= 9 && self.cells.iter().all(|&value| value <= 9) {
            return self.cells.iter().try_for_each(|&value| write!(f, "{}", ShownValue(value)));
        }
        let width = self.width();
        self.cells.iter().enumerate().try_for_each(|(i, &value)| {
            let after = match (i + 1) % side {
                _ if i + 1 == self.cells.len() => "",
                0 => "\n",
                _ => " ",
            };
            write!(f, "{:>width$}{after}", ShownValue(value))
        })
    }
}

impl Grid {
    /// Characters of the longest value.
    fn width(&self) -> usize {
        self.cells.iter().max().map_or(1, |value| value.to_string().len())
    }

    /// Rows of values with lines between boxes; regions of other shapes are not drawn.
    fn draw(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (side, width) = (self.side(), self.width());
        let (rows, cols) = self.layout.box_size().unwrap_or((side, side));
        let dashes = vec!["-".repeat(cols * (width + 1)); side / cols].join("+-");
        for (row, values) in self.cells.chunks(side).enumerate() {
            if row > 0 {
                writeln!(f)?;
                if row % rows == 0 {
                    writeln!(f, "{}", &dashes[..dashes.len() - 1])?;
                }
            }
            for (col, &value) in values.iter().enumerate() {
                let before = match col {
                    0 => "",
                    _ if col % cols == 0 => " | ",
                    _ => " ",
                };
                write!(f, "{before}{:>width$}", ShownValue(value))?;
            }
        }
        Ok(())
    }
}

/// A value, or `.`
struct ShownValue(u16);

impl fmt::Display for ShownValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.pad("."),
            value => value.fmt(f),
        }
    }
}
