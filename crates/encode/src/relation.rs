//! [`Relation`]: the one noun for *at most*, *at least* and *exactly* k; [`PbRelation`], the same for a sum of weights.
//! They know nothing of clauses or encodings, so that every other file may speak of them.

use std::fmt;

/// A bound on the number of true literals: at most, at least, or exactly k.
///
/// ```
/// use cnfkit::Relation;
/// assert!(Relation::AtMost(2).allows(1) && !Relation::AtLeast(2).allows(1) && !Relation::Exactly(2).allows(1));
/// // At most 2 of 5 literals are true if and only if at least 3 of their negations are.
/// assert_eq!(Relation::AtMost(2).of_negated(5), Some(Relation::AtLeast(3)));
/// assert_eq!(Relation::AtMost(2).to_string(), "at most 2");
/// ```
#[doc(alias = "CardConstraint")]
#[doc(alias = "Cardinality")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// At most so many.
    AtMost(usize),
    /// At least so many.
    AtLeast(usize),
    /// Exactly so many.
    Exactly(usize),
}

impl Relation {
    /// The number k that the literals are compared with.
    #[must_use]
    pub const fn bound(self) -> usize {
        match self {
            Self::AtMost(k) | Self::AtLeast(k) | Self::Exactly(k) => k,
        }
    }

    /// The lower bound, if there is one.
    #[must_use]
    pub const fn least(self) -> Option<usize> {
        match self {
            Self::AtMost(_) => None,
            Self::AtLeast(k) | Self::Exactly(k) => Some(k),
        }
    }

    /// The upper bound, if there is one.
    #[must_use]
    pub const fn most(self) -> Option<usize> {
        match self {
            Self::AtLeast(_) => None,
            Self::AtMost(k) | Self::Exactly(k) => Some(k),
        }
    }

    /// True if there may be too many true literals.
    pub(crate) const fn forbids_more(self) -> bool {
        self.most().is_some()
    }

    /// True if there may be too few true literals.
    pub(crate) const fn forbids_fewer(self) -> bool {
        self.least().is_some()
    }

    /// True if `count` true literals satisfy the relation.
    #[must_use]
    pub const fn allows(self, count: usize) -> bool {
        match self {
            Self::AtMost(k) => count <= k,
            Self::AtLeast(k) => count >= k,
            Self::Exactly(k) => count == k,
        }
    }

    /// The relation that the negations of `n` literals satisfy if and only if the literals satisfy this one; `None`
    /// where the bound is above `n`.
    #[must_use]
    pub const fn of_negated(self, n: usize) -> Option<Self> {
        if self.bound() > n { None } else { Some(self.mirrored(n)) }
    }

    /// [`of_negated`](Self::of_negated) for a bound up to `n`.
    pub(crate) const fn mirrored(self, n: usize) -> Self {
        match self {
            Self::AtMost(k) => Self::AtLeast(n - k),
            Self::AtLeast(k) => Self::AtMost(n - k),
            Self::Exactly(k) => Self::Exactly(n - k),
        }
    }

    /// The relation with the same words and another bound.
    ///
    /// ```
    /// use cnfkit::Relation;
    /// assert_eq!(Relation::AtLeast(3).with_bound(2), Relation::AtLeast(2));
    /// ```
    #[must_use]
    pub const fn with_bound(self, k: usize) -> Self {
        match self {
            Self::AtMost(_) => Self::AtMost(k),
            Self::AtLeast(_) => Self::AtLeast(k),
            Self::Exactly(_) => Self::Exactly(k),
        }
    }
}

/// In words: `at most 3`.
impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtMost(k) => write!(f, "at most {k}"),
            Self::AtLeast(k) => write!(f, "at least {k}"),
            Self::Exactly(k) => write!(f, "exactly {k}"),
        }
    }
}

/// A bound on the sum of the weights of the true literals: at most, at least, or exactly so much, in the type of the
/// weights; `u64` where they are kept as data.
///
/// ```
/// use cnfkit::PbRelation;
/// assert!(PbRelation::AtMost(7).allows(5) && !PbRelation::AtLeast(7).allows(5));
/// // Of weights that sum up to 20, at most 7 are true if and only if at least 13 are false.
/// assert_eq!(PbRelation::AtMost(7).of_negated(20), Some(PbRelation::AtLeast(13)));
/// assert_eq!(PbRelation::Exactly(7).to_string(), "exactly 7");
/// ```
#[doc(alias = "PBConstraint")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PbRelation<W = u64> {
    /// At most so much.
    AtMost(W),
    /// At least so much.
    AtLeast(W),
    /// Exactly so much.
    Exactly(W),
}

impl PbRelation {
    /// The number that the sum is compared with.
    #[must_use]
    pub const fn bound(self) -> u64 {
        match self {
            Self::AtMost(bound) | Self::AtLeast(bound) | Self::Exactly(bound) => bound,
        }
    }

    /// The lower bound, if there is one.
    #[must_use]
    pub const fn least(self) -> Option<u64> {
        match self {
            Self::AtMost(_) => None,
            Self::AtLeast(bound) | Self::Exactly(bound) => Some(bound),
        }
    }

    /// The upper bound, if there is one.
    #[must_use]
    pub const fn most(self) -> Option<u64> {
        match self {
            Self::AtLeast(_) => None,
            Self::AtMost(bound) | Self::Exactly(bound) => Some(bound),
        }
    }

    /// True if `sum` satisfies the relation.
    #[must_use]
    pub const fn allows(self, sum: u64) -> bool {
        match self {
            Self::AtMost(bound) => sum <= bound,
            Self::AtLeast(bound) => sum >= bound,
            Self::Exactly(bound) => sum == bound,
        }
    }

    /// The relation that the negations of literals of weight `total` together satisfy if and only if the literals
    /// satisfy this one; `None` where the bound is above `total`.
    #[must_use]
    pub const fn of_negated(self, total: u64) -> Option<Self> {
        let Some(rest) = total.checked_sub(self.bound()) else { return None };
        Some(match self {
            Self::AtMost(_) => Self::AtLeast(rest),
            Self::AtLeast(_) => Self::AtMost(rest),
            Self::Exactly(_) => Self::Exactly(rest),
        })
    }

    /// The relation with the same words and another bound.
    ///
    /// ```
    /// use cnfkit::PbRelation;
    /// assert_eq!(PbRelation::AtLeast(30).with_bound(20), PbRelation::AtLeast(20));
    /// ```
    #[must_use]
    pub const fn with_bound(self, bound: u64) -> Self {
        match self {
            Self::AtMost(_) => Self::AtMost(bound),
            Self::AtLeast(_) => Self::AtLeast(bound),
            Self::Exactly(_) => Self::Exactly(bound),
        }
    }
}

impl PbRelation {
    /// This bound on a number of literals.
    #[must_use]
    pub const fn counted(self) -> Relation {
        match self {
            Self::AtMost(bound) => Relation::AtMost(bound as usize),
            Self::AtLeast(bound) => Relation::AtLeast(bound as usize),
            Self::Exactly(bound) => Relation::Exactly(bound as usize),
        }
    }
}

/// A bound on a number of literals is one on a sum of weights 1.
impl From<Relation> for PbRelation {
    fn from(relation: Relation) -> Self {
        match relation {
            Relation::AtMost(k) => Self::AtMost(k as u64),
            Relation::AtLeast(k) => Self::AtLeast(k as u64),
            Relation::Exactly(k) => Self::Exactly(k as u64),
        }
    }
}

/// In words: `at most 3`.
impl<W: fmt::Display> fmt::Display for PbRelation<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtMost(bound) => write!(f, "at most {bound}"),
            Self::AtLeast(bound) => write!(f, "at least {bound}"),
            Self::Exactly(bound) => write!(f, "exactly {bound}"),
        }
    }
}
