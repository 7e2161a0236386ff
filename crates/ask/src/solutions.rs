//! All solutions, one after the other: each is blocked, on the problem's own variables only, once it is found.
//!
//! Auxiliaries are left out of the blocking clause because one solution may have many models: most encodings define
//! them in one direction only.

use std::fmt;
use std::iter::FusedIterator;

use rustsat::types::Lit;

use super::{Problem, lazy, whole};
use crate::lazy::holds_with;
use cnfkit_core::internals::{Choices, Clock, Session};
use cnfkit_core::{ClauseSink, SolveError};

/// Blocks the values that `own` literals have in the solver's last model.
///
/// # Errors
/// As the solver fails, or the clock runs out.
pub fn block(session: &mut Session, own: impl Iterator<Item = Lit>) -> Result<(), SolveError> {
    let differs: Vec<Lit> = own.map(|lit| if session.is_true(lit) { !lit } else { lit }).collect();
    session.add_clause(&differs)
}

/// The solutions of a [`Problem`], each once, found as they are asked for; made by
/// [`Ask::solutions`](super::Ask::solutions) and [`Question::solutions`](super::Question::solutions).
///
/// The iterator ends after an error.
///
/// ```
/// use cnfkit::ask::{Ask, Solutions};
/// use cnfkit::{ClauseSink, Formula};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut formula = Formula::new();
/// let x = formula.new_lits(2);
/// formula.add_clause(&x)?;
/// let ask = Ask::new(&formula);
/// let solutions: Solutions<'_, _> = ask.solutions();
/// assert_eq!(solutions.count(), 3);
/// assert!(!ask.is_unique()? && ask.problem().n_vars() == 2);
/// # Ok(())
/// # }
/// ```
pub struct Solutions<'a, P> {
    problem: HeldProblem<'a, P>,
    clock: Clock,
    choices: Choices,
    state: SolutionsState,
}

/// A problem, or a reference to one.
enum HeldProblem<'a, P> {
    Borrowed(&'a P),
    Owned(P),
}

impl<P> HeldProblem<'_, P> {
    const fn get(&self) -> &P {
        match self {
            Self::Borrowed(problem) => problem,
            Self::Owned(problem) => problem,
        }
    }
}

enum SolutionsState {
    /// Nobody asked yet.
    New,
    /// The solver has the formula; whether its last model is still to be forbidden.
    Loaded {
        session: Box<Session>,
        found: bool,
    },
    Done,
}

impl<'a, P: Problem> Solutions<'a, P> {
    pub(super) const fn new(problem: &'a P, clock: Clock, choices: Choices) -> Self {
        Self { problem: HeldProblem::Borrowed(problem), clock, choices, state: SolutionsState::New }
    }

    pub(super) const fn owned(problem: P, clock: Clock, choices: Choices) -> Self {
        Self { problem: HeldProblem::Owned(problem), clock, choices, state: SolutionsState::New }
    }

    fn find(&mut self) -> Result<Option<P::Solution>, SolveError> {
        let problem = self.problem.get();
        if let SolutionsState::New = self.state {
            let session = Box::new(whole(problem, &self.clock, self.choices)?);
            self.state = SolutionsState::Loaded { session, found: false };
        }
        let SolutionsState::Loaded { session, found } = &mut self.state else { return Ok(None) };
        if *found {
            block(session, problem.own().into_iter())?;
        }
        *found = holds_with(session, &[], &self.clock, &mut lazy(problem))?;
        Ok(found.then(|| problem.decode(|lit| session.is_true(lit))))
    }
}

impl<P: Problem> Iterator for Solutions<'_, P> {
    type Item = Result<P::Solution, SolveError>;

    fn next(&mut self) -> Option<Self::Item> {
        let found = self.find().transpose();
        if !matches!(found, Some(Ok(_))) {
            self.state = SolutionsState::Done;
        }
        found
    }
}

impl<P: Problem> FusedIterator for Solutions<'_, P> {}

impl<P> fmt::Debug for Solutions<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = match self.state {
            SolutionsState::New => "new",
            SolutionsState::Loaded { .. } => "loaded",
            SolutionsState::Done => "done",
        };
        f.debug_struct("Solutions").field("state", &state).finish_non_exhaustive()
    }
}
