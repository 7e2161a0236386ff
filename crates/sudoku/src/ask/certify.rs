//! Certificates that a Sudoku has a solution, and no other.

use std::path::Path;

use cnfkit_core::internals::in_two_parts;
use cnfkit_core::{Assignment, Cnf, Formula, Lit};

use crate::encode::{SudokuEncoder, SudokuError};
use crate::grid::Grid;
use crate::rules;

impl SudokuEncoder {
    /// A solution, and another one if there is one, with certificates for the proof checker
    /// [VeriPB](https://gitlab.com/MIAOresearch/software/VeriPB) 3.0 in the new folder `dir`: each is two files,
    /// `veripb formula.opb proof.pbp` checks it, and what is trusted is that `formula.opb` says the rules and the
    /// givens. That of `dir/solution` says that there is a solution, or that there is none: then it is the only one.
    /// That of `dir/other` says so of the rules and a clause which forbids the solution.
    ///
    /// The formula is that of [`encode`](Self::encode) as constraints; a solver of one's own is not asked. Limits are
    /// for each certificate.
    ///
    /// ```
    /// use cnfkit::{Grid, SudokuEncoder};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let grid: Grid = "1.....3..4.....2".parse()?;
    /// let dir = std::env::temp_dir().join(format!("cnfkit-sudoku-certified-{}", std::process::id()));
    /// let (solution, other) = SudokuEncoder::new(grid).solve_certified(&dir)?.expect("there is one");
    /// assert!(solution.is_full() && other.is_none());
    /// let proof = std::fs::read_to_string(dir.join("other").join("proof.pbp"))?;
    /// assert!(proof.contains("conclusion UNSAT") && proof.ends_with("end pseudo-Boolean proof;\n"));
    /// std::fs::remove_dir_all(&dir)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`solve`](Self::solve), and when the folder has files or cannot be written.
    pub fn solve_certified(&self, dir: impl AsRef<Path>) -> Result<Option<(Grid, Option<Grid>)>, SudokuError> {
        self.grid.valid()?;
        let side = self.grid.side();
        let limit = self.capacity.unwrap_or(Cnf::DEFAULT_LIMIT);
        let mut formula = Formula::with_vars(side * side * side).with_limit(limit);
        self.encode_rules(&mut formula)?;
        rules::clues(&mut formula, side, self.grid.cells())?;
        let values = || (1..=side).flat_map(|value| (0..side * side).map(move |cell| rules::lit(side, cell, value)));
        let forbidden = |found: &Assignment| {
            let clause: Vec<Lit> = values().filter(|&lit| found.is_true(lit)).map(|lit| !lit).collect();
            Ok::<_, SudokuError>(clause)
        };
        let found = in_two_parts(formula, dir.as_ref(), &self.asking, forbidden)?;
        let decode = |found: Assignment| {
            let mut grid = self.grid.clone();
            rules::decode(side, grid.cells_mut(), |lit| found.is_true(lit));
            grid
        };
        Ok(found.map(|(solution, other)| (decode(solution), other.map(decode))))
    }
}
