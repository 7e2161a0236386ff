//! A solution, and whether there are others.

use std::time::{Duration, Instant};

use cnfkit::{AmoEncoding, Grid, Size, SudokuEncoder};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::clues::broken;
use super::construct;
use super::difficulty::SEARCHED;
use super::sheet::{Cells, Sheet, grid, rows};
use crate::api::lot;
use crate::jobs::Work;
use crate::problem::Problem;

/// Solutions that are counted at most.
const MOST_COUNTED: usize = 1000;
/// The time for counting once there is a solution, unless the question says otherwise.
const COUNTING: u64 = 2000;

/// A Sudoku to be solved.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Solve {
    sheet: Sheet,
    /// Solutions that were seen before: the answer is another one.
    #[serde(default)]
    not: Vec<Cells>,
    /// Another seed, perhaps another solution; 0 leaves the choice to the solver.
    #[serde(default)]
    seed: u64,
    /// The most time for counting solutions after one was found, in milliseconds; 2000 if not given.
    #[serde(default)]
    count_ms: Option<u64>,
}

/// A solution, if there is a (further) one.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Solved {
    /// The solution; null when there is provably none but those of `not`.
    solution: Option<Cells>,
    /// True if it is the only one, false if there are others or none at all; null when that was not found out in time.
    unique: Option<bool>,
    /// All solutions, those of `not` included.
    count: Count,
    /// The answer in words.
    text: String,
}

/// The number of solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct Count {
    /// There are at least so many.
    at_least: usize,
    /// There are no more.
    exact: bool,
}

/// The size that one question may load into a solver: about 1 GiB.
const CAPACITY: Size = Size { vars: 1 << 24, clauses: 20_000_000, lits: 60_000_000 };
/// Memory that BatSat takes for a variable and for a clause of two literals, in bytes, with what its lists keep free.
const VARIABLE: usize = 100;
const CLAUSE: usize = 32;
/// Solvers that have the rules at the same time while several searches take turns.
const SOLVERS: usize = 3;
/// The largest side whose groups are encoded pair by pair; beyond, that would be tens of millions of clauses.
const PAIRS: usize = 36;

/// A question to the library within the time of this one, for what no solver is asked.
pub(crate) fn plain(grid: Grid, work: &Work) -> SudokuEncoder {
    let encoding = if grid.side() > PAIRS { AmoEncoding::Auto } else { AmoEncoding::Pairwise };
    let encoder = SudokuEncoder::new(grid).encoding(encoding).capacity(CAPACITY);
    encoder.limits(work.limits())
}

/// A question to the library within the time and the memory of this one.
pub(crate) fn encoder(grid: Grid, work: &Work) -> Result<SudokuEncoder, Problem> {
    let encoder = plain(grid, work);
    work.reserve(bytes(&encoder))?;
    Ok(encoder)
}

/// Approximate memory that solvers take for the rules of the open values: of values by lot, a value is open if its
/// cell, its row, its column or its region have none of those that are there.
fn bytes(encoder: &SudokuEncoder) -> usize {
    let (grid, side) = (encoder.grid(), encoder.grid().side());
    let all = side.pow(3) * VARIABLE + encoder.size().clauses as usize * CLAUSE;
    let cells = side.pow(2);
    let open = cells - grid.givens().count();
    (0..3).fold(SOLVERS * all, |bytes, _| bytes / cells * open)
}

/// Answers `sudoku/solve`.
pub(crate) fn solve(asked: &Solve, work: &Work) -> Result<Solved, Problem> {
    let clued = asked.sheet.clued()?;
    let puzzle = asked.sheet.board()?;
    let before = asked.not.iter().enumerate();
    let before = before.map(|(index, cells)| grid(puzzle.layout(), cells, &format!("not[{index}]")));
    let before: Vec<Grid> = before.collect::<Result<_, _>>()?;
    if clued.is_none() && puzzle.side() > SEARCHED && construct::solution(&puzzle, 0).is_some() {
        // There are n! others at least: the values may be exchanged.
        let mut solutions = (0..).filter_map(|number| construct::solution(&puzzle, lot::number(asked.seed, number)));
        let found = solutions.find(|solution| !before.contains(solution));
        return Ok(answer(found, Count { at_least: MOST_COUNTED, exact: false }));
    }
    work.say("looking for a solution", 0, None);
    let counting = Duration::from_millis(asked.count_ms.unwrap_or(COUNTING));
    let Some(clued) = clued else {
        let encoder = encoder(puzzle.clone(), work)?.seed(asked.seed);
        let encoder = match work.engine()? {
            Some(make) => encoder.solver(make),
            None => encoder,
        };
        // The solver's own solutions resemble each other, random ones do not.
        let first = if asked.seed == 0 { encoder.solve()? } else { encoder.random_solution(asked.seed)? };
        let Some(first) = first else { return Ok(answer(None, Count { at_least: 0, exact: true })) };
        let mut tally = Tally::new(first, &before, counting, work);
        for solution in encoder.time_limit(tally.time()).solutions() {
            if !tally.add(solution.map_err(Problem::from))? {
                break;
            }
        }
        let seen = before.iter().filter(|solution| solution.verify(&puzzle).is_empty()).count();
        return Ok(tally.answer(seen));
    };
    let Some(first) = clued.solve(work)? else { return Ok(answer(None, Count { at_least: 0, exact: true })) };
    let mut tally = Tally::new(first, &before, counting, work);
    clued.each_solution(work.limits().time(tally.time()), |solution| tally.add(solution))?;
    let holds = |solution: &&Grid| solution.verify(&puzzle).is_empty() && broken(solution, &clued.clues).is_empty();
    Ok(tally.answer(before.iter().filter(holds).count()))
}

/// Solutions as they are counted: one that is new, and how many there are.
struct Tally<'a> {
    found: Option<Grid>,
    before: &'a [Grid],
    count: usize,
    exact: bool,
    until: Instant,
    work: &'a Work,
}

impl<'a> Tally<'a> {
    fn new(first: Grid, before: &'a [Grid], counting: Duration, work: &'a Work) -> Self {
        let found = Some(first).filter(|solution| !before.contains(solution));
        Self { found, before, count: 0, exact: true, until: Instant::now() + counting, work }
    }

    /// The time for all solutions.
    fn time(&self) -> Duration {
        let counting = self.until.saturating_duration_since(Instant::now());
        if self.found.is_some() { counting.min(self.work.left()) } else { self.work.left() }
    }

    /// Counts one more; false where that was enough.
    fn add(&mut self, solution: Result<Grid, Problem>) -> Result<bool, Problem> {
        match solution {
            Ok(solution) => {
                self.count += 1;
                self.work.say("counting solutions", self.count as u64, None);
                if self.found.is_none() && !self.before.contains(&solution) {
                    self.found = Some(solution);
                }
            }
            Err(problem) if self.found.is_some() && problem.is_interruption() => self.exact = false,
            Err(problem) => return Err(problem),
        }
        if self.found.is_some() && (self.count >= MOST_COUNTED || Instant::now() >= self.until) {
            self.exact = false;
        }
        Ok(self.exact)
    }

    /// The answer, if so many of those before are solutions.
    fn answer(self, before: usize) -> Solved {
        let known = before + usize::from(self.found.is_some());
        let (count, exact) = (self.count, self.exact);
        answer(self.found, Count { at_least: if exact { count } else { count.max(known) }, exact })
    }
}

fn answer(found: Option<Grid>, count: Count) -> Solved {
    let unique = if count.at_least > 1 || (found.is_none() && count.exact) {
        Some(count.at_least == 1)
    } else {
        count.exact.then_some(true)
    };
    let text = match (&found, count) {
        (None, Count { at_least: 0, .. }) => "there is no solution".into(),
        (None, Count { at_least: 1, .. }) => "there is no other solution: this one is unique".into(),
        (None, Count { at_least, .. }) => format!("there are {at_least} solutions, and all were seen"),
        (Some(_), Count { at_least: 1, exact: true }) => "the solution is unique".into(),
        (Some(_), Count { at_least: 0 | 1, .. }) => {
            "a solution; whether there are others was not found out in time".into()
        }
        (Some(_), Count { at_least, exact: true }) => format!("one of {at_least} solutions"),
        (Some(_), Count { at_least, .. }) => format!("one of at least {at_least} solutions"),
    };
    Solved { solution: found.map(|grid| rows(&grid)), unique, count, text }
}
