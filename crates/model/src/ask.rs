//! The questions of a [`Model`].

use std::cell::RefCell;
use std::fmt;
use std::iter::FusedIterator;
#[cfg(any(feature = "batsat", feature = "cadical"))]
use std::path::Path;

use rustsat::types::Lit;

use super::encoded::{Encoded, Want};
use super::variables::{Bool, Expr, ExprFactor, IntVar, Makers, Solution};
use super::writer::Chain;
use super::{Model, ModelError};
use cnfkit_ask::internals::{backbone, block, holds_with};
use cnfkit_ask::{Ask, Problem};
use cnfkit_core::internals::{Choices, Clock, LazySums, Session};
use cnfkit_core::{ClauseSink, SolveError, Stopped};

impl Model {
    /// A solution, or `None` when there is provably none.
    ///
    /// # Errors
    /// When the model is wrong or too large, when it is interrupted, and when the solver fails.
    pub fn solve(&self) -> Result<Option<Solution>, ModelError> {
        let first = |answers: Vec<_>| answers.into_iter().next();
        self.race(&self.asking.start(), None, Self::solve_once, Self::solve_once, |_| true, first)
    }

    /// A solution by one thread.
    fn solve_once(&self, clock: &Clock) -> Result<Option<Solution>, ModelError> {
        let mut encoded = self.encoded(Want::Solution, clock)?;
        self.without_symmetries(&mut encoded)?;
        let mut session = self.load(&mut encoded, clock)?;
        Ok(self.holds(&encoded, &mut session, clock)?.then(|| self.found(&encoded, &session)))
    }

    /// Every solution once, found as it is asked for. The time limit is for all of them together.
    ///
    /// # Errors
    /// When the model is wrong or too large.
    pub fn solutions(&self) -> Result<Solutions<'_>, ModelError> {
        let clock = self.asking.start();
        let mut encoded = self.encoded(Want::Every, &clock)?;
        let session = Some(self.load(&mut encoded, &clock)?);
        let literals = encoded.literals();
        Ok(Solutions { model: self, clock, encoded, literals, session, found: false })
    }

    /// Every choice of values for these variables and truth values that some solution has, once, each with such a
    /// solution: the variables and truth values that the expressions are made of. The time limit is for all of them
    /// together.
    ///
    /// ```
    /// use cnfkit::model::Model;
    /// let mut model = Model::new();
    /// let x = model.ints(3, 0..=9);
    /// model.post((x[0] + x[1] + x[2]).le(2));
    /// assert_eq!(model.count(100)?, 10);
    /// assert_eq!(model.solutions_by([x[0]])?.count(), 3);
    /// # Ok::<(), cnfkit::model::ModelError>(())
    /// ```
    ///
    /// # Errors
    /// When the model is wrong or too large.
    pub fn solutions_by<E: Into<Expr>>(&self, of: impl IntoIterator<Item = E>) -> Result<Solutions<'_>, ModelError> {
        let units: Vec<ExprFactor> = of.into_iter().flat_map(|expr| expr.into().terms).map(|(unit, _)| unit).collect();
        units.iter().for_each(|unit| match *unit {
            ExprFactor::Int(var) | ExprFactor::Bool(Bool { var, .. }) => self.check(var),
        });
        let clock = self.asking.start();
        let mut encoded = self.encoded(Want::Each(&units), &clock)?;
        let session = Some(self.load(&mut encoded, &clock)?);
        let literals = encoded.literals_of(&units);
        Ok(Solutions { model: self, clock, encoded, literals, session, found: false })
    }

    /// The number of solutions, counted up to `limit`. Variables that no constraint mentions count, too: two free truth
    /// values make four of each; [`solutions_by`](Self::solutions_by) tells apart what matters. Where a limit may end
    /// it before, count [`solutions`](Self::solutions): those before its error are at least so many.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn count(&self, limit: usize) -> Result<usize, ModelError> {
        self.solutions()?.take(limit).try_fold(0, |count, solution| solution.map(|_| count + 1))
    }

    /// True if there is exactly one solution.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn is_unique(&self) -> Result<bool, ModelError> {
        Ok(self.count(2)? == 1)
    }

    /// The backbone: the values that are the same in all solutions; `None` when there is no solution.
    ///
    /// ```
    /// use cnfkit::model::Model;
    /// let mut model = Model::new();
    /// let x = model.ints(3, 1..=3);
    /// model.all_different(&x);
    /// model.post(x[0].gt(x[1] + 1));
    /// let backbone = model.backbone()?.expect("there are solutions");
    /// assert_eq!((backbone.value(x[0]), backbone.value(x[2])), (Some(3), Some(2)));
    /// # Ok::<(), cnfkit::model::ModelError>(())
    /// ```
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    #[doc(alias = "certain")]
    pub fn backbone(&self) -> Result<Option<Backbone>, ModelError> {
        let clock = self.asking.start();
        let mut encoded = self.encoded(Want::Every, &clock)?;
        let mut session = self.load(&mut encoded, &clock)?;
        let literals = encoded.literals();
        let mut values = vec![None; encoded.formula.n_vars()];
        let exists =
            backbone(&mut session, &literals, &clock, &mut |is_true| self.violated(&encoded, is_true), |at, value| {
                values[literals[at].vidx()] = value;
            })?;
        if !exists {
            return Ok(None);
        }
        let known = |lit: Lit| values[lit.vidx()].map(|value| value == lit.is_pos());
        let value = |index: usize| encoded.codes.certain(&encoded.domains, index, known);
        let values: Vec<_> = (0..encoded.domains.len()).map(value).collect();
        Ok(Some(Backbone { makers: self.lineage.makers.until(values.len()), values }))
    }

    /// A minimal unsatisfiable core: [groups](Self::group) that contradict each other and the constraints that are in
    /// no group, none of which can be left out, by name, in the order in which they were made. Empty when the
    /// constraints in no group contradict themselves, `None` when there is a solution.
    ///
    /// In a model without groups each constraint that was posted is one, by its number and what it says, where `x2` is
    /// the variable that was made third:
    ///
    /// ```
    /// use cnfkit::model::Model;
    /// let mut model = Model::new();
    /// let x = model.ints(3, 1..=9);
    /// model.post((x[0] + 2 * x[1]).le(6));
    /// model.all_different(&x);
    /// model.post(x[1].ge(3));
    /// let core = model.unsat_core()?.expect("no solution");
    /// assert_eq!(core, ["constraint 0: x0 + 2 * x1 <= 6", "constraint 2: x1 >= 3"]);
    /// # Ok::<(), cnfkit::model::ModelError>(())
    /// ```
    ///
    /// # Errors
    /// As [`solve`](Self::solve). No domain shrinks here, so that a model may be too large that has a solution.
    pub fn unsat_core(&self) -> Result<Option<Vec<&str>>, ModelError> {
        self.core(Ask::unsat_core)
    }

    /// A smallest [unsatisfiable core](Self::unsat_core): no fewer groups contradict each other. It takes far longer
    /// where there are many cores.
    ///
    /// ```
    /// use cnfkit::model::Model;
    /// let mut model = Model::new();
    /// let x = model.ints(3, 1..=9);
    /// model.group("rising", |model| (0..2).for_each(|i| model.post(x[i].lt(x[i + 1]))));
    /// model.group("high", |model| model.post(x[0].ge(8)));
    /// model.group("low", |model| model.post(x[0].le(7)));
    /// assert_eq!(model.smallest_unsat_core()?.map(|core| core.len()), Some(2));
    /// # Ok::<(), cnfkit::model::ModelError>(())
    /// ```
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    #[doc(alias = "why_unsatisfiable")]
    #[doc(alias = "mus")]
    pub fn smallest_unsat_core(&self) -> Result<Option<Vec<&str>>, ModelError> {
        self.core(Ask::smallest_unsat_core)
    }

    fn core<'a>(
        &'a self,
        find: impl FnOnce(&Ask<BlamedModel<'a>>) -> Result<Option<Vec<usize>>, SolveError>,
    ) -> Result<Option<Vec<&'a str>>, ModelError> {
        let encoded = self.encoded(Want::Blame, &self.asking.start())?;
        let ask = Ask::new(BlamedModel { model: self, encoded, error: RefCell::default() }).asking(self.asking.clone());
        let found = find(&ask)?;
        if let Some(error) = ask.problem().error.take() {
            return Err(error);
        }
        let names = if self.groups.is_empty() { self.texts() } else { &self.groups[..] };
        Ok(found.map(|parts| parts.into_iter().map(|part| names[part].as_str()).collect()))
    }

    /// A solution in which the expression is as small as possible, or `None` when there is no solution.
    ///
    /// ```
    /// use cnfkit::model::Model;
    /// let mut model = Model::new();
    /// let x = model.ints(2, 0..=20);
    /// model.post((3 * x[0] + 5 * x[1]).ge(31));
    /// let best = model.minimum(x[0] + x[1])?.expect("there are solutions");
    /// assert_eq!((best.value, best.bound), (7, 7));
    /// # Ok::<(), cnfkit::model::ModelError>(())
    /// ```
    ///
    /// # Errors
    /// As [`solve`](Self::solve). When it is interrupted after a solution was found, that is the answer, and not said
    /// to be optimal.
    pub fn minimum(&self, expr: impl Into<Expr>) -> Result<Option<Optimum>, ModelError> {
        self.ask().minimum(expr)
    }

    /// A solution in which the expression is as large as possible: see [`minimum`](Self::minimum).
    ///
    /// ```
    /// use cnfkit::model::{Model, sum};
    /// let mut model = Model::new();
    /// let take = model.bools(4);
    /// let (weights, values) = ([5, 4, 3, 2], [9, 7, 5, 3]);
    /// let total = |of: [i64; 4]| sum(take.iter().zip(of).map(|(&item, number)| item.as_int() * number));
    /// model.post(total(weights).le(9));
    /// let best = model.maximum(total(values))?.expect("nothing at all is light enough");
    /// assert_eq!((best.value, best.is_optimal), (16, true));
    /// # Ok::<(), cnfkit::model::ModelError>(())
    /// ```
    ///
    /// # Errors
    /// As [`minimum`](Self::minimum).
    pub fn maximum(&self, expr: impl Into<Expr>) -> Result<Option<Optimum>, ModelError> {
        self.ask().maximum(expr)
    }

    /// A solution in which the expression is as small as possible; every better one is shown with its value.
    ///
    /// # Errors
    /// As [`minimum`](Self::minimum).
    #[doc(hidden)]
    #[deprecated = "write `minimum(expr)`, or `ask().on_improvement(…).minimum(expr)`"]
    pub fn minimise(
        &mut self,
        expr: impl Into<Expr>,
        better: impl FnMut(&Solution, i64),
    ) -> Result<Option<Optimum>, ModelError> {
        self.ask().on_solution(better).minimum(expr)
    }

    /// A solution in which the expression is as large as possible; every better one is shown with its value.
    ///
    /// # Errors
    /// As [`minimum`](Self::minimum).
    #[doc(hidden)]
    #[deprecated = "write `maximum(expr)`, or `ask().on_improvement(…).maximum(expr)`"]
    pub fn maximise(
        &mut self,
        expr: impl Into<Expr>,
        better: impl FnMut(&Solution, i64),
    ) -> Result<Option<Optimum>, ModelError> {
        self.ask().on_solution(better).maximum(expr)
    }

    /// A solution, or `None` when there is none, with a certificate in the new folder `dir` for the proof checker
    /// [VeriPB](https://gitlab.com/MIAOresearch/software/VeriPB) 3.0: `veripb dir/formula.opb dir/proof.pbp` checks it.
    /// Trusted is the file `formula.opb`, that it says the model: it is that of [`formula`](Self::formula), after
    /// domains have shrunk and with variables as literals. Everything from there on is certified; a solver of one's own
    /// is not asked. A limit on time is for making the formula, its proof and its answer together.
    ///
    /// ```
    /// use cnfkit::model::Model;
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut model = Model::new();
    /// let x = model.ints(5, 1..=4);
    /// (0..5).for_each(|i| (0..i).for_each(|j| model.post(x[i].ne(x[j]))));
    /// let dir = std::env::temp_dir().join(format!("cnfkit-model-certified-{}", std::process::id()));
    /// assert!(model.solve_certified(&dir)?.is_none());
    /// assert!(std::fs::read_to_string(dir.join("proof.pbp"))?.contains("conclusion UNSAT"));
    /// std::fs::remove_dir_all(&dir)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`solve`](Self::solve); [`ModelError::Lazy`] for a model with [lazy constraints](Self::lazy);
    /// [`ModelError::Certify`] when the folder has files or cannot be written, and when there is no proof for an
    /// encoding.
    #[cfg(any(feature = "batsat", feature = "cadical"))]
    pub fn solve_certified(&self, dir: impl AsRef<Path>) -> Result<Option<Solution>, ModelError> {
        let clock = self.asking.start();
        let encoded = self.encoded(Want::Formula, &clock)?;
        let found = encoded.formula.solve_certified(dir, &self.asking.rest(&clock))?;
        Ok(found.map(|found| self.checked(encoded.solution(self.makers(), |lit| found.is_true(lit)))))
    }

    /// The multiples of variables that an objective is the sum of, and a constant.
    pub(super) fn terms(&mut self, expr: Expr) -> Result<(Vec<(IntVar, i64)>, i64), ModelError> {
        let before = self.error.clone();
        let collected = self.collect(expr);
        if before.is_none()
            && let Some(error) = self.error.take()
        {
            // About this question, not about the model.
            let is_sum = matches!(error, ModelError::TooLarge { .. });
            return Err(if is_sum { ModelError::ObjectiveTooLarge } else { error });
        }
        collected.ok_or_else(|| before.unwrap_or(ModelError::Interrupted(Stopped::Solver)))
    }

    /// The solution that a solver found.
    pub(super) fn found(&self, encoded: &Encoded, session: &Session) -> Solution {
        self.checked(encoded.solution(self.makers(), |lit| session.is_true(lit)))
    }

    /// The solver of a question, with everything loaded.
    pub(super) fn load(&self, encoded: &mut Encoded, clock: &Clock) -> Result<Session, ModelError> {
        clock.check()?;
        let mut session = Session::on(clock, Choices { seed: self.seed, ..Choices::default() });
        session.new_open_vars(encoded.formula.n_vars())?;
        if !encoded.sums.is_empty() {
            attach(std::mem::take(&mut encoded.sums), &mut session)?;
        }
        encoded.formula.encode_into(&mut session)?;
        Ok(session)
    }

    /// Asks the solver for a model that violates nothing, with hinted values if that may be.
    pub(super) fn holds(&self, encoded: &Encoded, session: &mut Session, clock: &Clock) -> Result<bool, ModelError> {
        clock.check()?;
        if let Some(found) = self.holds_as_hinted(encoded, session)? {
            return Ok(found);
        }
        Ok(holds_with(session, &[], clock, &mut |is_true| self.violated(encoded, is_true))?)
    }

    pub(super) fn checked(&self, solution: Solution) -> Solution {
        if cfg!(debug_assertions) {
            let value = |var: IntVar| solution.value(var);
            for (at, posted) in self.posted.iter().enumerate() {
                assert!(posted.node.holds(&value), "constraint {at} does not hold in {solution:?}");
            }
        }
        solution
    }
}

/// Hands sums that are not written to the solver.
pub(super) fn attach(sums: Vec<(Vec<Chain>, u64)>, session: &mut Session) -> Result<(), SolveError> {
    let is_heeded = session.attach(Box::new(LazySums::new(sums)));
    if is_heeded { Ok(()) } else { Err(SolveError::solver("only BatSat heeds sums that are not written")) }
}

/// The best solution that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Optimum {
    /// The solution.
    pub solution: Solution,
    /// The value of the expression.
    pub value: i64,
    /// No solution is better than this: a lower bound of what is minimised, an upper bound of what is maximised. Equal
    /// to `value` if that is optimal.
    pub bound: i64,
    /// True if there is provably none better; false when the search was interrupted.
    pub is_optimal: bool,
}

impl Optimum {
    /// The answer after a search for better solutions only.
    pub(super) fn or_better(self, found: Result<Option<Self>, ModelError>) -> Result<Option<Self>, ModelError> {
        match found {
            Ok(None) => Ok(Some(Self { bound: self.value, is_optimal: true, ..self })),
            Err(ModelError::Interrupted(_)) => Ok(Some(self)),
            found => found,
        }
    }
}

/// The values that are the same in all solutions; made by [`Model::backbone`].
///
/// ```
/// use cnfkit::model::{Backbone, Model};
/// let mut model = Model::new();
/// let (x, y) = (model.int(0..=4), model.int(0..=2));
/// model.post((x + y).ge(5));
/// model.post(x.lt(4));
/// let backbone: Backbone = model.backbone()?.expect("a solution");
/// assert_eq!((backbone.value(x), backbone.value(y)), (Some(3), Some(2)));
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backbone {
    makers: Makers,
    values: Vec<Option<i64>>,
}

impl Backbone {
    /// The value that a variable has in all solutions; `None` where they differ.
    ///
    /// # Panics
    /// When the variable belongs to another model, or was made after the question was asked.
    #[must_use]
    pub fn value(&self, var: IntVar) -> Option<i64> {
        self.makers.check(var, self.values.len());
        self.values[var.index as usize]
    }
}

/// The solutions of a [`Model`], each once; made by [`Model::solutions`]. The iterator ends after an error.
///
/// ```
/// use cnfkit::model::{Model, Solutions};
/// let mut model = Model::new();
/// let x = model.ints(2, 1..=3);
/// model.post(x[0].lt(x[1]));
/// let solutions: Solutions<'_> = model.solutions()?;
/// let mut pairs = solutions.map(|found| found.map(|found| found.values(&x))).collect::<Result<Vec<_>, _>>()?;
/// pairs.sort();
/// assert_eq!(pairs, [[1, 2], [1, 3], [2, 3]]);
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
pub struct Solutions<'a> {
    model: &'a Model,
    clock: Clock,
    encoded: Encoded,
    literals: Vec<Lit>,
    session: Option<Session>,
    /// The last solution is not forbidden yet.
    found: bool,
}

impl Solutions<'_> {
    fn find(&mut self) -> Result<Option<Solution>, ModelError> {
        let Some(session) = &mut self.session else { return Ok(None) };
        if self.found {
            block(session, self.literals.iter().copied())?;
        }
        self.found = self.model.holds(&self.encoded, session, &self.clock)?;
        Ok(self.found.then(|| self.model.found(&self.encoded, session)))
    }
}

impl Iterator for Solutions<'_> {
    type Item = Result<Solution, ModelError>;

    fn next(&mut self) -> Option<Self::Item> {
        let found = self.find().transpose();
        if !matches!(found, Some(Ok(_))) {
            self.session = None;
        }
        found
    }
}

impl FusedIterator for Solutions<'_> {}

impl fmt::Debug for Solutions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solutions").field("is_over", &self.session.is_none()).finish_non_exhaustive()
    }
}

/// A model whose groups, or constraints where there are none, can be blamed.
struct BlamedModel<'a> {
    model: &'a Model,
    encoded: Encoded,
    /// The error of a lazy constraint, if there was one.
    error: RefCell<Option<ModelError>>,
}

impl Problem for BlamedModel<'_> {
    type Solution = ();

    fn n_vars(&self) -> usize {
        self.encoded.formula.n_vars()
    }

    fn rules<S: ClauseSink>(&self, sink: &mut S) -> Result<(), S::Error> {
        self.encoded.formula.encode_into(sink)
    }

    fn n_parts(&self) -> usize {
        self.encoded.selectors.len()
    }

    fn part<S: ClauseSink>(&self, part: usize, sink: &mut S) -> Result<(), S::Error> {
        sink.add_clause(&[self.encoded.selectors[part]])
    }

    fn violated(&self, is_true: impl Fn(Lit) -> bool) -> Vec<Vec<Lit>> {
        match self.model.violated(&self.encoded, &is_true) {
            Ok(clauses) => clauses,
            Err(error) => {
                self.error.borrow_mut().get_or_insert(error.into());
                vec![Vec::new()] // the question ends, and so does the answer
            }
        }
    }

    fn decode(&self, _: impl Fn(Lit) -> bool) {}
}
