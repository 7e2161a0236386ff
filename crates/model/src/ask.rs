//! The questions of a [`Model`].

use std::cell::RefCell;
use std::fmt;
use std::iter::FusedIterator;
#[cfg(any(feature = "batsat", feature = "cadical"))]
use std::path::Path;
use std::time::Duration;

use rustsat::types::Lit;

use super::encoded::{Encoded, Want};
use super::relaxation::{below, briefly};
use super::variables::{Bool, Expr, ExprFactor, IntVar, Makers, Solution};
use super::writer::Chain;
use super::{Model, ModelError};
use cnfkit_ask::internals::{backbone, block, holds_with};
use cnfkit_ask::{Ask, Improvement, Optimise, Problem, Progress, Strategy};
use cnfkit_core::internals::{Choices, Clock, LazySums, Session};
use cnfkit_core::{Assignment, ClauseSink, SolveError, Stopped};

impl Model {
    /// A solution, or `None` when there is provably none.
    ///
    /// # Errors
    /// When the model is wrong or too large, when it is interrupted, and when the solver fails.
    pub fn solve(&self) -> Result<Option<Solution>, ModelError> {
        let first = |answers: Vec<_>| answers.into_iter().next();
        self.race(&self.asking.start(), Self::solve_once, Self::solve_once, |_| true, first)
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
    /// As [`solve`](Self::solve).
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
    /// Every better solution that is found is shown to `better` with its value.
    ///
    /// ```
    /// use cnfkit::model::{Model, sum};
    /// let mut model = Model::new();
    /// let take = model.bools(4);
    /// let (weights, values) = ([5, 4, 3, 2], [9, 7, 5, 3]);
    /// let total = |of: [i64; 4]| sum(take.iter().zip(of).map(|(&item, number)| item.as_int() * number));
    /// model.post(total(weights).le(9));
    /// let best = model.maximise(total(values), |_, _| {})?.expect("nothing at all is light enough");
    /// assert_eq!((best.value, best.is_optimal), (16, true));
    /// # Ok::<(), cnfkit::model::ModelError>(())
    /// ```
    ///
    /// # Errors
    /// As [`solve`](Self::solve). When it is interrupted after a solution was found, that is the answer, and not said
    /// to be optimal.
    pub fn minimise(
        &mut self,
        expr: impl Into<Expr>,
        better: impl FnMut(&Solution, i64),
    ) -> Result<Option<Optimum>, ModelError> {
        self.search_minimum(expr).showing(better).solve()
    }

    /// A solution in which the expression is as large as possible: see [`minimise`](Self::minimise).
    ///
    /// # Errors
    /// As [`minimise`](Self::minimise).
    pub fn maximise(
        &mut self,
        expr: impl Into<Expr>,
        better: impl FnMut(&Solution, i64),
    ) -> Result<Option<Optimum>, ModelError> {
        self.search_maximum(expr).showing(better).solve()
    }

    /// A solution in which the expression is as small as possible: [`minimise`](Self::minimise) without a look at the
    /// solutions on the way.
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
    /// As [`minimise`](Self::minimise).
    pub fn minimum(&mut self, expr: impl Into<Expr>) -> Result<Option<Optimum>, ModelError> {
        self.minimise(expr, |_, _| {})
    }

    /// A solution in which the expression is as large as possible: see [`minimum`](Self::minimum).
    ///
    /// # Errors
    /// As [`minimise`](Self::minimise).
    pub fn maximum(&mut self, expr: impl Into<Expr>) -> Result<Option<Optimum>, ModelError> {
        self.maximise(expr, |_, _| {})
    }

    /// A search for the least value of the expression, with reports on its bounds.
    pub fn search_minimum(&mut self, expr: impl Into<Expr>) -> Minimise<'_> {
        Minimise { model: self, expr: expr.into(), sign: 1, on_solution: None, on_improvement: None, on_progress: None }
    }

    /// A search for the greatest value of the expression, with reports on its bounds.
    ///
    /// ```
    /// use cnfkit::model::{Minimise, Model, Optimum};
    /// let mut model = Model::new();
    /// let x = model.int(0..=9);
    /// model.post((2 * x).le(13));
    /// let search: Minimise<'_> = model.search_maximum(x);
    /// let best: Optimum = search.solve()?.expect("there are solutions");
    /// assert_eq!((best.value, best.bound, best.solution.value(x)), (6, 6, 6));
    /// # Ok::<(), cnfkit::model::ModelError>(())
    /// ```
    pub fn search_maximum(&mut self, expr: impl Into<Expr>) -> Minimise<'_> {
        Minimise { sign: -1, ..self.search_minimum(-expr.into()) }
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
    /// [`ModelError::Certify`] when the folder exists or cannot be written, and when there is no proof for an encoding.
    #[cfg(any(feature = "batsat", feature = "cadical"))]
    pub fn solve_certified(&self, dir: impl AsRef<Path>) -> Result<Option<Solution>, ModelError> {
        let clock = self.asking.start();
        let encoded = self.encoded(Want::Formula, &clock)?;
        let found = encoded.formula.solve_certified(dir, &self.asking.rest(&clock))?;
        Ok(found.map(|found| self.checked(encoded.solution(self.makers(), |lit| found.is_true(lit)))))
    }

    /// The multiples of variables that an expression is the sum of, and a constant.
    fn terms(&mut self, expr: Expr) -> Result<(Vec<(IntVar, i64)>, i64), ModelError> {
        let before = self.error.clone();
        let collected = self.collect(expr);
        if before.is_none()
            && let Some(error) = self.error.take()
        {
            return Err(error); // about this question, not about the model
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

    fn checked(&self, solution: Solution) -> Solution {
        if cfg!(debug_assertions) {
            let value = |var: IntVar| solution.value(var);
            for (at, posted) in self.posted.iter().enumerate() {
                assert!(posted.node.holds(&value), "constraint {at} does not hold in {solution:?}");
            }
        }
        solution
    }
}

/// A search for the best value of an expression, with reports on the way; made by [`Model::search_minimum`] and
/// [`Model::search_maximum`].
///
/// ```
/// use std::time::Duration;
///
/// use cnfkit::model::{Model, sum};
/// let mut model = Model::new();
/// let x = model.ints(6, 1..=9);
/// model.all_different(&x);
/// let mut seen = Vec::new();
/// let search = model.search_minimum(sum(&x)).on_improvement(|found| seen.push((found.value, found.lower_bound)));
/// let search = search.on_progress(Duration::from_secs(1), |now| eprintln!("{:?}", now.upper_bound));
/// assert_eq!(search.solve()?.map(|best| best.value), Some(1 + 2 + 3 + 4 + 5 + 6));
/// assert_eq!(seen.last(), Some(&(21, 21)));
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
#[must_use = "a search is started by `solve`"]
pub struct Minimise<'a> {
    model: &'a mut Model,
    /// Minimised; the negation of what is asked for where that is maximised.
    expr: Expr,
    /// 1 for the least value, −1 for the greatest.
    sign: i64,
    /// Shown each better solution, once.
    on_solution: Option<Box<dyn FnMut(&Solution, i64) + 'a>>,
    on_improvement: Option<Box<dyn FnMut(&Improvement<'_, Solution>) + 'a>>,
    on_progress: Option<(Duration, Box<dyn FnMut(&Progress) + 'a>)>,
}

impl fmt::Debug for Minimise<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Minimise").field("sign", &self.sign).field("expr", &self.expr).finish_non_exhaustive()
    }
}

impl<'a> Minimise<'a> {
    /// Calls `report` for each solution that is better than all before it, as soon as it is found; and again for the
    /// best one when a better bound is proven, at most ten times a second and at the end.
    pub fn on_improvement(mut self, report: impl FnMut(&Improvement<'_, Solution>) + 'a) -> Self {
        self.on_improvement = Some(Box::new(report));
        self
    }

    /// Calls `report` about so often, and every 10 milliseconds at most. For that the solver is interrupted and goes
    /// on, so that a search takes another course with it, and not always the same one.
    pub fn on_progress(mut self, every: Duration, report: impl FnMut(&Progress) + 'a) -> Self {
        self.on_progress = Some((every, Box::new(report)));
        self
    }

    /// Shows each better solution, and no bound.
    fn showing(mut self, better: impl FnMut(&Solution, i64) + 'a) -> Self {
        self.on_solution = Some(Box::new(better));
        self
    }

    /// The best solution found, or `None` when there is provably none.
    ///
    /// # Errors
    /// As [`Model::minimise`].
    pub fn solve(self) -> Result<Option<Optimum>, ModelError> {
        let Self { model, expr, sign, on_solution, mut on_improvement, on_progress } = self;
        let clock = model.asking.start();
        let (terms, constant) = model.terms(expr)?;
        let goal = LinearGoal { terms, constant, sign };
        let mut on_solution = on_solution.map(|mut better| {
            let mut shown = None;
            move |solution: &Solution, value: i64| {
                if shown.is_none_or(|before| sign * value < sign * before) {
                    shown = Some(value);
                    better(solution, value);
                }
            }
        });
        let mut hinted = model.hinted(&clock)?.map(|solution| goal.reached(solution, model));
        if let Some(part) = model.as_likely(&clock)? {
            hinted = match goal.search(&part, &briefly(&clock), None, None) {
                Ok(best) => best.map(|best| goal.reached(best.solution, model)),
                Err(ModelError::Interrupted(_)) => None,
                Err(error) => return Err(error),
            };
        }
        let mut better = None;
        if let Some(hinted) = &hinted {
            on_solution.iter_mut().for_each(|show| show(&hinted.solution, hinted.value));
            better = Some(goal.better_than(hinted.value, model)).filter(|better| better.error.is_none());
        }
        let sum = goal.sum(model);
        let model = better.as_ref().unwrap_or(model);
        let mut report = |found: &Improvement<'_, Solution>| {
            on_solution.iter_mut().for_each(|show| show(found.solution, found.value as i64));
            on_improvement.iter_mut().for_each(|report| report(found));
        };
        let own = |model: &Model, clock: &Clock| {
            let part = model.with_the_best(&goal.terms, clock)?;
            let part = part.as_ref().unwrap_or(model);
            let Some(sum) = sum else { return goal.search(part, clock, Some(&mut report), on_progress) };
            let mut best: Option<i64> = None;
            let found = sum.search(
                part,
                &briefly(clock),
                Some(&mut |found| {
                    let value = goal.value(found.solution);
                    if best.is_none_or(|best| sign * value <= sign * best) {
                        best = Some(value);
                        let mut found = found.with(found.solution);
                        found.value = value.into();
                        report(&found);
                    }
                }),
                None,
            );
            let best = match found {
                Ok(Some(found)) => Optimum { value: goal.value(&found.solution), is_optimal: false, ..found },
                Err(ModelError::Interrupted(_)) => return goal.search(part, clock, Some(&mut report), on_progress),
                found => return found,
            };
            if best.value == best.bound {
                return Ok(Some(Optimum { is_optimal: true, ..best }));
            }
            let mut better = goal.better_than(best.value, part);
            better.post(goal.expr().ge(sign * best.bound));
            best.or_better(goal.search(&better, clock, Some(&mut report), on_progress))
        };
        let other = |model: &Model, clock: &Clock| goal.search(model, clock, None, None);
        let is_answer = |found: &Option<Optimum>| found.as_ref().is_none_or(|best| best.is_optimal);
        let found = model.race(&clock, own, other, is_answer, |found| goal.best_of(found));
        let best = match hinted {
            Some(hinted) => hinted.or_better(found),
            None => found,
        }?;
        best.iter().for_each(|best| on_solution.iter_mut().for_each(|show| show(&best.solution, best.value)));
        Ok(best)
    }

    /// The best solution, or `None` when there is none, with a certificate in the new folder `dir`: see
    /// [`Model::solve_certified`]. `VeriPB` says `s VERIFIED BOUNDS` with the least value of the objective of
    /// `formula.opb`. That is [`Optimum::value`] up to a constant, and for the greatest value its negation.
    ///
    /// The search goes from one solution to a better one; nothing is reported on the way.
    ///
    /// ```
    /// use cnfkit::model::Model;
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut model = Model::new();
    /// let x = model.ints(3, 1..=4);
    /// model.all_different(&x);
    /// let dir = std::env::temp_dir().join(format!("cnfkit-optimum-certified-{}", std::process::id()));
    /// let best = model.search_maximum(x[0] + 2 * x[1]).solve_certified(&dir)?.expect("there are solutions");
    /// assert_eq!((best.value, best.is_optimal), (3 + 2 * 4, true));
    /// assert!(std::fs::read_to_string(dir.join("proof.pbp"))?.contains("conclusion BOUNDS"));
    /// std::fs::remove_dir_all(&dir)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Model::solve_certified`].
    #[cfg(any(feature = "batsat", feature = "cadical"))]
    pub fn solve_certified(self, dir: impl AsRef<Path>) -> Result<Option<Optimum>, ModelError> {
        let Self { model, expr, sign, .. } = self;
        let (terms, constant) = model.terms(expr)?;
        let clock = model.asking.start();
        let mut encoded = model.encoded(Want::WrittenSum(&terms), &clock)?;
        let (objective, base, _) = encoded.objective(&terms, constant);
        encoded.formula.set_objective(objective);
        let best = encoded.formula.minimum_certified(dir, model.strategy, &model.asking.rest(&clock))?;
        Ok(best.map(|(found, least)| {
            let value = sign * (least + base) as i64;
            let solution = model.checked(encoded.solution(model.makers(), |lit| found.is_true(lit)));
            Optimum { solution, value, bound: value, is_optimal: true }
        }))
    }
}

/// A sum of multiples of variables and a constant, to be small, and the factor by which that is the value that was
/// asked for: 1, or −1 for the greatest value.
struct LinearGoal {
    terms: Vec<(IntVar, i64)>,
    constant: i64,
    sign: i64,
}

impl LinearGoal {
    fn expr(&self) -> Expr {
        let terms = self.terms.iter().map(|&(var, factor)| (ExprFactor::Int(var), factor)).collect();
        Expr { terms, constant: self.constant.into(), ..Expr::default() }
    }

    /// The value that was asked for.
    fn value(&self, solution: &Solution) -> i64 {
        self.sign * solution.value_of(self.expr())
    }

    /// The sum that the objective is a name of, or a variable that is not below the sum.
    fn sum(&self, model: &mut Model) -> Option<Self> {
        let (terms, base) = below(&self.terms, model.rows());
        if terms.len() == self.terms.len() || model.strategy != Strategy::Auto {
            return None;
        }
        let terms = terms.into_iter().map(|(var, factor)| (ExprFactor::Int(var), factor)).collect();
        let constant = i128::from(self.constant) + base;
        let (terms, constant) = model.terms(Expr { terms, constant, ..Expr::default() }).ok()?;
        Some(Self { terms, constant, ..*self })
    }

    /// A solution of which nothing is known but that it is one.
    fn reached(&self, solution: Solution, model: &Model) -> Optimum {
        let value = self.value(&solution);
        let least = |&(var, factor): &(IntVar, i64)| {
            let (min, max) = model.domain(var).bounds();
            factor * if factor > 0 { min } else { max }
        };
        let bound = self.sign * (self.constant + self.terms.iter().map(least).sum::<i64>()); // checked to fit
        Optimum { solution, value, bound, is_optimal: false }
    }

    /// The part of the model that has better solutions only.
    fn better_than(&self, value: i64, model: &Model) -> Model {
        let mut better = model.clone();
        better.group = None;
        better.post(self.expr().lt(self.sign * value));
        better
    }

    /// The best solution of a model.
    fn search(
        &self,
        model: &Model,
        clock: &Clock,
        report: Option<&mut dyn FnMut(&Improvement<'_, Solution>)>,
        on_progress: Option<(Duration, Box<dyn FnMut(&Progress) + '_>)>,
    ) -> Result<Option<Optimum>, ModelError> {
        let sign = self.sign;
        let mut encoded = model.encoded(Want::Sum(&self.terms), clock)?;
        let (objective, base, is_ladder) = encoded.objective(&self.terms, self.constant);
        let objective = objective.into_iter().map(|(lit, weight)| (lit, sign * weight));
        encoded.formula.set_objective(objective);
        model.without_symmetries(&mut encoded)?;
        let sums = std::mem::take(&mut encoded.sums);
        let formula = std::mem::take(&mut encoded.formula);
        let solution = |found: &Assignment| model.checked(encoded.solution(model.makers(), |lit| found.is_true(lit)));
        let search = if sign > 0 { formula.search_minimum() } else { formula.search_maximum() };
        let mut search = search.strategy(model.strategy).within(clock.clone()).plus(i128::from(sign) * base);
        if is_ladder {
            search = search.ladder();
        }
        if !sums.is_empty() {
            search = search.attach(Box::new(LazySums::new(sums)));
        }
        if !encoded.cuts.is_empty() || !model.lazy.is_empty() {
            search = search.lazy(|is_true| model.violated(&encoded, is_true));
        }
        if let Some(report) = report {
            search = search.on_improvement(move |found| report(&found.with(&solution(found.solution))));
        }
        if let Some((every, report)) = on_progress {
            search = search.on_progress(every, report);
        }
        Ok(search.solve()?.map(|best| Optimum {
            solution: solution(&best.model),
            value: best.value as i64,
            bound: if sign > 0 { best.lower_bound } else { best.upper_bound } as i64,
            is_optimal: best.is_optimal(),
        }))
    }

    /// The best answer of several searches, with the best bound.
    #[allow(clippy::option_option)] // none of them has an answer, or it is that there is no solution
    fn best_of(&self, found: Vec<Option<Optimum>>) -> Option<Option<Optimum>> {
        let sign = self.sign;
        let mut all: Option<Optimum> = None;
        for found in found {
            let Some(found) = found else { return Some(None) };
            all = Some(match all {
                None => found,
                Some(all) => {
                    let bound = if sign > 0 { all.bound.max(found.bound) } else { all.bound.min(found.bound) };
                    let is_optimal = all.is_optimal || found.is_optimal;
                    let best = if sign * found.value < sign * all.value { found } else { all };
                    Optimum { bound, is_optimal, ..best }
                }
            });
        }
        all.map(|best| {
            let is_optimal = best.is_optimal || best.bound == best.value;
            Some(Optimum { is_optimal, ..best })
        })
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
    fn or_better(self, found: Result<Option<Self>, ModelError>) -> Result<Option<Self>, ModelError> {
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
