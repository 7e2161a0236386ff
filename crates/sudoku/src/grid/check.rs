//! The faults of a grid that show without solving it.

use std::fmt;
use std::ops::RangeInclusive;

use crate::grid::cells::Grid;
use crate::grid::group::Group;

/// Something wrong with one cell of a grid. Rows and columns count from 0; the message counts from 1.
///
/// ```
/// use cnfkit::sudoku::{Problem, ProblemKind};
/// use cnfkit::{Grid, SudokuEncoder};
/// let grid: Grid = "1..1\n....\n.7..\n....".parse()?;
/// let problems: Vec<Problem> = SudokuEncoder::new(grid).check();
/// assert!(problems.iter().any(|problem| matches!(problem.kind, ProblemKind::Repeated { with: (0, 0), .. })));
/// let wrong = problems.iter().find(|problem| problem.kind == ProblemKind::OutOfRange).expect("the 7");
/// assert_eq!((wrong.allowed(), wrong.position()), (1..=4, Some((3, 2))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// The cell's row.
    pub row: usize,
    /// The cell's column.
    pub col: usize,
    /// The cell's value; 0 for an empty cell.
    pub value: u16,
    /// The fault.
    pub kind: ProblemKind,
    max: u16,
    position: Option<(usize, usize)>,
    /// A letter out of range, and the first and the last sign that are allowed.
    letter: Option<[char; 3]>,
}

/// The kinds of faults of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProblemKind {
    /// The value is not one of the grid's.
    OutOfRange,
    /// An earlier cell of a group has the same value.
    Repeated {
        /// The group that both are in.
        group: Group,
        /// Row and column of the earlier cell.
        with: (usize, usize),
    },
    /// A cell a banned chess move away has the same value.
    Banned {
        /// Row and column of the earlier cell.
        with: (usize, usize),
    },
    /// The cell is empty in what should be a solution.
    Empty,
    /// The puzzle gives this cell another value.
    Changed {
        /// The value given.
        given: u16,
    },
}

impl Problem {
    /// The values that a cell of this grid may have.
    #[must_use]
    pub fn allowed(&self) -> RangeInclusive<u16> {
        1..=self.max
    }

    /// Line and column, both from 1 and columns in characters, where the text has the value: for values out of range in
    /// a grid that was parsed.
    #[must_use]
    pub fn position(&self) -> Option<(usize, usize)> {
        self.position
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { row, col, value, ref kind, max, position, letter } = *self;
        match position {
            Some((line, at)) => write!(f, "line {line}, column {at} (row {}, column {}): ", row + 1, col + 1)?,
            None => write!(f, "row {}, column {}: ", row + 1, col + 1)?,
        }
        match kind {
            ProblemKind::OutOfRange if letter.is_some() => {
                let [sign, first, last] = letter.unwrap_or_default();
                write!(f, "`{sign}` is out of range; allowed are {first} to {last}")
            }
            ProblemKind::OutOfRange => write!(f, "{value} is out of range; allowed are 1 to {max}"),
            ProblemKind::Repeated { group, with: (row, col) } => {
                write!(f, "{value} again in {group}, after row {}, column {}", row + 1, col + 1)
            }
            ProblemKind::Banned { with: (row, col) } => {
                write!(f, "{value} a banned chess move away from row {}, column {}", row + 1, col + 1)
            }
            ProblemKind::Empty => write!(f, "empty; allowed are 1 to {max}"),
            ProblemKind::Changed { given } => write!(f, "{value} where the puzzle gives {given}"),
        }
    }
}

impl Grid {
    /// Everything wrong with the values that are there: values out of range first, then values that a group holds
    /// already, each beside the first cell that has it. Nothing is solved and nothing is changed: a grid without
    /// problems may still be unsolvable.
    ///
    /// ```
    /// use cnfkit::Grid;
    /// let grid = Grid::from([[1, 0, 0, 1], [0, 0, 5, 0], [0, 0, 0, 0], [0, 0, 0, 0]]);
    /// let problems: Vec<String> = grid.check().iter().map(ToString::to_string).collect();
    /// assert_eq!(problems[0], "row 2, column 3: 5 is out of range; allowed are 1 to 4");
    /// assert_eq!(problems[1], "row 1, column 4: 1 again in row 1, after row 1, column 1");
    /// ```
    #[must_use]
    pub fn check(&self) -> Vec<Problem> {
        let mut problems = self.out_of_range();
        self.conflicts(&mut problems);
        problems
    }

    /// Everything that keeps this grid from being a solution of `puzzle`: empty cells, values out of range, givens that
    /// changed, repeated values. Empty for a solution.
    ///
    /// # Panics
    /// When the layouts differ.
    #[must_use]
    pub fn verify(&self, puzzle: &Grid) -> Vec<Problem> {
        assert!(self.layout() == puzzle.layout(), "a {:?} cannot solve a {:?}", self.layout(), puzzle.layout());
        let mut problems = self.out_of_range();
        for (cell, (&value, &given)) in self.cells().iter().zip(puzzle.cells()).enumerate() {
            if value == 0 {
                problems.push(self.problem(cell, ProblemKind::Empty));
            } else if given != 0 && given != value {
                problems.push(self.problem(cell, ProblemKind::Changed { given }));
            }
        }
        self.conflicts(&mut problems);
        problems
    }

    pub(crate) fn out_of_range(&self) -> Vec<Problem> {
        let wrong = self.cells().iter().enumerate().filter(|&(_, &value)| usize::from(value) > self.side());
        wrong.map(|(cell, _)| self.problem(cell, ProblemKind::OutOfRange)).collect()
    }

    fn problem(&self, cell: usize, kind: ProblemKind) -> Problem {
        let side = self.side();
        let wrong = self.wrong(cell).filter(|_| kind == ProblemKind::OutOfRange);
        Problem {
            row: cell / side,
            col: cell % side,
            value: self.cells()[cell],
            kind,
            max: side as u16,
            position: wrong.map(|wrong| (wrong.line, wrong.column)),
            letter: wrong.and_then(|wrong| wrong.letter),
        }
    }

    fn conflicts(&self, problems: &mut Vec<Problem>) {
        let (side, cells) = (self.side(), self.cells());
        let value = |cell: u32| usize::from(cells[cell as usize]);
        let at = |cell: u32| (cell as usize / side, cell as usize % side);
        let mut pairs = rustc_hash::FxHashSet::default();
        let mut first_with: Vec<Option<u32>> = vec![None; side + 1];
        for (index, group) in self.layout().groups_cells().enumerate() {
            first_with.fill(None);
            for &cell in group.iter().filter(|&&cell| (1..=side).contains(&value(cell))) {
                let first = *first_with[value(cell)].get_or_insert(cell);
                if first != cell && pairs.insert((cell.min(first), cell.max(first))) {
                    let kind = ProblemKind::Repeated { group: self.layout().group(index), with: at(first.min(cell)) };
                    problems.push(self.problem(cell.max(first) as usize, kind));
                }
            }
        }
        for (first, second) in self.layout().bans() {
            if value(first) != 0 && value(first) == value(second) && pairs.insert((first, second)) {
                problems.push(self.problem(second as usize, ProblemKind::Banned { with: at(first) }));
            }
        }
    }
}
