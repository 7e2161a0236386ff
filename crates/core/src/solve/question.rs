//! The solving of a [`Formula`] and what was [`Detected`].

use rustsat::solvers::Solve;
use rustsat::types::{self, Var};

use super::Assignment;
use crate::cnf::Cnf;
use crate::deadline::TimedSink;
use crate::formula::{Detected, Formula};
use crate::limits::{Limits, SolveError};
use crate::size::Size;
use crate::solvers::Solver;

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
    /// does. What would take more than 2²⁶ clauses is watched by BatSat, and refused by other default solvers.
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

    /// [`solve`](Self::solve) within limits, which hold while constraints are ordered and encoded, too.
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
    #[doc(hidden)]
    pub fn solve_within(&self, limits: &Limits) -> Result<Option<Assignment>, SolveError> {
        use crate::session;
        let clock = limits.start();
        let most = Size { clauses: self.limit().clauses.min(crate::lazy::MOST_WRITTEN), ..self.limit() };
        let mut cnf = Cnf::with_vars(self.n_vars()).with_limit(most);
        match self.encode_into(&mut TimedSink::new(&mut cnf, &clock)) {
            Err(SolveError::Capacity(_)) if most != self.limit() => return session::solve_watched(self, &clock),
            encoded => encoded?,
        }
        Ok(cnf.solve_on(crate::solvers::default_solver(), &clock)?.map(|model| self.own(model)))
    }

    /// [`solve_within`](Self::solve_within) with any solver.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use cnfkit::solvers::BatSat;
    /// use cnfkit::{CardEncoding, ClauseSink, Constrain, Formula, Limits, SolveError};
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(9);
    /// formula.at_least(&x, 5, &CardEncoding::Auto)?;
    /// let limits = Limits::none().conflicts(1_000);
    /// assert!(formula.solve_with_limits(BatSat::default(), &limits)?.is_some());
    /// let none = formula.solve_with_limits(BatSat::default(), &limits.conflicts(0));
    /// assert!(matches!(none, Err(SolveError::Interrupted(_))));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`solve_within`](Self::solve_within).
    #[doc(hidden)]
    pub fn solve_with_limits<S: Solver>(&self, solver: S, limits: &Limits) -> Result<Option<Assignment>, SolveError> {
        let clock = limits.start();
        let mut cnf = Cnf::with_vars(self.n_vars()).with_limit(self.limit());
        self.encode_into(&mut TimedSink::new(&mut cnf, &clock))?;
        Ok(cnf.solve_on(solver, &clock)?.map(|model| self.own(model)))
    }
}

impl Detected<'_> {
    /// A model of the formula that was searched, from one of [the new formula](Self::formula): the auxiliaries that
    /// vanished get values that satisfy their clauses, and variables without a value become false. In time linear in
    /// those clauses.
    ///
    /// ```
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
