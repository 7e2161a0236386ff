//! The kinds of Sudokus that the page offers by name.

use cnfkit::Layout;
use cnfkit::sudoku::LayoutError;
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
#[allow(clippy::struct_excessive_bools)] // each is a rule of its own
pub(crate) struct Mode {
    name: &'static str,
    title: &'static str,
    n: usize,
    /// As in a sheet: the number of each cell's region, or `none`.
    regions: Regions,
    diagonals: bool,
    windows: bool,
    anti_knight: bool,
    anti_king: bool,
    /// True if every new puzzle has regions of its own, by lot.
    jigsaw: bool,
    /// A puzzle with one solution.
    example: Cells,
}

/// Name, title and layout. Of a jigsaw it is the layout of the example: every new puzzle has regions of its own.
const MODES: [(&str, &str, &str); 32] = [
    ("3", "3 × 3 (no regions)", "latin 3"),
    ("4", "4 × 4", "boxes 2x2"),
    ("5", "5 × 5 (pentominoes)", "side 5"),
    ("6", "6 × 6", "boxes 2x3"),
    ("7", "7 × 7 (heptominoes)", "side 7"),
    ("8", "8 × 8", "boxes 2x4"),
    ("9", "9 × 9", "boxes 3x3"),
    ("10", "10 × 10", "boxes 2x5"),
    ("11", "11 × 11 (jigsaw)", "jigsaw 11 1"),
    ("12", "12 × 12", "boxes 3x4"),
    ("13", "13 × 13 (jigsaw)", "jigsaw 13 1"),
    ("14", "14 × 14", "boxes 2x7"),
    ("15", "15 × 15", "boxes 3x5"),
    ("16", "16 × 16", "boxes 4x4"),
    ("25", "25 × 25", "boxes 5x5"),
    ("jigsaw-5", "Jigsaw, 5 × 5", "jigsaw 5 1"),
    ("jigsaw-6", "Jigsaw, 6 × 6", "jigsaw 6 1"),
    ("jigsaw-7", "Jigsaw, 7 × 7", "jigsaw 7 1"),
    ("jigsaw-8", "Jigsaw, 8 × 8", "jigsaw 8 1"),
    ("jigsaw-9", "Jigsaw, 9 × 9", "jigsaw 9 1"),
    ("jigsaw-10", "Jigsaw, 10 × 10", "jigsaw 10 1"),
    ("jigsaw-12", "Jigsaw, 12 × 12", "jigsaw 12 1"),
    ("jigsaw-14", "Jigsaw, 14 × 14", "jigsaw 14 1"),
    ("jigsaw-15", "Jigsaw, 15 × 15", "jigsaw 15 1"),
    ("jigsaw-16", "Jigsaw, 16 × 16", "jigsaw 16 1"),
    ("latin-5", "Latin square, 5 × 5", "latin 5"),
    ("latin-9", "Latin square, 9 × 9", "latin 9"),
    ("diagonals", "9 × 9 with diagonals", "boxes 3x3 + diagonals"),
    ("windows", "9 × 9 with windows", "boxes 3x3 + windows"),
    ("diagonals-windows", "9 × 9 with diagonals and windows", "boxes 3x3 + diagonals + windows"),
    ("anti-knight", "9 × 9, anti-knight", "boxes 3x3 + anti-knight"),
    ("anti-king", "9 × 9, anti-king", "boxes 3x3 + anti-king"),
];

/// A puzzle with one solution for each mode, name by name: letters go on after 9.
const EXAMPLES: &str = include_str!("examples.txt");

/// The text of a mode's layout.
fn text(name: &str) -> Result<&'static str, Problem> {
    let mode = MODES.iter().find(|mode| mode.0 == name);
    mode.map(|mode| mode.2).ok_or_else(|| {
        let names: Vec<_> = MODES.iter().map(|mode| mode.0).collect();
        Problem::refused("mode", format!("`{}` is no mode; allowed are {}", shown(name), names.join(", ")))
    })
}

/// The layout of a mode; of a jigsaw, that of its example.
pub(crate) fn layout(name: &str) -> Result<Layout, Problem> {
    text(name)?.parse().map_err(|error: LayoutError| Problem::bug(error.to_string()))
}

/// The side of a mode whose regions come by lot.
pub(crate) fn jigsaw(name: &str) -> Result<Option<usize>, Problem> {
    let side = text(name)?.strip_prefix("jigsaw ").and_then(|rest| rest.split(' ').next());
    Ok(side.and_then(|side| side.parse().ok()))
}

/// Answers `sudoku/modes`.
pub(crate) fn modes(_: &Nothing, _: &Work) -> Result<ModeList, Problem> {
    let modes = MODES.iter().map(|&(name, title, text)| {
        let layout = layout(name)?;
        let has = |extra: &str| text.contains(extra);
        let regions = drawn(&layout);
        let (diagonals, windows) = (has("diagonals"), has("windows"));
        let (anti_knight, anti_king) = (has("anti-knight"), has("anti-king"));
        let (n, jigsaw, example) = (layout.side(), has("jigsaw"), example(name, &layout)?);
        Ok(Mode { name, title, n, regions, diagonals, windows, anti_knight, anti_king, jigsaw, example })
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
