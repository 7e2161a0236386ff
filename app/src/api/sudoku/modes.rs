//! The kinds of Sudokus that the page offers by name.

use cnfkit::Layout;
use schemars::JsonSchema;
use serde::Serialize;

use super::difficulty::Difficulty;
use super::formats::Format;
use super::sheet::{Cells, Regions, drawn};
use crate::api::{Nothing, shown};
use crate::jobs::Work;
use crate::problem::Problem;

/// The modes, and the words that other questions about Sudokus take.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct ModeList {
    modes: Vec<Mode>,
    /// Formats of `sudoku/write`; `sudoku/read` takes them all.
    formats: Vec<Word>,
    /// Difficulties of `sudoku/new`.
    difficulties: Vec<Word>,
}

/// A word, and what it means.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Word {
    name: &'static str,
    about: &'static str,
}

/// A kind of Sudoku.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Mode {
    name: &'static str,
    title: &'static str,
    n: usize,
    /// As in a sheet: the number of each cell's region, or `none`.
    regions: Regions,
    diagonals: bool,
    windows: bool,
    /// A puzzle with one solution.
    example: Cells,
}

/// Name, title and layout.
const MODES: [(&str, &str, &str); 16] = [
    ("3", "3 × 3 (no regions)", "latin 3"),
    ("4", "4 × 4", "boxes 2x2"),
    ("5", "5 × 5 (pentominoes)", "side 5"),
    ("6", "6 × 6", "boxes 2x3"),
    ("7", "7 × 7 (heptominoes)", "side 7"),
    ("8", "8 × 8", "boxes 2x4"),
    ("9", "9 × 9", "boxes 3x3"),
    ("10", "10 × 10", "boxes 2x5"),
    ("12", "12 × 12", "boxes 3x4"),
    ("16", "16 × 16", "boxes 4x4"),
    ("25", "25 × 25", "boxes 5x5"),
    ("latin-5", "Latin square, 5 × 5", "latin 5"),
    ("latin-9", "Latin square, 9 × 9", "latin 9"),
    ("diagonals", "9 × 9 with diagonals", "boxes 3x3 + diagonals"),
    ("windows", "9 × 9 with windows", "boxes 3x3 + windows"),
    ("diagonals-windows", "9 × 9 with diagonals and windows", "boxes 3x3 + diagonals + windows"),
];

/// A puzzle with one solution for each mode, name by name: letters go on after 9.
const EXAMPLES: &str = include_str!("examples.txt");

/// The layout of a mode.
pub(crate) fn layout(name: &str) -> Result<Layout, Problem> {
    let mode = MODES.iter().find(|mode| mode.0 == name);
    let layout = mode.and_then(|mode| mode.2.parse().ok());
    layout.ok_or_else(|| {
        let names: Vec<_> = MODES.iter().map(|mode| mode.0).collect();
        Problem::refused("mode", format!("`{}` is no mode; allowed are {}", shown(name), names.join(", ")))
    })
}

/// Answers `sudoku/modes`.
pub(crate) fn modes(_: &Nothing, _: &Work) -> Result<ModeList, Problem> {
    let modes = MODES.iter().map(|&(name, title, text)| {
        let layout = layout(name)?;
        let has = |extra: &str| text.contains(extra);
        let regions = drawn(&layout);
        let (diagonals, windows) = (has("diagonals"), has("windows"));
        Ok(Mode { name, title, n: layout.side(), regions, diagonals, windows, example: example(name, &layout)? })
    });
    let word = |(name, about)| Word { name, about };
    Ok(ModeList {
        modes: modes.collect::<Result<_, Problem>>()?,
        formats: Format::ALL.iter().map(|format| word(format.words())).collect(),
        difficulties: Difficulty::ALL.iter().map(|difficulty| word(difficulty.words())).collect(),
    })
}

fn example(name: &str, layout: &Layout) -> Result<Cells, Problem> {
    let line = EXAMPLES.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    let signs = line.ok_or_else(|| Problem::bug(format!("the mode {name} has no example")))?.chars();
    let cells: Vec<u16> = signs.map(|sign| sign.to_digit(36).unwrap_or(0) as u16).collect();
    Ok(cells.chunks(layout.side()).map(<[u16]>::to_vec).collect())
}

#[cfg(test)]
mod tests {
    use cnfkit::{Grid, SudokuEncoder};

    use super::*;
    use crate::api::sudoku::sheet::grid;

    #[test]
    fn every_example_has_one_solution() {
        for (name, ..) in MODES {
            let layout = layout(name).unwrap();
            let puzzle: Grid = grid(&layout, &example(name, &layout).unwrap(), "").unwrap();
            assert!(puzzle.givens().count() > 0 && SudokuEncoder::new(puzzle).is_unique().unwrap(), "{name}");
        }
    }
}
