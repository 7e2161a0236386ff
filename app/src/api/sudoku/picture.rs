//! A Sudoku as a picture, as a formula, and with a proof.

use cnfkit::{Cnf, sudoku};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::clues;
use super::sheet::{Cells, Sheet, grid};
use super::solve::plain;
use crate::api::look;
use crate::api::proof::{self, Proof};
use crate::jobs::Work;
use crate::problem::Problem;

/// Clauses of a formula that is sent as text at most: some 50 MB.
pub(crate) const MOST_CLAUSES: u64 = 3_000_000;

/// The largest side of a Sudoku about which something is proven.
const MOST_PROVEN: usize = 16;

/// A Sudoku to be drawn.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Draw {
    /// Its values are the givens.
    sheet: Sheet,
    /// Values that somebody entered, 0 elsewhere.
    #[serde(default)]
    entered: Cells,
    /// A solution: what it adds is drawn as solved.
    #[serde(default)]
    solution: Cells,
    /// Colours for a dark page.
    #[serde(default)]
    dark: bool,
}

/// A picture.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Picture {
    /// An SVG document.
    pub(crate) svg: String,
}

/// Answers `sudoku/svg`.
pub(crate) fn svg(asked: &Draw, _: &Work) -> Result<Picture, Problem> {
    let puzzle = asked.sheet.board()?;
    let layout = puzzle.layout().clone();
    let entered = grid(&layout, &asked.entered, "entered")?;
    let mut sheet = sudoku::Sheet::new(puzzle);
    for (row, col, value) in
        entered.givens().filter(|&(row, col, _)| sheet.puzzle().get(row, col).is_none()).collect::<Vec<_>>()
    {
        let place = format!("entered[{row}][{col}]");
        sheet.enter(row, col, value).map_err(|error| Problem::refused(place, error.to_string()))?;
    }
    if !asked.solution.is_empty() && !sheet.fill(&grid(&layout, &asked.solution, "solution")?) {
        return Err(Problem::refused("solution", "this is no solution of the values that are there"));
    }
    let svg = sheet.to_svg_with(&look(asked.dark));
    let clues = &asked.sheet.clues;
    Ok(Picture { svg: if clues.is_empty() { svg } else { clues::draw(&svg, clues, asked.dark) } })
}

/// A Sudoku to be written as a formula, or proven.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Encode {
    sheet: Sheet,
}

/// A formula as text.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Dimacs {
    /// In DIMACS format; remarks say what the variables mean.
    pub(crate) text: String,
    pub(crate) variables: usize,
    pub(crate) clauses: usize,
}

/// Answers `sudoku/dimacs`.
pub(crate) fn dimacs(asked: &Encode, work: &Work) -> Result<Dimacs, Problem> {
    let grid = asked.sheet.grid()?;
    let side = grid.side();
    let encoder = plain(grid, work);
    let clauses = encoder.size().clauses;
    if clauses > MOST_CLAUSES {
        let error = format!("the formula has {clauses} clauses; at most {MOST_CLAUSES} are sent as text");
        return Err(Problem::refused("sheet.n", error));
    }
    let cnf = encoder.encode()?;
    let remark = format!(
        "c A Sudoku of side {side}: row r, column c holds v is variable {}*(r-1) + {side}*(c-1) + v.\n",
        side * side
    );
    Dimacs::of(&cnf, remark)
}

/// Answers `sudoku/proof`.
pub(crate) fn proof(asked: &Encode, work: &Work) -> Result<Proof, Problem> {
    let grid = asked.sheet.grid()?;
    if grid.side() > MOST_PROVEN {
        let error = format!("side {}; proofs are made up to side {MOST_PROVEN}", grid.side());
        return Err(Problem::refused("sheet.n", error));
    }
    work.say("proving", 0, None);
    let encoder = plain(grid, work).limits(proof::limits(work));
    proof::of(work, |dir| {
        Ok(match encoder.solve_certified(dir)? {
            None => "there is no solution",
            Some((_, None)) => "there is a solution, and no other",
            Some((_, Some(_))) => "there is a solution, and another one",
        }
        .into())
    })
}

impl Dimacs {
    /// A formula, and a line before it.
    pub(crate) fn of(cnf: &Cnf, remark: String) -> Result<Self, Problem> {
        let mut text = remark.into_bytes();
        cnf.write_dimacs(&mut text).map_err(|error| Problem::bug(error.to_string()))?;
        let text = String::from_utf8(text).map_err(|error| Problem::bug(error.to_string()))?;
        Ok(Self { text, variables: cnf.n_vars(), clauses: cnf.n_clauses() })
    }
}
