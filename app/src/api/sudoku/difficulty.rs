//! New puzzles, by difficulty.
//!
//! The puzzles that the library makes need singles and locked candidates at most. Easier ones get givens back, harder
//! ones lose givens until none can be left out; whether that is enough to need more than locked candidates is looked
//! at, not hoped for.

use cnfkit::{Grid, SudokuEncoder};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::modes;
use super::sheet::Sheet;
use super::solve::encoder;
use crate::jobs::Work;
use crate::problem::Problem;

/// How hard a puzzle is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Difficulty {
    /// Singles and locked candidates solve it, and half of the cells are given.
    Easy,
    /// Singles and locked candidates solve it.
    Medium,
    /// No given can be left out.
    Hard,
    /// No given can be left out, and singles and locked candidates do not solve it.
    Expert,
}

impl Difficulty {
    pub(crate) const ALL: [Self; 4] = [Self::Easy, Self::Medium, Self::Hard, Self::Expert];

    /// Name, and what it means.
    pub(crate) const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Easy => ("easy", "singles and locked candidates solve it, and half of the cells are given"),
            Self::Medium => ("medium", "singles and locked candidates solve it"),
            Self::Hard => ("hard", "no given can be left out"),
            Self::Expert => ("expert", "no given can be left out, and locked candidates are not enough"),
        }
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
    /// What it turned out to be: an `expert` puzzle that nobody found in 30 tries is `hard`.
    difficulty: Difficulty,
    seed: u64,
    givens: usize,
}

/// Seeds that are tried for a puzzle that locked candidates do not solve.
const TRIES: u64 = 30;

/// Answers `sudoku/new`.
pub(crate) fn new(asked: &New, work: &Work) -> Result<Made, Problem> {
    let empty = match (&asked.mode, &asked.sheet) {
        (Some(mode), None) => Grid::empty(modes::layout(mode)?),
        (None, Some(sheet)) => sheet.grid()?,
        _ => return Err(Problem::refused("mode", "a new puzzle needs either a `mode` or a `sheet`")),
    };
    work.say("making a puzzle", 0, None);
    let seed = asked.seed;
    let none = || Problem::refused("sheet", "no solution has this layout and these values");
    let encoder = encoder(empty, work);
    let (grid, difficulty) = match asked.difficulty {
        Difficulty::Easy => (easy(encoder.random_puzzle(seed)?.ok_or_else(none)?, seed, work)?, Difficulty::Easy),
        Difficulty::Medium => (encoder.random_puzzle(seed)?.ok_or_else(none)?, Difficulty::Medium),
        Difficulty::Hard => (encoder.random_minimal_puzzle(seed)?.ok_or_else(none)?, Difficulty::Hard),
        Difficulty::Expert => expert(&encoder, seed, work)?.ok_or_else(none)?,
    };
    Ok(Made { givens: grid.givens().count(), sheet: Sheet::of(&grid), difficulty, seed })
}

/// A minimal puzzle that needs search, of several; otherwise the first of them.
fn expert(encoder: &SudokuEncoder, seed: u64, work: &Work) -> Result<Option<(Grid, Difficulty)>, Problem> {
    let mut first = None;
    for number in 0..TRIES {
        work.say("making puzzles until one is hard enough", number, Some(TRIES));
        let made = encoder.clone().time_limit(work.left()).random_minimal_puzzle(seed.wrapping_add(number << 32));
        let grid = match made {
            Ok(Some(grid)) => grid,
            Ok(None) => return Ok(None),
            Err(cnfkit::SudokuError::Interrupted) if first.is_some() => break,
            Err(error) => return Err(error.into()),
        };
        let left = self::encoder(grid.clone(), work).prune()?;
        if left.is_some_and(|left| left.cnf().n_vars() > 0) {
            return Ok(Some((grid, Difficulty::Expert)));
        }
        first.get_or_insert(grid);
    }
    Ok(first.map(|grid| (grid, Difficulty::Hard)))
}

/// The puzzle with values of its solution given back, by lot, until half of the cells are given.
fn easy(mut puzzle: Grid, seed: u64, work: &Work) -> Result<Grid, Problem> {
    let side = puzzle.side();
    let solution =
        encoder(puzzle.clone(), work).solve()?.ok_or_else(|| Problem::bug("a new puzzle has no solution"))?;
    let mut open: Vec<usize> = (0..side * side).filter(|&cell| puzzle.cells()[cell] == 0).collect();
    open.sort_by_key(|&cell| mixed(seed ^ mixed(cell as u64)));
    let given = side * side - open.len();
    for cell in open.into_iter().take((side * side).div_ceil(2).saturating_sub(given)) {
        puzzle.set(cell / side, cell % side, solution.cells()[cell]);
    }
    Ok(puzzle)
}

/// Steele, Lea and Flood, *Fast splittable pseudorandom number generators*, OOPSLA 2014: numbers that look like a lot.
const fn mixed(number: u64) -> u64 {
    let mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
