//! Questions about all solutions: the next one, their number, the values they have, a random one.

use std::iter::FusedIterator;

use rustsat::types::Lit;

use crate::encode::Strategy;
use crate::encode::{SudokuEncoder, SudokuError};
use crate::grid::Grid;
use crate::search::{GridEngine, Pruned, Settings};
use cnfkit_ask::internals::seen_in_some;
use cnfkit_core::internals::{Choices, Clock, Oracle, Random};

/// Open cells whose value is chosen at random for a random solution, at the price of up to two questions to the solver
/// for each value that does not fit. It is more than the 81 cells of any 9×9, so that all solutions of one can come up;
/// a larger number takes longer and makes solutions hardly more random.
const AT_RANDOM: usize = 128;
/// A value that more conflicts than this have not decided is as one that does not fit.
const MOST_CONFLICTS: u64 = 500;

/// The solutions of a grid, each once, found one after the other; made by [`SudokuEncoder::solutions`].
///
/// The iterator ends after an error.
///
/// ```
/// use cnfkit::sudoku::Solutions;
/// use cnfkit::{Grid, SudokuEncoder};
/// let solutions: Solutions = SudokuEncoder::new("1234............".parse::<Grid>()?).solutions();
/// assert_eq!(solutions.collect::<Result<Vec<_>, _>>()?.len(), 12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Solutions {
    encoder: SudokuEncoder,
    state: GridSolutionsState,
}

enum GridSolutionsState {
    /// Nobody asked yet.
    New,
    /// The solver, and the solution found last.
    Found(Box<GridEngine>, Option<Grid>),
    Done,
}

impl Solutions {
    fn find(&mut self) -> Result<Option<Grid>, SudokuError> {
        let grid = &self.encoder.grid;
        if let GridSolutionsState::New = self.state {
            let (settings, clock) = (self.encoder.settings(), self.encoder.asking.start());
            self.encoder.ready(settings.capacity)?;
            let mut engine = GridEngine::new(grid.layout(), settings, &clock)?;
            if !engine.begin(grid.cells(), &clock)? {
                return Ok(None);
            }
            self.state = GridSolutionsState::Found(Box::new(engine), None);
        }
        let GridSolutionsState::Found(engine, last) = &mut self.state else { return Ok(None) };
        if let Some(last) = last.take() {
            engine.block(last.cells())?;
        }
        let mut next = grid.clone();
        if !engine.next(next.cells_mut())? {
            return Ok(None);
        }
        *last = Some(next.clone());
        Ok(Some(next))
    }
}

impl Iterator for Solutions {
    type Item = Result<Grid, SudokuError>;

    fn next(&mut self) -> Option<Self::Item> {
        let found = self.find().transpose();
        if !matches!(found, Some(Ok(_))) {
            self.state = GridSolutionsState::Done;
        }
        found
    }
}

impl FusedIterator for Solutions {}

impl std::fmt::Debug for Solutions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Solutions").field("encoder", &self.encoder).finish_non_exhaustive()
    }
}

impl SudokuEncoder {
    /// Every solution once, found as it is asked for. The time limit is for all of them together.
    ///
    /// ```
    /// use cnfkit::{Grid, Layout, SudokuEncoder};
    /// let encoder = SudokuEncoder::new(Grid::empty(Layout::boxes(2, 2)));
    /// assert_eq!(encoder.solutions().count(), 288);
    /// ```
    #[must_use]
    pub fn solutions(&self) -> Solutions {
        Solutions { encoder: self.clone(), state: GridSolutionsState::New }
    }

    /// The number of solutions, but no more than `limit`: the search ends there. Where a limit may end it before, count
    /// [`solutions`](Self::solutions): those before its error are at least so many.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn count(&self, limit: usize) -> Result<usize, SudokuError> {
        self.solutions().take(limit).try_fold(0, |count, solution| solution.map(|_| count + 1))
    }

    /// True if there is exactly one solution.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn is_unique(&self) -> Result<bool, SudokuError> {
        Ok(self.count(2)? == 1)
    }

    /// The values that each cell has in some solution, row by row: none anywhere when there is no solution, one
    /// everywhere when there is one.
    ///
    /// ```
    /// use cnfkit::{Grid, SudokuEncoder};
    /// let grid: Grid = "123.............".parse()?;
    /// let candidates = SudokuEncoder::new(grid).candidates()?;
    /// assert_eq!((&candidates[0][..], &candidates[3][..], &candidates[4][..]), (&[1][..], &[4][..], &[3, 4][..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn candidates(&self) -> Result<Vec<Vec<u16>>, SudokuError> {
        let n_cells = self.grid.cells().len();
        let clock = self.asking.start();
        let Some(mut open) = self.open(&clock)? else { return Ok(vec![Vec::new(); n_cells]) };
        let (residue, session) = open.parts();
        let values: Vec<_> = (0..n_cells).map(|cell| residue.values(cell)).collect();
        let lits: Vec<Lit> = values.iter().flatten().filter_map(|&(_, lit)| lit).collect();
        let Some(unseen) = seen_in_some(session, &lits, &clock)? else { return Ok(vec![Vec::new(); n_cells]) };
        let seen = |lit: Option<Lit>| lit.is_none_or(|lit| unseen.binary_search(&lit).is_err());
        Ok(values
            .into_iter()
            .map(|values| values.into_iter().filter(|&(_, lit)| seen(lit)).map(|(value, _)| value).collect())
            .collect())
    }

    /// The solver with what propagation left open; `None` when propagation finds a contradiction.
    pub(crate) fn open(&self, clock: &Clock) -> Result<Option<Pruned>, SudokuError> {
        let settings = Settings { strategy: Strategy::Pruned, ..self.settings() };
        self.ready(settings.capacity)?;
        let mut open = Pruned::new(self.grid.layout(), settings);
        Ok(open.begin(self.grid.cells(), clock)?.then_some(open))
    }

    /// A random solution, equal for equal seeds; `None` when there is provably none.
    ///
    /// The open cells, in random order, each get the first value, in random order, that some solution has beside the
    /// values chosen before. Every solution can come up, but they are not equally likely: one with few others near it
    /// is likelier. Beyond 128 open cells the remaining cells follow the solver's default phase.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn random_solution(&self, seed: u64) -> Result<Option<Grid>, SudokuError> {
        self.random_by(seed, &self.asking.start())
    }

    /// [`random_solution`](Self::random_solution) as part of a question whose clock runs already.
    pub(crate) fn random_by(&self, seed: u64, clock: &Clock) -> Result<Option<Grid>, SudokuError> {
        let mut lot = Random::new(seed);
        let choices = Choices { seed: lot.next() | 1, ..Choices::default() };
        let settings = Settings { strategy: Strategy::Pruned, choices, ..self.settings() };
        self.ready(settings.capacity)?;
        let mut open = Pruned::new(self.grid.layout(), settings);
        let mut solution = self.grid.clone();
        if !open.begin(self.grid.cells(), clock)? || !open.next(solution.cells_mut())? {
            return Ok(None);
        }
        let (residue, session) = open.parts();
        let mut cells: Vec<Vec<Lit>> = (0..solution.cells().len())
            .map(|cell| residue.values(cell).into_iter().filter_map(|(_, lit)| lit).collect())
            .filter(|lits: &Vec<Lit>| !lits.is_empty())
            .collect();
        lot.shuffle(&mut cells);
        let mut chosen: Vec<Lit> = Vec::new();
        for mut lits in cells.into_iter().take(AT_RANDOM) {
            lot.shuffle(&mut lits);
            clock.check()?;
            for lit in lits {
                chosen.push(lit);
                // The last answer may have what is asked for already.
                if session.is_true(lit) || session.ask(&chosen, MOST_CONFLICTS)? == Some(true) {
                    break;
                }
                chosen.pop();
                session.solve(&chosen)?;
            }
        }
        residue.decode(solution.cells_mut(), &|lit| session.is_true(lit));
        Ok(Some(solution))
    }
}
