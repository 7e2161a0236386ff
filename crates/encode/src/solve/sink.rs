//! [`SolverSink`]: the sink in front of any rustsat solver, and the questions that go through it.

use std::borrow::BorrowMut;
use std::fmt;
use std::marker::PhantomData;

use rustc_hash::FxHashSet;
use rustsat::solvers::{Solve, SolveStats};
use rustsat::types::{self, Cl, Lit, TernaryVal, Var};

use super::assignment::Assignment;
use super::cores::smallest;
use super::watched::ask_within;
use crate::cnf::CapacityError;
use crate::deadline::{CLAUSES, Deadline};
use crate::limits::{Limits, SolveError};
use crate::read::MOST_READ;
use crate::running::EngineChoice;
use crate::running::{Clock, Oracle};
use crate::sink::{ClauseSink, free_variable};
use crate::size::Size;
use crate::solvers::Solver;

/// A [`ClauseSink`] in front of any rustsat solver, and questions to it: clauses go in by slice, nothing is stored on
/// the way.
///
/// The sink numbers variables; the solver does not. Keep the sink as long as constraints are added: it
/// [owns](Self::owned) its solver, or [borrows](Self::new) it.
///
/// ```
/// # fn main() -> Result<(), cnfkit::SolveError> {
/// use std::time::Duration;
///
/// use cnfkit::solvers::BatSat;
/// use cnfkit::{CardEncoding, ClauseSink, Constrain, Limits, Lit, SolveError, SolverSink};
///
/// struct Roster {
///     shifts: Vec<Lit>,
///     sink: SolverSink<BatSat>,
/// }
///
/// impl Roster {
///     fn new(n: usize) -> Result<Self, SolveError> {
///         let mut sink = SolverSink::owned(BatSat::default());
///         let shifts = sink.new_lits(n);
///         sink.at_least(&shifts, 4, &CardEncoding::Auto)?;
///         Ok(Self { shifts, sink })
///     }
///
///     fn is_possible(&mut self, without: &[Lit]) -> Result<bool, SolveError> {
///         let limits = Limits::none().time(Duration::from_secs(10));
///         self.sink.solve(&limits, &without.iter().map(|&shift| !shift).collect::<Vec<_>>())
///     }
/// }
///
/// let mut roster = Roster::new(6)?;
/// let shifts = roster.shifts.clone();
/// assert!(roster.is_possible(&shifts[..2])?);
/// assert!(roster.sink.model()?.is_true(shifts[3]));
/// assert!(!roster.is_possible(&shifts[..3])?);
/// assert_eq!(roster.sink.core()?, [!shifts[0], !shifts[1], !shifts[2]]);
/// roster.sink.at_most(&shifts, 5, &CardEncoding::Auto)?; // with auxiliaries that are new to the solver
/// assert!(roster.is_possible(&[])?);
/// # Ok(())
/// # }
/// ```
///
/// If the sink cannot be kept, [`resume`](Self::resume) makes another that starts after every variable the solver has
/// seen, for solvers that can tell; for others, [`into_next_var`](Self::into_next_var) gives the number to start the
/// next one with. A second [`new`](Self::new) with the number of the *inputs* is wrong: it would hand out the
/// auxiliaries of the first sink again.
///
/// Every variable that is handed out is made known to the solver, so that models have a value for it.
pub struct SolverSink<S, R: BorrowMut<S> = S> {
    solver: R,
    next: u32,
    /// The solver knows the variables below this, as far as the sink can tell.
    known: u32,
    /// The assumptions of the last question.
    assumptions: Vec<Lit>,
    /// The answer to the last question: none before the first, and after one that was interrupted.
    answer: Option<bool>,
    /// The solver may have been asked without this sink.
    is_lent: bool,
    clock: Clock,
    /// Looks at the clock while clauses come in.
    deadline: Deadline,
    of: PhantomData<S>,
}

impl<S: Solve> SolverSink<S> {
    /// A sink that has its own solver, which is new. For one that has variables, [take](ClauseSink::new_lits) as many
    /// first.
    pub fn owned(solver: S) -> Self {
        Self::over(solver, 0)
    }

    /// The solver, with all that it was given.
    pub fn into_solver(self) -> S {
        self.solver
    }
}

impl<'a, S: Solve> SolverSink<S, &'a mut S> {
    /// A sink that sends clauses to `solver`, in which variables `0..n_vars` are in use already: 0 for a solver that is
    /// new.
    ///
    /// `n_vars` counts *all* variables that the solver has seen, auxiliaries of earlier sinks included. For a solver
    /// that has seen some, [`resume`](Self::resume) finds out by itself. This cannot: [`Solve`] has no method that
    /// tells which variables a solver has. It takes note of the variables of clauses that come through it, but a number
    /// that is too low for those that came before is not noticed, variables are handed out twice, and answers are
    /// wrong.
    ///
    /// # Panics
    /// When `n_vars` is beyond [`Var::MAX_IDX`].
    pub fn new(solver: &'a mut S, n_vars: usize) -> Self {
        let next = u32::try_from(n_vars).ok().filter(|&n| n <= Var::MAX_IDX);
        Self::over(solver, next.expect("more variables than rustsat has"))
    }

    /// A sink that sends clauses to `solver`, in which variables `0..n_vars` and all that it has seen are in use
    /// already.
    ///
    /// A literal that the solver has not seen yet counts as known if its variable is below `n_vars`.
    ///
    /// ```
    /// use cnfkit::{CardEncoding, ClauseSink, Constrain, Lit, SolverSink, solvers::DefaultSolver};
    /// let mut solver = DefaultSolver::default();
    /// let x: Vec<Lit> = (0..20).map(Lit::positive).collect();
    /// SolverSink::resume(&mut solver, 20).at_most(&x, 5, &CardEncoding::Auto).unwrap();
    /// let sink = SolverSink::resume(&mut solver, 20);
    /// assert!(sink.next_var().idx() > 20); // after the auxiliaries of the first
    /// ```
    ///
    /// # Panics
    /// When `n_vars` is beyond [`Var::MAX_IDX`].
    pub fn resume(solver: &'a mut S, n_vars: usize) -> Self
    where
        S: SolveStats,
    {
        let seen = solver.max_var().map_or(0, |highest| highest.idx() + 1);
        Self::new(solver, n_vars.max(seen))
    }
}

impl<S: Solve, R: BorrowMut<S>> SolverSink<S, R> {
    fn over(solver: R, next: u32) -> Self {
        Self {
            solver,
            next,
            known: 0,
            assumptions: Vec::new(),
            answer: None,
            is_lent: true,
            clock: Clock::default(),
            deadline: Deadline::default(),
            of: PhantomData,
        }
    }

    /// The solver, to be asked rustsat's way. New variables of clauses that are added to it directly are not known to
    /// this sink.
    pub fn solver(&mut self) -> &mut S {
        self.is_lent = true;
        self.solver.borrow_mut()
    }

    /// The first variable that neither this sink nor, as far as it was told, the solver uses: its
    /// [`idx`](Var::idx) is what [`new`](Self::new) takes for the next sink on the same solver.
    ///
    /// ```
    /// use cnfkit::solvers::DefaultSolver;
    /// use cnfkit::{CardEncoding, ClauseSink, Constrain, SolverSink, Var};
    /// let mut sink = SolverSink::owned(DefaultSolver::default());
    /// let x = sink.new_lits(3);
    /// sink.at_most(&x, 1, CardEncoding::Combinatorial)?;
    /// assert_eq!(sink.into_next_var(), Var::new(3));
    /// # Ok::<(), cnfkit::SolveError>(())
    /// ```
    #[must_use]
    pub fn into_next_var(self) -> Var {
        Var::new(self.next)
    }

    /// Takes note of variables that were never handed out: all below `end` are in use.
    #[cold]
    fn learn_of(&mut self, end: u32) -> Result<(), SolveError> {
        within_reach(end)?;
        self.reserve(&Size::variables(u64::from(end - self.next)))?;
        self.next = end;
        Ok(())
    }

    /// Makes all variables handed out so far known to the solver.
    #[cold]
    fn tell(&mut self) {
        self.known = self.next;
        // A failure here occurs again at the first clause, and is reported there.
        let _ = self.solver.borrow_mut().reserve(Var::new(self.next - 1));
    }
}

/// Refuses variables that nobody handed out where a solver would take memory for too many below them.
///
/// # Errors
/// When `end` is beyond [`MOST_READ`].
pub fn within_reach(end: u32) -> Result<(), CapacityError> {
    if end <= MOST_READ {
        return Ok(());
    }
    let limit = Size { vars: MOST_READ.into(), clauses: u64::MAX, lits: u64::MAX };
    Err(CapacityError::new(Size::variables(end.into()), limit))
}

impl<S: Solve, R: BorrowMut<S>> SolverSink<S, R> {
    /// The model of the last question, over all variables that were handed out.
    ///
    /// # Errors
    /// [`SolveError::Solver`] when the last question had no model or no answer, or nothing was asked.
    pub fn model(&self) -> Result<Assignment, SolveError> {
        if self.answer != Some(true) && !self.is_lent {
            return Err(SolveError::solver("there is no model: the last question had none, or no answer"));
        }
        let solver: &S = self.solver.borrow();
        match self.next.checked_sub(1) {
            Some(highest) => Ok(solver.solution(Var::new(highest)).map_err(SolveError::solver)?.into()),
            None => Ok(types::Assignment::default().into()),
        }
    }
}

impl<S: Solver, R: BorrowMut<S>> SolverSink<S, R> {
    /// True if there is a [model](Self::model) in which all of `assumptions` hold; otherwise some of them make a
    /// [core](Self::core).
    ///
    /// ```
    /// # fn main() -> Result<(), cnfkit::SolveError> {
    /// use cnfkit::{ClauseSink, Limits, SolveError, SolverSink, solvers::BatSat};
    /// let mut sink = SolverSink::owned(BatSat::default());
    /// let x = sink.new_lits(3);
    /// sink.add_clause(&[!x[0], x[1]])?;
    /// assert!(sink.solve(&Limits::none(), &[x[0]])?);
    /// assert!(sink.model()?.is_true(x[1]));
    /// assert!(!sink.solve(&Limits::none(), &[x[2], x[0], !x[1]])?);
    /// assert_eq!(sink.core()?, [x[0], !x[1]]);
    /// let none = Limits::none().conflicts(0);
    /// assert!(matches!(sink.solve(&none, &[]), Err(SolveError::Interrupted(_))));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`SolveError::Interrupted`] when a limit is reached, and when the solver fails.
    pub fn solve(&mut self, limits: &Limits, assumptions: &[Lit]) -> Result<bool, SolveError> {
        let clock = limits.start();
        self.ask_under(assumptions, u64::MAX, &clock)?.ok_or_else(|| clock.interrupted())
    }

    fn ask_under(&mut self, assumptions: &[Lit], conflicts: u64, clock: &Clock) -> Result<Option<bool>, SolveError> {
        (self.answer, self.is_lent) = (None, false);
        let end = free_variable(assumptions.iter().copied());
        if end > self.next {
            self.learn_of(end)?;
        }
        assumptions.clone_into(&mut self.assumptions);
        self.answer = ask_within(self.solver.borrow_mut(), assumptions, conflicts, clock)?;
        Ok(self.answer)
    }

    /// An unsatisfiable core: assumptions that contradict each other and the clauses, out of those of the last
    /// question, in the order in which they were given. Empty when the clauses contradict themselves.
    ///
    /// ```
    /// # fn main() -> Result<(), cnfkit::SolveError> {
    /// use cnfkit::{ClauseSink, Limits, SolveError, SolverSink, solvers::BatSat};
    /// let mut sink = SolverSink::owned(BatSat::default());
    /// let x = sink.new_lits(2);
    /// assert!(matches!(sink.core(), Err(SolveError::NoCore))); // nothing was asked
    /// sink.add_clause(&[!x[0]])?;
    /// assert!(!sink.solve(&Limits::none(), &x)?);
    /// assert_eq!(sink.core()?, [x[0]]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`SolveError::NoCore`] when the last question had a model or no answer, or nothing was asked; when the solver
    /// fails.
    pub fn core(&mut self) -> Result<Vec<Lit>, SolveError> {
        if self.answer != Some(false) {
            return Err(SolveError::NoCore);
        }
        if self.assumptions.is_empty() {
            return Ok(Vec::new());
        }
        let failed = self.solver.borrow_mut().core().map_err(SolveError::solver)?;
        let mut failed: FxHashSet<Lit> = failed.into_iter().collect();
        Ok(self.assumptions.iter().copied().filter(|&lit| failed.remove(&!lit)).collect())
    }

    /// A smallest unsatisfiable core: no fewer of the last question's assumptions contradict each other. It asks many
    /// questions, where there are many [cores](Self::core) very many. Sets are chosen by solvers of the same type.
    ///
    /// ```
    /// # fn main() -> Result<(), cnfkit::SolveError> {
    /// use cnfkit::{ClauseSink, Limits, SolverSink, solvers::BatSat};
    /// let mut sink = SolverSink::owned(BatSat::default());
    /// let x = sink.new_lits(4);
    /// for pair in x.windows(2) {
    ///     sink.add_clause(&[!pair[0], pair[1]])?;
    /// }
    /// assert!(!sink.solve(&Limits::none(), &[x[1], x[2], x[0], !x[3]])?);
    /// assert_eq!(sink.smallest_core(&Limits::none())?.len(), 2);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`solve`](Self::solve), and [`SolveError::NoCore`] when the assumptions of the last question agree.
    pub fn smallest_core(&mut self, limits: &Limits) -> Result<Vec<Lit>, SolveError>
    where
        S: Default + 'static,
    {
        let (given, clock) = (std::mem::take(&mut self.assumptions), limits.start());
        let mut new = || -> Box<dyn Oracle> { Box::new(SolverSink::owned(S::default())) };
        let found = smallest(given.len(), &clock, &mut new, &mut |chosen| {
            let assumed: Vec<Lit> = (0..).zip(&given).filter(|&(at, _)| chosen[at]).map(|(_, &lit)| lit).collect();
            self.ask_under(&assumed, u64::MAX, &clock)?.ok_or_else(|| clock.interrupted())
        });
        let core = found.map(|core| core.map(|core| core.into_iter().map(|at| given[at]).collect()));
        self.assumptions = given;
        if core.is_err() {
            self.answer = None; // what was answered is a question about some of them
        }
        core?.ok_or(SolveError::NoCore)
    }
}

impl<S: Solver, R: BorrowMut<S>> Oracle for SolverSink<S, R> {
    fn watch(&mut self, clock: &Clock) {
        self.clock = clock.clone();
        self.deadline = Deadline::new(clock, CLAUSES);
    }

    fn new_var_toward(&mut self, toward: Option<bool>) -> Result<(), SolveError> {
        self.deadline.step()?;
        if let Some(value) = toward {
            let lit = Lit::new(self.next, !value);
            self.solver.borrow_mut().phase_lit(lit).map_err(SolveError::solver)?;
        }
        self.new_lit();
        Ok(())
    }

    fn ask(&mut self, assumptions: &[Lit], conflicts: u64) -> Result<Option<bool>, SolveError> {
        let clock = self.clock.clone();
        self.ask_under(assumptions, conflicts, &clock)
    }

    fn is_true(&self, lit: Lit) -> bool {
        let solver: &S = self.solver.borrow();
        let value = solver.lit_val(lit.var().pos_lit());
        value.is_ok_and(|value| value == TernaryVal::True) == lit.is_pos()
    }

    fn failed(&mut self) -> Result<Vec<Lit>, SolveError> {
        self.core()
    }

    fn n_conflicts(&self) -> u64 {
        let solver: &S = self.solver.borrow();
        solver.conflicts() as u64
    }
}

/// Solvers of a question that are made by `make`.
pub fn engine<S: Solver + 'static>(make: impl Fn() -> S + Send + Sync + 'static) -> EngineChoice {
    EngineChoice::of(move || Box::new(SolverSink::owned(make())))
}

/// The methods `limits`, `time_limit` and `solver` of all builders of questions, whose field `asking` is an `Asking`.
#[doc(hidden)]
#[macro_export]
macro_rules! asking_methods {
    () => {
        /// Limits each question, from when it is asked: time, conflicts, memory, a flag that cancels it.
        ///
        /// ```
        /// use cnfkit::ask::Ask;
        /// use cnfkit::{ClauseSink, Formula, Limits, SolveError};
        /// let mut formula = Formula::new();
        /// let x = formula.new_lits(2);
        /// formula.add_clause(&x)?;
        /// let hasty = Ask::new(&formula).limits(Limits::none().conflicts(0));
        /// assert!(matches!(hasty.count(10), Err(SolveError::Interrupted(_))));
        /// # Ok::<(), SolveError>(())
        /// ```
        #[must_use = "questions are asked by further methods"]
        pub fn limits(mut self, limits: $crate::Limits) -> Self {
            self.asking.limits = limits;
            self
        }

        /// Limits the time of each question, from when it is asked, beside the [limits](Self::limits) that were given
        /// before.
        #[must_use = "questions are asked by further methods"]
        pub fn time_limit(mut self, time: std::time::Duration) -> Self {
            self.asking.limits = self.asking.limits.time(time);
            self
        }

        /// Puts each question to solvers that are made by `make`, such as `CaDiCaL::default`, instead of the
        /// [default one](cnfkit::solvers::DefaultSolver).
        ///
        /// ```
        /// # fn main() -> Result<(), cnfkit::SolveError> {
        /// use cnfkit::ask::Ask;
        /// use cnfkit::solvers::{BatSat, Plain};
        /// use cnfkit::{CardEncoding, ClauseSink, Constrain, Formula};
        /// let mut formula = Formula::new();
        /// let x = formula.new_lits(6);
        /// formula.exactly(&x, 2, &CardEncoding::Auto)?;
        /// let ask = Ask::new(&formula).solver(|| Plain(BatSat::default()));
        /// assert_eq!(ask.count(100)?, 15);
        /// # Ok(())
        /// # }
        /// ```
        #[must_use = "questions are asked by further methods"]
        pub fn solver<S: $crate::solvers::Solver + 'static>(
            mut self,
            make: impl Fn() -> S + Send + Sync + 'static,
        ) -> Self {
            self.asking.engine = $crate::solve::engine(make);
            self
        }
    };
}

impl<S, R: BorrowMut<S>> fmt::Debug for SolverSink<S, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SolverSink").field("next", &self.next).finish_non_exhaustive()
    }
}

impl<S: Solve, R: BorrowMut<S>> ClauseSink for SolverSink<S, R> {
    type Error = SolveError;

    #[inline]
    fn add_clause(&mut self, clause: &[Lit]) -> Result<(), SolveError> {
        self.deadline.step()?;
        let end = free_variable(clause.iter().copied());
        if end > self.next {
            self.learn_of(end)?;
        }
        self.solver.borrow_mut().add_clause_ref(Cl::new(clause)).map_err(SolveError::rustsat)
    }

    #[inline]
    fn new_lit(&mut self) -> Lit {
        let lit = Lit::positive(self.next);
        self.next += 1;
        if self.next > self.known {
            self.tell();
        }
        lit
    }

    #[inline]
    fn next_var(&self) -> Var {
        Var::new(self.next)
    }

    fn new_lits(&mut self, n: usize) -> Vec<Lit> {
        let start = self.next;
        let end = u32::try_from(n).ok().and_then(|n| start.checked_add(n)).filter(|&end| end <= Var::MAX_IDX);
        self.next = end.expect("no more variables than rustsat has");
        if self.next > self.known {
            self.tell();
        }
        (start..self.next).map(Lit::positive).collect()
    }

    fn reserve(&mut self, size: &Size) -> Result<(), SolveError> {
        let more = u64::from(self.next).saturating_add(size.vars);
        if more > u64::from(Var::MAX_IDX) {
            let needed = Size { vars: more, ..*size };
            let limit = Size { vars: u64::from(Var::MAX_IDX), clauses: u64::MAX, lits: u64::MAX };
            return Err(CapacityError::new(needed, limit).into());
        }
        match (more as u32).checked_sub(1) {
            Some(highest) => {
                self.known = self.known.max(more as u32);
                self.solver.borrow_mut().reserve(Var::new(highest)).map_err(SolveError::solver)
            }
            None => Ok(()),
        }
    }

    fn go_on(&mut self) -> Result<(), SolveError> {
        self.deadline.check()
    }
}
