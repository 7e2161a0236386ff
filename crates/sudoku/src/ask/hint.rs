//! Steps as people make them: the next value, what has to be ruled out before, and the contradiction that singles find.

use std::fmt;

use crate::ask::explain::Given;
use crate::deduce::trail::{DeductionStep, DeductionTrail, Refutation, TrailDeadEnd as End};
use crate::encode::{SudokuEncoder, SudokuError};
use crate::grid::{Group, Layout};
use cnfkit_core::internals::Clock;

/// The largest side whose steps are remembered, four bytes for each value of each cell: 8 MiB.
const LARGEST: usize = 128;

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
    /// The hardest technique that shows it.
    pub technique: Technique,
    /// The values that cells lose before the value is a single, in order; each is needed.
    pub eliminations: Vec<Elimination>,
    /// The group that then has no other place for the value. Without one it is the cell that has no other value, or
    /// the technique is a search.
    pub group: Option<Group>,
}

/// The techniques that show a forced value, the simplest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Technique {
    /// The cell's groups hold every other value.
    NakedSingle,
    /// The group has no other cell for the value.
    HiddenSingle(Group),
    /// A single of either kind, once values that a region or window has only within one line (or a line only within
    /// one of those) are taken from the rest of the other.
    LockedCandidate,
    /// A single of either kind, once values are taken away that singles refute: if the cell had the value, they would
    /// lead to a contradiction.
    Contradiction,
    /// Nothing simpler: any other value leaves no solution.
    Search,
}

/// A value that cells cannot have, and why.
///
/// ```
/// use cnfkit::sudoku::{Elimination, Reason, Technique};
/// use cnfkit::{Grid, SudokuEncoder};
/// fn told(elimination: &Elimination) -> String {
///     match &elimination.reason {
///         Reason::Locked { group, .. } => format!("{} is locked in {group}", elimination.value),
///         _ => elimination.to_string(),
///     }
/// }
/// let grid: Grid = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..".parse()?;
/// let hint = SudokuEncoder::new(grid).hint()?.expect("one solution");
/// let before: Vec<String> = hint.eliminations.iter().map(told).collect();
/// let is_alone = matches!(hint.technique, Technique::NakedSingle | Technique::HiddenSingle(_) | Technique::Search);
/// assert_eq!(before.is_empty(), is_alone);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Elimination {
    /// The value, from 1.
    pub value: u16,
    /// The cells that lose it, as (row, column) from 0.
    pub cells: Vec<(usize, usize)>,
    /// The reason.
    pub reason: Reason,
}

/// Why cells cannot have a value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// All places of `group` for the value are also in `within`, which holds it once.
    Locked {
        /// The group whose places these are.
        group: Group,
        /// The group that loses the value elsewhere.
        within: Group,
        /// The places that are left, as (row, column) from 0: steps that the hint does not need may have taken others.
        places: Vec<(usize, usize)>,
    },
    /// With the value, singles lead to a contradiction.
    Refuted(Contradiction),
}

/// Values that contradict each other, shown by singles alone; made by [`SudokuEncoder::contradiction`].
///
/// ```
/// use cnfkit::sudoku::{Contradiction, Single};
/// use cnfkit::{Grid, SudokuEncoder};
/// let grid = Grid::from([[1, 2, 3, 0], [0, 0, 0, 4], [0, 0, 0, 0], [2, 0, 0, 0]]);
/// let found: Contradiction = SudokuEncoder::new(grid).contradiction()?.expect("singles find it");
/// let steps: &[Single] = &found.singles;
/// assert!(steps.iter().all(|single| single.value <= 4) && found.givens.contains(&(1, 3, 4)));
/// # Ok::<(), cnfkit::SudokuError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Contradiction {
    /// The values on the grid that take part; of a refuted value, that one is the last.
    pub givens: Vec<Given>,
    /// The singles that follow, in order; each is needed for what comes after.
    pub singles: Vec<Single>,
    /// The cell or group for which nothing is left then.
    pub end: DeadEnd,
}

/// A cell that has one value left, or that a group alone has left for a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Single {
    /// The row, from 0.
    pub row: usize,
    /// The column, from 0.
    pub col: usize,
    /// The value, from 1.
    pub value: u16,
    /// The group that has no other place for the value; none if the cell has no other value.
    pub group: Option<Group>,
}

/// The end of a contradiction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeadEnd {
    /// No value is left for the cell in this row and column, from 0.
    Cell(usize, usize),
    /// The group has no place left for the value.
    Group(Group, u16),
}

impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {}, column {} is {}: ", self.row + 1, self.col + 1, self.value)?;
        match self.technique {
            Technique::NakedSingle => f.write_str("the cells it sees hold every other value"),
            Technique::HiddenSingle(group) => write!(f, "{group} has no other place for it"),
            Technique::LockedCandidate => f.write_str("locked candidates leave nothing else"),
            Technique::Contradiction => f.write_str("singles refute everything else"),
            Technique::Search => f.write_str("any other value leaves no solution"),
        }
    }
}

impl fmt::Display for Elimination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.value;
        match &self.reason {
            Reason::Locked { group, within, .. } => {
                write!(f, "{group} has all its places for {value} in {within}, which has no other {value} then")
            }
            Reason::Refuted(contradiction) => {
                let list: Vec<String> =
                    self.cells.iter().map(|(row, col)| format!("row {}, column {}", row + 1, col + 1)).collect();
                write!(f, "{} is not {value}: if it were, {}", list.join("; "), contradiction.end)
            }
        }
    }
}

impl fmt::Display for Single {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {}, column {} is {}: ", self.row + 1, self.col + 1, self.value)?;
        match self.group {
            Some(group) => write!(f, "{group} has no other place for it"),
            None => f.write_str("nothing else is left for it"),
        }
    }
}

impl fmt::Display for DeadEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cell(row, col) => write!(f, "nothing fits row {}, column {}", row + 1, col + 1),
            Self::Group(group, value) => write!(f, "{group} has no place for {value}"),
        }
    }
}

impl SudokuEncoder {
    /// The next empty cell whose value is forced, and the simplest technique that shows it: naked singles first, then
    /// hidden singles, locked candidates, values that singles refute, search. `None` when no cell is empty or forced,
    /// and when there is no solution. Beyond side 128, where steps take too much memory, every hint is a search.
    ///
    /// ```
    /// use cnfkit::SudokuEncoder;
    /// use cnfkit::sudoku::Technique;
    /// let grid: cnfkit::Grid = "1...\n..3.\n...4\n....".parse()?;
    /// let hint = SudokuEncoder::new(grid).hint()?.expect("a forced cell");
    /// assert_eq!((hint.row, hint.col, hint.value, hint.technique), (0, 3, 2, Technique::NakedSingle));
    /// assert!(hint.eliminations.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn hint(&self) -> Result<Option<Hint>, SudokuError> {
        let clock = self.asking.start();
        let Some(solution) = self.solve_by(&clock)? else { return Ok(None) };
        let side = self.grid.side();
        if let Some(hint) = if side <= 64 { self.by_steps::<1>(&clock) } else { self.by_steps::<2>(&clock) } {
            return Ok(Some(hint));
        }
        Ok(self.by_search(solution.cells(), &clock)?.map(|cell| Hint {
            row: cell / side,
            col: cell % side,
            value: solution.cells()[cell],
            technique: Technique::Search,
            eliminations: Vec::new(),
            group: None,
        }))
    }

    /// The contradiction to which singles lead from the values on the grid; `None` when they lead to none, which does
    /// not say that there is a solution, and always beyond side 128. Values that contradict each other at first sight
    /// are told by [`check`](Self::check).
    ///
    /// ```
    /// use cnfkit::sudoku::{DeadEnd, Group};
    /// use cnfkit::{Grid, SudokuEncoder};
    /// let grid = Grid::from([[1, 2, 3, 0], [0, 0, 0, 4], [0, 0, 0, 0], [2, 0, 0, 0]]);
    /// let found = SudokuEncoder::new(grid).contradiction()?.expect("a 4 above and beside it");
    /// assert_eq!(found.end, DeadEnd::Group(Group::Region(0), 4));
    /// # Ok::<(), cnfkit::SudokuError>(())
    /// ```
    ///
    /// # Errors
    /// When a value is out of range.
    pub fn contradiction(&self) -> Result<Option<Contradiction>, SudokuError> {
        self.grid.valid()?;
        let layout = self.grid.layout();
        if layout.side() > LARGEST {
            return Ok(None);
        }
        let (tables, cells) = (layout.tables(), self.grid.cells());
        let found = if layout.side() <= 64 {
            DeductionTrail::<1>::new(tables, cells).singles()
        } else {
            DeductionTrail::<2>::new(tables, cells).singles()
        };
        Ok(found.map(|found| contradiction(layout, &found)))
    }

    /// A value that singles show, once locked candidates and values that singles refute are taken away.
    fn by_steps<const W: usize>(&self, clock: &Clock) -> Option<Hint> {
        let layout = self.grid.layout();
        if layout.side() > LARGEST {
            return None;
        }
        let mut trail: DeductionTrail<'_, W> = DeductionTrail::new(layout.tables(), self.grid.cells());
        let single = loop {
            if let Some(single) = trail.simplest_single() {
                break single.clone();
            }
            if clock.is_over() || !(trail.lock() || trail.refute(|| clock.is_over())) {
                return None;
            }
        };
        let eliminations: Vec<Elimination> =
            trail.behind(&single).into_iter().filter_map(|step| elimination(layout, &trail, step)).collect();
        let Single { row, col, value, group } = in_words(layout, &single)?;
        let refuted = eliminations.iter().any(|step| matches!(step.reason, Reason::Refuted(_)));
        let technique = match (&eliminations[..], group) {
            ([], None) => Technique::NakedSingle,
            ([], Some(group)) => Technique::HiddenSingle(group),
            _ if refuted => Technique::Contradiction,
            _ => Technique::LockedCandidate,
        };
        Some(Hint { row, col, value, technique, eliminations, group })
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

fn at(layout: &Layout, cell: usize) -> (usize, usize) {
    (cell / layout.side(), cell % layout.side())
}

fn ats(layout: &Layout, cells: impl IntoIterator<Item = u32>) -> Vec<(usize, usize)> {
    cells.into_iter().map(|cell| at(layout, cell as usize)).collect()
}

/// The kind and number of a part of the tables: a group, or cells that windows leave.
fn part(layout: &Layout, part: usize) -> Group {
    match layout.tables().part_groups[part] {
        Some(group) => layout.group(group as usize),
        None => {
            let windows = layout.box_size().map_or(0, |(rows, _)| (rows - 1).pow(2));
            Group::BesideWindows(part % layout.side() - windows)
        }
    }
}

/// A step that says which value a cell has.
fn in_words(layout: &Layout, step: &DeductionStep) -> Option<Single> {
    let (cell, value, group) = match *step {
        DeductionStep::Given { cell, value } => (cell, value, None),
        DeductionStep::Single { cell, value, group } => (cell, value, group),
        _ => return None,
    };
    let (row, col) = at(layout, cell);
    Some(Single { row, col, value: value as u16, group: group.map(|group| layout.group(group)) })
}

/// A step that takes values away.
fn elimination<const W: usize>(
    layout: &Layout,
    trail: &DeductionTrail<'_, W>,
    step: &DeductionStep,
) -> Option<Elimination> {
    match *step {
        DeductionStep::Locked { value, of, crossing, ref cells } => {
            let within = part(layout, layout.tables().other_part(crossing, of));
            let places = ats(layout, trail.places(crossing, value));
            let reason = Reason::Locked { group: part(layout, of), within, places };
            Some(Elimination { value: value as u16, cells: ats(layout, cells.iter().copied()), reason })
        }
        DeductionStep::Refuted { cell, value, ref by } => {
            let reason = Reason::Refuted(contradiction(layout, by));
            Some(Elimination { value: value as u16, cells: vec![at(layout, cell)], reason })
        }
        _ => None,
    }
}

fn contradiction(layout: &Layout, found: &Refutation) -> Contradiction {
    let words =
        |steps: &[DeductionStep]| -> Vec<Single> { steps.iter().filter_map(|step| in_words(layout, step)).collect() };
    let givens = words(&found.givens).into_iter().map(|given| (given.row, given.col, given.value)).collect();
    let end = match found.end {
        End::Cell(cell) => {
            let (row, col) = at(layout, cell);
            DeadEnd::Cell(row, col)
        }
        End::Group(group, value) => DeadEnd::Group(layout.group(group), value as u16),
    };
    Contradiction { givens, singles: words(&found.singles), end }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::Grade;
    use crate::grid::Grid;

    fn layouts() -> [Layout; 4] {
        let nine = || Layout::boxes(3, 3);
        [Layout::boxes(2, 3), nine(), nine().with_diagonals(), nine().with_windows().unwrap()]
    }

    /// No step takes a value that the solution has, what is refuted has no solution, and the hardest technique is the
    /// puzzle's grade.
    #[test]
    fn every_step_towards_a_hint_keeps_the_solution() {
        let mut refuted = 0;
        for (layout, seed) in layouts().iter().flat_map(|layout| (0..4).map(move |seed| (layout, seed))) {
            let puzzle = SudokuEncoder::new(Grid::empty(layout.clone())).random_minimal_puzzle(seed).unwrap().unwrap();
            let encoder = SudokuEncoder::new(puzzle.clone());
            let (solution, grade) = (encoder.solve().unwrap().unwrap(), encoder.grade().unwrap().unwrap());
            let (mut grid, mut hardest) = (puzzle, Grade::NakedSingles);
            while let Some(hint) = SudokuEncoder::new(grid.clone()).hint().unwrap() {
                assert_eq!(solution.get(hint.row, hint.col), Some(hint.value), "{layout} {seed}: {hint}");
                for step in &hint.eliminations {
                    let lost = |&(row, col): &(usize, usize)| solution.get(row, col) != Some(step.value);
                    assert!(!step.cells.is_empty() && step.cells.iter().all(lost), "{layout} {seed}: {step}");
                    if let Reason::Refuted(found) = &step.reason {
                        refuted += 1;
                        let &(row, col, value) = found.givens.last().unwrap();
                        assert_eq!((row, col, value), (step.cells[0].0, step.cells[0].1, step.value));
                        let mut wrong = grid.clone();
                        wrong.set(row, col, value);
                        assert_eq!(SudokuEncoder::new(wrong).solve().unwrap(), None, "{layout} {seed}: {step}");
                    }
                }
                hardest = hardest.max(match hint.technique {
                    Technique::NakedSingle => Grade::NakedSingles,
                    Technique::HiddenSingle(_) => Grade::HiddenSingles,
                    Technique::LockedCandidate => Grade::LockedCandidates,
                    Technique::Contradiction | Technique::Search => Grade::Search,
                });
                grid.set(hint.row, hint.col, hint.value);
            }
            assert!(grid.is_full(), "{layout} {seed}");
            assert_eq!(hardest, grade, "{layout} {seed}");
        }
        assert!(refuted > 0);
    }

    /// The singles of a contradiction follow one from the other, and its givens are enough.
    #[test]
    fn a_contradiction_is_that_of_its_givens() {
        let text = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
        let grid: Grid = text.parse().unwrap();
        assert_eq!(SudokuEncoder::new(grid.clone()).contradiction().unwrap(), None);
        let mut wrong = grid;
        wrong.set(0, 2, 1); // the solution has 4 there
        let found = SudokuEncoder::new(wrong).contradiction().unwrap().unwrap();
        assert!(found.givens.contains(&(0, 2, 1)), "{found:?}");
        let mut only = Grid::empty(Layout::boxes(3, 3));
        found.givens.iter().for_each(|&(row, col, value)| only.set(row, col, value));
        assert_eq!(SudokuEncoder::new(only.clone()).solve().unwrap(), None);
        for single in &found.singles {
            assert_eq!(only.get(single.row, single.col), None, "{single}");
            only.set(single.row, single.col, single.value);
        }
        assert!(SudokuEncoder::new(only).contradiction().unwrap().unwrap().singles.is_empty());
    }
}
