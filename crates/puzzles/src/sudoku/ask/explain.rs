//! Explanations: the givens that contradict each other, and the next cell that is forced.

use std::fmt;

use rustsat::types::Lit;

use crate::sudoku::ask::encoder::{SudokuEncoder, SudokuError};
use crate::sudoku::deduce::{Candidates, with_width};
use crate::sudoku::grid::Group;
use crate::sudoku::rules::{self, ConstraintSet, Form};
use crate::sudoku::search::{Base, Settings};
use cnfkit_core::internals::Clock;
use cnfkit_core::internals::minimal;
use cnfkit_core::{AmoEncoding, Size, SolveError};

/// Row and column from 0, and the value from 1.
pub type Given = (usize, usize, u16);

/// A cell whose value is forced; made by [`SudokuEncoder::hint`].
///
/// ```
/// use cnfkit::sudoku::{Hint, Technique};
/// use cnfkit::{Grid, SudokuEncoder};
/// let grid: Grid = "123.............".parse()?;
/// let hint: Hint = SudokuEncoder::new(grid).hint()?.expect("one value is left in the first row");
/// assert_eq!((hint.row, hint.col, hint.value, hint.technique), (0, 3, 4, Technique::NakedSingle));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hint {
    /// The row, from 0.
    pub row: usize,
    /// The column, from 0.
    pub col: usize,
    /// The value, from 1.
    pub value: u16,
    /// The technique that shows it.
    pub technique: Technique,
}

/// The techniques that show a forced value, the simplest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Technique {
    /// The cell's groups hold every other value.
    NakedSingle,
    /// The group has no other cell for the value.
    HiddenSingle(Group),
    /// A single of either kind, once values that a region has only within one line (or a line only within one region)
    /// are taken from the rest of the other.
    LockedCandidate,
    /// Nothing simpler: any other value leaves no solution.
    Search,
}

impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {}, column {} is {}: ", self.row + 1, self.col + 1, self.value)?;
        match self.technique {
            Technique::NakedSingle => f.write_str("its groups hold every other value"),
            Technique::HiddenSingle(group) => write!(f, "{group} has no other place for it"),
            Technique::LockedCandidate => f.write_str("locked candidates leave nothing else"),
            Technique::Search => f.write_str("any other value leaves no solution"),
        }
    }
}

impl SudokuEncoder {
    /// A minimal unsatisfiable core of the givens, as (row, column, value): they contradict each other, and any of them
    /// left out, the rest does not. `None` when there is a solution; empty when the layout itself has none.
    ///
    /// ```
    /// use cnfkit::{Grid, SudokuEncoder};
    /// let grid = Grid::from([[1, 2, 3, 0], [0, 0, 0, 4], [0, 0, 0, 0], [2, 0, 0, 0]]);
    /// let core = SudokuEncoder::new(grid).unsat_core().unwrap().unwrap();
    /// assert_eq!(core, [(0, 0, 1), (0, 1, 2), (1, 3, 4)]); // a 4 is needed beside 1 and 2, and is below
    /// ```
    ///
    /// # Errors
    /// As [`solve`](Self::solve). The time limit is for the answer and its explanation together: to have the answer
    /// even if the explanation finds no time, ask [`solve`](Self::solve) first.
    #[doc(alias = "why_unsolvable")]
    pub fn unsat_core(&self) -> Result<Option<Vec<Given>>, SudokuError> {
        let clock = self.asking.start();
        if self.solve_by(&clock)?.is_some() {
            return Ok(None);
        }
        let mut base = Base::new(self.grid.layout(), self.reasoning(), &clock)?;
        base.begin(self.grid.cells(), &clock)?;
        let (givens, session) = base.parts();
        if session.solve(givens)? {
            return Err(SudokuError::Solver("two strategies disagree".into()));
        }
        let mut core = session.core()?;
        core.sort_unstable();
        let mut needed = minimal(core, 1, |givens: &[Lit]| {
            clock.check()?;
            if session.solve(givens)? { Ok(None) } else { session.core().map(Some) }
        })
        .map_err(|error: SolveError| SudokuError::from(error))?;
        needed.sort_unstable();
        let side = self.grid.side();
        let given = |lit: Lit| {
            let cell = lit.vidx() / side;
            (cell / side, cell % side, (lit.vidx() % side + 1) as u16)
        };
        Ok(Some(needed.into_iter().map(given).collect()))
    }

    /// The settings by which contradictions are looked for: in the extended set, whichever was chosen, because unit
    /// propagation sees far more in it and the contradiction is told in givens, which both sets have; and with an
    /// encoding that fits.
    fn reasoning(&self) -> Settings {
        let settings = self.settings();
        let mut encoding = Form { set: ConstraintSet::Extended, ..settings.encoding };
        let size = rules::rules_size(self.grid.layout(), &encoding);
        if !(size + Size::variables(self.grid.side().pow(3) as u64)).fits(&settings.capacity) {
            encoding.amo = AmoEncoding::Auto;
        }
        Settings { encoding, ..settings }
    }

    /// The next empty cell whose value is forced, and the simplest technique that shows it: naked singles first, then
    /// hidden singles, locked candidates, search. `None` when no cell is empty or forced, and when there is no
    /// solution.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn hint(&self) -> Result<Option<Hint>, SudokuError> {
        let clock = self.asking.start();
        let Some(solution) = self.solve_by(&clock)? else { return Ok(None) };
        let seen = with_width!(self.grid.side(), W => self.by_looking::<W>());
        let (cell, technique) = match seen {
            Some(found) => found,
            None => match self.by_search(solution.cells(), &clock)? {
                Some(cell) => (cell, Technique::Search),
                None => return Ok(None),
            },
        };
        let side = self.grid.side();
        Ok(Some(Hint { row: cell / side, col: cell % side, value: solution.cells()[cell], technique }))
    }

    /// A cell that singles show, or locked candidates and then singles.
    fn by_looking<const W: usize>(&self) -> Option<(usize, Technique)> {
        let (tables, cells) = (self.grid.layout().tables(), self.grid.cells());
        let mut candidates: Candidates<W> = Candidates::new(tables);
        for (cell, &value) in cells.iter().enumerate().filter(|&(_, &value)| value != 0) {
            candidates.settle(tables, cell, value.into()).ok()?;
        }
        if let Some(cell) = candidates.naked_single(cells) {
            return Some((cell, Technique::NakedSingle));
        }
        if let Some((cell, group)) = candidates.hidden_single(tables, cells) {
            return Some((cell, Technique::HiddenSingle(self.grid.layout().group(group))));
        }
        while candidates.locked(tables).ok()? {
            let single = candidates.naked_single(cells);
            if let Some(cell) = single.or_else(|| Some(candidates.hidden_single(tables, cells)?.0)) {
                return Some((cell, Technique::LockedCandidate));
            }
        }
        None
    }

    /// An empty cell that is the same in all solutions, of which `solution` is one; the one with the fewest values
    /// first.
    fn by_search(&self, solution: &[u16], clock: &Clock) -> Result<Option<usize>, SudokuError> {
        let Some(mut open) = self.open(clock)? else { return Ok(None) };
        let (residue, session) = open.parts();
        let mut cells: Vec<(usize, usize)> = Vec::new();
        for (cell, _) in self.grid.cells().iter().enumerate().filter(|&(_, &value)| value == 0) {
            cells.push((residue.values(cell).len(), cell));
        }
        cells.sort_unstable();
        for (_, cell) in cells {
            clock.check()?;
            let here = residue.values(cell).into_iter().find(|&(value, _)| value == solution[cell]);
            match here {
                Some((_, Some(lit))) if session.solve(&[!lit])? => {}
                Some(_) => return Ok(Some(cell)),
                None => {}
            }
        }
        Ok(None)
    }
}
