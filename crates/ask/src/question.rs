//! [`Question`]: a formula, the options of a question about it, and the verbs that ask it.

use std::borrow::Cow;
use std::time::Duration;

use rustsat::types::Lit;

use crate::lazy::Violated;
use crate::minimise::SharedBest;
use crate::{Ask, Improvement, Optimum, Problem, Progress, Solutions};
use cnfkit_core::internals::{Asking, Choices, Clock, LazyClauses, Patience};
use cnfkit_core::solvers::External;
use cnfkit_core::{Assignment, CapacityError, ClauseSink, Formula, SolveError, Stopped, Strategy};

/// The formula with its objective negated.
#[cfg(any(feature = "batsat", feature = "cadical"))]
pub(crate) fn negated(formula: &Formula) -> Formula {
    let terms = formula.objective().iter().flat_map(|&(lit, weight)| {
        let parts = weight.checked_neg().map_or([-(i64::MIN / 2); 2], |weight| [weight, 0]);
        parts.into_iter().filter(|&weight| weight != 0).map(move |weight| (lit, weight))
    });
    let mut negated = formula.clone();
    negated.set_objective(terms);
    negated
}

/// A formula and literals that are assumed to be true, as a problem of [`Solutions`].
///
/// ```
/// use cnfkit::ask::{Assumed, Solutions};
/// use cnfkit::{ClauseSink, Formula, Questions};
/// let mut formula = Formula::new();
/// let x = formula.new_lits(3);
/// formula.add_clause(&x)?;
/// let solutions: Solutions<'_, Assumed<'_>> = formula.ask().assuming(&[!x[0]]).solutions();
/// assert_eq!(solutions.count(), 3);
/// # Ok::<(), cnfkit::CapacityError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Assumed<'a> {
    formula: &'a Formula,
    assumptions: Vec<Lit>,
}

impl Problem for Assumed<'_> {
    type Solution = Assignment;

    fn n_vars(&self) -> usize {
        self.formula.n_vars()
    }

    fn own(&self) -> Vec<Lit> {
        self.formula.lits()
    }

    fn rules<S: ClauseSink>(&self, sink: &mut S) -> Result<(), S::Error> {
        self.formula.encode_into(sink)?;
        self.assumptions.iter().try_for_each(|&lit| sink.add_clause(&[lit]))
    }

    fn decode(&self, is_true: impl Fn(Lit) -> bool) -> Assignment {
        self.formula.decode(is_true)
    }
}

/// The shortest time between two reports on a search: each of them interrupts the solver.
const LEAST_PAUSE: Duration = Duration::from_millis(10);

/// A question about a [`Formula`]: options in any order, then a verb. Made by
/// [`Questions::ask`](crate::Questions::ask). Each verb starts a
/// solver of its own, and has all limits to itself.
///
/// ```
/// use cnfkit::ask::Question;
/// use cnfkit::solvers::BatSat;
/// use cnfkit::{CardEncoding, Constrain, Formula, Limits, Questions};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut formula = Formula::new();
/// let x = ["mon", "tue", "wed", "thu"].map(|name| formula.new_named(name));
/// formula.group("two days at most", |formula| formula.at_most(&x, 2, CardEncoding::Auto))?;
/// let question: Question<'_> = formula.ask().solver(BatSat::default).limits(Limits::none().conflicts(1_000));
/// let question = question.assuming(&[x[3], !x[2], x[0]]);
/// assert_eq!(question.count(10)?, 1);
/// let core = question.assuming(&[x[1]]).unsat_core()?.expect("three days are too many");
/// assert_eq!((core.groups, core.assumptions), (vec!["two days at most"], vec![x[3], x[0], x[1]]));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// Every verb fails with [`SolveError::Interrupted`] when a limit is reached before there is an answer, with
/// [`SolveError::Capacity`] when the formula is larger than its limit, and with [`SolveError::Solver`] when the solver
/// fails. "There is no solution" is `Ok(None)`.
#[must_use = "a question is asked by a verb, such as `solve`"]
pub struct Question<'a> {
    pub(crate) formula: &'a Formula,
    pub(crate) assumptions: Vec<Lit>,
    pub(crate) asking: Asking,
    pub(crate) choices: Choices,
    pub(crate) optimum: OptimumOptions<'a>,
}

/// The options that only a search for an optimum heeds.
#[derive(Default)]
pub(crate) struct OptimumOptions<'a> {
    pub strategy: Strategy,
    /// Added to the value of the objective.
    pub constant: i128,
    /// Literals that are true in a good solution, as far as is known.
    pub hint: Vec<Lit>,
    /// The clock of a question that the search is part of.
    pub clock: Option<Clock>,
    pub on_improvement: Option<Box<dyn FnMut(&Improvement<'_>) + 'a>>,
    pub on_progress: Option<(Duration, Box<dyn FnMut(&Progress) + 'a>)>,
    pub lazy: Option<Box<Violated<'a>>>,
    /// Looks for a better solution than the last one that was told: literals that are true in it.
    pub near: Option<Box<dyn FnMut() -> Option<Vec<Lit>> + 'a>>,
    /// Each literal of the objective implies the one before it, in the order of variables, or against it where all are
    /// negative: then each bound is a literal.
    pub is_ladder: bool,
    /// The best solution of a search that goes on beside this one.
    pub shared: Option<SharedBest>,
    /// Clauses over the formula's variables that answer for themselves while BatSat searches.
    pub attached: Option<Box<dyn LazyClauses>>,
}

impl std::fmt::Debug for Question<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { assumptions, asking, choices, .. } = self;
        let mut text = f.debug_struct("Question");
        text.field("assumptions", assumptions).field("asking", asking).field("choices", choices);
        text.field("strategy", &self.optimum.strategy).finish_non_exhaustive()
    }
}

/// Options.
impl<'a> Question<'a> {
    cnfkit_core::asking_methods!();

    /// All of `assumptions` are to be true, and those of earlier calls.
    ///
    /// # Panics
    /// When the formula does not have the variable of an assumption.
    pub fn assuming(mut self, assumptions: &[Lit]) -> Self {
        self.check_variables(assumptions, "assumed");
        self.assumptions.extend(assumptions);
        self
    }

    /// A seed that shuffles the order in which BatSat looks at variables; 0, the default, leaves it as it is. Other
    /// solvers take no notice.
    pub const fn seed(mut self, seed: u64) -> Self {
        self.choices.seed = seed;
        self
    }

    /// Counts and sums of more than five literals are watched by BatSat, instead of encoded, as
    /// [`Ask::watched`] says.
    ///
    /// ```
    /// use cnfkit::{ClauseSink, Constrain, Formula, PbEncoding, Questions};
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(8);
    /// let terms: Vec<_> = x.iter().copied().zip([7_u64, 6, 5, 5, 4, 3, 2, 1]).collect();
    /// formula.pb_at_most(&terms, 16, PbEncoding::Auto)?;
    /// formula.set_objective(x.iter().zip([9, 8, 6, 6, 5, 3, 2, 1]).map(|(&lit, value)| (lit, value)));
    /// let best = formula.ask().watched().maximum()?.expect("nothing is taken");
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

    /// The way in which an optimum is searched.
    ///
    /// ```
    /// use cnfkit::ask::Strategy;
    /// use cnfkit::{ClauseSink, Formula, Questions};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(4);
    /// for (a, b) in [(0, 1), (1, 2), (2, 3)] {
    ///     formula.add_clause(&[x[a], x[b]])?; // one end of every edge
    /// }
    /// formula.set_objective([(x[0], 3), (x[1], 5), (x[2], 2), (x[3], 7)]);
    /// let mut values = Vec::new();
    /// let question = formula.ask().strategy(Strategy::SolutionImproving);
    /// let best = question.on_improvement(|better| values.push(better.value)).minimum()?.expect("there are solutions");
    /// assert!(best.is_optimal() && best.model.is_true(x[0]) && best.model.is_true(x[2]));
    /// assert_eq!((best.value, best.lower_bound, values.last()), (5, 5, Some(&5)));
    /// # Ok(())
    /// # }
    /// ```
    pub const fn strategy(mut self, strategy: Strategy) -> Self {
        self.optimum.strategy = strategy;
        self
    }

    /// Literals that are true in a good solution, as far as is known, such as all of the best one of a search that was
    /// stopped. A search for an optimum looks first whether a solution has them, without those that contradict
    /// something. A hint that is wrong takes time, and no answer is wrong for it.
    ///
    /// ```
    /// use cnfkit::{CardEncoding, ClauseSink, Constrain, Formula, Questions};
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(9);
    /// formula.at_least(&x, 3, &CardEncoding::Auto)?;
    /// formula.set_objective(x.iter().zip([4, 8, 1, 9, 2, 7, 7, 1, 9]).map(|(&lit, weight)| (lit, weight)));
    /// let (mut values, known) = (Vec::new(), [x[2], x[7], x[0], !x[1], !x[3], !x[4], !x[5], !x[6], !x[8]]);
    /// formula.ask().hint(&known).on_improvement(|better| values.push(better.value)).minimum()?;
    /// assert_eq!((values.first(), values.last()), (Some(&6), Some(&4)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// When the formula does not have the variable of a literal.
    #[doc(alias = "warm_start")]
    pub fn hint(mut self, lits: &[Lit]) -> Self {
        self.check_variables(lits, "hinted at");
        self.optimum.hint = lits.to_vec();
        self
    }

    /// Calls `report` for each solution that is better than all before it, as soon as it is found; and again for the
    /// best one when a better bound is proven, at most ten times a second and at the end.
    ///
    /// ```
    /// use cnfkit::{CardEncoding, ClauseSink, Constrain, Formula, Questions};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(6);
    /// formula.at_least(&x, 2, &CardEncoding::Auto)?;
    /// formula.set_objective(x.iter().map(|&lit| (lit, 5)));
    /// let mut last = None;
    /// formula.ask().on_improvement(|found| last = Some((found.value, found.lower_bound))).minimum()?;
    /// assert_eq!(last, Some((10, 10)));
    /// # Ok(())
    /// # }
    /// ```
    pub fn on_improvement(mut self, report: impl FnMut(&Improvement<'_>) + 'a) -> Self {
        self.optimum.on_improvement = Some(Box::new(report));
        self
    }

    /// Calls `report` about so often while an optimum is searched, and every 10 milliseconds at most. For that the
    /// solver is interrupted and goes on, so that a search takes another course with it, and not always the same one.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use cnfkit::{ClauseSink, Formula, Questions};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(400);
    /// for (i, pair) in x.windows(2).enumerate() {
    ///     formula.add_clause(&[pair[0], pair[1], x[i * 37 % 400]])?;
    ///     formula.add_clause(&[pair[0], x[i * 61 % 400], x[i * 89 % 400]])?;
    /// }
    /// formula.set_objective((0..).zip(&x).map(|(i, &lit)| (lit, i * 7 % 23 + 1)));
    /// let mut bounds = Vec::new();
    /// let question = formula.ask().time_limit(Duration::from_secs(1));
    /// let question = question.on_progress(Duration::from_millis(20), |now| bounds.push(now.lower_bound.unwrap()));
    /// let best = question.minimum()?.expect("a second is enough for some solution");
    /// assert!(bounds.is_sorted() && bounds.iter().all(|&bound| bound <= best.lower_bound));
    /// # Ok(())
    /// # }
    /// ```
    pub fn on_progress(mut self, every: Duration, report: impl FnMut(&Progress) + 'a) -> Self {
        self.optimum.on_progress = Some((every.max(LEAST_PAUSE), Box::new(report)));
        self
    }

    /// Constraints of an optimum that are not in the formula: each model is shown to `violated` before it counts as a
    /// solution, which answers with clauses over variables of the formula that the model violates, none if it is a
    /// solution. The clauses are kept.
    ///
    /// ```
    /// use cnfkit::{ClauseSink, Formula, Lit, Questions};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(4);
    /// formula.set_objective(x.iter().map(|&lit| (lit, 1)));
    /// let two = |is_true: &dyn Fn(Lit) -> bool| {
    ///     let open: Vec<Lit> = x.iter().copied().filter(|&lit| !is_true(lit)).collect();
    ///     Ok(if open.len() > 2 { vec![open] } else { Vec::new() }) // at least two, by clauses of three
    /// };
    /// let best = formula.ask().lazy(two).minimum()?.expect("there are solutions");
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
        self.optimum.lazy = Some(Box::new(violated));
        self
    }

    /// Asks this from time to time for a better solution than the last one that was told: literals that are true in it.
    #[doc(hidden)]
    pub fn near(mut self, near: impl FnMut() -> Option<Vec<Lit>> + 'a) -> Self {
        self.optimum.near = Some(Box::new(near));
        self
    }
}

/// Options that models set.
#[doc(hidden)]
impl Question<'_> {
    /// Adds this to the value of the objective.
    pub const fn plus(mut self, constant: i128) -> Self {
        self.optimum.constant = constant;
        self
    }

    /// Runs as part of a question, whose clock ends it and whose solver it takes.
    pub fn within(mut self, clock: Clock) -> Self {
        self.optimum.clock = Some(clock);
        self
    }

    /// Knows of the best solution of another search of the same, which knows of this one's.
    pub(crate) fn sharing(mut self, shared: SharedBest) -> Self {
        self.optimum.shared = Some(shared);
        self
    }

    /// Each literal of the objective implies the one before it, in the order of variables, or against it where all are
    /// negative: then each bound is a literal.
    pub const fn ladder(mut self) -> Self {
        self.optimum.is_ladder = true;
        self
    }

    /// Clauses over the formula's variables that answer for themselves while BatSat searches; other solvers than the
    /// default one do not heed them.
    #[doc(hidden)]
    pub fn attach(mut self, clauses: Box<dyn LazyClauses>) -> Self {
        self.optimum.attached = Some(clauses);
        self
    }
}

impl<'a> Question<'a> {
    pub(crate) fn check_variables<'l>(&self, lits: impl IntoIterator<Item = &'l Lit>, what: &str) {
        for lit in lits {
            let (var, n_vars) = (lit.vidx() + 1, self.formula.n_vars());
            assert!(var <= n_vars, "variable {var} is {what}, but the formula has {n_vars} variables");
        }
    }

    /// The formula, with the assumptions as clauses.
    pub(crate) fn assumed_formula(&self) -> Result<Cow<'a, Formula>, CapacityError> {
        if self.assumptions.is_empty() {
            return Ok(Cow::Borrowed(self.formula));
        }
        let mut formula = self.formula.clone();
        self.assumptions.iter().try_for_each(|&lit| formula.add_clause(&[lit]))?;
        Ok(Cow::Owned(formula))
    }

    fn problem(&self) -> Ask<Assumed<'a>> {
        let problem = Assumed { formula: self.formula, assumptions: self.assumptions.clone() };
        Ask { problem, asking: self.asking.clone(), choices: self.choices }
    }
}

impl<'a> Question<'a> {
    /// A question without options.
    pub(crate) fn new(formula: &'a Formula) -> Self {
        Self {
            formula,
            assumptions: Vec::new(),
            asking: Asking::default(),
            choices: Choices::default(),
            optimum: OptimumOptions::default(),
        }
    }
}

/// Verbs.
impl<'a> Question<'a> {
    /// A model of the formula's variables, or `None` when there is provably none. The
    /// [objective](Formula::objective) is not looked at.
    ///
    /// # Errors
    /// As [`Question`] says.
    pub fn solve(&self) -> Result<Option<Assignment>, SolveError> {
        if self.assumptions.is_empty() && !self.asking.engine.is_chosen() && self.choices == Choices::default() {
            return self.formula.solve_within(&self.asking.limits);
        }
        self.problem().solve()
    }

    /// Every solution once, found as it is asked for: models that differ in the formula's [own](Formula::lits)
    /// variables. The limits are for all of them together.
    #[must_use = "solutions are found as they are asked for"]
    pub fn solutions(self) -> Solutions<'a, Assumed<'a>> {
        let Self { formula, assumptions, asking, choices, .. } = self;
        Solutions::owned(Assumed { formula, assumptions }, asking.start(), choices)
    }

    /// The number of [solutions](Self::solutions), counted up to `limit`. Where a limit may end it before, count the
    /// solutions themselves: those before the error are at least so many.
    ///
    /// # Errors
    /// As [`Question`] says.
    pub fn count(&self, limit: usize) -> Result<usize, SolveError> {
        self.problem().count(limit)
    }

    /// True if there is exactly one solution.
    ///
    /// # Errors
    /// As [`Question`] says.
    pub fn is_unique(&self) -> Result<bool, SolveError> {
        self.problem().is_unique()
    }

    /// The backbone: the value that each of the formula's [own](Formula::lits) variables has in all solutions, by
    /// variable from 0 on, `None` where solutions differ. `None` altogether when there is no solution.
    ///
    /// # Errors
    /// As [`Question`] says.
    pub fn backbone(&self) -> Result<Option<Vec<Option<bool>>>, SolveError> {
        self.problem().backbone()
    }

    /// A solution with the least value of the [objective](Formula::objective), or `None` when the formula is proven
    /// unsatisfiable.
    ///
    /// A limit that is reached after the first solution is no error: the result says that it
    /// [was](Optimum::stopped), and how good the solution is at least.
    ///
    /// # Errors
    /// As [`Question`] says.
    pub fn minimum(self) -> Result<Option<Optimum>, SolveError> {
        self.best(1)
    }

    /// The least value of the objective as a program finds it. Of one that [optimises](External::is_optimiser), the
    /// solution is compared with every clause and constraint, its value with the program's last line `o`; that nothing
    /// is better is the program's word; of the options, limits and assumptions hold. One that answers decisions is
    /// asked for better solutions while the built-in solver searches, too, in another thread; the first answer is the
    /// answer. With a [strategy](Self::strategy), the program is asked alone.
    ///
    /// ```
    /// use cnfkit::solvers::External;
    /// use cnfkit::{ClauseSink, Formula, Questions};
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(2);
    /// formula.add_clause(&x)?;
    /// formula.set_objective([(x[0], 3), (x[1], 2)]);
    /// match formula.ask().minimum_by(&External::new("clasp:2")) {
    ///     Ok(best) => assert_eq!(best.expect("a solution").value, 2),
    ///     Err(error) => assert!(error.to_string().contains("does not start"), "{error}"), // where there is no clasp
    /// }
    /// # Ok::<(), cnfkit::CapacityError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Question`] says, and when the program fails: with an
    /// [`ExternalError`](cnfkit_core::solvers::ExternalError).
    pub fn minimum_by(self, engine: &External) -> Result<Option<Optimum>, SolveError> {
        if !engine.is_optimiser() {
            if self.optimum.strategy == Strategy::Auto {
                return self.best_beside(1, engine);
            }
            let engine = engine.another();
            return self.solver(move || engine.another()).minimum();
        }
        let formula = self.assumed_formula()?;
        let found = formula.minimum_by(engine, &self.asking.limits)?;
        Ok(found.map(|(model, value, is_optimal)| {
            let least = || formula.objective().iter().map(|&(_, weight)| i128::from(weight.min(0))).sum();
            let lower_bound = if is_optimal { value } else { least() };
            let stopped = (!is_optimal).then_some(Stopped::Solver);
            Optimum { model, value, lower_bound, upper_bound: value, stopped, conflicts: 0 }
        }))
    }

    /// A solution with the greatest value of the [objective](Formula::objective): as [`minimum`](Self::minimum).
    ///
    /// ```
    /// use cnfkit::{ClauseSink, Constrain, Formula, PbEncoding, Questions};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(3);
    /// formula.pb_at_most(&[(x[0], 4), (x[1], 3), (x[2], 2)], 6, &PbEncoding::Auto)?;
    /// formula.set_objective([(x[0], 10), (x[1], 7), (x[2], 6)]);
    /// let best = formula.ask().maximum()?.expect("there are solutions");
    /// assert_eq!((best.value, best.upper_bound), (16, 16));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Question`] says.
    pub fn maximum(self) -> Result<Option<Optimum>, SolveError> {
        self.best(-1)
    }
}
