//! The smallest tree of sums that is found: the shape of the tree is searched, and auxiliaries that cost more than they
//! save are eliminated.
//!
//! Every tree of sums is generalised arc consistent, whatever its shape: a chain is a decision diagram or a counter, a
//! balanced tree a totalizer. So the shape is free, and the size decides:
//!
//! * `split`: a dynamic programme over the groups in order of weight. Which outputs a set of groups needs depends on
//!   that set alone, not on the tree around it, so the cheapest tree of a stretch of groups is the cheapest way to cut
//!   it in two, with the cheapest trees of both.
//! * `climb`: that tree, chains and a balanced tree are written to templates, auxiliaries are eliminated, and the
//!   smallest is changed step by step, a group or a subtree moved elsewhere, as long as that is worth the time.
//!
//! *Exactly* is tried as both sides and as one tree.

mod climb;
mod problem;
mod split;

use self::climb::search;
use self::problem::WantedSums;
use super::both::smaller;
use super::leaf::TreeInputs;
use crate::constraint::Terms;
use crate::encode::GoOn;
use crate::pb::prepared::ClauseTemplate;
use crate::relation::PbRelation;

/// Plans `relation` by the smallest tree that is found; `None` when no tree is within the budget.
///
/// It takes up to about a fifth of a second for each side.
pub(crate) fn smallest(terms: &Terms<'_>, relation: PbRelation, go_on: &mut GoOn<'_>) -> Option<ClauseTemplate> {
    let template = ClauseTemplate::new(terms.all().iter().map(|&(lit, _)| lit));
    let mut one = |side: TreeInputs| search(&WantedSums::Side(&side), &template, go_on);
    match relation {
        PbRelation::AtMost(bound) => one(TreeInputs::most(terms, bound)),
        PbRelation::AtLeast(bound) => one(TreeInputs::least(terms, bound)),
        PbRelation::Exactly(bound) => {
            let most = one(TreeInputs::most(terms, bound));
            let sides = most.and_then(|mut most| {
                most.append(&one(TreeInputs::least(terms, bound))?);
                Some(most)
            });
            let shared = search(&WantedSums::Exactly(terms, &TreeInputs::most(terms, bound)), &template, go_on);
            smaller(sides, shared)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::Constraint;
    use rustsat::types::Lit;

    use crate::encode::{Encoding, Plan, Prepared};
    use crate::testing::groups::check_groups;
    use crate::testing::pb::drawn;
    use crate::testing::{Strength, pb};

    struct Smallest;

    impl Encoding for Smallest {
        fn plan(&self, constraint: &Constraint<'_>) -> Option<Plan<'_>> {
            let (ref terms, relation) = constraint.weighted()?;
            smallest(terms, relation, &mut || true).map(Plan::of_terms)
        }
    }

    // The suite without its sample of sizes, which are searched for long: the size of each plan here is checked, too.
    #[test]
    fn assignments() {
        pb::check_assignments(&Smallest);
    }

    #[test]
    fn conditions() {
        pb::check_conditions(&Smallest);
    }

    #[test]
    fn strength() {
        pb::check_strength(&Smallest, Strength::Gac);
    }

    #[test]
    fn assignments_of_groups() {
        check_groups(&Smallest);
    }

    crate::testing::pb_groups!(groups: Smallest);

    fn cost(groups: &[Vec<u64>], relation: PbRelation) -> u64 {
        let terms: Vec<(Lit, u64)> = (0..).map(Lit::positive).zip(groups.concat()).collect();
        let ends = groups.iter().scan(0, |end, group| {
            *end += group.len();
            Some(*end)
        });
        smallest(&Terms::grouped(&terms, &ends.collect::<Vec<usize>>()), relation, &mut || true).unwrap().size().cost()
    }

    /// Variables + clauses of the smallest encoding of pindakaas 0.6.1 that is generalised arc consistent.
    #[test]
    fn nothing_is_larger_than_its_peer() {
        for (weights, most, exactly) in [
            (drawn(10, 8, 1).0, 29 + 89, Some(31 + 143)),
            (drawn(10, 512, 1).0, 29 + 86, Some(14 + 61)),
            (vec![3, 5, 7, 11, 13, 17, 19, 23], 36 + 76, None),
            (drawn(16, 8, 3).0, 100 + 303, None),
            (drawn(32, 8, 3).0, 712 + 2130, None),
            (drawn(40, 4, 2).0, 269 + 1202, Some(581 + 2599)),
        ] {
            let bound = weights.iter().step_by(2).sum();
            let groups: Vec<Vec<u64>> = weights.iter().map(|&weight| vec![weight]).collect();
            let found = cost(&groups, PbRelation::AtMost(bound));
            assert!(2 * found < most, "at most {bound} of {weights:?}: {found}");
            if let Some(exactly) = exactly {
                let found = cost(&groups, PbRelation::Exactly(bound));
                assert!(2 * found < exactly, "exactly {bound} of {weights:?}: {found}");
            }
        }
        // Integers from 0 to 40.
        let found = cost(&vec![(1..=40).collect(); 6], PbRelation::AtMost(120));
        assert!(found < 428 + 6000, "{found}");
    }

    /// Equal calls give equal clauses, and what is too large is declined, in bounded time.
    #[test]
    fn searching_is_repeatable_and_ends() {
        let terms: Vec<(Lit, u64)> = (0..).map(Lit::positive).zip(drawn(20, 30, 5).0).collect();
        let planned = || {
            let mut clauses = Vec::new();
            let plan = smallest(&Terms::new(&terms), PbRelation::AtLeast(100), &mut || true).unwrap();
            plan.each(|clause, defines| clauses.push((clause.to_vec(), defines)));
            clauses
        };
        assert_eq!(planned(), planned());
        let terms: Vec<(Lit, u64)> = (0..).map(Lit::positive).zip(drawn(100_000, 1_000_000_000, 5).0).collect();
        let half = terms.iter().map(|&(_, weight)| weight).sum::<u64>() / 2;
        let start = std::time::Instant::now();
        assert!(smallest(&Terms::new(&terms), PbRelation::Exactly(half), &mut || true).is_none());
        assert!(start.elapsed().as_secs() < 20);
    }
}
