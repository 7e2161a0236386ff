//! [`Size`]: auxiliaries, clauses and literals, of what is about to be added or was; [`CapacityError`] where that is
//! too much.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul};

use thiserror::Error;

/// A formula would grow past the limit of the [`Cnf`](crate::Cnf) that was to hold it. Nothing was added.
///
/// ```
/// use cnfkit::{CapacityError, CardEncoding, ClauseSink, Cnf, Constrain};
/// let mut cnf = Cnf::new();
/// let x = cnf.new_lits(60);
/// let refused: Result<(), CapacityError> = cnf.at_most(&x, 30, CardEncoding::Combinatorial);
/// assert!(refused.is_err_and(|error| error.needed.clauses > error.limit.clauses));
/// assert_eq!(cnf.n_clauses(), 0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
#[error("the formula would need {needed}; the limit is {limit}")]
pub struct CapacityError {
    /// The size the whole formula would have had, what it held already included.
    pub needed: Size,
    /// The most it may have: see [`Cnf::with_limit`](crate::Cnf::with_limit).
    pub limit: Size,
}

impl CapacityError {
    #[doc(hidden)]
    #[must_use]
    pub const fn new(needed: Size, limit: Size) -> Self {
        Self { needed, limit }
    }
}

/// The size of something that is added to a formula: auxiliary variables, clauses, literals. All arithmetic saturates
/// at [`u64::MAX`].
///
/// ```
/// use cnfkit::{AtMostOne, Pairwise, Size};
/// let size = Pairwise.amo_size(9);
/// assert_eq!(size, Size { vars: 0, clauses: 36, lits: 72 });
/// assert_eq!(size.to_string(), "0 variables, 36 clauses, 72 literals");
/// assert!(size.fits(&Size::clauses(36, 2)) && !size.fits(&Size::clauses(35, 3)));
/// assert_eq!((Size::variables(2) + Size::clause(3) * 4).cost(), 6);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Size {
    /// Auxiliary variables. Inputs are not counted, but in the [size](crate::Cnf::size) of a whole formula, a
    /// [limit](crate::Cnf::with_limit) on it, and the [error](crate::CapacityError) when that is passed.
    #[doc(alias = "auxiliaries")]
    pub vars: u64,
    /// Clauses.
    pub clauses: u64,
    /// Literals, summed over all clauses.
    pub lits: u64,
}

impl Size {
    /// Nothing at all.
    pub const ZERO: Self = Self { vars: 0, clauses: 0, lits: 0 };

    /// One clause of `len` literals and no variable.
    #[must_use]
    pub const fn clause(len: usize) -> Self {
        Self { vars: 0, clauses: 1, lits: len as u64 }
    }

    /// `count` clauses of `len` literals each and no variable.
    #[must_use]
    pub const fn clauses(count: u64, len: usize) -> Self {
        Self { vars: 0, clauses: count, lits: count.saturating_mul(len as u64) }
    }

    /// `vars` auxiliary variables and no clause.
    #[must_use]
    pub const fn variables(vars: u64) -> Self {
        Self { vars, clauses: 0, lits: 0 }
    }

    /// Variables + clauses, the sum that [`Smallest`](crate::CardEncoding::Smallest) minimises.
    #[must_use]
    pub const fn cost(&self) -> u64 {
        self.vars.saturating_add(self.clauses)
    }

    /// True if there are more clauses, or more variables + clauses.
    #[doc(hidden)]
    #[must_use]
    pub const fn is_beyond(&self, other: &Self) -> bool {
        self.clauses > other.clauses || self.cost() > other.cost()
    }

    /// True if every component is at most that of `limit`.
    #[must_use]
    pub const fn fits(&self, limit: &Self) -> bool {
        self.vars <= limit.vars && self.clauses <= limit.clauses && self.lits <= limit.lits
    }
}

impl Add for Size {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            vars: self.vars.saturating_add(other.vars),
            clauses: self.clauses.saturating_add(other.clauses),
            lits: self.lits.saturating_add(other.lits),
        }
    }
}

impl AddAssign for Size {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Mul<u64> for Size {
    type Output = Self;

    fn mul(self, times: u64) -> Self {
        Self {
            vars: self.vars.saturating_mul(times),
            clauses: self.clauses.saturating_mul(times),
            lits: self.lits.saturating_mul(times),
        }
    }
}

impl Sum for Size {
    fn sum<I: Iterator<Item = Self>>(sizes: I) -> Self {
        sizes.fold(Self::ZERO, Add::add)
    }
}

/// In words that are right for what is added and for a whole formula: `6 variables, 24 clauses, 48 literals`.
impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} variables, {} clauses, {} literals", self.vars, self.clauses, self.lits)
    }
}
