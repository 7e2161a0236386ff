//! Questions to a `Formula`.

use std::borrow::Cow;
use std::fs;
use std::io::BufWriter;
use std::path::PathBuf;
use std::time::Instant;

use cnfkit::ask::{Ask, Optimum, Progress, Strategy};
use cnfkit::{Assignment, Lit, Questions};
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::Formula;
use crate::ask::{Callback, REPORT, Solutions, ask, ask_apart, ask_showing, counted, end_of, limits, object, wait};
use crate::clauses::{Clauses, Polled};
use crate::convert::{condition, named, terms};
use crate::engine::{Engine, Within};
use crate::errors::{too_large, uncertified, unsolved};

/// The most clauses that a solver keeps between questions: some gigabytes.
const MOST_KEPT: usize = 1 << 26;

/// The arguments of `on_progress` in a search for an optimum: one, a `Progress`.
pub(crate) fn of_bounds<'py>(py: Python<'py>, now: &Progress) -> PyResult<Bound<'py, PyTuple>> {
    let args = (now.elapsed.as_secs_f64(), now.conflicts, now.value, now.lower_bound, now.upper_bound);
    (named(py, "Progress", args)?,).into_pyobject(py)
}

/// Literals with their values, of a model.
fn signed(model: &Assignment, n_vars: usize) -> Vec<i32> {
    (0..n_vars as u32).map(|var| Lit::new(var, !model.is_true(Lit::positive(var))).to_ipasir()).collect()
}

/// The seconds that are left of a time limit.
fn left_of(time_limit: Option<f64>, begun: Instant) -> Option<f64> {
    time_limit.map(|seconds| (seconds - begun.elapsed().as_secs_f64()).max(0.0))
}

impl Formula {
    /// The formula to look for one solution of, and the seconds that are left.
    fn searched(
        &self,
        py: Python<'_>,
        break_symmetries: bool,
        time_limit: Option<f64>,
    ) -> PyResult<(Cow<'_, cnfkit::Formula>, Option<f64>)> {
        if !break_symmetries {
            return Ok((Cow::Borrowed(&self.formula), time_limit));
        }
        let (begun, formula) = (Instant::now(), self.formula.clone());
        let broken = move || Ok(formula.break_symmetries().map_err(too_large)?.into_formula());
        Ok((Cow::Owned(ask_apart(py, end_of(time_limit)?, broken)?), left_of(time_limit, begun)))
    }

    /// All clauses; the time limit is in seconds.
    pub(super) fn encoded(&self, py: Python<'_>, end: Option<Instant>) -> PyResult<Clauses> {
        let mut sink = Polled::with_vars(self.formula.n_vars()).until(end);
        py.detach(|| self.formula.encode_into(&mut sink))?;
        Ok(sink.into_clauses())
    }

    /// Makes the solver that is kept from question to question, unless it is there or would have to be too large.
    fn keep(&self, py: Python<'_>, time_limit: Option<f64>, engine: &mut Option<Engine>) -> PyResult<()> {
        if engine.as_ref().is_none_or(|engine| engine.n_vars() != self.formula.n_vars()) {
            let encoded = self.encoded(py, end_of(time_limit)?);
            *engine = match encoded {
                Ok(clauses) if clauses.0.n_clauses() <= MOST_KEPT => Some(Engine::of(clauses.0, self.formula.n_vars())),
                Err(error) if !error.is_instance_of::<PyOverflowError>(py) => return Err(error),
                _ => None,
            };
        }
        Ok(())
    }

    /// An objective of a question: literals of the formula with weights.
    fn objective_of(&self, of: &Bound<'_, PyAny>) -> PyResult<Vec<(Lit, i64)>> {
        let terms = terms(of, None)?;
        self.checked(&terms.iter().map(|&(lit, _)| lit).collect::<Vec<Lit>>())?;
        Ok(terms)
    }

    #[allow(clippy::too_many_arguments)]
    fn optimum<'py>(
        &self,
        py: Python<'py>,
        sign: bool,
        hint: Option<&Bound<'py, PyAny>>,
        proof: Option<PathBuf>,
        break_symmetries: bool,
        time_limit: Option<f64>,
        on_improvement: Option<Py<PyAny>>,
        on_progress: Option<Py<PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let hint = condition(hint)?;
        self.checked(&hint)?;
        if break_symmetries && proof.is_some() {
            return Err(PyValueError::new_err("proof: a question without break_symmetries has one"));
        }
        let (formula, time_limit) = self.searched(py, break_symmetries, time_limit)?;
        let (limits, flag) = limits(time_limit)?;
        let n_vars = self.formula.n_vars();
        let mut improvement = Callback::new(on_improvement, flag.clone());
        let reports = on_progress.is_some();
        let mut progress = Callback::new(on_progress, flag.clone());
        let quiet = || Ok(());
        let best = wait(py, &flag, quiet, || {
            let mut question = formula.ask().limits(limits).hint(&hint).on_improvement(|found| {
                improvement.call(|py| {
                    let (low, high) = (found.lower_bound, found.upper_bound);
                    (signed(found.solution, n_vars), found.value, low, high).into_pyobject(py)
                });
            });
            if reports {
                question = question.on_progress(REPORT, |now| progress.call(|py| of_bounds(py, now)));
            }
            match proof {
                Some(dir) if sign => question.proof(dir).maximum().map_err(uncertified),
                Some(dir) => question.proof(dir).minimum().map_err(uncertified),
                None if sign => question.maximum().map_err(unsolved),
                None => question.minimum().map_err(unsolved),
            }
        });
        let best: Option<Optimum> = progress.end(improvement.end(best))?;
        best.map(|best| {
            let (low, high) = (best.lower_bound, best.upper_bound);
            named(py, "Optimum", (signed(&best.model, n_vars), best.value, low, high, best.is_optimal()))
        })
        .transpose()
    }
}

#[pymethods]
impl Formula {
    /// A model, as a list of literals, one for each variable; None if there is provably none.
    ///
    /// `assumptions` are literals that hold for this question only. The solver, with what it has learnt, is kept for
    /// the next question with assumptions, until something other than clauses is added.
    ///
    /// After `time_limit` seconds it is a TimeoutError; Ctrl-C ends it, too. Other threads run meanwhile.
    ///
    /// With `break_symmetries`, clauses leave one of many symmetric models for the solver to find; this is refused with
    /// assumptions, which may exclude just that one.
    ///
    /// `on_progress` is called ten times a second with a `Progress`: the seconds and conflicts so far. An exception of
    /// its ends the question.
    ///
    /// >>> formula = Formula()
    /// >>> formula.at_least([1, 2, 3], 2)
    /// >>> formula.solve([-2])
    /// [1, -2, 3]
    /// >>> formula.solve([-1, -2]) is None
    /// True
    #[pyo3(signature = (assumptions=None, *, break_symmetries=false, time_limit=None, on_progress=None))]
    fn solve(
        &self,
        py: Python<'_>,
        assumptions: Option<&Bound<'_, PyAny>>,
        break_symmetries: bool,
        time_limit: Option<f64>,
        on_progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<Vec<i32>>> {
        let assumptions = condition(assumptions)?;
        self.checked(&assumptions)?;
        if break_symmetries && !assumptions.is_empty() {
            return Err(PyValueError::new_err("assumptions: symmetries are broken of questions without any"));
        }
        if !break_symmetries && let Ok(mut engine) = self.engine.try_lock() {
            let begun = Instant::now();
            if !assumptions.is_empty() {
                self.keep(py, time_limit, &mut engine)?;
            }
            if let Some(engine) = engine.as_mut().filter(|engine| engine.n_vars() == self.formula.n_vars()) {
                let within = Within { seconds: left_of(time_limit, begun), ..Within::NOTHING };
                let has_model = engine.ask(py, &assumptions, within, on_progress)?.map_err(unsolved)?;
                return has_model.then(|| Ok(signed(&engine.model()?, self.formula.n_vars()))).transpose();
            }
        }
        let (formula, time_limit) = self.searched(py, break_symmetries, time_limit)?;
        let model = ask_showing(py, time_limit, on_progress, |limits| {
            let model = if assumptions.is_empty() {
                formula.solve_within(&limits)
            } else {
                self.formula.ask().assuming(&assumptions).limits(limits).solve()
            };
            model.map_err(unsolved)
        })?;
        Ok(model.map(|model| signed(&model, self.formula.n_vars())))
    }

    /// All models, each once, as an iterator; `time_limit` is for all of them together.
    ///
    /// >>> formula = Formula()
    /// >>> formula.exactly([1, 2, 3], 2)
    /// >>> sorted(formula.solutions())
    /// [[-1, 2, 3], [1, -2, 3], [1, 2, -3]]
    #[pyo3(signature = (*, time_limit=None))]
    fn solutions(&self, time_limit: Option<f64>) -> PyResult<Solutions> {
        let formula = self.formula.clone();
        Solutions::new(time_limit, move |limits, found| {
            let ask = Ask::new(&formula).limits(limits);
            for model in ask.solutions() {
                let model = model.map_err(unsolved).map(|model| signed(&model, formula.n_vars()));
                if !found(model.map(object)) {
                    return;
                }
            }
        })
    }

    /// The number of models, counted up to `limit`; `on_progress` is as in `solve`.
    #[pyo3(signature = (limit=None, *, time_limit=None, on_progress=None))]
    fn count(
        &self,
        py: Python<'_>,
        limit: Option<&Bound<'_, PyAny>>,
        time_limit: Option<f64>,
        on_progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<usize> {
        counted(limit, |most| {
            let count = |limits| Ask::new(&self.formula).limits(limits).count(most).map_err(unsolved);
            ask_showing(py, time_limit, on_progress, count)
        })
    }

    /// The literals that all models share; None if there is no model. `on_progress` is as in `solve`.
    ///
    /// >>> formula = Formula()
    /// >>> formula.add_clauses([[1, 2], [-2, 3], [-1, 3]])
    /// >>> formula.backbone()
    /// [3]
    #[pyo3(signature = (*, time_limit=None, on_progress=None))]
    fn backbone(
        &self,
        py: Python<'_>,
        time_limit: Option<f64>,
        on_progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<Vec<i32>>> {
        let ask_formula = |limits| Ask::new(&self.formula).limits(limits).backbone().map_err(unsolved);
        let values = ask_showing(py, time_limit, on_progress, ask_formula)?;
        let fixed = |(var, value): (u32, &Option<bool>)| value.map(|value| Lit::new(var, !value).to_ipasir());
        Ok(values.map(|values| (0..).zip(&values).filter_map(fixed).collect()))
    }

    /// A minimal unsatisfiable core: the named groups, and assumptions, that contradict each other; None if there is a
    /// model. With `smallest`, no core has fewer members. `on_progress` is as in `solve`.
    #[pyo3(signature = (assumptions=None, *, smallest=false, time_limit=None, on_progress=None))]
    fn unsat_core<'py>(
        &self,
        py: Python<'py>,
        assumptions: Option<&Bound<'_, PyAny>>,
        smallest: bool,
        time_limit: Option<f64>,
        on_progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let assumptions = condition(assumptions)?;
        self.checked(&assumptions)?;
        let core = ask_showing(py, time_limit, on_progress, |limits| {
            let question = self.formula.ask().assuming(&assumptions).limits(limits);
            let core = if smallest { question.smallest_unsat_core() } else { question.unsat_core() };
            core.map_err(unsolved)
        })?;
        core.map(|core| {
            let assumed: Vec<i32> = core.assumptions.iter().map(|lit| lit.to_ipasir()).collect();
            named(py, "Core", (core.groups, assumed))
        })
        .transpose()
    }

    /// A model with the least value of the objective; None if there is no model.
    ///
    /// `on_improvement(model, value, lower_bound, upper_bound)` is called for each better model, and `on_progress` ten
    /// times a second with a `Progress`; an exception of theirs ends the search. When the time is over after a model
    /// was found, that is the answer, and `is_optimal` is False. `break_symmetries` as for `solve`.
    ///
    /// `hint` has literals that are true in a good model, as far as is known: the search begins there, or at what the
    /// formula leaves of it. A new folder as `proof` gets `formula.opb` and `proof.pbp`, which VeriPB 3.0 checks, of
    /// both bounds where a limit ends the search; there is no hint and no progress then.
    #[allow(clippy::too_many_arguments)]
    #[pyo3(signature = (
        *, hint=None, proof=None, break_symmetries=false, time_limit=None, on_improvement=None, on_progress=None
    ))]
    fn minimise<'py>(
        &self,
        py: Python<'py>,
        hint: Option<&Bound<'py, PyAny>>,
        proof: Option<PathBuf>,
        break_symmetries: bool,
        time_limit: Option<f64>,
        on_improvement: Option<Py<PyAny>>,
        on_progress: Option<Py<PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.optimum(py, false, hint, proof, break_symmetries, time_limit, on_improvement, on_progress)
    }

    /// A model with the greatest value of the objective: see `minimise`.
    #[allow(clippy::too_many_arguments)]
    #[pyo3(signature = (
        *, hint=None, proof=None, break_symmetries=false, time_limit=None, on_improvement=None, on_progress=None
    ))]
    fn maximise<'py>(
        &self,
        py: Python<'py>,
        hint: Option<&Bound<'py, PyAny>>,
        proof: Option<PathBuf>,
        break_symmetries: bool,
        time_limit: Option<f64>,
        on_improvement: Option<Py<PyAny>>,
        on_progress: Option<Py<PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.optimum(py, true, hint, proof, break_symmetries, time_limit, on_improvement, on_progress)
    }

    /// The Pareto front of two objectives, lists of literals with weights, as an iterator of models with both values:
    /// no model is less in one and no greater in the other. The first value grows; `time_limit` is for all of them.
    ///
    /// >>> formula = Formula()
    /// >>> formula.add_clause([1, 2, 3])
    /// >>> [values for _, values in formula.pareto([(1, 2), (2, 5), (3, 9)], [(1, 8), (2, 7), (3, 1)])]
    /// [(2, 8), (5, 7), (9, 1)]
    #[pyo3(signature = (first, second, *, time_limit=None))]
    fn pareto(
        &self,
        first: &Bound<'_, PyAny>,
        second: &Bound<'_, PyAny>,
        time_limit: Option<f64>,
    ) -> PyResult<Solutions> {
        let objectives = [self.objective_of(first)?, self.objective_of(second)?];
        let formula = self.formula.clone();
        Solutions::new(time_limit, move |limits, found| {
            for point in formula.ask().limits(limits).pareto(objectives.each_ref().map(Vec::as_slice)) {
                let point = point.map_err(unsolved);
                let is_last = point.is_err();
                let said =
                    point.map(|point| (signed(&point.model, formula.n_vars()), <(i128, i128)>::from(point.values)));
                if !found(said.map(object)) || is_last {
                    return;
                }
            }
        })
    }

    /// A model with the least value of the first objective, among these the least of the second, and so on; None if
    /// there is no model. Objectives are lists of literals with weights. When the time is over after a model was found,
    /// that is the answer, and only the first `n_optimal` of its `values` are known to be the least.
    ///
    /// >>> formula = Formula()
    /// >>> formula.add_clause([1, 2, 3])
    /// >>> formula.lexicographic([[(3, 1)], [(1, 5), (2, 2), (3, 1)]]).values
    /// [0, 2]
    #[pyo3(signature = (objectives, *, time_limit=None))]
    fn lexicographic<'py>(
        &self,
        py: Python<'py>,
        objectives: &Bound<'py, PyAny>,
        time_limit: Option<f64>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let objectives: Vec<_> =
            objectives.try_iter()?.map(|objective| self.objective_of(&objective?)).collect::<PyResult<_>>()?;
        let parts: Vec<&[(Lit, i64)]> = objectives.iter().map(Vec::as_slice).collect();
        let best =
            ask(py, time_limit, |limits| self.formula.ask().limits(limits).lexicographic(&parts).map_err(unsolved))?;
        best.map(|best| {
            let model = signed(&best.model, self.formula.n_vars());
            named(py, "Lexicographic", (model, best.values, best.n_optimal, best.stopped.is_none()))
        })
        .transpose()
    }

    /// Writes `formula.opb`, `proof.pbp` and `clauses.opb` to the new folder `path`: the proof, for VeriPB 3.0, derives
    /// the clauses from the formula. Returns the clauses. An encoding without proof is a ValueError.
    fn certify(&self, py: Python<'_>, path: PathBuf) -> PyResult<Clauses> {
        fs::create_dir(&path)?;
        let formula = self.formula.clone();
        ask_apart(py, None, move || {
            let file = |name| fs::File::create(path.join(name)).map(BufWriter::new);
            let written = formula.certify(file("formula.opb")?, file("proof.pbp")?, file("clauses.opb")?);
            written.map(Clauses).map_err(uncertified)
        })
    }

    /// A model, and a proof for VeriPB 3.0 that it is one, or that there is none: `formula.opb` and `proof.pbp` in the
    /// new folder `path`.
    #[pyo3(signature = (path, *, time_limit=None))]
    fn solve_certified(&self, py: Python<'_>, path: PathBuf, time_limit: Option<f64>) -> PyResult<Option<Vec<i32>>> {
        let model = ask(py, time_limit, |limits| self.formula.solve_certified(path, &limits).map_err(uncertified))?;
        Ok(model.map(|model| signed(&model, self.formula.n_vars())))
    }

    /// A model with the least value of the objective, that value, and a proof for VeriPB 3.0: `formula.opb` and
    /// `proof.pbp` in the new folder `path`. A limit is a TimeoutError: `minimise(proof=path)` keeps what there is.
    #[pyo3(signature = (path, *, time_limit=None))]
    fn minimise_certified(
        &self,
        py: Python<'_>,
        path: PathBuf,
        time_limit: Option<f64>,
    ) -> PyResult<Option<(Vec<i32>, i128)>> {
        let best = ask(py, time_limit, |limits| {
            self.formula.minimum_certified(path, Strategy::Auto, &limits).map_err(uncertified)
        })?;
        Ok(best.map(|(model, value)| (signed(&model, self.formula.n_vars()), value)))
    }
}
