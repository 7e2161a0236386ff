//! [`Questions`]: the verbs of a formula, and the way to ask them with options.

use rustsat::types::Lit;

use crate::{Assumed, Core, Improvement, Optimum, Pareto, Question, Solutions};
use cnfkit_core::{Formula, Limits, SolveError, Strategy};

/// The questions that a [`Formula`] answers, and [`ask`](Self::ask), which asks them with options: another solver,
/// limits, assumptions.
///
/// Nothing but a [`Formula`] implements it. A model that `solve` finds needs no import: it is
/// [`Formula::solve`].
///
/// ```
/// use std::time::Duration;
///
/// use cnfkit::{CardEncoding, ClauseSink, Constrain, Formula, Questions};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut formula = Formula::new();
/// let x = formula.new_lits(5);
/// formula.at_least(&x, 3, CardEncoding::Auto)?;
/// formula.set_objective((1..).zip(&x).map(|(weight, &lit)| (lit, weight * weight)));
///
/// assert_eq!(formula.minimum()?.expect("there are solutions").value, 1 + 4 + 9);
/// assert_eq!(formula.count(100)?, 10 + 5 + 1);
/// let minute = Duration::from_secs(60);
/// let best = formula.ask().assuming(&[!x[0]]).time_limit(minute).minimum()?.expect("there are solutions");
/// assert_eq!((best.value, best.is_optimal()), (4 + 9 + 16, true));
/// # Ok(())
/// # }
/// ```
pub trait Questions: crate::sealed::Sealed {
    /// A question about the formula: options, then a verb.
    fn ask(&self) -> Question<'_>;

    /// A solution with the least value of the [objective](Formula::objective), or `None` when the formula is proven
    /// unsatisfiable. Without an objective, any solution has the value 0.
    ///
    /// # Errors
    /// When the solver fails, or the formula is larger than its limit.
    fn minimum(&self) -> Result<Option<Optimum>, SolveError> {
        self.ask().minimum()
    }

    /// A solution with the greatest value of the [objective](Formula::objective): as [`minimum`](Self::minimum).
    ///
    /// # Errors
    /// As [`minimum`](Self::minimum).
    #[doc(alias = "maximise")]
    fn maximum(&self) -> Result<Option<Optimum>, SolveError> {
        self.ask().maximum()
    }

    /// The Pareto front of two objectives: see [`Question::pareto`].
    fn pareto(&self, objectives: [&[(Lit, i64)]; 2]) -> Pareto<'_> {
        self.ask().pareto(objectives)
    }

    /// Every solution once, found as it is asked for: models that differ in the formula's [own](Formula::lits)
    /// variables.
    fn solutions(&self) -> Solutions<'_, Assumed<'_>> {
        self.ask().solutions()
    }

    /// The number of [solutions](Self::solutions), counted up to `limit`.
    ///
    /// # Errors
    /// As [`minimum`](Self::minimum).
    fn count(&self, limit: usize) -> Result<usize, SolveError> {
        self.ask().count(limit)
    }

    /// True if there is exactly one solution.
    ///
    /// # Errors
    /// As [`minimum`](Self::minimum).
    fn is_unique(&self) -> Result<bool, SolveError> {
        self.ask().is_unique()
    }

    /// The values that all solutions share: see [`Question::backbone`].
    ///
    /// # Errors
    /// As [`minimum`](Self::minimum).
    fn backbone(&self) -> Result<Option<Vec<Option<bool>>>, SolveError> {
        self.ask().backbone()
    }

    /// A minimal unsatisfiable core: groups that contradict each other and what is in no group, none of which can be
    /// left out. `None` when there is a solution.
    ///
    /// ```
    /// use cnfkit::{AmoEncoding, ClauseSink, Constrain, Formula, Questions};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut formula = Formula::new();
    /// let [anna, ben, cleo] = ["anna", "ben", "cleo"].map(|name| formula.new_named(name));
    /// formula.group("one works", |formula| formula.exactly_one(&[anna, ben, cleo], &AmoEncoding::Auto))?;
    /// formula.group("anna is ill", |formula| formula.add_clause(&[!anna]))?;
    /// formula.group("ben and cleo together", |formula| {
    ///     formula.add_clause(&[!ben, cleo])?;
    ///     formula.add_clause(&[ben, !cleo])
    /// })?;
    /// let core = formula.unsat_core()?.expect("no solution");
    /// assert_eq!(core.to_string(), "\"one works\", \"anna is ill\", \"ben and cleo together\"");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`minimum`](Self::minimum).
    fn unsat_core(&self) -> Result<Option<Core<'_>>, SolveError> {
        self.ask().unsat_core()
    }

    /// A smallest [unsatisfiable core](Self::unsat_core): no fewer groups contradict each other. It takes far longer
    /// where there are many cores.
    ///
    /// ```
    /// use cnfkit::{ClauseSink, Formula, Questions};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(3);
    /// for (name, clause) in [("1", &[x[0]][..]), ("2", &[!x[0], x[1]]), ("3", &[!x[1]]), ("4", &[!x[0]])] {
    ///     formula.group(name, |formula| formula.add_clause(clause))?;
    /// }
    /// assert_eq!(formula.smallest_unsat_core()?.expect("no solution").groups, ["1", "4"]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`minimum`](Self::minimum).
    fn smallest_unsat_core(&self) -> Result<Option<Core<'_>>, SolveError> {
        self.ask().smallest_unsat_core()
    }

    /// A question under assumptions.
    #[doc(hidden)]
    #[deprecated = "write `ask().assuming(…)`"]
    fn assuming(&self, assumptions: &[Lit]) -> Question<'_> {
        self.ask().assuming(assumptions)
    }

    /// A search for the least value.
    #[doc(hidden)]
    #[deprecated = "write `ask()`, the options, then `minimum()`"]
    fn search_minimum(&self) -> Minimum<'_> {
        Minimum { question: self.ask(), sign: 1 }
    }

    /// A search for the greatest value.
    #[doc(hidden)]
    #[deprecated = "write `ask()`, the options, then `maximum()`"]
    fn search_maximum(&self) -> Minimum<'_> {
        Minimum { question: self.ask(), sign: -1 }
    }
}

impl Questions for Formula {
    fn ask(&self) -> Question<'_> {
        Question::new(self)
    }
}

/// A search for an optimum, as it was begun before [`Questions::ask`].
#[doc(hidden)]
#[derive(Debug)]
pub struct Minimum<'a> {
    question: Question<'a>,
    sign: i8,
}

#[allow(clippy::missing_errors_doc)] // hidden
impl<'a> Minimum<'a> {
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Self { question: self.question.limits(limits), ..self }
    }

    #[must_use]
    pub fn strategy(self, strategy: Strategy) -> Self {
        Self { question: self.question.strategy(strategy), ..self }
    }

    #[must_use]
    pub fn on_improvement(self, report: impl FnMut(&Improvement<'_>) + 'a) -> Self {
        Self { question: self.question.on_improvement(report), ..self }
    }

    pub fn solve(self) -> Result<Option<Optimum>, SolveError> {
        self.question.best(self.sign)
    }
}
