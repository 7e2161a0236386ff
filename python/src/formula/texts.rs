//! A `Formula` as clauses, lists and text.

use std::path::PathBuf;

use cnfkit::{Lit, Sum};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use super::Formula;
use crate::ask::ask_apart;
use crate::clauses::{Clauses, read_clauses, unknown_kind};
use crate::convert::{named, source, written};
use crate::errors::unread;

/// Ranges of variables from 0 on.
type Taken = Vec<(usize, usize)>;

impl Formula {
    /// Another formula about the same variables.
    pub(super) fn with(&self, formula: cnfkit::Formula) -> Self {
        Self { taken: self.taken.clone(), ..Self::of(formula) }
    }

    fn text(
        &self,
        py: Python<'_>,
        path: Option<PathBuf>,
        write: impl FnOnce(&cnfkit::Formula, &mut Vec<u8>) -> std::io::Result<()> + Send + 'static,
    ) -> PyResult<Option<String>> {
        let formula = self.formula.clone();
        let text = ask_apart(py, None, move || {
            let mut text = Vec::new();
            write(&formula, &mut text)?;
            Ok(text)
        })?;
        written(text, path)
    }

    fn read(
        py: Python<'_>,
        text: &Bound<'_, PyAny>,
        read: impl FnOnce(&[u8]) -> Result<cnfkit::Formula, cnfkit::ReadError> + Send + 'static,
    ) -> PyResult<Self> {
        let text = source(text)?;
        let formula = ask_apart(py, None, move || read(&text).map_err(unread))?;
        Ok(Self::of(formula))
    }
}

#[pymethods]
impl Formula {
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

    /// This formula with cardinality constraints in the place of the clauses that say them. Variables that only these
    /// clauses had are in nothing that is left: solutions do not say their values.
    ///
    /// >>> formula = Formula()
    /// >>> formula.add_clauses(encode(range(1, 9), at_most=1).to_lists())
    /// >>> formula.detect()
    /// <Formula: 11 variables, 0 clauses, 1 constraint>
    fn detect(&self, py: Python<'_>) -> PyResult<Self> {
        let formula = self.formula.clone();
        let found = ask_apart(py, None, move || Ok(formula.detect().formula()))?;
        Ok(self.with(found))
    }

    /// All clauses, those of the encoded constraints included. A formula that is too large is an OverflowError.
    ///
    /// >>> formula = Formula()
    /// >>> formula.exactly([1, 2, 3], 1)
    /// >>> formula.encode(), formula.size()
    /// (<Clauses: 3 variables, 4 clauses, 9 literals>, (0, 4, 9))
    pub(crate) fn encode(&self, py: Python<'_>) -> PyResult<Clauses> {
        self.encoded(py, None)
    }

    /// The clauses of `encode()` as two NumPy arrays of int32: the literals, and by clause where its literals end.
    fn to_arrays<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        self.encode(py)?.to_arrays(py)
    }

    /// The number of variables, clauses and literals of `encode()`, known before it is called.
    fn size(&self, py: Python<'_>) -> PyResult<(u64, u64, u64)> {
        let formula = self.formula.clone();
        let size = ask_apart(py, None, move || Ok(formula.size()))?;
        Ok((size.vars, size.clauses, size.lits))
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
        self.with(self.formula.clone())
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.__copy__()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (&'static str, Vec<u8>, Taken))> {
        if self.formula.groups().len() > 0 {
            return Err(PyTypeError::new_err("a formula with named groups does not pickle: its OPB has none"));
        }
        let mut text = Vec::new();
        self.formula.write_opb(&mut text)?;
        let taken =
            self.taken.iter().map(|range| (range.start, range.end)).chain([(self.formula.n_vars(), usize::MAX)]);
        Ok((py.import("cnfkit._cnfkit")?.getattr("restore")?, ("formula", text, taken.collect())))
    }

    fn __repr__(&self) -> String {
        let (vars, clauses) = (self.formula.n_vars(), self.formula.n_clauses());
        let constraints = self.formula.constraints().len();
        let many = |n, word| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
        let parts = [many(vars, "variable"), many(clauses, "clause"), many(constraints, "constraint")];
        format!("<Formula: {}>", parts.join(", "))
    }
}

/// An object of its text, for pickle; of a formula with the variables that constraints took, and those that only its
/// text has.
#[pyfunction]
#[pyo3(signature = (kind, text, taken=Vec::new()))]
pub(crate) fn restore<'py>(py: Python<'py>, kind: &str, text: &[u8], taken: Taken) -> PyResult<Bound<'py, PyAny>> {
    match kind {
        "formula" => {
            let formula = cnfkit::Formula::read_opb(text).map_err(unread)?;
            let taken = taken.into_iter().map(|(start, end)| start..end.min(formula.n_vars()));
            let taken = taken.filter(|range| !range.is_empty()).collect();
            Ok(Bound::new(py, Formula { taken, ..Formula::of(formula) })?.into_any())
        }
        "clauses" => Ok(Bound::new(py, read_clauses(text)?)?.into_any()),
        _ => Err(unknown_kind(kind)),
    }
}
