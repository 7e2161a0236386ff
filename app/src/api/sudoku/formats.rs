//! Sudokus as text: whatever the library reads, and the formats in which others want them.

use cnfkit::{Grid, Layout};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fpuzzles;
use super::links::{self, Puzzle};
use super::sheet::{MOST, Sheet};
use crate::jobs::Work;
use crate::problem::Problem;

/// A text format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Format {
    /// All cells in one line, `.` for an empty one, letters from 10 on; side at most 35.
    Line,
    /// A row a line, a character a cell.
    Rows,
    /// A row a line, numbers parted by blanks.
    Numbers,
    /// A row a line, numbers parted by commas, 0 for an empty cell.
    Commas,
    /// With lines between boxes.
    Boxed,
    /// One line `name|n|box rows|box columns|cells|regions`.
    Record,
    /// Addresses that f-puzzles and `SudokuPad` open; read also as JSON. The only one that says clues.
    #[serde(rename = "f-puzzles")]
    FPuzzles,
}

impl Format {
    pub(crate) const ALL: [Self; 7] =
        [Self::Line, Self::Rows, Self::Numbers, Self::Commas, Self::Boxed, Self::Record, Self::FPuzzles];

    /// Name, and what it is.
    pub(crate) const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Line => ("line", "all cells in one line, letters from 10 on (side at most 35)"),
            Self::Rows => ("rows", "a row a line, a character a cell (side at most 35)"),
            Self::Numbers => ("numbers", "a row a line, numbers parted by blanks"),
            Self::Commas => ("commas", "a row a line, numbers parted by commas"),
            Self::Boxed => ("boxed", "with lines between boxes"),
            Self::Record => ("record", "one line: name|n|box rows|box columns|cells|regions"),
            Self::FPuzzles => ("f-puzzles", "links for f-puzzles and SudokuPad (side at most 16)"),
        }
    }
}

/// Text to be read.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Read {
    /// Any of the formats, perhaps after a line `layout: …`.
    text: String,
    /// The regions and extras to use, whatever the text says or its side suggests; cells are not looked at.
    #[serde(default)]
    like: Option<Sheet>,
}

/// The Sudoku of a text.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Found {
    sheet: Sheet,
    /// The format that the text looks like.
    format: Format,
    /// Title, author and rules in words of a puzzle from another site.
    #[serde(skip_serializing_if = "Option::is_none")]
    said: Option<String>,
}

/// Answers `sudoku/read`.
pub(crate) fn read(asked: &Read, work: &Work) -> Result<Found, Problem> {
    if let Some(Puzzle { sheet, said }) = links::read(&asked.text, work)? {
        let sheet = match &asked.like {
            None => sheet,
            Some(like) if like.n == sheet.n => Sheet { cells: sheet.cells, ..like.clone() },
            Some(like) => {
                let error =
                    format!("this puzzle has {} rows, and the board whose rules are kept has {}", sheet.n, like.n);
                return Err(Problem::refused("text", error));
            }
        };
        return Ok(Found { sheet, format: Format::FPuzzles, said });
    }
    let wrong = |error: cnfkit::sudoku::GridError| Problem::refused("text", error.to_string());
    let grid: Grid = match &asked.like {
        Some(like) => Grid::parse_as(like.layout()?, &asked.text),
        None => asked.text.parse(),
    }
    .map_err(wrong)?;
    if grid.side() > MOST {
        return Err(Problem::refused("text", format!("a side of {}; allowed are 1 to {MOST}", grid.side())));
    }
    let clues = asked.like.as_ref().map(|like| like.clues.clone()).unwrap_or_default();
    Ok(Found { sheet: Sheet { clues, ..Sheet::of(&grid) }, format: looks_like(&asked.text), said: None })
}

fn looks_like(text: &str) -> Format {
    let text = text.trim();
    let lines: Vec<&str> = text.lines().filter(|line| !said_before(line) && !line.trim().is_empty()).collect();
    match lines[..] {
        [line] if line.matches('|').count() >= 4 => Format::Record,
        _ if text.contains('|') => Format::Boxed,
        _ if text.contains(',') => Format::Commas,
        [_] => Format::Line,
        [first, ..] if first.trim().contains(char::is_whitespace) => Format::Numbers,
        _ => Format::Rows,
    }
}

/// True for a line that says what the cells are.
fn said_before(line: &str) -> bool {
    ["layout:", "values:"].iter().any(|name| line.trim_start().starts_with(name))
}

/// A Sudoku to be written.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Write {
    sheet: Sheet,
    format: Format,
}

/// Text.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Text {
    text: String,
}

/// Answers `sudoku/write`.
pub(crate) fn write(asked: &Write, _: &Work) -> Result<Text, Problem> {
    Ok(Text { text: text(&asked.sheet, asked.format)? })
}

/// Digits and letters.
const SIGNS: u32 = 36;

/// The grid in this format; with a line for its layout where that is not the usual one.
fn text(sheet: &Sheet, format: Format) -> Result<String, Problem> {
    if !sheet.clues.is_empty() && format != Format::FPuzzles {
        let error = "only `f-puzzles` can say cages, thermometers and arrows; the link of this page can, too";
        return Err(Problem::refused("format", error));
    }
    let grid = &sheet.board()?;
    let side = grid.side();
    let rows = || grid.cells().chunks(side);
    let head =
        if *grid.layout() == Layout::for_side(side) { String::new() } else { format!("layout: {}\n", grid.layout()) };
    let body = match format {
        Format::Line | Format::Rows => {
            let sign = |&value: &u16| {
                let sign = match value {
                    0 => Some('.'),
                    value => char::from_digit(value.into(), SIGNS).map(|sign| sign.to_ascii_uppercase()),
                };
                let error = || format!("{value} is no digit or letter here: take `numbers` or `commas`");
                sign.ok_or_else(|| Problem::refused("format", error()))
            };
            let rows: Vec<String> = rows().map(|row| row.iter().map(sign).collect()).collect::<Result<_, _>>()?;
            rows.join(if format == Format::Line { "" } else { "\n" })
        }
        Format::Numbers => lines(rows(), " ", "."),
        Format::Commas => lines(rows(), ",", "0"),
        Format::Boxed => return Ok(format!("{grid:#}\n")),
        Format::Record => return record(grid),
        Format::FPuzzles => return fpuzzles::write(sheet),
    };
    let text = format!("{head}{body}\n");
    // Without its highest value, the signs may be those of another alphabet, or `0` a value.
    let is_clear = text.parse::<Grid>().is_ok_and(|read| read.cells() == grid.cells());
    Ok(if is_clear { text } else { format!("values: 1-{side}\n{text}") })
}

fn lines<'a>(rows: impl Iterator<Item = &'a [u16]>, between: &str, empty: &str) -> String {
    let cell = |value: &u16| if *value == 0 { empty.to_owned() } else { value.to_string() };
    let rows = rows.map(|row| row.iter().map(cell).collect::<Vec<_>>().join(between));
    rows.collect::<Vec<_>>().join("\n")
}

/// `name|n|box rows|box columns|cells|regions`, which has no place for diagonals and the like.
fn record(grid: &Grid) -> Result<String, Problem> {
    let (side, layout) = (grid.side(), grid.layout());
    let name = layout.to_string();
    if name.contains(" + ") {
        return Err(Problem::refused(
            "format",
            "a record cannot say diagonals, windows and chess moves; take another format",
        ));
    }
    let numbers = |values: &mut dyn Iterator<Item = String>| values.collect::<Vec<_>>().join(",");
    let cells = numbers(&mut grid.cells().iter().map(u16::to_string));
    let size = name.strip_prefix("boxes ").and_then(|size| size.split_once('x'));
    let drawn = || (0..side * side).filter_map(|cell| layout.region(cell / side, cell % side));
    let regions = match size {
        Some(_) => String::new(),
        None => numbers(&mut drawn().map(|region| (region + 1).to_string())),
    };
    let (rows, cols) = size.unwrap_or(("0", "0"));
    Ok(format!("sudoku|{side}|{rows}|{cols}|{cells}|{regions}\n"))
}
