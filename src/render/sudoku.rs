//! A Sudoku sheet as a picture.

use svg::Node;
use svg::node::element::Group;

use super::{document, ground, label, lines};
use crate::Layout;
use crate::sudoku::{CellStatus, Group as Part, Sheet};

/// Light grounds, told apart by any eye, for regions that touch each other.
const GROUNDS: [&str; 6] = ["#ffffff", "#e8eef7", "#fdf1dc", "#e6f4e6", "#f7e6ee", "#eeeeee"];

impl Sheet {
    /// A picture: givens black and bold, what was entered dark grey, what was solved blue, and whatever
    /// [`check`](Self::check) finds wrong red; thick lines between regions, each region on a ground unlike its
    /// neighbours', diagonals and windows darker. One SVG document, 40 units a cell.
    ///
    /// ```
    /// use cnfkit::sudoku::Sheet;
    /// use cnfkit::Grid;
    /// let sheet = Sheet::new("1.....3..4.....2".parse::<Grid>().unwrap());
    /// assert!(sheet.to_svg().starts_with("<svg"));
    /// ```
    #[must_use]
    pub fn to_svg(&self) -> String {
        let layout = self.grid().layout();
        let side = layout.side();
        let grounds = grounds(layout);
        let mut wrong = vec![false; side * side];
        self.check().iter().for_each(|problem| wrong[problem.row * side + problem.col] = true);
        let mut cells = Group::new();
        let mut values = Group::new();
        for (row, col) in (0..side).flat_map(|row| (0..side).map(move |col| (row, col))) {
            if let Some(&colour) = layout.region(row, col).and_then(|region| grounds.get(region)) {
                cells.append(ground(row, col, colour));
            }
            let Some(value) = self.grid().get(row, col) else { continue };
            let (colour, weight) = match self.status(row, col) {
                CellStatus::Given => ("black", "bold"),
                CellStatus::Solved => ("#1f4fd8", "normal"),
                CellStatus::Entered | CellStatus::Empty => ("#555555", "normal"),
            };
            let colour = if wrong[row * side + col] { "#c8102e" } else { colour };
            values.append(label(row, col, value.to_string()).set("fill", colour).set("font-weight", weight));
        }
        for (index, group) in layout.groups_cells().enumerate() {
            if matches!(layout.group(index), Part::Diagonal(_) | Part::Window(_)) {
                for cell in group.iter().map(|&cell| cell as usize) {
                    cells.append(ground(cell / side, cell % side, "black").set("fill-opacity", 0.1));
                }
            }
        }
        let region = |cell: (usize, usize)| layout.region(cell.0, cell.1);
        let lines = lines(side, side, |a, b| region(a) != region(b));
        document(side, side).add(cells).add(lines).add(values).to_string()
    }
}

/// A ground for each region: the first that no neighbour with a lower number has.
fn grounds(layout: &Layout) -> Vec<&'static str> {
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
    for lower in &neighbours {
        let free = (0..GROUNDS.len()).find(|ground| lower.iter().all(|&other| chosen[other] != *ground));
        chosen.push(free.unwrap_or(0));
    }
    chosen.into_iter().map(|ground| GROUNDS[ground]).collect()
}
