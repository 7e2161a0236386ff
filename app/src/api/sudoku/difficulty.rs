//! New puzzles, by difficulty: each difficulty is a technique that the puzzle needs, so that puzzles of different
//! difficulties differ. What a puzzle needs is looked at, not hoped for.

use std::time::Duration;

use cnfkit::sudoku::Grade;
use cnfkit::{Grid, Layout, SudokuError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::sheet::{Regions, Sheet, drawn};
use super::solve::{encoder, plain};
use super::{construct, modes};
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
    /// The difficulty that was reached: simpler than was asked for if 40 tries, or half of the time, found nothing as
    /// hard. Beyond side 16 it is the hardest that half of the time led to, and some givens could perhaps be left out.
    difficulty: Difficulty,
    seed: u64,
    givens: usize,
}

/// Puzzles that are made at most until one is as hard as it should be.
const TRIES: u64 = 40;
/// The largest side for which a solution is searched; beyond, it is constructed where it can be.
pub(crate) const SEARCHED: usize = 16;

/// Answers `sudoku/new`.
pub(crate) fn new(asked: &New, work: &Work) -> Result<Made, Problem> {
    let seed = asked.seed;
    let found = match (&asked.mode, &asked.sheet) {
        (Some(mode), None) => match modes::jigsaw(mode)? {
            Some(side) => jigsaw(side, asked.difficulty, seed, work)?,
            None => made(&Grid::empty(modes::layout(mode)?), asked.difficulty, seed, work)?,
        },
        (None, Some(sheet)) => made(&sheet.grid()?, asked.difficulty, seed, work)?,
        _ => return Err(Problem::refused("mode", "a new puzzle needs either a `mode` or a `sheet`")),
    };
    let (grid, difficulty) =
        found.ok_or_else(|| Problem::refused("sheet", "no solution has this layout and these values"))?;
    Ok(Made { givens: grid.givens().count(), sheet: Sheet::of(&grid), difficulty, seed })
}

/// A puzzle whose regions come by lot; of regions without a solution, others take the place.
fn jigsaw(side: usize, wanted: Difficulty, seed: u64, work: &Work) -> Result<Option<(Grid, Difficulty)>, Problem> {
    for number in 0.. {
        let layout = regions(side, lot::number(seed, number))?;
        let found = made(&Grid::empty(layout), wanted, seed, work)?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// Connected regions by lot.
fn regions(side: usize, seed: u64) -> Result<Layout, Problem> {
    Layout::jigsaw(side, seed).map_err(|error| Problem::refused("n", error.to_string()))
}

/// The wish for regions.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wish {
    /// The side; from 4 to 36.
    n: usize,
    /// Equal seeds give equal regions.
    #[serde(default)]
    seed: u64,
}

/// Regions.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct ByLot {
    /// The region of each cell, row by row.
    regions: Regions,
}

/// Answers `sudoku/regions`.
pub(crate) fn by_lot(asked: &Wish, _: &Work) -> Result<ByLot, Problem> {
    if !(4..=36).contains(&asked.n) {
        return Err(Problem::refused("n", format!("a side of {}; allowed are 4 to 36", asked.n)));
    }
    Ok(ByLot { regions: drawn(&regions(asked.n, asked.seed)?) })
}

/// A puzzle of this difficulty, of several; the hardest of them if there is none.
fn made(empty: &Grid, wanted: Difficulty, seed: u64, work: &Work) -> Result<Option<(Grid, Difficulty)>, Problem> {
    if empty.side() > SEARCHED
        && let Some(solution) = construct::solution(empty, seed)
    {
        return large(solution, wanted, seed, work).map(Some);
    }
    let mut best: Option<(Grid, Difficulty)> = None;
    let half = work.left() / 2;
    for number in 0..TRIES {
        if number > 0 && work.left() < half {
            break;
        }
        work.say("making puzzles until one is hard enough", number, Some(TRIES));
        // A puzzle that needs search may take longer than there is time: one that needs less comes first.
        let at_most = if number == 0 { wanted.min(Difficulty::Hard) } else { wanted };
        let made = encoder(empty.clone(), work)?.random_puzzle_of(at_most.grade(), lot::number(seed, number));
        let grid = match made {
            Ok(Some(grid)) => grid,
            Ok(None) => return Ok(None),
            Err(SudokuError::Interrupted(_)) if best.is_some() => break,
            Err(error) => return Err(error.into()),
        };
        let grade = match encoder(grid.clone(), work)?.grade() {
            Err(SudokuError::Interrupted(_)) if best.is_some() => break,
            grade => grade?.ok_or_else(|| Problem::bug("a new puzzle without exactly one solution"))?,
        };
        let difficulty = Difficulty::of(grade);
        if best.as_ref().is_none_or(|best| best.1 < difficulty) {
            best = Some((grid, difficulty));
        }
        if difficulty == wanted {
            break;
        }
    }
    Ok(best)
}

/// The time for one look at what is left of a large solution, and the share of the question's time for all of them.
const LOOK: Duration = Duration::from_millis(300);

/// A puzzle from a large solution, of which as many values are left out as half of the time allows, many at a time:
/// what is left has one solution and is at most this hard.
fn large(solution: Grid, wanted: Difficulty, seed: u64, work: &Work) -> Result<(Grid, Difficulty), Problem> {
    let side = solution.side();
    let order = construct::order(side * side, lot::number(seed, 3));
    let half = work.left() / 2;
    let (mut puzzle, mut difficulty) = (solution, Difficulty::Easy);
    let (mut left, mut lot) = (&order[..], order.len() / 4);
    while !left.is_empty() && work.left() > half {
        work.say("leaving values out", (order.len() - left.len()) as u64, Some(order.len() as u64));
        let (tried, rest) = left.split_at(lot.clamp(1, left.len()));
        let mut fewer = puzzle.clone();
        tried.iter().for_each(|cell| fewer.set(cell / side, cell % side, None));
        let grade = match plain(fewer.clone(), work).time_limit(LOOK.min(work.left())).grade() {
            Err(SudokuError::Interrupted(_)) => None,
            grade => grade?.map(Difficulty::of),
        };
        match grade.filter(|found| *found <= wanted) {
            Some(found) => (puzzle, difficulty, left) = (fewer, found, rest),
            None if tried.len() > 1 => lot = tried.len() / 2,
            None => left = rest,
        }
    }
    work.check()?;
    Ok((puzzle, difficulty))
}
