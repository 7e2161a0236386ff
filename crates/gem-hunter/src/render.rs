//! A Gem Hunter board as a picture.

use crate::{Cell, GemMap};
use cnfkit_core::render::{Board, Colour, Look};

impl GemMap {
    /// A picture: numbers black and bold, traps red, gems green, cells not known on grey, holes dark. One SVG document,
    /// 40 units a cell, light.
    ///
    /// ```
    /// let map: cnfkit::GemMap = "3, T, 2, G".parse().unwrap();
    /// assert!(map.to_svg().starts_with("<svg"));
    /// ```
    #[must_use]
    pub fn to_svg(&self) -> String {
        self.to_svg_with(&Look::default())
    }

    /// The picture in another look.
    #[must_use]
    pub fn to_svg_with(&self, look: &Look) -> String {
        board(self).to_svg(look)
    }
}

pub(crate) fn board(map: &GemMap) -> Board {
    let (rows, columns) = (map.rows(), map.columns());
    let mut board = Board::new(rows, columns);
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        let cell = map.get(row, column);
        let (ground, colour) = match cell {
            Cell::Number(_) => (Colour::Paper, Some(Colour::Ink)),
            Cell::Unknown => (Colour::Unknown, None),
            Cell::Trap => (Colour::TrapGround, Some(Colour::Alarm)),
            Cell::Gem => (Colour::GemGround, Some(Colour::Good)),
            Cell::Hole => (Colour::Filled, None),
        };
        board.ground(row, column, ground);
        if let Some(colour) = colour {
            board.write(row, column, cell.to_string(), colour, true);
        }
    }
    let numbers = map.cells().iter().filter(|cell| matches!(cell, Cell::Number(_))).count();
    let [unknown, traps, gems] = [Cell::Unknown, Cell::Trap, Cell::Gem].map(|cell| map.count(cell));
    let counts = format!("{numbers} numbers, {traps} traps, {gems} gems, {unknown} cells not known.");
    board.describe(format!("Gem Hunter board, {rows} × {columns}"), format!("{counts} Row by row: {}", rows_of(map)));
    board
}

/// The board's own text, on one line.
fn rows_of(map: &GemMap) -> String {
    map.to_string().trim_end().replace('\n', "; ")
}
