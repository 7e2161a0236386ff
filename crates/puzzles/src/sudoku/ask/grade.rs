//! How hard a puzzle is, by the techniques that it needs, and new puzzles by that.
//!
//! A technique is tried only when simpler ones find nothing more, as in hints; but all that one finds is taken at once,
//! so that grading takes as long as one deduction.

use std::fmt;

use crate::sudoku::ask::encoder::{SudokuEncoder, SudokuError};
use crate::sudoku::deduce::{Candidates, Halt, with_width};
use crate::sudoku::grid::{Grid, Tables};
use cnfkit_core::internals::Random;

/// The hardest technique that a puzzle needs, the simplest first: what [`Technique`](super::Technique) says of a hint,
/// said of a puzzle.
///
/// ```
/// use cnfkit::SudokuEncoder;
/// use cnfkit::sudoku::Grade;
/// let easy: cnfkit::Grid = "12.4.412214.4.21".parse()?;
/// assert_eq!(SudokuEncoder::new(easy).grade()?, Some(Grade::NakedSingles));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Grade {
    /// At every step some cell's groups hold every other value.
    NakedSingles,
    /// At some step only a group with one place left for a value helps.
    HiddenSingles,
    /// At some step only values that a region has within one line, or a line within one region, help.
    LockedCandidates,
    /// None of that is enough.
    Search,
}

impl Grade {
    /// All grades, the simplest first.
    pub const ALL: &[Self] = &[Self::NakedSingles, Self::HiddenSingles, Self::LockedCandidates, Self::Search];
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NakedSingles => "naked singles",
            Self::HiddenSingles => "hidden singles",
            Self::LockedCandidates => "locked candidates",
            Self::Search => "search",
        })
    }
}

impl SudokuEncoder {
    /// The hardest technique that this puzzle needs; `None` when it has no solution, or several.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn grade(&self) -> Result<Option<Grade>, SudokuError> {
        let clock = self.asking.start();
        self.ready(self.settings().capacity)?;
        let tables = self.grid.layout().tables();
        let found = with_width!(self.grid.side(), W => {
            let mut candidates: Candidates<W> = Candidates::new(tables);
            candidates.watch(tables, &clock);
            graded(&mut candidates, tables, self.grid.cells(), Grade::LockedCandidates)
        });
        match found {
            Ok(Some(grade)) => Ok(Some(grade)),
            Ok(None) => Ok(self.is_unique()?.then_some(Grade::Search)),
            Err(Halt::Contradiction) => Ok(None),
            Err(Halt::Interrupted) => Err(SudokuError::Interrupted),
        }
    }

    /// A puzzle with exactly one solution, which is one of this grid's, and of at most this grade: no given can be left
    /// out without making it harder. Equal for equal seeds, `None` when this grid has no solution. The time limit is
    /// for the whole search.
    ///
    /// The puzzle may turn out simpler than it was allowed to be; [`grade`](Self::grade) tells, and another seed may
    /// help.
    ///
    /// ```
    /// use cnfkit::sudoku::Grade;
    /// use cnfkit::{Grid, Layout, SudokuEncoder};
    /// let empty = SudokuEncoder::new(Grid::empty(Layout::boxes(3, 3)));
    /// let puzzle = empty.random_puzzle_of(Grade::HiddenSingles, 1)?.expect("a puzzle");
    /// assert_eq!(SudokuEncoder::new(puzzle).grade()?, Some(Grade::HiddenSingles));
    /// # Ok::<(), cnfkit::SudokuError>(())
    /// ```
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn random_puzzle_of(&self, grade: Grade, seed: u64) -> Result<Option<Grid>, SudokuError> {
        if grade == Grade::Search {
            return self.random_minimal_puzzle(seed);
        }
        let clock = self.asking.start();
        let Some(mut puzzle) = self.random_by(seed, &clock)? else { return Ok(None) };
        let layout = puzzle.layout().clone();
        let tables = layout.tables();
        with_width!(layout.side(), W => {
            let mut candidates: Candidates<W> = Candidates::new(tables);
            candidates.watch(tables, &clock);
            for cell in order_of_removal(puzzle.cells().len(), seed) {
                let value = std::mem::take(&mut puzzle.cells_mut()[cell]);
                match graded(&mut candidates, tables, puzzle.cells(), grade) {
                    Ok(Some(_)) => {}
                    Ok(None) | Err(Halt::Contradiction) => puzzle.cells_mut()[cell] = value,
                    Err(Halt::Interrupted) => return Err(SudokuError::Interrupted),
                }
            }
        });
        Ok(Some(puzzle))
    }
}

/// The order in which a solution's values are tried to be left out.
pub(super) fn order_of_removal(cells: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..cells).collect();
    Random::new(!seed).shuffle(&mut order);
    order
}

/// The hardest technique that these values need, if those up to `most` are enough.
fn graded<const W: usize>(
    candidates: &mut Candidates<W>,
    tables: &Tables,
    cells: &[u16],
    most: Grade,
) -> Result<Option<Grade>, Halt> {
    candidates.reset(tables);
    for (cell, &value) in cells.iter().enumerate().filter(|&(_, &value)| value != 0) {
        candidates.place(cell, value.into())?;
    }
    candidates.naked_singles(tables)?;
    if candidates.is_solved() {
        return Ok(Some(Grade::NakedSingles));
    }
    if most >= Grade::HiddenSingles {
        candidates.hidden_singles(tables)?;
        if candidates.is_solved() {
            return Ok(Some(Grade::HiddenSingles));
        }
    }
    if most >= Grade::LockedCandidates {
        candidates.propagate(tables)?;
        if candidates.is_solved() {
            return Ok(Some(Grade::LockedCandidates));
        }
    }
    Ok(None)
}
