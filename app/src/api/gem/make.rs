//! New boards, boards as text, as pictures and as formulas, and with proofs.

use cnfkit::gem_hunter::{generate_within, plant};
use cnfkit::{GemHunterEncoder, GemMap};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::board::{About, Board, MOST, Rows, encoder, rows};
use crate::api::look;
use crate::api::proof::{self, Proof};
use crate::api::sudoku::picture::{Dimacs, MOST_CLAUSES, Picture};
use crate::jobs::Work;
use crate::problem::Problem;

/// Cells of a picture at most: each is an element of it.
const MOST_DRAWN: usize = 40_000;

/// Cells of a board about which something is proven at most.
const MOST_PROVEN: usize = 2500;

/// A text to be read.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Read {
    /// A row a line; cells are `_` or `.`, `T`, `G`, `#` and numbers from 0 to 8, parted by commas or blanks.
    text: String,
}

/// A board.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Found {
    board: Board,
}

/// Answers `gem/read`.
pub(crate) fn read(asked: &Read, _: &Work) -> Result<Found, Problem> {
    let map = Board::Text { text: asked.text.clone() }.map().map_err(|problem| problem.at("text"))?;
    Ok(Found { board: Board::of(&map) })
}

/// A text.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct BoardText {
    text: String,
}

/// Answers `gem/write`.
pub(crate) fn write(asked: &About, _: &Work) -> Result<BoardText, Problem> {
    Ok(BoardText { text: asked.board.map()?.to_string() })
}

/// The wish for a board.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewBoard {
    /// At most 1000.
    rows: usize,
    /// At most 1000.
    columns: usize,
    /// The chance of a trap in each cell, from 0 to 1.
    density: f64,
    /// The chance that a cell without a trap shows its number, from 0 to 1. Without it, numbers are shown such that
    /// there is exactly one answer, and, as far as half of the time allows, few of them could be missed.
    #[serde(default)]
    shown: Option<f64>,
    /// Equal seeds give equal boards.
    #[serde(default)]
    seed: u64,
}

/// A new board.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Made {
    board: Board,
    /// The answer that it was made from; there may be others if `shown` was given.
    hidden: Rows,
    /// The traps of that answer.
    total: usize,
}

/// Answers `gem/new`.
pub(crate) fn new(asked: &NewBoard, work: &Work) -> Result<Made, Problem> {
    for (field, size) in [("rows", asked.rows), ("columns", asked.columns)] {
        if !(1..=MOST).contains(&size) {
            return Err(Problem::refused(field, format!("{size} {field}; allowed are 1 to {MOST}")));
        }
    }
    for (field, chance) in [("density", Some(asked.density)), ("shown", asked.shown)] {
        if let Some(chance) = chance.filter(|chance| !(0.0..=1.0).contains(chance)) {
            return Err(Problem::refused(field, format!("a chance of {chance}; allowed are 0 to 1")));
        }
    }
    work.say("making a board", 0, None);
    let (rows_, columns, seed) = (asked.rows, asked.columns, asked.seed);
    let (map, answer) = match asked.shown {
        Some(shown) => plant(rows_, columns, asked.density, shown, seed),
        None => {
            // The other half of the time is for its answer.
            let limits = work.limits().time(work.left() / 2);
            let map = generate_within(rows_, columns, asked.density, seed, &limits);
            let answer = encoder(map.clone(), None, work).solve()?;
            (map, answer.ok_or_else(|| Problem::bug("a new board has no answer"))?)
        }
    };
    Ok(Made { board: Board::of(&map), hidden: rows(&answer), total: answer.count(cnfkit::Cell::Trap) })
}

/// A board to be drawn.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Draw {
    board: Board,
    /// Colours for a dark page.
    #[serde(default)]
    dark: bool,
}

/// Answers `gem/svg`.
pub(crate) fn svg(asked: &Draw, _: &Work) -> Result<Picture, Problem> {
    let map = asked.board.map()?;
    if map.rows() * map.columns() > MOST_DRAWN {
        let error = format!("a board of {} × {}; at most {MOST_DRAWN} cells are drawn", map.rows(), map.columns());
        return Err(Problem::refused("board", error));
    }
    Ok(Picture { svg: map.to_svg_with(&look(asked.dark)) })
}

/// Answers `gem/dimacs`.
pub(crate) fn dimacs(asked: &About, work: &Work) -> Result<Dimacs, Problem> {
    let map: GemMap = asked.board.map()?;
    let columns = map.columns();
    let encoder: GemHunterEncoder = encoder(map, asked.total, work);
    let cnf = encoder.encode()?;
    if cnf.n_clauses() as u64 > MOST_CLAUSES {
        let error = format!("the formula has {} clauses; at most {MOST_CLAUSES} are sent as text", cnf.n_clauses());
        return Err(Problem::refused("board", error));
    }
    let remark = format!("c Gem Hunter: a trap in row r, column c is variable {columns}*(r-1) + c.\n");
    Dimacs::of(&cnf, remark)
}

/// Answers `gem/proof`.
pub(crate) fn proof(asked: &About, work: &Work) -> Result<Proof, Problem> {
    let map: GemMap = asked.board.map()?;
    if map.cells().len() > MOST_PROVEN {
        let error = format!("{} cells; proofs are made for at most {MOST_PROVEN}", map.cells().len());
        return Err(Problem::refused("board", error));
    }
    work.say("proving", 0, None);
    let encoder = encoder(map, asked.total, work).limits(proof::limits(work));
    proof::of(work, |dir| {
        Ok(match encoder.deduce_certified(dir)? {
            None => "there is no answer",
            Some(_) if dir.join("other").exists() => "there is an answer, and the certain cells are the same in all",
            Some(_) => "there is an answer, and no cell is certain",
        }
        .into())
    })
}
