//! Integer expressions and constraints of a model, with Python's operators.

use std::sync::Arc;

use cnfkit::model::{self, Bool, Expr, IntVar};
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyRecursionError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBool;

use crate::convert::integer;

/// Constraints are made of others at most this deep.
const DEEPEST: u32 = 200;

/// A model and those that it is a copy of, oldest first: the number of each, and how many of its variables the next
/// one, its copy, has too. The last one, the model itself, has all of its own.
pub(crate) type Line = Arc<[(u64, usize)]>;

/// The model that something belongs to, and the number of that model's variables when the youngest one in it was made.
#[derive(Clone)]
pub(crate) struct Home {
    pub(crate) line: Line,
    pub(crate) n_vars: usize,
}

impl Home {
    /// True if all variables are those of the last model of a line, too.
    pub(crate) fn is_in(&self, line: &Line) -> bool {
        let own = self.line.last().map(|&(id, _)| id);
        line.iter().any(|&(id, shared)| Some(id) == own && self.n_vars <= shared)
    }
}

/// None for what has no variables.
pub(crate) type Owner = Option<Home>;

/// The one model that two parts belong to.
pub(crate) fn same(one: Owner, other: Owner) -> PyResult<Owner> {
    let (Some(a), Some(b)) = (&one, &other) else { return Ok(one.or(other)) };
    let line = match (a.is_in(&b.line), b.is_in(&a.line)) {
        (true, _) => &b.line,
        (_, true) => &a.line,
        _ => return Err(PyValueError::new_err("variables of two models in one expression")),
    };
    Ok(Some(Home { line: Arc::clone(line), n_vars: a.n_vars.max(b.n_vars) }))
}

/// An integer variable of a `Model`, or a sum of multiples of variables.
///
/// `+`, `-`, and `*` by an int make sums; `==`, `!=`, `<`, `<=`, `>` and `>=` make constraints to be posted.
///
/// >>> model = Model()
/// >>> x, y = model.int(0, 9), model.int(0, 9)
/// >>> model.post(2 * x + y == 25, x > y)
/// >>> [model.solve()[v] for v in (x, y)]
/// [9, 7]
#[pyclass(module = "cnfkit", frozen)]
#[derive(Clone)]
pub(crate) struct IntExpr {
    pub(crate) expr: Expr,
    pub(crate) var: Option<IntVar>,
    pub(crate) owner: Owner,
    name: Option<String>,
}

impl IntExpr {
    pub(crate) const fn new(expr: Expr, owner: Owner) -> Self {
        Self { expr, var: None, owner, name: None }
    }

    pub(crate) fn of(var: IntVar, owner: Home, name: Option<String>) -> Self {
        Self { expr: var.into(), var: Some(var), owner: Some(owner), name }
    }

    /// An operand: an expression, a truth value as 0 or 1, or an int.
    pub(crate) fn operand(of: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(expr) = of.cast::<Self>() {
            return Ok(expr.get().clone());
        }
        if let Ok(constraint) = of.cast::<Constraint>() {
            let Constraint { truth: Some(truth), owner, .. } = constraint.get() else {
                return Err(PyTypeError::new_err("a constraint is no number: model.reify makes it a truth value"));
            };
            return Ok(Self::new(truth.as_int(), owner.clone()));
        }
        Ok(Self::new(integer(of, "an operand")?.into(), None))
    }

    /// An operand, or None where Python is to ask the other one.
    fn other(of: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        match Self::operand(of) {
            Err(error) if error.is_instance_of::<PyTypeError>(of.py()) && !of.is_instance_of::<Constraint>() => {
                Ok(None)
            }
            operand => operand.map(Some),
        }
    }

    fn combined(&self, other: &Bound<'_, PyAny>, combine: impl FnOnce(Expr, Expr) -> Expr) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let Some(other) = Self::other(other)? else { return Ok(py.NotImplemented()) };
        let sum = Self::new(combine(self.expr.clone(), other.expr), same(self.owner.clone(), other.owner)?);
        Ok(Py::new(py, sum)?.into_any())
    }
}

#[pymethods]
impl IntExpr {
    fn __add__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.combined(other, |one, other| one + other)
    }

    fn __radd__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.combined(other, |one, other| other + one)
    }

    fn __sub__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.combined(other, |one, other| one - other)
    }

    fn __rsub__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.combined(other, |one, other| other - one)
    }

    fn __mul__(&self, by: &Bound<'_, PyAny>) -> PyResult<Self> {
        if by.is_instance_of::<Self>() || by.is_instance_of::<Constraint>() {
            return Err(PyTypeError::new_err("a product of two variables: use function(\"times\", x, y, result)"));
        }
        Ok(Self::new(self.expr.clone() * integer(by, "a factor")?, self.owner.clone()))
    }

    fn __rmul__(&self, by: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.__mul__(by)
    }

    fn __neg__(&self) -> Self {
        Self::new(-self.expr.clone(), self.owner.clone())
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, compare: CompareOp) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let Some(other) = Self::other(other)? else {
            if matches!(compare, CompareOp::Eq | CompareOp::Ne) {
                // Python would say False or True, and that would be posted.
                let kind = other.get_type().name()?;
                return Err(PyTypeError::new_err(format!("an expression is compared with a {kind}, not an int")));
            }
            return Ok(py.NotImplemented());
        };
        let owner = same(self.owner.clone(), other.owner)?;
        let (one, other) = (self.expr.clone(), other.expr);
        let make = move || match compare {
            CompareOp::Lt => one.lt(&other),
            CompareOp::Le => one.le(&other),
            CompareOp::Eq => one.eq(&other),
            CompareOp::Ne => one.ne(&other),
            CompareOp::Gt => one.gt(&other),
            CompareOp::Ge => one.ge(&other),
        };
        Ok(Py::new(py, Constraint::new(owner, make))?.into_any())
    }

    /// The expression itself: it is that of each copy of its model, too.
    fn __copy__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __deepcopy__<'py>(this: PyRef<'py, Self>, _memo: &Bound<'py, PyAny>) -> PyRef<'py, Self> {
        this
    }

    fn __bool__(&self) -> PyResult<bool> {
        Err(PyTypeError::new_err("an expression has no truth value before its model is solved"))
    }

    fn __repr__(&self) -> String {
        match (&self.name, self.var) {
            (Some(name), _) => format!("<IntExpr {name}>"),
            (None, Some(_)) => "<IntExpr: a variable>".into(),
            (None, None) => "<IntExpr: a sum>".into(),
        }
    }
}

/// A constraint on a `Model`'s variables, or a truth value, to be posted or combined.
///
/// `&`, `|`, `^` and `~` are and, or, exclusive or and not; `implies` and `iff` are methods. A truth value,
/// `Model.bool()`, is an int, 0 or 1, in sums.
///
/// >>> model = Model()
/// >>> x, rain = model.int(1, 3), model.bool()
/// >>> model.post(rain.implies(x == 3), (x > 1) | ~rain, rain)
/// >>> model.solve()[x]
/// 3
#[pyclass(module = "cnfkit", frozen)]
#[derive(Clone)]
pub(crate) struct Constraint {
    /// The library's constraints are used up when they are posted; this one is not.
    make: Arc<dyn Fn() -> model::Constraint + Send + Sync>,
    pub(crate) truth: Option<Bool>,
    pub(crate) owner: Owner,
    depth: u32,
}

impl Constraint {
    pub(crate) fn new(owner: Owner, make: impl Fn() -> model::Constraint + Send + Sync + 'static) -> Self {
        Self { make: Arc::new(make), truth: None, owner, depth: 0 }
    }

    pub(crate) fn of(truth: Bool, owner: Owner) -> Self {
        Self { truth: Some(truth), ..Self::new(owner, move || truth.into()) }
    }

    pub(crate) fn make(&self) -> model::Constraint {
        (self.make)()
    }

    /// A constraint, or a Python bool.
    pub(crate) fn operand(of: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(constraint) = of.cast::<Self>() {
            return Ok(constraint.get().clone());
        }
        if let Ok(truth) = of.cast::<PyBool>() {
            let truth = truth.is_true();
            return Ok(Self::new(None, move || {
                if truth { model::all::<model::Constraint>([]) } else { model::any::<model::Constraint>([]) }
            }));
        }
        let found = of.get_type().name().map_or_else(|_| "?".into(), |name| name.to_string());
        Err(PyTypeError::new_err(format!("a constraint is to be compared or combined, not {found}")))
    }

    /// Constraints that are parts of another.
    pub(crate) fn several(
        parts: Vec<Self>,
        make: impl Fn(Vec<model::Constraint>) -> model::Constraint + Send + Sync + 'static,
    ) -> PyResult<Self> {
        let owner = parts.iter().try_fold(None, |owner, part| same(owner, part.owner.clone()))?;
        let depth = parts.iter().map(|part| part.depth).max().unwrap_or(0) + 1;
        if depth > DEEPEST {
            let message = format!("constraints {depth} deep within each other: use all_of or any_of for many");
            return Err(PyRecursionError::new_err(message));
        }
        Ok(Self { depth, ..Self::new(owner, move || make(parts.iter().map(Self::make).collect())) })
    }

    fn with(
        &self,
        other: &Bound<'_, PyAny>,
        combine: impl Fn(model::Constraint, model::Constraint) -> model::Constraint + Send + Sync + 'static,
    ) -> PyResult<Self> {
        let other = Self::operand(other)?;
        Self::several(vec![self.clone(), other], move |parts| {
            parts.into_iter().reduce(&combine).unwrap_or_else(|| model::all::<model::Constraint>([]))
        })
    }

    fn as_int(&self) -> PyResult<IntExpr> {
        match self.truth {
            Some(truth) => Ok(IntExpr::new(truth.as_int(), self.owner.clone())),
            None => Err(PyTypeError::new_err("a constraint is no number: model.reify makes it a truth value")),
        }
    }
}

#[pymethods]
impl Constraint {
    fn __and__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.with(other, |one, other| one.and(other))
    }

    fn __or__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.with(other, |one, other| one.or(other))
    }

    fn __xor__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.with(other, |one, other| one.xor(other))
    }

    fn __invert__(&self) -> PyResult<Self> {
        match self.truth {
            Some(truth) => Ok(Self::of(!truth, self.owner.clone())),
            None => Self::several(vec![self.clone()], |parts| !model::all(parts)),
        }
    }

    /// The other holds if this does.
    fn implies(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.with(other, |one, other| one.implies(other))
    }

    /// Both hold, or neither does.
    fn iff(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.with(other, |one, other| one.iff(other))
    }

    fn __add__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.as_int()?.__add__(other)
    }

    fn __radd__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.as_int()?.__radd__(other)
    }

    fn __sub__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.as_int()?.__sub__(other)
    }

    fn __rsub__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.as_int()?.__rsub__(other)
    }

    fn __mul__(&self, by: &Bound<'_, PyAny>) -> PyResult<IntExpr> {
        self.as_int()?.__mul__(by)
    }

    fn __rmul__(&self, by: &Bound<'_, PyAny>) -> PyResult<IntExpr> {
        self.as_int()?.__mul__(by)
    }

    fn __neg__(&self) -> PyResult<IntExpr> {
        Ok(self.as_int()?.__neg__())
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, compare: CompareOp) -> PyResult<Py<PyAny>> {
        self.as_int()?.__richcmp__(other, compare)
    }

    /// The constraint itself: it is that of each copy of its model, too.
    fn __copy__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __deepcopy__<'py>(this: PyRef<'py, Self>, _memo: &Bound<'py, PyAny>) -> PyRef<'py, Self> {
        this
    }

    fn __bool__(&self) -> PyResult<bool> {
        Err(PyTypeError::new_err(
            "a constraint has no truth value before its model is solved: post it, and combine with & | ~",
        ))
    }

    fn __repr__(&self) -> &'static str {
        if self.truth.is_some() { "<Constraint: a truth value>" } else { "<Constraint>" }
    }
}

/// The expressions of an argument, and their model.
pub(crate) fn exprs(of: &Bound<'_, PyAny>) -> PyResult<(Vec<Expr>, Owner)> {
    let (mut exprs, mut owner) = (Vec::new(), None);
    for expr in of.try_iter()? {
        let expr = IntExpr::operand(&expr?)?;
        owner = same(owner, expr.owner)?;
        exprs.push(expr.expr);
    }
    Ok((exprs, owner))
}

/// The variables of an argument, and their model.
pub(crate) fn vars(of: &Bound<'_, PyAny>) -> PyResult<(Vec<IntVar>, Owner)> {
    let (mut vars, mut owner) = (Vec::new(), None);
    for var in of.try_iter()? {
        let var = IntExpr::operand(&var?)?;
        owner = same(owner, var.owner)?;
        vars.push(var.var.ok_or_else(|| PyTypeError::new_err("this is about variables, not about sums"))?);
    }
    Ok((vars, owner))
}

/// The sum of expressions, each times its weight if there are weights; faster than Python's `sum` for many.
///
/// >>> model = Model()
/// >>> x = model.ints(3, 0, 5)
/// >>> model.maximise(weighted_sum(x, [1, 2, 3])).value
/// 30
#[pyfunction]
#[pyo3(signature = (exprs, weights=None))]
pub(crate) fn weighted_sum(exprs: &Bound<'_, PyAny>, weights: Option<Vec<i64>>) -> PyResult<IntExpr> {
    let (exprs, owner) = self::exprs(exprs)?;
    if let Some(weights) = &weights
        && weights.len() != exprs.len()
    {
        let (exprs, weights) = (exprs.len(), weights.len());
        return Err(PyValueError::new_err(format!("{exprs} expressions, but {weights} weights")));
    }
    let weights = weights.unwrap_or_else(|| vec![1; exprs.len()]);
    Ok(IntExpr::new(model::sum(exprs.into_iter().zip(weights).map(|(expr, weight)| expr * weight)), owner))
}
