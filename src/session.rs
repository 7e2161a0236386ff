//! One solver asked again and again: the sink and the questions behind every puzzle's enumeration and explanation.
//!
//! With the feature `batsat` it is BatSat itself, without a copy of each clause on the way; otherwise the default solver
//! behind rustsat's interface. Where that solver cannot be asked twice (Kissat) every question gets a fresh one.

use rustsat::types::Var;

use crate::{CapacityError, Size, SolveError};

#[cfg(feature = "batsat")]
pub(crate) use lazy::{LazyClauses, RawLit, Refuted, Trail, raw};
#[cfg(feature = "any-solver")]
pub(crate) use portfolio::Portfolio;
#[cfg(feature = "batsat")]
pub(crate) use with_batsat::Session;
#[cfg(not(feature = "batsat"))]
pub(crate) use with_rustsat::Session;

/// How a solver makes its choices. Only BatSat listens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Choices {
    /// 0 leaves the solver as it is; anything else shuffles the order in which it looks at variables.
    pub(crate) seed: u64,
    /// For long searches: false first, and activities that fade slowly.
    pub(crate) patient: bool,
    /// For a search that carries on where it stopped: false first, and restarts that get rarer.
    pub(crate) steady: bool,
}

/// Refuses more variables than there can be.
fn too_many(n: usize) -> Result<(), SolveError> {
    let most = u64::from(Var::MAX_IDX);
    if n as u64 <= most {
        return Ok(());
    }
    let limit = Size { vars: most, clauses: u64::MAX, lits: u64::MAX };
    Err(CapacityError::new(Size::variables(n as u64), limit).into())
}

#[cfg(feature = "batsat")]
mod lazy;

#[cfg(feature = "batsat")]
mod with_batsat {
    use std::cell::Cell;
    use std::rc::Rc;

    use batsat::{BasicCallbacks, BasicSolver, SolverInterface, SolverOpts, lbool};
    use rustsat::types::{Lit, Var};

    use super::lazy::{Attached, LazyClauses, to_raw};
    use super::{Choices, too_many};
    use crate::solve::Clock;
    use crate::{ClauseSink, SolveError};

    pub(crate) struct Session {
        solver: BasicSolver,
        lazy: Option<Attached>,
        clause: Vec<batsat::Lit>,
        true_first: bool,
        /// How many more steps the running question may take.
        budget: Rc<Cell<u64>>,
    }

    impl Session {
        pub(crate) fn new(choices: Choices) -> Self {
            // Clauses that are not loaded do not count when the solver asks itself how much it may learn.
            let mut opts = SolverOpts { min_learnts_lim: 300, ..SolverOpts::default() };
            if choices.seed != 0 {
                // The generator behind this wants a number from 1 to 2³¹ − 2.
                let spread = choices.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33;
                opts.random_seed = f64::from((spread as u32 % 2_147_483_645) + 1);
                opts.rnd_init_act = true;
            }
            if choices.patient {
                opts.var_decay = 0.99;
            }
            if choices.steady {
                (opts.luby_restart, opts.restart_inc) = (false, 1.1);
            }
            let solver = BasicSolver::new(opts, BasicCallbacks::new());
            let true_first = !(choices.patient || choices.steady);
            Self { solver, lazy: None, clause: Vec::new(), true_first, budget: Rc::new(Cell::new(u64::MAX)) }
        }

        /// From now on gives up when `clock` is over.
        pub(crate) fn watch(&mut self, clock: &Clock) {
            *self.solver.cb_mut() = BasicCallbacks::new();
            if clock.is_limited() {
                let clock = clock.clone();
                self.solver.cb_mut().set_stop(move || clock.is_over());
            }
        }

        /// Whether [`solve_within`](Self::solve_within) does anything.
        pub(crate) const COUNTS_STEPS: bool = true;

        /// The same for one question that may take about `steps` decisions; `None` when those did not do.
        pub(crate) fn solve_within(&mut self, clock: &Clock, steps: u64) -> Result<Option<bool>, SolveError> {
            self.budget.set(steps);
            let (watched, budget) = (clock.clone(), Rc::clone(&self.budget));
            self.solver.cb_mut().set_stop(move || {
                budget.set(budget.get().saturating_sub(1));
                budget.get() == 0 || watched.is_over()
            });
            let answer = self.solve(&[]);
            self.watch(clock);
            match answer {
                Ok(found) => Ok(Some(found)),
                Err(SolveError::Interrupted) => clock.check().map(|()| None),
                Err(error) => Err(error),
            }
        }

        /// Forgets all clauses and variables.
        pub(crate) fn clear(&mut self) {
            self.lazy = None;
            self.solver.reset();
        }

        /// Clauses over the variables there are, beside those that are added.
        pub(crate) fn attach(&mut self, clauses: Box<dyn LazyClauses>) {
            self.lazy = Some(Attached::new(clauses));
        }

        /// Variables 0 to `n` − 1, for a solver that has none; when the solver picks one, it tries true first.
        pub(crate) fn new_vars(&mut self, n: usize) -> Result<(), SolveError> {
            too_many(n)?;
            let phase = if self.true_first { lbool::TRUE } else { lbool::UNDEF };
            (0..n).for_each(|_| {
                self.solver.new_var(phase, true);
            });
            Ok(())
        }

        /// Whether there is a model in which all of `assumptions` hold.
        pub(crate) fn solve(&mut self, assumptions: &[Lit]) -> Result<bool, SolveError> {
            self.clause.clear();
            self.clause.extend(assumptions.iter().map(|&lit| to_raw(lit)));
            let answer = match &mut self.lazy {
                Some(lazy) => self.solver.solve_limited_th(lazy, &self.clause),
                None => self.solver.solve_limited(&self.clause),
            };
            match answer {
                answer if answer == lbool::TRUE => Ok(true),
                answer if answer == lbool::FALSE => Ok(false),
                _ => Err(SolveError::Interrupted),
            }
        }

        /// Whether the model found last makes `lit` true.
        pub(crate) fn is_true(&self, lit: Lit) -> bool {
            self.solver.value_lit(to_raw(lit)) == lbool::TRUE
        }

        /// Assumptions that the last question failed on.
        #[allow(clippy::unnecessary_wraps)] // other solvers may fail to tell
        pub(crate) fn core(&mut self) -> Result<Vec<Lit>, SolveError> {
            let core = self.solver.unsat_core().iter();
            Ok(core.map(|lit| Lit::new(lit.var().idx(), lit.sign())).collect())
        }
    }

    impl ClauseSink for Session {
        type Error = SolveError;

        #[inline]
        fn add_clause(&mut self, clause: &[Lit]) -> Result<(), SolveError> {
            self.clause.clear();
            self.clause.extend(clause.iter().map(|&lit| to_raw(lit)));
            self.solver.add_clause_reuse(&mut self.clause);
            Ok(())
        }

        #[inline]
        fn new_lit(&mut self) -> Lit {
            Lit::positive(self.solver.new_var_default().idx())
        }

        #[inline]
        fn next_var(&self) -> Var {
            Var::new(self.solver.num_vars())
        }
    }
}

#[cfg(feature = "any-solver")]
mod portfolio;
#[cfg(any(feature = "cadical", feature = "glucose", feature = "kissat", feature = "minisat"))]
mod watched;

#[cfg(all(feature = "any-solver", not(feature = "batsat")))]
mod with_rustsat;

#[cfg(test)]
mod tests;
