//! [`Grid`]: variables in rows and columns.

use std::ops::{Index, Range};

use super::expr::{Bool, IntVar};

/// Variables in rows and columns; made by [`Model::int_grid`](crate::Model::int_grid) and
/// [`Model::bool_grid`](crate::Model::bool_grid).
///
/// Rows and columns are numbered from 0. A row, a column or a slice is an iterator of variables, as constraints take
/// them.
///
/// ```
/// use cnfkit::model::{IntGrid, Model, ValueGrid};
/// let mut model = Model::new();
/// let grid: IntGrid = model.int_grid(2, 3, 0..=9);
/// assert_eq!((grid.rows(), grid.columns(), grid.get(2, 0).is_none()), (2, 3, true));
/// model.post(grid.at(1, 2).eq(7) & grid[(0, 0)].eq(10 - grid.at(1, 2)));
/// let solution = model.solve()?.expect("there are solutions");
/// let values: ValueGrid = solution.grid(&grid);
/// assert_eq!((values.get(1, 2), values.get(0, 0), values.rows().count()), (7, 3, 2));
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
///
/// ```
/// use cnfkit::model::{Model, connected, sum};
/// let mut model = Model::new();
/// let white = model.bool_grid(3, 3);
/// model.post(connected(&white, white.adjacent()));
/// model.post(sum(white.neighbours(1, 1)).eq(4)); // a plus without its centre, and corners
/// model.post(!white[(1, 1)]);
/// for line in white.diagonals() {
///     model.post(sum(line).le(2));
/// }
/// assert_eq!(model.count(100)?, 4 + 1); // three corners join the arms, and so do all four
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Grid<T> {
    rows: usize,
    columns: usize,
    vars: Vec<T>,
}

/// Integer variables in rows and columns.
pub type IntGrid = Grid<IntVar>;

/// Boolean variables in rows and columns.
pub type BoolGrid = Grid<Bool>;

impl<T: Copy> Grid<T> {
    /// A grid of anything, by row and column: `Grid::from_fn(9, 9, |row, column| (row, column)).adjacent()` are edges
    /// without variables.
    pub fn from_fn(rows: usize, columns: usize, mut cell: impl FnMut(usize, usize) -> T) -> Self {
        let mut vars = Vec::new();
        for row in 0..rows {
            vars.extend((0..columns).map(|column| cell(row, column)));
        }
        Self { rows, columns, vars }
    }

    pub(crate) fn new(rows: usize, columns: usize, vars: Vec<T>) -> Self {
        debug_assert_eq!(vars.len(), rows * columns);
        Self { rows, columns, vars }
    }

    /// The number of rows.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    #[must_use]
    pub const fn columns(&self) -> usize {
        self.columns
    }

    /// The variable at a row and a column.
    ///
    /// # Panics
    /// When there is no such row or column.
    #[must_use]
    #[track_caller]
    pub fn at(&self, row: usize, column: usize) -> T {
        assert!(row < self.rows, "row {row}: this grid has {} rows, numbered from 0", self.rows);
        assert!(column < self.columns, "column {column}: this grid has {} columns, numbered from 0", self.columns);
        self.vars[row * self.columns + column]
    }

    /// The variable at a row and a column, if there is one.
    #[must_use]
    pub fn get(&self, row: usize, column: usize) -> Option<T> {
        if row < self.rows && column < self.columns {
            self.vars.get(row * self.columns + column).copied()
        } else {
            None
        }
    }

    /// A row, from the left.
    ///
    /// # Panics
    /// When there is no such row.
    #[must_use]
    pub fn row(&self, row: usize) -> impl ExactSizeIterator<Item = T> + DoubleEndedIterator + Clone + '_ {
        self.slice_of(row..row.saturating_add(1), 0..self.columns)
    }

    /// A column, from the top.
    ///
    /// # Panics
    /// When there is no such column.
    #[must_use]
    pub fn column(&self, column: usize) -> impl ExactSizeIterator<Item = T> + DoubleEndedIterator + Clone + '_ {
        self.slice_of(0..self.rows, column..column.saturating_add(1))
    }

    /// The variables in some rows and some columns, row by row.
    ///
    /// # Panics
    /// When there is no such row or column.
    #[must_use]
    pub fn slice(
        &self,
        rows: Range<usize>,
        columns: Range<usize>,
    ) -> impl ExactSizeIterator<Item = T> + DoubleEndedIterator + Clone + '_ {
        self.slice_of(rows, columns)
    }

    fn slice_of(&self, rows: Range<usize>, columns: Range<usize>) -> Slice<'_, T> {
        assert!(rows.end <= self.rows, "rows {rows:?}: this grid has {} rows, numbered from 0", self.rows);
        assert!(
            columns.end <= self.columns,
            "columns {columns:?}: this grid has {} columns, numbered from 0",
            self.columns
        );
        let left = 0..rows.len() * columns.len();
        Slice { grid: self, left, rows, columns }
    }

    /// All variables, row by row.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.vars.iter()
    }

    /// The variables above, left, right and below, as far as there are any.
    pub fn neighbours(&self, row: usize, column: usize) -> impl Iterator<Item = T> + '_ {
        let above = row.checked_sub(1).map(|row| (row, column));
        let left = column.checked_sub(1).map(|column| (row, column));
        let places = [above, left, Some((row, column.saturating_add(1))), Some((row.saturating_add(1), column))];
        places.into_iter().flatten().filter_map(|(row, column)| self.get(row, column))
    }

    /// The variables around one, diagonally too: up to eight.
    ///
    /// ```
    /// use cnfkit::model::Grid;
    /// let numbers = Grid::from_fn(3, 4, |row, column| 4 * row + column);
    /// assert_eq!(numbers.around(0, 2).collect::<Vec<_>>(), [1, 3, 5, 6, 7]);
    /// assert!(numbers.adjacent().all(|(one, other)| numbers[one] < numbers[other]));
    /// ```
    pub fn around(&self, row: usize, column: usize) -> impl Iterator<Item = T> + '_ {
        let near = |at: usize, n: usize| at.saturating_sub(1)..at.saturating_add(2).min(n);
        let rows = near(row, self.rows);
        let places = rows.flat_map(move |other| near(column, self.columns).map(move |at| (other, at)));
        places.filter(move |&place| place != (row, column)).filter_map(|(row, column)| self.get(row, column))
    }

    /// The pairs of variables side by side or one above the other, as numbers row by row from 0: the edges of the grid
    /// as a graph, for [`connected`](crate::connected).
    pub fn adjacent(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.vars.len()).flat_map(|at| {
            let right = (at % self.columns + 1 < self.columns).then_some((at, at + 1));
            let below = (at / self.columns + 1 < self.rows).then_some((at, at + self.columns));
            right.into_iter().chain(below)
        })
    }

    /// All diagonals of two variables and more, from the top down: first those that go right, then those that go left.
    #[must_use]
    pub fn diagonals(&self) -> Vec<Vec<T>> {
        let (rows, columns) = (self.rows, self.columns);
        let line = |sum: usize, right: bool| -> Vec<T> {
            let column = |row: usize| if right { (row + sum).checked_sub(rows) } else { sum.checked_sub(row + 1) };
            (0..rows).filter_map(|row| self.get(row, column(row)?)).collect()
        };
        let all = [true, false].into_iter().flat_map(|right| (1..rows + columns).map(move |sum| line(sum, right)));
        all.filter(|line| line.len() > 1).collect()
    }
}

impl<T> Index<(usize, usize)> for Grid<T> {
    type Output = T;

    /// The variable at a row and a column.
    ///
    /// # Panics
    /// When there is no such row or column.
    fn index(&self, (row, column): (usize, usize)) -> &T {
        assert!(row < self.rows, "row {row}: this grid has {} rows, numbered from 0", self.rows);
        assert!(column < self.columns, "column {column}: this grid has {} columns, numbered from 0", self.columns);
        &self.vars[row * self.columns + column]
    }
}

impl<T> Index<usize> for Grid<T> {
    type Output = T;

    /// The variable of this number, row by row from 0, as [`adjacent`](Grid::adjacent) numbers them.
    ///
    /// # Panics
    /// When the grid has no more variables.
    fn index(&self, at: usize) -> &T {
        &self.vars[at]
    }
}

impl<'a, T: Copy> IntoIterator for &'a Grid<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[derive(Clone)]
struct Slice<'a, T> {
    grid: &'a Grid<T>,
    left: Range<usize>,
    rows: Range<usize>,
    columns: Range<usize>,
}

impl<T: Copy> Slice<'_, T> {
    fn at(&self, at: usize) -> T {
        let (row, column) = (at / self.columns.len(), at % self.columns.len());
        self.grid.at(self.rows.start + row, self.columns.start + column)
    }
}

impl<T: Copy> Iterator for Slice<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.left.next().map(|at| self.at(at))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.left.size_hint()
    }
}

impl<T: Copy> DoubleEndedIterator for Slice<'_, T> {
    fn next_back(&mut self) -> Option<T> {
        self.left.next_back().map(|at| self.at(at))
    }
}

impl<T: Copy> ExactSizeIterator for Slice<'_, T> {}
