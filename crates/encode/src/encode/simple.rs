//! [`Simple`]: the counts that need no encoding. This is the one place that tells k = 0, k = n − 1, k ≥ n and their
//! like apart from the bounds that an encoding is asked for.

use rustsat::types::{Lit, Var};

use super::ByRelation;
use crate::relation::Relation;
use crate::size::Size;
use crate::writer::{Full, Writer};

/// A count that units, or one or two clauses, say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Simple {
    /// It always holds.
    Always,
    /// It cannot hold.
    Never,
    /// All literals are true.
    AllTrue,
    /// All literals are false.
    AllFalse,
    /// One of the literals is true: a clause.
    AnyTrue,
    /// One of the literals is false: a clause.
    AnyFalse,
    /// Exactly one of two is true: two clauses.
    OneOfTwo,
}

impl Simple {
    /// Exactly what [`write`](Self::write) adds for `n` literals.
    pub(crate) fn size(self, n: usize) -> Size {
        match self {
            Self::Always => Size::ZERO,
            Self::Never => Size::clause(0),
            Self::AllTrue | Self::AllFalse => Size::clauses(n as u64, 1),
            Self::AnyTrue | Self::AnyFalse => Size::clause(n),
            Self::OneOfTwo => Size::clauses(2, 2),
        }
    }

    pub(crate) fn write(self, to: &mut Writer<'_>, lits: &[Lit]) -> Result<(), Full> {
        let negated = || lits.iter().map(|&lit| !lit).collect::<Vec<Lit>>();
        match self {
            Self::Always => Ok(()),
            Self::Never => to.clause(&[]),
            Self::AllTrue => lits.iter().try_for_each(|&lit| to.clause(&[lit])),
            Self::AllFalse => lits.iter().try_for_each(|&lit| to.clause(&[!lit])),
            Self::AnyTrue => to.clause(lits),
            Self::AnyFalse => to.clause(&negated()),
            Self::OneOfTwo => {
                to.clause(lits)?;
                to.clause(&negated())
            }
        }
    }
}

impl Relation {
    /// The relation on `n` literals of distinct variables, where that needs no encoding.
    pub(crate) const fn simple(self, n: usize) -> Option<Simple> {
        match self {
            Self::AtMost(k) if k >= n => Some(Simple::Always),
            Self::AtLeast(0) => Some(Simple::Always),
            Self::AtLeast(k) | Self::Exactly(k) if k > n => Some(Simple::Never),
            Self::AtMost(0) | Self::Exactly(0) => Some(Simple::AllFalse),
            Self::AtLeast(k) | Self::Exactly(k) if k == n => Some(Simple::AllTrue),
            Self::AtMost(k) if k + 1 == n => Some(Simple::AnyFalse),
            Self::AtLeast(1) => Some(Simple::AnyTrue),
            Self::Exactly(1) if n == 2 => Some(Simple::OneOfTwo),
            _ => None,
        }
    }

    /// The size where no encoder is asked: that of a count that clauses say, or of more literals than rustsat has
    /// variables.
    #[must_use]
    pub fn folded(self, n: usize) -> Option<Size> {
        match self.simple(n) {
            Some(simple) => Some(simple.size(n)),
            None if n > Var::MAX_IDX as usize => Some(Size { vars: u64::MAX, clauses: u64::MAX, lits: u64::MAX }),
            None => None,
        }
    }

    /// [`size`](Self::size) by an encoding of counts.
    pub(crate) fn size_by(self, enc: &dyn ByRelation, n: usize) -> Size {
        self.folded(n).unwrap_or_else(|| enc.size(n, self))
    }

    /// Encodes *at least* and *exactly* k by an encoding of *at most* alone: at least k of n is at most n − k of the
    /// negations, exactly k is both. For the `encode` of such an encoding.
    ///
    /// ```
    /// use cnfkit::encode::{ByRelation, Full, Writer};
    /// use cnfkit::{AtMostK, Combinatorial, Lit, Relation, Size};
    ///
    /// struct Mine;
    ///
    /// impl ByRelation for Mine {
    ///     fn encode(&self, to: &mut Writer<'_>, lits: &[Lit], relation: Relation) -> Result<(), Full> {
    ///         let Relation::AtMost(_) = relation else { return relation.by_at_most(self, to, lits) };
    ///         relation.encode(&Combinatorial, to, lits)
    ///     }
    ///
    ///     fn size(&self, n: usize, relation: Relation) -> Size {
    ///         let Relation::AtMost(_) = relation else { return relation.size_by_at_most(self, n) };
    ///         relation.size(&Combinatorial, n)
    ///     }
    /// }
    /// assert_eq!(Mine.exk_size(5, 2), Combinatorial.exk_size(5, 2));
    /// ```
    ///
    /// # Errors
    /// When the sink takes no more.
    pub fn by_at_most(self, enc: &dyn ByRelation, to: &mut Writer<'_>, lits: &[Lit]) -> Result<(), Full> {
        if let Some(most) = self.most() {
            Self::AtMost(most).encode(enc, to, lits)?;
        }
        self.least().map_or(Ok(()), |least| {
            let negated: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
            Self::AtMost(lits.len() - least).encode(enc, to, &negated)
        })
    }

    /// Exactly what [`by_at_most`](Self::by_at_most) adds.
    #[must_use]
    pub fn size_by_at_most(self, enc: &dyn ByRelation, n: usize) -> Size {
        let most = self.most().map_or(Size::ZERO, |most| Self::AtMost(most).size_by(enc, n));
        most + self.least().map_or(Size::ZERO, |least| Self::AtMost(n - least).size_by(enc, n))
    }

    /// Encodes the relation on literals of distinct variables by `enc`, or without it where that needs none.
    ///
    /// # Errors
    /// When the sink takes no more.
    pub fn encode(self, enc: &dyn ByRelation, to: &mut Writer<'_>, lits: &[Lit]) -> Result<(), Full> {
        match self.simple(lits.len()) {
            Some(simple) => simple.write(to, lits),
            None => enc.encode(to, lits, self),
        }
    }
}
