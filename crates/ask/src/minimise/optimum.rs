//! [`Optimum`], the best solution, and what is reported on the way there.

use std::time::Duration;

use cnfkit_core::{Assignment, Stopped};

/// A solution that is better than all before it, or the best one again with a better bound.
///
/// ```
/// use cnfkit::ask::Improvement;
/// use cnfkit::{ClauseSink, Formula, Questions};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut formula = Formula::new();
/// let x = formula.new_lits(2);
/// formula.add_clause(&x)?;
/// formula.set_objective([(x[0], 3), (x[1], 2)]);
/// let mut told = Vec::new();
/// let report = |found: &Improvement<'_>| told.push((found.value, found.lower_bound, found.solution.is_true(x[1])));
/// formula.ask().on_improvement(report).minimum()?;
/// assert_eq!(told.last(), Some(&(2, 2, true)));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Improvement<'a, S = Assignment> {
    /// The solution.
    pub solution: &'a S,
    /// The value of the objective.
    pub value: i128,
    /// The optimum is not below this: what is proven so far where the least value is asked for.
    pub lower_bound: i128,
    /// The optimum is not above this: what is proven so far where the greatest value is asked for.
    pub upper_bound: i128,
    /// The conflicts of the solver so far.
    pub conflicts: u64,
}

impl<'a, S> Improvement<'a, S> {
    /// A best solution.
    #[doc(hidden)]
    #[must_use]
    pub const fn proven(solution: &'a S, value: i128) -> Self {
        Self { solution, value, lower_bound: value, upper_bound: value, conflicts: 0 }
    }

    /// Reports the solution in other words.
    #[doc(hidden)]
    #[must_use]
    pub const fn with<'b, T>(&self, solution: &'b T) -> Improvement<'b, T> {
        let Self { value, lower_bound, upper_bound, conflicts, .. } = *self;
        Improvement { solution, value, lower_bound, upper_bound, conflicts }
    }
}

/// The state of a search while it runs.
///
/// ```
/// use std::time::Duration;
///
/// use cnfkit::ask::Progress;
/// use cnfkit::{ClauseSink, Formula, Questions};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// fn line(now: &Progress) -> String {
///     format!("{:?}: {:?} to {:?}, {} conflicts", now.elapsed, now.lower_bound, now.upper_bound, now.conflicts)
/// }
/// let mut formula = Formula::new();
/// let x = formula.new_lits(3);
/// formula.set_objective(x.iter().map(|&lit| (lit, 1)));
/// let question = formula.ask().on_progress(Duration::from_secs(1), |now| eprintln!("{}", line(now)));
/// assert_eq!(question.maximum()?.map(|best| best.value), Some(3));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Progress {
    /// The time since the search began.
    pub elapsed: Duration,
    /// The value of the best solution so far.
    pub value: Option<i128>,
    /// The optimum is not below this, where that is known: the least value is asked for, or there is a solution.
    pub lower_bound: Option<i128>,
    /// The optimum is not above this, where that is known: the greatest value is asked for, or there is a solution.
    pub upper_bound: Option<i128>,
    /// The conflicts of the solver so far.
    pub conflicts: u64,
    /// The resident memory of the process in bytes, where the system tells.
    pub memory: Option<u64>,
}

/// The best solution that was found.
///
/// ```
/// use cnfkit::ask::Optimum;
/// use cnfkit::{ClauseSink, Formula, Questions};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut formula = Formula::new();
/// let x = formula.new_lits(2);
/// formula.add_clause(&x)?;
/// formula.set_objective([(x[0], 3), (x[1], 2)]);
/// let best: Optimum = formula.minimum()?.expect("there are solutions");
/// assert!(best.is_optimal() && best.model.is_true(x[1]));
/// assert_eq!((best.value, best.lower_bound), (2, 2));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Optimum {
    /// The solution, over the variables of the formula.
    pub model: Assignment,
    /// The value of the objective.
    pub value: i128,
    /// The optimum is not below this. Equal to `value` if this is an optimum, or the greatest value was asked for.
    pub lower_bound: i128,
    /// The optimum is not above this. Equal to `value` if this is an optimum, or the least value was asked for.
    pub upper_bound: i128,
    /// The limit that ended the search, if it is not known that there is nothing better.
    pub stopped: Option<Stopped>,
    /// The conflicts of the solver in all; 0 of an answer with a [proof](crate::Question::proof), and of a
    /// [program's](crate::Question::minimum_by).
    pub conflicts: u64,
}

impl Optimum {
    /// An optimum with a certificate.
    #[cfg(any(feature = "batsat", feature = "cadical"))]
    pub(crate) const fn proven(model: Assignment, value: i128) -> Self {
        Self { model, value, lower_bound: value, upper_bound: value, stopped: None, conflicts: 0 }
    }

    /// The report of it while the search goes on.
    #[cfg(any(feature = "batsat", feature = "cadical"))]
    pub(crate) const fn improvement(&self) -> Improvement<'_> {
        let Self { model: ref solution, value, lower_bound, upper_bound, conflicts, .. } = *self;
        Improvement { solution, value, lower_bound, upper_bound, conflicts }
    }

    /// The optimum of the negated objective.
    #[cfg(any(feature = "batsat", feature = "cadical"))]
    pub(crate) fn negated(self) -> Self {
        let Self { value, lower_bound, upper_bound, .. } = self;
        Self { value: -value, lower_bound: -upper_bound, upper_bound: -lower_bound, ..self }
    }

    /// True if the solver has shown that no solution is better.
    #[must_use]
    pub const fn is_optimal(&self) -> bool {
        self.stopped.is_none()
    }
}
