//! The least value of a formula's objective, in one solver that never starts over.
//!
//! Two strategies share [`Search`], which holds the incumbent, the bounds on both sides, and the limits.
//!
//! * **Solution-improving search** (`improving`) asks for a better solution until there is none.
//! * **Core-guided search** (`core_guided`) asks for a solution of cost zero, relaxes each unsatisfiable core and
//!   raises the lower bound, until there is a solution.
//!
//! An objective whose bounds need no counter, a number by its bits or a ladder of literals, is searched from both sides
//! (`bounded`).
//!
//! A result is optimal when both bounds are equal, or when the solver has shown that nothing better exists.

mod bounded;
mod core_guided;
mod improving;
mod objective;
mod polish;

use rustsat::types::{self, Lit, TernaryVal};

use self::bounded::Ladder;
use self::objective::Objective;
use crate::session::{Oracle, Violated, refuted};
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
    /// No solution has a value below this.
    pub lower_bound: i128,
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
    /// No solution has a value below this. Equal to `value` if this is an optimum.
    pub lower_bound: i128,
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
    strategy: Strategy,
    limits: Limits,
    conflicts: u64,
    on_improvement: Option<Box<dyn FnMut(&Improvement<'_>) + 'a>>,
    lazy: Option<Box<Violated<'a>>>,
    is_ladder: bool,
    #[cfg(feature = "batsat")]
    attached: Option<Box<dyn crate::session::LazyClauses>>,
}

impl std::fmt::Debug for Minimise<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { strategy, limits, conflicts, .. } = self;
        let mut text = f.debug_struct("Minimise");
        text.field("strategy", strategy).field("limits", limits).field("conflicts", conflicts).finish_non_exhaustive()
    }
}

/// The least value of a [`Formula`]'s objective, asked for by methods of the formula itself.
///
/// Nothing but a [`Formula`] implements it.
pub trait Optimise: sealed::Sealed {
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

    /// A search for the least value of the [objective](Formula::objective), with a choice of the way and of limits.
    fn search_minimum(&self) -> Minimise<'_>;
}

impl Optimise for Formula {
    fn search_minimum(&self) -> Minimise<'_> {
        Minimise {
            formula: self,
            strategy: Strategy::default(),
            limits: Limits::none(),
            conflicts: u64::MAX,
            on_improvement: None,
            lazy: None,
            is_ladder: false,
            #[cfg(feature = "batsat")]
            attached: None,
        }
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for cnfkit_core::Formula {}
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

    /// Constraints that are not in the formula: each model is shown to `violated` before it counts as a solution, which
    /// answers with clauses over variables of the formula that the model violates, none if it is a solution. The
    /// clauses are kept.
    ///
    /// ```
    /// use cnfkit::{ClauseSink, Formula, Lit, Optimise};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(4);
    /// formula.set_objective(x.iter().map(|&lit| (lit, 1)));
    /// let two = |is_true: &dyn Fn(Lit) -> bool| {
    ///     let open: Vec<Lit> = x.iter().copied().filter(|&lit| !is_true(lit)).collect();
    ///     Ok(if open.len() > 2 { vec![open] } else { Vec::new() }) // at least two, by clauses of three
    /// };
    /// let best = formula.search_minimum().lazy(two).solve()?.expect("there are solutions");
    /// assert_eq!((best.value, best.lower_bound), (2, 2));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// A clause that the model does not violate is a [`SolveError::Solver`] of a
    /// [`NotViolated`](crate::NotViolated).
    pub fn lazy(
        mut self,
        violated: impl FnMut(&dyn Fn(Lit) -> bool) -> Result<Vec<Vec<Lit>>, SolveError> + 'a,
    ) -> Self {
        self.lazy = Some(Box::new(violated));
        self
    }

    /// Each literal of the objective implies the one before it, in the order of variables, or against it where all are
    /// negative: then each bound is a literal.
    #[cfg(feature = "internals")]
    #[doc(hidden)]
    pub const fn ladder(mut self) -> Self {
        self.is_ladder = true;
        self
    }

    /// Clauses over the formula's variables that answer for themselves while BatSat searches; other solvers than the
    /// default one do not heed them.
    #[cfg(all(feature = "batsat", feature = "internals"))]
    #[doc(hidden)]
    pub fn attach(mut self, clauses: Box<dyn crate::session::LazyClauses>) -> Self {
        self.attached = Some(clauses);
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
        {
            #[cfg_attr(not(feature = "batsat"), allow(unused_mut))]
            let (mut search, mut session) = (self, crate::session::Session::new(crate::session::Choices::default()));
            #[cfg(feature = "batsat")]
            if let Some(clauses) = search.attached.take() {
                session.attach(clauses);
                return search.run_whole(session); // they speak of variables as they are
            }
            search.run(session)
        }
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
        if self.lazy.is_some() {
            return self.run_whole(oracle); // its clauses speak of variables as they are
        }
        let Some((formula, used)) = self.formula.without_gaps()? else { return self.run_whole(oracle) };
        let n_vars = self.formula.n_vars();
        let with_others = |model: &Assignment| {
            let mut values = vec![TernaryVal::False; n_vars];
            let given = |at: u32| TernaryVal::from(model.is_true(Lit::positive(at)));
            (0..).zip(&used).for_each(|(at, &var)| values[var as usize] = given(at));
            Assignment::from(types::Assignment::from(values))
        };
        let Self { strategy, limits, conflicts, on_improvement, is_ladder, .. } = self;
        let mut search = Minimise { strategy, limits, conflicts, is_ladder, ..formula.search_minimum() };
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
            objective: Objective::new(self.formula.objective()),
            n_vars: self.formula.n_vars(),
            best: None,
            lower: 0,
            most_conflicts: self.conflicts,
            clock,
            report: self.on_improvement,
            lazy: self.lazy,
            is_ladder: self.is_ladder,
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
    lazy: Option<Box<Violated<'a>>>,
    is_ladder: bool,
}

impl<O: Oracle> Search<'_, O> {
    fn run(&mut self, formula: &Formula, strategy: Strategy) -> Result<(), SolveError> {
        self.load(formula)?;
        if !self.holds(&[])? {
            return Ok(());
        }
        let bits = || Ladder::bits(&self.objective);
        let ladder = if self.is_ladder { Some(Ladder::steps(&self.objective)) } else { bits() };
        match (strategy, ladder) {
            (Strategy::SolutionImproving, Some(ladder @ Ladder::Steps(_))) => return self.step_by_step(&ladder),
            (Strategy::Auto, Some(ladder)) => return self.between_bounds(&ladder),
            _ => {}
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
        let start = self.oracle.conflicts();
        loop {
            let used = self.oracle.conflicts();
            let left = self.most_conflicts.saturating_sub(used);
            if left == 0 {
                return Err(SolveError::Interrupted);
            }
            // Models that were refuted count, too: one conflict at least.
            let own = conflicts.saturating_sub(used - start).max(1);
            let answer = self.oracle.ask(assumptions, own.min(left))?;
            match answer {
                Some(true) => {
                    if self.is_refuted()? {
                        self.clock.check()?;
                        continue;
                    }
                    self.note_solution();
                }
                None if left <= own => return Err(SolveError::Interrupted),
                Some(false) | None => {}
            }
            return Ok(answer);
        }
    }

    /// True if the last model violates a lazy constraint; then the clauses that say so were added.
    fn is_refuted(&mut self) -> Result<bool, SolveError> {
        let Some(lazy) = &mut self.lazy else { return Ok(false) };
        let clauses = refuted(&|lit| self.oracle.is_true(lit), &mut **lazy)?;
        clauses.iter().try_for_each(|clause| self.oracle.add_clause(clause))?;
        Ok(!clauses.is_empty())
    }

    fn note_solution(&mut self) {
        let cost = self.objective.cost(|lit| self.oracle.is_true(lit));
        if self.best.as_ref().is_some_and(|&(_, best)| best <= cost) {
            return;
        }
        let value = |var| TernaryVal::from(self.oracle.is_true(Lit::positive(var)));
        let model = Assignment::from((0..self.n_vars as u32).map(value).collect::<types::Assignment>());
        let (model, _) = self.best.insert((model, cost));
        if let Some(report) = &mut self.report {
            report(&Improvement {
                model,
                value: self.objective.value(cost),
                lower_bound: self.objective.value(self.lower),
                conflicts: self.oracle.conflicts(),
            });
        }
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
        let lower_bound = self.objective.value(self.lower);
        let (model, cost) = self.best?;
        Some(Optimum { model, value: self.objective.value(cost), lower_bound, stopped, conflicts })
    }
}

#[cfg(test)]
mod tests;
