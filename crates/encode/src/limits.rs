//! [`Limits`] on what a question may take, and the one error of everything that asks a solver.

use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Duration;

use thiserror::Error;

use crate::cnf::CapacityError;

/// The reason why a question has no answer. A formula proven unsatisfiable is an answer, never an error.
///
/// Sinks in front of a solver, a [`Cnf`](crate::Cnf), a `Formula` and every question fail with it or
/// with something that `?` turns into it.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SolveError {
    /// A limit was reached, or the cancel flag was raised, and which: see [`Limits`].
    #[error("interrupted before there was an answer: {0}")]
    Interrupted(Stopped),
    /// The formula would be larger than its limit.
    #[error(transparent)]
    Capacity(#[from] CapacityError),
    /// An unsatisfiable core was asked for, but no question was refuted: the last one had a model or no answer, or
    /// there was none.
    #[error("there is no core: the last question was not refuted")]
    NoCore,
    /// The solver failed.
    #[error("the solver failed: {0}")]
    Solver(#[source] Box<dyn Error + Send + Sync>),
}

impl SolveError {
    /// Wraps whatever a rustsat solver reports.
    #[doc(hidden)]
    pub fn solver(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Solver(error.into())
    }

    /// Wraps an error of a rustsat solver, so that the source can be downcast to the type that it had.
    pub(crate) fn rustsat(error: anyhow::Error) -> Self {
        Self::Solver(error.reallocate_into_boxed_dyn_error_without_backtrace())
    }
}

/// The reason why a search ended early: a limit, or the solver itself.
///
/// ```
/// use cnfkit::ask::Stopped;
/// use cnfkit::{ClauseSink, Formula, Limits, Questions};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut formula = Formula::new();
/// let x = formula.new_lits(2);
/// formula.add_clause(&x)?;
/// formula.set_objective([(x[0], 1), (x[1], 1)]);
/// let best = formula.ask().limits(Limits::none().conflicts(1 << 20)).minimum()?.expect("a solution");
/// assert!(best.is_optimal() && best.stopped != Some(Stopped::Conflicts));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Stopped {
    /// The time was over.
    Time,
    /// The flag was raised.
    Cancelled,
    /// The conflicts were used up.
    Conflicts,
    /// The process had more memory than it may.
    Memory,
    /// The solver gave up within all limits, as a limit of its own or its interrupter says.
    Solver,
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Time => "the time was over",
            Self::Cancelled => "it was cancelled",
            Self::Conflicts => "the conflicts were used up",
            Self::Memory => "the memory was used up",
            Self::Solver => "the solver gave up",
        })
    }
}

/// Limits on what a question may take: time, conflicts of the solver, memory, a flag that cancels it from another
/// thread; any of them, or none.
///
/// Every question takes them, and a solver, by the methods `limits` and `solver`: `formula.ask().limits(limits)`, a
/// model's `ask()`, a puzzle's encoder. Short forms, such as `solve` and `minimum`, have none. They hold while a
/// question encodes, while it loads a solver and within a search. One that runs out ends as
/// [`SolveError::Interrupted`], an error and never "no solution", unless there is a part of an answer to give: the best
/// value so far, cells that are certain.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::time::Duration;
///
/// use cnfkit::{CardEncoding, ClauseSink, Constrain, Formula, Limits, Questions, SolveError};
/// // 14 pigeons in 13 holes, without the count that makes it easy.
/// let mut formula = Formula::new();
/// let rows: Vec<_> = (0..14).map(|_| formula.new_lits(13)).collect();
/// rows.iter().try_for_each(|row| formula.add_clause(row))?;
/// for hole in 0..13 {
///     for (i, row) in rows.iter().enumerate() {
///         rows[..i].iter().try_for_each(|other| formula.add_clause(&[!row[hole], !other[hole]]))?;
///     }
/// }
/// let limits = Limits::none().time(Duration::from_millis(50)).memory(8 << 30);
/// assert!(matches!(formula.ask().limits(limits).solve(), Err(SolveError::Interrupted(_))));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Limits {
    pub(crate) time: Option<Duration>,
    pub(crate) conflicts: Option<u64>,
    pub(crate) memory: Option<u64>,
    pub(crate) cancel: Option<Arc<AtomicBool>>,
    pub(crate) counter: Option<Arc<AtomicU64>>,
}

impl Limits {
    /// No limit at all.
    #[must_use]
    pub const fn none() -> Self {
        Self { time: None, conflicts: None, memory: None, cancel: None, counter: None }
    }

    /// At most `time` for each question, from when it is asked.
    #[must_use]
    pub const fn time(mut self, time: Duration) -> Self {
        self.time = Some(time);
        self
    }

    /// At most so many conflicts of the solver for each question, all its searches together: a limit that is the same
    /// on every machine. Glucose looks at it when it restarts, and so may overrun it by some hundred; a solver in
    /// [`Plain`](crate::solvers::Plain) or [`Anew`](crate::solvers::Anew), or in another process, counts none.
    #[must_use]
    pub const fn conflicts(mut self, conflicts: u64) -> Self {
        self.conflicts = Some(conflicts);
        self
    }

    /// Gives up when the resident memory of the process, whatever it is used for, is above so many bytes; it is looked
    /// at some hundred times a second. Where the system does not tell (WebAssembly), this is no limit.
    #[must_use]
    pub const fn memory(mut self, bytes: u64) -> Self {
        self.memory = Some(bytes);
        self
    }

    /// Gives up soon after `flag` becomes true.
    #[must_use]
    pub fn cancel(mut self, flag: Arc<AtomicBool>) -> Self {
        self.cancel = Some(flag);
        self
    }

    /// No limit: adds the conflicts to `total` while a solver searches, so that another thread can show how far it is.
    /// `BatSat` counts each as it comes; other solvers do not.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::sync::Arc;
    /// use std::sync::atomic::{AtomicU64, Ordering};
    ///
    /// use cnfkit::{ClauseSink, Formula, Limits, Questions, SolveError};
    /// let mut formula = Formula::new();
    /// let (x, y) = (formula.new_lit(), formula.new_lit());
    /// for clause in [[x, y], [x, !y], [!x, y], [!x, !y]] {
    ///     formula.add_clause(&clause)?;
    /// }
    /// let total = Arc::new(AtomicU64::new(0));
    /// assert_eq!(formula.ask().limits(Limits::none().count_conflicts(Arc::clone(&total))).solve()?, None);
    /// assert!(total.load(Ordering::Relaxed) > 0);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn count_conflicts(mut self, total: Arc<AtomicU64>) -> Self {
        self.counter = Some(total);
        self
    }

    pub(crate) const fn is_none(&self) -> bool {
        let limits = self.time.is_none() && self.conflicts.is_none() && self.memory.is_none();
        limits && self.cancel.is_none() && self.counter.is_none()
    }
}
