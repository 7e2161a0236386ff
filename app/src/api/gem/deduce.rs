//! The backbone of a board, the chances of the other cells, and one answer.

use std::time::Duration;

use cnfkit::{Deduction, GemError, GemMap, Kind, SolveError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::board::{Board, Rows, encoder, rows};
use crate::jobs::Work;
use crate::problem::Problem;

/// The time for counting answers.
const COUNTING: Duration = Duration::from_secs(1);

/// A board of which is wanted what is certain.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Deduce {
    board: Board,
    /// The number of traps on the whole board, given ones included.
    #[serde(default)]
    total: Option<usize>,
    /// True if the chance of a trap is wanted for each cell.
    #[serde(default)]
    probabilities: bool,
}

/// The cells that are certain.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Deduced {
    /// `trap`, `gem`, `undecided`, `free` (no number touches it) or `number` for each cell; a hole is a `number`, too.
    /// Null when there is no answer at all.
    cells: Option<Vec<Vec<&'static str>>>,
    /// True if all of it was found out; false if the time was over before: what is a trap or a gem is so for certain.
    complete: bool,
    /// False if the board is too entangled to be counted by its total: then this is certain whatever the total, there
    /// may be more, and there are no chances.
    heeded: bool,
    /// The chance of a trap in each cell, null for numbers and holes; null if not asked for, or too much to count.
    probabilities: Option<Vec<Vec<Option<f64>>>>,
    /// An unknown cell that is least likely a trap, if there are probabilities.
    best: Option<[usize; 2]>,
    /// The number of answers, in digits, or `about 1.5·10^40`; null when it was not found out.
    solutions: Option<String>,
    text: String,
}

/// Answers `gem/deduce`.
pub(crate) fn deduce(asked: &Deduce, work: &Work) -> Result<Deduced, Problem> {
    let map = asked.board.map()?;
    work.say("looking for what is certain", 0, None);
    // Something of the time is kept for the rest, and to bring back what there is.
    let share = if asked.probabilities { 6 } else { 9 };
    let ask = |total| encoder(map.clone(), total, work).time_limit(work.left() * share / 10).deduce();
    let (total, found) = match ask(asked.total) {
        // What is certain whatever the total is certain with it, too.
        Err(GemError::Entangled { .. } | GemError::Imprecise) if asked.total.is_some() => (None, ask(None)?),
        found => (asked.total, found?),
    };
    let heeded = total == asked.total;
    let Some(found) = found else {
        let text = "there is no answer: the numbers contradict each other".into();
        let solutions = Some("0".into());
        return Ok(Deduced { cells: None, complete: true, heeded, probabilities: None, best: None, solutions, text });
    };
    work.check()?;
    let mut deduced = Deduced {
        cells: Some(kinds(&map, &found)),
        complete: found.is_complete(),
        heeded,
        probabilities: None,
        best: None,
        solutions: None,
        text: words(&found),
    };
    if !heeded {
        deduced.text.push_str("; the board is too entangled for its total, which was not heeded");
    }
    if !found.is_complete() || !heeded {
        return Ok(deduced);
    }
    if asked.probabilities {
        work.say("counting answers for the chances", 0, None);
        let chances = encoder(map.clone(), asked.total, work).time_limit(work.left() * 7 / 10).probabilities();
        if let Some(chances) = in_time(chances, &mut deduced.text, "; the chances are too much to count")?.flatten() {
            let chance = |row: usize, column: usize| match found.get(row, column) {
                Kind::Number => None,
                _ => Some(chances.get(row, column)),
            };
            let row = |row: usize| (0..map.columns()).map(|column| chance(row, column)).collect();
            deduced.probabilities = Some((0..map.rows()).map(row).collect());
            deduced.best = chances.best_move().map(|(row, column)| [row, column]);
            deduced.solutions = Some(about(chances.log10_count()));
        }
    }
    work.say("counting answers", 0, None);
    let time = COUNTING.min(work.left() * 9 / 10);
    let count = encoder(map, asked.total, work).time_limit(time).count(usize::MAX);
    if let Some(count) = in_time(count, &mut deduced.text, "")?.filter(|&count| count < usize::MAX) {
        deduced.solutions = Some(count.to_string());
    }
    Ok(deduced)
}

/// The answer, if it came in time; a word on it if there is nothing, and nobody stopped the work.
fn in_time<T>(found: Result<T, GemError>, text: &mut String, word: &str) -> Result<Option<T>, Problem> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(GemError::Solve(SolveError::Interrupted(_)) | GemError::Entangled { .. } | GemError::Imprecise) => {
            text.push_str(word);
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

/// A number by its decimal logarithm.
fn about(log10: f64) -> String {
    if log10 < 15.0 {
        format!("{:.0}", 10_f64.powf(log10))
    } else {
        format!("about {:.1}·10^{}", 10_f64.powf(log10.fract()), log10.floor())
    }
}

fn kinds(map: &GemMap, found: &Deduction) -> Vec<Vec<&'static str>> {
    let kind = |row: usize, column: usize| name(found.get(row, column));
    (0..map.rows()).map(|row| (0..map.columns()).map(|column| kind(row, column)).collect()).collect()
}

/// The word for a kind of cell.
pub(crate) fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::Trap => "trap",
        Kind::Gem => "gem",
        Kind::Free => "free",
        Kind::Number => "number",
        Kind::Undecided => "undecided",
    }
}

fn words(found: &Deduction) -> String {
    let [traps, gems, undecided, free] =
        [Kind::Trap, Kind::Gem, Kind::Undecided, Kind::Free].map(|kind| found.count(kind));
    let end = if found.is_complete() { "" } else { "; the time was over before all of it was found out" };
    format!("certain are {traps} traps and {gems} gems; {undecided} cells are undecided, {free} free{end}")
}

/// A board to be solved.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Solve {
    board: Board,
    /// The number of traps on the whole board, given ones included.
    #[serde(default)]
    total: Option<usize>,
}

/// A board with every cell known.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Solved {
    /// Every unknown cell a trap or a gem; null when that is impossible.
    cells: Option<Rows>,
}

/// Answers `gem/solve`.
pub(crate) fn solve(asked: &Solve, work: &Work) -> Result<Solved, Problem> {
    work.say("looking for an answer", 0, None);
    let encoder = encoder(asked.board.map()?, asked.total, work);
    let answer = match work.engine()? {
        Some(make) => encoder.solver(make).solve()?,
        None => encoder.solve()?,
    };
    Ok(Solved { cells: answer.map(|map| rows(&map)) })
}
