//! Clauses as Python has them, and constraints encoded without a formula.

use std::path::PathBuf;

use cnfkit::{AmoEncoding, CardEncoding, ClauseSink, Cnf, IncTotalizer, Lit, PbEncoding, Size, Var};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyDict, PyInt, PyList};

use crate::convert::{Said, Side, highest, lits, n_vars, written};
use crate::errors::{too_large, value};

/// The most that `encode` writes: 1 GiB of literals.
const LIMIT: Size = Size { vars: Cnf::DEFAULT_LIMIT.vars, clauses: 1 << 28, lits: 1 << 28 };

/// Clauses between two looks for signals: some milliseconds.
const BETWEEN: u32 = 1 << 16;

/// A sink that looks for signals, so that Ctrl-C ends a long encoding.
pub(crate) struct Polled {
    cnf: Cnf,
    left: u32,
}

impl Polled {
    pub(crate) fn with_vars(n_vars: usize) -> Self {
        Self { cnf: Cnf::with_vars(n_vars).with_limit(LIMIT), left: BETWEEN }
    }

    pub(crate) fn into_clauses(self) -> Clauses {
        Clauses(self.cnf)
    }
}

impl ClauseSink for Polled {
    type Error = PyErr;

    fn add_clause(&mut self, clause: &[Lit]) -> PyResult<()> {
        self.cnf.add_clause(clause).map_err(too_large)?;
        self.go_on()
    }

    fn new_lit(&mut self) -> Lit {
        self.cnf.new_lit()
    }

    fn next_var(&self) -> Var {
        self.cnf.next_var()
    }

    fn reserve(&mut self, size: &Size) -> PyResult<()> {
        self.cnf.reserve(size).map_err(too_large)
    }

    fn go_on(&mut self) -> PyResult<()> {
        self.left -= 1;
        if self.left > 0 {
            return Ok(());
        }
        self.left = BETWEEN;
        Python::attach(|py| py.check_signals())
    }
}

/// Clauses, flat in memory: what `encode` and `Formula.encode` make.
///
/// `len` is the number of clauses, and iteration is over them as lists.
///
/// >>> clauses = encode([1, 2, 3], at_most=1)
/// >>> clauses
/// <Clauses: 3 variables, 3 clauses, 6 literals>
/// >>> list(clauses)
/// [[-1, -2], [-1, -3], [-2, -3]]
#[pyclass(module = "cnfkit", frozen)]
pub(crate) struct Clauses(pub(crate) Cnf);

#[pymethods]
impl Clauses {
    /// The number of variables, auxiliaries included.
    #[getter]
    const fn n_vars(&self) -> usize {
        self.0.n_vars()
    }

    /// The number of literals in all clauses together.
    #[getter]
    const fn n_lits(&self) -> usize {
        self.0.n_lits()
    }

    const fn __len__(&self) -> usize {
        self.0.n_clauses()
    }

    /// All clauses as one flat NumPy array of int32, each ended by a 0. It is writable, and made anew by each call.
    ///
    /// >>> encode([1, 2, 3], at_least=2).to_numpy()
    /// array([1, 2, 0, 1, 3, 0, 2, 3, 0], dtype=int32)
    fn to_numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let numpy = py.import("numpy")?;
        let size = (self.0.n_lits() + self.0.n_clauses()) * size_of::<i32>();
        // The array's own memory: what is written here is not copied again.
        let bytes = PyByteArray::new_with(py, size, |bytes| {
            let (numbers, _) = bytes.as_chunks_mut();
            let mut numbers = numbers.iter_mut();
            let mut put = |number: i32| numbers.next().map(|place| *place = number.to_ne_bytes());
            for clause in self.0.clauses() {
                for lit in clause {
                    put(lit.to_ipasir());
                }
                put(0);
            }
            Ok(())
        })?;
        numpy.call_method1("frombuffer", (bytes, numpy.getattr("int32")?))
    }

    /// All clauses as lists of literals.
    ///
    /// >>> encode([1, 2, 3], at_least=2).to_lists()
    /// [[1, 2], [1, 3], [2, 3]]
    pub(crate) fn to_lists<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        // Each literal is one object, however often it occurs.
        let mut known: Vec<Option<Bound<'py, PyInt>>> = vec![None; 2 * self.0.n_vars()];
        let mut number = |lit: &Lit| {
            let object = known[lit.lidx()].get_or_insert_with(|| {
                let Ok(number) = lit.to_ipasir().into_pyobject(py);
                number
            });
            object.clone()
        };
        let mut lists = Vec::with_capacity(self.0.n_clauses());
        for clause in self.0.clauses() {
            lists.push(PyList::new(py, clause.iter().map(&mut number))?);
        }
        PyList::new(py, lists)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.to_lists(py)?.try_iter()?.into_any())
    }

    /// The clauses in DIMACS: the text, or None when `path` is given, a file to write.
    ///
    /// >>> print(encode([1, 2, 3], at_least=2).write_dimacs(), end="")
    /// p cnf 3 3
    /// 1 2 0
    /// 1 3 0
    /// 2 3 0
    #[pyo3(signature = (path=None))]
    fn write_dimacs(&self, py: Python<'_>, path: Option<PathBuf>) -> PyResult<Option<String>> {
        let mut text = Vec::new();
        py.detach(|| self.0.write_dimacs(&mut text))?;
        written(text, path)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (&'static str, Vec<u8>))> {
        let mut text = Vec::new();
        self.0.write_dimacs(&mut text)?;
        Ok((py.import("cnfkit._cnfkit")?.getattr("restore")?, ("clauses", text)))
    }

    fn __repr__(&self) -> String {
        let (vars, clauses, lits) = (self.0.n_vars(), self.0.n_clauses(), self.0.n_lits());
        format!("<Clauses: {vars} variables, {clauses} clauses, {lits} literals>")
    }
}

/// Encodes one constraint: exactly one of `at_most`, `at_least` and `exactly` is its bound.
///
/// With `weights`, the sum of the weights of the true literals is bounded, and weights may be negative. Auxiliaries are
/// numbered from `top_id` + 1 on, or above the highest variable of the constraint if that is more. `when` is a literal
/// or literals: the constraint holds if they are all true. `iff` is a literal that is true if and only if the
/// constraint holds. `encoding` is one of `encodings()`.
///
/// >>> encode([1, 2, 3, 4], at_most=2, encoding="totalizer")
/// <Clauses: 8 variables, 8 clauses, 18 literals>
/// >>> encode([1, 2, 3], weights=[5, 4, 3], at_most=8).to_lists()
/// [[-1, -2]]
/// >>> encode([1, 2, 3], exactly=1, when=[4, -5]).to_lists()[0]
/// [-4, 5, 1, 2, 3]
///
/// Bad input is a TypeError, a ValueError, or an OverflowError if it is too large, the encoding included.
#[pyfunction]
#[pyo3(signature = (
    lits, *, at_most=None, at_least=None, exactly=None, weights=None, when=None, iff=None, encoding="auto", top_id=None
))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn encode(
    py: Python<'_>,
    lits: &Bound<'_, PyAny>,
    at_most: Option<&Bound<'_, PyAny>>,
    at_least: Option<&Bound<'_, PyAny>>,
    exactly: Option<&Bound<'_, PyAny>>,
    weights: Option<&Bound<'_, PyAny>>,
    when: Option<&Bound<'_, PyAny>>,
    iff: Option<&Bound<'_, PyAny>>,
    encoding: &str,
    top_id: Option<&Bound<'_, PyAny>>,
) -> PyResult<Clauses> {
    let (side, bound) = match (at_most, at_least, exactly) {
        (Some(bound), None, None) => (Side::AtMost, bound),
        (None, Some(bound), None) => (Side::AtLeast, bound),
        (None, None, Some(bound)) => (Side::Exactly, bound),
        _ => return Err(PyTypeError::new_err("encode() takes one of at_most, at_least and exactly")),
    };
    let said = Said::new(side, lits, bound, weights, when, iff, encoding)?;
    let top = top_id.map_or(Ok(0), |top| n_vars(top, "top_id"))?;
    let mut sink = Polled::with_vars(top.max(said.highest()));
    py.detach(|| said.post(&mut sink))?;
    Ok(sink.into_clauses())
}

/// The names of all encodings by kind: `at_most_one`, `cardinality` and `weights`.
///
/// >>> encodings()["at_most_one"][:4]
/// ['auto', 'smallest', 'pairwise', 'bitwise']
#[pyfunction]
pub(crate) fn encodings(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    fn names(all: &[impl ToString]) -> Vec<String> {
        all.iter().map(ToString::to_string).collect()
    }
    let kinds = PyDict::new(py);
    kinds.set_item("at_most_one", names(AmoEncoding::ALL))?;
    kinds.set_item("cardinality", names(CardEncoding::ALL))?;
    kinds.set_item("weights", names(PbEncoding::ALL))?;
    Ok(kinds)
}

/// A totalizer that grows: `outputs[j]` is true if and only if more than j of the literals are.
///
/// >>> counter = Counter([1, 2, 3], upto=2)
/// >>> counter.outputs, len(counter.take())
/// ([6, 7], 13)
/// >>> counter.extend([8])
/// >>> counter.outputs, counter.top_id
/// ([9, 10], 10)
#[pyclass(module = "cnfkit")]
pub(crate) struct Counter {
    count: IncTotalizer,
    /// The clauses that were not taken yet.
    sink: Polled,
}

impl Counter {
    /// Takes note of the variables up to a number.
    fn know(&mut self, top: Option<&Bound<'_, PyAny>>, lits: &[Lit]) -> PyResult<()> {
        let top = top.map_or(Ok(0), |top| n_vars(top, "top_id"))?.max(highest(lits));
        while self.sink.cnf.n_vars() < top {
            self.sink.new_lit();
        }
        Ok(())
    }
}

#[pymethods]
impl Counter {
    #[new]
    #[pyo3(signature = (lits, upto, top_id=None))]
    fn new(
        py: Python<'_>,
        lits: &Bound<'_, PyAny>,
        upto: &Bound<'_, PyAny>,
        top_id: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let mut this = Self { count: IncTotalizer::new(), sink: Polled::with_vars(0) };
        this.extend(py, lits, top_id)?;
        this.widen(py, upto, None)?;
        Ok(this)
    }

    /// Defines outputs up to number `upto`. New variables are above `top_id`.
    #[pyo3(signature = (upto, top_id=None))]
    fn widen(&mut self, py: Python<'_>, upto: &Bound<'_, PyAny>, top_id: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let upto = n_vars(upto, "the number of outputs")?;
        self.know(top_id, &[])?;
        py.detach(|| self.count.widen(&mut self.sink, upto))
    }

    /// Counts literals too; the outputs are new ones. New variables are above `top_id` and above the literals.
    #[pyo3(signature = (literals, top_id=None))]
    fn extend(
        &mut self,
        py: Python<'_>,
        literals: &Bound<'_, PyAny>,
        top_id: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let literals = lits(literals)?;
        self.know(top_id, &literals)?;
        py.detach(|| self.count.extend(&mut self.sink, &literals))
    }

    /// The outputs, as literals.
    #[getter]
    fn outputs(&self) -> Vec<i32> {
        self.count.outputs().iter().map(|lit| lit.to_ipasir()).collect()
    }

    /// The highest variable in use.
    #[getter]
    const fn top_id(&self) -> usize {
        self.sink.cnf.n_vars()
    }

    /// The clauses since the last call of this.
    fn take(&mut self) -> Clauses {
        let rest = Polled::with_vars(self.top_id());
        std::mem::replace(&mut self.sink, rest).into_clauses()
    }

    fn __repr__(&self) -> String {
        format!("<Counter of {} literals up to {}>", self.count.n(), self.count.upto())
    }
}

pub(crate) fn read_clauses(text: &[u8]) -> PyResult<Clauses> {
    Cnf::from_dimacs(text).map(Clauses).map_err(value)
}

pub(crate) fn unknown_kind(kind: &str) -> PyErr {
    PyValueError::new_err(format!("nothing to restore is a {kind:?}"))
}
