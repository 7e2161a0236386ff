//! A relation as trees of sums: one side, or *exactly* as both sides or as one tree, whichever is smaller.

use super::draft::Draft;
use super::exact::exactly;
use super::leaf::Side;
use super::tree::{Budget, Node, Overflow, bound_above};
use crate::encode::{PbPlan, Terms};
use crate::relation::PbRelation;

/// Plans `relation` by the trees that `tree` makes of the groups; `None` when that is over the budget.
pub(super) fn plan(
    terms: &Terms<'_>,
    relation: PbRelation,
    overflow: Overflow,
    tree: impl Fn(&Side) -> Vec<Node>,
    budget: &mut Budget,
) -> Option<Draft> {
    let draft = || Draft::new(terms.all().iter().map(|&(lit, _)| lit));
    let whole = *budget;
    let sides = {
        let mut draft = draft();
        let mut above = |side: &Side| bound_above(&mut draft, side, &tree(side), overflow, budget);
        let most = relation.most().is_none_or(|most| above(&Side::most(terms, most)).is_some());
        let least = relation.least().is_none_or(|least| above(&Side::least(terms, least)).is_some());
        (most && least).then_some(draft)
    };
    let PbRelation::Exactly(bound) = relation else { return sides };
    let shared = {
        let mut draft = draft();
        let tree = tree(&Side::most(terms, bound));
        exactly(&mut draft, terms, bound, &tree, &mut whole.clone()).map(|()| draft)
    };
    match (sides, shared) {
        (Some(sides), Some(shared)) => Some(if sides.size().cost() < shared.size().cost() { sides } else { shared }),
        (one, other) => one.or(other),
    }
}
