//! Clauses between nodes of a layer: the one for a lower remainder implies the one for a higher.

use rustsat::types::Lit;

use super::intervals::Intervals;
use super::problem::{Child, DiagramNode};

/// Neighbours in a layer, the lower one first. Two of a layer after it are neighbours there, or have others between
/// them. What the clauses of the lower one say is left out.
pub(super) fn links<I: Intervals>(
    intervals: &I,
    nodes: &[DiagramNode],
    choices: &[(Lit, Child)],
) -> Vec<(Child, Child)> {
    let is_said = |lower: Child, higher: Child| {
        let Child::Node(index) = lower else { return false };
        let index = index as usize;
        let start = index.checked_sub(1).map_or(0, |before| nodes[before].choices as usize);
        let own = &choices[start..nodes[index].choices as usize];
        nodes[index].omitted == higher
            || own.iter().any(|&(input, child)| child == Child::Never && higher == Child::If(!input))
    };
    let mut links = Vec::new();
    for layer in 0..intervals.layers() {
        let higher = intervals.ascending(layer).skip(1);
        for (lower, higher) in intervals.ascending(layer).zip(higher) {
            let told = match higher.child {
                Child::If(_) => true,
                Child::Node(index) => !nodes[index as usize].holds,
                Child::Always | Child::Never => false,
            };
            let tells = matches!(lower.child, Child::If(_) | Child::Node(_)) && lower.child != higher.child;
            if told && tells && (lower.own || higher.own) && !is_said(lower.child, higher.child) {
                links.push((lower.child, higher.child));
            }
        }
    }
    links
}
