//! The mistakes on a board, and the reason of a cell's kind.

use cnfkit::{Cell, GemMap, Kind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::board::{About, At, Board, ats, encoder};
use super::deduce::name;
use crate::jobs::Work;
use crate::problem::Problem;

/// The mistakes on the board as it stands.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Checked {
    problems: Vec<Wrong>,
    /// True if no cell is unknown.
    complete: bool,
}

/// One thing that is wrong.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Wrong {
    text: String,
    /// The number; nothing if it is the total.
    cells: Vec<At>,
}

/// Answers `gem/check`.
pub(crate) fn check(asked: &About, work: &Work) -> Result<Checked, Problem> {
    let map = asked.board.map()?;
    let mut problems = Vec::new();
    for (row, column) in encoder(map.clone(), None, work).impossible_numbers()? {
        let (traps, open) = around(&map, row, column);
        let number = map.get(row, column);
        let text = format!(
            "row {}, column {}: the {number} cannot be met: {traps} traps are around it, and {open} cells are open",
            row + 1,
            column + 1
        );
        problems.push(Wrong { text, cells: vec![[row, column]] });
    }
    let (traps, open) = (map.count(Cell::Trap), map.count(Cell::Unknown));
    if let Some(total) = asked.total.filter(|&total| traps > total || traps + open < total) {
        let text = format!("{total} traps are demanded: {traps} are on the board, and {open} cells are open");
        problems.push(Wrong { text, cells: Vec::new() });
    }
    Ok(Checked { problems, complete: open == 0 })
}

/// Traps and unknown cells around a cell.
fn around(map: &GemMap, row: usize, column: usize) -> (usize, usize) {
    let rows = row.saturating_sub(1)..=(row + 1).min(map.rows() - 1);
    let columns = column.saturating_sub(1)..=(column + 1).min(map.columns() - 1);
    let cells = rows.flat_map(|r| columns.clone().map(move |c| (r, c))).filter(|&cell| cell != (row, column));
    let cells: Vec<Cell> = cells.map(|(r, c)| map.get(r, c)).collect();
    let count = |kind: Cell| cells.iter().filter(|&&cell| cell == kind).count();
    (count(Cell::Trap), count(Cell::Unknown))
}

/// A cell that is asked about.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Cause {
    board: Board,
    /// The number of traps on the whole board, given ones included.
    #[serde(default)]
    total: Option<usize>,
    /// From 0.
    row: usize,
    /// From 0.
    column: usize,
}

/// Why a cell is what it is.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Because {
    /// `trap`, `gem`, `undecided`, `free` or `number`; `contradiction` when the board has no answer.
    state: &'static str,
    /// Numbers that force it, none of which can be left out; of a contradiction, those that contradict each other.
    numbers: Vec<At>,
    text: String,
}

/// Answers `gem/why`.
pub(crate) fn why(asked: &Cause, work: &Work) -> Result<Because, Problem> {
    let map = asked.board.map()?;
    let (row, column) = (asked.row, asked.column);
    let ask = || encoder(map.clone(), asked.total, work);
    let place = format!("row {}, column {}", row + 1, column + 1);
    work.say("looking for numbers that force the cell", 0, None);
    let found = ask().reason(row, column)?;
    let shown = map.get(row, column);
    if shown != Cell::Unknown {
        let state = match shown {
            Cell::Trap => "trap",
            Cell::Gem => "gem",
            _ => "number",
        };
        return Ok(Because { state, numbers: Vec::new(), text: format!("{place} shows {shown}: that is given") });
    }
    let Some(numbers) = found else {
        return undecided(&ask, &map, (row, column), &place);
    };
    let answer = ask().solve()?.ok_or_else(|| Problem::bug("a cell is certain on a board without an answer"))?;
    let state = if answer.get(row, column) == Cell::Trap { "trap" } else { "gem" };
    let list: Vec<String> =
        numbers.iter().map(|&(r, c)| format!("the {} in row {}, column {}", map.get(r, c), r + 1, c + 1)).collect();
    let total = asked.total.map(|total| format!(" and the total of {total}")).unwrap_or_default();
    let because = if list.is_empty() { "the total".to_owned() } else { format!("{}{total}", list.join(", ")) };
    Ok(Because { state, numbers: ats(numbers), text: format!("{place} is a {state} because of {because}") })
}

/// No reason: the cell is a trap in some answers and a gem in others, or there is no answer.
fn undecided(
    ask: &dyn Fn() -> cnfkit::GemHunterEncoder,
    map: &GemMap,
    (row, column): (usize, usize),
    place: &str,
) -> Result<Because, Problem> {
    if let Some(numbers) = ask().explain()? {
        let text = "the board has no answer: these numbers contradict each other".into();
        return Ok(Because { state: "contradiction", numbers: ats(numbers), text });
    }
    let around = |r: usize, c: usize| r.abs_diff(row) <= 1 && c.abs_diff(column) <= 1;
    let touched = (0..map.rows()).flat_map(|r| (0..map.columns()).map(move |c| (r, c)));
    let touched = touched.filter(|&(r, c)| around(r, c)).any(|(r, c)| matches!(map.get(r, c), Cell::Number(_)));
    let (kind, text) = if touched {
        (Kind::Undecided, format!("{place} is a trap in some answers and a gem in others"))
    } else {
        (Kind::Free, format!("{place} is free: no number touches it"))
    };
    Ok(Because { state: name(kind), numbers: Vec::new(), text })
}

/// Why a board has no answer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Explained {
    /// True if it has one; then nothing else is said.
    solvable: bool,
    /// Numbers that contradict each other, none of which can be left out.
    numbers: Vec<At>,
    text: String,
}

/// Answers `gem/explain`.
pub(crate) fn explain(asked: &About, work: &Work) -> Result<Explained, Problem> {
    let map = asked.board.map()?;
    work.say("looking for a contradiction", 0, None);
    let Some(numbers) = encoder(map, asked.total, work).explain()? else {
        return Ok(Explained { solvable: true, numbers: Vec::new(), text: "the board has an answer".into() });
    };
    let text = match (numbers.len(), asked.total) {
        (0, Some(total)) => format!("no answer has {total} traps"),
        (1, None) => "this number alone cannot be met".into(),
        (_, None) => "these numbers contradict each other, and none of them can be left out".into(),
        (_, Some(total)) => format!("these numbers and the total of {total} contradict each other"),
    };
    Ok(Explained { solvable: false, numbers: ats(numbers), text })
}
