//! A board as the page sends it, and what the library makes of it.

use cnfkit::{Cell, GemHunterEncoder, GemMap};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::api::shown;
use crate::jobs::Work;
use crate::problem::Problem;

/// The most rows, and the most columns.
pub(crate) const MOST: usize = 1000;

/// Rows of cells: `_` unknown, `T` trap, `G` gem, `#` no cell, or the number of traps around the cell.
pub(crate) type Rows = Vec<Vec<String>>;

/// A cell: row and column, both from 0.
pub(crate) type At = [usize; 2];

/// A board, as rows of cells, lines of signs or text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "a board is `{\"rows\": [[\"_\", \"2\"]]}`, `{\"lines\": [\"_2\"]}` or `{\"text\": \"_, 2\"}`"
)]
pub(crate) enum Board {
    /// Cell by cell.
    Rows {
        /// At most 1000 rows of at most 1000 cells: `_` unknown, `T` trap, `G` gem, `#` no cell, or a number up to 8.
        rows: Rows,
    },
    /// As short as can be: a board of 1000 × 1000 has place in a question.
    Lines {
        /// A row a line, a sign a cell, as in rows.
        lines: Vec<String>,
    },
    /// As `gem/read` takes it.
    Text {
        /// A row a line, cells parted by commas or blanks.
        text: String,
    },
}

impl Board {
    /// The board of a map.
    pub(crate) fn of(map: &GemMap) -> Self {
        Self::Rows { rows: rows(map) }
    }

    /// The map.
    pub(crate) fn map(&self) -> Result<GemMap, Problem> {
        let map = match self {
            Self::Text { text } => {
                let map = text.parse::<GemMap>();
                map.map_err(|error| Problem::refused("board.text", error.to_string()))?
            }
            Self::Rows { rows } => from_rows(rows.len(), "rows", |row| rows[row].iter().map(String::as_str).collect())?,
            Self::Lines { lines } => from_rows(lines.len(), "lines", |row| {
                let line = lines[row].as_str();
                let ends = line.char_indices().map(|(at, sign)| &line[at..at + sign.len_utf8()]);
                ends.collect()
            })?,
        };
        let (rows, columns) = (map.rows(), map.columns());
        if rows > MOST || columns > MOST {
            let error = format!("a board of {rows} × {columns}; at most {MOST} × {MOST} is allowed");
            return Err(Problem::refused("board", error));
        }
        Ok(map)
    }
}

/// A map of this many rows; `cells` gives those of each.
fn from_rows<'a>(rows: usize, field: &str, cells: impl Fn(usize) -> Vec<&'a str>) -> Result<GemMap, Problem> {
    let columns = if rows == 0 { 0 } else { cells(0).len() };
    let place = format!("board.{field}");
    if columns == 0 {
        return Err(Problem::refused(place, "the board has no cells; it needs at least one"));
    }
    if rows > MOST || columns > MOST {
        let error = format!("a board of {rows} × {columns}; at most {MOST} × {MOST} is allowed");
        return Err(Problem::refused(place, error));
    }
    let mut map = GemMap::new(rows, columns);
    for row in 0..rows {
        let cells = cells(row);
        if cells.len() != columns {
            let error = format!("row {} has {} cells, and the first row {columns}", row + 1, cells.len());
            return Err(Problem::refused(format!("{place}[{row}]"), error));
        }
        for (column, text) in cells.into_iter().enumerate() {
            let cell = cell(text).ok_or_else(|| {
                let error = format!("`{}` is no cell; allowed are 0 to 8, _, T, G and #", shown(text));
                Problem::refused(format!("{place}[{row}][{column}]"), error)
            })?;
            map.set(row, column, cell);
        }
    }
    Ok(map)
}

fn cell(text: &str) -> Option<Cell> {
    Some(match text {
        "_" | "." | "" => Cell::Unknown,
        "T" | "t" => Cell::Trap,
        "G" | "g" => Cell::Gem,
        "#" => Cell::Hole,
        number => Cell::Number(number.parse().ok().filter(|number| *number <= 8)?),
    })
}

/// The cells of a map.
pub(crate) fn rows(map: &GemMap) -> Rows {
    map.cells().chunks(map.columns().max(1)).map(|row| row.iter().map(Cell::to_string).collect()).collect()
}

/// Pairs as the page has them.
pub(crate) fn ats(cells: impl IntoIterator<Item = (usize, usize)>) -> Vec<At> {
    cells.into_iter().map(|(row, column)| [row, column]).collect()
}

/// A board and, perhaps, the number of its traps.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct About {
    pub(crate) board: Board,
    /// The number of traps on the whole board, given ones included.
    #[serde(default)]
    pub(crate) total: Option<usize>,
}

/// A question to the library within the time of this one.
pub(crate) fn encoder(map: GemMap, total: Option<usize>, work: &Work) -> GemHunterEncoder {
    let encoder = GemHunterEncoder::new(map).limits(work.limits());
    match total {
        Some(total) => encoder.traps(total),
        None => encoder,
    }
}
