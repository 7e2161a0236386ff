//! [`Minimise`]: the options of a search, and its start.

use std::time::{Duration, Instant};

use rustsat::types::{self, Lit, TernaryVal};

use super::incumbent::Incumbent;
use super::optimum::{Improvement, Optimum, Progress};
use super::{MinimumSearch, ReportRate};
use crate::lazy::Violated;
use cnfkit_core::internals::{Asking, Choices, Clock, LazyClauses, NormalSum, Patience, Session, gcd};
use cnfkit_core::{Assignment, Formula, SolveError, Strategy};

/// The shortest time between two reports on a search: each of them interrupts the solver.
const LEAST_PAUSE: Duration = Duration::from_millis(10);
/// The default solver starts every question from nothing, and its cores are all assumptions.
const FORGETS: bool = cfg!(not(any(feature = "batsat", feature = "cadical", feature = "glucose", feature = "minisat")));

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
    asking: Asking,
    /// Added to the value of the objective.
    constant: i128,
    /// The clock of a question that this search is part of.
    clock: Option<Clock>,
    on_improvement: Option<Box<dyn FnMut(&Improvement<'_>) + 'a>>,
    lazy: Option<Box<Violated<'a>>>,
    is_ladder: bool,
    choices: Choices,
    attached: Option<Box<dyn LazyClauses>>,
    on_progress: Option<(Duration, Box<dyn FnMut(&Progress) + 'a>)>,
}

impl std::fmt::Debug for Minimise<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { sign, strategy, asking, .. } = self;
        let mut text = f.debug_struct("Minimise");
        text.field("sign", sign).field("strategy", strategy).field("asking", asking).finish_non_exhaustive()
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
            asking: Asking::default(),
            constant: 0,
            clock: None,
            on_improvement: None,
            lazy: None,
            is_ladder: false,
            choices: Choices::default(),
            attached: None,
            on_progress: None,
        }
    }
}

impl<'a> Minimise<'a> {
    cnfkit_core::asking_methods!();

    /// Searches in this way.
    pub const fn strategy(mut self, strategy: Strategy) -> Self {
        self.strategy = strategy;
        self
    }

    /// Counts and sums of the formula are watched instead of encoded, as [`Ask::watched`](crate::Ask::watched) says.
    ///
    /// ```
    /// use cnfkit::{ClauseSink, Constrain, Formula, Optimise, PbEncoding};
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(8);
    /// let terms: Vec<_> = x.iter().copied().zip([7_u64, 6, 5, 5, 4, 3, 2, 1]).collect();
    /// formula.pb_at_most(&terms, 16, PbEncoding::Auto)?;
    /// formula.set_objective(x.iter().zip([9, 8, 6, 6, 5, 3, 2, 1]).map(|(&lit, value)| (lit, value)));
    /// let best = formula.search_maximum().watched().solve()?.expect("nothing is taken");
    /// assert_eq!((best.value, best.is_optimal()), (20, true));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn watched(self) -> Self {
        self.watched_for(Patience::default())
    }

    pub(crate) const fn watched_for(mut self, patience: Patience) -> Self {
        self.choices.watches = Some(patience);
        self
    }

    /// Adds this to the value of the objective.
    #[doc(hidden)]
    pub const fn plus(mut self, constant: i128) -> Self {
        self.constant = constant;
        self
    }

    /// Runs as part of a question, whose clock ends it and whose solver it takes.
    #[doc(hidden)]
    pub fn within(mut self, clock: Clock) -> Self {
        self.clock = Some(clock);
        self
    }

    /// Calls `report` for each solution that is better than all before it, as soon as it is found; and again for the
    /// best one when a better bound is proven, at most ten times a second and at the end.
    ///
    /// ```
    /// use cnfkit::{CardEncoding, ClauseSink, Constrain, Formula, Optimise};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(6);
    /// formula.at_least(&x, 2, &CardEncoding::Auto)?;
    /// formula.set_objective(x.iter().map(|&lit| (lit, 5)));
    /// let mut last = None;
    /// let search = formula.search_minimum().on_improvement(|found| last = Some((found.value, found.lower_bound)));
    /// search.solve()?;
    /// assert_eq!(last, Some((10, 10)));
    /// # Ok(())
    /// # }
    /// ```
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
    #[doc(hidden)]
    pub const fn ladder(mut self) -> Self {
        self.is_ladder = true;
        self
    }

    /// Clauses over the formula's variables that answer for themselves while BatSat searches; other solvers than the
    /// default one do not heed them.
    #[doc(hidden)]
    pub fn attach(mut self, clauses: Box<dyn LazyClauses>) -> Self {
        self.attached = Some(clauses);
        self
    }

    /// Calls `report` about so often, and every 10 milliseconds at most. For that the solver is interrupted and goes
    /// on, so that a search takes another course with it, and not always the same one.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use cnfkit::{ClauseSink, Formula, Limits, Optimise};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(400);
    /// for (i, pair) in x.windows(2).enumerate() {
    ///     formula.add_clause(&[pair[0], pair[1], x[i * 37 % 400]])?;
    ///     formula.add_clause(&[pair[0], x[i * 61 % 400], x[i * 89 % 400]])?;
    /// }
    /// formula.set_objective((0..).zip(&x).map(|(i, &lit)| (lit, i * 7 % 23 + 1)));
    /// let mut bounds = Vec::new();
    /// let search = formula.search_minimum().limits(Limits::none().time(Duration::from_secs(1)));
    /// let search = search.on_progress(Duration::from_millis(20), |now| bounds.push(now.lower_bound.unwrap()));
    /// let best = search.solve()?.expect("a second is enough for some solution");
    /// assert!(bounds.is_sorted() && bounds.iter().all(|&bound| bound <= best.lower_bound));
    /// # Ok(())
    /// # }
    /// ```
    pub fn on_progress(mut self, every: Duration, report: impl FnMut(&Progress) + 'a) -> Self {
        self.on_progress = Some((every.max(LEAST_PAUSE), Box::new(report)));
        self
    }

    /// The best solution found, or `None` when the formula is proven unsatisfiable.
    ///
    /// A limit that is reached after the first solution is no error: the result says that it
    /// [was](Optimum::stopped), and how good the solution is at least.
    ///
    /// # Errors
    /// [`SolveError::Interrupted`] when a limit is reached before any solution is found; otherwise when the solver
    /// fails, or the formula is larger than its limit.
    pub fn solve(mut self) -> Result<Option<Optimum>, SolveError> {
        let clock = self.clock.take().unwrap_or_else(|| self.asking.start());
        if FORGETS && !clock.engine().is_chosen() && self.strategy == Strategy::Auto {
            self.strategy = Strategy::SolutionImproving;
        }
        if self.attached.is_some() {
            self.choices.watches = None; // BatSat heeds one theory
        }
        let mut session = Session::on(&clock, self.choices);
        if let Some(clauses) = self.attached.take() {
            // They speak of variables as they are.
            if !session.attach(clauses) {
                return Err(SolveError::solver("only BatSat heeds clauses that are not written"));
            }
            return self.run_whole(session, &clock);
        }
        self.run(session, &clock)
    }

    /// Searches the variables that occur, where these are few: the others are false.
    fn run(self, session: Session, clock: &Clock) -> Result<Option<Optimum>, SolveError> {
        if self.lazy.is_some() {
            return self.run_whole(session, clock); // its clauses speak of variables as they are
        }
        let Some((formula, used)) = self.formula.without_gaps()? else { return self.run_whole(session, clock) };
        let n_vars = self.formula.n_vars();
        let with_others = |model: &Assignment| {
            let mut values = vec![TernaryVal::False; n_vars];
            let given = |at: u32| TernaryVal::from(model.is_true(Lit::positive(at)));
            (0..).zip(&used).for_each(|(at, &var)| values[var as usize] = given(at));
            Assignment::from(types::Assignment::from(values))
        };
        let Self { sign, strategy, constant, on_improvement, on_progress, is_ladder, .. } = self;
        let mut search = Minimise { sign, strategy, constant, is_ladder, on_progress, ..formula.search_minimum() };
        if let Some(mut report) = on_improvement {
            search = search.on_improvement(move |found| report(&found.with(&with_others(found.solution))));
        }
        let best = search.run_whole(session, clock)?;
        Ok(best.map(|best| Optimum { model: with_others(&best.model), ..best }))
    }

    fn run_whole(self, session: Session, clock: &Clock) -> Result<Option<Optimum>, SolveError> {
        let begun = Instant::now();
        let sign = i128::from(self.sign);
        let weights = self.formula.objective().iter().map(|&(lit, weight)| (lit, sign * i128::from(weight)));
        let mut objective = NormalSum::new(weights);
        objective.offset += sign * self.constant;
        let mut search = MinimumSearch {
            session,
            best: Incumbent::new(sign, objective.offset, self.on_improvement),
            unit: objective.terms.iter().fold(0, |unit, &(_, weight)| gcd(unit, weight)).max(1),
            objective,
            formula: self.formula,
            clock: clock.clone(),
            lazy: self.lazy,
            reduced: None,
            earlier: 0,
            progress: self.on_progress.map(|(every, report)| ReportRate { begun, every, next: begun + every, report }),
        };
        let ended = search.run(self.strategy, self.is_ladder);
        let conflicts = search.n_conflicts();
        search.best.report_bound(conflicts);
        match ended {
            Err(SolveError::Interrupted(why)) => search.best.result(Some(why), conflicts),
            ended => ended.and_then(|()| search.best.result(None, conflicts)),
        }
    }
}
