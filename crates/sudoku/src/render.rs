//! A Sudoku sheet as a picture.

use crate::{CellStatus, Group as Part, Layout, Sheet};
use cnfkit_core::render::{Board, Colour, Look};

impl Sheet {
    /// A picture: givens black and bold, what was entered dark grey, what was solved blue, and whatever
    /// [`check`](Self::check) finds wrong red; thick lines between regions, each region on a ground unlike its
    /// neighbours', diagonals and windows darker. One SVG document, 40 units a cell, light.
    ///
    /// ```
    /// use cnfkit::sudoku::Sheet;
    /// use cnfkit::Grid;
    /// let sheet = Sheet::new("1.....3..4.....2".parse::<Grid>().unwrap());
    /// assert!(sheet.to_svg().starts_with("<svg"));
    /// ```
    #[must_use]
    pub fn to_svg(&self) -> String {
        self.to_svg_with(&Look::default())
    }

    /// The picture in another look.
    ///
    /// ```
    /// use cnfkit::render::{Look, Theme};
    /// use cnfkit::sudoku::Sheet;
    /// use cnfkit::Grid;
    /// let sheet = Sheet::new("1.....3..4.....2".parse::<Grid>().unwrap());
    /// let picture = sheet.to_svg_with(&Look::new(Theme::System).marking([(0, 0)]));
    /// assert!(picture.contains("prefers-color-scheme: dark"));
    /// ```
    #[must_use]
    pub fn to_svg_with(&self, look: &Look) -> String {
        self.board().to_svg(look)
    }

    fn board(&self) -> Board {
        let layout = self.grid().layout();
        let side = layout.side();
        let grounds = grounds(layout);
        let mut wrong = vec![false; side * side];
        self.check().iter().for_each(|problem| wrong[problem.row * side + problem.col] = true);
        let mut board = Board::new(side, side);
        let mut counts = [0; 3];
        for (row, col) in (0..side).flat_map(|row| (0..side).map(move |col| (row, col))) {
            if let Some(region) = layout.region(row, col) {
                board.region(row, col, region);
                if let Some(&colour) = grounds.get(region) {
                    board.ground(row, col, colour);
                }
            }
            let Some(value) = self.grid().get(row, col) else { continue };
            let (colour, bold, count) = match self.status(row, col) {
                CellStatus::Given => (Colour::Ink, true, 0),
                CellStatus::Entered | CellStatus::Empty => (Colour::Soft, false, 1),
                CellStatus::Solved => (Colour::Solved, false, 2),
            };
            counts[count] += 1;
            let colour = if wrong[row * side + col] { Colour::Alarm } else { colour };
            board.write(row, col, value.to_string(), colour, bold);
        }
        for (index, group) in layout.groups_cells().enumerate() {
            if matches!(layout.group(index), Part::Diagonal(_) | Part::Window(_)) {
                for cell in group.iter().map(|&cell| cell as usize) {
                    board.shade(cell / side, cell % side);
                }
            }
        }
        let [given, entered, solved] = counts;
        let said = format!("{given} given, {entered} entered, {solved} solved, {} wrong.", self.check().len());
        board.describe(
            format!("Sudoku, {side} × {side}"),
            format!("Layout: {layout}. {said} Row by row: {}", self.rows_text()),
        );
        board
    }

    /// The values, with a dash where there is none.
    fn rows_text(&self) -> String {
        let side = self.grid().side();
        let value = |value: &u16| if *value == 0 { "–".to_owned() } else { value.to_string() };
        let row = |row: &[u16]| row.iter().map(value).collect::<Vec<_>>().join(" ");
        self.grid().cells().chunks(side).map(row).collect::<Vec<_>>().join("; ")
    }
}

/// A ground for each region: of those that no neighbour with a lower number has, the one that fewest regions have.
fn grounds(layout: &Layout) -> Vec<Colour> {
    let side = layout.side();
    let mut neighbours = vec![Vec::new(); side];
    let pairs = (0..side)
        .flat_map(|row| (0..side).map(move |col| (row, col)))
        .flat_map(|(row, col)| [(row + 1, col), (row, col + 1)].into_iter().map(move |other| ((row, col), other)));
    for (a, b) in pairs.filter(|(_, (row, col))| *row < side && *col < side) {
        let (Some(a), Some(b)) = (layout.region(a.0, a.1), layout.region(b.0, b.1)) else { return Vec::new() };
        if a != b {
            neighbours[a.max(b)].push(a.min(b));
        }
    }
    let mut chosen: Vec<usize> = Vec::with_capacity(side);
    let mut used = [0; Colour::REGIONS.len()];
    for lower in &neighbours {
        let free = (0..used.len()).filter(|ground| lower.iter().all(|&other| chosen[other] != *ground));
        let ground = free.min_by_key(|&ground| used[ground]).unwrap_or(0);
        used[ground] += 1;
        chosen.push(ground);
    }
    chosen.into_iter().map(|ground| Colour::REGIONS[ground]).collect()
}
