//! The JSON of f-puzzles, which `SudokuPad` and others read in [addresses](super::links).
//!
//! Rules that are not known here are refused by their names, not left out. Remarks and colours are passed over,
//! drawings are counted beside the rules in words.

use cnfkit::Layout;
use serde_json::{Map, Value, json};

use super::At;
use super::clues::{Clue, Kind, MOST_SIDE};
use super::links::{Puzzle, wrong};
use super::sheet::{Regions, Sheet, drawn};
use crate::api::shown;
use crate::problem::Problem;

/// Fields that say nothing about the rules.
const REMARKS: [&str; 10] = [
    "size",
    "grid",
    "title",
    "author",
    "ruleset",
    "solution",
    "highlightConflicts",
    "disabledlogic",
    "truecandidatesoptions",
    "activeConstraints",
];
/// Drawings, whose meaning can be told by the rules in words.
const DRAWINGS: [&str; 5] = ["line", "circle", "rectangle", "cage", "text"];
/// Rules that are known here.
const RULES: [&str; 7] = ["antiknight", "antiking", "diagonal+", "diagonal-", "killercage", "thermometer", "arrow"];

/// The puzzle of this JSON.
pub(super) fn puzzle(found: &Map<String, Value>) -> Result<Puzzle, Problem> {
    let word = |name: &str| found.get(name).and_then(Value::as_str);
    let drawn = DRAWINGS.iter().filter_map(|&name| {
        let count = all(found, name).count();
        (count > 0).then(|| format!("{count} × {name}"))
    });
    let drawn = drawn.collect::<Vec<_>>().join(", ");
    let rules = match (word("ruleset").unwrap_or_default(), drawn.as_str()) {
        (rules, "") => rules.to_owned(),
        (rules, drawn) => format!("{rules} (Drawings that are not on the board: {drawn}.)"),
    };
    Ok(Puzzle::new(sheet(found)?, [word("title"), word("author"), Some(&rules)]))
}

fn sheet(puzzle: &Map<String, Value>) -> Result<Sheet, Problem> {
    let n = puzzle.get("size").and_then(Value::as_u64).unwrap_or(0) as usize;
    if !(1..=MOST_SIDE).contains(&n) {
        return Err(wrong(format!("`size` is {n}; puzzles of f-puzzles have 1 to {MOST_SIDE} rows")));
    }
    // `false`, `[]` and texts are no rules.
    let says = |value: &Value| match value {
        Value::Bool(is) => *is,
        Value::Array(all) => !all.is_empty(),
        Value::Object(all) => !all.is_empty(),
        _ => false,
    };
    let known = |name: &str| REMARKS.contains(&name) || DRAWINGS.contains(&name) || RULES.contains(&name);
    let unknown = puzzle.iter().filter(|(name, value)| !known(name) && says(value)).map(|(name, _)| name.as_str());
    // Rules of additions to the site are drawings that say which rule they stand for.
    let drawn = DRAWINGS.iter().flat_map(|name| all(puzzle, name)).filter_map(|of| of["fromConstraint"].as_str());
    let unknown: Vec<String> = unknown.chain(drawn).map(shown).collect();
    if !unknown.is_empty() {
        return Err(wrong(format!(
            "this puzzle has rules that are not known here: {}; known are {}",
            unknown.join(", "),
            RULES.join(", ")
        )));
    }
    let is = |name: &str| puzzle.get(name).is_some_and(says);
    if is("diagonal+") != is("diagonal-") {
        return Err(wrong("this puzzle has one diagonal; here both diagonals hold every value, or none does"));
    }
    let mut cells = vec![vec![0; n]; n];
    let mut regions = usual(n);
    let rows = puzzle.get("grid").and_then(Value::as_array).filter(|rows| rows.len() == n);
    let rows = rows.ok_or_else(|| wrong(format!("`grid` needs {n} rows")))?;
    for (row, line) in rows.iter().enumerate() {
        let line = line.as_array().filter(|line| line.len() == n);
        for (column, cell) in line.ok_or_else(|| wrong(format!("row {} needs {n} cells", row + 1)))?.iter().enumerate()
        {
            if cell["given"] == true {
                let value = cell["value"].as_u64().filter(|value| (1..=n as u64).contains(value));
                let none = || wrong(format!("row {}, column {}: a given is from 1 to {n}", row + 1, column + 1));
                cells[row][column] = value.ok_or_else(none)? as u16;
            }
            if list(&cell["givenPencilMarks"]).next().is_some() {
                return Err(wrong("this puzzle says which values some cells may have, a rule that is not known here"));
            }
            match cell.get("region") {
                None => {}
                Some(region) => {
                    let none = || wrong(format!("row {}, column {} is in no region", row + 1, column + 1));
                    let region = region.as_u64().filter(|region| *region < n as u64).ok_or_else(none)?;
                    regions.get_or_insert_with(|| vec![vec![0; n]; n])[row][column] = region as u16;
                }
            }
        }
    }
    let mut clues = Vec::new();
    for of in all(puzzle, "killercage") {
        clues.push(Clue { kind: Kind::Cage, cells: places(&of["cells"])?, sum: total(&of["value"])? });
    }
    for line in all(puzzle, "thermometer").flat_map(|of| list(&of["lines"])) {
        clues.push(Clue { kind: Kind::Thermometer, cells: places(line)?, sum: None });
    }
    for of in all(puzzle, "arrow") {
        let circle = places(&of["cells"])?;
        if circle.len() > 1 {
            return Err(wrong("this puzzle has an arrow whose circle has several cells; here it has one"));
        }
        for line in list(&of["lines"]) {
            let line = places(line)?;
            let begins = line.first() == circle.first();
            let cells = if begins { line } else { [circle.clone(), line].concat() };
            clues.push(Clue { kind: Kind::Arrow, cells, sum: None });
        }
    }
    let regions = Some(regions.map_or_else(|| Regions::Named("none".into()), Regions::Drawn));
    let (anti_knight, anti_king, diagonals) = (is("antiknight"), is("antiking"), is("diagonal+"));
    let sheet = Sheet { n, cells, regions, diagonals, windows: false, anti_knight, anti_king, clues };
    sheet.named().map_err(|problem| wrong(problem.error))
}

/// The regions of a side; `None` where there are no boxes.
fn usual(n: usize) -> Option<Vec<Vec<u16>>> {
    let layout = Layout::for_side(n);
    match drawn(&layout) {
        Regions::Drawn(rows) if layout.to_string().starts_with("boxes") => Some(rows),
        _ => None,
    }
}

fn all<'a>(puzzle: &'a Map<String, Value>, name: &str) -> impl Iterator<Item = &'a Value> {
    puzzle.get(name).into_iter().flat_map(list)
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// Cells such as `R1C2`.
fn places(value: &Value) -> Result<Vec<At>, Problem> {
    let place = |value: &Value| {
        let at = value.as_str().and_then(|text| text.strip_prefix('R')?.split_once('C')).and_then(|(row, column)| {
            let index = |text: &str| text.parse::<usize>().ok()?.checked_sub(1);
            Some([index(row)?, index(column)?])
        });
        at.ok_or_else(|| wrong(format!("`{}` is no cell; cells are R1C1, R1C2 …", shown(&value.to_string()))))
    };
    let places: Vec<At> = list(value).map(place).collect::<Result<_, _>>()?;
    if places.is_empty() { Err(wrong("a cage, thermometer or arrow has no cells")) } else { Ok(places) }
}

/// The sum of a cage: a number, as a number or as a text, or nothing.
fn total(value: &Value) -> Result<Option<u32>, Problem> {
    let number = match value {
        Value::Null => return Ok(None),
        Value::String(text) if text.trim().is_empty() => return Ok(None),
        Value::String(text) => text.trim().parse().ok(),
        other => other.as_u64().and_then(|sum| u32::try_from(sum).ok()),
    };
    let error = || wrong(format!("the value {} of a cage is no sum", shown(&value.to_string())));
    number.map(Some).ok_or_else(error)
}

/// Two addresses with the puzzle, for f-puzzles and for `SudokuPad`.
pub(crate) fn write(sheet: &Sheet) -> Result<String, Problem> {
    let no = |error: &str| Err(Problem::refused("format", error));
    let grid = sheet.board()?;
    let (n, layout) = (grid.side(), grid.layout());
    if n > MOST_SIDE {
        return no("f-puzzles has boards of up to 16 rows");
    }
    if sheet.windows {
        return no("f-puzzles has no rule for windows");
    }
    let Regions::Drawn(regions) = drawn(layout) else { return no("f-puzzles has no boards without regions") };
    let cell = |row: usize, column: usize| {
        let mut cell = json!({ "region": regions[row][column] });
        if let Some(value) = grid.get(row, column) {
            cell["value"] = json!(value);
            cell["given"] = json!(true);
        }
        cell
    };
    let rows: Vec<Vec<Value>> = (0..n).map(|row| (0..n).map(|column| cell(row, column)).collect()).collect();
    let mut puzzle = json!({ "size": n, "grid": rows });
    for (name, holds) in [
        ("diagonal+", sheet.diagonals),
        ("diagonal-", sheet.diagonals),
        ("antiknight", sheet.anti_knight),
        ("antiking", sheet.anti_king),
    ] {
        if holds {
            puzzle[name] = json!(true);
        }
    }
    for (name, kind) in [("killercage", Kind::Cage), ("thermometer", Kind::Thermometer), ("arrow", Kind::Arrow)] {
        let all = sheet.clues.iter().filter(|clue| clue.kind == kind).map(entry);
        let all: Vec<Value> = all.collect();
        if !all.is_empty() {
            puzzle[name] = Value::Array(all);
        }
    }
    let packed = lz_str::compress_to_base64(&puzzle.to_string());
    let packed = packed.replace('+', "%2B").replace('/', "%2F").replace('=', "%3D");
    Ok(format!("https://www.f-puzzles.com/?load={packed}\nhttps://sudokupad.app/fpuzzles{packed}\n"))
}

fn entry(clue: &Clue) -> Value {
    let cells: Vec<String> = clue.cells.iter().map(|[row, column]| format!("R{}C{}", row + 1, column + 1)).collect();
    match clue.kind {
        Kind::Cage => match clue.sum {
            Some(sum) => json!({ "cells": cells, "value": sum.to_string() }),
            None => json!({ "cells": cells }),
        },
        Kind::Thermometer => json!({ "lines": [cells] }),
        Kind::Arrow => json!({ "cells": [cells[0]], "lines": [cells] }),
    }
}
