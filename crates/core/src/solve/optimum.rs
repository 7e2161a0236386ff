//! The least value of a formula's objective, by a program that reads OPB or WCNF.

use rustsat::types::{self, Lit, TernaryVal};

use super::Assignment;
use crate::formula::Formula;
use crate::limits::{Limits, SolveError};
use crate::solvers::{EngineAnswer, External, Failure, Format};

impl Formula {
    /// The least value of the objective as an [optimiser](External::is_optimiser) finds it: a solution, its value, and
    /// true if the program says that no other is less, false if it was stopped before. `None` when it says that there
    /// is no solution. All but that is compared with the formula.
    ///
    /// # Errors
    /// [`SolveError::Interrupted`] when a limit is reached before there is a solution, and when the program fails: with
    /// an [`ExternalError`](crate::solvers::ExternalError).
    #[doc(hidden)]
    pub fn minimum_by(
        &self,
        engine: &External,
        limits: &Limits,
    ) -> Result<Option<(Assignment, i128, bool)>, SolveError> {
        let clock = limits.start();
        clock.check()?;
        // A negative weight of a literal is a soft clause, which costs nothing at best.
        let negative = || self.objective().iter().map(|&(_, weight)| i128::from(weight.min(0))).sum();
        let n_vars = self.n_vars() + usize::try_from(self.size().vars).unwrap_or(usize::MAX / 2);
        let answer = engine.optimise(
            n_vars,
            |format, writer| match format {
                Format::Wcnf => self.write_wcnf(writer),
                Format::OldWcnf => self.write_wcnf_as(writer, true),
                _ => self.write_opb(writer),
            },
            |model| self.value_of(&|lit| model.is_true(lit.vidx()) == lit.is_pos()).map_err(Failure::WrongModel),
            |format| if format == Format::Opb { 0 } else { negative() },
            &clock,
        );
        match answer.map_err(SolveError::solver)? {
            EngineAnswer::Stopped => Err(clock.interrupted()),
            EngineAnswer::Unsatisfiable => Ok(None),
            EngineAnswer::Model(model, value, is_optimal) => {
                let values = (0..self.n_vars()).map(|var| TernaryVal::from(model.is_true(var)));
                Ok(Some((types::Assignment::from(values.collect::<Vec<_>>()).into(), value, is_optimal)))
            }
        }
    }

    /// The value of a solution, or the literals of a clause or constraint that it violates.
    fn value_of(&self, is_true: &dyn Fn(Lit) -> bool) -> Result<i128, Vec<Lit>> {
        if let Some(clause) = self.clauses().find(|clause| !clause.iter().any(|&lit| is_true(lit))) {
            return Err(clause.to_vec());
        }
        if let Some(violated) = self.constraints().find(|constraint| !constraint.holds(is_true)) {
            return Err(violated.lits().collect());
        }
        Ok(self.objective().iter().filter(|&&(lit, _)| is_true(lit)).map(|&(_, weight)| i128::from(weight)).sum())
    }
}
