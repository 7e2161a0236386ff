//! Questions to anything that encodes and decodes itself.
//!
//! A [`Problem`] says what always holds, which parts may turn out to contradict each other, and how a model reads as a
//! solution. [`Ask`] then answers for it: one solution, all of them, their number, the *backbone* (the values that all
//! solutions share), and an *unsatisfiable core* (parts that contradict each other). A [`Formula`] has the same words
//! and more by [`Questions`]: the least or greatest value of its objective, assumptions, cores by the names of its
//! groups, proofs.
//!
//! ```
//! use cnfkit::ask::{Ask, Problem};
//! use cnfkit::{CardEncoding, ClauseSink, Constrain, Lit};
//!
//! /// Which of five guests come, if two to three do and each friend's wish holds?
//! struct Party {
//!     wishes: Vec<(usize, usize)>, // the second comes if the first does
//! }
//!
//! impl Problem for Party {
//!     type Solution = Vec<usize>;
//!
//!     fn n_vars(&self) -> usize {
//!         5
//!     }
//!
//!     fn rules<S: ClauseSink>(&self, sink: &mut S) -> Result<(), S::Error> {
//!         let guests: Vec<Lit> = (0..5).map(Lit::positive).collect();
//!         sink.at_most(&guests, 3, &CardEncoding::Auto)?;
//!         sink.at_least(&guests, 2, &CardEncoding::Auto)
//!     }
//!
//!     fn n_parts(&self) -> usize {
//!         self.wishes.len()
//!     }
//!
//!     fn part<S: ClauseSink>(&self, part: usize, sink: &mut S) -> Result<(), S::Error> {
//!         let (guest, friend) = self.wishes[part];
//!         sink.add_clause(&[!Lit::positive(guest as u32), Lit::positive(friend as u32)])
//!     }
//!
//!     fn decode(&self, is_true: impl Fn(Lit) -> bool) -> Vec<usize> {
//!         (0..5).filter(|&guest| is_true(Lit::positive(guest as u32))).collect()
//!     }
//! }
//!
//! # fn main() -> Result<(), cnfkit::SolveError> {
//! let circle = Ask::new(Party { wishes: vec![(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)] });
//! assert!(circle.solve()?.is_none()); // either nobody comes or all five
//! assert_eq!(circle.unsat_core()?, Some(vec![0, 1, 2, 3, 4])); // without any one wish there is a way
//!
//! let chain = Ask::new(Party { wishes: vec![(0, 1), (1, 2), (2, 3)] });
//! assert_eq!(chain.count(usize::MAX)?, 4); // 1 2 3, 2 3, 2 3 4, and 3 4
//! assert_eq!(chain.backbone()?.expect("there are solutions")[0], Some(false)); // the first guest never comes
//! # Ok(())
//! # }
//! ```

// docs.rs says beside each item which feature it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(not(feature = "any-solver"))]
compile_error!("questions need a solver: turn on one of `batsat`, `cadical`, `glucose`, `kissat`, `minisat`");

mod backbone;
mod explain;
mod lazy;
mod lexicographic;
mod minimise;
mod pareto;
mod portfolio;
#[cfg(any(feature = "batsat", feature = "cadical"))]
mod proven;
mod question;
mod questions;
mod race;
mod solutions;
mod threads;
mod unsat_core;
#[cfg(all(test, feature = "batsat"))]
mod watching_tests;

use backbone::backbone;
pub use cnfkit_core::{Stopped, Strategy};
pub use explain::Core;
pub use lazy::NotViolated;
pub use lexicographic::Lexicographic;
pub use minimise::{Improvement, Optimum, Progress};
pub use pareto::{Pareto, ParetoPoint};
#[cfg(any(feature = "batsat", feature = "cadical"))]
pub use proven::Proven;
pub use question::{Assumed, Question};
pub use questions::Questions;
#[doc(hidden)]
pub use questions::{Minimum, Questions as Explain, Questions as Optimise};
pub use solutions::Solutions;
pub use threads::Threads;

use rustsat::types::{self, Lit, TernaryVal};

use cnfkit_core::internals::{Asking, Bounded, Choices, Clock, Patience, Session};
use cnfkit_core::{Assignment, ClauseSink, Formula, SolveError};

/// Traits whose methods are those of a formula.
mod sealed {
    pub trait Sealed {}
    impl Sealed for cnfkit_core::Formula {}
}

/// Names for the other crates of cnfkit; no promise of stability.
#[doc(hidden)]
pub mod internals {
    pub use crate::backbone::{backbone, seen_in_some};
    pub use crate::lazy::{holds_with, nothing_lazy};
    pub use crate::portfolio::{AnewTurn, Portfolio, Schedule};
    pub use crate::race::race;
    pub use crate::solutions::block;
}

/// Something that encodes itself into clauses and decodes itself from a model.
///
/// Its own variables are `0..n_vars()`: two models are two solutions if and only if they differ there. Rules and parts
/// may take auxiliaries from the sink, which hands them out above those. Other variables in clauses are auxiliaries,
/// too, if rules have them: after the rules, a question about unsatisfiable cores takes variables for the parts.
pub trait Problem {
    /// The answer as its user sees it.
    type Solution;

    /// The number of the problem's own variables.
    fn n_vars(&self) -> usize;

    /// The literals by which solutions differ, ascending: a formula has auxiliaries among its variables.
    #[doc(hidden)]
    fn own(&self) -> Vec<Lit> {
        (0..self.n_vars() as u32).map(Lit::positive).collect()
    }

    /// Adds the constraints that always hold.
    ///
    /// # Errors
    /// As the sink fails.
    fn rules<S: ClauseSink>(&self, sink: &mut S) -> Result<(), S::Error>;

    /// The number of parts that an unsatisfiable core is made of: givens, numbers on a board, wishes. None by default.
    fn n_parts(&self) -> usize {
        0
    }

    /// Adds the constraints of one part, `part < n_parts()`. A question about unsatisfiable cores puts a condition on
    /// each part, so every part must be right under [`Constrain::when`](cnfkit_core::Constrain::when): all that the
    /// front door adds is.
    ///
    /// # Errors
    /// As the sink fails.
    fn part<S: ClauseSink>(&self, part: usize, sink: &mut S) -> Result<(), S::Error> {
        let _ = (part, sink);
        Ok(())
    }

    /// Constraints that are not written, because they would have too many clauses: clauses over the problem's own
    /// variables that all solutions satisfy and a model violates, none if it violates nothing. Each model is shown to
    /// this before it counts as a solution, the clauses are kept, and all answers are those for the rules with all
    /// clauses that it could give. None by default.
    ///
    /// A clause that the model does not violate is a [`SolveError::Solver`] of a [`NotViolated`].
    ///
    /// ```
    /// use cnfkit::ask::{Ask, Problem};
    /// use cnfkit::{ClauseSink, Lit};
    ///
    /// /// Bits of which an even number is on, told one wrong assignment at a time.
    /// struct Even;
    ///
    /// impl Problem for Even {
    ///     type Solution = ();
    ///
    ///     fn n_vars(&self) -> usize {
    ///         4
    ///     }
    ///
    ///     fn rules<S: ClauseSink>(&self, _: &mut S) -> Result<(), S::Error> {
    ///         Ok(())
    ///     }
    ///
    ///     fn violated(&self, is_true: impl Fn(Lit) -> bool) -> Vec<Vec<Lit>> {
    ///         let differs: Vec<Lit> = (0..4).map(Lit::positive).map(|x| if is_true(x) { !x } else { x }).collect();
    ///         let is_odd = differs.iter().filter(|lit| lit.is_neg()).count() % 2 == 1;
    ///         if is_odd { vec![differs] } else { Vec::new() }
    ///     }
    ///
    ///     fn decode(&self, _: impl Fn(Lit) -> bool) {}
    /// }
    ///
    /// assert_eq!(Ask::new(Even).count(100)?, 8);
    /// # Ok::<(), cnfkit::SolveError>(())
    /// ```
    fn violated(&self, is_true: impl Fn(Lit) -> bool) -> Vec<Vec<Lit>> {
        let _ = is_true;
        Vec::new()
    }

    /// The solution that a model stands for; `is_true` answers for the problem's own variables.
    fn decode(&self, is_true: impl Fn(Lit) -> bool) -> Self::Solution;
}

/// A reference to a problem is a problem.
impl<P: Problem> Problem for &P {
    type Solution = P::Solution;

    fn n_vars(&self) -> usize {
        (**self).n_vars()
    }

    fn own(&self) -> Vec<Lit> {
        (**self).own()
    }

    fn rules<S: ClauseSink>(&self, sink: &mut S) -> Result<(), S::Error> {
        (**self).rules(sink)
    }

    fn n_parts(&self) -> usize {
        (**self).n_parts()
    }

    fn part<S: ClauseSink>(&self, part: usize, sink: &mut S) -> Result<(), S::Error> {
        (**self).part(part, sink)
    }

    fn violated(&self, is_true: impl Fn(Lit) -> bool) -> Vec<Vec<Lit>> {
        (**self).violated(is_true)
    }

    fn decode(&self, is_true: impl Fn(Lit) -> bool) -> P::Solution {
        (**self).decode(is_true)
    }
}

/// Solutions are models, each with other values of the formula's [own](Formula::lits) variables.
impl Problem for Formula {
    type Solution = Assignment;

    fn n_vars(&self) -> usize {
        self.n_vars()
    }

    fn own(&self) -> Vec<Lit> {
        self.lits()
    }

    fn rules<S: ClauseSink>(&self, sink: &mut S) -> Result<(), S::Error> {
        self.encode_into(sink)
    }

    fn decode(&self, is_true: impl Fn(Lit) -> bool) -> Assignment {
        (0..self.n_vars() as u32)
            .map(|var| TernaryVal::from(is_true(Lit::positive(var))))
            .collect::<types::Assignment>()
            .into()
    }
}

/// Questions about a [`Problem`]. Each question starts a solver of its own and has all limits to itself.
///
/// # Errors
/// Every question fails with [`SolveError::Interrupted`] when a limit is reached, with
/// [`SolveError::Capacity`] when there are more variables than rustsat has, and with [`SolveError::Solver`] when the
/// solver fails. "There is no solution" is `Ok(None)`.
#[derive(Clone, Debug)]
pub struct Ask<P> {
    problem: P,
    asking: Asking,
    choices: Choices,
}

impl<P: Problem> Ask<P> {
    /// Questions about `problem`, without limits.
    pub fn new(problem: P) -> Self {
        Self { problem, asking: Asking::default(), choices: Choices::default() }
    }

    cnfkit_core::asking_methods!();

    /// Counts and sums of more than five literals are watched by their slack instead of encoded, as long as the clauses
    /// that explain what they imply are shorter than their encoding; then they are encoded. A constraint whose encoding
    /// was asked for by name is encoded at once. Answers are the same. Where few constraints are ever tight it is
    /// faster, and takes little memory; a solver other than BatSat takes no notice.
    ///
    /// ```
    /// use cnfkit::ask::Ask;
    /// use cnfkit::{ClauseSink, Constrain, Formula, PbEncoding};
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(10);
    /// let terms: Vec<_> = x.iter().copied().zip(1_u64..).collect();
    /// formula.pb_exactly(&terms, 20, PbEncoding::Auto)?;
    /// assert_eq!(Ask::new(&formula).watched().count(100)?, 31); // partitions of 20 into distinct parts up to 10
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use = "questions are asked by further methods"]
    pub fn watched(self) -> Self {
        self.watched_for(Patience::default())
    }

    fn watched_for(mut self, patience: Patience) -> Self {
        self.choices.watches = Some(patience);
        self
    }

    /// Asks as another question does.
    #[doc(hidden)]
    #[must_use]
    pub fn asking(mut self, asking: Asking) -> Self {
        self.asking = asking;
        self
    }

    /// The problem asked about.
    pub const fn problem(&self) -> &P {
        &self.problem
    }

    /// A solution, or `None` when there is provably none.
    ///
    /// # Errors
    /// As [`Ask`] says.
    pub fn solve(&self) -> Result<Option<P::Solution>, SolveError> {
        self.solutions().next().transpose()
    }

    /// Every solution once, found as it is asked for. The time limit is for all of them together.
    pub fn solutions(&self) -> Solutions<'_, P> {
        Solutions::new(&self.problem, self.asking.start(), self.choices)
    }

    /// The number of solutions, counted up to `limit`. Where a limit may end it before, count
    /// [`solutions`](Self::solutions): those before its error are at least so many.
    ///
    /// # Errors
    /// As [`Ask`] says.
    pub fn count(&self, limit: usize) -> Result<usize, SolveError> {
        self.solutions().take(limit).try_fold(0, |count, solution| solution.map(|_| count + 1))
    }

    /// True if there is exactly one solution.
    ///
    /// # Errors
    /// As [`Ask`] says.
    pub fn is_unique(&self) -> Result<bool, SolveError> {
        Ok(self.count(2)? == 1)
    }

    /// The backbone: the value that each of the problem's own variables has in all solutions, `None` where solutions
    /// differ, and for the auxiliaries that a formula has among its own variables. `None` altogether when there is no
    /// solution.
    ///
    /// # Errors
    /// As [`Ask`] says.
    #[doc(alias = "common")]
    pub fn backbone(&self) -> Result<Option<Vec<Option<bool>>>, SolveError> {
        let clock = self.asking.start();
        let mut session = whole(&self.problem, &clock, self.choices)?;
        let own = self.problem.own();
        let mut values = vec![None; own.last().map_or(0, |last| last.vidx() + 1)];
        let decided = |at: usize, value| values[own[at].vidx()] = value;
        let exists = backbone(&mut session, &own, &clock, &mut lazy(&self.problem), decided)?;
        Ok(exists.then_some(values))
    }
}

/// Clauses of the lazy constraints of a problem that a model violates.
fn lazy<P: Problem>(problem: &P) -> impl FnMut(&dyn Fn(Lit) -> bool) -> Result<Vec<Vec<Lit>>, SolveError> + '_ {
    |is_true| Ok(problem.violated(is_true))
}

/// A solver with the problem's own variables.
fn session<P: Problem>(problem: &P, clock: &Clock, choices: Choices) -> Result<Session, SolveError> {
    clock.check()?;
    let mut session = Session::on(clock, choices);
    session.new_open_vars(problem.n_vars())?;
    Ok(session)
}

/// Adds the rules to a solver that has the problem's own variables. What is too large to be written is watched.
fn add_rules<P: Problem>(problem: &P, session: &mut Session) -> Result<(), SolveError> {
    let added = problem.rules(&mut Bounded(session));
    if let Err(SolveError::Capacity(_)) = added
        && let Some(watching) = session.watching_instead()
    {
        *session = watching;
        session.new_open_vars(problem.n_vars())?;
        return problem.rules(&mut Bounded(session));
    }
    added
}

/// A solver that has all rules and parts.
fn whole<P: Problem>(problem: &P, clock: &Clock, choices: Choices) -> Result<Session, SolveError> {
    let mut session = session(problem, clock, choices)?;
    add_rules(problem, &mut session)?;
    for part in 0..problem.n_parts() {
        clock.check()?;
        problem.part(part, &mut session)?;
    }
    Ok(session)
}

#[cfg(test)]
mod tests;
