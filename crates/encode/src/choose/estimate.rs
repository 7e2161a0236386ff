//! Sizes of encodings of sums of weights, estimated from how many sums there can be: for [`PbEncoding::Auto`], which
//! has no time to plan what it does not take.
//!
//! Some of the terms have at most as many sums as they have choices, and no more than their weight and one; seen from
//! the bound, sums beyond it are one, and so are those that the other terms cannot tell apart. Equal weights have few
//! choices: m of them have m + 1. What is estimated so is an upper bound, and near the truth where weights have nothing
//! in common.
//!
//! [`PbEncoding::Auto`]: crate::PbEncoding::Auto

use crate::constraint::Terms;
use crate::sort;

/// The sums that some of the terms can reach.
#[derive(Clone, Copy, Debug)]
struct EstimatedSums {
    /// The choices but for the last weight's.
    others: u64,
    /// The last weight, and how many choices there are of it.
    last: (u64, u64),
    /// The sum of all.
    weight: u64,
}

impl EstimatedSums {
    const NONE: Self = Self { others: 1, last: (0, 1), weight: 0 };

    /// With another group, whose heaviest literal weighs so much, and of which there are so many choices.
    const fn and(self, (heaviest, choices): (u64, u64)) -> Self {
        let weight = self.weight.saturating_add(heaviest);
        if choices == 2 && heaviest == self.last.0 {
            return Self { last: (heaviest, self.last.1 + 1), weight, ..self };
        }
        let others = self.others.saturating_mul(self.last.1);
        // A group that may be anything has a weight that no other has.
        let last = if choices == 2 { (heaviest, 2) } else { (0, choices) };
        Self { others, last, weight }
    }

    fn count(self) -> u64 {
        self.others.saturating_mul(self.last.1).min(self.weight.saturating_add(1))
    }
}

/// The groups, the heaviest first: the weight of the heaviest literal, and one more than there are literals.
fn heavy_first(terms: &Terms<'_>) -> Vec<(u64, u64)> {
    let heaviest = |group: &[(_, u64)]| group.iter().map(|&(_, weight)| weight).max().unwrap_or(0);
    let mut groups: Vec<(u64, u64)> = terms.groups().map(|group| (heaviest(group), group.len() as u64 + 1)).collect();
    sort::by_key(&mut groups, |&(weight, _)| !weight);
    groups
}

/// The nodes of a diagram that decides the heaviest first and is bounded by `most`, about.
pub(super) fn diagram(terms: &Terms<'_>, most: u64) -> u64 {
    let groups = heavy_first(terms);
    let room = most.min(terms.total().saturating_sub(most)).saturating_add(1);
    let mut after: Vec<u64> = Vec::with_capacity(groups.len());
    let mut sums = EstimatedSums::NONE;
    for &group in groups.iter().rev() {
        sums = sums.and(group);
        after.push(sums.count());
    }
    let mut before = EstimatedSums::NONE;
    let mut nodes = 0_u64;
    for (group, after) in groups.into_iter().zip(after.into_iter().rev()) {
        nodes = nodes.saturating_add(before.count().min(after).min(room));
        before = before.and(group);
    }
    nodes
}

/// The clauses of a totalizer for one side of a bound, about.
pub(super) fn totalizer(terms: &Terms<'_>, bound: u64) -> u64 {
    let groups = heavy_first(terms);
    let room = bound.min(terms.total().saturating_sub(bound)).saturating_add(1);
    if groups.len() < 2 {
        return 0;
    }
    // The root has no outputs: those of its children are compared with the bound.
    let (left, right) = groups.split_at(groups.len() / 2);
    let ((p, left), (q, right)) = (subtree(left, room), subtree(right, room));
    left.saturating_add(right).saturating_add(p).saturating_add(q)
}

/// The sums of a subtree, and its clauses.
fn subtree(groups: &[(u64, u64)], room: u64) -> (u64, u64) {
    if let [(weight, choices)] = *groups {
        return ((choices).min(weight.saturating_add(1)), 0);
    }
    let (left, right) = groups.split_at(groups.len() / 2);
    let ((p, left), (q, right)) = (subtree(left, room), subtree(right, room));
    let sums = groups.iter().fold(EstimatedSums::NONE, |sums, &group| sums.and(group)).count().min(room);
    let own = sums.saturating_mul(p.min(q)).min(p.saturating_mul(q));
    (sums, own.saturating_add(left).saturating_add(right))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rustsat::types::Lit;

    use super::*;

    fn terms(weights: &[u64]) -> Vec<(Lit, u64)> {
        weights.iter().zip(0..).map(|(&weight, var)| (Lit::positive(var), weight)).collect()
    }

    /// All sums of choices of these weights.
    fn sums(weights: &[u64]) -> HashSet<u64> {
        weights
            .iter()
            .fold(HashSet::from([0]), |sums, weight| sums.iter().flat_map(|sum| [*sum, sum + weight]).collect())
    }

    #[test]
    fn there_are_no_more_sums_than_counted() {
        for weights in [&[9, 7, 7, 7, 4, 1][..], &[8, 4, 2, 1], &[5, 5, 5, 5], &[20, 19, 18, 3, 3, 2], &[100, 10, 1]] {
            for from in 0..weights.len() {
                let rest = &weights[from..];
                let counted = rest.iter().fold(EstimatedSums::NONE, |sums, &weight| sums.and((weight, 2))).count();
                assert!(sums(rest).len() as u64 <= counted, "{rest:?}: {counted}");
            }
        }
        let exactly =
            |weights: &[u64]| weights.iter().fold(EstimatedSums::NONE, |sums, &weight| sums.and((weight, 2))).count();
        assert_eq!(exactly(&[8, 4, 2, 1]), 16);
        assert_eq!(exactly(&[5, 5, 5, 5]), 5);
        assert_eq!(exactly(&[100, 10, 10, 1]), 12);
    }

    /// A layer has no more nodes than the literals before it have sums, nor than those after it can tell apart.
    #[test]
    fn a_diagram_has_a_layer_for_each_term() {
        assert_eq!(diagram(&Terms::new(&terms(&[1; 10])), 5), 1 + 2 + 3 + 4 + 5 + 6 + 5 + 4 + 3 + 2);
        assert_eq!(diagram(&Terms::new(&terms(&[8, 4, 2, 1])), 7), 1 + 2 + 4 + 2);
        // The bound leaves no more than three remainders.
        assert_eq!(diagram(&Terms::new(&terms(&[2; 6])), 2), 1 + 2 + 3 + 3 + 3 + 2);
    }

    #[test]
    fn groups_are_one_choice() {
        let terms = terms(&[3, 7, 9, 5, 6]);
        assert_eq!(heavy_first(&Terms::grouped(&terms, &[3, 5])), [(9, 4), (6, 3)]);
        assert_eq!(diagram(&Terms::grouped(&terms, &[3, 5]), 10), 1 + 3);
    }

    #[test]
    fn great_numbers_do_not_overflow() {
        let weights: Vec<u64> = (0..100).map(|at| u64::MAX / 200 + at).collect();
        let terms = terms(&weights);
        let total = Terms::new(&terms).total();
        assert!(diagram(&Terms::new(&terms), total / 2) > 1 << 40);
        assert!(totalizer(&Terms::new(&terms), total / 2) > 1 << 40);
    }
}
