//! [`Proven`]: questions whose answers have certificates.

use std::path::Path;

use crate::question::negated;
use crate::{Optimum, Question};
use cnfkit_core::{Assignment, CertifyError, Formula};

/// A question whose answer is written with a certificate to a new folder; made by [`Question::proof`].
///
/// `veripb DIR/formula.opb DIR/proof.pbp`, with [VeriPB](https://gitlab.com/MIAOresearch/software/VeriPB) 3.0, checks
/// it. Trusted is that `formula.opb` says what was meant: constraints are there as the formula keeps them, folded;
/// nothing of encodings or the solver is. The folder has to be new, also after an interruption. Assumptions are clauses
/// of `formula.opb`, and a greatest value is the least one of all weights negated there. Of the options, limits,
/// assumptions, the strategy and the listener to better solutions hold; the solver is BatSat, or CaDiCaL where that is
/// the [default](cnfkit_core::solvers::DefaultSolver).
///
/// ```
/// use cnfkit::ask::Proven;
/// use cnfkit::{CardEncoding, ClauseSink, Constrain, Formula, Questions};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut formula = Formula::new();
/// let x = formula.new_lits(6);
/// formula.at_most(&x, 3, CardEncoding::Auto)?;
/// formula.set_objective((1..).zip(&x).map(|(weight, &lit)| (lit, weight * weight)));
/// let dir = std::env::temp_dir().join(format!("cnfkit-proven-{}", std::process::id()));
/// let question: Proven<'_, _> = formula.ask().assuming(&[!x[5]]).proof(&dir);
/// let best = question.maximum()?.expect("there are solutions");
/// assert_eq!((best.value, best.is_optimal()), (25 + 16 + 9, true)); // the last line of DIR/proof.pbp says so
/// std::fs::remove_dir_all(&dir)?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`Formula::solve_certified`](cnfkit_core::Formula::solve_certified).
#[derive(Debug)]
#[must_use = "a question is asked by a verb, such as `solve`"]
pub struct Proven<'a, P> {
    question: Question<'a>,
    dir: P,
}

impl<'a> Question<'a> {
    /// Writes a certificate of the answer to the new folder `dir`, for the proof checker VeriPB: see [`Proven`].
    pub const fn proof<P: AsRef<Path>>(self, dir: P) -> Proven<'a, P> {
        Proven { question: self, dir }
    }
}

impl<P: AsRef<Path>> Proven<'_, P> {
    /// A model of the formula's variables, or `None` when there is provably none.
    ///
    /// # Errors
    /// As [`Proven`] says.
    pub fn solve(self) -> Result<Option<Assignment>, CertifyError> {
        self.question.assumed_formula()?.solve_certified(self.dir, &self.question.asking.limits)
    }

    /// A solution with the least value of the [objective](cnfkit_core::Formula::objective), or `None` when there is
    /// provably none. Where a limit is reached before, the best solution so far, whose certificate is of both bounds;
    /// without a solution that is an error.
    ///
    /// # Errors
    /// As [`Proven`] says.
    pub fn minimum(self) -> Result<Option<Optimum>, CertifyError> {
        let formula = self.question.assumed_formula()?;
        self.best(&formula, |best| best)
    }

    /// A solution with the greatest value of the [objective](cnfkit_core::Formula::objective): as
    /// [`minimum`](Self::minimum).
    ///
    /// # Errors
    /// As [`Proven`] says.
    pub fn maximum(self) -> Result<Option<Optimum>, CertifyError> {
        let formula = negated(&*self.question.assumed_formula()?);
        self.best(&formula, Optimum::negated)
    }

    fn best(self, formula: &Formula, given: impl Fn(Optimum) -> Optimum) -> Result<Option<Optimum>, CertifyError> {
        let Question { asking, mut optimum, .. } = self.question;
        let mut best: Option<Optimum> = None;
        let told = &mut |found: Option<(&Assignment, i128)>, lower_bound| {
            let Some((model, value)) = found else { return };
            let found = given(Optimum { lower_bound, ..Optimum::proven(model.clone(), value) });
            if let Some(report) = &mut optimum.on_improvement
                && best.as_ref().is_none_or(|best| best.value != found.value)
            {
                report(&found.improvement());
            }
            best = Some(found);
        };
        match formula.minimum_certified_with(&self.dir, optimum.strategy, &asking.limits, told) {
            Err(CertifyError::Interrupted(why)) => match best {
                Some(best) => Ok(Some(Optimum { stopped: Some(why), ..best })),
                None => Err(CertifyError::Interrupted(why)),
            },
            best => Ok(best?.map(|(model, value)| given(Optimum::proven(model, value)))),
        }
    }
}
