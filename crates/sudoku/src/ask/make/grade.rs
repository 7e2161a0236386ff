//! How hard a puzzle is, by the techniques that it needs, and new puzzles by that.
//!
//! A technique is tried only when simpler ones find nothing more, as in hints; but all that one finds is taken at once,
//! so that grading takes as long as one deduction.

use std::fmt;

use crate::deduce::Halt;
use crate::deduce::bits::with_width;
use crate::deduce::candidates::Candidates;
use crate::encode::{SudokuEncoder, SudokuError};
use crate::grid::{Grid, Tables};
use cnfkit_core::internals::Random;

/// The hardest technique that a puzzle needs, the simplest first: what `Technique` says of a hint,
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
            Err(Halt::Interrupted(why)) => Err(SudokuError::Interrupted(why)),
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
                    Err(Halt::Interrupted(why)) => return Err(SudokuError::Interrupted(why)),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Layout;

    /// Singles, and for any line and any group, windows among them: values that one has within the other only. True if
    /// they solve the grid.
    fn solved_by_lines_and_groups(grid: &Grid) -> bool {
        let groups: Vec<Vec<usize>> = grid
            .layout()
            .each_group()
            .map(|(_, cells)| cells.iter().map(|(row, col)| 9 * row + col).collect())
            .collect();
        let mut masks: Vec<u16> =
            grid.cells().iter().map(|&value| if value == 0 { 0x1ff } else { 1 << (value - 1) }).collect();
        loop {
            let before = masks.clone();
            for group in &groups {
                for &cell in group.iter().filter(|&&cell| before[cell].is_power_of_two()) {
                    group.iter().filter(|&&other| other != cell).for_each(|&other| masks[other] &= !before[cell]);
                }
            }
            // Rows and columns come first.
            let values = || (0..9).map(|value| 1 << value);
            let each = groups.iter().enumerate().flat_map(|(at, group)| values().map(move |value| (at, group, value)));
            for (at, group, value) in each {
                let places: Vec<usize> = group.iter().copied().filter(|&cell| masks[cell] & value != 0).collect();
                if let [cell] = places[..] {
                    masks[cell] = value;
                }
                let others = &groups[..if at < 18 { groups.len() } else { 18 }];
                let others = others.iter().filter(|other| places.iter().all(|cell| other.contains(cell)));
                for cell in others.flatten().filter(|cell| !group.contains(cell)) {
                    masks[*cell] &= !value;
                }
            }
            if masks.iter().all(|mask| mask.is_power_of_two()) {
                return true;
            }
            if masks == before {
                return false;
            }
        }
    }

    /// `cargo test -p cnfkit-sudoku --lib windows -- --nocapture` prints how many there are.
    #[test]
    fn no_puzzle_with_windows_that_needs_search_yields_to_lines_and_groups() {
        let empty = SudokuEncoder::new(Grid::empty(Layout::boxes(3, 3).with_windows().unwrap()));
        let (mut searches, mut yield_, mut others) = (0, 0, 0);
        let many = if std::env::var_os("CNFKIT_EXHAUSTIVE").is_some() { 115 } else { 30 };
        for seed in 0.. {
            let puzzle = empty.random_minimal_puzzle(seed).unwrap().expect("a puzzle");
            if SudokuEncoder::new(puzzle.clone()).grade().unwrap() == Some(Grade::Search) {
                searches += 1;
                yield_ += usize::from(solved_by_lines_and_groups(&puzzle));
            } else {
                others += usize::from(solved_by_lines_and_groups(&puzzle));
            }
            if searches == many {
                break;
            }
        }
        println!("{yield_} of {searches} that need search yield to lines and groups; {others} simpler ones do");
        assert!(yield_ == 0 && others > 0);
    }
}
