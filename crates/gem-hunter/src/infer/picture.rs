//! A picture of what was deduced of a board.

use cnfkit_core::render::{Board, Colour, Look};

use super::kinds::{Deduction, Kind};
use crate::map::{Cell, GemMap};
use crate::render::board;

impl Deduction {
    /// A picture of the board that this was deduced from: numbers bold, as are traps and gems that the board shows
    /// itself; what was deduced is not bold. `T` is a trap in every answer, `G` a gem in every answer, `?` neither,
    /// `·` a cell that no number touches. One SVG document, 40 units a cell, light.
    ///
    /// ```
    /// use cnfkit::{GemHunterEncoder, GemMap};
    /// let map: GemMap = "1, _, _\n_, _, _\n0, _, _".parse()?;
    /// let deduction = GemHunterEncoder::new(map.clone()).deduce()?.expect("solvable");
    /// let picture = deduction.to_svg(&map);
    /// assert!(["\nG\n", "\nT\n", "\n·\n"].iter().all(|text| picture.contains(text)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// When the map has other numbers of rows and columns than the one that this was deduced from.
    #[must_use]
    pub fn to_svg(&self, map: &GemMap) -> String {
        self.to_svg_with(map, &Look::default())
    }

    /// The picture in another look.
    ///
    /// # Panics
    /// When the map has other numbers of rows and columns than the one that this was deduced from.
    #[must_use]
    pub fn to_svg_with(&self, map: &GemMap, look: &Look) -> String {
        let shape = (map.rows(), map.columns());
        assert_eq!(shape, self.shape(), "the map has other rows and columns than the deduction");
        let mut board = board(map);
        self.write(map, &mut board);
        board.to_svg(look)
    }

    /// The numbers of rows and of columns.
    fn shape(&self) -> (usize, usize) {
        (self.kinds.len().checked_div(self.columns).unwrap_or(0), self.columns)
    }

    fn write(&self, map: &GemMap, board: &mut Board) {
        let (rows, columns) = (map.rows(), map.columns());
        let mut text = Vec::new();
        for row in 0..rows {
            let mut letters = Vec::new();
            for column in 0..columns {
                let (ground, letter, colour) = match (map.get(row, column), self.get(row, column)) {
                    (Cell::Unknown, Kind::Trap) => (Colour::TrapGround, "T", Colour::Alarm),
                    (Cell::Unknown, Kind::Gem) => (Colour::GemGround, "G", Colour::Good),
                    (Cell::Unknown, Kind::Undecided) => (Colour::Unknown, "?", Colour::Soft),
                    (Cell::Unknown, Kind::Free) => (Colour::Unknown, "·", Colour::Soft),
                    (shown, _) => {
                        letters.push(shown.to_string());
                        continue;
                    }
                };
                board.ground(row, column, ground);
                board.write(row, column, letter, colour, false);
                letters.push(letter.to_owned());
            }
            text.push(letters.join(", "));
        }
        let [traps, gems, undecided, free] =
            [Kind::Trap, Kind::Gem, Kind::Undecided, Kind::Free].map(|kind| self.count(kind));
        board.describe(
            format!("Gem Hunter board, {rows} × {columns}, deduced"),
            format!(
                "Certain: {traps} traps (T) and {gems} gems (G). {undecided} cells are undecided (?), {free} are \
                 free (·). Row by row: {}",
                text.join("; ")
            ),
        );
    }
}
