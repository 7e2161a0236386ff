//! The terms of constraints: [`IntVar`], [`Bool`], and [`Expr`], a sum of multiples of them.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, Neg, Not, Sub, SubAssign};

/// An integer variable of a [`Model`](crate::Model). It is a number, to be copied freely; its domain is in the model.
///
/// `x + 3`, `-x`, `2 * x` and sums of those are [`Expr`]s, which stand wherever a variable stands. There is no `==`:
/// [`x.eq(y)`](Self::eq) is the constraint.
///
/// ```
/// use cnfkit::model::{Bool, Expr, IntVar, Model};
/// let mut model = Model::new();
/// let x: IntVar = model.int(0..=9);
/// let (is_two, is_large): (Bool, Bool) = (x.is(2), x.at_least(7));
/// model.post(is_two.or(is_large));
/// assert_eq!(model.count(100)?, 1 + 3);
/// let twice: Expr = 2 * x - 1;
/// model.post(twice.le(13));
/// assert_eq!(model.count(100)?, 1 + 1);
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct IntVar {
    /// The model it belongs to.
    pub(crate) model: u32,
    pub(crate) index: u32,
}

/// A truth value of a [`Model`](crate::Model): a Boolean variable, *x is v*, *x is at least v*, or the opposite of one.
///
/// It can be copied freely, negated by `!`, posted as a constraint, and used in sums as 0 or 1.
/// [`Model::lit`](crate::Model::lit) makes a literal of it for the methods of [`Constrain`](cnfkit_core::Constrain).
#[derive(Clone, Copy, Debug)]
pub struct Bool {
    pub(crate) var: IntVar,
    pub(crate) test: Test,
    pub(crate) negated: bool,
}

/// The test of a variable that a [`Bool`] stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Test {
    Is(i64),
    AtLeast(i64),
}

impl Test {
    pub(crate) const fn holds(self, value: i64) -> bool {
        match self {
            Self::Is(expected) => value == expected,
            Self::AtLeast(least) => value >= least,
        }
    }
}

impl IntVar {
    /// True if and only if the variable has this value.
    #[must_use]
    pub const fn is(self, value: i64) -> Bool {
        Bool { var: self, test: Test::Is(value), negated: false }
    }

    /// True if and only if the variable's value is this or a greater one.
    #[must_use]
    pub const fn at_least(self, value: i64) -> Bool {
        Bool { var: self, test: Test::AtLeast(value), negated: false }
    }

    /// True if and only if the variable's value is this or a smaller one.
    #[must_use]
    pub const fn at_most(self, value: i64) -> Bool {
        match value.checked_add(1) {
            Some(above) => Bool { var: self, test: Test::AtLeast(above), negated: true },
            None => Bool { var: self, test: Test::AtLeast(i64::MIN), negated: false },
        }
    }
}

impl Bool {
    /// 1 if it is true, 0 if it is false, for sums.
    #[must_use]
    pub fn as_int(self) -> Expr {
        Expr::from(self)
    }

    /// True if it holds for this value of its variable.
    pub(crate) const fn holds(self, value: i64) -> bool {
        self.test.holds(value) != self.negated
    }
}

impl Not for &Bool {
    type Output = Bool;

    fn not(self) -> Bool {
        !*self
    }
}

impl Not for Bool {
    type Output = Self;

    fn not(self) -> Self {
        Self { negated: !self.negated, ..self }
    }
}

/// A sum of multiples of variables, and a constant: `x + 2 * y - z + 7`.
///
/// Made by `+`, `-` and `*` from [`IntVar`]s, [`Bool`]s and numbers, and by [`sum`] and [`Iterator::sum`]. A number
/// without a type is an `i32`: beyond that, write `x.eq(123_456_789_012_i64)`. Its comparisons are constraints:
///
/// ```
/// use cnfkit::model::Model;
/// let mut model = Model::new();
/// let (x, y) = (model.int(0..=9), model.int(0..=9));
/// model.post((2 * x - y).eq(7));
/// model.post((x + y).le(11));
/// let solution = model.solve()?.expect("x = 4, y = 1, for one");
/// assert_eq!(2 * solution.value(x) - solution.value(y), 7);
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Expr {
    pub(crate) terms: Vec<(ExprFactor, i64)>,
    /// Of more bits than a sum may have, so that a comparison with any number of 64 bits is one.
    pub(crate) constant: i128,
    /// Some number was beyond its bits.
    pub(crate) overflows: bool,
}

/// A factor in an [`Expr`].
#[derive(Clone, Copy, Debug)]
pub(crate) enum ExprFactor {
    Int(IntVar),
    Bool(Bool),
}

impl ExprFactor {
    /// The least and the greatest value, by those of variables.
    pub(crate) fn bounds(self, of: impl FnOnce(IntVar) -> (i64, i64)) -> (i128, i128) {
        match self {
            Self::Int(var) => {
                let (min, max) = of(var);
                (min.into(), max.into())
            }
            Self::Bool(_) => (0, 1),
        }
    }

    /// The variable that it speaks of.
    pub(crate) const fn var(self) -> IntVar {
        match self {
            Self::Int(var) | Self::Bool(Bool { var, .. }) => var,
        }
    }
}

impl Expr {
    /// With room for another: most sums have two terms or more.
    fn of(unit: ExprFactor) -> Self {
        let mut terms = Vec::with_capacity(2);
        terms.push((unit, 1));
        Self { terms, ..Self::default() }
    }

    /// Its value, if it is a number.
    pub(crate) fn known(&self) -> Option<i64> {
        i64::try_from(self.constant).ok().filter(|_| self.terms.is_empty() && !self.overflows)
    }

    fn scaled(mut self, by: i64) -> Self {
        for (_, factor) in &mut self.terms {
            let (product, overflows) = factor.overflowing_mul(by);
            *factor = product;
            self.overflows |= overflows;
        }
        let (product, overflows) = self.constant.overflowing_mul(by.into());
        self.constant = product;
        self.overflows |= overflows;
        self
    }

    fn plus(mut self, other: Self) -> Self {
        let (constant, overflows) = self.constant.overflowing_add(other.constant);
        self.constant = constant;
        self.overflows |= overflows | other.overflows;
        if self.terms.is_empty() {
            self.terms = other.terms;
        } else {
            self.terms.extend(other.terms);
        }
        self
    }
}

/// The sum of all of them: a shorter way to write `iter.map(Expr::from).sum::<Expr>()`.
pub fn sum<E: Into<Expr>>(all: impl IntoIterator<Item = E>) -> Expr {
    all.into_iter().map(Into::into).sum()
}

impl Sum for Expr {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), Self::plus)
    }
}

macro_rules! sums {
    ($($type:ty),*) => { $(
        impl<'a> Sum<$type> for Expr {
            fn sum<I: Iterator<Item = $type>>(all: I) -> Self {
                sum(all)
            }
        }
    )* };
}
sums!(IntVar, &'a IntVar, Bool, &'a Bool, &'a Expr);

impl From<IntVar> for Expr {
    fn from(var: IntVar) -> Self {
        Self::of(ExprFactor::Int(var))
    }
}

impl From<&IntVar> for Expr {
    fn from(var: &IntVar) -> Self {
        (*var).into()
    }
}

impl From<Bool> for Expr {
    fn from(bool: Bool) -> Self {
        Self::of(ExprFactor::Bool(bool))
    }
}

impl From<&Bool> for Expr {
    fn from(bool: &Bool) -> Self {
        (*bool).into()
    }
}

macro_rules! constants {
    ($($type:ty),*) => { $(
        impl From<$type> for Expr {
            /// The number; a sum beyond 64 bits is an error of every question about the model. A literal beyond 32
            /// bits needs its type: `123_456_789_012_i64`.
            #[allow(clippy::useless_conversion)] // of some types it is none
            fn from(constant: $type) -> Self {
                match i128::try_from(constant) {
                    Ok(constant) => Self { constant, ..Self::default() },
                    Err(_) => Self { overflows: true, ..Self::default() },
                }
            }
        }
    )* };
}
constants!(i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize);

impl From<&Self> for Expr {
    fn from(expr: &Self) -> Self {
        expr.clone()
    }
}

impl Neg for Expr {
    type Output = Self;

    fn neg(self) -> Self {
        self.scaled(-1)
    }
}

impl<E: Into<Self>> AddAssign<E> for Expr {
    fn add_assign(&mut self, other: E) {
        *self = std::mem::take(self).plus(other.into());
    }
}

impl<E: Into<Self>> SubAssign<E> for Expr {
    fn sub_assign(&mut self, other: E) {
        *self = std::mem::take(self).plus(-other.into());
    }
}

macro_rules! arithmetic {
    ($($left:ty),*) => { $(
        impl<E: Into<Expr>> Add<E> for $left {
            type Output = Expr;

            fn add(self, other: E) -> Expr {
                Expr::from(self).plus(other.into())
            }
        }

        impl<E: Into<Expr>> Sub<E> for $left {
            type Output = Expr;

            fn sub(self, other: E) -> Expr {
                Expr::from(self).plus(-other.into())
            }
        }

        impl Mul<i64> for $left {
            type Output = Expr;

            fn mul(self, by: i64) -> Expr {
                Expr::from(self).scaled(by)
            }
        }

        impl Mul<$left> for i64 {
            type Output = Expr;

            fn mul(self, expr: $left) -> Expr {
                Expr::from(expr).scaled(self)
            }
        }

        impl Add<$left> for i64 {
            type Output = Expr;

            fn add(self, expr: $left) -> Expr {
                Expr::from(self).plus(expr.into())
            }
        }

        impl Sub<$left> for i64 {
            type Output = Expr;

            fn sub(self, expr: $left) -> Expr {
                Expr::from(self).plus(-Expr::from(expr))
            }
        }
    )* };
}
arithmetic!(IntVar, &IntVar, Expr, &Expr, Bool, &Bool);

macro_rules! negatives {
    ($($type:ty),*) => { $(
        impl Neg for $type {
            type Output = Expr;

            fn neg(self) -> Expr {
                -Expr::from(self)
            }
        }
    )* };
}
negatives!(IntVar, &IntVar, &Expr, Bool, &Bool);
