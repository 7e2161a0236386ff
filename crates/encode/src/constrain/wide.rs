//! The numbers that a constraint is folded with: 128 bits wide, so that no sum overflows.

use rustsat::types::Lit;

use crate::relation::{PbRelation, Relation};

/// A bound on a sum, of any size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WideRelation {
    AtMost(u128),
    AtLeast(u128),
    Exactly(u128),
}

impl WideRelation {
    /// The relation for the other literals, where true literals of the weight `taken` are left out; `None` where that
    /// is too much.
    pub(super) fn lowered(self, taken: u128) -> Option<Self> {
        Some(match self {
            Self::AtLeast(bound) => Self::AtLeast(bound.saturating_sub(taken)),
            Self::AtMost(bound) => Self::AtMost(bound.checked_sub(taken)?),
            Self::Exactly(bound) => Self::Exactly(bound.checked_sub(taken)?),
        })
    }

    /// This relation for a count of `n` literals.
    pub(super) fn of_count(self, n: usize) -> Relation {
        // A bound above n is as good as n + 1.
        let count = |bound: u128| usize::try_from(bound).map_or(n + 1, |bound| bound.min(n + 1));
        match self {
            Self::AtMost(bound) => Relation::AtMost(count(bound)),
            Self::AtLeast(bound) => Relation::AtLeast(count(bound)),
            Self::Exactly(bound) => Relation::Exactly(count(bound)),
        }
    }
}

impl From<Relation> for WideRelation {
    fn from(relation: Relation) -> Self {
        match relation {
            Relation::AtMost(k) => Self::AtMost(k as u128),
            Relation::AtLeast(k) => Self::AtLeast(k as u128),
            Relation::Exactly(k) => Self::Exactly(k as u128),
        }
    }
}

impl From<PbRelation> for WideRelation {
    fn from(relation: PbRelation) -> Self {
        match relation {
            PbRelation::AtMost(bound) => Self::AtMost(bound.into()),
            PbRelation::AtLeast(bound) => Self::AtLeast(bound.into()),
            PbRelation::Exactly(bound) => Self::Exactly(bound.into()),
        }
    }
}

/// Weighted literals of distinct variables, in groups of which at most one is true.
#[derive(Clone, Debug, Default)]
pub(super) struct WideTerms {
    pub(super) terms: Vec<(Lit, u128)>,
    /// The ends of the groups, ascending; empty where each literal is a group.
    pub(super) ends: Vec<usize>,
}

impl WideTerms {
    pub(super) fn groups(&self) -> impl Iterator<Item = &[(Lit, u128)]> {
        let count = if self.ends.is_empty() { self.terms.len() } else { self.ends.len() };
        (0..count).map(|at| match self.ends.get(at) {
            None => &self.terms[at..=at],
            Some(&end) => &self.terms[at.checked_sub(1).map_or(0, |before| self.ends[before])..end],
        })
    }
}
