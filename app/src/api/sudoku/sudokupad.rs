//! `SudokuPad`'s own format: cells, regions and cages, and drawings whose meaning is told in words only.
//!
//! Puzzles with drawings are refused, because half of their rules would be missing. Its addresses hold the JSON in a
//! shorter notation ([`unzipped`]), in which names of fields are a letter or two.

use std::iter::Peekable;
use std::str::Chars;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::At;
use super::clues::{Clue, Kind};
use super::links::{Puzzle, shown_whole, wrong};
use super::sheet::{MOST, Regions, Sheet};
use crate::api::shown;
use crate::problem::Problem;

/// Fields that say nothing about the rules.
const REMARKS: [&str; 13] = [
    "id", "cellSize", "cs", "settings", "title", "t", "author", "videos", "vd", "duration", "d", "foglight", "version",
];
/// Drawings, by both of their names.
const DRAWINGS: [(&str, &str); 4] = [("lines", "l"), ("arrows", "a"), ("overlays", "o"), ("underlays", "u")];

#[derive(Deserialize)]
struct Board {
    #[serde(alias = "ce")]
    cells: Vec<Vec<Cell>>,
    #[serde(alias = "re", default)]
    regions: Vec<Vec<At>>,
    #[serde(alias = "ca", default)]
    cages: Vec<Cage>,
    #[serde(default)]
    metadata: Map<String, Value>,
    #[serde(default)]
    global: Vec<String>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

#[derive(Deserialize)]
struct Cell {
    #[serde(alias = "v", default)]
    value: Value,
}

#[derive(Deserialize)]
struct Cage {
    #[serde(alias = "ce", default)]
    cells: Vec<At>,
    #[serde(alias = "v", default)]
    value: Value,
    #[serde(default)]
    sum: Value,
    unique: Option<bool>,
}

/// A number, or a text that is one.
fn number(value: &Value) -> Option<u32> {
    match value {
        Value::String(text) => text.trim().parse().ok(),
        other => other.as_u64().and_then(|number| u32::try_from(number).ok()),
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(all) => all.is_empty(),
        Value::Object(all) => all.is_empty(),
        _ => false,
    }
}

/// The puzzle of this JSON.
pub(super) fn puzzle(found: &Map<String, Value>) -> Result<Puzzle, Problem> {
    let board: Board = serde_json::from_value(Value::Object(found.clone()))
        .map_err(|error| wrong(format!("this is no puzzle of SudokuPad: {error}")))?;
    let n = board.cells.len();
    if n > MOST {
        return Err(wrong(format!("a side of {n}; allowed are 1 to {MOST}")));
    }
    let mut metadata = board.metadata.clone();
    let mut clues = Vec::new();
    let mut outlines = 0;
    for cage in &board.cages {
        // Words about the puzzle are cages without cells.
        if let (true, Some((name, text))) =
            (cage.cells.is_empty(), cage.value.as_str().and_then(|text| text.split_once(':')))
        {
            metadata.entry(name.trim()).or_insert_with(|| text.trim().into());
            continue;
        }
        let sum = number(&cage.sum).or_else(|| number(&cage.value));
        match (sum, cage.unique) {
            (None, Some(false)) if is_empty(&cage.value) => {}
            (Some(_), _) | (None, Some(true)) => {
                clues.push(Clue { kind: Kind::Cage, cells: cage.cells.clone(), sum });
            }
            _ => outlines += 1,
        }
    }
    let count = |(name, short)| {
        let all = [name, short].iter().find_map(|name| board.rest.get(*name)?.as_array());
        (name, all.map_or(0, Vec::len))
    };
    let drawn = DRAWINGS.into_iter().map(count).chain([("cages without a sum", outlines)]);
    let drawn = drawn.filter(|(_, count)| *count > 0).map(|(name, count)| format!("{name}: {count}"));
    let drawn: Vec<String> = drawn.collect();
    let word = |names: &[&str]| names.iter().find_map(|name| metadata.get(*name)?.as_str());
    let words = [word(&["title", "t"]), word(&["author"]), word(&["rules"])];
    if !drawn.is_empty() {
        let told = words[2].map(|rules| format!(" Its rules: {}", shown_whole(rules))).unwrap_or_default();
        return Err(wrong(format!(
            "this puzzle has drawings ({}) that mean what only its rules in words say; cells, regions and cages alone \
             can be read.{told}",
            drawn.join(", ")
        )));
    }
    let rules = ["antiknight", "antiking"].map(|name| {
        metadata.get(name).is_some_and(|value| value == true) || board.global.iter().any(|other| other == name)
    });
    let not_usual = ["norowcol"].into_iter().filter(|name| metadata.get(*name).is_some_and(|value| !is_empty(value)));
    let global = board.global.iter().map(String::as_str).filter(|name| !["antiknight", "antiking"].contains(name));
    let known =
        |name: &&str| REMARKS.contains(name) || DRAWINGS.iter().any(|(long, short)| name == long || name == short);
    let rest = board.rest.iter().filter(|(_, value)| !is_empty(value)).map(|(name, _)| name.as_str());
    let unknown: Vec<String> = not_usual.chain(global).chain(rest.filter(|name| !known(name))).map(shown).collect();
    if !unknown.is_empty() {
        return Err(wrong(format!("this puzzle has rules that are not known here: {}", unknown.join(", "))));
    }
    let value = |cell: &Cell| match &cell.value {
        value if is_empty(value) => Ok(0),
        value => number(value).and_then(|value| u16::try_from(value).ok()).ok_or_else(|| {
            wrong(format!("{} is no value of a cell here; values are numbers", shown(&value.to_string())))
        }),
    };
    let row = |row: &Vec<Cell>| row.iter().map(value).collect::<Result<Vec<u16>, Problem>>();
    let cells = board.cells.iter().map(row).collect::<Result<_, _>>()?;
    let blank = Sheet::blank(n, regions(n, &board.regions)?);
    let sheet = Sheet { cells, anti_knight: rules[0], anti_king: rules[1], clues, ..blank };
    Ok(Puzzle::new(sheet.named().map_err(|problem| wrong(problem.error))?, words))
}

/// Each cell is in one region, or there are no regions at all.
fn regions(n: usize, all: &[Vec<At>]) -> Result<Regions, Problem> {
    if all.is_empty() {
        return Ok(Regions::Named("none".into()));
    }
    let mut rows = vec![vec![None; n]; n];
    for (region, cells) in all.iter().enumerate() {
        for &[row, column] in cells {
            let cell = rows.get_mut(row).and_then(|row| row.get_mut(column));
            *cell.ok_or_else(|| wrong("a region is partly outside of the board"))? = u16::try_from(region).ok();
        }
    }
    let rows: Option<_> = rows.into_iter().map(|row| row.into_iter().collect()).collect();
    rows.map(Regions::Drawn).ok_or_else(|| wrong("some cells are in no region, which is not known here"))
}

/// JSON of `SudokuPad`'s shorter notation: names have no quotes, texts have single ones, `t` and `f` are true and
/// false, nothing between commas is `{}`, colours and other words have no quotes either.
pub(super) fn unzipped(text: &str) -> String {
    let mut json = String::new();
    let mut rest = text.chars().peekable();
    while let Some(sign) = rest.next() {
        match sign {
            '\'' | '"' => string(sign, &mut rest, &mut json),
            ',' | ']' => {
                if json.ends_with(['[', ',']) {
                    json.push_str("{}");
                }
                json.push(sign);
            }
            '{' | '}' | '[' | ':' => json.push(sign),
            sign if sign.is_whitespace() => {}
            sign => {
                let mut word = String::from(sign);
                while let Some(next) = rest.next_if(|next| !",:{}[]'\"".contains(*next)) {
                    word.push(next);
                }
                let name = rest.peek() == Some(&':');
                match word.as_str() {
                    "t" if !name => json.push_str("true"),
                    "f" if !name => json.push_str("false"),
                    word if !name && serde_json::from_str::<Value>(word).is_ok() => json.push_str(word),
                    word => json.push_str(&Value::from(word).to_string()),
                }
            }
        }
    }
    json
}

/// The rest of a text that this quote began. In single quotes, `\'` stands for either quote.
fn string(quote: char, rest: &mut Peekable<Chars<'_>>, json: &mut String) {
    json.push('"');
    while let Some(sign) = rest.next() {
        match sign {
            '\\' => match rest.next() {
                Some('\'') => json.push('\''),
                next => json.extend(['\\'].into_iter().chain(next)),
            },
            sign if sign == quote => break,
            '"' => json.push_str("\\\""),
            sign => json.push(sign),
        }
    }
    json.push('"');
}
