//! [`Session`]: one solver that is asked again and again, BatSat itself or any solver that rustsat has.
//!
//! It is a sink for clauses and the questions behind every enumeration and explanation: solve under assumptions, read
//! the model, name the assumptions that failed. Unless the question chose another solver, and with the feature
//! `batsat`, it is BatSat itself (`with_batsat`), which also takes [`LazyClauses`]. Otherwise it is the sink in front
//! of a rustsat solver. Both heed the [`Clock`] that they are given, while they load clauses and while they search.

mod choices;
mod with_batsat;

#[cfg(all(test, feature = "batsat"))]
mod lazy_tests;
#[cfg(test)]
mod tests;

pub use self::choices::Choices;

use cnfkit_encode::solve::{Assignment, SolverSink};
use rustsat::types::{self, Lit, TernaryVal, Var};

use self::choices::too_many;
use self::with_batsat::Native;
use crate::cnf::{CapacityError, Cnf};
use crate::constraint::Constraint;
use crate::formula::Formula;
use crate::lazy::{AskedBounds, LazyClauses, LazySums, MOST_WRITTEN, Patience, Told, Watching};
use crate::limits::SolveError;
use crate::running::{Clock, Oracle};
use crate::sink::{ClauseSink, Layer};
use crate::size::Size;
use crate::solvers::default_solver;

/// A model of the formula's own variables, or `None` when there is provably none, by BatSat that watches its counts and
/// sums: for what would take too many clauses, which other solvers refuse.
pub(crate) fn solve_watched(formula: &Formula, clock: &Clock) -> Result<Option<Assignment>, SolveError> {
    let mut session = Session::on(clock, Choices { watches: Some(Patience::default()), ..Choices::default() });
    formula.encode_into(&mut Bounded(&mut session))?;
    let has_model = session.solve(&[])?;
    let value = |var: u32| TernaryVal::from(session.is_true(Lit::positive(var)));
    let model = || (0..formula.n_vars() as u32).map(value).collect::<types::Assignment>();
    Ok(has_model.then(model).map(Assignment::from))
}

/// A default solver that refuses what would take it gigabytes.
#[allow(missing_debug_implementations)] // the session has none
pub struct Bounded<'s>(pub &'s mut Session);

impl Layer for Bounded<'_> {
    type Inner = Session;

    fn inner(&self) -> &Session {
        self.0
    }

    fn inner_mut(&mut self) -> &mut Session {
        self.0
    }

    fn pass_size(&mut self, size: &Size) -> Result<(), SolveError> {
        let needed = *size + Size::variables(u64::from(self.0.next_var().idx32()));
        let limit = Size { clauses: MOST_WRITTEN, ..Cnf::SOLVE_LIMIT };
        if !needed.fits(&limit) && !self.0.clock.engine().is_chosen() {
            return Err(CapacityError::new(needed, limit).into());
        }
        self.0.reserve(size)
    }
}

/// A solver that is asked again and again: the one that the question chose, or the default one.
#[allow(missing_debug_implementations)] // solvers have none
pub struct Session {
    solver: SessionSolver,
    choices: Choices,
    clock: Clock,
    /// Clauses that went to a solver which does not count them.
    n_clauses: u64,
    /// The constraints that BatSat watches, if it is to watch them.
    watching: Option<Box<Watching>>,
}

enum SessionSolver {
    Native(Box<Native>),
    Other(Box<dyn Oracle>),
}

impl SessionSolver {
    fn new(clock: &Clock, choices: Choices) -> Self {
        match clock.engine().chosen() {
            Some(chosen) => Self::Other(chosen),
            None if cfg!(feature = "batsat") => Self::Native(Box::new(Native::new(choices))),
            None => Self::Other(Box::new(SolverSink::owned(default_solver()))),
        }
    }

    fn oracle(&self) -> &dyn Oracle {
        match self {
            Self::Native(native) => &**native,
            Self::Other(other) => &**other,
        }
    }

    fn oracle_mut(&mut self) -> &mut dyn Oracle {
        match self {
            Self::Native(native) => &mut **native,
            Self::Other(other) => &mut **other,
        }
    }

    /// BatSat that has nothing attached.
    fn free(&mut self) -> Option<&mut Native> {
        match self {
            Self::Native(native) if !native.is_attached() => Some(native),
            _ => None,
        }
    }
}

impl Session {
    /// The default solver, without clauses and variables.
    #[must_use]
    pub fn new(choices: Choices) -> Self {
        Self::on(&Clock::default(), choices)
    }

    /// The solver of a question, without clauses and variables; it gives up when the question's clock is over.
    #[must_use]
    pub fn on(clock: &Clock, choices: Choices) -> Self {
        let mut session = Self {
            solver: SessionSolver::new(clock, choices),
            choices,
            clock: Clock::default(),
            n_clauses: 0,
            watching: None,
        };
        session.watch(clock);
        session.watch_constraints();
        session
    }

    /// Begins to watch constraints, where that was chosen.
    fn watch_constraints(&mut self) {
        self.watching = None;
        if let SessionSolver::Native(native) = &mut self.solver
            && let Some(patience) = self.choices.watches
        {
            let watching = Box::new(Watching::new(patience));
            native.attach(Box::new(LazySums::told(&watching.told)));
            self.watching = Some(watching);
        }
    }

    /// Another one that watches constraints, without clauses and variables, where BatSat [itself](Self::is_native) has
    /// nothing to watch yet.
    #[must_use]
    pub fn watching_instead(&mut self) -> Option<Self> {
        self.solver.free()?;
        Some(Self::on(&self.clock, Choices { watches: Some(Patience::default()), ..self.choices }))
    }

    /// From now on watches constraints, where BatSat [itself](Self::is_native) has nothing to watch yet.
    pub fn begin_watching(&mut self) {
        if self.solver.free().is_some() {
            self.choices.watches = Some(Patience::default());
            self.watch_constraints();
        }
    }

    /// Another one that watches constraints, without clauses and variables, if this one does.
    #[must_use]
    pub fn anew(&self) -> Option<Self> {
        self.wants_constraints().then(|| Self::on(&self.clock, self.choices))
    }

    /// Encodes the constraints whose explanations have cost more.
    fn encode_costly(&mut self) -> Result<(), SolveError> {
        let (Some(watching), SessionSolver::Native(native)) = (&mut self.watching, &mut self.solver) else {
            return Ok(());
        };
        let conflicts = native.n_conflicts();
        watching.encode_costly(conflicts, &mut **native)
    }

    /// From now on gives up when `clock` is over.
    pub fn watch(&mut self, clock: &Clock) {
        self.clock = clock.clone();
        self.solver.oracle_mut().watch(clock);
    }

    /// True if the solver [counts steps](Self::solve_within) and takes [`LazyClauses`]: BatSat itself.
    #[must_use]
    pub const fn is_native(&self) -> bool {
        match &self.solver {
            SessionSolver::Native(_) => true,
            SessionSolver::Other(_) => false,
        }
    }

    /// Looks for a model within about `steps` decisions: true if there is one, `None` if those did not do. Only BatSat
    /// counts steps: another default solver has no answer, long searches are left to the
    /// portfolio, which has it, too; a solver that the question chose takes no notice of `steps`.
    ///
    /// # Errors
    /// As the solver fails, or the clock runs out.
    pub fn solve_within(&mut self, clock: &Clock, steps: u64) -> Result<Option<bool>, SolveError> {
        match &mut self.solver {
            SessionSolver::Native(native) => native.solve_within(clock, steps),
            SessionSolver::Other(_) if !clock.engine().is_chosen() => Ok(None),
            SessionSolver::Other(other) => other.ask(&[], u64::MAX),
        }
    }

    /// Forgets all clauses and variables.
    pub fn clear(&mut self) {
        self.n_clauses = 0;
        match &mut self.solver {
            SessionSolver::Native(native) if !self.clock.engine().is_chosen() => native.clear(),
            solver => {
                *solver = SessionSolver::new(&self.clock, self.choices);
                let clock = self.clock.clone();
                self.watch(&clock);
            }
        }
        self.watch_constraints();
    }

    /// The number of clauses that it holds: BatSat counts loaded ones of two literals or more, not satisfied by a unit.
    #[must_use]
    pub fn n_clauses(&self) -> u64 {
        match &self.solver {
            SessionSolver::Native(native) => native.n_clauses(),
            SessionSolver::Other(_) => self.n_clauses,
        }
    }

    /// A sum of weighted literals that is not encoded, with bounds that are asked for later; `None` if only BatSat
    /// [itself](Self::is_native) would watch it, or has something to watch already. The weights fit 64 bits together.
    pub fn watch_sum(&mut self, terms: impl Iterator<Item = (Lit, u64)>) -> Option<AskedBounds> {
        if let Some(watching) = &self.watching {
            return Some(watching.bounded(terms));
        }
        let native = self.solver.free()?;
        let told = Told::default();
        native.attach(Box::new(LazySums::told(&told)));
        Some(AskedBounds::new(&told, terms))
    }

    /// Clauses over the variables there are, beside those that are added; false if only BatSat
    /// [itself](Self::is_native) would take them.
    #[must_use]
    pub fn attach(&mut self, clauses: Box<dyn LazyClauses>) -> bool {
        match &mut self.solver {
            SessionSolver::Native(native) => {
                native.attach(clauses);
                true
            }
            SessionSolver::Other(_) => false,
        }
    }

    /// Variables 0 to `n` − 1, for a solver that has none; when BatSat picks one, it tries true first.
    ///
    /// # Errors
    /// As the solver fails, or the clock runs out.
    pub fn new_vars(&mut self, n: usize) -> Result<(), SolveError> {
        too_many(n)?;
        match &mut self.solver {
            SessionSolver::Native(native) => native.new_vars(n),
            SessionSolver::Other(other) => {
                other.new_lits(n);
                Ok(())
            }
        }
    }

    /// Variables 0 to `n` − 1, for a solver that has none; when it picks one, it tries the value that it had last.
    ///
    /// # Errors
    /// As the solver fails, or the clock runs out.
    pub fn new_open_vars(&mut self, n: usize) -> Result<(), SolveError> {
        too_many(n)?;
        (0..n).try_for_each(|_| self.new_var_toward(None))
    }

    /// True if there is a model in which all of `assumptions` hold.
    ///
    /// # Errors
    /// As the solver fails, or the clock runs out.
    pub fn solve(&mut self, assumptions: &[Lit]) -> Result<bool, SolveError> {
        self.ask(assumptions, u64::MAX)?.ok_or_else(|| self.clock.interrupted())
    }

    /// True if the model found last makes `lit` true.
    #[must_use]
    pub fn is_true(&self, lit: Lit) -> bool {
        self.solver.oracle().is_true(lit)
    }

    /// Assumptions that the last question failed on.
    ///
    /// # Errors
    /// As the solver fails.
    pub fn core(&mut self) -> Result<Vec<Lit>, SolveError> {
        self.solver.oracle_mut().failed()
    }
}

impl Oracle for Session {
    fn watch(&mut self, clock: &Clock) {
        self.watch(clock);
    }

    fn new_var_toward(&mut self, toward: Option<bool>) -> Result<(), SolveError> {
        self.solver.oracle_mut().new_var_toward(toward)
    }

    fn ask(&mut self, assumptions: &[Lit], conflicts: u64) -> Result<Option<bool>, SolveError> {
        if let Some(pause) = self.watching.as_ref().map(|watching| watching.patience.pause) {
            let mut left = conflicts;
            loop {
                self.encode_costly()?;
                let before = self.n_conflicts();
                let answer = self.solver.oracle_mut().ask(assumptions, left.min(pause))?;
                left = left.saturating_sub(self.n_conflicts() - before);
                if answer.is_some() || left == 0 {
                    return Ok(answer);
                }
            }
        }
        self.solver.oracle_mut().ask(assumptions, conflicts)
    }

    fn is_true(&self, lit: Lit) -> bool {
        self.is_true(lit)
    }

    fn failed(&mut self) -> Result<Vec<Lit>, SolveError> {
        self.core()
    }

    fn n_conflicts(&self) -> u64 {
        self.solver.oracle().n_conflicts()
    }
}

impl ClauseSink for Session {
    type Error = SolveError;

    #[inline]
    fn add_clause(&mut self, clause: &[Lit]) -> Result<(), SolveError> {
        match &mut self.solver {
            SessionSolver::Native(native) => native.add_clause(clause),
            SessionSolver::Other(other) => {
                self.n_clauses += 1;
                other.add_clause(clause)
            }
        }
    }

    #[inline]
    fn new_lit(&mut self) -> Lit {
        self.solver.oracle_mut().new_lit()
    }

    #[inline]
    fn next_var(&self) -> Var {
        self.solver.oracle().next_var()
    }

    fn go_on(&mut self) -> Result<(), SolveError> {
        self.solver.oracle_mut().go_on()
    }

    fn wants_constraints(&self) -> bool {
        self.watching.is_some()
    }

    fn offer(&mut self, constraint: &Constraint<'_>) -> Result<bool, SolveError> {
        Ok(self.watching.as_mut().is_some_and(|watching| watching.take(constraint)))
    }
}
