//! New puzzles, by difficulty: each difficulty is a technique that the puzzle needs, so that puzzles of different
//! difficulties differ. What a puzzle needs is looked at, not hoped for.

use cnfkit::sudoku::Grade;
use cnfkit::{Grid, SudokuError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::modes;
use super::sheet::Sheet;
use super::solve::encoder;
use crate::api::lot;
use crate::jobs::Work;
use crate::problem::Problem;

/// How hard a puzzle is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Difficulty {
    /// Naked singles solve it: at every step some cell's row, column and region hold every other value.
    Easy,
    /// It needs hidden singles, too: a row, column or region with one place left for a value.
    Medium,
    /// It needs locked candidates, too: values that a region has within one line only, or a line within one region.
    Hard,
    /// It needs more than that, and no given can be left out.
    Expert,
}

impl Difficulty {
    pub(crate) const ALL: [Self; 4] = [Self::Easy, Self::Medium, Self::Hard, Self::Expert];

    /// Name, and what it means.
    pub(crate) const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Easy => ("easy", "naked singles solve it"),
            Self::Medium => ("medium", "it needs hidden singles"),
            Self::Hard => ("hard", "it needs locked candidates"),
            Self::Expert => ("expert", "locked candidates are not enough"),
        }
    }

    const fn grade(self) -> Grade {
        match self {
            Self::Easy => Grade::NakedSingles,
            Self::Medium => Grade::HiddenSingles,
            Self::Hard => Grade::LockedCandidates,
            Self::Expert => Grade::Search,
        }
    }

    fn of(grade: Grade) -> Self {
        Self::ALL.into_iter().find(|difficulty| difficulty.grade() == grade).unwrap_or(Self::Expert)
    }
}

/// The wish for a puzzle.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct New {
    /// The name of a mode of `sudoku/modes`; this or a sheet.
    #[serde(default)]
    mode: Option<String>,
    /// The layout, and values that the solution has to have.
    #[serde(default)]
    sheet: Option<Sheet>,
    difficulty: Difficulty,
    /// Equal seeds give equal puzzles.
    #[serde(default)]
    seed: u64,
}

/// A puzzle with exactly one solution.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Made {
    sheet: Sheet,
    /// What it turned out to be: simpler than was asked for if 40 tries, or half of the time, found nothing as hard.
    difficulty: Difficulty,
    seed: u64,
    givens: usize,
}

/// Puzzles that are made at most until one is as hard as it should be.
const TRIES: u64 = 40;

/// Answers `sudoku/new`.
pub(crate) fn new(asked: &New, work: &Work) -> Result<Made, Problem> {
    let empty = match (&asked.mode, &asked.sheet) {
        (Some(mode), None) => Grid::empty(modes::layout(mode)?),
        (None, Some(sheet)) => sheet.grid()?,
        _ => return Err(Problem::refused("mode", "a new puzzle needs either a `mode` or a `sheet`")),
    };
    let seed = asked.seed;
    let (grid, difficulty) = made(&empty, asked.difficulty, seed, work)?
        .ok_or_else(|| Problem::refused("sheet", "no solution has this layout and these values"))?;
    Ok(Made { givens: grid.givens().count(), sheet: Sheet::of(&grid), difficulty, seed })
}

/// A puzzle of this difficulty, of several; the hardest of them if there is none.
fn made(empty: &Grid, wanted: Difficulty, seed: u64, work: &Work) -> Result<Option<(Grid, Difficulty)>, Problem> {
    let mut best: Option<(Grid, Difficulty)> = None;
    let half = work.left() / 2;
    for number in 0..TRIES {
        if number > 0 && work.left() < half {
            break;
        }
        work.say("making puzzles until one is hard enough", number, Some(TRIES));
        let made = encoder(empty.clone(), work)?.random_puzzle_of(wanted.grade(), lot::number(seed, number));
        let grid = match made {
            Ok(Some(grid)) => grid,
            Ok(None) => return Ok(None),
            Err(SudokuError::Interrupted) if best.is_some() => break,
            Err(error) => return Err(error.into()),
        };
        let grade = encoder(grid.clone(), work)?.grade()?;
        let difficulty =
            Difficulty::of(grade.ok_or_else(|| Problem::bug("a new puzzle without exactly one solution"))?);
        if best.as_ref().is_none_or(|best| best.1 < difficulty) {
            best = Some((grid, difficulty));
        }
        if difficulty == wanted {
            break;
        }
    }
    Ok(best)
}
