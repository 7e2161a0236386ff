//! A Sudoku as the page sends it, and what the library makes of it.

use cnfkit::{Grid, Layout};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::clues::{self, Clue, Clued};
use crate::api::shown;
use crate::problem::Problem;

/// The largest side.
pub(crate) const MOST: usize = 100;

/// Rows of values, 0 for an empty cell.
pub(crate) type Cells = Vec<Vec<u16>>;

/// A Sudoku, full, empty or in between.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(clippy::struct_excessive_bools)] // each is a rule of its own
pub(crate) struct Sheet {
    /// The side: rows, columns and values; at most 100.
    pub(crate) n: usize,
    /// The values row by row, 0 for an empty cell; an empty list for an empty grid. Values that are not from 1 to n are
    /// told by `sudoku/check` and refused elsewhere.
    #[serde(default)]
    pub(crate) cells: Cells,
    /// The regions; the usual ones of this side if not given.
    #[serde(default)]
    pub(crate) regions: Option<Regions>,
    /// Both diagonals hold every value once.
    #[serde(default)]
    pub(crate) diagonals: bool,
    /// The windows hold every value once: an extra box inside every four boxes, which have to be square.
    #[serde(default)]
    pub(crate) windows: bool,
    /// Cells a knight's move apart differ.
    #[serde(default)]
    pub(crate) anti_knight: bool,
    /// Cells that touch at a corner differ.
    #[serde(default)]
    pub(crate) anti_king: bool,
    /// Cages, thermometers and arrows; up to side 16.
    #[serde(default)]
    pub(crate) clues: Vec<Clue>,
}

/// The regions of a grid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "regions are `boxes:RxC`, `none`, or rows of numbers, one for each cell")]
pub(crate) enum Regions {
    /// `boxes:3x3` for boxes of 3 rows and 3 columns, `none` for a Latin square.
    Named(String),
    /// The number of each cell's region, from 0 to 100, row by row.
    Drawn(Vec<Vec<u16>>),
}

impl Sheet {
    /// The sheet of a grid, without clues; drawn regions where they are no boxes.
    pub(crate) fn of(grid: &Grid) -> Self {
        let layout = grid.layout();
        let text = layout.to_string();
        let (shape, extras) = text.split_once(" + ").unwrap_or((&text, ""));
        let has = |name: &str| extras.split(" + ").any(|extra| extra == name);
        let regions = match shape.split_once(' ') {
            Some(("boxes", size)) => Regions::Named(format!("boxes:{size}")),
            Some(("latin", _)) => Regions::Named("none".into()),
            _ => drawn(layout),
        };
        Self {
            n: grid.side(),
            cells: rows(grid),
            regions: Some(regions),
            diagonals: has("diagonals"),
            windows: has("windows"),
            anti_knight: has("anti-knight"),
            anti_king: has("anti-king"),
            clues: Vec::new(),
        }
    }

    /// An empty sheet without rules besides those of its regions.
    pub(crate) fn blank(n: usize, regions: Regions) -> Self {
        let (diagonals, windows, anti_knight, anti_king) = (false, false, false, false);
        let (cells, clues) = (Vec::new(), Vec::new());
        Self { n, cells, regions: Some(regions), diagonals, windows, anti_knight, anti_king, clues }
    }

    /// The sheet with boxes by their name where they were drawn.
    pub(crate) fn named(self) -> Result<Self, Problem> {
        let grid = self.board()?;
        Ok(Self { clues: self.clues, ..Self::of(&grid) })
    }

    /// The layout.
    pub(crate) fn layout(&self) -> Result<Layout, Problem> {
        let n = self.n;
        if n == 0 || n > MOST {
            return Err(Problem::refused("sheet.n", format!("a side of {n}; allowed are 1 to {MOST}")));
        }
        let mut layout = match &self.regions {
            None => Layout::for_side(n),
            Some(Regions::Named(name)) => named(n, name)?,
            Some(Regions::Drawn(rows)) => regions(n, rows)?,
        };
        if self.diagonals {
            layout = layout.with_diagonals();
        }
        if self.windows {
            layout = layout.with_windows().map_err(|error| Problem::refused("sheet.windows", error.to_string()))?;
        }
        if self.anti_knight {
            layout = layout.with_anti_knight();
        }
        Ok(if self.anti_king { layout.with_anti_king() } else { layout })
    }

    /// The grid of a sheet without clues, with whatever values it has: for questions that have no answer with them.
    pub(crate) fn grid(&self) -> Result<Grid, Problem> {
        if self.clues.is_empty() {
            return self.board();
        }
        let error = "this has no answer for boards with cages, thermometers and arrows: take them off the board before";
        Err(Problem::refused("sheet.clues", error))
    }

    /// The grid, with whatever values it has, without its clues, which are looked at.
    pub(crate) fn board(&self) -> Result<Grid, Problem> {
        let layout = self.layout()?;
        clues::verify(&self.clues, self.n)?;
        grid(&layout, &self.cells, "sheet.cells")
    }

    /// The grid with its clues, if it has some.
    pub(crate) fn clued(&self) -> Result<Option<Clued>, Problem> {
        if self.clues.is_empty() {
            return Ok(None);
        }
        let grid = self.board()?;
        let outside = grid.givens().find(|(.., value)| usize::from(*value) > self.n);
        match outside {
            None => Ok(Some(Clued { grid, clues: self.clues.clone() })),
            Some((row, col, value)) => {
                let error = format!("row {}, column {}: {value}; allowed are 1 to {}", row + 1, col + 1, self.n);
                Err(Problem::refused(format!("sheet.cells[{row}][{col}]"), error))
            }
        }
    }
}

/// A grid of this layout; no rows at all make an empty one.
pub(crate) fn grid(layout: &Layout, cells: &Cells, place: &str) -> Result<Grid, Problem> {
    if cells.is_empty() {
        return Ok(Grid::empty(layout.clone()));
    }
    square(layout.side(), cells, place)?;
    Grid::new(layout.clone(), cells.concat()).map_err(|error| Problem::refused(place, error.to_string()))
}

/// The values row by row.
pub(crate) fn rows(grid: &Grid) -> Cells {
    grid.cells().chunks(grid.side()).map(<[u16]>::to_vec).collect()
}

/// The regions cell by cell; `none` for a Latin square.
pub(crate) fn drawn(layout: &Layout) -> Regions {
    let n = layout.side();
    let row = |row: usize| (0..n).map(|col| layout.region(row, col).map(|region| region as u16)).collect();
    match (0..n).map(row).collect::<Option<Vec<Vec<u16>>>>() {
        Some(rows) => Regions::Drawn(rows),
        None => Regions::Named("none".into()),
    }
}

fn named(n: usize, name: &str) -> Result<Layout, Problem> {
    if name == "none" {
        return Ok(Layout::latin(n));
    }
    let wrong = || {
        let error =
            format!("`{}` are no regions of side {n}; allowed are `boxes:RxC` with R·C = {n}, and `none`", shown(name));
        Problem::refused("sheet.regions", error)
    };
    let (rows, cols) = name.strip_prefix("boxes:").and_then(|size| size.split_once(['x', '×'])).ok_or_else(wrong)?;
    let number = |text: &str| text.trim().parse::<usize>().ok().filter(|&number| (1..=n).contains(&number));
    let (rows, cols) = number(rows).zip(number(cols)).filter(|(rows, cols)| rows * cols == n).ok_or_else(wrong)?;
    Ok(Layout::boxes(rows, cols))
}

fn regions(n: usize, rows: &[Vec<u16>]) -> Result<Layout, Problem> {
    square(n, rows, "sheet.regions")?;
    if n == 1 {
        return Ok(Layout::latin(1));
    }
    // Labels of three digits at most: longer ones could be taken for rows of letters.
    if let Some((at, &number)) = rows.concat().iter().enumerate().find(|(_, number)| **number > 100) {
        let place = format!("sheet.regions[{}][{}]", at / n, at % n);
        return Err(Problem::refused(place, format!("region {number}; regions are numbered from 0 to 100")));
    }
    let labels: Vec<String> = rows.concat().iter().map(u16::to_string).collect();
    let layout =
        Layout::regions(&labels.join(" ")).map_err(|error| Problem::refused("sheet.regions", error.to_string()))?;
    // Boxes that were drawn are boxes: windows are between them.
    let sizes = (2..n).filter(|rows| n.is_multiple_of(*rows) && n / rows > 1).map(|rows| Layout::boxes(rows, n / rows));
    let same =
        |boxes: &Layout| (0..n * n).all(|cell| boxes.region(cell / n, cell % n) == layout.region(cell / n, cell % n));
    Ok(sizes.into_iter().find(same).unwrap_or(layout))
}

/// n rows of n.
fn square(n: usize, rows: &[Vec<u16>], place: &str) -> Result<(), Problem> {
    if rows.len() != n {
        return Err(Problem::refused(place, format!("{} rows; a side of {n} has {n}", rows.len())));
    }
    match rows.iter().position(|row| row.len() != n) {
        None => Ok(()),
        Some(row) => {
            let error = format!("row {} has {} cells; a side of {n} has {n}", row + 1, rows[row].len());
            Err(Problem::refused(format!("{place}[{row}]"), error))
        }
    }
}
