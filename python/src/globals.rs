//! Constraints by name, with MiniZinc's names.

use cnfkit::model::{self, Automaton, Expr};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::expr::{Constraint, IntExpr, exprs, same, vars};

/// No two of the expressions have the same value, unless it is one of `except_values`.
///
/// >>> model = Model()
/// >>> x = model.ints(3, 0, 2)
/// >>> model.post(all_different(x))
/// >>> model.count()
/// 6
#[pyfunction]
#[pyo3(signature = (exprs, *, except_values=Vec::new()))]
pub(crate) fn all_different(exprs: &Bound<'_, PyAny>, except_values: Vec<i64>) -> PyResult<Constraint> {
    let (exprs, owner) = crate::expr::exprs(exprs)?;
    Ok(Constraint::new(owner, move || model::all_different_except(exprs.iter().cloned(), &except_values[..])))
}

/// All expressions have the same value.
///
/// >>> model = Model()
/// >>> x = model.ints(3, 0, 4)
/// >>> model.post(all_equal(x))
/// >>> model.count()
/// 5
#[pyfunction]
pub(crate) fn all_equal(exprs: &Bound<'_, PyAny>) -> PyResult<Constraint> {
    let (exprs, owner) = crate::expr::exprs(exprs)?;
    Ok(Constraint::new(owner, move || model::all_equal(exprs.iter().cloned())))
}

fn parts(constraints: &Bound<'_, PyAny>) -> PyResult<Vec<Constraint>> {
    constraints.try_iter()?.map(|constraint| Constraint::operand(&constraint?)).collect()
}

/// All of the constraints hold.
///
/// >>> model = Model()
/// >>> x, y = model.ints(2, 0, 4)
/// >>> model.post(all_of([x > 1, y > 1, x + y == 6]))
/// >>> model.count()
/// 3
#[pyfunction]
pub(crate) fn all_of(constraints: &Bound<'_, PyAny>) -> PyResult<Constraint> {
    Constraint::several(parts(constraints)?, model::all)
}

/// Some of the constraints holds.
///
/// >>> model = Model()
/// >>> x = model.int(0, 9)
/// >>> model.post(any_of([x == 3, x > 7]))
/// >>> sorted(solution[x] for solution in model.solutions())
/// [3, 8, 9]
#[pyfunction]
pub(crate) fn any_of(constraints: &Bound<'_, PyAny>) -> PyResult<Constraint> {
    Constraint::several(parts(constraints)?, model::any)
}

/// The expressions are the successors of nodes from 0 on, and make one cycle of all nodes. With `sub`, nodes that are
/// their own successors are left out of it.
///
/// >>> model = Model()
/// >>> x = model.ints(4, 0, 3)
/// >>> model.post(circuit(x))
/// >>> model.count()
/// 6
#[pyfunction]
#[pyo3(signature = (successors, *, sub=false))]
pub(crate) fn circuit(successors: &Bound<'_, PyAny>, sub: bool) -> PyResult<Constraint> {
    let (exprs, owner) = exprs(successors)?;
    Ok(Constraint::new(owner, move || {
        let exprs = exprs.iter().cloned();
        if sub { model::subcircuit(exprs) } else { model::circuit(exprs) }
    }))
}

/// The number of variables that have one of these values.
///
/// >>> model = Model()
/// >>> x = model.ints(4, 1, 3)
/// >>> model.post(count(x, [2, 3]) == 1)
/// >>> model.count()
/// 8
#[pyfunction]
pub(crate) fn count(variables: &Bound<'_, PyAny>, values: Vec<i64>) -> PyResult<IntExpr> {
    let (vars, owner) = vars(variables)?;
    Ok(IntExpr::new(model::among(vars, values), owner))
}

/// Each value of `counts` occurs as often as its expression says.
///
/// >>> model = Model()
/// >>> x = model.ints(3, 1, 2)
/// >>> model.post(global_cardinality(x, {1: 2, 2: 1}))
/// >>> model.count()
/// 3
#[pyfunction]
pub(crate) fn global_cardinality(
    variables: &Bound<'_, PyAny>,
    counts: std::collections::BTreeMap<i64, Bound<'_, PyAny>>,
) -> PyResult<Constraint> {
    let (vars, mut owner) = vars(variables)?;
    let mut expected: Vec<(i64, Expr)> = Vec::new();
    for (value, count) in counts {
        let count = IntExpr::operand(&count)?;
        owner = same(owner, count.owner)?;
        expected.push((value, count.expr));
    }
    Ok(Constraint::new(owner, move || model::global_cardinality(&vars, expected.iter().cloned())))
}

fn lengths(name: &str, found: usize, expected: usize) -> PyResult<()> {
    if found == expected {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("{found} {name}; {expected} are needed, one for each")))
}

fn no_negative(name: &str, numbers: &[i64]) -> PyResult<()> {
    match numbers.iter().find(|&&number| number < 0) {
        Some(number) => Err(PyValueError::new_err(format!("{name} of {number}: 0 or more are allowed"))),
        None => Ok(()),
    }
}

/// No two tasks run at the same time: task i starts at `starts[i]` and takes `durations[i]`, if `present[i]` holds.
///
/// >>> model = Model()
/// >>> x = model.ints(2, 0, 3)
/// >>> model.post(disjunctive(x, [2, 3]))
/// >>> sorted(solution[x] for solution in model.solutions())
/// [[0, 2], [0, 3], [1, 3], [3, 0]]
/// >>> model = Model()
/// >>> x, runs = model.ints(2, 0, 1), model.bools(2)
/// >>> model.post(disjunctive(x, [2, 1], runs))
/// >>> model.count() # not both, or the short one first
/// 13
#[pyfunction]
#[pyo3(signature = (starts, durations, present=None))]
pub(crate) fn disjunctive(
    starts: &Bound<'_, PyAny>,
    durations: Vec<i64>,
    present: Option<&Bound<'_, PyAny>>,
) -> PyResult<Constraint> {
    let (starts, owner) = exprs(starts)?;
    lengths("durations", durations.len(), starts.len())?;
    no_negative("a duration", &durations)?;
    let Some(present) = present else {
        return Ok(Constraint::new(owner, move || {
            model::disjunctive(starts.iter().cloned(), durations.iter().copied())
        }));
    };
    let (present, other) = exprs(present)?;
    lengths("present", present.len(), starts.len())?;
    Ok(Constraint::new(same(owner, other)?, move || {
        model::no_overlap(starts.iter().cloned(), durations.iter().copied(), present.iter().cloned())
    }))
}

/// Tasks that run at the same time demand `capacity` at most together. Demands may be variables, of at least 0.
///
/// >>> model = Model()
/// >>> x = model.ints(3, 0, 9)
/// >>> end = model.int(0, 9)
/// >>> model.post(cumulative(x, [3, 2, 2], [2, 1, 1], 2), *(s + t <= end for s, t in zip(x, [3, 2, 2])))
/// >>> model.minimise(end).value
/// 5
#[pyfunction]
pub(crate) fn cumulative(
    starts: &Bound<'_, PyAny>,
    durations: Vec<i64>,
    demands: &Bound<'_, PyAny>,
    capacity: i64,
) -> PyResult<Constraint> {
    let listed: Vec<Bound<'_, PyAny>> = demands.try_iter()?.collect::<PyResult<_>>()?;
    let known: Vec<i64> = listed.iter().filter_map(|demand| demand.extract().ok()).collect();
    let ((starts, owner), (demands, other)) = (exprs(starts)?, exprs(PyList::new(starts.py(), listed)?.as_any())?);
    let owner = same(owner, other)?;
    lengths("durations", durations.len(), starts.len())?;
    lengths("demands", demands.len(), starts.len())?;
    no_negative("a duration", &durations)?;
    no_negative("a demand", &known)?;
    Ok(Constraint::new(owner, move || {
        model::cumulative(starts.iter().cloned(), durations.iter().copied(), demands.iter().cloned(), capacity)
    }))
}

/// `value` is the element of the array at `index`, from 0 on.
///
/// >>> model = Model()
/// >>> at, value = model.int(0, 2), model.int(0, 9)
/// >>> model.post(element([4, 7, 5], at, value))
/// >>> model.maximise(value).solution[at]
/// 1
#[pyfunction]
pub(crate) fn element(
    array: &Bound<'_, PyAny>,
    index: &Bound<'_, PyAny>,
    value: &Bound<'_, PyAny>,
) -> PyResult<Constraint> {
    let (array, owner) = exprs(array)?;
    let (index, value) = (IntExpr::operand(index)?, IntExpr::operand(value)?);
    let owner = same(owner, same(index.owner, value.owner)?)?;
    Ok(Constraint::new(owner, move || model::element(array.iter().cloned(), index.expr.clone(), value.expr.clone())))
}

/// The last expression is a function of those before it: "abs" of one, "times", "div", "mod" and "pow" of two, "max"
/// and "min" of any number. Quotients are rounded towards zero.
///
/// >>> model = Model()
/// >>> x, y = model.int(2, 9), model.int(2, 9)
/// >>> model.post(function("times", x, y, 35), x < y)
/// >>> [model.solve()[v] for v in (x, y)]
/// [5, 7]
#[pyfunction]
#[pyo3(signature = (name, *exprs))]
pub(crate) fn function(name: String, exprs: &Bound<'_, PyAny>) -> PyResult<Constraint> {
    let (mut args, owner) = crate::expr::exprs(exprs)?;
    let Some(result) = args.pop() else { return Err(PyValueError::new_err("a function without a result")) };
    let n = match &*name {
        "abs" => 1,
        "times" | "div" | "mod" | "pow" => 2,
        "max" | "min" => args.len(),
        _ => {
            let message = format!("no function {name:?}; allowed: abs, times, div, mod, pow, max, min");
            return Err(PyValueError::new_err(message));
        }
    };
    lengths("arguments before the result", args.len(), n)?;
    Ok(Constraint::new(owner, move || {
        let (arg, result) = (|at: usize| args[at].clone(), result.clone());
        match &*name {
            "abs" => model::abs(arg(0), result),
            "times" => model::times(arg(0), arg(1), result),
            "div" => model::div(arg(0), arg(1), result),
            "mod" => model::modulo(arg(0), arg(1), result),
            "pow" => model::pow(arg(0), arg(1), result),
            "max" => model::maximum(args.iter().cloned(), result),
            _ => model::minimum(args.iter().cloned(), result),
        }
    }))
}

/// `first[i] == j` if and only if `second[j] == i`.
///
/// >>> model = Model()
/// >>> x, y = model.ints(3, 0, 2), model.ints(3, 0, 2)
/// >>> model.post(inverse(x, y), x[0] == 2, x[1] == 0)
/// >>> model.solve()[y]
/// [1, 2, 0]
#[pyfunction]
pub(crate) fn inverse(first: &Bound<'_, PyAny>, second: &Bound<'_, PyAny>) -> PyResult<Constraint> {
    let ((first, one), (second, other)) = (exprs(first)?, exprs(second)?);
    lengths("expressions in the second array", second.len(), first.len())?;
    Ok(Constraint::new(same(one, other)?, move || model::inverse(first.iter().cloned(), second.iter().cloned())))
}

/// The first array comes before the second in the order of dictionaries, or is the same unless `strict`.
///
/// >>> model = Model()
/// >>> x, y = model.ints(2, 0, 1), model.ints(2, 0, 1)
/// >>> model.post(lex(x, y, strict=True))
/// >>> model.count()
/// 6
#[pyfunction]
#[pyo3(signature = (first, second, *, strict=false))]
pub(crate) fn lex(first: &Bound<'_, PyAny>, second: &Bound<'_, PyAny>, strict: bool) -> PyResult<Constraint> {
    let ((first, one), (second, other)) = (exprs(first)?, exprs(second)?);
    Ok(Constraint::new(same(one, other)?, move || {
        let (first, second) = (first.iter().cloned(), second.iter().cloned());
        if strict { model::lex_less(first, second) } else { model::lex_lesseq(first, second) }
    }))
}

/// The values of the expressions are one of the rows, or none of them if `negative`.
///
/// >>> model = Model()
/// >>> x = model.ints(2, 0, 3)
/// >>> model.post(table(x, [[0, 1], [2, 3]]))
/// >>> model.count()
/// 2
#[pyfunction]
#[pyo3(signature = (exprs, rows, *, negative=false))]
pub(crate) fn table(exprs: &Bound<'_, PyAny>, rows: Vec<Vec<i64>>, negative: bool) -> PyResult<Constraint> {
    let (exprs, owner) = crate::expr::exprs(exprs)?;
    rows.iter().try_for_each(|row| lengths("values in a row", row.len(), exprs.len()))?;
    Ok(Constraint::new(owner, move || {
        let exprs = exprs.iter().cloned();
        if negative { model::negative_table(exprs, &rows) } else { model::table(exprs, &rows) }
    }))
}

/// The word is accepted by a deterministic automaton: its states are `range(states)`, and a transition is a state, a
/// value, and the state that follows.
///
/// >>> model = Model()
/// >>> x = model.ints(3, 0, 1)
/// >>> model.post(automaton(x, 2, 0, [1], [(0, 0, 0), (0, 1, 1), (1, 0, 0)]))  # no two ones in a row, and one last
/// >>> sorted(solution[x] for solution in model.solutions())
/// [[0, 0, 1], [1, 0, 1]]
#[pyfunction]
#[pyo3(signature = (word, states, start, accepting, transitions))]
pub(crate) fn automaton(
    word: &Bound<'_, PyAny>,
    states: usize,
    start: usize,
    accepting: Vec<usize>,
    transitions: Vec<(usize, i64, usize)>,
) -> PyResult<Constraint> {
    let (word, owner) = exprs(word)?;
    crate::convert::vars_fit(states, "the number of states")?;
    let all = accepting.iter().chain([&start]).chain(transitions.iter().flat_map(|(from, _, to)| [from, to]));
    if let Some(state) = all.into_iter().find(|&&state| state >= states) {
        return Err(PyValueError::new_err(format!("state {state} of {states}, which count from 0")));
    }
    let mut next = std::collections::HashMap::new();
    for &(from, value, to) in &transitions {
        if next.insert((from, value), to).is_some_and(|other| other != to) {
            return Err(PyValueError::new_err(format!("state {from} has two transitions by {value}")));
        }
    }
    let automaton = Automaton::new(states, start, accepting, transitions);
    Ok(Constraint::new(owner, move || model::regular(word.iter().cloned(), &automaton)))
}
