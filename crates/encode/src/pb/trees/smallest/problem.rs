//! The bound that a tree is searched for, and a tree's clauses.

use crate::constraint::Terms;
use crate::pb::prepared::ClauseTemplate;
use crate::pb::trees::exact::exactly;
use crate::pb::trees::leaf::TreeInputs;
use crate::pb::trees::tree::{Budget, TreeNode, TreeStyle, bound_above};

/// The sums that a tree is to have.
pub(super) enum WantedSums<'a> {
    /// A side is kept.
    Side(&'a TreeInputs),
    /// The sum is exactly the bound of the side from above.
    Exactly(&'a Terms<'a>, &'a TreeInputs),
}

/// Clauses of a tree that is not tried: the fastest plan of so many takes some ten milliseconds.
const MOST_CLAUSES: usize = 200_000;

impl WantedSums<'_> {
    pub(super) const fn side(&self) -> &TreeInputs {
        match self {
            Self::Side(side) | Self::Exactly(_, side) => side,
        }
    }

    /// The clauses of a tree, with auxiliaries that cost more than they save.
    pub(super) fn written(&self, nodes: &[TreeNode], empty: &ClauseTemplate) -> Option<ClauseTemplate> {
        let mut template = empty.emptied();
        let mut budget = Budget::new(MOST_CLAUSES);
        match self {
            Self::Side(side) => bound_above(&mut template, side, nodes, TreeStyle::Smallest, &mut budget)?,
            Self::Exactly(terms, side) => exactly(&mut template, terms, side.bound, nodes, &mut budget)?,
        }
        Some(template)
    }
}
