//! [`IntGrid`]: variables in rows and columns.

use std::ops::{Index, Range};

use super::expr::IntVar;

/// Integer variables in rows and columns; made by [`Model::int_grid`](crate::Model::int_grid).
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
#[derive(Clone, Debug)]
pub struct IntGrid {
    rows: usize,
    columns: usize,
    vars: Vec<IntVar>,
}

impl IntGrid {
    pub(crate) fn new(rows: usize, columns: usize, vars: Vec<IntVar>) -> Self {
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
    pub fn at(&self, row: usize, column: usize) -> IntVar {
        assert!(row < self.rows, "row {row}: this grid has {} rows, numbered from 0", self.rows);
        assert!(column < self.columns, "column {column}: this grid has {} columns, numbered from 0", self.columns);
        self.vars[row * self.columns + column]
    }

    /// The variable at a row and a column, if there is one.
    #[must_use]
    pub fn get(&self, row: usize, column: usize) -> Option<IntVar> {
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
    pub fn row(&self, row: usize) -> impl ExactSizeIterator<Item = IntVar> + Clone + '_ {
        self.slice_of(row..row.saturating_add(1), 0..self.columns)
    }

    /// A column, from the top.
    ///
    /// # Panics
    /// When there is no such column.
    #[must_use]
    pub fn column(&self, column: usize) -> impl ExactSizeIterator<Item = IntVar> + Clone + '_ {
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
    ) -> impl ExactSizeIterator<Item = IntVar> + Clone + '_ {
        self.slice_of(rows, columns)
    }

    fn slice_of(&self, rows: Range<usize>, columns: Range<usize>) -> Slice<'_> {
        assert!(rows.end <= self.rows, "rows {rows:?}: this grid has {} rows, numbered from 0", self.rows);
        assert!(
            columns.end <= self.columns,
            "columns {columns:?}: this grid has {} columns, numbered from 0",
            self.columns
        );
        Slice { grid: self, at: 0, rows, columns }
    }

    /// All variables, row by row.
    pub fn iter(&self) -> std::slice::Iter<'_, IntVar> {
        self.vars.iter()
    }
}

impl Index<(usize, usize)> for IntGrid {
    type Output = IntVar;

    /// The variable at a row and a column.
    ///
    /// # Panics
    /// When there is no such row or column.
    fn index(&self, (row, column): (usize, usize)) -> &IntVar {
        assert!(row < self.rows, "row {row}: this grid has {} rows, numbered from 0", self.rows);
        assert!(column < self.columns, "column {column}: this grid has {} columns, numbered from 0", self.columns);
        &self.vars[row * self.columns + column]
    }
}

impl<'a> IntoIterator for &'a IntGrid {
    type Item = &'a IntVar;
    type IntoIter = std::slice::Iter<'a, IntVar>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[derive(Clone)]
struct Slice<'a> {
    grid: &'a IntGrid,
    at: usize,
    rows: Range<usize>,
    columns: Range<usize>,
}

impl Iterator for Slice<'_> {
    type Item = IntVar;

    fn next(&mut self) -> Option<IntVar> {
        if self.len() == 0 {
            return None;
        }
        let (row, column) = (self.at / self.columns.len(), self.at % self.columns.len());
        self.at += 1;
        Some(self.grid.at(self.rows.start + row, self.columns.start + column))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.rows.len() * self.columns.len() - self.at;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Slice<'_> {}
