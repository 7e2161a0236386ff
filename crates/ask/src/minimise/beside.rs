//! An optimum by two searches at once: the built-in one, and a program that is asked for better solutions.
//!
//! A program is started for each question and forgets what it learnt, so a search that has many easy questions is the
//! built-in solver's, and one that ends in a hard question often the program's. Each tells the other the best solution
//! that it has; the first proof that none is better ends both.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::incumbent::SharedBest;
use super::optimum::Optimum;
use crate::Question;
use crate::race::race;
use cnfkit_core::internals::{BEFORE_PROGRAMS, engine};
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
        let is_last = |at, found: &Result<Option<Optimum>, SolveError>| match found {
            Ok(found) => found.as_ref().is_none_or(Optimum::is_optimal),
            // That a program fails is to be known.
            Err(error) => at == 1 && !matches!(error, SolveError::Interrupted(_)),
        };
        let theirs = Arc::clone(&shared);
        let others = |_| {
            of_program.sleep(BEFORE_PROGRAMS)?;
            let question = Question::new(formula).strategy(Strategy::SolutionImproving).within(of_program.clone());
            question.plus(constant).sharing(Arc::clone(&theirs)).best(sign)
        };
        let own = || self.within(clock).sharing(shared).best(sign);
        let mut both = race(&halt, own, 1, others, is_last).into_iter();
        let mut next = || both.next().expect("there are two").unwrap_or_else(|error| Err(SolveError::solver(error)));
        let (own, other) = (next(), next());
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
