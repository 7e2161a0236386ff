//! The least or greatest value of a formula's objective, in one solver that never starts over. The greatest is the
//! least of all weights negated.
//!
//! Two strategies share [`Search`], which holds the incumbent, the bounds on both sides, and the limits.
//!
//! * **Solution-improving search** (`improving`) asks for a better solution until there is none.
//! * **Core-guided search** (`core_guided`) asks for a solution of cost zero, relaxes each unsatisfiable core and
//!   raises the lower bound, until there is a solution.
//!
//! A result is optimal when both bounds are equal, or when the solver has shown that nothing better exists.

mod core_guided;
mod improving;
mod objective;
mod polish;

use rustsat::types::{self, Lit, TernaryVal};

use self::objective::Objective;
use crate::session::Oracle;
use cnfkit_core::internals::Clock;
use cnfkit_core::{Assignment, Formula, Limits, SolveError};

/// The way in which the least value is searched for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Strategy {
    /// Core-guided search with stratification, where each incumbent is polished by short SAT calls: the default. With a
    /// solver that forgets its learnt clauses (Kissat), solution-improving search.
    #[default]
    Auto,
    /// Solution-improving search: better and better incumbents, each asked for by a bound on a
    /// [`WeightedCounter`](cnfkit_core::WeightedCounter).
    ///
    /// Strata of a Boolean multilevel (lexicographic) objective, weights each above the sum of all lighter ones, are
    /// minimised one after the other, the heaviest first. The lower bound moves only between them.
    #[doc(alias = "linear SAT-UNSAT")]
    SolutionImproving,
    /// Core-guided search: unsatisfiable cores are relaxed, each of which raises the lower bound and is counted from
    /// then on (OLL), heavy weights first (stratification).
    ///
    /// Sources: B. Andres, B. Kaufmann, O. Matheis, T. Schaub, *Unsatisfiability-Based Optimization in clasp*, ICLP
    /// 2012 (technical communications), pages 211–221; A. Morgado, C. Dodaro, J. Marques-Silva, *Core-Guided `MaxSAT`
    /// with Soft Cardinality Constraints*, CP 2014, LNCS 8656, pages 564–573; A. Ignatiev, A. Morgado, J.
    /// Marques-Silva, *RC2: an Efficient `MaxSAT` Solver*, Journal on Satisfiability, Boolean Modeling and Computation
    /// 11(1), 2019, pages 53–64.
    #[doc(alias = "OLL")]
    #[doc(alias = "RC2")]
    CoreGuided,
}

/// A limit that ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Stopped {
    /// The time was over.
    Time,
    /// The flag was raised.
    Cancelled,
    /// The conflicts were used up.
    Conflicts,
}

/// A solution that is better than all before it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Improvement<'a> {
    /// The solution.
    pub model: &'a Assignment,
    /// The value of the objective.
    pub value: i128,
    /// The optimum is not below this: what is proven so far where the least value is asked for.
    pub lower_bound: i128,
    /// The optimum is not above this: what is proven so far where the greatest value is asked for.
    pub upper_bound: i128,
    /// The conflicts of the solver so far.
    pub conflicts: u64,
}

/// The best solution that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Optimum {
    /// The solution, over the variables of the formula.
    pub model: Assignment,
    /// The value of the objective.
    pub value: i128,
    /// The optimum is not below this. Equal to `value` if this is an optimum, or the greatest value was asked for.
    pub lower_bound: i128,
    /// The optimum is not above this. Equal to `value` if this is an optimum, or the least value was asked for.
    pub upper_bound: i128,
    /// The limit that ended the search, if it is not known that there is nothing better.
    pub stopped: Option<Stopped>,
    /// The conflicts of the solver in all.
    pub conflicts: u64,
}

impl Optimum {
    /// True if the solver has shown that no solution is better.
    #[must_use]
    pub const fn is_optimal(&self) -> bool {
        self.stopped.is_none()
    }
}

/// A search for the least value of a formula's [objective](Formula::objective), made by [`Formula::search_minimum`].
///
/// ```
/// use cnfkit::ask::Strategy;
/// use cnfkit::{ClauseSink, Formula, Optimise};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut formula = Formula::new();
/// let x = formula.new_lits(4);
/// for (a, b) in [(0, 1), (1, 2), (2, 3)] {
///     formula.add_clause(&[x[a], x[b]])?; // one end of every edge
/// }
/// formula.set_objective([(x[0], 3), (x[1], 5), (x[2], 2), (x[3], 7)]);
/// let mut values = Vec::new();
/// let search = formula.search_minimum().strategy(Strategy::SolutionImproving);
/// let best = search.on_improvement(|better| values.push(better.value)).solve()?.expect("there are solutions");
/// assert!(best.is_optimal() && best.model.is_true(x[0]) && best.model.is_true(x[2]));
/// assert_eq!((best.value, best.lower_bound, values.last()), (5, 5, Some(&5)));
/// # Ok(())
/// # }
/// ```
#[must_use = "a search is started by `solve`"]
pub struct Minimise<'a> {
    formula: &'a Formula,
    /// 1 for the least value, −1 for the greatest.
    sign: i8,
    strategy: Strategy,
    limits: Limits,
    conflicts: u64,
    on_improvement: Option<Box<dyn FnMut(&Improvement<'_>) + 'a>>,
}

impl std::fmt::Debug for Minimise<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { sign, strategy, limits, conflicts, .. } = self;
        let mut text = f.debug_struct("Minimise");
        text.field("sign", sign)
            .field("strategy", strategy)
            .field("limits", limits)
            .field("conflicts", conflicts)
            .finish_non_exhaustive()
    }
}

/// The least or greatest value of a [`Formula`]'s objective, asked for by methods of the formula itself.
///
/// Nothing but a [`Formula`] implements it.
pub trait Optimise: crate::sealed::Sealed {
    /// A solution with the least value of the [objective](Formula::objective), or `None` when the formula is proven
    /// unsatisfiable. Without an objective, any solution has the value 0.
    ///
    /// ```
    /// use cnfkit::{CardEncoding, ClauseSink, Constrain, Formula, Optimise};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(5);
    /// formula.at_least(&x, 3, &CardEncoding::Auto)?;
    /// formula.set_objective((1..).zip(&x).map(|(weight, &lit)| (lit, weight * weight)));
    /// let best = formula.minimum()?.expect("there are solutions");
    /// assert_eq!(best.value, 1 + 4 + 9);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When the solver fails, or the formula is larger than its limit.
    fn minimum(&self) -> Result<Option<Optimum>, SolveError> {
        self.search_minimum().solve()
    }

    /// A solution with the greatest value of the [objective](Formula::objective): as [`minimum`](Self::minimum).
    ///
    /// ```
    /// use cnfkit::{ClauseSink, Constrain, Formula, Optimise, PbEncoding};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(3);
    /// formula.pb_at_most(&[(x[0], 4), (x[1], 3), (x[2], 2)], 6, &PbEncoding::Auto)?;
    /// formula.set_objective([(x[0], 10), (x[1], 7), (x[2], 6)]);
    /// let best = formula.maximum()?.expect("there are solutions");
    /// assert_eq!((best.value, best.upper_bound), (16, 16));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`minimum`](Self::minimum).
    #[doc(alias = "maximise")]
    fn maximum(&self) -> Result<Option<Optimum>, SolveError> {
        self.search_maximum().solve()
    }

    /// A search for the least value of the [objective](Formula::objective), with a choice of the way and of limits.
    fn search_minimum(&self) -> Minimise<'_>;

    /// A search for the greatest value of the [objective](Formula::objective), with a choice of the way and of limits.
    fn search_maximum(&self) -> Minimise<'_> {
        Minimise { sign: -1, ..self.search_minimum() }
    }
}

impl Optimise for Formula {
    fn search_minimum(&self) -> Minimise<'_> {
        Minimise {
            formula: self,
            sign: 1,
            strategy: Strategy::default(),
            limits: Limits::none(),
            conflicts: u64::MAX,
            on_improvement: None,
        }
    }
}

impl<'a> Minimise<'a> {
    /// Searches in this way.
    pub const fn strategy(mut self, strategy: Strategy) -> Self {
        self.strategy = strategy;
        self
    }

    /// Limits the time, from when the search starts, and sets the flag that cancels it.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Limits the conflicts of the solver, all its questions together. Glucose looks at the limit when it restarts, and
    /// so may overrun it by some hundred; Kissat takes none.
    pub const fn conflicts(mut self, conflicts: u64) -> Self {
        self.conflicts = conflicts;
        self
    }

    /// Calls `report` for each solution that is better than all before it, as soon as it is found.
    pub fn on_improvement(mut self, report: impl FnMut(&Improvement<'_>) + 'a) -> Self {
        self.on_improvement = Some(Box::new(report));
        self
    }

    /// Searches with the [default solver](cnfkit_core::solvers::DefaultSolver): the best solution found, or `None` when
    /// the formula is proven unsatisfiable.
    ///
    /// A limit that is reached after the first solution is no error: the result says that it
    /// [was](Optimum::stopped), and how good the solution is at least.
    ///
    /// # Errors
    /// [`SolveError::Interrupted`] when a limit is reached before any solution is found; otherwise when the solver
    /// fails, or the formula is larger than its limit.
    pub fn solve(self) -> Result<Option<Optimum>, SolveError> {
        #[cfg(any(feature = "batsat", not(any(feature = "cadical", feature = "glucose", feature = "minisat"))))]
        return self.run(crate::session::Session::new(crate::session::Choices::default()));
        #[cfg(all(not(feature = "batsat"), any(feature = "cadical", feature = "glucose", feature = "minisat")))]
        return self.solve_with(cnfkit_core::solvers::DefaultSolver::default());
    }

    /// Searches with another solver than the default one, which has no clauses yet: as [`solve`](Self::solve).
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    #[cfg(any(feature = "cadical", feature = "glucose", feature = "minisat"))]
    pub fn solve_with<S>(self, solver: S) -> Result<Option<Optimum>, SolveError>
    where
        S: rustsat::solvers::SolveIncremental
            + rustsat::solvers::Interrupt
            + rustsat::solvers::LimitConflicts
            + rustsat::solvers::PhaseLit
            + rustsat::solvers::GetInternalStats,
    {
        self.run(crate::session::Behind::new(solver))
    }

    /// Searches the variables that occur, where these are few: the others are false.
    fn run<O: Oracle>(self, oracle: O) -> Result<Option<Optimum>, SolveError> {
        let Some((formula, used)) = self.formula.without_gaps()? else { return self.run_whole(oracle) };
        let n_vars = self.formula.n_vars();
        let with_others = |model: &Assignment| {
            let mut values = vec![TernaryVal::False; n_vars];
            let given = |at: u32| TernaryVal::from(model.is_true(Lit::positive(at)));
            (0..).zip(&used).for_each(|(at, &var)| values[var as usize] = given(at));
            Assignment::from(types::Assignment::from(values))
        };
        let Self { sign, strategy, limits, conflicts, on_improvement, .. } = self;
        let mut search = Minimise { sign, strategy, limits, conflicts, ..formula.search_minimum() };
        if let Some(mut report) = on_improvement {
            search =
                search.on_improvement(move |found| report(&Improvement { model: &with_others(found.model), ..*found }));
        }
        let best = search.run_whole(oracle)?;
        Ok(best.map(|best| Optimum { model: with_others(&best.model), ..best }))
    }

    fn run_whole<O: Oracle>(self, oracle: O) -> Result<Option<Optimum>, SolveError> {
        let clock = self.limits.start();
        let mut search = Search {
            oracle,
            sign: self.sign.into(),
            objective: Objective::new(
                self.formula.objective().iter().map(|&(lit, weight)| (lit, i128::from(self.sign) * i128::from(weight))),
            ),
            n_vars: self.formula.n_vars(),
            best: None,
            lower: 0,
            most_conflicts: self.conflicts,
            clock,
            report: self.on_improvement,
        };
        match search.run(self.formula, self.strategy) {
            Err(SolveError::Interrupted) => search.stopped(),
            Err(error) => Err(error),
            Ok(()) => Ok(search.result(None)),
        }
    }
}

/// The state that both strategies share: the solver, the incumbent, the bounds, the limits.
struct Search<'a, O> {
    oracle: O,
    sign: i128,
    /// With all weights negated where the greatest value is asked for.
    objective: Objective,
    n_vars: usize,
    /// The best solution, and its cost.
    best: Option<(Assignment, u128)>,
    /// No solution costs less.
    lower: u128,
    /// The conflicts that all questions together may take.
    most_conflicts: u64,
    clock: Clock,
    report: Option<Box<dyn FnMut(&Improvement<'_>) + 'a>>,
}

impl<O: Oracle> Search<'_, O> {
    fn run(&mut self, formula: &Formula, strategy: Strategy) -> Result<(), SolveError> {
        self.load(formula)?;
        if !self.holds(&[])? {
            return Ok(());
        }
        match strategy {
            Strategy::SolutionImproving => self.improve(u64::MAX),
            Strategy::CoreGuided => self.core_guided(false),
            Strategy::Auto if !O::KEEPS_WHAT_IT_LEARNS => self.improve(u64::MAX),
            Strategy::Auto => self.core_guided(true),
        }
    }

    /// The formula, with the variables of the objective tried first where they cost nothing.
    fn load(&mut self, formula: &Formula) -> Result<(), SolveError> {
        self.clock.check()?;
        self.oracle.watch(&self.clock);
        let mut terms = self.objective.terms.iter().peekable();
        for var in 0..self.n_vars as u32 {
            let toward = terms.next_if(|(lit, _)| lit.vidx32() == var).map(|(lit, _)| lit.is_neg());
            self.oracle.new_var_toward(toward)?;
        }
        formula.encode_into(&mut self.oracle)
    }

    /// Asks the solver; takes note of a solution that is better than all before it.
    fn holds(&mut self, assumptions: &[Lit]) -> Result<bool, SolveError> {
        self.holds_within(assumptions, u64::MAX)?.ok_or(SolveError::Interrupted)
    }

    /// [`holds`](Self::holds) with a limit on conflicts: `None` if those did not do.
    fn holds_within(&mut self, assumptions: &[Lit], conflicts: u64) -> Result<Option<bool>, SolveError> {
        self.clock.check()?;
        let left = self.most_conflicts.saturating_sub(self.oracle.conflicts());
        if left == 0 {
            return Err(SolveError::Interrupted);
        }
        let answer = self.oracle.ask(assumptions, conflicts.min(left))?;
        match answer {
            Some(true) => self.note_solution(),
            None if left <= conflicts => return Err(SolveError::Interrupted),
            Some(false) | None => {}
        }
        Ok(answer)
    }

    fn note_solution(&mut self) {
        let cost = self.objective.cost(|lit| self.oracle.is_true(lit));
        if self.best.as_ref().is_some_and(|&(_, best)| best <= cost) {
            return;
        }
        let value = |var| TernaryVal::from(self.oracle.is_true(Lit::positive(var)));
        let model = Assignment::from((0..self.n_vars as u32).map(value).collect::<types::Assignment>());
        let [value, lower_bound, upper_bound] = self.bounds(cost);
        let (model, _) = self.best.insert((model, cost));
        if let Some(report) = &mut self.report {
            report(&Improvement { model, value, lower_bound, upper_bound, conflicts: self.oracle.conflicts() });
        }
    }

    /// The value of a cost, and the bounds on the optimum where that is the least cost so far.
    fn bounds(&self, cost: u128) -> [i128; 3] {
        let [value, proven] = [cost, self.lower].map(|cost| self.sign * self.objective.value(cost));
        [value, value.min(proven), value.max(proven)]
    }

    /// The cost of the best solution; there is one.
    fn upper(&self) -> u128 {
        self.best.as_ref().map_or(u128::MAX, |&(_, cost)| cost)
    }

    /// True if the best solution is optimal.
    fn is_closed(&self) -> bool {
        self.lower >= self.upper()
    }

    /// No better solution costs less than so much more than before. There may be others as good as the best one: what
    /// costs as much may be excluded by then.
    fn raise(&mut self, more: u128) {
        self.lower = self.lower.saturating_add(more).min(self.upper());
    }

    /// The solver has shown that nothing is better than the best solution.
    fn close(&mut self) {
        self.lower = self.upper();
    }

    /// The result of a search that a limit ended.
    fn stopped(self) -> Result<Option<Optimum>, SolveError> {
        let stopped = match () {
            () if self.is_closed() => None,
            () if self.clock.is_cancelled() => Some(Stopped::Cancelled),
            () if self.clock.is_over() => Some(Stopped::Time),
            () => Some(Stopped::Conflicts),
        };
        if self.best.is_none() { Err(SolveError::Interrupted) } else { Ok(self.result(stopped)) }
    }

    fn result(self, stopped: Option<Stopped>) -> Option<Optimum> {
        let conflicts = self.oracle.conflicts();
        let [value, lower_bound, upper_bound] = self.best.as_ref().map(|&(_, cost)| self.bounds(cost))?;
        let (model, _) = self.best?;
        Some(Optimum { model, value, lower_bound, upper_bound, stopped, conflicts })
    }
}

#[cfg(test)]
mod tests;
