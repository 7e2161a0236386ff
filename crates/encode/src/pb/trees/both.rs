//! A relation as trees of sums: one side, or *exactly* as both sides or as one tree, whichever is smaller.

use super::exact::exactly;
use super::leaf::Side;
use super::tree::{Budget, Node, Style, bound_above};
use crate::constraint::Terms;
use crate::encode::Prepared;
use crate::pb::prepared::ClauseTemplate;
use crate::relation::PbRelation;

/// Plans `relation` by the trees that `tree` makes of the groups; `None` when that is over the budget.
pub(super) fn plan(
    terms: &Terms<'_>,
    relation: PbRelation,
    style: Style,
    tree: impl Fn(&Side) -> Vec<Node>,
    budget: &mut Budget,
) -> Option<ClauseTemplate> {
    let template = || ClauseTemplate::new(terms.all().iter().map(|&(lit, _)| lit));
    let whole = *budget;
    let sides = {
        let mut template = template();
        let mut above = |side: &Side| bound_above(&mut template, side, &tree(side), style, budget);
        let most = relation.most().is_none_or(|most| above(&Side::most(terms, most)).is_some());
        let least = relation.least().is_none_or(|least| above(&Side::least(terms, least)).is_some());
        (most && least).then_some(template)
    };
    let PbRelation::Exactly(bound) = relation else { return sides };
    let shared = {
        let mut template = template();
        let tree = tree(&Side::most(terms, bound));
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
