//! A board as the page sends it, and what the library makes of it.

use cnfkit::{Cell, GemHunterEncoder, GemMap};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::api::shown;
use crate::jobs::Work;
use crate::problem::Problem;

/// The most rows, and the most columns.
pub(crate) const MOST: usize = 200;

/// Rows of cells: `_` unknown, `T` trap, `G` gem, `#` no cell, or the number of traps around the cell.
pub(crate) type Rows = Vec<Vec<String>>;

/// A cell: row and column, both from 0.
pub(crate) type At = [usize; 2];

/// A board, as rows of cells or as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "a board is `{\"rows\": [[\"_\", \"2\"]]}` or `{\"text\": \"_, 2\"}`")]
pub(crate) enum Board {
    /// Cell by cell.
    Rows {
        /// At most 200 rows of at most 200 cells: `_` unknown, `T` trap, `G` gem, `#` no cell, or a number from 0 to 8.
        rows: Rows,
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
            Self::Rows { rows } => from_rows(rows)?,
        };
        let (rows, columns) = (map.rows(), map.columns());
        if rows > MOST || columns > MOST {
            let error = format!("a board of {rows} × {columns}; at most {MOST} × {MOST} is allowed");
            return Err(Problem::refused("board", error));
        }
        Ok(map)
    }
}

fn from_rows(rows: &Rows) -> Result<GemMap, Problem> {
    let columns = rows.first().map_or(0, Vec::len);
    if columns == 0 {
        return Err(Problem::refused("board.rows", "the board has no cells; it needs at least one"));
    }
    if rows.len() > MOST || columns > MOST {
        let error = format!("a board of {} × {columns}; at most {MOST} × {MOST} is allowed", rows.len());
        return Err(Problem::refused("board.rows", error));
    }
    let mut map = GemMap::new(rows.len(), columns);
    for (row, cells) in rows.iter().enumerate() {
        if cells.len() != columns {
            let error = format!("row {} has {} cells, and the first row {columns}", row + 1, cells.len());
            return Err(Problem::refused(format!("board.rows[{row}]"), error));
        }
        for (column, text) in cells.iter().enumerate() {
            let cell = cell(text).ok_or_else(|| {
                let error = format!("`{}` is no cell; allowed are 0 to 8, _, T, G and #", shown(text));
                Problem::refused(format!("board.rows[{row}][{column}]"), error)
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
