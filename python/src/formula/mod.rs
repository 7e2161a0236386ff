//! `Formula`: constraints as data, and questions.

mod questions;
mod texts;

pub(crate) use questions::of_bounds;
pub(crate) use texts::restore;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use cnfkit::{BoolExpr, CapacityError, ClauseSink, Constrain, Lit, Var};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::clauses::look;
use crate::convert::{Said, Side, condition, highest, lit, lits, n_vars, natural, terms, vars_fit};
use crate::engine::Engine;
use crate::errors::{too_large, value};

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
/// It pickles as its OPB, unless it has named groups: that keeps everything but chosen encodings; what OPB does not have,
/// parities among it, has auxiliaries in the copy, after all variables.
#[pyclass(module = "cnfkit")]
pub(crate) struct Formula {
    pub(crate) formula: cnfkit::Formula,
    /// The group that is said at the moment, and those around it.
    groups: Vec<String>,
    /// Variables that constraints took, ascending, without those of literals that were handed out.
    taken: Vec<Range<usize>>,
    /// The solver of questions with assumptions, as long as it has all that was said.
    engine: Mutex<Option<Engine>>,
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

    /// Refuses variables that constraints took.
    fn own(&self, lits: impl IntoIterator<Item = Lit>) -> PyResult<()> {
        if self.taken.is_empty() {
            return Ok(());
        }
        for lit in lits {
            let after = self.taken.partition_point(|range| range.start <= lit.vidx());
            if after.checked_sub(1).is_some_and(|at| self.taken[at].contains(&lit.vidx())) {
                let text = "is an auxiliary of an earlier constraint; `new_lit` gives others";
                return Err(PyValueError::new_err(format!("variable {} {text}", lit.vidx() + 1)));
            }
        }
        Ok(())
    }

    /// Takes note of variables from this number on.
    fn take(&mut self, n_vars: usize) {
        if self.formula.n_vars() > n_vars {
            self.taken.push(n_vars..self.formula.n_vars());
        }
    }

    /// The solver that is kept, for changes.
    fn kept(&mut self) -> &mut Option<Engine> {
        self.engine.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says something, in the group that is open.
    fn say(&mut self, say: impl FnOnce(&mut cnfkit::Formula) -> Result<(), CapacityError>) -> PyResult<()> {
        let n_vars = self.formula.n_vars();
        let said = match self.groups.last() {
            Some(name) => self.formula.group(name, say),
            None => say(&mut self.formula),
        };
        self.take(n_vars);
        said.map_err(too_large)
    }

    fn post(&mut self, said: &[Said]) -> PyResult<()> {
        self.own(said.iter().flat_map(Said::lits))?;
        self.know(said.iter().map(Said::highest).max().unwrap_or(0));
        *self.kept() = None;
        self.say(|formula| said.iter().try_for_each(|said| said.post(formula)))
    }
}

#[pymethods]
impl Formula {
    #[new]
    #[pyo3(signature = (n_vars=None))]
    fn new(n_vars: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let n_vars = n_vars.map_or(Ok(0), |n| crate::convert::n_vars(n, "the number of variables"))?;
        Ok(Self::of(cnfkit::Formula::with_vars(n_vars)))
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
        let (mut clause, n_vars) = (lits(clause)?, self.formula.n_vars());
        clause.extend(condition(when)?.iter().map(|&lit| !lit));
        self.own(clause.iter().copied())?;
        self.know(highest(&clause));
        self.say(|formula| formula.add_clause(&clause))?;
        // A new variable may be an auxiliary of the solver that is kept.
        let is_known = highest(&clause) <= n_vars;
        match self.kept() {
            Some(engine) if is_known => engine.add_clause(&clause),
            kept => {
                *kept = None;
                Ok(())
            }
        }
    }

    /// Each of the clauses is true. If one is no clause, those before it are there.
    ///
    /// >>> formula = Formula()
    /// >>> formula.add_clauses([[1, 2], [-1]])
    /// >>> formula.solve()
    /// [-1, 2]
    fn add_clauses(&mut self, clauses: &Bound<'_, PyAny>) -> PyResult<()> {
        clauses.try_iter()?.zip(1..).try_for_each(|(clause, n)| {
            look(clauses.py(), n)?;
            self.add_clause(&clause?, None)
        })
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
        self.post(&[Said::new(Side::AtMost, lits, k, weights, when, iff, encoding)?])
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
        self.post(&[Said::new(Side::AtLeast, lits, k, weights, when, iff, encoding)?])
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
        self.post(&[Said::new(Side::Exactly, lits, k, weights, when, iff, encoding)?])
    }

    /// At least `least` and at most `most` of the literals are true, by one counter; otherwise as `at_most`.
    ///
    /// >>> formula = Formula()
    /// >>> formula.between(range(1, 6), 2, 3, iff=6)
    /// >>> formula.solve([1, 2, 3, 4])[5]
    /// -6
    #[pyo3(signature = (lits, least, most, *, weights=None, when=None, iff=None, encoding="auto"))]
    #[allow(clippy::too_many_arguments)]
    fn between(
        &mut self,
        lits: &Bound<'_, PyAny>,
        least: &Bound<'_, PyAny>,
        most: &Bound<'_, PyAny>,
        weights: Option<&Bound<'_, PyAny>>,
        when: Option<&Bound<'_, PyAny>>,
        iff: Option<&Bound<'_, PyAny>>,
        encoding: &str,
    ) -> PyResult<()> {
        self.post(&[Said::between(lits, [least, most], weights, when, iff, encoding)?])
    }

    /// At most `k` literals of each row are true: `rows` is a NumPy array of two dimensions, a constraint a row, or
    /// lists, and `k` a number or one for each row. `when` is for all of them.
    ///
    /// >>> formula = Formula()
    /// >>> formula.at_most_many([[1, 2, 3], [4, 5, 6]], 1)
    /// >>> formula
    /// <Formula: 6 variables, 0 clauses, 2 constraints>
    #[pyo3(signature = (rows, k, *, when=None, encoding="auto"))]
    fn at_most_many(
        &mut self,
        rows: &Bound<'_, PyAny>,
        k: &Bound<'_, PyAny>,
        when: Option<&Bound<'_, PyAny>>,
        encoding: &str,
    ) -> PyResult<()> {
        self.post(&Said::many(Side::AtMost, rows, k, when, encoding)?)
    }

    /// At least `k` literals of each row are true: see `at_most_many`.
    #[pyo3(signature = (rows, k, *, when=None, encoding="auto"))]
    fn at_least_many(
        &mut self,
        rows: &Bound<'_, PyAny>,
        k: &Bound<'_, PyAny>,
        when: Option<&Bound<'_, PyAny>>,
        encoding: &str,
    ) -> PyResult<()> {
        self.post(&Said::many(Side::AtLeast, rows, k, when, encoding)?)
    }

    /// Exactly `k` literals of each row are true: see `at_most_many`.
    #[pyo3(signature = (rows, k, *, when=None, encoding="auto"))]
    fn exactly_many(
        &mut self,
        rows: &Bound<'_, PyAny>,
        k: &Bound<'_, PyAny>,
        when: Option<&Bound<'_, PyAny>>,
        encoding: &str,
    ) -> PyResult<()> {
        self.post(&Said::many(Side::Exactly, rows, k, when, encoding)?)
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
        self.own(own.iter().chain(&cond).copied().chain(r))?;
        self.know(highest(&own).max(highest(&cond)).max(r.map_or(0, |r| r.vidx() + 1)));
        *self.kept() = None;
        self.say(|formula| match r {
            Some(r) => formula.when(&cond).iff_parity(r, &own, odd),
            None => formula.when(&cond).parity(&own, odd),
        })
    }

    /// An expression is true. Names are those of `new_lit` and `set_name`, and numbers of variables; operators are,
    /// from what binds least, `<->`, `->`, `|`, `^`, `&` and `!`, some also as words, and there is
    /// `ite(if, then, else)`. Wrong text is a ValueError with its column. Auxiliaries take numbers: those of `new_lit` are
    /// free, and to use one that is taken is a ValueError.
    ///
    /// >>> formula = Formula()
    /// >>> formula.new_lit("rain"), formula.new_lit("wet"), formula.new_lit()
    /// (1, 2, 3)
    /// >>> formula.require("(rain -> wet) & !3")
    /// >>> formula.clauses()
    /// [[-1, 2], [-3]]
    fn require(&mut self, expression: &str) -> PyResult<()> {
        let expression = self.expression(expression)?;
        *self.kept() = None;
        self.say(|formula| formula.require(&expression))
    }

    /// A literal that is true if and only if an expression is: see `require`.
    ///
    /// >>> formula = Formula(3)
    /// >>> both = formula.literal("1 & 2")
    /// >>> formula.solve([both, -3])[:3]
    /// [1, 2, -3]
    fn literal(&mut self, expression: &str) -> PyResult<i32> {
        let expression = self.expression(expression)?;
        *self.kept() = None;
        let mut made = None;
        self.say(|formula| formula.literal(&expression).map(|lit| made = Some(lit)))?;
        if let Some(lit) = made
            && let Some(last) = self.taken.last().cloned().filter(|last| last.contains(&lit.vidx()))
        {
            self.taken.pop();
            let parts = [last.start..lit.vidx(), lit.vidx() + 1..last.end];
            self.taken.extend(parts.into_iter().filter(|part| !part.is_empty()));
        }
        made.map(Lit::to_ipasir).ok_or_else(|| value("an expression without a literal"))
    }

    /// This formula with encodings of which the clauses have exactly one model for each solution, for programs that
    /// count models. What was written as clauses at once before stays as it is: a bound with `iff=` that is one of its
    /// own literals, and soft clauses.
    ///
    /// >>> formula = Formula()
    /// >>> formula.at_most(range(1, 11), 5)
    /// >>> Formula.read_dimacs(formula.for_counting().write_dimacs()).count() == formula.count() == 638
    /// True
    fn for_counting(&self) -> Self {
        self.with(self.formula.clone().for_counting())
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
        self.own(terms.iter().map(|&(lit, _)| lit))?;
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
        self.own(clause.iter().copied())?;
        self.know(highest(&clause));
        let n_vars = self.formula.n_vars();
        let added = self.formula.add_soft_clause(&clause, weight);
        self.take(n_vars);
        added.map_err(too_large)
    }
}

impl Formula {
    /// Checks that there is room for `n` more variables.
    fn room(&self, n: usize) -> PyResult<()> {
        vars_fit(self.formula.n_vars() + n, "the number of variables").map(|_| ())
    }

    fn expression(&self, text: &str) -> PyResult<BoolExpr> {
        let names: HashMap<&str, Lit> = self.formula.names().map(|(var, name)| (name, var.pos_lit())).collect();
        let numbered = |name: &str| {
            let number = name.parse::<u32>().ok().filter(|&n| n > 0 && n as usize <= self.formula.n_vars())?;
            Some(Lit::positive(number - 1))
        };
        BoolExpr::parse(text, |name| names.get(name).copied().or_else(|| numbered(name))).map_err(value)
    }

    /// Something else that is written as a formula.
    pub(crate) const fn of(formula: cnfkit::Formula) -> Self {
        Self { formula, groups: Vec::new(), taken: Vec::new(), engine: Mutex::new(None) }
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
