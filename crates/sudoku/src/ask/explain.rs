//! Explanations: the givens that contradict each other.

use rustsat::types::Lit;

use crate::encode::{SudokuEncoder, SudokuError};
use crate::rules::{self, ConstraintSet, RuleForm};
use crate::search::{BaseSolver, Settings};
use cnfkit_core::internals::minimal;
use cnfkit_core::{AmoEncoding, Size, SolveError};

/// Row and column from 0, and the value from 1.
pub type Given = (usize, usize, u16);

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
        let mut base = BaseSolver::new(self.grid.layout(), self.reasoning(), &clock)?;
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
        let mut encoding = RuleForm { set: ConstraintSet::Extended, ..settings.encoding };
        let size = rules::rules_size(self.grid.layout(), &encoding);
        if !(size + Size::variables(self.grid.side().pow(3) as u64)).fits(&settings.capacity) {
            encoding.amo = AmoEncoding::Auto;
        }
        Settings { encoding, ..settings }
    }
}
