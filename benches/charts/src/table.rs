//! The tables of `benches/BASELINE.md`. Charts draw what stands there and nothing else, so that no figure is written
//! twice: the tables are the data.

use thiserror::Error;

/// A table or a figure that is not where a chart expects it.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TableError {
    /// The text before a table is not there.
    #[error("benches/BASELINE.md: no table after {0:?}")]
    NoTable(String),
    /// No column has that name.
    #[error("benches/BASELINE.md, table after {table:?}: no column {column:?} in {columns:?}")]
    NoColumn {
        /// The text before the table.
        table: String,
        /// The column's name.
        column: String,
        /// The columns that there are.
        columns: Vec<String>,
    },
    /// No row starts with those cells.
    #[error("benches/BASELINE.md, table after {table:?}: no row {row:?}")]
    NoRow {
        /// The text before the table.
        table: String,
        /// The row's first cells.
        row: String,
    },
    /// A cell is no figure.
    #[error("benches/BASELINE.md, table after {table:?}, row {row:?}: {found:?} is no figure")]
    NoFigure {
        /// The text before the table.
        table: String,
        /// The row's first cell.
        row: String,
        /// The cell.
        found: String,
    },
}

/// A table in Markdown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The text that it was found by.
    name: String,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The cells, by row, without emphasis.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// The first table behind `mark` in `text`; `mark` may also be in the table's first row.
    ///
    /// # Errors
    /// When there is none.
    pub fn behind(text: &str, mark: &str) -> Result<Self, TableError> {
        let missing = || TableError::NoTable(mark.to_owned());
        let at = text.find(mark).ok_or_else(missing)?;
        let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
        let is_row = |line: &&str| line.starts_with('|');
        let mut rows = text[line..].lines().skip_while(|line| !is_row(line)).take_while(is_row).map(cells);
        let columns = rows.next().ok_or_else(missing)?;
        // Below the head is the line that aligns.
        Ok(Self { name: mark.to_owned(), columns, rows: rows.skip(1).collect() })
    }

    /// The number of the column with this name.
    ///
    /// # Errors
    /// When there is none.
    pub fn column(&self, name: &str) -> Result<usize, TableError> {
        self.columns.iter().position(|column| column == name).ok_or_else(|| TableError::NoColumn {
            table: self.name.clone(),
            column: name.to_owned(),
            columns: self.columns.clone(),
        })
    }

    /// The row that starts with these cells.
    ///
    /// # Errors
    /// When there is none.
    pub fn row(&self, first: &[&str]) -> Result<&[String], TableError> {
        let row = self.rows.iter().find(|row| row.len() >= first.len() && row.iter().zip(first).all(|(a, b)| a == b));
        row.map(Vec::as_slice).ok_or_else(|| TableError::NoRow { table: self.name.clone(), row: first.join(" | ") })
    }

    /// The figure in a cell, as `read` finds it.
    ///
    /// # Errors
    /// When `read` finds none.
    pub fn figure(&self, row: &[String], column: usize, read: fn(&str) -> Option<f64>) -> Result<f64, TableError> {
        let cell = row.get(column).map_or("", String::as_str);
        read(cell).ok_or_else(|| TableError::NoFigure {
            table: self.name.clone(),
            row: row.first().cloned().unwrap_or_default(),
            found: cell.to_owned(),
        })
    }
}

fn cells(line: &str) -> Vec<String> {
    let inside = line.trim().trim_start_matches('|').trim_end_matches('|');
    inside.split('|').map(|cell| cell.trim().trim_matches('*').to_owned()).collect()
}

/// A number, perhaps with commas.
#[must_use]
pub fn number(cell: &str) -> Option<f64> {
    cell.replace(',', "").parse().ok()
}

/// The clauses of `auxiliaries/clauses`.
#[must_use]
pub fn clauses(cell: &str) -> Option<f64> {
    number(cell.split_once('/')?.1)
}

/// The sum of `auxiliaries/clauses`.
#[must_use]
pub fn sum(cell: &str) -> Option<f64> {
    Some(number(cell.split_once('/')?.0)? + clauses(cell)?)
}

/// The nanoseconds of `clauses: nanoseconds`.
#[must_use]
pub fn nanoseconds(cell: &str) -> Option<f64> {
    number(cell.split_once(": ")?.1)
}

/// The number of `number` or `number (words)`.
#[must_use]
pub fn before_a_bracket(cell: &str) -> Option<f64> {
    number(cell.split(" (").next()?)
}

/// Conflicts in one of three orders: part `AT` of `natural / renumbered / ordered`, each perhaps with how many attempts
/// failed.
#[must_use]
pub fn conflicts<const AT: usize>(cell: &str) -> Option<f64> {
    number(cell.split('/').nth(AT)?.split_whitespace().next()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# A\n\n| no | 1 |\n|---|---|\n| x | 2 |\n\n**here**\n\ntext\n\n\
        | at most | *n* | 8 |\n|---|---:|---:|\n\
        | **cnfkit** | 1/20 | 1,234 |\n| other | – | 5 ✗2 / 6 / 0 |\n\nend\n";

    #[test]
    fn tables_are_found_and_read() {
        let table = Table::behind(TEXT, "**here**").unwrap();
        assert_eq!(table.columns, ["at most", "n", "8"]);
        assert_eq!(Table::behind(TEXT, "at most").unwrap().rows, table.rows);
        let row = table.row(&["cnfkit"]).unwrap();
        assert_eq!(table.figure(row, 1, sum).unwrap().to_bits(), 21_f64.to_bits());
        assert_eq!(table.figure(row, 2, number).unwrap().to_bits(), 1234_f64.to_bits());
        assert_eq!(
            [clauses("16/32"), nanoseconds("32: 1.5"), before_a_bracket("7 (6 solved)")],
            [Some(32.0), Some(1.5), Some(7.0)]
        );
        assert_eq!(
            [conflicts::<0>, conflicts::<1>, conflicts::<2>].map(|read| read("5 ✗2 / 6 / 0")),
            [Some(5.0), Some(6.0), Some(0.0)]
        );
    }

    #[test]
    fn what_is_missing_is_named() {
        let table = Table::behind(TEXT, "**here**").unwrap();
        let message = |error: TableError| error.to_string();
        assert!(message(Table::behind(TEXT, "**there**").unwrap_err()).contains("no table after \"**there**\""));
        assert!(message(Table::behind(TEXT, "end").unwrap_err()).contains("no table after \"end\""));
        assert!(message(table.column("9").unwrap_err()).contains("no column \"9\""));
        assert!(message(table.row(&["cnfkit", "2"]).unwrap_err()).contains("no row \"cnfkit | 2\""));
        let row = table.row(&["other"]).unwrap();
        let error = message(table.figure(row, 1, sum).unwrap_err());
        assert!(error.contains("row \"other\": \"–\" is no figure"), "{error}");
    }
}
