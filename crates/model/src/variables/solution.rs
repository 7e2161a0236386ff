//! [`Solution`]: a value for each variable, and grids of them to print.

use std::fmt;
use std::ops::Index;

use super::expr::{Bool, Expr, ExprFactor, IntVar};
use super::grid::Grid;
use super::makers::Makers;

/// A value for each variable of a [`Model`](crate::Model).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    makers: Makers,
    values: Vec<i64>,
}

impl Solution {
    pub(crate) fn new(makers: &Makers, values: Vec<i64>) -> Self {
        Self { makers: makers.until(values.len()), values }
    }

    /// The value of a variable.
    ///
    /// # Panics
    /// When the variable belongs to another model, or was made after the question was asked.
    #[must_use]
    #[track_caller]
    pub fn value(&self, var: IntVar) -> i64 {
        self.makers.check(var, self.values.len());
        self.values[var.index as usize]
    }

    /// The values of all variables, in the order in which they were made.
    pub(crate) fn all(&self) -> &[i64] {
        &self.values
    }

    /// The values of several variables, sums or truth values.
    ///
    /// # Panics
    /// As [`value_of`](Self::value_of) does.
    pub fn values<E: Into<Expr>>(&self, exprs: impl IntoIterator<Item = E>) -> Vec<i64> {
        exprs.into_iter().map(|expr| self.value_of(expr)).collect()
    }

    /// The truth value in this solution.
    ///
    /// # Panics
    /// As [`value`](Self::value) does.
    #[must_use]
    #[track_caller]
    pub fn is_true(&self, bool: Bool) -> bool {
        bool.holds(self.value(bool.var))
    }

    /// The value of a sum.
    ///
    /// ```
    /// use cnfkit::model::{Model, sum};
    /// let mut model = Model::new();
    /// let x = model.ints(3, 1..=3);
    /// model.all_different(&x);
    /// let solution = model.solve()?.expect("there are solutions");
    /// assert_eq!(solution.value_of(sum(&x) * 2 - 1), 11);
    /// # Ok::<(), cnfkit::model::ModelError>(())
    /// ```
    ///
    /// # Panics
    /// As [`value`](Self::value) does, and when the value is beyond 64 bits.
    #[must_use]
    pub fn value_of(&self, expr: impl Into<Expr>) -> i64 {
        let expr: Expr = expr.into();
        let unit = |unit| match unit {
            ExprFactor::Int(var) => self.value(var),
            ExprFactor::Bool(bool) => i64::from(self.is_true(bool)),
        };
        let sum: i128 = expr.terms.iter().map(|&(of, factor)| i128::from(factor) * i128::from(unit(of))).sum();
        i64::try_from(sum + expr.constant).expect("a sum beyond 64 bits")
    }

    /// The values of a grid, to be printed: a line for each row, 1 where a truth value is true.
    ///
    /// # Panics
    /// As [`value`](Self::value) does.
    #[must_use]
    pub fn grid<T: Copy + Into<Expr>>(&self, grid: &Grid<T>) -> ValueGrid {
        ValueGrid { columns: grid.columns(), values: grid.iter().map(|&cell| self.value_of(cell)).collect() }
    }
}

/// The values of a [`Grid`] in a [`Solution`]. Printed as a line for each row, in columns of equal width;
/// `values[(row, column)]` is one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueGrid {
    columns: usize,
    values: Vec<i64>,
}

impl ValueGrid {
    /// The value at a row and a column, both from 0.
    ///
    /// # Panics
    /// When the grid has no such row or column.
    #[must_use]
    #[track_caller]
    pub fn get(&self, row: usize, column: usize) -> i64 {
        self[(row, column)]
    }

    /// The values of a column, from the top.
    ///
    /// # Panics
    /// When the grid has rows and no such column.
    pub fn column(&self, column: usize) -> impl Iterator<Item = i64> + '_ {
        self.rows().map(move |row| row[column])
    }

    /// The rows, from the top.
    pub fn rows(&self) -> impl Iterator<Item = &[i64]> {
        self.values.chunks(self.columns.max(1))
    }
}

impl Index<(usize, usize)> for ValueGrid {
    type Output = i64;

    /// The value at a row and a column, both from 0.
    ///
    /// # Panics
    /// When the grid has no such row or column.
    #[track_caller]
    fn index(&self, (row, column): (usize, usize)) -> &i64 {
        assert!(column < self.columns, "column {column} of {}", self.columns);
        assert!(row < self.values.len() / self.columns, "row {row} of {}", self.values.len() / self.columns);
        &self.values[row * self.columns + column]
    }
}

impl fmt::Display for ValueGrid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.values.iter().map(|value| value.to_string().len()).max().unwrap_or(0);
        for (at, row) in self.rows().enumerate() {
            if at > 0 {
                f.write_str("\n")?;
            }
            for (column, value) in row.iter().enumerate() {
                let space = if column == 0 { "" } else { " " };
                write!(f, "{space}{value:width$}")?;
            }
        }
        Ok(())
    }
}
