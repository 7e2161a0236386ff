//! `Solver`: a solver that keeps its state between questions, with the methods of PySAT's.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, TryLockError};

use cnfkit::{ClauseSink, Cnf, Constrain, Lit, SolveError, Var};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use crate::clauses::{look, on_polled};
use crate::convert::{Said, Side, condition, highest, lit, lits};
use crate::engine::{Engine, Within};
use crate::errors::{too_large, unsolved};

/// A SAT solver that is asked again and again: what it has learnt, and its clauses, stay between questions.
///
/// The methods are those of `pysat.solvers.Solver`, and constraints are those of `Formula`, encoded as they come; their
/// auxiliaries have no numbers, so that no variable of yours is one of them. It is BatSat, a descendant of MiniSat.
///
/// `bootstrap_with` is what `append_formula` takes.
///
/// >>> with Solver([[-1, 2], [-2, 3]]) as solver:
/// ...     solver.at_most([1, 2, 3, 4], 3)
/// ...     solver.solve(assumptions=[1, 4]), solver.get_core()
/// ...     solver.solve([1]), solver.get_model()
/// (False, [1, 4])
/// (True, [1, 2, 3, -4])
///
/// Other threads run while it solves, and may call `interrupt`; any other call of theirs meanwhile is a RuntimeError.
#[pyclass(module = "cnfkit", frozen, subclass, weakref)]
pub(crate) struct Solver {
    state: Mutex<State>,
    interrupted: AtomicBool,
}

struct State {
    engine: Engine,
    /// By number − 1, the solver's variable.
    inner: Vec<Var>,
    /// By the solver's variable, the number, 0 of auxiliaries.
    outer: Vec<i32>,
    /// The answer to the last question, if it is still true.
    answer: Option<bool>,
    conflicts: Option<u64>,
    is_deleted: bool,
}

impl State {
    fn new() -> Self {
        let engine = Engine::of(Cnf::new(), 0);
        Self { engine, inner: Vec::new(), outer: Vec::new(), answer: None, conflicts: None, is_deleted: false }
    }

    /// Takes note of the numbers up to `n`.
    fn know(&mut self, n: usize) {
        while self.inner.len() < n {
            let var = self.engine.cnf().new_lit().var();
            self.outer.resize(var.idx(), 0);
            self.inner.push(var);
            self.outer.push(self.inner.len() as i32);
        }
    }

    /// The solver's literal.
    fn inner(&self, lit: Lit) -> Lit {
        self.inner[lit.vidx()].lit(lit.is_neg())
    }

    fn all_inner(&mut self, mut lits: Vec<Lit>) -> Vec<Lit> {
        self.know(highest(&lits));
        lits.iter_mut().for_each(|lit| *lit = self.inner(*lit));
        lits
    }

    /// The number of the solver's literal, unless it is an auxiliary.
    fn outer(&self, lit: Lit) -> Option<i32> {
        let number = *self.outer.get(lit.vidx()).filter(|&&number| number != 0)?;
        Some(if lit.is_neg() { -number } else { number })
    }

    fn add_clause(&mut self, clause: Vec<Lit>) -> PyResult<()> {
        let clause = self.all_inner(clause);
        self.engine.add_clause(&clause)
    }

    fn post(&mut self, py: Python<'_>, said: Vec<Said>) -> PyResult<()> {
        self.know(said.iter().map(Said::highest).max().unwrap_or(0));
        let said: Vec<Said> = said.into_iter().map(|said| said.renamed(|lit| self.inner(lit))).collect();
        on_polled(py, self.engine.cnf(), |sink| said.iter().try_for_each(|said| said.post(sink)))
    }

    /// The variables of `cnf` up to `n_vars` are those of these numbers, those above are auxiliaries.
    fn append(&mut self, cnf: &Cnf, n_vars: usize) -> PyResult<()> {
        self.know(n_vars);
        let mut inner = self.inner[..n_vars].to_vec();
        inner.extend((n_vars..cnf.n_vars()).map(|_| self.engine.cnf().new_lit().var()));
        let mut own = Vec::new();
        for clause in cnf.clauses() {
            own.clear();
            own.extend(clause.iter().map(|lit| inner[lit.vidx()].lit(lit.is_neg())));
            self.engine.add_clause(&own)?;
        }
        Ok(())
    }
}

impl Solver {
    /// The state, unless another thread has it.
    fn state(&self) -> PyResult<MutexGuard<'_, State>> {
        let state = match self.state.try_lock() {
            Ok(state) => state,
            Err(TryLockError::Poisoned(state)) => state.into_inner(),
            Err(TryLockError::WouldBlock) => {
                return Err(PyRuntimeError::new_err("the solver answers a question of another thread"));
            }
        };
        if state.is_deleted {
            return Err(PyRuntimeError::new_err("the solver was deleted"));
        }
        Ok(state)
    }

    /// The answer, or the limit that ended the question.
    fn ask(
        &self,
        py: Python<'_>,
        assumptions: Option<&Bound<'_, PyAny>>,
        within: Within<'_>,
        on_progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Result<bool, SolveError>> {
        let assumptions = condition(assumptions)?;
        let mut state = self.state()?;
        let assumptions = state.all_inner(assumptions);
        state.answer = None;
        let answer = state.engine.ask(py, &assumptions, within, on_progress)?;
        state.answer = answer.as_ref().ok().copied();
        Ok(answer)
    }

    fn model_of(state: &State) -> PyResult<Option<Vec<i32>>> {
        if state.answer != Some(true) {
            return Ok(None);
        }
        let model = state.engine.model()?;
        let value = |(number, var): (i32, &Var)| if model.is_true(var.pos_lit()) { number } else { -number };
        Ok(Some((1..).zip(&state.inner).map(value).collect()))
    }
}

#[pymethods]
impl Solver {
    #[new]
    #[pyo3(signature = (bootstrap_with=None))]
    fn new(py: Python<'_>, bootstrap_with: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let this = Self { state: Mutex::new(State::new()), interrupted: AtomicBool::new(false) };
        bootstrap_with.map_or(Ok(()), |formula| this.append_formula(py, formula))?;
        Ok(this)
    }

    /// One of the literals is true, if all of `when` are.
    #[pyo3(signature = (clause, *, when=None))]
    fn add_clause(&self, clause: &Bound<'_, PyAny>, when: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let mut clause = lits(clause)?;
        clause.extend(condition(when)?.iter().map(|&lit| !lit));
        self.state()?.add_clause(clause)
    }

    /// Adds clauses: lists, `Clauses`, a `Formula`, or PySAT's formulas, `CNFPlus` with its `atmosts`. If one is no
    /// clause, those before it are there.
    fn append_formula(&self, py: Python<'_>, formula: &Bound<'_, PyAny>) -> PyResult<()> {
        if let Ok(formula) = formula.cast::<crate::formula::Formula>() {
            let formula = formula.try_borrow()?;
            let clauses = formula.encode(py)?;
            return self.state()?.append(&clauses.0, formula.formula.n_vars());
        }
        if let Ok(clauses) = formula.cast::<crate::clauses::Clauses>() {
            let clauses = &clauses.get().0;
            return self.state()?.append(clauses, clauses.n_vars());
        }
        let atmosts = formula.getattr_opt("atmosts")?;
        // A formula of gates has clauses besides `clauses`, and iteration gives all.
        let clauses = atmosts.as_ref().map_or_else(|| Ok(formula.clone()), |_| formula.getattr("clauses"))?;
        let mut state = self.state()?;
        for (clause, n) in clauses.try_iter()?.zip(1..) {
            look(py, n)?;
            state.add_clause(lits(&clause?)?)?;
        }
        drop(state);
        for atmost in atmosts.iter().flat_map(|all| all.try_iter()).flatten() {
            let atmost: Vec<Bound<'_, PyAny>> = atmost?.extract()?;
            match &atmost[..] {
                [lits, k] => self.at_most(py, lits, k, None, None, None, "auto")?,
                [lits, k, weights] => self.at_most(py, lits, k, Some(weights), None, None, "auto")?,
                _ => return Err(PyValueError::new_err("an at-most constraint is literals, a bound and weights")),
            }
        }
        Ok(())
    }

    /// At most `k` of the literals are true, or with `weights` the sum of those of the true literals is at most `k`;
    /// `when`, `iff` and `encoding` as in `Formula.at_most`.
    #[pyo3(signature = (lits, k, *, weights=None, when=None, iff=None, encoding="auto"))]
    #[allow(clippy::too_many_arguments)]
    fn at_most(
        &self,
        py: Python<'_>,
        lits: &Bound<'_, PyAny>,
        k: &Bound<'_, PyAny>,
        weights: Option<&Bound<'_, PyAny>>,
        when: Option<&Bound<'_, PyAny>>,
        iff: Option<&Bound<'_, PyAny>>,
        encoding: &str,
    ) -> PyResult<()> {
        let said = Said::new(Side::AtMost, lits, k, weights, when, iff, encoding)?;
        self.state()?.post(py, vec![said])
    }

    /// At least `k` of the literals are true; otherwise as `at_most`.
    #[pyo3(signature = (lits, k, *, weights=None, when=None, iff=None, encoding="auto"))]
    #[allow(clippy::too_many_arguments)]
    fn at_least(
        &self,
        py: Python<'_>,
        lits: &Bound<'_, PyAny>,
        k: &Bound<'_, PyAny>,
        weights: Option<&Bound<'_, PyAny>>,
        when: Option<&Bound<'_, PyAny>>,
        iff: Option<&Bound<'_, PyAny>>,
        encoding: &str,
    ) -> PyResult<()> {
        let said = Said::new(Side::AtLeast, lits, k, weights, when, iff, encoding)?;
        self.state()?.post(py, vec![said])
    }

    /// Exactly `k` of the literals are true; otherwise as `at_most`.
    ///
    /// >>> solver = Solver()
    /// >>> solver.exactly([1, 2, 3], 2, when=4)
    /// >>> solver.solve([-1, -2]), solver.model
    /// (True, [-1, -2, -3, -4])
    #[pyo3(signature = (lits, k, *, weights=None, when=None, iff=None, encoding="auto"))]
    #[allow(clippy::too_many_arguments)]
    fn exactly(
        &self,
        py: Python<'_>,
        lits: &Bound<'_, PyAny>,
        k: &Bound<'_, PyAny>,
        weights: Option<&Bound<'_, PyAny>>,
        when: Option<&Bound<'_, PyAny>>,
        iff: Option<&Bound<'_, PyAny>>,
        encoding: &str,
    ) -> PyResult<()> {
        let said = Said::new(Side::Exactly, lits, k, weights, when, iff, encoding)?;
        self.state()?.post(py, vec![said])
    }

    /// At least `least` and at most `most` of the literals are true, by one counter; otherwise as `at_most`.
    #[pyo3(signature = (lits, least, most, *, weights=None, when=None, iff=None, encoding="auto"))]
    #[allow(clippy::too_many_arguments)]
    fn between(
        &self,
        py: Python<'_>,
        lits: &Bound<'_, PyAny>,
        least: &Bound<'_, PyAny>,
        most: &Bound<'_, PyAny>,
        weights: Option<&Bound<'_, PyAny>>,
        when: Option<&Bound<'_, PyAny>>,
        iff: Option<&Bound<'_, PyAny>>,
        encoding: &str,
    ) -> PyResult<()> {
        let said = Said::between(lits, [least, most], weights, when, iff, encoding)?;
        self.state()?.post(py, vec![said])
    }

    /// An odd number of the literals are true, or, with `odd=False`, an even number; `when` and `iff` as in `at_most`.
    #[pyo3(signature = (lits, *, odd=true, when=None, iff=None))]
    fn parity(
        &self,
        lits: &Bound<'_, PyAny>,
        odd: bool,
        when: Option<&Bound<'_, PyAny>>,
        iff: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let (own, cond, iff) = (crate::convert::lits(lits)?, condition(when)?, iff.map(lit).transpose()?);
        let mut state = self.state()?;
        let (own, cond) = (state.all_inner(own), state.all_inner(cond));
        let iff = state.all_inner(iff.into_iter().collect());
        let cnf = state.engine.cnf();
        match iff.first() {
            Some(&r) => cnf.when(&cond).iff_parity(r, &own, odd),
            None => cnf.when(&cond).parity(&own, odd),
        }
        .map_err(too_large)
    }

    /// At most `k` literals of each row are true: `rows` is a NumPy array of two dimensions, a constraint a row, or
    /// lists, and `k` a number or one for each row. `when` is for all of them.
    #[pyo3(signature = (rows, k, *, when=None, encoding="auto"))]
    fn at_most_many(
        &self,
        py: Python<'_>,
        rows: &Bound<'_, PyAny>,
        k: &Bound<'_, PyAny>,
        when: Option<&Bound<'_, PyAny>>,
        encoding: &str,
    ) -> PyResult<()> {
        let said = Said::many(Side::AtMost, rows, k, when, encoding)?;
        self.state()?.post(py, said)
    }

    /// At least `k` literals of each row are true: see `at_most_many`.
    #[pyo3(signature = (rows, k, *, when=None, encoding="auto"))]
    fn at_least_many(
        &self,
        py: Python<'_>,
        rows: &Bound<'_, PyAny>,
        k: &Bound<'_, PyAny>,
        when: Option<&Bound<'_, PyAny>>,
        encoding: &str,
    ) -> PyResult<()> {
        let said = Said::many(Side::AtLeast, rows, k, when, encoding)?;
        self.state()?.post(py, said)
    }

    /// Exactly `k` literals of each row are true: see `at_most_many`.
    #[pyo3(signature = (rows, k, *, when=None, encoding="auto"))]
    fn exactly_many(
        &self,
        py: Python<'_>,
        rows: &Bound<'_, PyAny>,
        k: &Bound<'_, PyAny>,
        when: Option<&Bound<'_, PyAny>>,
        encoding: &str,
    ) -> PyResult<()> {
        let said = Said::many(Side::Exactly, rows, k, when, encoding)?;
        self.state()?.post(py, said)
    }
    /// True if there is a model in which all of `assumptions` hold, and False if there is provably none. After
    /// `time_limit` seconds it is a TimeoutError; Ctrl-C ends it, too. `on_progress` is as in `Formula.solve`.
    #[pyo3(signature = (assumptions=None, *, time_limit=None, on_progress=None))]
    fn solve(
        &self,
        py: Python<'_>,
        assumptions: Option<&Bound<'_, PyAny>>,
        time_limit: Option<f64>,
        on_progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<bool> {
        self.ask(py, assumptions, Within { seconds: time_limit, ..Within::NOTHING }, on_progress)?.map_err(unsolved)
    }

    /// As `solve`, but None after the conflicts of `conf_budget`, `time_limit` seconds, or `interrupt`.
    /// `expect_interrupt` is PySAT's; there is no need to expect any.
    ///
    /// >>> solver = Solver([[1, 2], [1, -2], [-1, 2], [-1, -2]])
    /// >>> solver.interrupt()
    /// >>> solver.solve_limited() is None
    /// True
    /// >>> solver.clear_interrupt()
    /// >>> solver.solve_limited()
    /// False
    #[pyo3(signature = (assumptions=None, expect_interrupt=false, *, time_limit=None, on_progress=None))]
    fn solve_limited(
        &self,
        py: Python<'_>,
        assumptions: Option<&Bound<'_, PyAny>>,
        expect_interrupt: bool,
        time_limit: Option<f64>,
        on_progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<bool>> {
        let _ = expect_interrupt;
        let conflicts = self.state()?.conflicts;
        let within = Within { seconds: time_limit, conflicts, interrupted: Some(&self.interrupted) };
        match self.ask(py, assumptions, within, on_progress)? {
            Ok(answer) => Ok(Some(answer)),
            Err(SolveError::Interrupted(_)) => Ok(None),
            Err(error) => Err(unsolved(error)),
        }
    }

    /// The conflicts that each `solve_limited` may take; −1 is no limit.
    #[pyo3(signature = (budget=-1))]
    fn conf_budget(&self, budget: i64) -> PyResult<()> {
        self.state()?.conflicts = u64::try_from(budget).ok();
        Ok(())
    }

    /// Ends the `solve_limited` that runs in another thread, and each from now on until `clear_interrupt`.
    fn interrupt(&self) {
        self.interrupted.store(true, Ordering::Relaxed);
    }

    /// Lets `solve_limited` search again.
    fn clear_interrupt(&self) {
        self.interrupted.store(false, Ordering::Relaxed);
    }

    /// The answer to the last question: True, False, or None if there was none.
    fn get_status(&self) -> PyResult<Option<bool>> {
        Ok(self.state()?.answer)
    }

    /// The model of the last question, a literal for each variable; None if there was none.
    fn get_model(&self) -> PyResult<Option<Vec<i32>>> {
        Self::model_of(&*self.state()?)
    }

    /// As `get_model()`.
    #[getter(model)]
    fn last_model(&self) -> PyResult<Option<Vec<i32>>> {
        self.get_model()
    }

    /// Assumptions of the last question that contradict each other and the clauses; none where the clauses contradict
    /// themselves. None if the last question was not refuted.
    fn get_core(&self) -> PyResult<Option<Vec<i32>>> {
        let mut state = self.state()?;
        if state.answer != Some(false) {
            return Ok(None);
        }
        let core = state.engine.core()?;
        Ok(Some(core.into_iter().filter_map(|lit| state.outer(lit)).collect()))
    }

    /// As `get_core()`.
    #[getter(core)]
    fn last_core(&self) -> PyResult<Option<Vec<i32>>> {
        self.get_core()
    }

    /// Unit propagation of the assumptions: whether there is no conflict in it, and the literals that are true then, in
    /// a conflict those that were before. The last question has no model and no core after that.
    /// `phase_saving` is PySAT's; phases are saved always.
    ///
    /// >>> Solver([[-1, 2], [-2, 3]]).propagate([1])
    /// (True, [1, 2, 3])
    #[pyo3(signature = (assumptions=None, phase_saving=0))]
    fn propagate(
        &self,
        py: Python<'_>,
        assumptions: Option<&Bound<'_, PyAny>>,
        phase_saving: i64,
    ) -> PyResult<(bool, Vec<i32>)> {
        let _ = phase_saving;
        let assumptions = condition(assumptions)?;
        let mut state = self.state()?;
        let assumptions = state.all_inner(assumptions);
        state.answer = None;
        let (agrees, lits) = state.engine.propagate(py, &assumptions)?;
        Ok((agrees, lits.into_iter().filter_map(|lit| state.outer(lit)).collect()))
    }

    /// The solver tries these literals first when it decides. What it has learnt is lost if it knows one of them.
    #[pyo3(signature = (literals=None))]
    fn set_phases(&self, literals: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let literals = condition(literals)?;
        let mut state = self.state()?;
        for lit in state.all_inner(literals) {
            state.engine.set_phase(lit.var(), Some(lit.is_pos()));
        }
        state.answer = None;
        Ok(())
    }

    /// The literals of `set_phases`.
    #[getter]
    fn phases(&self) -> PyResult<Vec<i32>> {
        let state = self.state()?;
        let mut phases: Vec<i32> = state.engine.phases().filter_map(|lit| state.outer(lit)).collect();
        phases.sort_unstable_by_key(|lit| lit.abs());
        Ok(phases)
    }

    /// The conflicts, decisions, propagations and restarts of all questions; those before `set_phases` may be missing.
    fn accum_stats(&self) -> PyResult<HashMap<&'static str, usize>> {
        Ok(self.state()?.engine.stats().into())
    }

    /// The highest variable that was named.
    fn nof_vars(&self) -> PyResult<usize> {
        Ok(self.state()?.inner.len())
    }

    /// The clauses that were added, those of constraints included.
    fn nof_clauses(&self) -> PyResult<usize> {
        Ok(self.state()?.engine.n_clauses())
    }

    /// All models, each once, under assumptions. A clause excludes each for ever when the next one is asked for.
    /// Models that agree on `projection` count as one.
    ///
    /// >>> solver = Solver([[1, 2]])
    /// >>> sorted(solver.enum_models())
    /// [[-1, 2], [1, -2], [1, 2]]
    #[pyo3(signature = (assumptions=None, projection=None))]
    fn enum_models(
        this: Bound<'_, Self>,
        assumptions: Option<&Bound<'_, PyAny>>,
        projection: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<SolverModels> {
        let numbers = |lits: Vec<Lit>| lits.into_iter().map(Lit::to_ipasir).collect();
        let (assumptions, projection) = (numbers(condition(assumptions)?), condition(projection)?);
        let projection = projection.iter().map(|lit| lit.vidx()).collect();
        Ok(SolverModels { solver: this.unbind(), assumptions, projection, last: None })
    }

    fn __enter__(this: Bound<'_, Self>) -> Bound<'_, Self> {
        this
    }

    #[pyo3(signature = (*_error))]
    fn __exit__(&self, _error: &Bound<'_, PyTuple>) {
        self.delete();
    }

    /// Frees its memory: from then on, no method but this one may be called.
    fn delete(&self) {
        if let Ok(mut state) = self.state() {
            *state = State { is_deleted: true, ..State::new() };
        }
    }

    fn __repr__(&self) -> String {
        self.state().map_or_else(
            |_| "<Solver, deleted or busy>".into(),
            |state| format!("<Solver: {} variables, {} clauses>", state.inner.len(), state.engine.n_clauses()),
        )
    }
}

/// The models of a `Solver`, found as they are asked for.
#[pyclass(module = "cnfkit")]
pub(crate) struct SolverModels {
    solver: Py<Solver>,
    assumptions: Vec<i32>,
    /// The variables to tell models apart by; all if there are none.
    projection: Vec<usize>,
    last: Option<Vec<i32>>,
}

#[pymethods]
impl SolverModels {
    const fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Vec<i32>>> {
        let solver = self.solver.bind(py);
        if let Some(last) = self.last.take() {
            let is_told = |at: &usize| self.projection.is_empty() || self.projection.contains(at);
            let other = last.iter().enumerate().filter(|(at, _)| is_told(at)).map(|(_, lit)| -lit);
            solver.get().add_clause(PyList::new(py, other.collect::<Vec<i32>>())?.as_any(), None)?;
        }
        let assumptions = PyList::new(py, &self.assumptions)?;
        if solver.get().solve(py, Some(assumptions.as_any()), None, None)? {
            self.last = solver.get().get_model()?;
        }
        Ok(self.last.clone())
    }
}
