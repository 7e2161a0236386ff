//! The solving of a [`Cnf`], a [`Formula`] and what was [`Detected`].

use rustsat::solvers::{Solve, SolverResult};
use rustsat::types::{self, Cl, Lit, TernaryVal, Var};

use super::assignment::Assignment;
use super::watched::ask_within;
use crate::cnf::{CapacityError, Cnf};
use crate::deadline::{CLAUSES, Deadline, TimedSink};
use crate::formula::{Detected, Formula};
use crate::limits::{Limits, SolveError};
use crate::running::Clock;
use crate::sink::ClauseSink;
use crate::size::Size;

/// Loads `cnf` into `solver`, unless the time is over before that.
///
/// # Errors
/// As the solver fails, or the clock runs out.
pub fn load<S: Solve>(cnf: &Cnf, solver: &mut S, clock: &Clock) -> Result<(), SolveError> {
    if let Some(highest) = cnf.n_vars().checked_sub(1) {
        solver.reserve(Var::new(highest as u32)).map_err(SolveError::solver)?;
    }
    let mut deadline = Deadline::new(clock, CLAUSES);
    cnf.clauses().try_for_each(|clause| {
        deadline.step()?;
        solver.add_clause_ref(Cl::new(clause)).map_err(SolveError::rustsat)
    })
}

/// The model of a solver after its answer, over `n_vars` variables; `None` when there is none.
fn model<S: Solve>(solver: &S, n_vars: usize, answer: SolverResult) -> Result<Option<types::Assignment>, SolveError> {
    match answer {
        SolverResult::Interrupted => Err(SolveError::Interrupted),
        SolverResult::Unsat => Ok(None),
        SolverResult::Sat => match n_vars.checked_sub(1) {
            Some(highest) => solver.solution(Var::new(highest as u32)).map(Some).map_err(SolveError::solver),
            None => Ok(Some(types::Assignment::default())),
        },
    }
}

/// The formula over the variables that its clauses have, and which these are.
fn without_gaps(cnf: &Cnf, clock: &Clock) -> Result<(Cnf, Vec<u32>), SolveError> {
    let mut used: Vec<u32> = cnf.clauses().flatten().map(|lit| lit.vidx32()).collect();
    used.sort_unstable();
    used.dedup();
    let mut dense = Cnf::with_vars(used.len());
    let mut sink = TimedSink::new(&mut dense, clock);
    let mut renamed = Vec::new();
    for clause in cnf.clauses() {
        renamed.clear();
        renamed.extend(clause.iter().map(|lit| {
            let index = used.partition_point(|&var| var < lit.vidx32());
            Lit::new(index as u32, lit.is_neg())
        }));
        sink.add_clause(&renamed)?;
    }
    Ok((dense, used))
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
    /// A solver's memory depends on the variables that clauses have, a model's (a byte each) on all: a formula of
    /// 65,536 or more variables, half of which or more no clause can have, is renumbered for the solver. So a header
    /// that announces 10⁸ variables for one clause costs the 10⁸ bytes of the model.
    ///
    /// # Errors
    /// When the solver fails or is interrupted, or the formula is larger than [`SOLVE_LIMIT`](Self::SOLVE_LIMIT).
    pub fn solve_with<S: Solve>(&self, solver: S) -> Result<Option<Assignment>, SolveError> {
        self.solve_by(solver, &Clock::default(), |solver| solver.solve().map_err(SolveError::rustsat))
    }

    /// Solves the formula with the [default solver](crate::solvers::DefaultSolver): a model over all its variables, or
    /// `None` when it is proven unsatisfiable.
    ///
    /// # Errors
    /// When the solver fails, or the formula is larger than [`SOLVE_LIMIT`](Self::SOLVE_LIMIT).
    #[cfg(feature = "any-solver")]
    pub fn solve(&self) -> Result<Option<Assignment>, SolveError> {
        self.solve_within(&Limits::none())
    }

    /// [`solve`](Self::solve) within limits. With another solver, send the [clauses](Self::clauses) to a
    /// [`SolverSink`](crate::SolverSink), whose [`solve`](crate::SolverSink::solve) takes limits.
    ///
    /// ```
    /// use cnfkit::{ClauseSink, Cnf, Limits, SolveError};
    /// use std::sync::{Arc, atomic::AtomicBool};
    /// let mut cnf = Cnf::new();
    /// let x = cnf.new_lits(2);
    /// cnf.add_clause(&x)?;
    /// let cancelled = Arc::new(AtomicBool::new(true)); // by another thread, say
    /// let limits = Limits::none().cancel(cancelled);
    /// assert!(matches!(cnf.solve_within(&limits), Err(SolveError::Interrupted)));
    /// assert!(cnf.solve_within(&Limits::none().conflicts(1))?.is_some());
    /// # Ok::<(), SolveError>(())
    /// ```
    ///
    /// # Errors
    /// [`SolveError::Interrupted`] when a limit is reached; as [`solve`](Self::solve).
    #[cfg(feature = "any-solver")]
    pub fn solve_within(&self, limits: &Limits) -> Result<Option<Assignment>, SolveError> {
        let clock = limits.start();
        self.solve_on(&clock)
    }

    #[cfg(feature = "any-solver")]
    fn solve_on(&self, clock: &Clock) -> Result<Option<Assignment>, SolveError> {
        self.solve_by(crate::solvers::default_solver(), clock, |solver| {
            Ok(match ask_within(solver, &[], u64::MAX, clock)? {
                Some(true) => SolverResult::Sat,
                Some(false) => SolverResult::Unsat,
                None => SolverResult::Interrupted,
            })
        })
    }

    fn solve_by<S: Solve>(
        &self,
        mut solver: S,
        clock: &Clock,
        ask: impl FnOnce(&mut S) -> Result<SolverResult, SolveError>,
    ) -> Result<Option<Assignment>, SolveError> {
        if !self.size().fits(&Self::SOLVE_LIMIT) {
            return Err(CapacityError::new(self.size(), Self::SOLVE_LIMIT).into());
        }
        clock.check()?;
        if self.n_vars() < SPARSE_FROM || self.n_vars() / 2 < self.n_lits() {
            load(self, &mut solver, clock)?;
            let answer = ask(&mut solver)?;
            return Ok(model(&solver, self.n_vars(), answer)?.map(Assignment::from));
        }
        // Variables that are in no clause are false.
        let (dense, used) = without_gaps(self, clock)?;
        load(&dense, &mut solver, clock)?;
        drop(dense);
        let answer = ask(&mut solver)?;
        let Some(found) = model(&solver, used.len(), answer)? else { return Ok(None) };
        let mut values = Vec::new();
        let room = values.try_reserve_exact(self.n_vars());
        room.map_err(|_| CapacityError::new(self.size(), Size { vars: used.len() as u64, ..self.size() }))?;
        values.resize(self.n_vars(), TernaryVal::False);
        for (index, &var) in (0..).zip(&used) {
            values[var as usize] = found.var_value(Var::new(index));
        }
        Ok(Some(types::Assignment::from(values).into()))
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
        Ok(self.encode()?.solve_with(solver)?.map(|model| self.own(model)))
    }

    /// The values of the formula's own variables.
    fn own(&self, model: Assignment) -> Assignment {
        let values = types::Assignment::from(model);
        Assignment::from(match self.n_vars().checked_sub(1) {
            Some(highest) => values.truncate(Var::new(highest as u32)),
            None => types::Assignment::default(),
        })
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
        self.solve_within(&Limits::none())
    }

    /// [`solve`](Self::solve) within limits, which hold while constraints are ordered and encoded, too. With another
    /// solver, `Ask` takes limits, and [`SolverSink::solve`](crate::SolverSink::solve) does after
    /// [`encode_into`](Self::encode_into).
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use cnfkit::{ClauseSink, Formula, Limits};
    /// let mut formula = Formula::new();
    /// let x = formula.new_lit();
    /// formula.add_clause(&[!x])?;
    /// let model = formula.solve_within(&Limits::none().time(Duration::from_secs(10)))?;
    /// assert!(model.expect("a model").is_true(!x));
    /// # Ok::<(), cnfkit::SolveError>(())
    /// ```
    ///
    /// # Errors
    /// [`SolveError::Interrupted`] when a limit is reached; as [`solve`](Self::solve).
    #[cfg(feature = "any-solver")]
    pub fn solve_within(&self, limits: &Limits) -> Result<Option<Assignment>, SolveError> {
        let clock = limits.start();
        let mut cnf = Cnf::with_vars(self.n_vars()).with_limit(self.limit());
        self.encode_into(&mut TimedSink::new(&mut cnf, &clock))?;
        Ok(cnf.solve_on(&clock)?.map(|model| self.own(model)))
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
        let mut values = types::Assignment::clone(model);
        self.complete_values(&mut values);
        Assignment::from(values)
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
