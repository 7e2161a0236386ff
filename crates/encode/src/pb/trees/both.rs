//! A relation as trees of sums: one side, or *exactly* as both sides or as one tree, whichever is smaller.

use super::exact::exactly;
use super::leaf::TreeInputs;
use super::tree::{Budget, TreeNode, TreeStyle, bound_above};
use crate::constraint::Terms;
use crate::encode::Prepared;
use crate::pb::prepared::ClauseTemplate;
use crate::relation::PbRelation;

/// Plans `relation` by the trees that `tree` makes of the groups; `None` when that is over the budget.
pub(super) fn plan(
    terms: &Terms<'_>,
    relation: PbRelation,
    style: TreeStyle,
    tree: impl Fn(&TreeInputs) -> Vec<TreeNode>,
    budget: &mut Budget,
) -> Option<ClauseTemplate> {
    let template = || ClauseTemplate::new(terms.all().iter().map(|&(lit, _)| lit));
    let whole = *budget;
    let sides = {
        let mut template = template();
        let mut above = |side: &TreeInputs| bound_above(&mut template, side, &tree(side), style, budget);
        let most = relation.most().is_none_or(|most| above(&TreeInputs::most(terms, most)).is_some());
        let least = relation.least().is_none_or(|least| above(&TreeInputs::least(terms, least)).is_some());
        (most && least).then_some(template)
    };
    let PbRelation::Exactly(bound) = relation else { return sides };
    let shared = {
        let mut template = template();
        let tree = tree(&TreeInputs::most(terms, bound));
        exactly(&mut template, terms, bound, &tree, &mut whole.clone()).map(|()| template)
    };
    smaller(sides, shared)
}

/// The plan with fewer variables + clauses; the second where they are as many.
pub(crate) fn smaller<P: Prepared>(one: Option<P>, other: Option<P>) -> Option<P> {
    match (one, other) {
        (Some(one), Some(other)) => Some(if one.size().cost() < other.size().cost() { one } else { other }),
        (one, other) => one.or(other),
    }
}
