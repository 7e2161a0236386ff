//! Clauses as Python has them, and constraints encoded without a formula.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use cnfkit::ask::Stopped;
use cnfkit::{AmoEncoding, CardEncoding, ClauseSink, Cnf, IncTotalizer, Lit, PbEncoding, Size, SolveError, Var};
use cnfkit_encode::sink::writer::{Writing, in_chunks};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyDict, PyInt, PyList};

use crate::ask::ask_apart;
use crate::convert::{Said, Side, highest, lits, n_vars, written};
use crate::errors::{too_large, unsolved, value};

/// The most that `encode` writes: 1 GiB of literals.
pub(crate) const LIMIT: Size = Size { vars: Cnf::DEFAULT_LIMIT.vars, clauses: 1 << 28, lits: 1 << 28 };

/// Clauses between two looks at the time.
const BETWEEN: u32 = 1 << 12;
/// The clauses of a constraint during which nothing is looked at.
const SMALL: u64 = 1 << 12;
/// The time between two looks for signals.
const PAUSE: Duration = Duration::from_millis(20);

/// Lists that Python's collector of garbage looks at by itself, about.
const COLLECTED: usize = 500;

/// A sink that looks for signals and at the time, so that Ctrl-C and a time limit end a long encoding.
pub(crate) struct Polled {
    cnf: Cnf,
    left: u32,
    looked: Instant,
    end: Option<Instant>,
    /// The clauses that were said to come.
    coming: Option<u64>,
}

impl Polled {
    pub(crate) fn with_vars(n_vars: usize) -> Self {
        Self::of(Cnf::with_vars(n_vars).with_limit(LIMIT))
    }

    pub(crate) fn of(cnf: Cnf) -> Self {
        Self { cnf, left: BETWEEN, looked: Instant::now(), end: None, coming: None }
    }

    /// With a time limit.
    pub(crate) fn until(self, end: Option<Instant>) -> Self {
        Self { end, ..self }
    }

    pub(crate) fn into_clauses(self) -> Clauses {
        Clauses(self.cnf)
    }

    /// Counts clauses, and looks at the time and for signals after some of them.
    fn count(&mut self, clauses: u32) -> PyResult<()> {
        self.left = self.left.saturating_sub(clauses);
        if self.left > 0 {
            return Ok(());
        }
        self.left = BETWEEN;
        self.go_on()
    }
}

impl ClauseSink for Polled {
    type Error = PyErr;

    fn add_clause(&mut self, clause: &[Lit]) -> PyResult<()> {
        self.cnf.add_clause(clause).map_err(too_large)?;
        self.count(1)
    }

    /// The clauses of small constraints are written where they stay.
    fn write_by(&mut self, write: &mut Writing<'_>) -> PyResult<()> {
        match self.coming.take() {
            Some(0..=SMALL) => {
                let before = self.cnf.n_clauses();
                self.cnf.write_by(write).map_err(too_large)?;
                self.count((self.cnf.n_clauses() - before) as u32)
            }
            _ => in_chunks(self, write),
        }
    }

    fn new_lit(&mut self) -> Lit {
        self.cnf.new_lit()
    }

    fn next_var(&self) -> Var {
        self.cnf.next_var()
    }

    fn reserve(&mut self, size: &Size) -> PyResult<()> {
        self.coming = Some(size.clauses);
        self.cnf.reserve(size).map_err(too_large)
    }

    fn go_on(&mut self) -> PyResult<()> {
        if self.looked.elapsed() < PAUSE {
            return Ok(());
        }
        self.looked = Instant::now();
        if self.end.is_some_and(|end| self.looked >= end) {
            return Err(unsolved(SolveError::Interrupted(Stopped::Time)));
        }
        Python::attach(|py| py.check_signals())
    }
}

/// Encodes into `cnf`, without the GIL, and looks for signals meanwhile.
pub(crate) fn on_polled(
    py: Python<'_>,
    cnf: &mut Cnf,
    encode: impl FnOnce(&mut Polled) -> PyResult<()> + Send,
) -> PyResult<()> {
    let mut sink = Polled::of(std::mem::take(cnf));
    let encoded = py.detach(|| encode(&mut sink));
    *cnf = sink.cnf;
    encoded
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

/// Literals as Python's ints: where there are many, each is one object, however often it occurs.
struct Numbers<'py>(Python<'py>, Vec<Option<Bound<'py, PyInt>>>);

impl<'py> Numbers<'py> {
    fn of_all(py: Python<'py>, cnf: &Cnf) -> Self {
        // A few clauses of high variables are not worth the memory.
        Self(py, if cnf.n_vars() < cnf.n_lits() { vec![None; 2 * cnf.n_vars()] } else { Vec::new() })
    }

    fn of(&mut self, lit: Lit) -> Bound<'py, PyInt> {
        let new = || {
            let Ok(number) = lit.to_ipasir().into_pyobject(self.0);
            number
        };
        self.1.get_mut(lit.lidx()).map_or_else(new, |place| place.get_or_insert_with(new).clone())
    }
}

/// Looks for signals at item `n` of many, if it is its turn.
pub(crate) fn look(py: Python<'_>, n: usize) -> PyResult<()> {
    if n.is_multiple_of(1 << 14) { py.check_signals() } else { Ok(()) }
}

/// A NumPy array of int32, of `n` numbers.
fn int32(py: Python<'_>, n: usize, fill: impl FnOnce(&mut [[u8; 4]]) -> PyResult<()>) -> PyResult<Bound<'_, PyAny>> {
    let numpy = py.import("numpy")?;
    // The array's own memory: what is written here is not copied again.
    let bytes = PyByteArray::new_with(py, n * size_of::<i32>(), |bytes| fill(bytes.as_chunks_mut().0))?;
    numpy.call_method1("frombuffer", (bytes, numpy.getattr("int32")?))
}

/// A NumPy array with a number for each of these, made so many at a time between two looks for signals.
fn int32_of<'py, T>(py: Python<'py>, all: &[T], number: impl Fn(&T) -> i32) -> PyResult<Bound<'py, PyAny>> {
    const PART: usize = 1 << 16;
    int32(py, all.len(), |places| {
        for (places, all) in places.chunks_mut(PART).zip(all.chunks(PART)) {
            places.iter_mut().zip(all).for_each(|(place, one)| *place = number(one).to_ne_bytes());
            py.check_signals()?;
        }
        Ok(())
    })
}

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
        int32(py, self.0.n_lits() + self.0.n_clauses(), |mut places| {
            for (clause, n) in self.0.clauses().zip(1..) {
                look(py, n)?;
                let (own, rest) = places.split_at_mut(clause.len() + 1);
                own.iter_mut().zip(clause).for_each(|(place, lit)| *place = lit.to_ipasir().to_ne_bytes());
                own[clause.len()] = [0; 4];
                places = rest;
            }
            Ok(())
        })
    }

    /// All clauses as two NumPy arrays of int32: the literals, and by clause where its literals end among them.
    ///
    /// >>> encode([1, 2, 3], at_least=2).to_arrays()
    /// (array([1, 2, 1, 3, 2, 3], dtype=int32), array([2, 4, 6], dtype=int32))
    pub(crate) fn to_arrays<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let (lits, ends) = self.0.flat();
        Ok((int32_of(py, lits, |lit| lit.to_ipasir())?, int32_of(py, ends, |&end| end as i32)?))
    }

    /// All clauses as lists of literals.
    ///
    /// >>> encode([1, 2, 3], at_least=2).to_lists()
    /// [[1, 2], [1, 3], [2, 3]]
    pub(crate) fn to_lists<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let mut number = Numbers::of_all(py, &self.0);
        let clauses = self.0.clauses().zip(1_usize..).map(|(clause, n)| {
            look(py, n)?;
            PyList::new(py, clause.iter().map(|&lit| number.of(lit)))
        });
        // Lists of clauses are no garbage, and the collector need not look for any before they are returned.
        let collector = if self.0.n_clauses() < COLLECTED { None } else { Some(py.import("gc")?) };
        let collector =
            collector.filter(|gc| gc.call_method0("isenabled").is_ok_and(|is| is.is_truthy().unwrap_or(false)));
        collector.as_ref().map(|gc| gc.call_method0("disable")).transpose()?;
        let lists = clauses.collect::<PyResult<Vec<_>>>();
        collector.map(|gc| gc.call_method0("enable")).transpose()?;
        PyList::new(py, lists?)
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
    fn write_dimacs(this: Bound<'_, Self>, path: Option<PathBuf>) -> PyResult<Option<String>> {
        let (py, this) = (this.py(), this.unbind());
        let text = ask_apart(py, None, move || {
            let mut text = Vec::new();
            this.get().0.write_dimacs(&mut text)?;
            Ok(text)
        })?;
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
    let (side, bound) = side("encode", at_most, at_least, exactly)?;
    clauses_of(py, &[Said::new(side, lits, bound, weights, when, iff, encoding)?], top_id)
}

/// Encodes a constraint for each row: exactly one of `at_most`, `at_least` and `exactly` is the bound, a number or one
/// for each row.
///
/// `rows` is a NumPy array of two dimensions, or lists of literals. The rest is as in `encode`; auxiliaries are
/// numbered through, above the highest variable of all rows.
///
/// >>> encode_many([[1, 2], [3, 4], [5, 6]], at_most=1).to_lists()
/// [[-1, -2], [-3, -4], [-5, -6]]
#[pyfunction]
#[pyo3(signature = (rows, *, at_most=None, at_least=None, exactly=None, when=None, encoding="auto", top_id=None))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn encode_many(
    py: Python<'_>,
    rows: &Bound<'_, PyAny>,
    at_most: Option<&Bound<'_, PyAny>>,
    at_least: Option<&Bound<'_, PyAny>>,
    exactly: Option<&Bound<'_, PyAny>>,
    when: Option<&Bound<'_, PyAny>>,
    encoding: &str,
    top_id: Option<&Bound<'_, PyAny>>,
) -> PyResult<Clauses> {
    let (side, bound) = side("encode_many", at_most, at_least, exactly)?;
    clauses_of(py, &Said::many(side, rows, bound, when, encoding)?, top_id)
}

/// The one bound that was given.
fn side<T>(function: &str, at_most: Option<T>, at_least: Option<T>, exactly: Option<T>) -> PyResult<(Side, T)> {
    match (at_most, at_least, exactly) {
        (Some(bound), None, None) => Ok((Side::AtMost, bound)),
        (None, Some(bound), None) => Ok((Side::AtLeast, bound)),
        (None, None, Some(bound)) => Ok((Side::Exactly, bound)),
        _ => Err(PyTypeError::new_err(format!("{function}() takes one of at_most, at_least and exactly"))),
    }
}

fn clauses_of(py: Python<'_>, said: &[Said], top_id: Option<&Bound<'_, PyAny>>) -> PyResult<Clauses> {
    let top = top_id.map_or(Ok(0), |top| n_vars(top, "top_id"))?;
    let mut sink = Polled::with_vars(said.iter().map(Said::highest).fold(top, usize::max));
    py.detach(|| said.iter().try_for_each(|said| said.post(&mut sink)))?;
    Ok(sink.into_clauses())
}

/// The clauses of a bound on a number of literals, and their highest variable: the usual case of `CardEnc`; None in any
/// other. `side` is 0 for at most, 1 for at least, 2 for exactly.
#[pyfunction]
pub(crate) fn card_clauses<'py>(
    py: Python<'py>,
    side: u8,
    lits: &Bound<'py, PyAny>,
    bound: &Bound<'py, PyAny>,
    top_id: Option<&Bound<'py, PyAny>>,
    encoding: &str,
) -> PyResult<Option<(Bound<'py, PyList>, usize)>> {
    let (Ok(list), Ok(bound)) = (lits.cast_exact::<PyList>(), bound.cast_exact::<PyInt>()) else { return Ok(None) };
    let usual = bound.extract::<usize>().is_ok_and(|bound| bound <= list.len());
    if list.is_empty() || !usual {
        return Ok(None);
    }
    let side = [Side::AtMost, Side::AtLeast, Side::Exactly][usize::from(side.min(2))];
    let said = Said::of_lits(crate::convert::lits(lits)?, side, bound.extract()?, encoding)?;
    let clauses = clauses_of(py, &[said], top_id)?;
    Ok(Some((clauses.to_lists(py)?, clauses.0.n_vars())))
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

/// A totalizer that grows: `outputs[j]` is true if and only if more than j of the literals are; with `one_sided`, if
/// they are, with half the clauses.
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
    #[pyo3(signature = (lits, upto, top_id=None, *, one_sided=false))]
    fn new(
        py: Python<'_>,
        lits: &Bound<'_, PyAny>,
        upto: &Bound<'_, PyAny>,
        top_id: Option<&Bound<'_, PyAny>>,
        one_sided: bool,
    ) -> PyResult<Self> {
        let count = if one_sided { IncTotalizer::one_sided() } else { IncTotalizer::new() };
        let mut this = Self { count, sink: Polled::with_vars(0) };
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
