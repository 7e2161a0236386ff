//! Many puzzles, one after the other.

use std::fmt;

use thiserror::Error;

use crate::encode::{SudokuEncoder, SudokuError};
use crate::grid::{Grid, GridError, Layout};
use crate::search::GridEngine;

/// Solves one grid after the other, and keeps its solver and its memory from grid to grid while the layout stays the
/// same.
///
/// ```
/// use cnfkit::sudoku::SudokuSolver;
/// use cnfkit::{Grid, Layout, SudokuEncoder};
/// let mut solver = SudokuSolver::new(&SudokuEncoder::new(Grid::empty(Layout::boxes(2, 2))));
/// let mut grid: Grid = "1.....3..4.....2".parse()?;
/// assert!(solver.solve_in_place(&mut grid)? && grid.is_full());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SudokuSolver {
    like: SudokuEncoder,
    engine: Option<(Layout, GridEngine)>,
}

impl SudokuSolver {
    /// A solver with the encoding, strategy, seed and limits of `like`; its grid does not matter.
    #[must_use]
    pub fn new(like: &SudokuEncoder) -> Self {
        Self { like: like.clone(), engine: None }
    }

    /// A solution of `grid`, or `None` when there is provably none.
    ///
    /// # Errors
    /// As [`SudokuEncoder::solve`].
    pub fn solve(&mut self, grid: &Grid) -> Result<Option<Grid>, SudokuError> {
        let mut solution = grid.clone();
        Ok(self.solve_in_place(&mut solution)?.then_some(solution))
    }

    /// Fills the empty cells of `grid`; `false` when there is provably no solution, and `grid` is then left as it was.
    ///
    /// # Errors
    /// As [`SudokuEncoder::solve`].
    pub fn solve_in_place(&mut self, grid: &mut Grid) -> Result<bool, SudokuError> {
        grid.valid()?;
        let clock = self.like.asking.start();
        let engine = match &mut self.engine {
            Some((layout, engine)) if layout == grid.layout() => engine,
            engine => {
                let new = GridEngine::new(grid.layout(), self.like.settings(), &clock)?;
                &mut engine.insert((grid.layout().clone(), new)).1
            }
        };
        Ok(engine.begin(grid.cells(), &clock)? && engine.next(grid.cells_mut())?)
    }
}

impl fmt::Debug for SudokuSolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SudokuSolver").field("like", &self.like).finish_non_exhaustive()
    }
}

/// The result of one line of a [`SudokuStream`].
///
/// ```
/// use cnfkit::sudoku::{Answer, StreamError, SudokuStream};
/// use cnfkit::{Grid, Layout, SudokuEncoder};
/// let like = SudokuEncoder::new(Grid::empty(Layout::boxes(2, 2)));
/// let lines = [&b"1.....3..4.....2"[..], b"\xff"];
/// let answers: Vec<Answer> = SudokuStream::new(lines, &like).collect();
/// assert!(answers[0].line == 1 && matches!(answers[0].result, Ok(Some(_))));
/// assert!(matches!(answers[1].result, Err(StreamError::Encoding { line: 2, byte: 1, .. })));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Answer {
    /// The line's number, from 1.
    pub line: usize,
    /// The solution, `None` when there is provably none, or why there is no answer.
    pub result: Result<Option<Grid>, StreamError>,
}

/// The reason why a line of a stream has no answer. The lines after it have theirs.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StreamError {
    /// The line is no UTF-8 text.
    #[error("line {line}, byte {byte}: not UTF-8 text")]
    #[non_exhaustive]
    Encoding {
        /// The line, from 1.
        line: usize,
        /// The first byte of the line that is wrong, from 1.
        byte: usize,
    },
    /// The line is no grid; the error has the line's number in the stream.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// The grid is wrong, or could not be solved.
    #[error("{}", named(*line, source))]
    #[non_exhaustive]
    Sudoku {
        /// The line, from 1.
        line: usize,
        /// The error.
        source: SudokuError,
    },
}

/// The error with its line; messages about values out of range name their line themselves.
fn named(line: usize, source: &SudokuError) -> String {
    match source {
        SudokuError::Invalid { .. } => source.to_string(),
        _ => format!("line {line}: {source}"),
    }
}

/// Solves puzzles, one a line, in order: an iterator of [`Answer`]s. Blank lines and lines that start with `#` are
/// skipped. Lines may be text or bytes; one that is no UTF-8 is wrong by itself, and those after it have their answers.
///
/// ```
/// use cnfkit::sudoku::SudokuStream;
/// use cnfkit::{Grid, Layout, SudokuEncoder};
/// let lines = "1.....3..4.....2\n\n1!\n11..............\n";
/// let like = SudokuEncoder::new(Grid::empty(Layout::boxes(2, 2)));
/// let answers: Vec<_> = SudokuStream::new(lines.lines(), &like).collect();
/// assert_eq!(answers[0].result.as_ref().unwrap().as_ref().unwrap().to_string(), "1324423124133142");
/// assert!(answers[1].result.as_ref().unwrap_err().to_string().starts_with("line 3, column 2: "));
/// assert!(matches!(answers[2].result, Ok(None)));
/// ```
#[derive(Debug)]
pub struct SudokuStream<I> {
    lines: I,
    number: usize,
    solver: SudokuSolver,
}

impl<I> SudokuStream<I>
where
    I: Iterator<Item: AsRef<[u8]>>,
{
    /// Solves `lines` with the encoding, strategy, seed and limits (per puzzle) of `like`.
    pub fn new(lines: impl IntoIterator<IntoIter = I>, like: &SudokuEncoder) -> Self {
        Self { lines: lines.into_iter(), number: 0, solver: SudokuSolver::new(like) }
    }
}

impl<I> Iterator for SudokuStream<I>
where
    I: Iterator<Item: AsRef<[u8]>>,
{
    type Item = Answer;

    fn next(&mut self) -> Option<Answer> {
        loop {
            let line = self.lines.next()?;
            self.number += 1;
            if is_puzzle(line.as_ref()) {
                return Some(answer(&mut self.solver, self.number, line.as_ref()));
            }
        }
    }
}

pub(super) fn is_puzzle(line: &[u8]) -> bool {
    line.trim_ascii_start().first().is_some_and(|&byte| byte != b'#')
}

pub(super) fn answer(solver: &mut SudokuSolver, line: usize, text: &[u8]) -> Answer {
    Answer { line, result: solve_line(solver, line, text) }
}

fn solve_line(solver: &mut SudokuSolver, line: usize, text: &[u8]) -> Result<Option<Grid>, StreamError> {
    let text =
        std::str::from_utf8(text).map_err(|error| StreamError::Encoding { line, byte: error.valid_up_to() + 1 })?;
    let mut grid: Grid = text.parse().map_err(|error: GridError| error.on_line(line))?;
    grid.on_line(line);
    match solver.solve_in_place(&mut grid) {
        Ok(found) => Ok(found.then_some(grid)),
        Err(source) => Err(StreamError::Sudoku { line, source }),
    }
}
