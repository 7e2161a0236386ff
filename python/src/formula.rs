//! `Formula`: constraints as data, and questions.

use std::borrow::Cow;
use std::fs;
use std::io::BufWriter;
use std::path::PathBuf;

use cnfkit::ask::{Ask, Optimum, Progress, Strategy};
use cnfkit::{Assignment, CapacityError, ClauseSink, Constrain, Lit, Questions, Sum, Var};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::ask::{Callback, REPORT, Solutions, ask, ask_showing, count_limit, limits, object, wait};
use crate::clauses::{Clauses, Polled, read_clauses, unknown_kind};
use crate::convert::{
    Said, Side, condition, highest, lit, lits, n_vars, named, natural, source, terms, vars_fit, written,
};
use crate::errors::{too_large, uncertified, unread, unsolved};

/// Clauses, cardinality constraints and sums of weights, kept as data and encoded when all are known.
///
/// Literals are ints other than 0, as in DIMACS and PySAT: variables from 1 on, negative for their negations. Variables
/// that a constraint names are the formula's from then on.
///
/// >>> formula = Formula()
/// >>> x = formula.new_lits(4)
/// >>> formula.exactly(x, 2)
/// >>> formula.add_clause([-x[0], x[3]])
/// >>> formula.at_least(x[1:], 1, when=-x[0])
/// >>> formula.at_most(x, 13, weights=[10, 6, 4, 3])
/// >>> formula
/// <Formula: 4 variables, 2 clauses, 2 constraints>
/// >>> formula.count()
/// 4
///
/// It pickles as its OPB, which keeps everything but named groups and chosen encodings.
#[pyclass(module = "cnfkit")]
pub(crate) struct Formula {
    formula: cnfkit::Formula,
    /// The group that is said at the moment, and those around it.
    groups: Vec<String>,
}

/// The arguments of `on_progress` in a search for an optimum: one, a `Progress`.
pub(crate) fn of_bounds<'py>(py: Python<'py>, now: &Progress) -> PyResult<Bound<'py, PyTuple>> {
    let args = (now.elapsed.as_secs_f64(), now.conflicts, now.value, now.lower_bound, now.upper_bound);
    (named(py, "Progress", args)?,).into_pyobject(py)
}

/// Literals with their values, of a model.
fn signed(model: &Assignment, n_vars: usize) -> Vec<i32> {
    (0..n_vars as u32).map(|var| Lit::new(var, !model.is_true(Lit::positive(var))).to_ipasir()).collect()
}

impl Formula {
    fn know(&mut self, n_vars: usize) {
        while self.formula.n_vars() < n_vars {
            self.formula.new_lit();
        }
    }

    fn checked(&self, lits: &[Lit]) -> PyResult<()> {
        let n_vars = self.formula.n_vars();
        match highest(lits) {
            beyond if beyond > n_vars => {
                Err(PyValueError::new_err(format!("variable {beyond}: the formula has {n_vars} variables")))
            }
            _ => Ok(()),
        }
    }

    /// Says something, in the group that is open.
    fn say(&mut self, say: impl FnOnce(&mut cnfkit::Formula) -> Result<(), CapacityError>) -> PyResult<()> {
        let said = match self.groups.last() {
            Some(name) => self.formula.group(name, say),
            None => say(&mut self.formula),
        };
        said.map_err(too_large)
    }

    fn post(&mut self, said: &Said) -> PyResult<()> {
        self.know(said.highest());
        self.say(|formula| said.post(formula))
    }

    fn text(
        &self,
        py: Python<'_>,
        path: Option<PathBuf>,
        write: impl FnOnce(&cnfkit::Formula, &mut Vec<u8>) -> std::io::Result<()> + Send,
    ) -> PyResult<Option<String>> {
        let mut text = Vec::new();
        py.detach(|| write(&self.formula, &mut text))?;
        written(text, path)
    }

    fn read(
        py: Python<'_>,
        text: &Bound<'_, PyAny>,
        read: impl FnOnce(&[u8]) -> Result<cnfkit::Formula, cnfkit::ReadError> + Send,
    ) -> PyResult<Self> {
        let text = source(text)?;
        let formula = py.detach(|| read(&text)).map_err(unread)?;
        Ok(Self { formula, groups: Vec::new() })
    }

    /// The formula to look for one solution of.
    fn searched(&self, break_symmetries: bool) -> PyResult<Cow<'_, cnfkit::Formula>> {
        Ok(if break_symmetries {
            Cow::Owned(self.formula.break_symmetries().map_err(too_large)?.into_formula())
        } else {
            Cow::Borrowed(&self.formula)
        })
    }

    fn optimum<'py>(
        &self,
        py: Python<'py>,
        sign: bool,
        break_symmetries: bool,
        time_limit: Option<f64>,
        on_improvement: Option<Py<PyAny>>,
        on_progress: Option<Py<PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (limits, flag) = limits(time_limit)?;
        let n_vars = self.formula.n_vars();
        let mut improvement = Callback::new(on_improvement, flag.clone());
        let reports = on_progress.is_some();
        let mut progress = Callback::new(on_progress, flag.clone());
        let quiet = || Ok(());
        let best = wait(py, &flag, quiet, || {
            let formula = self.searched(break_symmetries)?;
            let mut question = formula.ask().limits(limits).on_improvement(|found| {
                improvement.call(|py| {
                    let (low, high) = (found.lower_bound, found.upper_bound);
                    (signed(found.solution, n_vars), found.value, low, high).into_pyobject(py)
                });
            });
            if reports {
                question = question.on_progress(REPORT, |now| progress.call(|py| of_bounds(py, now)));
            }
            if sign { question.maximum() } else { question.minimum() }.map_err(unsolved)
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
    #[new]
    #[pyo3(signature = (n_vars=None))]
    fn new(n_vars: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let n_vars = n_vars.map_or(Ok(0), |n| crate::convert::n_vars(n, "the number of variables"))?;
        Ok(Self { formula: cnfkit::Formula::with_vars(n_vars), groups: Vec::new() })
    }

    /// The number of variables.
    #[getter]
    const fn n_vars(&self) -> usize {
        self.formula.n_vars()
    }

    /// The number of clauses; constraints are not counted.
    #[getter]
    const fn n_clauses(&self) -> usize {
        self.formula.n_clauses()
    }

    /// A new variable, with a name if one is given: texts and messages have it.
    #[pyo3(signature = (name=None))]
    fn new_lit(&mut self, name: Option<String>) -> PyResult<i32> {
        self.room(1)?;
        let lit = match name {
            Some(name) => self.formula.new_named(name),
            None => self.formula.new_lit(),
        };
        Ok(lit.to_ipasir())
    }

    /// New variables, `n` of them.
    fn new_lits(&mut self, n: &Bound<'_, PyAny>) -> PyResult<Vec<i32>> {
        let n = n_vars(n, "the number of new variables")?;
        self.room(n)?;
        Ok(self.formula.new_lits(n).iter().map(|lit| lit.to_ipasir()).collect())
    }

    /// The names of variables.
    ///
    /// >>> formula = Formula()
    /// >>> formula.new_lit("rain"), formula.names()
    /// (1, {1: 'rain'})
    fn names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let names = PyDict::new(py);
        for (var, name) in self.formula.names() {
            names.set_item(var.idx32() + 1, name)?;
        }
        Ok(names)
    }

    /// Calls a variable by a name.
    fn set_name(&mut self, var: &Bound<'_, PyAny>, name: String) -> PyResult<()> {
        let lit = lit(var)?;
        self.checked(&[lit])?;
        self.formula.set_name(Var::new(lit.vidx32()), name);
        Ok(())
    }

    /// One of the literals is true.
    ///
    /// >>> formula = Formula()
    /// >>> formula.add_clause([1, 2], when=[3, -4])
    /// >>> formula.clauses()
    /// [[1, 2, -3, 4]]
    #[pyo3(signature = (clause, *, when=None))]
    fn add_clause(&mut self, clause: &Bound<'_, PyAny>, when: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let mut clause = lits(clause)?;
        clause.extend(condition(when)?.iter().map(|&lit| !lit));
        self.say(|formula| formula.add_clause(&clause))
    }

    /// Each of the clauses is true. If one is no clause, those before it are there.
    ///
    /// >>> formula = Formula()
    /// >>> formula.add_clauses([[1, 2], [-1]])
    /// >>> formula.solve()
    /// [-1, 2]
    fn add_clauses(&mut self, clauses: &Bound<'_, PyAny>) -> PyResult<()> {
        clauses.try_iter()?.try_for_each(|clause| self.add_clause(&clause?, None))
    }

    /// At most `k` of the literals are true; with `weights`, the sum of those of the true literals is at most `k`.
    ///
    /// `when` is a literal or literals: the constraint holds if they are all true. `iff` is a literal that is true if
    /// and only if the constraint holds. `encoding` is one of `encodings()`.
    #[pyo3(signature = (lits, k, *, weights=None, when=None, iff=None, encoding="auto"))]
    #[allow(clippy::too_many_arguments)]
    fn at_most(
        &mut self,
        lits: &Bound<'_, PyAny>,
        k: &Bound<'_, PyAny>,
        weights: Option<&Bound<'_, PyAny>>,
        when: Option<&Bound<'_, PyAny>>,
        iff: Option<&Bound<'_, PyAny>>,
        encoding: &str,
    ) -> PyResult<()> {
        self.post(&Said::new(Side::AtMost, lits, k, weights, when, iff, encoding)?)
    }

    /// At least `k` of the literals are true; otherwise as `at_most`.
    #[pyo3(signature = (lits, k, *, weights=None, when=None, iff=None, encoding="auto"))]
    #[allow(clippy::too_many_arguments)]
    fn at_least(
        &mut self,
        lits: &Bound<'_, PyAny>,
        k: &Bound<'_, PyAny>,
        weights: Option<&Bound<'_, PyAny>>,
        when: Option<&Bound<'_, PyAny>>,
        iff: Option<&Bound<'_, PyAny>>,
        encoding: &str,
    ) -> PyResult<()> {
        self.post(&Said::new(Side::AtLeast, lits, k, weights, when, iff, encoding)?)
    }

    /// Exactly `k` of the literals are true; otherwise as `at_most`.
    ///
    /// >>> formula = Formula()
    /// >>> formula.exactly([1, 2, 3], 2, iff=4)
    /// >>> formula.solve([1, 2, -3])
    /// [1, 2, -3, 4]
    #[pyo3(signature = (lits, k, *, weights=None, when=None, iff=None, encoding="auto"))]
    #[allow(clippy::too_many_arguments)]
    fn exactly(
        &mut self,
        lits: &Bound<'_, PyAny>,
        k: &Bound<'_, PyAny>,
        weights: Option<&Bound<'_, PyAny>>,
        when: Option<&Bound<'_, PyAny>>,
        iff: Option<&Bound<'_, PyAny>>,
        encoding: &str,
    ) -> PyResult<()> {
        self.post(&Said::new(Side::Exactly, lits, k, weights, when, iff, encoding)?)
    }

    /// An odd number of the literals are true, or, with `odd=False`, an even number; `when` and `iff` as in `at_most`.
    ///
    /// >>> formula = Formula()
    /// >>> formula.parity([1, 2, 3], iff=4)
    /// >>> formula.solve([1, 2, -3])
    /// [1, 2, -3, -4]
    #[pyo3(signature = (lits, *, odd=true, when=None, iff=None))]
    fn parity(
        &mut self,
        lits: &Bound<'_, PyAny>,
        odd: bool,
        when: Option<&Bound<'_, PyAny>>,
        iff: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let (own, cond) = (crate::convert::lits(lits)?, condition(when)?);
        let r = iff.map(lit).transpose()?;
        self.know(highest(&own).max(highest(&cond)).max(r.map_or(0, |r| r.vidx() + 1)));
        self.say(|formula| match r {
            Some(r) => formula.when(&cond).iff_parity(r, &own, odd),
            None => formula.when(&cond).parity(&own, odd),
        })
    }

    /// A `with` block: clauses and constraints said in it are a group of this name, a member of unsatisfiable cores.
    ///
    /// >>> formula = Formula()
    /// >>> with formula.group("two"):
    /// ...     formula.at_least([1, 2, 3], 2)
    /// >>> with formula.group("none of the first two"):
    /// ...     formula.add_clauses([[-1], [-2]])
    /// >>> formula.unsat_core()
    /// Core(groups=['two', 'none of the first two'], assumptions=[])
    const fn group(this: Py<Self>, name: String) -> Group {
        Group { formula: this, name }
    }

    /// The objective: literals with weights, of which the true ones are added up. Set it to pairs; `set_objective`
    /// takes two lists.
    #[getter]
    fn objective(&self) -> Vec<(i32, i64)> {
        self.formula.objective().iter().map(|&(lit, weight)| (lit.to_ipasir(), weight)).collect()
    }

    #[setter(objective)]
    fn set_objective_pairs(&mut self, pairs: &Bound<'_, PyAny>) -> PyResult<()> {
        self.set_objective(pairs, None)
    }

    /// Sets the objective: literals and their weights, or pairs of both.
    ///
    /// >>> formula = Formula()
    /// >>> formula.at_least([1, 2, 3], 2)
    /// >>> formula.set_objective([1, 2, 3], [5, 3, 4])
    /// >>> formula.minimise()
    /// Optimum(model=[-1, 2, 3], value=7, lower_bound=7, upper_bound=7, is_optimal=True)
    #[pyo3(signature = (lits, weights=None))]
    fn set_objective(&mut self, lits: &Bound<'_, PyAny>, weights: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let terms = terms(lits, weights)?;
        self.know(terms.iter().map(|(lit, _)| lit.vidx() + 1).max().unwrap_or(0));
        self.formula.set_objective(terms);
        Ok(())
    }

    /// Adds `weight` to the objective unless the clause is true, as in WCNF.
    ///
    /// >>> formula = Formula()
    /// >>> formula.add_clause([-1, -2])
    /// >>> formula.add_soft_clause([1], 3)
    /// >>> formula.add_soft_clause([2], 4)
    /// >>> formula.minimise().value
    /// 3
    fn add_soft_clause(&mut self, clause: &Bound<'_, PyAny>, weight: &Bound<'_, PyAny>) -> PyResult<()> {
        let (clause, weight) = (lits(clause)?, natural(weight, "the weight of a soft clause")?);
        self.know(highest(&clause));
        self.formula.add_soft_clause(&clause, weight).map_err(too_large)
    }

    /// The clauses, as lists.
    fn clauses(&self) -> Vec<Vec<i32>> {
        self.formula.clauses().map(|clause| clause.iter().map(|lit| lit.to_ipasir()).collect()).collect()
    }

    /// The constraints as they are kept, folded and with positive weights.
    ///
    /// >>> formula = Formula()
    /// >>> formula.at_most([1, 2, 3, 4], 13, weights=[10, 6, 4, 2], when=5)
    /// >>> formula.constraints()
    /// [Kept(terms=[(1, 5), (2, 3), (3, 2), (4, 1)], relation='at most', bound=6, when=[5], iff=None)]
    fn constraints<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let one = |constraint: cnfkit::Constraint<'_>| {
            let (terms, relation): (Vec<(i32, u64)>, String) = match constraint.sum {
                Sum::Count { lits, relation } => {
                    (lits.iter().map(|lit| (lit.to_ipasir(), 1)).collect(), relation.to_string())
                }
                Sum::Weights { terms, relation } => {
                    (terms.all().iter().map(|&(lit, weight)| (lit.to_ipasir(), weight)).collect(), relation.to_string())
                }
                Sum::Parity { lits, odd } => {
                    (lits.iter().map(|lit| (lit.to_ipasir(), 1)).collect(), format!("parity {}", u8::from(odd)))
                }
            };
            let (relation, bound) = relation.rsplit_once(' ').unwrap_or((&relation, "0"));
            let when: Vec<i32> = constraint.cond.iter().map(|lit| lit.to_ipasir()).collect();
            let iff = constraint.iff.map(Lit::to_ipasir);
            named(py, "Kept", (terms, relation, bound.parse::<u64>()?, when, iff))
        };
        self.formula.constraints().map(one).collect()
    }

    /// This formula with cardinality constraints in the place of the clauses that say them.
    ///
    /// >>> formula = Formula()
    /// >>> formula.add_clauses(encode(range(1, 9), at_most=1).to_lists())
    /// >>> formula.detect()
    /// <Formula: 11 variables, 0 clauses, 1 constraint>
    fn detect(&self, py: Python<'_>) -> PyResult<Self> {
        let found = ask(py, None, |_| Ok(self.formula.detect().formula()))?;
        Ok(Self { formula: found, groups: Vec::new() })
    }

    /// All clauses, those of the encoded constraints included. A formula that is too large is an OverflowError.
    ///
    /// >>> formula = Formula()
    /// >>> formula.exactly([1, 2, 3], 1)
    /// >>> formula.encode(), formula.size()
    /// (<Clauses: 3 variables, 4 clauses, 9 literals>, (0, 4, 9))
    fn encode(&self, py: Python<'_>) -> PyResult<Clauses> {
        let mut sink = Polled::with_vars(self.formula.n_vars());
        py.detach(|| self.formula.encode_into(&mut sink))?;
        Ok(sink.into_clauses())
    }

    /// The number of variables, clauses and literals of `encode()`, known before it is called.
    fn size(&self, py: Python<'_>) -> PyResult<(u64, u64, u64)> {
        let size = ask(py, None, |_| Ok(self.formula.size()))?;
        Ok((size.vars, size.clauses, size.lits))
    }

    /// A model, as a list of literals, one for each variable; None if there is provably none.
    ///
    /// `assumptions` are literals that hold for this question only. After `time_limit` seconds it is a TimeoutError;
    /// Ctrl-C ends it, too. Other threads run meanwhile.
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
        let model = ask_showing(py, time_limit, on_progress, |limits| {
            let model = if assumptions.is_empty() {
                self.searched(break_symmetries)?.solve_within(&limits)
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
        limit: Option<i64>,
        time_limit: Option<f64>,
        on_progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<usize> {
        let limit = count_limit(limit)?;
        let count = |limits| Ask::new(&self.formula).limits(limits).count(limit).map_err(unsolved);
        ask_showing(py, time_limit, on_progress, count)
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
    #[pyo3(signature = (*, break_symmetries=false, time_limit=None, on_improvement=None, on_progress=None))]
    fn minimise<'py>(
        &self,
        py: Python<'py>,
        break_symmetries: bool,
        time_limit: Option<f64>,
        on_improvement: Option<Py<PyAny>>,
        on_progress: Option<Py<PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.optimum(py, false, break_symmetries, time_limit, on_improvement, on_progress)
    }

    /// A model with the greatest value of the objective: see `minimise`.
    #[pyo3(signature = (*, break_symmetries=false, time_limit=None, on_improvement=None, on_progress=None))]
    fn maximise<'py>(
        &self,
        py: Python<'py>,
        break_symmetries: bool,
        time_limit: Option<f64>,
        on_improvement: Option<Py<PyAny>>,
        on_progress: Option<Py<PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.optimum(py, true, break_symmetries, time_limit, on_improvement, on_progress)
    }

    /// Writes `formula.opb`, `proof.pbp` and `clauses.opb` to the new folder `path`: the proof, for VeriPB 3.0, derives
    /// the clauses from the formula. Returns the clauses. An encoding without proof is a ValueError.
    fn certify(&self, py: Python<'_>, path: PathBuf) -> PyResult<Clauses> {
        fs::create_dir(&path)?;
        ask(py, None, |_| {
            let file = |name| fs::File::create(path.join(name)).map(BufWriter::new);
            let written = self.formula.certify(file("formula.opb")?, file("proof.pbp")?, file("clauses.opb")?);
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
    /// `proof.pbp` in the new folder `path`.
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

    /// Reads DIMACS: a str or bytes, or the file that an `os.PathLike` names. Wrong text is a `ReadError`.
    ///
    /// >>> Formula.read_dimacs("p cnf 3 2\n1 2 0\n-1 3 0\n").clauses()
    /// [[1, 2], [-1, 3]]
    #[staticmethod]
    fn read_dimacs(py: Python<'_>, text: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::read(py, text, |text| cnfkit::Formula::read_dimacs(text))
    }

    /// Reads KNF, DIMACS with cardinality constraints: see `read_dimacs`.
    ///
    /// >>> Formula.read_knf("p knf 3 1\nk 2 1 2 3 0\n").constraints()
    /// [Kept(terms=[(1, 1), (2, 1), (3, 1)], relation='at least', bound=2, when=[], iff=None)]
    #[staticmethod]
    fn read_knf(py: Python<'_>, text: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::read(py, text, |text| cnfkit::Formula::read_knf(text))
    }

    /// Reads OPB: see `read_dimacs`.
    ///
    /// >>> Formula.read_opb("min: 3 x1 2 x2 ;\n1 x1 1 x2 >= 1 ;\n").minimise().value
    /// 2
    #[staticmethod]
    fn read_opb(py: Python<'_>, text: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::read(py, text, |text| cnfkit::Formula::read_opb(text))
    }

    /// Reads WCNF: see `read_dimacs`.
    ///
    /// >>> Formula.read_wcnf("h 1 2 0\n3 -1 0\n2 -2 0\n").minimise().value
    /// 2
    #[staticmethod]
    fn read_wcnf(py: Python<'_>, text: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::read(py, text, |text| cnfkit::Formula::read_wcnf(text))
    }

    /// The encoded formula in DIMACS: the text, or None when `path` is given, a file to write.
    #[pyo3(signature = (path=None))]
    fn write_dimacs(&self, py: Python<'_>, path: Option<PathBuf>) -> PyResult<Option<String>> {
        self.text(py, path, |formula, text| formula.write_dimacs(text))
    }

    /// The formula in KNF: see `write_dimacs`.
    #[pyo3(signature = (path=None))]
    fn write_knf(&self, py: Python<'_>, path: Option<PathBuf>) -> PyResult<Option<String>> {
        self.text(py, path, |formula, text| formula.write_knf(text))
    }

    /// The formula in OPB: see `write_dimacs`.
    #[pyo3(signature = (path=None))]
    fn write_opb(&self, py: Python<'_>, path: Option<PathBuf>) -> PyResult<Option<String>> {
        self.text(py, path, |formula, text| formula.write_opb(text))
    }

    /// The formula in WCNF: see `write_dimacs`.
    #[pyo3(signature = (path=None))]
    fn write_wcnf(&self, py: Python<'_>, path: Option<PathBuf>) -> PyResult<Option<String>> {
        self.text(py, path, |formula, text| formula.write_wcnf(text))
    }

    fn __copy__(&self) -> Self {
        Self { formula: self.formula.clone(), groups: Vec::new() }
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.__copy__()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (&'static str, Vec<u8>))> {
        let mut text = Vec::new();
        self.formula.write_opb(&mut text)?;
        Ok((py.import("cnfkit._cnfkit")?.getattr("restore")?, ("formula", text)))
    }

    fn __repr__(&self) -> String {
        let (vars, clauses) = (self.formula.n_vars(), self.formula.n_clauses());
        let constraints = self.formula.constraints().len();
        let many = |n, word| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
        let parts = [many(vars, "variable"), many(clauses, "clause"), many(constraints, "constraint")];
        format!("<Formula: {}>", parts.join(", "))
    }
}

impl Formula {
    /// Checks that there is room for `n` more variables.
    fn room(&self, n: usize) -> PyResult<()> {
        vars_fit(self.formula.n_vars() + n, "the number of variables").map(|_| ())
    }

    /// Something else that is written as a formula.
    pub(crate) const fn of(formula: cnfkit::Formula) -> Self {
        Self { formula, groups: Vec::new() }
    }
}

/// A named group, for `with`.
#[pyclass(module = "cnfkit", frozen)]
pub(crate) struct Group {
    formula: Py<Formula>,
    name: String,
}

#[pymethods]
impl Group {
    fn __enter__(&self, py: Python<'_>) -> PyResult<()> {
        self.formula.try_borrow_mut(py)?.groups.push(self.name.clone());
        Ok(())
    }

    #[pyo3(signature = (*_error))]
    fn __exit__(&self, py: Python<'_>, _error: &Bound<'_, PyTuple>) -> PyResult<()> {
        self.formula.try_borrow_mut(py)?.groups.pop();
        Ok(())
    }
}

/// An object of its text, for pickle.
#[pyfunction]
pub(crate) fn restore<'py>(py: Python<'py>, kind: &str, text: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    match kind {
        "formula" => {
            let formula = cnfkit::Formula::read_opb(text).map_err(unread)?;
            Ok(Bound::new(py, Formula::of(formula))?.into_any())
        }
        "clauses" => Ok(Bound::new(py, read_clauses(text)?)?.into_any()),
        _ => Err(unknown_kind(kind)),
    }
}
