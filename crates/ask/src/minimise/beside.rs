//! An optimum by two searches at once: the built-in one, and a program that is asked for better solutions.
//!
//! A program is started for each question and forgets what it learnt, so a search that has many easy questions is the
//! built-in solver's, and one that ends in a hard question often the program's. Each tells the other the best solution
//! that it has; the first proof that none is better ends both.

use std::borrow::Cow;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::incumbent::SharedBest;
use super::optimum::Optimum;
use crate::Question;
use cnfkit_core::internals::{BEFORE_PROGRAMS, Clock, engine};
use cnfkit_core::solvers::External;
use cnfkit_core::{SolveError, Strategy};

impl Question<'_> {
    /// The best solution, by the default solver and a program that answers decisions.
    pub(crate) fn best_beside(self, sign: i8, program: &External) -> Result<Option<Optimum>, SolveError> {
        if let Cow::Owned(formula) = self.assumed_formula()? {
            return Question { formula: &formula, assumptions: Vec::new(), ..self }.best_beside(sign, program);
        }
        let (halt, program) = (Arc::new(AtomicBool::new(false)), program.another());
        let clock = self.asking.limits.start().halted(Arc::clone(&halt));
        let of_program = clock.clone().with_engine(engine(move || program.another()));
        let (shared, constant, formula) = (SharedBest::default(), self.optimum.constant, self.formula);
        let ended = |found: Result<Option<Optimum>, SolveError>, is_program: bool| {
            let is_last = match &found {
                Ok(found) => found.as_ref().is_none_or(Optimum::is_optimal),
                // That a program fails is to be known.
                Err(error) => is_program && !matches!(error, SolveError::Interrupted(_)),
            };
            halt.fetch_or(is_last, Ordering::Relaxed);
            found
        };
        let others = |clock: Clock, shared: SharedBest| {
            clock.sleep(BEFORE_PROGRAMS)?;
            let question = Question::new(formula).strategy(Strategy::SolutionImproving).within(clock).plus(constant);
            question.sharing(shared).best(sign)
        };
        let [own, other] = thread::scope(|scope| {
            let theirs = Arc::clone(&shared);
            let (others, ended) = (&others, &ended);
            let other = thread::Builder::new().spawn_scoped(scope, move || ended(others(of_program, theirs), true));
            let own = panic::catch_unwind(AssertUnwindSafe(|| self.within(clock).sharing(shared).best(sign)));
            let own = own.unwrap_or_else(|panicked| {
                halt.store(true, Ordering::Relaxed);
                panic::resume_unwind(panicked)
            });
            let own = ended(own, false);
            let other = other.map(|thread| thread.join().unwrap_or_else(|panicked| panic::resume_unwind(panicked)));
            [own, other.map_err(SolveError::solver).and_then(|found| found)]
        });
        match (own, other) {
            (Ok(None), _) | (_, Ok(None)) => Ok(None),
            (Ok(Some(best)), _) | (_, Ok(Some(best))) if best.is_optimal() => Ok(Some(best)),
            (_, Err(error)) if !matches!(error, SolveError::Interrupted(_)) => Err(error),
            (Ok(Some(own)), Ok(Some(other))) => Ok(Some(own.or_better(other, sign))),
            (Ok(found), _) | (_, Ok(found)) => Ok(found),
            (Err(error), _) => Err(error),
        }
    }
}

impl Optimum {
    /// The better of two solutions, with both bounds.
    fn or_better(self, other: Self, sign: i8) -> Self {
        let lower_bound = self.lower_bound.max(other.lower_bound);
        let upper_bound = self.upper_bound.min(other.upper_bound);
        let conflicts = self.conflicts + other.conflicts;
        let is_better = i128::from(sign) * (other.value - self.value) < 0;
        let best = if is_better { other } else { self };
        let stopped = best.stopped.filter(|_| lower_bound < upper_bound);
        Self { lower_bound, upper_bound, stopped, conflicts, ..best }
    }
}
