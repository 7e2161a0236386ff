//! The mistakes in a Sudoku, its candidates, the next step, and the reason why there is no solution.

use cnfkit::model::Model;
use cnfkit::sudoku::{
    Contradiction, DeadEnd, Elimination, Group, Problem as Fault, ProblemKind, Reason, Single, Technique,
};
use cnfkit::{Grid, Layout, SudokuError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::At;
use super::clues::{Clue, broken, rules};
use super::sheet::Sheet;
use super::solve::encoder;
use crate::jobs::Work;
use crate::problem::Problem;

/// A Sudoku.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct About {
    pub(super) sheet: Sheet,
}

/// The mistakes in a sheet as it stands.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Checked {
    /// Nothing, if the values that are there do not contradict each other.
    problems: Vec<Wrong>,
    /// True if every cell has a value.
    complete: bool,
}

/// One thing that is wrong.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Wrong {
    text: String,
    /// The cells: the later one first, then the one it contradicts.
    cells: Vec<At>,
    /// `row 3`, `column 1`, `region 2`, `diagonal 1`, `window 4`, `values`, `chess moves`, or a clue by its name.
    rule: String,
}

/// Answers `sudoku/check`.
pub(crate) fn check(asked: &About, _: &Work) -> Result<Checked, Problem> {
    let grid = asked.sheet.board()?;
    let wrong = |fault: Fault| {
        let (rule, with) = match fault.kind {
            ProblemKind::Repeated { group, with, .. } => (group.to_string(), Some(with)),
            ProblemKind::Banned { with, .. } => ("chess moves".into(), Some(with)),
            _ => ("values".into(), None),
        };
        let cells = std::iter::once((fault.row, fault.col)).chain(with).map(|(row, col)| [row, col]).collect();
        Wrong { text: fault.to_string(), cells, rule }
    };
    let mut problems: Vec<Wrong> = grid.check().into_iter().map(wrong).collect();
    let clues = broken(&grid, &asked.sheet.clues).into_iter();
    problems.extend(clues.map(|of| Wrong { text: of.text, cells: of.cells, rule: of.clue.to_string() }));
    Ok(Checked { problems, complete: grid.is_full() })
}

/// A Sudoku whose candidates are wanted.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AboutCandidates {
    sheet: Sheet,
    /// False: the values that no other cell of a group has, and that each clue by itself leaves. True: those that the
    /// cell has in some solution.
    #[serde(default)]
    exact: bool,
}

/// Values that cells may have.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Candidates {
    /// For each cell, row by row; the value itself where a cell has one.
    candidates: Vec<Vec<Vec<u16>>>,
}

/// Answers `sudoku/candidates`.
pub(crate) fn candidates(asked: &AboutCandidates, work: &Work) -> Result<Candidates, Problem> {
    let side = asked.sheet.n;
    let flat = match asked.sheet.clued()? {
        // Without a solution, no value is left.
        Some(board) if asked.exact => board.candidates(work)?.unwrap_or_else(|| vec![Vec::new(); side * side]),
        Some(board) => board.marks(),
        None if asked.exact => encoder(asked.sheet.grid()?, work)?.candidates()?,
        None => pencil(&asked.sheet.grid()?),
    };
    Ok(Candidates { candidates: flat.chunks(side).map(<[Vec<u16>]>::to_vec).collect() })
}

/// The values that no peer of a cell has.
fn pencil(grid: &Grid) -> Vec<Vec<u16>> {
    let side = grid.side();
    let cell = |row: usize, col: usize| match grid.get(row, col) {
        Some(value) => vec![value],
        None => {
            let taken: Vec<_> = grid.layout().peers(row, col).into_iter().filter_map(|(r, c)| grid.get(r, c)).collect();
            (1..=side as u16).filter(|value| !taken.contains(value)).collect()
        }
    };
    (0..side).flat_map(|row| (0..side).map(move |col| (row, col))).map(|(row, col)| cell(row, col)).collect()
}

/// The next step.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Hinted {
    /// Null when no cell is forced: all are full, or there is no solution, or more than one and nothing in common.
    pub(super) hint: Option<Step>,
    /// The hint in words, or why there is none.
    pub(super) text: String,
}

/// A cell whose value is forced.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Step {
    pub(super) row: usize,
    pub(super) column: usize,
    pub(super) value: u16,
    /// `naked single`, `hidden single`, `locked candidate`, `contradiction`, `cage`, `thermometer`, `arrow` or
    /// `search`.
    pub(super) technique: String,
    pub(super) text: String,
    /// Where to look: `row 3`, `region 2`, … of a hidden single, else the cell.
    pub(super) look: String,
    /// The cells that show it: the group of a hidden single, the cells with values that a naked single sees.
    pub(super) cells: Vec<At>,
    /// The values that cells lose before, in order.
    pub(super) eliminations: Vec<Loss>,
}

/// A value that cells lose.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Loss {
    pub(super) value: u16,
    /// The cells that lose it.
    pub(super) cells: Vec<At>,
    /// The cells that show it: the only places for the value; of a contradiction, the cell where it ends.
    pub(super) shown: Vec<At>,
    /// `locked candidate`, `contradiction`, `cage`, `thermometer` or `arrow`.
    pub(super) technique: &'static str,
    pub(super) text: String,
    /// Where to look.
    pub(super) look: String,
    /// The singles that lead to the contradiction.
    pub(super) chain: Vec<Link>,
}

/// A single on the way to a contradiction.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Link {
    cell: At,
    value: u16,
    text: String,
}

/// Answers `sudoku/hint`.
pub(crate) fn hint(asked: &About, work: &Work) -> Result<Hinted, Problem> {
    let grid = asked.sheet.grid()?;
    let encoder = encoder(grid.clone(), work)?;
    let Some(hint) = encoder.hint()? else {
        let full = grid.is_full();
        let text = match encoder.time_limit(work.left()).solve()? {
            None => "there is no solution: something that is there contradicts the rest",
            Some(_) if full => "every cell has its value",
            Some(_) => "there is more than one solution, and no empty cell is the same in all of them",
        };
        return Ok(Hinted { hint: None, text: text.into() });
    };
    let technique = match hint.technique {
        Technique::NakedSingle => "naked single",
        Technique::HiddenSingle(_) => "hidden single",
        Technique::LockedCandidate => "locked candidate",
        Technique::Contradiction => "contradiction",
        _ => "search",
    };
    let (look, cells) = match hint.group {
        Some(group) => (group.to_string(), cells(grid.layout(), group)),
        None if technique == "search" => (place([hint.row, hint.col]), Vec::new()),
        None => {
            let peers = grid.layout().peers(hint.row, hint.col);
            let filled = peers.into_iter().filter(|&(row, col)| grid.get(row, col).is_some());
            (place([hint.row, hint.col]), filled.collect())
        }
    };
    let text = hint.to_string();
    let step = Step {
        row: hint.row,
        column: hint.col,
        value: hint.value,
        technique: technique.into(),
        text: text.clone(),
        look,
        cells: ats(cells),
        eliminations: hint.eliminations.into_iter().map(loss).collect(),
    };
    Ok(Hinted { hint: Some(step), text })
}

fn loss(step: Elimination) -> Loss {
    let text = step.to_string();
    let cells = ats(step.cells);
    let (technique, look, shown, chain) = match step.reason {
        Reason::Locked { group, within, places } => {
            ("locked candidate", format!("{group} and {within}"), ats(places), Vec::new())
        }
        Reason::Refuted(found) => {
            let look = cells.iter().map(|&cell| place(cell)).collect::<Vec<_>>().join("; ");
            ("contradiction", look, end(&found), chain(&found))
        }
        _ => ("contradiction", String::new(), Vec::new(), Vec::new()),
    };
    Loss { value: step.value, cells, shown, technique, text, look, chain }
}

pub(super) fn place([row, col]: At) -> String {
    format!("row {}, column {}", row + 1, col + 1)
}

pub(super) fn ats(cells: impl IntoIterator<Item = (usize, usize)>) -> Vec<At> {
    cells.into_iter().map(|(row, col)| [row, col]).collect()
}

/// The cell at the end of a contradiction, if it is one.
fn end(found: &Contradiction) -> Vec<At> {
    match found.end {
        DeadEnd::Cell(row, col) => vec![[row, col]],
        _ => Vec::new(),
    }
}

fn chain(found: &Contradiction) -> Vec<Link> {
    let link = |single: &Single| Link { cell: [single.row, single.col], value: single.value, text: single.to_string() };
    found.singles.iter().map(link).collect()
}

fn cells(layout: &Layout, group: Group) -> Vec<(usize, usize)> {
    layout.each_group().find(|(other, _)| *other == group).map(|(_, cells)| cells).unwrap_or_default()
}

/// Why a Sudoku has no solution.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Why {
    /// True if it has one; then nothing else is said.
    pub(super) solvable: bool,
    /// Cells whose values contradict each other: the first two that do so at sight, or cells of which none can be left
    /// out, unless there was no time to see to that.
    pub(super) givens: Vec<At>,
    /// The rows, columns, regions, clues and so on that take part; empty when that was not found out in time.
    pub(super) rules: Vec<String>,
    pub(super) text: String,
    /// The contradiction to which singles lead, if they lead to one: it comes first in the text.
    pub(super) singles: Option<Dead>,
}

/// A contradiction that singles show.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Dead {
    /// The values on the board that take part.
    givens: Vec<At>,
    /// The singles, in order.
    chain: Vec<Link>,
    /// The cell for which nothing is left, if it is a cell.
    end: Vec<At>,
    text: String,
}

/// Answers `sudoku/why` for a board without clues.
pub(crate) fn why(asked: &About, work: &Work) -> Result<Why, Problem> {
    let grid = asked.sheet.grid()?;
    if let Some(why) = at_sight(&grid) {
        return Ok(why);
    }
    work.say("looking for a contradiction", 0, None);
    let encoder = encoder(grid.clone(), work)?;
    let singles = encoder.contradiction()?.map(|found| dead(&found));
    let givens = match encoder.unsat_core() {
        Ok(Some(givens)) => givens,
        Ok(None) => return Ok(solvable()),
        Err(SudokuError::Interrupted(_)) if singles.is_some() => {
            let more = "the fewest values that contradict each other were not found out in time".to_owned();
            let text = singles.iter().map(|dead| dead.text.clone()).chain([more]).collect::<Vec<_>>().join("; ");
            let givens = singles.iter().flat_map(|dead| dead.givens.clone()).collect();
            return Ok(Why { solvable: false, givens, rules: Vec::new(), text, singles });
        }
        Err(error) => return Err(error.into()),
    };
    because(&grid, &[], &givens, singles, work)
}

pub(super) fn solvable() -> Why {
    let text = "there is a solution".into();
    Why { solvable: true, givens: Vec::new(), rules: Vec::new(), text, singles: None }
}

/// Two cells that contradict each other at first sight, which are a smallest contradiction. Values out of range are no
/// such cells, and refused elsewhere.
pub(super) fn at_sight(grid: &Grid) -> Option<Why> {
    let fault = grid.check().into_iter().next()?;
    let (rule, with) = match fault.kind {
        ProblemKind::Repeated { group, with, .. } => (group.to_string(), with),
        ProblemKind::Banned { with, .. } => ("chess moves".into(), with),
        _ => return None,
    };
    let givens = vec![[with.0, with.1], [fault.row, fault.col]];
    Some(Why { solvable: false, givens, rules: vec![rule], text: fault.to_string(), singles: None })
}

/// The answer where these values contradict each other: with the rules that take part.
pub(super) fn because(
    grid: &Grid,
    clues: &[Clue],
    givens: &[(usize, usize, u16)],
    singles: Option<Dead>,
    work: &Work,
) -> Result<Why, Problem> {
    work.say("looking for the rules that take part", 0, None);
    let mut needed = Grid::empty(grid.layout().clone());
    givens.iter().for_each(|&(row, col, value)| needed.set(row, col, value));
    let because = taking_part(&needed, clues, work)?;
    let cells: Vec<String> =
        givens.iter().map(|&(row, col, value)| format!("{value} in {}", place([row, col]))).collect();
    let core = match (&cells[..], &because) {
        ([], Some(rules)) if !clues.is_empty() => {
            format!("no values fulfil these rules together: {}", rules.join(", "))
        }
        ([], _) => "the layout itself has no solution".into(),
        (cells, None) => format!(
            "these values cannot all be right: {}; which rules take part was not found out in time",
            cells.join("; ")
        ),
        (cells, Some(rules)) => {
            format!("these values cannot all be right: {}; because of {}", cells.join("; "), rules.join(", "))
        }
    };
    let text = singles.iter().map(|dead| dead.text.clone()).chain([core]).collect::<Vec<_>>().join("; ");
    let givens = ats(givens.iter().map(|&(row, col, _)| (row, col)));
    Ok(Why { solvable: false, givens, rules: because.unwrap_or_default(), text, singles })
}

fn dead(found: &Contradiction) -> Dead {
    let text = match found.singles.len() {
        0 => found.end.to_string(),
        count => format!("{} after {count} single{}", found.end, if count == 1 { "" } else { "s" }),
    };
    let givens = ats(found.givens.iter().map(|&(row, col, _)| (row, col)));
    Dead { givens, chain: chain(found), end: end(found), text }
}

/// Rules of which none can be left out, if the values are to contradict each other; `None` when time is over.
fn taking_part(grid: &Grid, clues: &[Clue], work: &Work) -> Result<Option<Vec<String>>, Problem> {
    let side = grid.side();
    let mut model = Model::new();
    model.set_limits(cnfkit::Limits::none().time(work.left() / 2).cancel(work.stop()));
    let cells = model.int_grid(side, side, 1..=side as i64);
    for (row, col, value) in grid.givens() {
        model.post(cells.at(row, col).eq(i64::from(value)));
    }
    for (name, rule) in rules(grid.layout(), clues, &cells) {
        model.group(&name, |model| rule.into_iter().for_each(|part| model.post(part)));
    }
    match model.smallest_unsat_core() {
        Ok(names) => Ok(names.map(|names| names.into_iter().map(str::to_owned).collect())),
        Err(cnfkit::model::ModelError::Interrupted(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
