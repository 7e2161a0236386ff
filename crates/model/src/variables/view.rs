//! [`View`]: a multiple of a variable and a constant, `a·x + b`, which costs no variable and no clause.

use std::fmt;

use super::domain::Domain;
use super::expr::{Bool, Expr, ExprFactor, IntVar};

/// `factor · x + offset`; a constant where `factor` is 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    pub(crate) var: IntVar,
    pub(crate) factor: i64,
    pub(crate) offset: i64,
}

impl View {
    pub(crate) const fn whole(var: IntVar) -> Self {
        Self { var, factor: 1, offset: 0 }
    }

    pub(crate) const fn is_constant(self) -> bool {
        self.factor == 0
    }

    /// The view's value where variables have these values.
    pub(crate) fn of(self, value: &dyn Fn(IntVar) -> i64) -> i64 {
        if self.is_constant() { self.offset } else { self.of_value(value(self.var)) }
    }

    /// The view's value for a value of the variable. Models refuse what does not fit.
    pub(crate) const fn of_value(self, value: i64) -> i64 {
        self.factor.wrapping_mul(value).wrapping_add(self.offset)
    }

    /// The variable's value for a value of the view; `None` if there is none. Not for constants.
    pub(crate) const fn to_value(self, value: i64) -> Option<i64> {
        let Some(multiple) = value.checked_sub(self.offset) else { return None };
        match multiple.checked_rem(self.factor) {
            Some(0) => multiple.checked_div(self.factor),
            _ => None,
        }
    }

    /// *The view has this value*; known where no value of its variable can change that.
    pub(crate) const fn is(self, value: i64) -> Result<Bool, bool> {
        if self.is_constant() {
            return Err(self.offset == value);
        }
        match self.to_value(value) {
            Some(value) => Ok(self.var.is(value)),
            None => Err(false),
        }
    }

    /// 1 where the view has this value, and 0 elsewhere.
    pub(crate) fn counts(self, value: i64) -> Expr {
        self.is(value).map_or_else(|known| i64::from(known).into(), Expr::from)
    }

    /// How far the other view is above this one, where no value of a variable changes that.
    pub(crate) fn distance_to(self, other: Self) -> Option<i64> {
        let is_same = self.is_constant() || self.var.index == other.var.index;
        (is_same && self.factor == other.factor).then(|| other.offset.checked_sub(self.offset)).flatten()
    }

    /// The least and the greatest value.
    pub(crate) fn bounds(self, of_var: &Domain) -> (i64, i64) {
        let (min, max) = of_var.bounds();
        let (one, other) = (self.of_value(min), self.of_value(max));
        if self.factor < 0 { (other, one) } else { (one, other) }
    }
}

impl From<View> for Expr {
    fn from(view: View) -> Self {
        let terms = if view.is_constant() { Vec::new() } else { vec![(ExprFactor::Int(view.var), view.factor)] };
        Self { terms, constant: view.offset.into(), overflows: false }
    }
}

/// As people write it: `2 * x3 - 1`.
impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &Self { var, factor, offset } = self;
        match factor {
            0 => return write!(f, "{offset}"),
            1 => write!(f, "x{}", var.index)?,
            -1 => write!(f, "-x{}", var.index)?,
            _ => write!(f, "{factor} * x{}", var.index)?,
        }
        match offset {
            0 => Ok(()),
            1.. => write!(f, " + {offset}"),
            _ => write!(f, " - {}", offset.unsigned_abs()),
        }
    }
}
