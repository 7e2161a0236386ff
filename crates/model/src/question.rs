//! [`Question`]: a model, the options of a question about it, and the verbs that ask it.

use std::borrow::Cow;
use std::fmt;
#[cfg(any(feature = "batsat", feature = "cadical"))]
use std::path::Path;
use std::time::Duration;

use super::ask::{Backbone, Optimum, Solutions};
use super::goal::LinearGoal;
use super::relaxation::{RelaxedBest, below, briefly};
use super::variables::{Bool, Expr, Solution};
use super::{Model, ModelError};
use cnfkit_ask::{Improvement, Progress, Strategy};
use cnfkit_core::Limits;
use cnfkit_core::internals::Clock;
use cnfkit_core::solvers::{External, Solver};

impl Model {
    /// A question about the model: options, then a verb. The options are those of this question alone.
    pub fn ask(&self) -> Question<'_> {
        Question { model: Cow::Borrowed(self), on_solution: None, on_improvement: None, on_progress: None }
    }
}

/// A question about a [`Model`]: options in any order, then a verb; made by [`Model::ask`]. With options that a solver
/// heeds it has a copy of the model.
///
/// ```
/// use std::time::Duration;
///
/// use cnfkit::ask::Strategy;
/// use cnfkit::model::{Model, Question, sum};
/// use cnfkit::solvers::{BatSat, Plain};
/// let mut model = Model::new();
/// let x = model.ints(6, 1..=9);
/// model.all_different(&x);
/// let mut seen = Vec::new();
/// let question: Question<'_> = model.ask().time_limit(Duration::from_secs(60)).strategy(Strategy::CoreGuided);
/// let question = question.on_improvement(|found| seen.push((found.value, found.lower_bound)));
/// let question = question.on_progress(Duration::from_secs(1), |now| eprintln!("{:?}", now.upper_bound));
/// assert_eq!(question.minimum(sum(&x))?.map(|best| best.value), Some(1 + 2 + 3 + 4 + 5 + 6));
/// assert_eq!(seen.last(), Some(&(21, 21)));
///
/// let some = model.ask().solver(|| Plain(BatSat::default())).seed(3).assuming([x[0].is(4), x[1].at_least(9)]);
/// assert_eq!(some.solve()?.map(|found| found.values(&x[..2])), Some(vec![4, 9]));
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
///
/// # Errors
/// Every verb fails when the model is wrong or too large, when it is interrupted, and when the solver fails.
#[must_use = "a question is asked by a verb, such as `solve`"]
pub struct Question<'a> {
    model: Cow<'a, Model>,
    /// Shown each better solution, once.
    on_solution: Option<Box<dyn FnMut(&Solution, i64) + 'a>>,
    on_improvement: Option<Box<dyn FnMut(&Improvement<'_, Solution>) + 'a>>,
    on_progress: Option<(Duration, Box<dyn FnMut(&Progress) + 'a>)>,
}

impl fmt::Debug for Question<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Question").field("model", &self.model).finish_non_exhaustive()
    }
}

/// Options.
impl<'a> Question<'a> {
    /// Limits the question, from when it is asked: time, conflicts, memory, a flag that cancels it.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.model.to_mut().set_limits(limits);
        self
    }

    /// Limits the time of the question, from when it is asked, beside the limits that were given before.
    pub fn time_limit(mut self, time: Duration) -> Self {
        let asking = &mut self.model.to_mut().asking;
        asking.limits = asking.limits.clone().time(time);
        self
    }

    /// Puts the question to solvers that are made by `make`, such as `CaDiCaL::default`, instead of the default one.
    pub fn solver<S: Solver + 'static>(mut self, make: impl Fn() -> S + Send + Sync + 'static) -> Self {
        self.model.to_mut().set_solver(make);
        self
    }

    /// Puts the question to a program, and the search for an optimum to the default solver, too, in another thread.
    ///
    /// ```
    /// use cnfkit::model::Model;
    /// use cnfkit::solvers::External;
    /// let mut model = Model::new();
    /// let x = model.ints(3, 0..=4);
    /// model.all_different(&x);
    /// match model.ask().program(&External::new("cadical")).maximum(x[0] + x[1] * 2) {
    ///     Ok(best) => assert_eq!(best.expect("there are solutions").value, 3 + 2 * 4),
    ///     Err(error) => assert!(error.to_string().contains("does not start"), "{error}"), // where there is no CaDiCaL
    /// }
    /// ```
    pub fn program(mut self, program: &External) -> Self {
        self.model.to_mut().set_program(program);
        self
    }

    /// All of `assumptions` are to be true: they are constraints of this question.
    pub fn assuming(mut self, assumptions: impl IntoIterator<Item = Bool>) -> Self {
        let model = self.model.to_mut();
        assumptions.into_iter().for_each(|bool| model.post(bool));
        self
    }

    /// Variables get literals in the order in which they were made where this is 0, as it is at first, and otherwise
    /// by lot: another seed may find another solution, sooner or later.
    pub fn seed(mut self, seed: u64) -> Self {
        self.model.to_mut().set_seed(seed);
        self
    }

    /// Asks in so many threads, 256 at most: one solution, and optima. Each has the model and a solver of its own,
    /// variables numbered by lot but for the first, and, unless [one is given](Self::strategy), another [`Strategy`].
    /// The first answer is the answer; it is as right as that of one thread, but which solution it is may differ from
    /// run to run. What is reported on the way is what the first thread finds. Limits on conflicts and memory are for
    /// all threads together.
    pub fn threads(mut self, n: usize) -> Self {
        self.model.to_mut().set_threads(n);
        self
    }

    /// The way in which an optimum is searched.
    ///
    /// Without this, [`Strategy::Auto`] is core-guided search for sums, and from two seconds on that for a variable
    /// that equals the sum, in turn, unless conflicts are limited. For the multiple of a single variable, whose bounds
    /// are literals, it asks for solutions below the best one, at the lower bound and in the middle in turn, with
    /// limits on conflicts and steps that grow: [`Strategy::SolutionImproving`] does only the first of these.
    pub fn strategy(mut self, strategy: Strategy) -> Self {
        self.model.to_mut().set_strategy(strategy);
        self
    }

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

    /// Calls `better` for each solution that is better than all before it, once, with its value.
    ///
    /// ```
    /// use cnfkit::model::Model;
    /// let mut model = Model::new();
    /// let x = model.int(0..=9);
    /// let mut values = Vec::new();
    /// model.ask().on_solution(|_, value| values.push(value)).maximum(2 * x)?;
    /// assert!(values.is_sorted() && values.last() == Some(&18));
    /// # Ok::<(), cnfkit::model::ModelError>(())
    /// ```
    pub fn on_solution(mut self, better: impl FnMut(&Solution, i64) + 'a) -> Self {
        self.on_solution = Some(Box::new(better));
        self
    }

    /// Writes a certificate of the answer to the new folder `dir`: see [`Model::solve_certified`].
    #[cfg(any(feature = "batsat", feature = "cadical"))]
    pub fn proof<P: AsRef<Path>>(self, dir: P) -> ProvenAnswer<'a, P> {
        ProvenAnswer { question: self, dir }
    }
}

/// Verbs.
impl Question<'_> {
    /// [`Model::solve`] with these options.
    ///
    /// # Errors
    /// As [`Question`] says.
    pub fn solve(&self) -> Result<Option<Solution>, ModelError> {
        self.model.solve()
    }

    /// [`Model::solutions`] with these options.
    ///
    /// # Errors
    /// As [`Question`] says.
    pub fn solutions(&self) -> Result<Solutions<'_>, ModelError> {
        self.model.solutions()
    }

    /// [`Model::count`] with these options.
    ///
    /// # Errors
    /// As [`Question`] says.
    pub fn count(&self, limit: usize) -> Result<usize, ModelError> {
        self.model.count(limit)
    }

    /// [`Model::is_unique`] with these options.
    ///
    /// # Errors
    /// As [`Question`] says.
    pub fn is_unique(&self) -> Result<bool, ModelError> {
        self.model.is_unique()
    }

    /// [`Model::backbone`] with these options.
    ///
    /// # Errors
    /// As [`Question`] says.
    pub fn backbone(&self) -> Result<Option<Backbone>, ModelError> {
        self.model.backbone()
    }

    /// [`Model::unsat_core`] with these options. [Assumptions](Self::assuming) are in no group.
    ///
    /// # Errors
    /// As [`Question`] says.
    pub fn unsat_core(&self) -> Result<Option<Vec<&str>>, ModelError> {
        self.model.unsat_core()
    }

    /// [`Model::smallest_unsat_core`] with these options.
    ///
    /// # Errors
    /// As [`Question`] says.
    pub fn smallest_unsat_core(&self) -> Result<Option<Vec<&str>>, ModelError> {
        self.model.smallest_unsat_core()
    }

    /// The solution that is found in which the expression is as small as possible, or `None` when there is provably no
    /// solution.
    ///
    /// # Errors
    /// As [`Question`] says. When it is interrupted after a solution was found, that is the answer, and not said to be
    /// optimal.
    pub fn minimum(self, expr: impl Into<Expr>) -> Result<Option<Optimum>, ModelError> {
        self.best(expr.into(), 1)
    }

    /// The solution that is found in which the expression is as large as possible: as [`minimum`](Self::minimum).
    ///
    /// # Errors
    /// As [`minimum`](Self::minimum).
    pub fn maximum(self, expr: impl Into<Expr>) -> Result<Option<Optimum>, ModelError> {
        self.best(-expr.into(), -1)
    }

    /// The least value of an expression, which is the negation of what is asked for where the sign is −1.
    fn best(self, expr: Expr, sign: i64) -> Result<Option<Optimum>, ModelError> {
        let Self { mut model, on_solution, on_improvement, on_progress } = self;
        let model = model.to_mut();
        let program = model.has_program.then(|| std::mem::take(&mut model.asking.engine));
        let clock = model.asking.start();
        let (terms, constant) = model.terms(expr)?;
        let goal = LinearGoal { terms, constant, sign };
        if model.error.is_none() && model.strategy == Strategy::Auto {
            let (sum, _) = below(&goal.terms, model.rows());
            let ends = goal.terms.iter().chain(&sum).filter(|&&(_, factor)| factor > 0).map(|&(var, _)| var);
            model.post_loads(&ends.collect::<Vec<_>>(), &clock)?;
        }
        let mut told =
            SearchReport { sign: sign.into(), best: None, least: i128::MIN, conflicts: 0, on_solution, on_improvement };
        let mut hinted = model.hinted(&clock)?.map(|solution| goal.reached(solution, model));
        if let Some(part) = model.as_likely(&clock)? {
            hinted = match goal.search(&part, &briefly(&clock, Duration::from_secs(2)), None, None) {
                Ok(best) => best.map(|best| goal.reached(best.solution, model)),
                Err(ModelError::Interrupted(_)) => None,
                Err(error) => return Err(error),
            };
        }
        let mut better = None;
        if let Some(hinted) = &hinted {
            told.tell_best(hinted);
            better = Some(goal.better_than(hinted.value, model)).filter(|better| better.error.is_none());
        }
        let sum = goal.sum(model);
        let model = better.as_ref().unwrap_or(model);
        let own = |model: &Model, clock: &Clock| {
            let (mut least, mut known) = (None, None);
            let bound_of = |least: i128| i64::try_from(least + i128::from(goal.constant)).ok();
            let part = match model.with_the_best(&goal.terms, clock)? {
                Some(RelaxedBest::Is(solution)) => {
                    let value = goal.value(&solution);
                    let best = Optimum { solution, value, bound: value, is_optimal: true };
                    told.tell_best(&best);
                    return Ok(Some(best));
                }
                Some(RelaxedBest::Within(part, found)) => {
                    known = found.and_then(|(solution, lower)| {
                        least = bound_of(lower);
                        let (value, bound) = (goal.value(&solution), sign * least?);
                        let best = Optimum { solution, value, bound, is_optimal: false };
                        told.tell_best(&best);
                        Some(best)
                    });
                    Some(part)
                }
                Some(RelaxedBest::AtLeast(bound)) => {
                    least = bound_of(bound);
                    None
                }
                None => None,
            };
            told.least = least.map_or(told.least, i128::from).max(told.least);
            let mut report = |found: &Improvement<'_, Solution>| told.tell(found);
            let part = part.as_deref().unwrap_or(model);
            let found = match &sum {
                Some(sum) => goal.search_by_turns(sum, part, false, clock, &mut report, on_progress),
                // Turns end by time: within a number of conflicts answers are the same every time.
                None => match (clock.conflicts_left() == u64::MAX).then(|| goal.named(part)).flatten() {
                    Some((name, part)) => name.search_by_turns(&goal, &part, true, clock, &mut report, on_progress),
                    None => goal.search(part, clock, Some(&mut report), on_progress),
                },
            };
            let found = match known {
                Some(known) => known.or_better(found),
                None => found,
            }?;
            Ok(found.map(|best| {
                let bound = least.map_or(best.bound, |least| sign * least.max(sign * best.bound));
                Optimum { bound, is_optimal: best.is_optimal || bound == best.value, ..best }
            }))
        };
        let other = |model: &Model, clock: &Clock| goal.search(model, clock, None, None);
        let is_answer = |found: &Option<Optimum>| found.as_ref().is_none_or(|best| best.is_optimal);
        let found = model.race(&clock, program.as_ref(), own, other, is_answer, |found| goal.best_of(found));
        let best = match hinted {
            Some(hinted) => hinted.or_better(found),
            None => found,
        }?;
        best.iter().for_each(|best| told.tell_best(best));
        Ok(best)
    }
}

/// The best that was told of a question, and who is told: searches that follow each other begin anew, each with bounds
/// of its own.
struct SearchReport<'a> {
    /// 1 for the least value, −1 for the greatest: times that, values are costs.
    sign: i128,
    /// The cost of the best solution that was told.
    best: Option<i128>,
    /// No solution costs less.
    least: i128,
    conflicts: u64,
    on_solution: Option<Box<dyn FnMut(&Solution, i64) + 'a>>,
    on_improvement: Option<Box<dyn FnMut(&Improvement<'_, Solution>) + 'a>>,
}

impl SearchReport<'_> {
    /// Tells of a solution that is better than all before it, or of the best one again with a better bound.
    fn tell(&mut self, found: &Improvement<'_, Solution>) {
        let (cost, value) = (self.sign * found.value, found.value);
        let bound = self.sign * if self.sign > 0 { found.lower_bound } else { found.upper_bound };
        let least = bound.max(self.least).min(cost);
        if self.best.is_some_and(|best| best < cost || best == cost && least <= self.least) {
            return;
        }
        let is_new = self.best.replace(cost) != Some(cost);
        (self.least, self.conflicts) = (least, self.conflicts.max(found.conflicts));
        if let Some(report) = self.on_solution.as_mut().filter(|_| is_new) {
            report(found.solution, value as i64);
        }
        if let Some(report) = &mut self.on_improvement {
            let bound = self.sign * least;
            let mut found = found.with(found.solution);
            [found.lower_bound, found.upper_bound] = if self.sign > 0 { [bound, value] } else { [value, bound] };
            report(&found);
        }
    }

    fn tell_best(&mut self, best: &Optimum) {
        let mut found = Improvement::proven(&best.solution, best.value.into());
        *(if self.sign > 0 { &mut found.lower_bound } else { &mut found.upper_bound }) = best.bound.into();
        found.conflicts = self.conflicts;
        self.tell(&found);
    }
}

/// A question about a [`Model`] whose answer is written with a certificate to a new folder; made by
/// [`Question::proof`]. A solver of one's own is not asked, and nothing is reported on the way.
///
/// VeriPB says of an optimum `s VERIFIED BOUNDS` with the least value of the objective of `formula.opb`. That is
/// [`Optimum::value`] up to a constant, and for the greatest value its negation.
///
/// ```
/// use cnfkit::model::{Model, ProvenAnswer};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut model = Model::new();
/// let x = model.ints(3, 1..=4);
/// model.all_different(&x);
/// let dir = std::env::temp_dir().join(format!("cnfkit-optimum-certified-{}", std::process::id()));
/// let question: ProvenAnswer<'_, _> = model.ask().proof(&dir);
/// let best = question.maximum(x[0] + 2 * x[1])?.expect("there are solutions");
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
#[derive(Debug)]
#[must_use = "a question is asked by a verb, such as `solve`"]
pub struct ProvenAnswer<'a, P> {
    question: Question<'a>,
    dir: P,
}

#[cfg(any(feature = "batsat", feature = "cadical"))]
impl<P: AsRef<Path>> ProvenAnswer<'_, P> {
    /// A solution, or `None` when there is none: [`Model::solve_certified`].
    ///
    /// # Errors
    /// As [`ProvenAnswer`] says.
    pub fn solve(self) -> Result<Option<Solution>, ModelError> {
        self.question.model.solve_certified(self.dir)
    }

    /// The solution in which the expression is as small as possible, or `None` when there is none. Where a limit is
    /// reached, the best so far, with a certificate of both bounds.
    ///
    /// # Errors
    /// As [`ProvenAnswer`] says.
    pub fn minimum(self, expr: impl Into<Expr>) -> Result<Option<Optimum>, ModelError> {
        self.best(expr.into(), 1)
    }

    /// The solution in which the expression is as large as possible, or `None` when there is none.
    ///
    /// # Errors
    /// As [`ProvenAnswer`] says.
    pub fn maximum(self, expr: impl Into<Expr>) -> Result<Option<Optimum>, ModelError> {
        self.best(-expr.into(), -1)
    }

    fn best(self, expr: Expr, sign: i64) -> Result<Option<Optimum>, ModelError> {
        let mut model = self.question.model;
        let (terms, constant) = model.to_mut().terms(expr)?;
        let clock = model.asking.start();
        let mut encoded = model.encoded(super::encoded::Want::WrittenSum(&terms), &clock)?;
        let (objective, base, _) = encoded.objective(&terms, constant);
        encoded.formula.set_objective(objective);
        let mut best = None;
        let told = &mut |found: Option<(&cnfkit_core::Assignment, i128)>, lower| {
            best = found.map(|(found, least)| (found.clone(), least, lower));
        };
        let limits = model.asking.rest(&clock);
        let (best, is_optimal) = match encoded.formula.minimum_certified_with(self.dir, model.strategy, &limits, told) {
            Err(cnfkit_core::CertifyError::Interrupted(_)) if best.is_some() => (best, false),
            found => (found?.map(|(found, least)| (found, least, least)), true),
        };
        Ok(best.map(|(found, least, lower)| {
            let value = |least: i128| sign * (least + base) as i64;
            let solution = model.checked(encoded.solution(model.makers(), |lit| found.is_true(lit)));
            Optimum { solution, value: value(least), bound: value(lower), is_optimal }
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{IntVar, cumulative, element, sum};
    use cnfkit_core::internals::Random;

    /// Values and bounds of what is told, in order, where that only gets better up to the answer.
    fn told(model: &Model, expr: &Expr, sign: i64, limit: Option<Duration>) -> (Vec<(i64, i64)>, Optimum) {
        let (mut told, mut values) = (Vec::new(), Vec::new());
        let report = |found: &Improvement<'_, Solution>| {
            assert_eq!(i128::from(found.solution.value_of(expr.clone())), found.value);
            let bounds = [found.lower_bound, found.upper_bound];
            assert!(bounds.contains(&found.value));
            told.push((found.value as i64, bounds[usize::from(sign < 0)] as i64));
        };
        let mut question = model.ask().on_improvement(report).on_solution(|_, value| values.push(value));
        question = limit.into_iter().fold(question, Question::time_limit);
        let best = if sign > 0 { question.minimum(expr.clone()) } else { question.maximum(expr.clone()) };
        let best = best.unwrap().unwrap();
        let costs: Vec<[i64; 2]> = told.iter().map(|&(value, bound)| [sign * value, -sign * bound]).collect();
        assert!(costs.windows(2).all(|two| two[0] != two[1] && two[0][0] >= two[1][0] && two[0][1] >= two[1][1]));
        assert_eq!(told.last(), Some(&(best.value, best.bound)), "{told:?}");
        assert!(values.iter().copied().eq(told.chunk_by(|one, other| one.0 == other.0).map(|same| same[0].0)));
        (told, best)
    }

    /// A solution that is given, or comes from a likely schedule, is told, and that it is optimal.
    #[test]
    fn what_was_known_is_told() {
        let mut model = Model::new();
        let x = model.ints(4, 0..=5);
        model.all_different(&x);
        x.iter().zip(0..).for_each(|(&x, value)| model.set_hint(x, value));
        let (seen, _) = told(&model, &sum(&x), 1, None);
        assert_eq!((seen[0].0, seen.last()), (6, Some(&(6, 6))));
        let mut model = Model::new();
        let x = model.ints(4, 0..=5);
        model.all_different(&x);
        x.iter().zip([2, 5, 4, 3]).for_each(|(&x, value)| model.set_hint(x, value));
        let (seen, _) = told(&model, &sum(&x), 1, None);
        assert_eq!((seen[0].0, seen.last()), (2 + 3 + 4 + 5, Some(&(6, 6))));
        let mut model = Model::new();
        let (starts, end) = (model.ints(5, 0..=50), model.int(0..=60));
        model.post(cumulative(&starts, [3, 4, 5, 2, 6], [1; 5], 1));
        starts.iter().zip([3, 4, 5, 2, 6]).for_each(|(&start, time)| model.post((start + time).le(end)));
        assert_eq!(told(&model, &end.into(), 1, None).0.last(), Some(&(20, 20)));
    }

    /// Assignments with costs of pairs, by a sum or by its name, as long as they go and for a while: solutions that are
    /// found near others are told, and no bound is forgotten.
    #[test]
    fn what_is_told_only_gets_better() {
        let mut random = Random::new(7);
        let mut steps = 0;
        for round in 0..24 {
            let (mut model, n) = (Model::new(), 4);
            let x = model.ints(n, 0..=n as i64 - 1);
            model.all_different(&x);
            let costs: Vec<i64> = (0..n * n).map(|_| random.below(40) as i64).collect();
            let pairs = (1..n).flat_map(|at| (0..at).map(move |other| [at, other]));
            let pairs: Vec<IntVar> = pairs
                .map(|[at, other]| {
                    let cost = model.int(0..=40);
                    model.post(element(costs.clone(), x[at] * n as i64 + x[other], cost));
                    cost
                })
                .collect();
            let sign = if round % 2 == 0 { 1 } else { -1 };
            let mut goal = sum(&pairs);
            if round % 4 < 2 {
                let name = model.int(0..=400);
                model.post(goal.eq(name));
                goal = name.into();
            }
            let best = told(&model, &goal, sign, None).1;
            assert!(best.is_optimal);
            for limit in [5, 20, 40] {
                let question = model.ask().time_limit(Duration::from_millis(limit));
                if question.solve().is_ok() {
                    let (seen, last) = told(&model, &goal, sign, Some(Duration::from_millis(10 * limit)));
                    assert!(sign * last.value >= sign * best.value && sign * last.bound <= sign * best.value);
                    steps += seen.len();
                }
            }
        }
        assert!(steps > 100, "{steps}");
    }
}
