//! `Model`: integer variables, and questions.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

use cnfkit::model::{self, Domain};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyList, PyTuple};

use crate::ask::{Callback, Solutions, ask, count_limit, limits, object, wait};
use crate::convert::{integer, n_vars};
use crate::errors::no_model;
use crate::expr::{Constraint, IntExpr, exprs, same};
use crate::formula::Formula;

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
    id: u64,
    n_ints: usize,
}

impl Model {
    fn own(&self, owner: Option<u64>) -> PyResult<()> {
        match owner {
            Some(owner) if owner != self.id => Err(PyValueError::new_err("a variable of another model")),
            _ => Ok(()),
        }
    }

    fn optimum<'py>(
        &mut self,
        py: Python<'py>,
        expr: &Bound<'_, PyAny>,
        sign: bool,
        time_limit: Option<f64>,
        on_improvement: Option<Py<PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let expr = IntExpr::operand(expr)?;
        self.own(expr.owner)?;
        let (limits, flag) = limits(time_limit)?;
        let mut callback = Callback::new(on_improvement, flag.clone());
        let owner = Solution::of(self.id, self.n_ints);
        let best = wait(py, &flag, || {
            self.model.set_limits(limits);
            let report = |solution: &model::Solution, value| {
                callback.call(|py| (owner(solution.clone()), value).into_pyobject(py));
            };
            let best =
                if sign { self.model.maximise(expr.expr, report) } else { self.model.minimise(expr.expr, report) };
            best.map_err(no_model)
        });
        let best = callback.end(best)?;
        best.map(|best| {
            let args = (owner(best.solution), best.value, best.bound, best.is_optimal);
            py.import("cnfkit")?.getattr("ModelOptimum")?.call1(args)
        })
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
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self { model: model::Model::new(), id: NEXT.fetch_add(1, Ordering::Relaxed), n_ints: 0 }
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
        self.n_ints += 1;
        Ok(IntExpr::of(var, self.id, name))
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
        self.n_ints += n;
        Ok(vars.into_iter().map(|var| IntExpr::of(var, self.id, None)).collect())
    }

    /// A truth value.
    fn bool(&mut self) -> Constraint {
        self.n_ints += 1;
        Constraint::of(self.model.bool(), Some(self.id))
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
        constraints.iter().try_for_each(|constraint| self.own(constraint.owner))?;
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
        self.own(constraint.owner)?;
        Ok(Constraint::of(self.model.reify(constraint.make()), Some(self.id)))
    }

    /// A solution, or None if there is provably none. After `time_limit` seconds it is a TimeoutError; Ctrl-C ends it,
    /// too. Other threads run meanwhile.
    #[pyo3(signature = (*, time_limit=None))]
    fn solve(&mut self, py: Python<'_>, time_limit: Option<f64>) -> PyResult<Option<Solution>> {
        let found = ask(py, time_limit, |limits| {
            self.model.set_limits(limits);
            self.model.solve().map_err(no_model)
        })?;
        Ok(found.map(Solution::of(self.id, self.n_ints)))
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
        self.own(of.as_ref().and_then(|(_, owner)| *owner))?;
        let (mut model, make) = (self.model.clone(), Solution::of(self.id, self.n_ints));
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
                if !found(solution.map_err(no_model).map(make).map(object)) {
                    return;
                }
            }
        })
    }

    /// The number of solutions, counted up to `limit`.
    #[pyo3(signature = (limit=None, *, time_limit=None))]
    fn count(&mut self, py: Python<'_>, limit: Option<i64>, time_limit: Option<f64>) -> PyResult<usize> {
        let limit = count_limit(limit)?;
        ask(py, time_limit, |limits| {
            self.model.set_limits(limits);
            self.model.count(limit).map_err(no_model)
        })
    }

    /// A solution in which the expression is as small as possible; None if there is no solution.
    ///
    /// `on_improvement(solution, value)` is called for each better solution; an exception of its ends the search. When
    /// the time is over after a solution was found, that is the answer, and `is_optimal` is False.
    #[pyo3(signature = (expr, *, time_limit=None, on_improvement=None))]
    fn minimise<'py>(
        &mut self,
        py: Python<'py>,
        expr: &Bound<'_, PyAny>,
        time_limit: Option<f64>,
        on_improvement: Option<Py<PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.optimum(py, expr, false, time_limit, on_improvement)
    }

    /// A solution in which the expression is as large as possible: see `minimise`.
    #[pyo3(signature = (expr, *, time_limit=None, on_improvement=None))]
    fn maximise<'py>(
        &mut self,
        py: Python<'py>,
        expr: &Bound<'_, PyAny>,
        time_limit: Option<f64>,
        on_improvement: Option<Py<PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.optimum(py, expr, true, time_limit, on_improvement)
    }

    /// A minimal unsatisfiable core: groups that contradict each other; None if there is a solution. With `smallest`,
    /// no core has fewer members.
    ///
    /// >>> model = Model()
    /// >>> x = model.int(1, 5)
    /// >>> model.post(x > 3, group="more than 3")
    /// >>> model.post(x < 3, group="less than 3")
    /// >>> model.unsat_core()
    /// ['more than 3', 'less than 3']
    #[pyo3(signature = (*, smallest=false, time_limit=None))]
    fn unsat_core(&mut self, py: Python<'_>, smallest: bool, time_limit: Option<f64>) -> PyResult<Option<Vec<String>>> {
        ask(py, time_limit, |limits| {
            self.model.set_limits(limits);
            let core = if smallest { self.model.smallest_unsat_core() } else { self.model.unsat_core() };
            Ok(core.map_err(no_model)?.map(|core| core.into_iter().map(str::to_owned).collect()))
        })
    }

    /// A model with the same variables, constraints and groups. What is made or posted later is not the other's.
    fn __copy__(&self) -> Self {
        Self { model: self.model.clone(), ..*self }
    }

    /// The model as a formula.
    fn formula(&self, py: Python<'_>) -> PyResult<Formula> {
        ask(py, None, |_| self.model.formula().map(Formula::of).map_err(no_model))
    }

    fn __repr__(&self) -> String {
        format!("<Model of {} variable{}>", self.n_ints, if self.n_ints == 1 { "" } else { "s" })
    }
}

/// The values of a solution: `solution[x]` is an int for an expression, a bool for a truth value, and a list for a list
/// of them.
#[pyclass(module = "cnfkit", frozen)]
pub(crate) struct Solution {
    solution: model::Solution,
    owner: u64,
    n_ints: usize,
}

impl Solution {
    fn of(owner: u64, n_ints: usize) -> impl Fn(model::Solution) -> Self + Send + Sync + Copy {
        move |solution| Self { solution, owner, n_ints }
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
            (Some(constraint), _) => constraint.owner,
            (_, Ok(expr)) => expr.get().owner,
            _ => return Err(PyTypeError::new_err("a solution has values of expressions and truth values")),
        };
        if same(owner, Some(self.owner)).is_err() {
            return Err(PyValueError::new_err("a variable of another model"));
        }
        let value = |of: &dyn Fn() -> PyResult<i64>| {
            catch_unwind(AssertUnwindSafe(of)).unwrap_or_else(|_| {
                let n = self.n_ints;
                Err(PyOverflowError::new_err(format!(
                    "a sum beyond 64 bits, or a variable made after this solution, which has {n}"
                )))
            })
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
        format!("<Solution: values of {} variables>", self.n_ints)
    }
}
