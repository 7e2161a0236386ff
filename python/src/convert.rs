//! Arguments: integers, literals, bounds, encodings, sources of text.

use std::fs;
use std::path::PathBuf;

use cnfkit::constrain::positive;
use cnfkit::{AmoEncoding, CardEncoding, ClauseSink, Constrain, Formula, Lit, PbEncoding, PbRelation, Relation, Terms};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyString};

use crate::errors::value;

/// An integer that is no bool: Python's or NumPy's.
pub(crate) fn integer(number: &Bound<'_, PyAny>, what: &str) -> PyResult<i64> {
    if number.is_instance_of::<PyBool>() {
        return Err(PyTypeError::new_err(format!("{what} is an int, not the bool {number}")));
    }
    number.extract().map_err(|error: PyErr| {
        let py = number.py();
        if error.is_instance_of::<PyOverflowError>(py) {
            return PyOverflowError::new_err(format!("{what} is beyond 64 bits"));
        }
        let found = number.get_type().name().map_or_else(|_| "?".into(), |name| name.to_string());
        PyTypeError::new_err(format!("{what} is an int, not {found}"))
    })
}

/// An integer from 0 on.
pub(crate) fn natural(number: &Bound<'_, PyAny>, what: &str) -> PyResult<u64> {
    let number = integer(number, what)?;
    u64::try_from(number).map_err(|_| PyValueError::new_err(format!("{what} is 0 or more, not {number}")))
}

/// The number of the highest variable that a formula may have.
pub(crate) const MOST_VARS: u64 = Formula::MOST_READ as u64;

/// A number of variables.
pub(crate) fn n_vars(number: &Bound<'_, PyAny>, what: &str) -> PyResult<usize> {
    vars_fit(natural(number, what)? as usize, what)
}

/// A number that memory is taken for, if it is not too large.
pub(crate) fn vars_fit(number: usize, what: &str) -> PyResult<usize> {
    if number as u64 > MOST_VARS {
        return Err(PyOverflowError::new_err(format!("{what} is {number}; the limit is {MOST_VARS}")));
    }
    Ok(number)
}

pub(crate) fn lit(number: &Bound<'_, PyAny>) -> PyResult<Lit> {
    let number = integer(number, "a literal")?;
    if number == 0 {
        return Err(PyValueError::new_err(
            "literal 0: literals are numbers of variables, from 1 on, or their negatives",
        ));
    }
    if number.unsigned_abs() > MOST_VARS {
        return Err(PyOverflowError::new_err(format!("literal {number}: variables are numbered up to {MOST_VARS}")));
    }
    Ok(Lit::new(number.unsigned_abs() as u32 - 1, number < 0))
}

pub(crate) fn lits(numbers: &Bound<'_, PyAny>) -> PyResult<Vec<Lit>> {
    let mut lits = Vec::with_capacity(numbers.len().unwrap_or(0));
    for number in numbers.try_iter()? {
        lits.push(lit(&number?)?);
    }
    Ok(lits)
}

/// None, a literal or literals.
pub(crate) fn condition(when: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Lit>> {
    match when {
        None => Ok(Vec::new()),
        Some(one) if one.try_iter().is_err() => Ok(vec![lit(one)?]),
        Some(several) => lits(several),
    }
}

/// Literals with weights: two lists, or a list of pairs.
pub(crate) fn terms(of: &Bound<'_, PyAny>, weights: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<(Lit, i64)>> {
    let Some(weights) = weights else {
        let mut terms = Vec::new();
        for pair in of.try_iter()? {
            let (of, weight): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair?.extract()?;
            terms.push((lit(&of)?, integer(&weight, "a weight")?));
        }
        return Ok(terms);
    };
    let lits = lits(of)?;
    let weights = weights.try_iter()?.map(|weight| integer(&weight?, "a weight")).collect::<PyResult<Vec<_>>>()?;
    if lits.len() != weights.len() {
        let (lits, weights) = (lits.len(), weights.len());
        return Err(PyValueError::new_err(format!("{lits} literals, but {weights} weights")));
    }
    Ok(lits.into_iter().zip(weights).collect())
}

/// *At most*, *at least* or *exactly*.
#[derive(Clone, Copy)]
pub(crate) enum Side {
    AtMost,
    AtLeast,
    Exactly,
}

/// A constraint as it was said.
pub(crate) struct Said {
    cond: Vec<Lit>,
    iff: Option<Lit>,
    sum: Sum,
}

enum Sum {
    One(Vec<Lit>, Relation, AmoEncoding),
    Count(Vec<Lit>, Relation, CardEncoding),
    Weights(Vec<(Lit, u64)>, PbRelation, PbEncoding),
}

impl Said {
    pub(crate) fn new(
        side: Side,
        of: &Bound<'_, PyAny>,
        bound: &Bound<'_, PyAny>,
        weights: Option<&Bound<'_, PyAny>>,
        when: Option<&Bound<'_, PyAny>>,
        iff: Option<&Bound<'_, PyAny>>,
        encoding: &str,
    ) -> PyResult<Self> {
        let iff = iff.map(lit).transpose()?;
        let sum = if let Some(weights) = weights {
            let bound = integer(bound, "a bound")?;
            let relation = match side {
                Side::AtMost => PbRelation::AtMost(bound),
                Side::AtLeast => PbRelation::AtLeast(bound),
                Side::Exactly => PbRelation::Exactly(bound),
            };
            let (terms, relation) = positive(&terms(of, Some(weights))?, relation)
                .ok_or_else(|| PyOverflowError::new_err("the weights have a sum beyond 64 bits"))?;
            Sum::Weights(terms, relation, encoding.parse().map_err(value)?)
        } else {
            let lits = lits(of)?;
            let k = natural(bound, "a bound on a number of literals")? as usize;
            let relation = match side {
                Side::AtMost => Relation::AtMost(k),
                Side::AtLeast => Relation::AtLeast(k),
                Side::Exactly => Relation::Exactly(k),
            };
            match (k, side, iff) {
                (1, Side::AtMost | Side::Exactly, None) => {
                    // The names of both kinds.
                    let card = encoding.parse().map(AmoEncoding::Card);
                    Sum::One(lits, relation, encoding.parse().or_else(|error| card.map_err(|_| value(error)))?)
                }
                _ => Sum::Count(lits, relation, encoding.parse().map_err(value)?),
            }
        };
        Ok(Self { cond: condition(when)?, iff, sum })
    }

    /// The number of the highest variable.
    pub(crate) fn highest(&self) -> usize {
        let of = match &self.sum {
            Sum::One(lits, ..) | Sum::Count(lits, ..) => highest(lits),
            Sum::Weights(terms, ..) => terms.iter().map(|(lit, _)| lit.vidx() + 1).max().unwrap_or(0),
        };
        of.max(highest(&self.cond)).max(self.iff.map_or(0, |lit| lit.vidx() + 1))
    }

    fn with<'a>(&'a self, constraint: cnfkit::Constraint<'a>) -> cnfkit::Constraint<'a> {
        let constraint = constraint.when(&self.cond);
        self.iff.map_or(constraint, |r| constraint.iff(r))
    }

    pub(crate) fn post<S: ClauseSink>(&self, sink: &mut S) -> Result<(), S::Error> {
        match &self.sum {
            Sum::One(lits, Relation::Exactly(_), encoding) => sink.when(&self.cond).exactly_one(lits, encoding),
            Sum::One(lits, _, encoding) => sink.when(&self.cond).at_most_one(lits, encoding),
            Sum::Count(lits, relation, encoding) => {
                sink.post(&self.with(cnfkit::Constraint::count(lits, *relation)), encoding)
            }
            Sum::Weights(terms, relation, encoding) => {
                sink.post(&self.with(cnfkit::Constraint::weights(Terms::new(terms), *relation)), encoding)
            }
        }
    }
}

pub(crate) fn highest(lits: &[Lit]) -> usize {
    lits.iter().map(|lit| lit.vidx() + 1).max().unwrap_or(0)
}

/// The bytes of a text: a str or bytes, or the file that a path names.
pub(crate) fn source(of: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    if let Ok(text) = of.cast::<PyString>() {
        return Ok(text.to_cow()?.into_owned().into_bytes());
    }
    if let Ok(bytes) = of.cast::<PyBytes>() {
        return Ok(bytes.as_bytes().to_vec());
    }
    let path: PathBuf = of
        .extract()
        .map_err(|_| PyTypeError::new_err("a text is a str or bytes, or a file that an os.PathLike names"))?;
    Ok(fs::read(path)?)
}

/// A named tuple of `cnfkit`.
pub(crate) fn named<'py>(
    py: Python<'py>,
    name: &str,
    args: impl pyo3::call::PyCallArgs<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    py.import("cnfkit")?.getattr(name)?.call1(args)
}

/// A text, or None where it was written to a file.
pub(crate) fn written(text: Vec<u8>, path: Option<PathBuf>) -> PyResult<Option<String>> {
    match path {
        None => String::from_utf8(text).map(Some).map_err(value),
        Some(path) => Ok(fs::write(path, text).map(|()| None)?),
    }
}
