//! A Gem Hunter board as a picture.

use svg::Node;
use svg::node::element::Group;

use super::{document, ground, label, lines};
use crate::{Cell, GemMap};

impl GemMap {
    /// A picture: numbers black, traps red, gems green, cells not known on grey, holes dark. One SVG document, 40 units
    /// a cell.
    ///
    /// ```
    /// let map: cnfkit::GemMap = "3, T, 2, G".parse().unwrap();
    /// assert!(map.to_svg().starts_with("<svg"));
    /// ```
    #[must_use]
    pub fn to_svg(&self) -> String {
        let (rows, columns) = (self.rows(), self.columns());
        let mut cells = Group::new();
        let mut values = Group::new();
        for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
            let cell = self.get(row, column);
            let (back, colour) = match cell {
                Cell::Number(_) => ("white", "black"),
                Cell::Unknown => ("#dddddd", ""),
                Cell::Trap => ("#fbe3e4", "#c8102e"),
                Cell::Gem => ("#e2f3e4", "#1b7f33"),
                Cell::Hole => ("#555555", ""),
            };
            cells.append(ground(row, column, back));
            if !matches!(cell, Cell::Unknown | Cell::Hole) {
                values.append(label(row, column, cell.to_string()).set("fill", colour));
            }
        }
        document(rows, columns).add(cells).add(lines(rows, columns, |_, _| false)).add(values).to_string()
    }
}
