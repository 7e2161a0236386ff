//! Proofs in DRAT, which more checkers read: what the solver learns from clauses, and forgets.

use std::cell::RefCell;
use std::fs::File;
use std::io;
use std::path::Path;
use std::rc::Rc;

use rustsat::types::{self, Lit};

use super::pen::Pen;
use super::run::Prover;
use crate::certify::Lines;
use crate::formula::{CertifyError, Formula};
use crate::limits::Limits;
use crate::solve::Assignment;

impl Formula {
    /// Solves a formula of clauses as [`solve_certified`](Self::solve_certified) does, and writes them and a proof in
    /// DRAT to the new folder `dir`. Where there is no model, `drat-trim dir/formula.cnf dir/proof.drat` says
    /// `s VERIFIED`; with `-L FILE` it writes LRAT, for which BatSat has no hints.
    ///
    /// ```
    /// use cnfkit::{ClauseSink, Formula, Limits};
    /// let mut formula = Formula::new();
    /// let [a, b] = [formula.new_lit(), formula.new_lit()];
    /// [[a, b], [a, !b], [!a, b], [!a, !b]].iter().try_for_each(|clause| formula.add_clause(clause))?;
    /// let dir = std::env::temp_dir().join(format!("cnfkit-solve-drat-{}", std::process::id()));
    /// assert_eq!(formula.solve_drat(&dir, &Limits::none())?, None);
    /// std::fs::remove_dir_all(&dir)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`solve_certified`](Self::solve_certified), and when there are other constraints.
    pub fn solve_drat(&self, dir: impl AsRef<Path>, limits: &Limits) -> Result<Option<Assignment>, CertifyError> {
        if self.constraints().next().is_some() {
            return Err(CertifyError::NoClause { constraint: 0 });
        }
        let (dir, clock) = (dir.as_ref(), limits.start());
        CertifyError::new_folder(dir)?;
        self.write_dimacs(File::create(dir.join("formula.cnf"))?)?;
        let pen: Pen = Rc::new(RefCell::new(Lines::drat(File::create(dir.join("proof.drat"))?)));
        let mut solver = Prover::new(&pen, clock.clone());
        solver.new_vars(self.n_vars())?;
        self.clauses().try_for_each(|clause| solver.add(clause, 0))?;
        let answer = solver.solve(&[], u64::MAX)?;
        if answer == Some(false) {
            pen.borrow_mut().rup(&[], &[])?;
        }
        pen.replace(Lines::new(io::sink())).finish()?;
        let vars = (0..self.n_vars() as u32).map(Lit::positive);
        let model = || vars.map(|lit| if solver.is_true(lit) { lit } else { !lit }).collect::<types::Assignment>();
        answer.map(|is_model| is_model.then(|| model().into())).ok_or_else(|| CertifyError::Interrupted(clock.why()))
    }
}
