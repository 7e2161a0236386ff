//! Arguments: integers, literals, bounds, encodings, sources of text.

use std::collections::HashMap;
use std::fs;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::LazyLock;

use cnfkit::constrain::positive;
use cnfkit::{AmoEncoding, CardEncoding, ClauseSink, Constrain, Formula, Lit, PbEncoding, PbRelation, Relation, Terms};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyInt, PyList, PyString};

use crate::errors::value;

/// An integer that is no bool: Python's or NumPy's.
pub(crate) fn integer(number: &Bound<'_, PyAny>, what: &str) -> PyResult<i64> {
    // The usual case: a bool is no int by its exact type.
    if let Ok(int) = number.cast_exact::<PyInt>()
        && let Ok(int) = int.extract()
    {
        return Ok(int);
    }
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
    lit_of(integer(number, "a literal")?)
}

fn lit_of(number: i64) -> PyResult<Lit> {
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
    if let Ok(list) = numbers.cast_exact::<PyList>() {
        return list.iter().map(|number| lit(&number)).collect();
    }
    if let Some((numbers, _)) = array(numbers, 1)? {
        return numbers.into_iter().map(lit_of).collect();
    }
    let mut lits = Vec::with_capacity(numbers.len().unwrap_or(0));
    for number in numbers.try_iter()? {
        lits.push(lit(&number?)?);
    }
    Ok(lits)
}

/// The numbers of a NumPy array of integers, and the length of its rows; `None` of anything else.
fn array(of: &Bound<'_, PyAny>, dimensions: usize) -> PyResult<Option<(Vec<i64>, usize)>> {
    let Some(kind) = of.getattr_opt("dtype")? else { return Ok(None) };
    let (Some(kind), Some(shape)) = (kind.getattr_opt("kind")?, of.getattr_opt("shape")?) else { return Ok(None) };
    let shape: Vec<usize> = shape.extract()?;
    if shape.len() != dimensions {
        let found = shape.len();
        return Err(PyValueError::new_err(format!("an array of {found} dimensions: {dimensions} are allowed here")));
    }
    // Others are read number by number, which says what is wrong with them.
    if kind.extract::<String>().ok().as_deref() != Some("i") {
        return Ok(None);
    }
    let bytes = of.call_method1("astype", ("<i8",))?.call_method0("tobytes")?;
    let numbers = bytes.cast::<PyBytes>()?.as_bytes().as_chunks().0.iter().map(|&bytes| i64::from_le_bytes(bytes));
    Ok(Some((numbers.collect(), shape.last().copied().unwrap_or(0))))
}

/// Literals in rows: a NumPy array of two dimensions, or lists.
pub(crate) fn rows(of: &Bound<'_, PyAny>) -> PyResult<Vec<Vec<Lit>>> {
    if let Some((numbers, columns)) = array(of, 2)?.filter(|&(_, columns)| columns > 0) {
        let of_row = |row: &[i64]| row.iter().map(|&number| lit_of(number)).collect();
        return numbers.chunks(columns).map(of_row).collect();
    }
    of.try_iter()?.map(|row| lits(&row?)).collect()
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
    Between(Vec<Lit>, RangeInclusive<usize>, CardEncoding),
    WeightsBetween(Vec<(Lit, i64)>, RangeInclusive<i64>, PbEncoding),
}

/// The encodings by name: of at most one, and of counts.
static NAMES: LazyLock<HashMap<String, (Option<AmoEncoding>, Option<CardEncoding>)>> = LazyLock::new(|| {
    let card = CardEncoding::ALL.iter().map(|&card| (card.to_string(), (None, Some(card))));
    let mut names: HashMap<_, _> = card.collect();
    for &amo in AmoEncoding::ALL {
        names.entry(amo.to_string()).or_insert((None, None)).0 = Some(amo);
    }
    names
});

impl Sum {
    /// A bound on a number of literals. Unless it is reified, an encoding of at most one will do for one.
    fn of_lits(lits: Vec<Lit>, side: Side, k: usize, is_plain: bool, encoding: &str) -> PyResult<Self> {
        let relation = match side {
            Side::AtMost => Relation::AtMost(k),
            Side::AtLeast => Relation::AtLeast(k),
            Side::Exactly => Relation::Exactly(k),
        };
        let (amo, card) = NAMES.get(encoding).copied().unwrap_or_default();
        if k == 1 && is_plain && !matches!(side, Side::AtLeast) {
            let encoding = amo.or_else(|| card.map(AmoEncoding::Card)).map_or_else(|| encoding.parse(), Ok);
            return Ok(Self::One(lits, relation, encoding.map_err(value)?));
        }
        Ok(Self::Count(lits, relation, card.map_or_else(|| encoding.parse(), Ok).map_err(value)?))
    }
}

impl Said {
    /// A bound on a number of literals.
    pub(crate) fn of_lits(lits: Vec<Lit>, side: Side, k: usize, encoding: &str) -> PyResult<Self> {
        Ok(Self { cond: Vec::new(), iff: None, sum: Sum::of_lits(lits, side, k, true, encoding)? })
    }

    /// A bound on each row; `bound` is a number, or one for each row.
    pub(crate) fn many(
        side: Side,
        of: &Bound<'_, PyAny>,
        bound: &Bound<'_, PyAny>,
        when: Option<&Bound<'_, PyAny>>,
        encoding: &str,
    ) -> PyResult<Vec<Self>> {
        let (rows, cond) = (rows(of)?, condition(when)?);
        let name = "a bound on a number of literals";
        let bounds = match bound.try_iter() {
            Ok(bounds) => bounds.map(|bound| natural(&bound?, name)).collect::<PyResult<Vec<_>>>()?,
            Err(_) => vec![natural(bound, name)?; rows.len()],
        };
        if bounds.len() != rows.len() {
            let (rows, bounds) = (rows.len(), bounds.len());
            return Err(PyValueError::new_err(format!("{rows} rows, but {bounds} bounds")));
        }
        let said = |(lits, k): (Vec<Lit>, u64)| {
            Ok(Self { cond: cond.clone(), iff: None, sum: Sum::of_lits(lits, side, k as usize, true, encoding)? })
        };
        rows.into_iter().zip(bounds).map(said).collect()
    }

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
            let k = natural(bound, "a bound on a number of literals")? as usize;
            Sum::of_lits(lits(of)?, side, k, iff.is_none(), encoding)?
        };
        Ok(Self { cond: condition(when)?, iff, sum })
    }

    /// A number of literals, or a sum of weights, between two bounds.
    pub(crate) fn between(
        of: &Bound<'_, PyAny>,
        [least, most]: [&Bound<'_, PyAny>; 2],
        weights: Option<&Bound<'_, PyAny>>,
        when: Option<&Bound<'_, PyAny>>,
        iff: Option<&Bound<'_, PyAny>>,
        encoding: &str,
    ) -> PyResult<Self> {
        let sum = if let Some(weights) = weights {
            let (terms, bounds) = (terms(of, Some(weights))?, integer(least, "a bound")?..=integer(most, "a bound")?);
            Sum::WeightsBetween(terms, bounds, encoding.parse().map_err(value)?)
        } else {
            let bound = |bound| natural(bound, "a bound on a number of literals").map(|bound| bound as usize);
            Sum::Between(lits(of)?, bound(least)?..=bound(most)?, encoding.parse().map_err(value)?)
        };
        Ok(Self { cond: condition(when)?, iff: iff.map(lit).transpose()?, sum })
    }

    /// This constraint of other literals.
    pub(crate) fn renamed(mut self, new: impl Fn(Lit) -> Lit) -> Self {
        let own: &mut dyn Iterator<Item = &mut Lit> = match &mut self.sum {
            Sum::One(lits, ..) | Sum::Count(lits, ..) | Sum::Between(lits, ..) => &mut lits.iter_mut(),
            Sum::Weights(terms, ..) => &mut terms.iter_mut().map(|(lit, _)| lit),
            Sum::WeightsBetween(terms, ..) => &mut terms.iter_mut().map(|(lit, _)| lit),
        };
        own.chain(&mut self.cond).chain(&mut self.iff).for_each(|lit| *lit = new(*lit));
        self
    }

    /// All literals.
    pub(crate) fn lits(&self) -> impl Iterator<Item = Lit> {
        let (lits, terms, signed) = match &self.sum {
            Sum::One(lits, ..) | Sum::Count(lits, ..) | Sum::Between(lits, ..) => (&lits[..], &[][..], &[][..]),
            Sum::Weights(terms, ..) => (&[][..], &terms[..], &[][..]),
            Sum::WeightsBetween(terms, ..) => (&[][..], &[][..], &terms[..]),
        };
        let weighted = terms.iter().map(|&(lit, _)| lit).chain(signed.iter().map(|&(lit, _)| lit));
        lits.iter().copied().chain(weighted).chain(self.cond.iter().copied()).chain(self.iff)
    }

    /// The number of the highest variable.
    pub(crate) fn highest(&self) -> usize {
        self.lits().map(|lit| lit.vidx() + 1).max().unwrap_or(0)
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
            Sum::Between(lits, bounds, encoding) => {
                let (mut sink, bounds) = (sink.when(&self.cond), bounds.clone());
                match self.iff {
                    Some(r) => sink.iff_between(r, lits, bounds, encoding),
                    None => sink.between(lits, bounds, encoding),
                }
            }
            Sum::WeightsBetween(terms, bounds, encoding) => {
                let (mut sink, bounds) = (sink.when(&self.cond), bounds.clone());
                match self.iff {
                    Some(r) => sink.pb_iff_between(r, terms, bounds, encoding),
                    None => sink.pb_between(terms, bounds, encoding),
                }
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
