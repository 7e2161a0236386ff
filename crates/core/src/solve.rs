//! The way from formulas to solvers: the sink in front of any rustsat solver, the solving of a [`Cnf`] with its
//! [`Assignment`] as answer, and limits on how long a question may take.
//!
//! This file, `solvers.rs` and the rooms `interop/` and `session/` are the only ones that name rustsat's solver traits.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustsat::solvers::{Solve, SolveStats, SolverResult};
use rustsat::types::{self, Cl, Lit, TernaryVal, Var};
use thiserror::Error;

use crate::cnf::{CapacityError, Cnf};
use crate::formula::{Detected, Formula};
use crate::sink::{ClauseSink, free_variable};
use crate::size::Size;

/// The reason why a question has no answer. A formula proven unsatisfiable is an answer: `Ok(None)`, never an error.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The time limit passed, or the cancel flag was raised.
    #[error("interrupted before there was an answer")]
    Interrupted,
    /// The formula would be larger than its limit.
    #[error(transparent)]
    Capacity(#[from] CapacityError),
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
}

/// A [`ClauseSink`] in front of any rustsat solver: clauses go in by slice, nothing is stored on the way.
///
/// The sink numbers variables; the solver does not. Keep the sink as long as constraints are added, and ask through
/// [`solver`](Self::solver):
///
/// ```
/// # #[cfg(feature = "batsat")]
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use cnfkit::solvers::{DefaultSolver, Solve, SolverResult};
/// use cnfkit::{CardEncoding, ClauseSink, Constrain, SolverSink};
///
/// let mut solver = DefaultSolver::default();
/// let mut sink = SolverSink::new(&mut solver, 0);
/// let x = sink.new_lits(20);
/// sink.at_least(&x, 4, &CardEncoding::Auto)?;
/// for bound in [12, 8, 5] {
///     assert_eq!(sink.solver().solve()?, SolverResult::Sat);
///     sink.at_most(&x, bound, &CardEncoding::Auto)?; // with auxiliaries that are new to the solver
/// }
/// assert_eq!(sink.solver().solve()?, SolverResult::Sat);
/// # Ok(())
/// # }
/// # #[cfg(not(feature = "batsat"))]
/// # fn main() {}
/// ```
///
/// If the sink cannot be kept, [`resume`](Self::resume) makes another that starts after every variable the solver has
/// seen, for solvers that can tell; for others, [`into_next_var`](Self::into_next_var) gives the number to start the
/// next one with. A second [`new`](Self::new) with the number of the *inputs* is wrong: it would hand out the
/// auxiliaries of the first sink again.
///
/// Every variable that is handed out is made known to the solver, so that models have a value for it.
pub struct SolverSink<'a, S> {
    solver: &'a mut S,
    next: u32,
    /// The solver knows the variables below this, as far as the sink can tell.
    known: u32,
}

impl<'a, S: Solve> SolverSink<'a, S> {
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
        Self { solver, next: next.expect("more variables than rustsat has"), known: 0 }
    }

    /// A sink that sends clauses to `solver`, in which variables `0..n_vars` and all that it has seen are in use
    /// already.
    ///
    /// A literal that the solver has not seen yet counts as known if its variable is below `n_vars`.
    ///
    /// ```
    /// # #[cfg(feature = "batsat")] {
    /// use cnfkit::{CardEncoding, ClauseSink, Constrain, Lit, SolverSink, solvers::DefaultSolver};
    /// let mut solver = DefaultSolver::default();
    /// let x: Vec<Lit> = (0..20).map(Lit::positive).collect();
    /// SolverSink::resume(&mut solver, 20).at_most(&x, 5, &CardEncoding::Auto).unwrap();
    /// let sink = SolverSink::resume(&mut solver, 20);
    /// assert!(sink.next_var().idx() > 20); // after the auxiliaries of the first
    /// # }
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

    /// The solver, to be asked. New variables of clauses that are added to it directly are not known to this sink.
    pub fn solver(&mut self) -> &mut S {
        self.solver
    }

    /// The first variable that neither this sink nor, as far as it was told, the solver uses: its
    /// [`idx`](Var::idx) is what [`new`](Self::new) takes for the next sink on the same solver.
    #[must_use]
    pub fn into_next_var(self) -> Var {
        Var::new(self.next)
    }

    /// Takes note of variables that were never handed out: all below `end` are in use.
    #[cold]
    fn learn_of(&mut self, end: u32) -> Result<(), SolveError> {
        self.reserve(&Size::variables(u64::from(end - self.next)))?;
        self.next = end;
        Ok(())
    }

    /// Makes all variables handed out so far known to the solver.
    #[cold]
    fn tell(&mut self) {
        self.known = self.next;
        // A failure here occurs again at the first clause, and is reported there.
        let _ = self.solver.reserve(Var::new(self.next - 1));
    }
}

impl<S> fmt::Debug for SolverSink<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SolverSink").field("next", &self.next).finish_non_exhaustive()
    }
}

impl<S: Solve> ClauseSink for SolverSink<'_, S> {
    type Error = SolveError;

    #[inline]
    fn add_clause(&mut self, clause: &[Lit]) -> Result<(), SolveError> {
        let end = free_variable(clause.iter().copied());
        if end > self.next {
            self.learn_of(end)?;
        }
        self.solver.add_clause_ref(Cl::new(clause)).map_err(SolveError::solver)
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
                self.solver.reserve(Var::new(highest)).map_err(SolveError::solver)
            }
            None => Ok(()),
        }
    }
}

/// Values of a formula's variables under which every clause holds; found by [`Cnf::solve`].
///
/// It dereferences to rustsat's [`types::Assignment`], which has more methods; iterating gives every true literal.
///
/// ```
/// # #[cfg(feature = "batsat")]
/// # fn main() -> Result<(), cnfkit::SolveError> {
/// use cnfkit::{ClauseSink, Cnf, Lit};
/// let mut cnf = Cnf::new();
/// let x = cnf.new_lits(3);
/// cnf.add_clause(&[x[0]])?;
/// cnf.add_clause(&[!x[0], !x[2]])?;
/// let model = cnf.solve()?.expect("satisfiable");
/// assert!(model.is_true(x[0]) && model.is_true(!x[2]));
/// assert_eq!(model.value(x[2]), Some(false));
/// assert_eq!(model.iter().filter(|lit| lit.is_pos()).count(), x.iter().filter(|&&lit| model.is_true(lit)).count());
/// # Ok(())
/// # }
/// # #[cfg(not(feature = "batsat"))]
/// # fn main() {}
/// ```
#[derive(Clone, PartialEq, Eq, Default)]
#[doc(alias = "Model")]
pub struct Assignment(types::Assignment);

impl Assignment {
    /// True if `lit` holds. A variable that the formula does not have makes none of its literals true.
    #[must_use]
    pub fn is_true(&self, lit: Lit) -> bool {
        self.0.lit_value(lit) == TernaryVal::True
    }

    /// The value of `lit`: none for a variable that the formula does not have, or that the solver left open because
    /// both values will do.
    #[must_use]
    pub fn value(&self, lit: Lit) -> Option<bool> {
        match self.0.lit_value(lit) {
            TernaryVal::True => Some(true),
            TernaryVal::False => Some(false),
            TernaryVal::DontCare => None,
        }
    }
}

impl Assignment {
    /// The values of the variables of `formula` that have [names](Formula::set_name), by name; those without a value
    /// are left out.
    ///
    /// ```
    /// # #[cfg(feature = "batsat")]
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use cnfkit::{CardEncoding, Constrain, Formula};
    /// let mut formula = Formula::new();
    /// let x = ["anna", "ben", "cleo"].map(|name| formula.new_named(name));
    /// formula.at_least(&x, 3, &CardEncoding::Auto)?;
    /// let model = formula.solve()?.expect("a model");
    /// assert!(model.by_name(&formula)["ben"]);
    /// # Ok(())
    /// # }
    /// # #[cfg(not(feature = "batsat"))]
    /// # fn main() {}
    /// ```
    #[must_use]
    pub fn by_name<'f>(&self, formula: &'f Formula) -> BTreeMap<&'f str, bool> {
        formula.names().filter_map(|(var, name)| Some((name, self.value(var.pos_lit())?))).collect()
    }
}

impl Deref for Assignment {
    type Target = types::Assignment;

    fn deref(&self) -> &types::Assignment {
        &self.0
    }
}

impl From<types::Assignment> for Assignment {
    fn from(values: types::Assignment) -> Self {
        Self(values)
    }
}

impl From<Assignment> for types::Assignment {
    fn from(values: Assignment) -> Self {
        values.0
    }
}

impl IntoIterator for Assignment {
    type Item = Lit;
    type IntoIter = <types::Assignment as IntoIterator>::IntoIter;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Assignment {
    type Item = Lit;
    type IntoIter = <&'a types::Assignment as IntoIterator>::IntoIter;

    fn into_iter(self) -> Self::IntoIter {
        (&self.0).into_iter()
    }
}

impl fmt::Debug for Assignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Assignment").field(&self.0).finish()
    }
}

/// The value of each variable from the first on: `1`, `0`, or `_` where both will do.
impl fmt::Display for Assignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Loads `cnf` into `solver`.
pub(crate) fn load<S: Solve>(cnf: &Cnf, solver: &mut S) -> Result<(), SolveError> {
    if let Some(highest) = cnf.n_vars().checked_sub(1) {
        solver.reserve(Var::new(highest as u32)).map_err(SolveError::solver)?;
    }
    cnf.clauses().try_for_each(|clause| solver.add_clause_ref(Cl::new(clause)).map_err(SolveError::solver))
}

/// Asks a solver that was loaded with a formula over `n_vars` variables: a model of them, or `None` when there is none.
fn ask<S: Solve>(solver: &mut S, n_vars: usize) -> Result<Option<types::Assignment>, SolveError> {
    match solver.solve().map_err(SolveError::solver)? {
        SolverResult::Interrupted => Err(SolveError::Interrupted),
        SolverResult::Unsat => Ok(None),
        SolverResult::Sat => match n_vars.checked_sub(1) {
            Some(highest) => solver.solution(Var::new(highest as u32)).map(Some).map_err(SolveError::solver),
            None => Ok(Some(types::Assignment::default())),
        },
    }
}

/// Solves a formula most of whose variables are in no clause: the solver sees the others only, and they are false.
fn solve_sparse<S: Solve>(cnf: &Cnf, solver: &mut S) -> Result<Option<types::Assignment>, SolveError> {
    let mut used: Vec<u32> = cnf.clauses().flatten().map(|lit| lit.vidx32()).collect();
    used.sort_unstable();
    used.dedup();
    if let Some(highest) = used.len().checked_sub(1) {
        solver.reserve(Var::new(highest as u32)).map_err(SolveError::solver)?;
    }
    let mut renamed = Vec::new();
    for clause in cnf.clauses() {
        renamed.clear();
        renamed.extend(clause.iter().map(|lit| {
            let index = used.partition_point(|&var| var < lit.vidx32());
            Lit::new(index as u32, lit.is_neg())
        }));
        solver.add_clause_ref(Cl::new(&renamed[..])).map_err(SolveError::solver)?;
    }
    let Some(found) = ask(solver, used.len())? else { return Ok(None) };
    let mut values = Vec::new();
    let room = values.try_reserve_exact(cnf.n_vars());
    room.map_err(|_| CapacityError::new(cnf.size(), Size { vars: used.len() as u64, ..cnf.size() }))?;
    values.resize(cnf.n_vars(), TernaryVal::False);
    for (index, &var) in (0..).zip(&used) {
        values[var as usize] = found.var_value(Var::new(index));
    }
    Ok(Some(types::Assignment::from(values)))
}

/// The number of variables from which on a formula is searched for variables that no clause has: below it, even the
/// values of a whole model take 64 KiB at most.
const SPARSE_FROM: usize = 1 << 16;

impl Cnf {
    /// The most that [`solve`](Self::solve) and [`solve_with`](Self::solve_with) hand to a solver: as many clauses and
    /// literals as a formula has by default, and 2²⁸ variables, whose values in a model take 256 MiB.
    pub const SOLVE_LIMIT: Size = Size { vars: 1 << 28, ..Self::DEFAULT_LIMIT };

    /// Solves the formula with any rustsat solver: a model over all its variables, or `None` when it is proven
    /// unsatisfiable.
    ///
    /// # Errors
    /// When the solver fails or is interrupted, or the formula is larger than [`SOLVE_LIMIT`](Self::SOLVE_LIMIT).
    pub fn solve_with<S: Solve>(&self, solver: S) -> Result<Option<Assignment>, SolveError> {
        self.solve_within(solver, Self::SOLVE_LIMIT)
    }

    /// Solves the formula with the [default solver](crate::solvers::DefaultSolver): a model over all its variables, or
    /// `None` when it is proven unsatisfiable.
    ///
    /// # Errors
    /// When the solver fails, or the formula is larger than [`SOLVE_LIMIT`](Self::SOLVE_LIMIT).
    #[cfg(feature = "any-solver")]
    pub fn solve(&self) -> Result<Option<Assignment>, SolveError> {
        self.solve_with(crate::solvers::DefaultSolver::default())
    }

    /// Solves the formula as [`solve_with`](Self::solve_with) does, unless it is larger than `limit`.
    ///
    /// A solver's memory depends on the variables that clauses have, a model's (a byte each) on all: a formula of
    /// 65,536 or more variables, half of which or more no clause can have, is renumbered for the solver. So a header
    /// that announces 10⁸ variables for one clause costs the 10⁸ bytes of the model.
    ///
    /// ```
    /// # #[cfg(feature = "batsat")] {
    /// use cnfkit::{Cnf, Size, SolveError, solvers::DefaultSolver};
    /// let cnf = Cnf::from_dimacs(&b"p cnf 100000000 1\n-7 0\n"[..]).unwrap();
    /// let limit = Size { vars: 1_000_000, ..Cnf::SOLVE_LIMIT };
    /// let refused = cnf.solve_within(DefaultSolver::default(), limit).unwrap_err();
    /// assert!(matches!(refused, SolveError::Capacity(error) if error.needed.vars == 100_000_000));
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`SolveError::Capacity`] when the formula is larger than `limit`, before the solver has anything; otherwise when
    /// the solver fails or is interrupted.
    pub fn solve_within<S: Solve>(&self, mut solver: S, limit: Size) -> Result<Option<Assignment>, SolveError> {
        if !self.size().fits(&limit) {
            return Err(CapacityError::new(self.size(), limit).into());
        }
        if self.n_vars() >= SPARSE_FROM && self.n_vars() / 2 >= self.n_lits() {
            return Ok(solve_sparse(self, &mut solver)?.map(Assignment));
        }
        load(self, &mut solver)?;
        Ok(ask(&mut solver, self.n_vars())?.map(Assignment))
    }
}

impl Formula {
    /// Solves the formula with any rustsat solver: a model over its variables, or `None` when it is proven
    /// unsatisfiable. The [objective](Formula::objective) is not looked at.
    ///
    /// # Errors
    /// When the solver fails or is interrupted, or the encoded formula is larger than the formula's limit or than
    /// [`Cnf::SOLVE_LIMIT`].
    pub fn solve_with<S: Solve>(&self, solver: S) -> Result<Option<Assignment>, SolveError> {
        let Some(Assignment(values)) = self.encode()?.solve_with(solver)? else { return Ok(None) };
        Ok(Some(Assignment(match self.n_vars().checked_sub(1) {
            Some(highest) => values.truncate(Var::new(highest as u32)),
            None => types::Assignment::default(),
        })))
    }

    /// Solves the formula with the [default solver](crate::solvers::DefaultSolver), as [`solve_with`](Self::solve_with)
    /// does.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use cnfkit::{CardEncoding, ClauseSink, Constrain, Formula};
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(30);
    /// formula.at_least(&x, 20, &CardEncoding::Auto)?;
    /// formula.at_most(&x[..20], 10, &CardEncoding::Auto)?;
    /// let model = formula.solve()?.expect("a model");
    /// assert!(x[20..].iter().all(|&lit| model.is_true(lit)));
    /// assert_eq!(model.len(), 30); // auxiliaries are nobody's business
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`solve_with`](Self::solve_with).
    #[cfg(feature = "any-solver")]
    pub fn solve(&self) -> Result<Option<Assignment>, SolveError> {
        self.solve_with(crate::solvers::DefaultSolver::default())
    }
}

impl Detected<'_> {
    /// A model of the formula that was searched, from one of [the new formula](Self::formula): the auxiliaries that
    /// vanished get values that satisfy their clauses, and variables without a value become false. In time linear in
    /// those clauses.
    ///
    /// ```
    /// # #[cfg(feature = "batsat")]
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use cnfkit::{ClauseSink, Cnf, Constrain, Formula, Ladder};
    /// let mut cnf = Cnf::new();
    /// let x = cnf.new_lits(9);
    /// cnf.at_most_one(&x, &Ladder)?;
    /// cnf.add_clause(&x[3..5])?;
    /// let formula = Formula::read_dimacs(cnf.to_string().as_bytes())?;
    /// let detected = formula.detect();
    /// let model = detected.formula().solve()?.expect("a model");
    /// let model = detected.complete(&model);
    /// assert!(formula.clauses().all(|clause| clause.iter().any(|&lit| model.is_true(lit))));
    /// # Ok(())
    /// # }
    /// # #[cfg(not(feature = "batsat"))]
    /// # fn main() {}
    /// ```
    #[must_use]
    pub fn complete(&self, model: &Assignment) -> Assignment {
        let mut values = model.0.clone();
        self.complete_values(&mut values);
        Assignment(values)
    }

    /// Solves [the new formula](Self::formula) with any rustsat solver, and [completes](Self::complete) its model to
    /// one of the formula that was searched.
    ///
    /// # Errors
    /// As [`Formula::solve_with`].
    pub fn solve_with<S: Solve>(&self, solver: S) -> Result<Option<Assignment>, SolveError> {
        Ok(self.formula().solve_with(solver)?.map(|model| self.complete(&model)))
    }
}

/// Limits on the time that a question may take: a time limit, a flag that cancels it from another thread, both, or
/// neither.
///
/// A question that runs out ends as *interrupted*, which is an error and never "no solution".
#[derive(Clone, Debug, Default)]
pub struct Limits {
    time: Option<Duration>,
    cancel: Option<Arc<AtomicBool>>,
}

impl Limits {
    /// No limit at all.
    #[must_use]
    pub const fn none() -> Self {
        Self { time: None, cancel: None }
    }

    /// At most `time` for each question, from when it is asked.
    #[must_use]
    pub const fn time(mut self, time: Duration) -> Self {
        self.time = Some(time);
        self
    }

    /// Gives up soon after `flag` becomes true.
    #[must_use]
    pub fn cancel(mut self, flag: Arc<AtomicBool>) -> Self {
        self.cancel = Some(flag);
        self
    }

    /// Starts the clock.
    #[doc(hidden)]
    #[must_use]
    pub fn start(&self) -> Clock {
        let deadline = self.time.and_then(|time| Instant::now().checked_add(time));
        Clock { deadline, cancel: self.cancel.clone() }
    }
}

/// Running [`Limits`].
#[derive(Clone, Debug, Default)]
pub struct Clock {
    deadline: Option<Instant>,
    cancel: Option<Arc<AtomicBool>>,
}

impl Clock {
    /// True if there is anything to watch.
    #[must_use]
    pub const fn is_limited(&self) -> bool {
        self.deadline.is_some() || self.cancel.is_some()
    }

    /// True when it is time to give up.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.cancel.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// The rest of the limits.
    #[must_use]
    pub fn rest(&self) -> Limits {
        let time = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        Limits { time, cancel: self.cancel.clone() }
    }

    /// True if the flag was raised.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancel.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// [`SolveError::Interrupted`] when it is time to give up.
    ///
    /// # Errors
    /// As the solver fails, or the clock runs out.
    pub fn check(&self) -> Result<(), SolveError> {
        if self.is_over() { Err(SolveError::Interrupted) } else { Ok(()) }
    }
}
