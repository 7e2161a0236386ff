//! Certificates that a board has an answer, and that certain cells are certain.

use std::path::Path;

use cnfkit_core::internals::in_two_parts;
use cnfkit_core::{Assignment, Formula, Lit, SolveError};

use super::kinds::{Deduction, Kind};
use crate::encoder::GemHunterEncoder;
use crate::error::GemError;
use crate::map::GemMap;
use crate::rules;

impl GemHunterEncoder {
    /// An answer, and the kind of every cell, with certificates for the proof checker
    /// [VeriPB](https://gitlab.com/MIAOresearch/software/VeriPB) 3.0 in the new folder `dir`: each is two files,
    /// `veripb formula.opb proof.pbp` checks it, and what is trusted is that `formula.opb` says the rule and the
    /// numbers. That of `dir/solution` says that there is an answer, or that there is none: then it is the only one.
    /// That of `dir/other` says that there is none in which one of the traps that are certain is a gem, or one of the
    /// gems a trap; it is left out where no cell is certain. That a cell is not certain is not certified.
    ///
    /// The formula is that of [`encode`](Self::encode) as constraints, before any deduction. Limits are for each
    /// certificate, and for [`deduce`](Self::deduce), which finds what is certain.
    ///
    /// ```
    /// use cnfkit::{GemHunterEncoder, Kind};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let encoder = GemHunterEncoder::new("3, _, 2, _\n_, _, 2, _\n_, 3, 1, _".parse()?);
    /// let dir = std::env::temp_dir().join(format!("cnfkit-gem-certified-{}", std::process::id()));
    /// let (answer, deduction) = encoder.deduce_certified(&dir)?.expect("there are answers");
    /// assert!(encoder.verify(&answer)?.is_empty());
    /// assert_eq!(deduction.get(0, 1), Kind::Trap);
    /// let proof = std::fs::read_to_string(dir.join("other").join("proof.pbp"))?;
    /// assert!(proof.contains("conclusion UNSAT") && proof.ends_with("end pseudo-Boolean proof;\n"));
    /// std::fs::remove_dir_all(&dir)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`solve`](Self::solve), and when the folder has files or cannot be written.
    pub fn deduce_certified(&self, dir: impl AsRef<Path>) -> Result<Option<(GemMap, Deduction)>, GemError> {
        let (board, plan) = (self.board(&self.asking.start())?, self.plan());
        let mut formula = Formula::with_vars(self.map.cells().len());
        let lits = &mut Vec::new();
        (0..board.n_numbers())
            .try_for_each(|number| rules::number(&board, number, &plan.encoding, lits, &mut formula))?;
        if let Some(traps) = self.traps {
            let cells: Vec<Lit> = board.unknown().map(rules::trap).collect();
            rules::total(&board, traps, &cells, plan.total_encoding(), &mut formula)?;
        }
        let disagree = || GemError::Solve(SolveError::Solver("two ways to solve the board disagree".into()));
        let mut deduced = None;
        let found = in_two_parts(formula, dir.as_ref(), &self.asking, |_: &Assignment| {
            let deduction = self.deduce()?.ok_or_else(disagree)?;
            let certain = |cell: usize| {
                let (row, column) = self.map.position(cell);
                match deduction.get(row, column) {
                    Kind::Trap => Some(!rules::trap(cell)),
                    Kind::Gem => Some(rules::trap(cell)),
                    _ => None,
                }
            };
            let clause = board.unknown().filter_map(certain).collect();
            deduced = Some(deduction);
            Ok::<_, GemError>(clause)
        })?;
        match (found, deduced) {
            (None, _) => Ok(None),
            (Some((answer, None)), Some(deduction)) => {
                Ok(Some((rules::answer(&self.map, |lit| answer.is_true(lit)), deduction)))
            }
            _ => Err(disagree()),
        }
    }
}
