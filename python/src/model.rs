//! `Model`: integer variables, and questions.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use cnfkit::model::{self, Domain};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyList, PyTuple};

use crate::ask::{Callback, REPORT, Solutions, ask_apart, ask_showing, counted, limits, object, wait};
use crate::convert::{integer, n_vars, named};
use crate::errors::no_model;
use crate::expr::{Constraint, Home, IntExpr, Line, Owner, exprs};
use crate::formula::{Formula, of_bounds};

/// Integer variables, truth values, and constraints on them.
///
/// >>> model = Model()
/// >>> x, y, z = model.ints(3, 1, 5)
/// >>> model.post(all_different([x, y, z]), x + y == z)
/// >>> model.count()
/// 8
/// >>> best = model.maximise(x - y)
/// >>> best.value, best.solution[[x, y, z]]
/// (3, [4, 1, 5])
#[pyclass(module = "cnfkit")]
pub(crate) struct Model {
    model: model::Model,
    line: Line,
    n_vars: usize,
}

/// A number that no other model has.
fn new_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Checks that something with variables belongs to the last model of a line.
fn own(line: &Line, owner: Option<&Home>) -> PyResult<()> {
    match owner {
        Some(home) if !home.is_in(line) => Err(PyValueError::new_err("a variable of another model")),
        _ => Ok(()),
    }
}

impl Model {
    fn own(&self, owner: &Owner) -> PyResult<()> {
        own(&self.line, owner.as_ref())
    }

    /// Where the variable that was made last is at home.
    fn home(&self) -> Home {
        Home { line: Arc::clone(&self.line), n_vars: self.n_vars }
    }

    fn made(&mut self, truth: model::Bool) -> Constraint {
        self.n_vars += 1;
        Constraint::of(truth, Some(self.home()))
    }

    fn optimum<'py>(
        &mut self,
        py: Python<'py>,
        expr: &Bound<'_, PyAny>,
        sign: bool,
        time_limit: Option<f64>,
        on_improvement: Option<Py<PyAny>>,
        on_progress: Option<Py<PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let expr = IntExpr::operand(expr)?;
        self.own(&expr.owner)?;
        let (limits, flag) = limits(time_limit)?;
        let mut improvement = Callback::new(on_improvement, flag.clone());
        let reports = on_progress.is_some();
        let mut progress = Callback::new(on_progress, flag.clone());
        let solution = Solution::of(self.home());
        let quiet = || Ok(());
        let best = wait(py, &flag, quiet, || {
            let mut last = None;
            let mut question = self.model.ask().limits(limits).on_improvement(|found| {
                // It is reported once more when its bound is better.
                if last.replace(found.value) != Some(found.value) {
                    improvement.call(|py| (solution(found.solution.clone()), found.value).into_pyobject(py));
                }
            });
            if reports {
                question = question.on_progress(REPORT, |now| progress.call(|py| of_bounds(py, now)));
            }
            if sign { question.maximum(expr.expr) } else { question.minimum(expr.expr) }.map_err(no_model)
        });
        let best = progress.end(improvement.end(best))?;
        best.map(|best| named(py, "ModelOptimum", (solution(best.solution), best.value, best.bound, best.is_optimal)))
            .transpose()
    }
}

fn domain(low: &Bound<'_, PyAny>, high: Option<&Bound<'_, PyAny>>) -> PyResult<Domain> {
    let domain = match high {
        Some(high) => {
            let (low, high) = (integer(low, "the least value")?, integer(high, "the greatest value")?);
            Domain::from(low..=high)
        }
        None => {
            let values: BTreeSet<i64> =
                low.try_iter()?.map(|value| integer(&value?, "a value")).collect::<PyResult<_>>()?;
            values.into_iter().collect()
        }
    };
    if domain.is_empty() {
        return Err(PyValueError::new_err("a domain without values"));
    }
    Ok(domain)
}

#[pymethods]
impl Model {
    #[new]
    fn new() -> Self {
        Self { model: model::Model::new(), line: Arc::new([(new_id(), usize::MAX)]), n_vars: 0 }
    }

    /// An integer variable from `low` to `high`, or with the values of an iterable: `int(1, 9)`, `int([2, 3, 5])`.
    #[pyo3(signature = (low, high=None, *, name=None))]
    fn int(
        &mut self,
        low: &Bound<'_, PyAny>,
        high: Option<&Bound<'_, PyAny>>,
        name: Option<String>,
    ) -> PyResult<IntExpr> {
        let var = self.model.int(domain(low, high)?);
        self.n_vars += 1;
        Ok(IntExpr::of(var, self.home(), name))
    }

    /// New integer variables, `n` of them: see `int`.
    #[pyo3(signature = (n, low, high=None))]
    fn ints(
        &mut self,
        n: &Bound<'_, PyAny>,
        low: &Bound<'_, PyAny>,
        high: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<IntExpr>> {
        let n = n_vars(n, "the number of variables")?;
        let vars = self.model.ints(n, domain(low, high)?);
        self.n_vars += n;
        Ok(vars.into_iter().map(|var| IntExpr::of(var, self.home(), None)).collect())
    }

    /// A truth value.
    fn bool(&mut self) -> Constraint {
        let truth = self.model.bool();
        self.made(truth)
    }

    /// New truth values, `n` of them.
    fn bools(&mut self, n: &Bound<'_, PyAny>) -> PyResult<Vec<Constraint>> {
        let n = n_vars(n, "the number of truth values")?;
        Ok((0..n).map(|_| self.bool()).collect())
    }

    /// The constraints hold; a member of unsatisfiable cores if they are given a group's name.
    #[pyo3(signature = (*constraints, group=None))]
    fn post(&mut self, constraints: &Bound<'_, PyTuple>, group: Option<&str>) -> PyResult<()> {
        let constraints = constraints.iter().map(|one| Constraint::operand(&one)).collect::<PyResult<Vec<_>>>()?;
        constraints.iter().try_for_each(|constraint| self.own(&constraint.owner))?;
        let post = |model: &mut model::Model| {
            constraints.iter().for_each(|constraint| model.post(constraint.make()));
        };
        match group {
            Some(name) => self.model.group(name, post),
            None => post(&mut self.model),
        }
        Ok(())
    }

    /// A truth value that is true if and only if the constraint holds: a number, 0 or 1, in sums.
    ///
    /// >>> model = Model()
    /// >>> x = model.ints(3, 0, 9)
    /// >>> large = [model.reify(v > 5) for v in x]
    /// >>> model.post(sum(large) == 2)
    /// >>> sum(v > 5 for v in model.solve()[x])
    /// 2
    fn reify(&mut self, constraint: &Bound<'_, PyAny>) -> PyResult<Constraint> {
        let constraint = Constraint::operand(constraint)?;
        self.own(&constraint.owner)?;
        let truth = self.model.reify(constraint.make());
        Ok(self.made(truth))
    }

    /// A solution, or None if there is provably none. After `time_limit` seconds it is a TimeoutError; Ctrl-C ends it,
    /// too. Other threads run meanwhile.
    ///
    /// `on_progress` is called ten times a second with a `Progress`: the seconds and conflicts so far. An exception of
    /// its ends the question.
    #[pyo3(signature = (*, time_limit=None, on_progress=None))]
    fn solve(
        &mut self,
        py: Python<'_>,
        time_limit: Option<f64>,
        on_progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<Solution>> {
        let found = ask_showing(py, time_limit, on_progress, |limits| {
            self.model.set_limits(limits);
            self.model.solve().map_err(no_model)
        })?;
        Ok(found.map(Solution::of(self.home())))
    }

    /// All solutions, each once, as an iterator; `time_limit` is for all of them together. With `of`, solutions that
    /// differ in none of these variables and truth values are one.
    ///
    /// >>> model = Model()
    /// >>> x = model.ints(3, 0, 4)
    /// >>> len(list(model.solutions(of=x[:2])))
    /// 25
    #[pyo3(signature = (*, of=None, time_limit=None))]
    fn solutions(&self, of: Option<&Bound<'_, PyAny>>, time_limit: Option<f64>) -> PyResult<Solutions> {
        let of = of.map(exprs).transpose()?;
        own(&self.line, of.as_ref().and_then(|(_, owner)| owner.as_ref()))?;
        let (mut model, make) = (self.model.clone(), Solution::of(self.home()));
        Solutions::new(time_limit, move |limits, found| {
            model.set_limits(limits);
            let solutions = match of {
                Some((exprs, _)) => model.solutions_by(exprs),
                None => model.solutions(),
            };
            let solutions = match solutions {
                Ok(solutions) => solutions,
                Err(error) => {
                    found(Err(no_model(error)));
                    return;
                }
            };
            for solution in solutions {
                if !found(solution.map_err(no_model).map(&make).map(object)) {
                    return;
                }
            }
        })
    }

    /// The number of solutions, counted up to `limit`; `on_progress` is as in `solve`.
    #[pyo3(signature = (limit=None, *, time_limit=None, on_progress=None))]
    fn count(
        &mut self,
        py: Python<'_>,
        limit: Option<&Bound<'_, PyAny>>,
        time_limit: Option<f64>,
        on_progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<usize> {
        counted(limit, |most| {
            ask_showing(py, time_limit, on_progress, |limits| {
                self.model.set_limits(limits);
                self.model.count(most).map_err(no_model)
            })
        })
    }

    /// A solution in which the expression is as small as possible; None if there is no solution.
    ///
    /// `on_improvement(solution, value)` is called for each better solution, and `on_progress` ten times a second with
    /// a `Progress`; an exception of theirs ends the search. When the time is over after a solution was found, that is
    /// the answer, and `is_optimal` is False.
    #[pyo3(signature = (expr, *, time_limit=None, on_improvement=None, on_progress=None))]
    fn minimise<'py>(
        &mut self,
        py: Python<'py>,
        expr: &Bound<'_, PyAny>,
        time_limit: Option<f64>,
        on_improvement: Option<Py<PyAny>>,
        on_progress: Option<Py<PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.optimum(py, expr, false, time_limit, on_improvement, on_progress)
    }

    /// A solution in which the expression is as large as possible: see `minimise`.
    #[pyo3(signature = (expr, *, time_limit=None, on_improvement=None, on_progress=None))]
    fn maximise<'py>(
        &mut self,
        py: Python<'py>,
        expr: &Bound<'_, PyAny>,
        time_limit: Option<f64>,
        on_improvement: Option<Py<PyAny>>,
        on_progress: Option<Py<PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.optimum(py, expr, true, time_limit, on_improvement, on_progress)
    }

    /// A minimal unsatisfiable core: groups that contradict each other; None if there is a solution. With `smallest`,
    /// no core has fewer members. `on_progress` is as in `solve`.
    ///
    /// >>> model = Model()
    /// >>> x = model.int(1, 5)
    /// >>> model.post(x > 3, group="more than 3")
    /// >>> model.post(x < 3, group="less than 3")
    /// >>> model.unsat_core()
    /// ['more than 3', 'less than 3']
    #[pyo3(signature = (*, smallest=false, time_limit=None, on_progress=None))]
    fn unsat_core(
        &mut self,
        py: Python<'_>,
        smallest: bool,
        time_limit: Option<f64>,
        on_progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<Vec<String>>> {
        ask_showing(py, time_limit, on_progress, |limits| {
            self.model.set_limits(limits);
            let core = if smallest { self.model.smallest_unsat_core() } else { self.model.unsat_core() };
            Ok(core.map_err(no_model)?.map(|core| core.into_iter().map(str::to_owned).collect()))
        })
    }

    /// A model with the same variables, constraints and groups. What is made or posted later is not the other's.
    ///
    /// >>> import copy
    /// >>> model = Model()
    /// >>> x = model.int(1, 5)
    /// >>> other = copy.copy(model)
    /// >>> other.post(x > other.int(3, 4))
    /// >>> model.count(), other.count()
    /// (5, 3)
    fn __copy__(&self) -> Self {
        let (older, own) = self.line.split_at(self.line.len() - 1);
        let shared = own.iter().map(|&(id, _)| (id, self.n_vars));
        let line = older.iter().copied().chain(shared).chain([(new_id(), usize::MAX)]).collect();
        Self { model: self.model.clone(), line, n_vars: self.n_vars }
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.__copy__()
    }

    /// The model as a formula.
    fn formula(&self, py: Python<'_>) -> PyResult<Formula> {
        let model = self.model.clone();
        ask_apart(py, None, move || model.formula().map(Formula::of).map_err(no_model))
    }

    fn __repr__(&self) -> String {
        format!("<Model of {} variable{}>", self.n_vars, if self.n_vars == 1 { "" } else { "s" })
    }
}

/// The values of a solution: `solution[x]` is an int for an expression, a bool for a truth value, and a list for a list
/// of them.
#[pyclass(module = "cnfkit", frozen)]
pub(crate) struct Solution {
    solution: model::Solution,
    home: Home,
}

impl Solution {
    fn of(home: Home) -> impl Fn(model::Solution) -> Self + Send + Sync + Clone {
        move |solution| Self { solution, home: home.clone() }
    }
}

#[pymethods]
impl Solution {
    fn __getitem__<'py>(&self, of: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = of.py();
        if of.is_instance_of::<PyList>() || of.is_instance_of::<PyTuple>() {
            let values = of.try_iter()?.map(|one| self.__getitem__(&one?)).collect::<PyResult<Vec<_>>>()?;
            return Ok(PyList::new(py, values)?.into_any());
        }
        let truth = of.cast::<Constraint>().ok().map(|constraint| constraint.get());
        let owner = match (truth, of.cast::<IntExpr>()) {
            (Some(constraint), _) => constraint.owner.as_ref(),
            (_, Ok(expr)) => expr.get().owner.as_ref(),
            _ => return Err(PyTypeError::new_err("a solution has values of expressions and truth values")),
        };
        own(&self.home.line, owner)?;
        if let Some(home) = owner
            && home.n_vars > self.home.n_vars
        {
            let (n, of) = (home.n_vars, self.home.n_vars);
            return Err(PyValueError::new_err(format!("variable {n}, but the solution has values of {of}")));
        }
        let value = |of: &dyn Fn() -> PyResult<i64>| {
            catch_unwind(AssertUnwindSafe(of)).unwrap_or_else(|_| Err(PyOverflowError::new_err("a sum beyond 64 bits")))
        };
        if let Some(constraint) = truth {
            let Some(truth) = constraint.truth else {
                return Err(PyTypeError::new_err("a constraint has no value: model.reify makes it a truth value"));
            };
            let is_true = value(&|| Ok(self.solution.is_true(truth).into()))? == 1;
            return Ok(PyBool::new(py, is_true).to_owned().into_any());
        }
        let expr = IntExpr::operand(of)?.expr;
        Ok(value(&|| Ok(self.solution.value_of(&expr)))?.into_pyobject(py)?.into_any())
    }

    fn __repr__(&self) -> String {
        format!("<Solution: values of {} variables>", self.home.n_vars)
    }
}
