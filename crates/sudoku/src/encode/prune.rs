//! The values that propagation leaves open, as a formula for any solver.

use std::fmt;

use rustsat::types::Lit;

use crate::encode::encoder::{SudokuEncoder, SudokuError};
use crate::grid::Grid;
use crate::residue::Residue;
use cnfkit_core::internals::TimedSink;
use cnfkit_core::{ClauseSink, Cnf};

/// The formula of what givens and propagation leave open; made by [`SudokuEncoder::prune`].
///
/// ```
/// use cnfkit::sudoku::PrunedCnf;
/// use cnfkit::{Grid, SudokuEncoder};
/// let encoder = SudokuEncoder::new("1234............".parse::<Grid>()?);
/// let pruned: PrunedCnf = encoder.prune()?.expect("no contradiction");
/// assert!(pruned.var(0, 0, 1).is_none() && pruned.var(1, 0, 3).is_some());
/// let model = pruned.cnf().solve()?.expect("12 solutions");
/// assert!(pruned.decode(|lit| model.is_true(lit)).is_full());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PrunedCnf {
    cnf: Cnf,
    grid: Grid,
    residue: Residue,
}

impl PrunedCnf {
    /// The formula: open values alone, numbered without gaps, cell by cell and value by value; auxiliaries above.
    #[must_use]
    pub fn cnf(&self) -> &Cnf {
        &self.cnf
    }

    /// The literal of *this cell holds this value*; `None` when that is settled one way or the other.
    ///
    /// # Panics
    /// When the cell is outside the grid.
    #[must_use]
    pub fn var(&self, row: usize, col: usize, value: u16) -> Option<Lit> {
        let side = self.grid.side();
        assert!(row < side && col < side, "row {row}, column {col} is outside a grid of side {side}");
        let values = self.residue.values(row * side + col);
        values.into_iter().find(|&(other, _)| other == value)?.1
    }

    /// The grid that a model of [`cnf`](Self::cnf) stands for, what is settled included.
    #[must_use]
    pub fn decode(&self, is_true: impl Fn(Lit) -> bool) -> Grid {
        let mut grid = self.grid.clone();
        self.residue.decode(grid.cells_mut(), &is_true);
        grid
    }
}

impl fmt::Debug for PrunedCnf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PrunedCnf").field("grid", &self.grid).field("cnf", &self.cnf).finish_non_exhaustive()
    }
}

impl SudokuEncoder {
    /// The formula of [`Strategy::Pruned`](crate::Strategy::Pruned): what naked and hidden singles and locked
    /// candidates (at 9×9 colouring too) leave open. `None` when they find a contradiction.
    ///
    /// ```
    /// use cnfkit::{Grid, SudokuEncoder};
    /// let encoder = SudokuEncoder::new("1234............".parse::<Grid>().unwrap());
    /// let pruned = encoder.prune().unwrap().expect("no contradiction");
    /// assert!(pruned.cnf().n_clauses() < encoder.encode().unwrap().n_clauses() / 2);
    /// ```
    ///
    /// # Errors
    /// When a value is out of range, the formula would be too large, or the time is over.
    pub fn prune(&self) -> Result<Option<PrunedCnf>, SudokuError> {
        let limit = self.capacity.unwrap_or(Cnf::DEFAULT_LIMIT);
        self.ready(limit)?;
        let clock = self.asking.start();
        let mut residue = Residue::new(self.grid.layout());
        if !residue.load(self.grid.cells(), false, &clock)? {
            return Ok(None);
        }
        let mut cnf = Cnf::with_vars(residue.n_vars()).with_limit(limit);
        if !self.crossings {
            cnf.reserve(&residue.size(self.form(), &limit, &clock)?)?;
        }
        residue.write(&mut TimedSink::new(&mut cnf, &clock), self.form(), self.crossings)?;
        Ok(Some(PrunedCnf { cnf, grid: self.grid.clone(), residue }))
    }
}
