//! Trees are tried, and changed where that makes them smaller.

use super::problem::WantedSums;
use super::split;
use crate::encode::{GoOn, Prepared};
use crate::pb::prepared::ClauseTemplate;
use crate::pb::trees::eliminate::Eliminator;
use crate::pb::trees::tree::{TreeNode, balanced, chain};
use crate::random::Random;

/// Steps of eliminating, of about ten nanoseconds each, for all trees that are tried.
const STEPS: u64 = 5_000_000;

/// Changes that are tried: so many for each pair of groups, but for some groups, few of which have few trees.
const CHANGES: usize = 4;
const FEW: usize = 4;

/// The smallest template that is found.
pub(super) fn search(problem: &WantedSums<'_>, empty: &ClauseTemplate, go_on: &mut GoOn<'_>) -> Option<ClauseTemplate> {
    let side = problem.side();
    let heavy = side.heavy_first();
    let light: Vec<u32> = heavy.iter().rev().copied().collect();
    let mut best: Option<(ClauseTemplate, Vec<TreeNode>)> = None;
    let mut eliminator = Eliminator::default();
    let mut attempt = |nodes: Vec<TreeNode>, best: &mut Option<(ClauseTemplate, Vec<TreeNode>)>| -> bool {
        let Some(template) = problem.written(&nodes, empty) else { return false };
        eliminator.run(&template);
        if best.as_ref().is_none_or(|(least, _)| eliminator.cost() < least.size().cost()) {
            *best = Some((eliminator.template(&template), nodes));
        }
        eliminator.steps < STEPS
    };
    for nodes in split::trees(problem, go_on).into_iter().chain([chain(&heavy), chain(&light), balanced(&light)]) {
        if !go_on() {
            return None;
        }
        attempt(nodes, &mut best);
    }
    let n = side.len();
    let mut random = Random::new(n as u64);
    let mut tries = CHANGES * n.saturating_sub(FEW).pow(2);
    while tries > 0 && go_on() {
        tries -= 1;
        let Some((_, nodes)) = &best else { break };
        let changed = change(nodes, &mut random);
        if !attempt(changed, &mut best) {
            break;
        }
    }
    best.map(|(template, _)| template)
}

/// A subtree somewhere else, or two subtrees in each other's place.
fn change(nodes: &[TreeNode], random: &mut Random) -> Vec<TreeNode> {
    let mut tree: Vec<TreeNode> = nodes.to_vec();
    let root = nodes.len() as u32 - 1;
    let mut parents = vec![root; nodes.len()];
    for (at, node) in (0..).zip(nodes) {
        if let TreeNode::Sum(a, b) = *node {
            parents[a as usize] = at;
            parents[b as usize] = at;
        }
    }
    let below = |node: u32, top: u32| {
        let mut at = node;
        while at != top && at != root {
            at = parents[at as usize];
        }
        at == top
    };
    let put = |tree: &mut Vec<TreeNode>, parent: u32, old: u32, new: u32| {
        if let TreeNode::Sum(a, b) = &mut tree[parent as usize] {
            *(if *a == old { a } else { b }) = new;
        }
    };
    for _ in 0..20 {
        let draw = &mut || random.below(root as usize) as u32;
        let (one, other) = (draw(), draw());
        if one == other || below(one, other) || below(other, one) || parents[one as usize] == parents[other as usize] {
            continue;
        }
        let (from, to) = (parents[one as usize], parents[other as usize]);
        if random.below(2) == 0 {
            put(&mut tree, from, one, other);
            put(&mut tree, to, other, one);
        } else {
            // The parent of one, which loses it, becomes the sum of one and the other.
            if from == root {
                continue;
            }
            let TreeNode::Sum(a, b) = nodes[from as usize] else { continue };
            let sibling = if a == one { b } else { a };
            put(&mut tree, parents[from as usize], from, sibling);
            put(&mut tree, to, other, from);
            tree[from as usize] = TreeNode::Sum(one, other);
        }
        return ordered(&tree, root);
    }
    tree
}

/// The tree, children before their parents.
fn ordered(tree: &[TreeNode], root: u32) -> Vec<TreeNode> {
    fn visit(tree: &[TreeNode], at: u32, nodes: &mut Vec<TreeNode>) -> u32 {
        let node = match tree[at as usize] {
            TreeNode::Sum(a, b) => {
                let a = visit(tree, a, nodes);
                TreeNode::Sum(a, visit(tree, b, nodes))
            }
            group @ TreeNode::Group(_) => group,
        };
        nodes.push(node);
        nodes.len() as u32 - 1
    }
    let mut nodes = Vec::with_capacity(tree.len());
    visit(tree, root, &mut nodes);
    nodes
}
