//! The values that names stand for, and the arguments of constraints as the values that they must be.

use std::collections::HashMap;
use std::rc::Rc;

use cnfkit::model::{Bool, Constraint, Expr, IntVar, all, any};

use super::syntax::{BaseType, ConstraintItem, Declaration, PlacedValue, Syntax, What, Wrong, WrongKind};

/// A truth value: known, or of a model.
#[derive(Clone, Copy, Debug)]
pub(crate) enum BoolTerm {
    Known(bool),
    Of(Bool),
}

/// An integer: known, a variable, or 1 where a truth value is true.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Int {
    Known(i64),
    Var(IntVar),
    Of(Bool),
}

#[derive(Clone, Debug)]
pub(crate) enum Value {
    Bool(BoolTerm),
    Int(Int),
    /// The objective, where that is no variable of its own.
    Sum(Expr),
    /// Ranges of integers.
    Set(Rc<[(i64, i64)]>),
    Array(Rc<[Value]>),
}

impl BoolTerm {
    pub(crate) fn int(self) -> Int {
        match self {
            Self::Known(value) => Int::Known(value.into()),
            Self::Of(bool) => Int::Of(bool),
        }
    }
}

impl std::ops::Not for BoolTerm {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::Known(value) => Self::Known(!value),
            Self::Of(bool) => Self::Of(!bool),
        }
    }
}

impl From<BoolTerm> for Constraint {
    fn from(truth: BoolTerm) -> Self {
        match truth {
            BoolTerm::Known(true) => all(None::<Self>),
            BoolTerm::Known(false) => any(None::<Self>),
            BoolTerm::Of(bool) => bool.into(),
        }
    }
}

impl Int {
    /// *It is this number*.
    pub(crate) fn is(self, value: i64) -> BoolTerm {
        match self {
            Self::Known(known) => BoolTerm::Known(known == value),
            Self::Var(var) => BoolTerm::Of(var.is(value)),
            Self::Of(_) if value != 0 && value != 1 => BoolTerm::Known(false),
            Self::Of(bool) => BoolTerm::Of(if value == 1 { bool } else { !bool }),
        }
    }

    /// *It is at most this number*.
    pub(crate) fn at_most(self, most: i64) -> BoolTerm {
        match self {
            Self::Known(known) => BoolTerm::Known(known <= most),
            Self::Var(var) => BoolTerm::Of(var.at_most(most)),
            Self::Of(_) if most != 0 => BoolTerm::Known(most > 0),
            Self::Of(bool) => BoolTerm::Of(!bool),
        }
    }

    /// *It is in one of these ranges*.
    pub(crate) fn is_in(self, ranges: &[(i64, i64)]) -> Constraint {
        any(ranges.iter().map(|&(from, to)| {
            if from == to {
                return self.is(from).into();
            }
            let below = from.checked_sub(1).map_or(BoolTerm::Known(false), |most| self.at_most(most));
            all([Constraint::from(!below), self.at_most(to).into()])
        }))
    }
}

impl From<Int> for Expr {
    fn from(int: Int) -> Self {
        match int {
            Int::Known(value) => value.into(),
            Int::Var(var) => var.into(),
            Int::Of(bool) => bool.into(),
        }
    }
}

impl Value {
    fn kind(&self) -> &'static str {
        match self {
            Self::Bool(_) => "a Boolean",
            Self::Int(_) | Self::Sum(_) => "an integer",
            Self::Set(_) => "a set",
            Self::Array(_) => "an array",
        }
    }
}

/// The values of all names that are declared.
#[derive(Debug, Default)]
pub(crate) struct DeclaredNames<'a> {
    values: HashMap<&'a str, Value>,
}

impl<'a> DeclaredNames<'a> {
    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.values.get(name)
    }

    pub(crate) fn set(&mut self, name: &'a str, value: Value) {
        self.values.insert(name, value);
    }

    /// The value of a term whose names are known.
    pub(crate) fn value(&self, syntax: &Syntax<'_>, term: &PlacedValue<'_>) -> Result<Value, Wrong> {
        let known = |name: &str| {
            self.get(name).cloned().ok_or_else(|| syntax.wrong(term.at, WrongKind::Unknown(name.to_owned())))
        };
        Ok(match &term.what {
            &What::Bool(value) => Value::Bool(BoolTerm::Known(value)),
            &What::Int(value) => Value::Int(Int::Known(value)),
            What::Set(ranges) => Value::Set(ranges.iter().copied().filter(|(from, to)| from <= to).collect()),
            What::Name(name) => known(name)?,
            What::Index(name, index) => {
                let Value::Array(array) = known(name)? else {
                    return Err(syntax.wrong(term.at, WrongKind::Value { found: "no array", expected: "an array" }));
                };
                let entry = index.checked_sub(1).and_then(|at| array.get(usize::try_from(at).ok()?));
                let range = || WrongKind::Shape(format!("index {index} of `{name}`, which has 1..{}", array.len()));
                entry.cloned().ok_or_else(|| syntax.wrong(term.at, range()))?
            }
            What::Array(terms) => {
                let values: Result<Rc<[Value]>, Wrong> = terms.iter().map(|term| self.value(syntax, term)).collect();
                Value::Array(values?)
            }
            What::Float => return Err(syntax.wrong(term.at, WrongKind::Type("floats"))),
            What::Text => return Err(syntax.wrong(term.at, WrongKind::Type("strings"))),
            What::Call(..) => return Err(syntax.wrong(term.at, WrongKind::Type("calls"))),
        })
    }

    /// The value of a declaration that has one, of the right type.
    pub(crate) fn declared(
        &self,
        syntax: &Syntax<'_>,
        of: &Declaration<'_>,
        term: &PlacedValue<'_>,
    ) -> Result<Value, Wrong> {
        let value = self.value(syntax, term)?;
        let fits = |value: &Value| {
            matches!(
                (of.base, value),
                (BaseType::Bool, Value::Bool(_)) | (BaseType::Int, Value::Int(_)) | (BaseType::Set, Value::Set(_))
            )
        };
        let expected = match of.base {
            BaseType::Bool => "a Boolean",
            BaseType::Int => "an integer",
            _ => "a set of integers",
        };
        let wrong = |found: &Value| syntax.wrong(term.at, WrongKind::Value { found: found.kind(), expected });
        match &value {
            Value::Array(values) if of.is_array => match values.iter().find(|value| !fits(value)) {
                Some(other) => Err(wrong(other)),
                None => Ok(value),
            },
            _ if !of.is_array && fits(&value) => Ok(value),
            _ if of.is_array => {
                Err(syntax.wrong(term.at, WrongKind::Value { found: value.kind(), expected: "an array" }))
            }
            other => Err(wrong(other)),
        }
    }
}

/// A constraint with its arguments, which are looked at one by one.
#[derive(Clone, Copy)]
pub(crate) struct ConstraintCall<'c, 'a> {
    pub(crate) syntax: &'c Syntax<'a>,
    pub(crate) names: &'c DeclaredNames<'a>,
    pub(crate) posted: &'c ConstraintItem<'a>,
}

impl ConstraintCall<'_, '_> {
    pub(crate) fn wrong(&self, kind: WrongKind) -> Wrong {
        self.syntax.wrong(self.posted.at, kind)
    }

    pub(crate) fn shape(&self, what: impl Into<String>) -> Wrong {
        self.wrong(WrongKind::Shape(what.into()))
    }

    /// Checks the number of arguments.
    pub(crate) fn takes(&self, expected: usize) -> Result<(), Wrong> {
        let found = self.posted.args.len();
        if found == expected {
            return Ok(());
        }
        Err(self.wrong(WrongKind::Arguments { constraint: self.posted.name.to_owned(), found, expected }))
    }

    fn value(&self, at: usize) -> Result<Value, Wrong> {
        let expected = at + 1;
        let found = self.posted.args.len();
        let missing = || self.wrong(WrongKind::Arguments { constraint: self.posted.name.to_owned(), found, expected });
        self.names.value(self.syntax, self.posted.args.get(at).ok_or_else(missing)?)
    }

    fn unfit(&self, at: usize, found: &Value, expected: &'static str) -> Wrong {
        self.syntax.wrong(self.posted.args[at].at, WrongKind::Value { found: found.kind(), expected })
    }

    pub(crate) fn bool(&self, at: usize) -> Result<BoolTerm, Wrong> {
        match self.value(at)? {
            Value::Bool(truth) => Ok(truth),
            other => Err(self.unfit(at, &other, "a Boolean")),
        }
    }

    /// An integer; a Boolean counts as 0 or 1.
    pub(crate) fn int(&self, at: usize) -> Result<Int, Wrong> {
        match self.value(at)? {
            Value::Int(int) => Ok(int),
            Value::Bool(truth) => Ok(truth.int()),
            other => Err(self.unfit(at, &other, "an integer")),
        }
    }

    pub(crate) fn expr(&self, at: usize) -> Result<Expr, Wrong> {
        self.int(at).map(Expr::from)
    }

    pub(crate) fn number(&self, at: usize) -> Result<i64, Wrong> {
        match self.int(at)? {
            Int::Known(number) => Ok(number),
            Int::Var(_) | Int::Of(_) => Err(self
                .syntax
                .wrong(self.posted.args[at].at, WrongKind::Value { found: "a variable", expected: "a known integer" })),
        }
    }

    fn array(&self, at: usize) -> Result<Rc<[Value]>, Wrong> {
        match self.value(at)? {
            Value::Array(values) => Ok(values),
            other => Err(self.unfit(at, &other, "an array")),
        }
    }

    pub(crate) fn bools(&self, at: usize) -> Result<Vec<BoolTerm>, Wrong> {
        let truth = |value: &Value| match value {
            &Value::Bool(truth) => Ok(truth),
            other => Err(self.unfit(at, other, "an array of Booleans")),
        };
        self.array(at)?.iter().map(truth).collect()
    }

    pub(crate) fn ints(&self, at: usize) -> Result<Vec<Int>, Wrong> {
        let int = |value: &Value| match value {
            &Value::Int(int) => Ok(int),
            &Value::Bool(truth) => Ok(truth.int()),
            other => Err(self.unfit(at, other, "an array of integers")),
        };
        self.array(at)?.iter().map(int).collect()
    }

    pub(crate) fn numbers(&self, at: usize) -> Result<Vec<i64>, Wrong> {
        let number = |int: Int| match int {
            Int::Known(number) => Ok(number),
            Int::Var(_) | Int::Of(_) => Err(self.syntax.wrong(
                self.posted.args[at].at,
                WrongKind::Value { found: "an array with variables", expected: "an array of known integers" },
            )),
        };
        self.ints(at)?.into_iter().map(number).collect()
    }

    pub(crate) fn set(&self, at: usize) -> Result<Rc<[(i64, i64)]>, Wrong> {
        match self.value(at)? {
            Value::Set(ranges) => Ok(ranges),
            other => Err(self.unfit(at, &other, "a set of integers")),
        }
    }

    /// Arrays of one length.
    pub(crate) fn same_length(&self, lengths: &[usize]) -> Result<(), Wrong> {
        if lengths.windows(2).all(|pair| pair[0] == pair[1]) {
            return Ok(());
        }
        Err(self.shape(format!("the arrays of `{}` have {lengths:?} elements, expected as many", self.posted.name)))
    }
}
