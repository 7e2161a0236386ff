//! Solvers that lack some of rustsat's traits, with them: [`Plain`] and [`Anew`].

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustsat::solvers::{
    GetInternalStats, Interrupt, InterruptSolver, LimitConflicts, PhaseLit, Solve, SolveIncremental, SolverResult,
};
use rustsat::types::{Cl, Clause, Lit, TernaryVal, Var};

use crate::cnf::Cnf;
use crate::sink::ClauseSink;

/// Hands on, to the solver inside, how clauses come in and how questions are asked.
macro_rules! hand_on {
    ($solver:ty $(, $inner:ident)?) => {
        impl$(<$inner: Extend<Clause>>)? Extend<Clause> for $solver {
            fn extend<T: IntoIterator<Item = Clause>>(&mut self, clauses: T) {
                self.0.extend(clauses);
            }
        }

        impl<'a $(, $inner: Extend<&'a Clause>)?> Extend<&'a Clause> for $solver {
            fn extend<T: IntoIterator<Item = &'a Clause>>(&mut self, clauses: T) {
                self.0.extend(clauses);
            }
        }

        impl$(<$inner: Solve>)? Solve for $solver {
            fn signature(&self) -> &'static str {
                self.0.signature()
            }

            fn reserve(&mut self, max_var: Var) -> anyhow::Result<()> {
                self.0.reserve(max_var)
            }

            fn solve(&mut self) -> anyhow::Result<SolverResult> {
                self.0.solve()
            }

            fn lit_val(&self, lit: Lit) -> anyhow::Result<TernaryVal> {
                self.0.lit_val(lit)
            }

            fn add_clause_ref<C: AsRef<Cl> + ?Sized>(&mut self, clause: &C) -> anyhow::Result<()> {
                self.0.add_clause_ref(clause)
            }
        }

        impl$(<$inner: SolveIncremental>)? SolveIncremental for $solver {
            fn solve_assumps(&mut self, assumps: &[Lit]) -> anyhow::Result<SolverResult> {
                self.0.solve_assumps(assumps)
            }

            fn core(&mut self) -> anyhow::Result<Vec<Lit>> {
                self.0.core()
            }
        }
    };
}
#[cfg(feature = "batsat")]
pub(super) use hand_on;

/// A rustsat solver that can be asked again and no more, as a [`Solver`](super::Solver): nothing interrupts its
/// searches, so limits hold before and after each of them, and its conflicts are not counted.
///
/// ```
/// # fn main() -> Result<(), cnfkit::SolveError> {
/// use cnfkit::solvers::{BatSat, Plain};
/// use cnfkit::{ClauseSink, Formula, Questions};
/// let mut formula = Formula::new();
/// let x = formula.new_lits(3);
/// formula.add_clause(&x)?;
/// formula.set_objective([(x[0], 3), (x[1], 2), (x[2], 4)]);
/// let best = formula.ask().solver(|| Plain(BatSat::default())).minimum()?.expect("there are solutions");
/// assert_eq!(best.value, 2);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Plain<S>(pub S);

/// Interrupts nothing.
#[derive(Clone, Copy, Debug)]
pub struct Never;

impl InterruptSolver for Never {
    fn interrupt(&self) {}
}

impl<S> Interrupt for Plain<S> {
    type Interrupter = Never;

    fn interrupter(&mut self) -> Never {
        Never
    }
}

hand_on!(Plain<S>, S);

/// A solver that can be asked once, such as Kissat or rustsat's `ExternalSolver`, as a [`Solver`](super::Solver): each
/// question goes to a new one, made by a function.
///
/// It keeps a copy of all clauses. Nothing is learnt from one question to the next, and an unsatisfiable core is all
/// assumptions; so to optimise, take `Strategy::SolutionImproving`. Its conflicts are not counted. A
/// solver that nothing interrupts is made in [`Plain`].
///
/// ```
/// # fn main() -> Result<(), cnfkit::SolveError> {
/// use cnfkit::solvers::{Anew, BatSat};
/// use cnfkit::{ClauseSink, Limits, SolverSink};
/// let mut sink = SolverSink::owned(Anew::new(BatSat::default));
/// let x = sink.new_lits(2);
/// sink.add_clause(&x)?;
/// assert!(sink.solve(&Limits::none(), &[!x[0]])?);
/// assert!(!sink.solve(&Limits::none(), &[!x[0], !x[1]])?);
/// assert_eq!(sink.core()?, [!x[0], !x[1]]);
/// # Ok(())
/// # }
/// ```
pub struct Anew<F, S> {
    make: F,
    solver: Option<S>,
    clauses: Cnf,
    n_vars: usize,
    assumptions: Vec<Lit>,
    running: Arc<RunningInterrupter>,
}

/// The interrupter of the solver that runs.
type RunningInterrupter = Mutex<Option<Box<dyn InterruptSolver + Send>>>;

impl<F: FnMut() -> S, S> Anew<F, S> {
    /// New solvers are made by `make`.
    pub fn new(make: F) -> Self {
        Self { make, solver: None, clauses: Cnf::new(), n_vars: 0, assumptions: Vec::new(), running: Arc::default() }
    }
}

impl<F, S> fmt::Debug for Anew<F, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Anew").field("clauses", &self.clauses.n_clauses()).finish_non_exhaustive()
    }
}

/// Interrupts the search of an [`Anew`] that runs.
pub struct InterruptAnew(Arc<RunningInterrupter>);

impl fmt::Debug for InterruptAnew {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("InterruptAnew")
    }
}

fn locked(running: &RunningInterrupter) -> MutexGuard<'_, Option<Box<dyn InterruptSolver + Send>>> {
    running.lock().unwrap_or_else(PoisonError::into_inner)
}

impl InterruptSolver for InterruptAnew {
    fn interrupt(&self) {
        if let Some(interrupter) = &*locked(&self.0) {
            interrupter.interrupt();
        }
    }
}

impl<F, S> Interrupt for Anew<F, S> {
    type Interrupter = InterruptAnew;

    fn interrupter(&mut self) -> InterruptAnew {
        InterruptAnew(Arc::clone(&self.running))
    }
}

impl<F: FnMut() -> S, S: Solve + Interrupt> Extend<Clause> for Anew<F, S> {
    fn extend<T: IntoIterator<Item = Clause>>(&mut self, clauses: T) {
        clauses.into_iter().for_each(|clause| self.add_clause_ref(&clause).expect("room for a clause"));
    }
}

impl<'a, F: FnMut() -> S, S: Solve + Interrupt> Extend<&'a Clause> for Anew<F, S> {
    fn extend<T: IntoIterator<Item = &'a Clause>>(&mut self, clauses: T) {
        clauses.into_iter().for_each(|clause| self.add_clause_ref(clause).expect("room for a clause"));
    }
}

impl<F: FnMut() -> S, S: Solve + Interrupt> Solve for Anew<F, S> {
    fn signature(&self) -> &'static str {
        self.solver.as_ref().map_or("a new solver each time", Solve::signature)
    }

    fn reserve(&mut self, max_var: Var) -> anyhow::Result<()> {
        self.n_vars = self.n_vars.max(max_var.idx() + 1);
        Ok(())
    }

    fn solve(&mut self) -> anyhow::Result<SolverResult> {
        self.solve_assumps(&[])
    }

    fn lit_val(&self, lit: Lit) -> anyhow::Result<TernaryVal> {
        match &self.solver {
            Some(solver) => solver.lit_val(lit),
            None => anyhow::bail!("not asked yet"),
        }
    }

    fn add_clause_ref<C: AsRef<Cl> + ?Sized>(&mut self, clause: &C) -> anyhow::Result<()> {
        self.solver = None;
        Ok(self.clauses.add_clause(AsRef::<[Lit]>::as_ref(clause.as_ref()))?)
    }
}

impl<F: FnMut() -> S, S: Solve + Interrupt> SolveIncremental for Anew<F, S> {
    fn solve_assumps(&mut self, assumps: &[Lit]) -> anyhow::Result<SolverResult> {
        self.solver = None;
        self.assumptions = assumps.to_vec();
        let mut solver = (self.make)();
        if let Some(highest) = self.n_vars.max(self.clauses.n_vars()).checked_sub(1) {
            solver.reserve(Var::new(highest as u32))?;
        }
        for clause in self.clauses.clauses().chain(assumps.chunks(1)) {
            solver.add_clause_ref(Cl::new(clause))?;
        }
        *locked(&self.running) = Some(Box::new(solver.interrupter()));
        let answer = solver.solve();
        *locked(&self.running) = None;
        self.solver = Some(solver);
        answer
    }

    /// All assumptions: such a solver does not say which.
    fn core(&mut self) -> anyhow::Result<Vec<Lit>> {
        Ok(self.assumptions.iter().map(|&lit| !lit).collect())
    }
}

/// Stand-ins for the traits that a solver lacks: hints are passed over, limits are none, and counts are 0.
#[doc(hidden)]
#[macro_export]
macro_rules! lacking {
    ($solver:ident $(<$($parameter:ident),+>)?) => {
        impl$(<$($parameter),+>)? LimitConflicts for $solver$(<$($parameter),+>)? {
            fn limit_conflicts(&mut self, _: Option<u32>) -> anyhow::Result<()> {
                Ok(())
            }
        }

        impl$(<$($parameter),+>)? PhaseLit for $solver$(<$($parameter),+>)? {
            fn phase_lit(&mut self, _: Lit) -> anyhow::Result<()> {
                Ok(())
            }

            fn unphase_var(&mut self, _: Var) -> anyhow::Result<()> {
                Ok(())
            }
        }

        impl$(<$($parameter),+>)? GetInternalStats for $solver$(<$($parameter),+>)? {
            fn propagations(&self) -> usize {
                0
            }

            fn decisions(&self) -> usize {
                0
            }

            fn conflicts(&self) -> usize {
                0
            }
        }
    };
}

lacking!(Plain<S>);
lacking!(Anew<F, S>);
