//! Grids and cells in JSON.

use cnfkit::Grid;

use crate::json::Json;

/// The cells of a grid in JSON, a list a row; 0 is open.
pub(super) fn rows(grid: &Grid) -> Json {
    Json::list(grid.cells().chunks(grid.side().max(1)).map(|row| Json::list(row.iter().copied())))
}

/// A cell and its value in JSON; rows and columns count from 1.
pub(super) fn place(row: usize, col: usize, value: u16) -> Json {
    Json::object([("row", (row + 1).into()), ("column", (col + 1).into()), ("value", Json::from(value))])
}
