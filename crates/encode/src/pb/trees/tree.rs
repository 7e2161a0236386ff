//! A tree of sums, bounded at its root: the clauses of totalizers and counters of weights.
//!
//! A node stands for the sum of some groups of inputs. Its *outputs* are literals *the sum is at least so much*, and an
//! output of a node follows from pairs of outputs of its two children that together reach it.
//!
//! # Which outputs are there
//!
//! Only those that the bound asks for, from the root down. The root has to be kept from being above the bound. Of all
//! pairs of sums of two children that reach a number, those matter that would not reach it with a smaller sum on either
//! side: for each sum of the one child, the least of the other. Their sums are the outputs that the children need. So
//! sums that no choice of the other groups can tell apart share an output: of two children with weights 5, 5, 5 and 10,
//! 10, 10, the one needs at most three outputs, whatever the bound is.
//!
//! # Which clauses define them
//!
//! For each output, a clause for each such pair. An output that is reached makes all lower ones true, too. Pairs that
//! reach the next output do so one by one, or by one clause *the next output implies this one* where that is less; none
//! is needed where the sum is over the bound, which is never.

use rustsat::types::Lit;

use super::leaf::{TreeInputs, define, enforce};
use super::odd_even;
use super::sums::{MinimalPairs, Work, sumset};
use crate::pb::prepared::ClauseTemplate;
use crate::sink::ClauseSink;

/// A node of a tree; children come before their parents, and the last node is the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::pb) enum TreeNode {
    /// A group of inputs.
    Group(u32),
    /// The sum of two nodes.
    Sum(u32, u32),
}

/// A tree whose leaves are `groups`, in this order, halved and halved again.
pub(super) fn balanced(groups: &[u32]) -> Vec<TreeNode> {
    fn halve(groups: &[u32], nodes: &mut Vec<TreeNode>) -> u32 {
        let node = match *groups {
            [group] => TreeNode::Group(group),
            _ => {
                let (left, right) = groups.split_at(groups.len() / 2);
                let left = halve(left, nodes);
                TreeNode::Sum(left, halve(right, nodes))
            }
        };
        nodes.push(node);
        nodes.len() as u32 - 1
    }
    let mut nodes = Vec::with_capacity(2 * groups.len());
    halve(groups, &mut nodes);
    nodes
}

/// A tree that adds `groups` one after the other.
pub(in crate::pb) fn chain(groups: &[u32]) -> Vec<TreeNode> {
    let mut nodes = Vec::with_capacity(2 * groups.len());
    for &group in groups {
        let before = nodes.len() as u32;
        nodes.push(TreeNode::Group(group));
        if before > 0 {
            nodes.push(TreeNode::Sum(before - 1, before));
        }
    }
    nodes
}

/// The clauses of a tree, as far as there is a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TreeStyle {
    /// A sum over the bound makes true one variable that all nodes share, which must not be.
    Shared,
    /// A sum over the bound is forbidden at its node.
    Forbidden,
    /// As `Forbidden`, and sums without gaps are merged as in sorting networks where that is smaller.
    Smallest,
}

/// The most sums and clauses of a tree, and the steps of planning it.
#[derive(Clone, Copy, Debug)]
pub(in crate::pb) struct Budget {
    pub(super) clauses: u64,
    pub(super) work: Work,
}

impl Budget {
    /// A budget of `clauses` clauses, as many sums at all nodes together, and eight steps of planning for each.
    pub(in crate::pb) const fn new(clauses: usize) -> Self {
        Self { clauses: clauses as u64, work: Work::new((clauses as u64).saturating_mul(8)) }
    }
}

/// Writes to `template` that `side` is kept; `None` when that is over the budget.
pub(super) fn bound_above(
    template: &mut ClauseTemplate,
    side: &TreeInputs,
    nodes: &[TreeNode],
    style: TreeStyle,
    budget: &mut Budget,
) -> Option<()> {
    let tree = SumTree::plan(side, nodes, budget)?;
    tree.write(template, style, budget)
}

/// The sums of all nodes, and which of them are needed as outputs.
struct SumTree<'a> {
    side: &'a TreeInputs,
    nodes: &'a [TreeNode],
    /// A sum that is over the bound, as all above it are.
    over: u64,
    /// For each node, ascending from 0; none for the root.
    sums: Vec<Vec<u64>>,
    /// True for sums that are outputs.
    wanted: Vec<Vec<bool>>,
    pairs: SumPairs,
}

/// The pairs of sums of two children that just reach an output of their parent.
#[derive(Default)]
struct SumPairs {
    all: Vec<(u32, u32)>,
    /// The end of each output's, those of a node one after the other.
    ends: Vec<usize>,
    /// For each node the place of its first output.
    first: Vec<usize>,
}

impl SumPairs {
    /// The pairs that reach an output, by its number among those of its node; the root has one.
    fn of(&self, node: usize, output: usize) -> &[(u32, u32)] {
        let at = self.first[node] + output;
        &self.all[at.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[at]]
    }
}

impl<'a> SumTree<'a> {
    fn plan(side: &'a TreeInputs, nodes: &'a [TreeNode], budget: &mut Budget) -> Option<Self> {
        let over = side.bound + 1;
        let (_, below) = nodes.split_last()?;
        let mut stored = 0;
        let mut sums: Vec<Vec<u64>> = Vec::with_capacity(nodes.len());
        for node in below {
            let all = match *node {
                TreeNode::Group(group) => side.sums(group as usize, over),
                TreeNode::Sum(a, b) => sumset(&sums[a as usize], &sums[b as usize], over, &mut budget.work)?,
            };
            stored += all.len() as u64;
            sums.push(all);
            if stored > budget.clauses {
                return None;
            }
        }
        let mut wanted: Vec<Vec<bool>> = sums.iter().map(|sums| vec![false; sums.len()]).collect();
        let mut pairs = SumPairs { first: vec![0; nodes.len()], ..SumPairs::default() };
        let mut minimal = MinimalPairs::default();
        for (at, node) in nodes.iter().enumerate().rev() {
            let TreeNode::Sum(a, b) = *node else { continue };
            let [a, b] = [a, b].map(|child| child as usize);
            pairs.first[at] = pairs.ends.len();
            let numbers = if at == below.len() { 1 } else { sums[at].len() };
            minimal.begin(&sums[a], &sums[b], wanted.get(at).map_or(1, |wanted| count(wanted)));
            for index in 0..numbers {
                let least = match wanted.get(at) {
                    None => over,
                    Some(wanted) if wanted[index] => sums[at][index],
                    Some(_) => continue,
                };
                let start = pairs.all.len();
                minimal.push(&sums[a], &sums[b], least, &mut pairs.all);
                budget.work.step((pairs.all.len() - start) as u64 + 1)?;
                for &(i, k) in &pairs.all[start..] {
                    wanted[a][i as usize] |= i > 0;
                    wanted[b][k as usize] |= k > 0;
                }
                pairs.ends.push(pairs.all.len());
            }
        }
        Some(Self { side, nodes, over, sums, wanted, pairs })
    }

    /// Writes all nodes, the root last.
    fn write(&self, template: &mut ClauseTemplate, style: TreeStyle, budget: &Budget) -> Option<()> {
        let exceeds = |sums: &Vec<u64>| sums.last() == Some(&self.over);
        let over = match style {
            TreeStyle::Forbidden | TreeStyle::Smallest => None,
            // The leaves of one literal that is over the bound are no use of a shared variable.
            TreeStyle::Shared => {
                let sums = self.nodes.iter().zip(&self.sums);
                let mut inner = sums.filter(|(node, sums)| matches!(node, TreeNode::Sum(..)) && exceeds(sums));
                inner.next().map(|_| template.new_lit())
            }
        };
        if let Some(over) = over {
            enforce(template, &[!over]);
        }
        // The outputs of nodes whose parents are not written, beside their sums.
        let mut outputs: Vec<Vec<Lit>> = Vec::with_capacity(self.nodes.len());
        for (at, node) in self.nodes.iter().enumerate() {
            let own = match *node {
                TreeNode::Group(group) => self.group(at, group as usize, template),
                TreeNode::Sum(a, b) => {
                    let children = [a, b].map(|child| std::mem::take(&mut outputs[child as usize]));
                    self.sum(at, [a as usize, b as usize], &children, over, style, template)
                }
            };
            outputs.push(own);
            if template.n_clauses() > budget.clauses {
                return None;
            }
        }
        Some(())
    }

    fn group(&self, at: usize, group: usize, template: &mut ClauseTemplate) -> Vec<Lit> {
        let Some(sums) = self.sums.get(at) else {
            // One group alone: front doors leave none.
            self.side.reached(group, &[self.over], template).into_iter().for_each(|lit| enforce(template, &[!lit]));
            return Vec::new();
        };
        let wanted: Vec<u64> =
            sums.iter().zip(&self.wanted[at]).filter(|&(_, &wanted)| wanted).map(|(&sum, _)| sum).collect();
        let reached = self.side.reached(group, &wanted, template);
        beside(&self.wanted[at], reached)
    }

    /// Writes a sum of two nodes; the root has no outputs.
    fn sum(
        &self,
        at: usize,
        children: [usize; 2],
        literals: &[Vec<Lit>; 2],
        over: Option<Lit>,
        style: TreeStyle,
        template: &mut ClauseTemplate,
    ) -> Vec<Lit> {
        if style == TreeStyle::Smallest
            && let Some(outputs) = self.sorted(at, children, literals, template)
        {
            return outputs;
        }
        let merge = self.merge(children);
        let [left, right] = literals;
        let premise = |(i, k): (u32, u32)| [(i > 0).then(|| !left[i as usize]), (k > 0).then(|| !right[k as usize])];
        let Some(sums) = self.sums.get(at) else {
            merge.over(self.pairs.of(at, 0), |pair| push(template, premise(pair), None));
            return Vec::new();
        };
        let wanted = &self.wanted[at];
        let numbers = sums.iter().zip(wanted).filter(|&(&sum, &wanted)| wanted && sum < self.over);
        let numbers: Vec<u64> = numbers.map(|(&sum, _)| sum).collect();
        let mut reached: Vec<Lit> = numbers.iter().map(|_| template.new_lit()).collect();
        for (index, &head) in reached.iter().enumerate() {
            let next = numbers.get(index + 1).copied().unwrap_or(self.over);
            let linked = merge.output(self.pairs.of(at, index), next, |pair| push(template, premise(pair), Some(head)));
            if linked {
                define(template, &[!reached[index + 1], head]);
            }
        }
        if wanted.last() == Some(&true) && sums.last() == Some(&self.over) {
            merge.over(self.pairs.of(at, numbers.len()), |pair| push(template, premise(pair), over));
            reached.extend(over);
        }
        beside(wanted, reached)
    }
}

/// A merge of two nodes: which clauses their sum has. The tree writes them, and the search for a tree counts them.
pub(super) struct NodeMerge<'m> {
    /// The sums of both, ascending from 0.
    pub(super) sums: [&'m [u64]; 2],
    /// True for a node that is itself a sum of nodes, where sums over the bound are forbidden.
    pub(super) inner: [bool; 2],
    pub(super) over: u64,
}

/// The places of a [`NodeMerge`] without gaps.
pub(super) struct Sorted {
    /// True for those that are needed.
    pub(super) places: Vec<bool>,
    /// Variables + clauses of a sorting network, if these are fewer than those of the pairs.
    pub(super) price: Option<u64>,
}

impl<'m> NodeMerge<'m> {
    /// The sums that have literals: one over the bound that is forbidden has none.
    fn below(&self) -> [&'m [u64]; 2] {
        [0, 1].map(|side| {
            let sums = self.sums[side];
            let cut = self.inner[side] && sums.last() == Some(&self.over);
            if cut { &sums[..sums.len() - 1] } else { sums }
        })
    }

    /// The merge as sorting networks do it; none where there are gaps.
    pub(super) fn sorted(&self, wanted: impl Iterator<Item = u64>) -> Option<Sorted> {
        let [a, b] = self.below();
        let places = odd_even::places(a, b, wanted)?;
        let (p, q) = (a.len() - 1, b.len() - 1);
        let price = odd_even::price(p, q, &places);
        let price = (price < odd_even::direct_price(p, q, &places)).then_some(price);
        Some(Sorted { places, price })
    }

    /// Calls `clause` for each clause that makes an output true, of the pairs that reach it; `next` is the output
    /// above, or the bound where there is none. True if one more clause says that the output above implies this one.
    pub(super) fn output(&self, pairs: &[(u32, u32)], next: u64, mut clause: impl FnMut((u32, u32))) -> bool {
        let [a, b] = self.sums;
        let together = |&(i, k): &(u32, u32)| a[i as usize].saturating_add(b[k as usize]);
        let linked = pairs.iter().filter(|pair| (next..self.over).contains(&together(pair))).count() > 1;
        let end = if linked { next } else { self.over };
        pairs.iter().filter(|pair| together(pair) < end).for_each(|&pair| clause(pair));
        linked
    }

    /// Calls `clause` for each clause that forbids what is over the bound. A node that is over it alone has said so.
    pub(super) fn over(&self, pairs: &[(u32, u32)], mut clause: impl FnMut((u32, u32))) {
        let alone = |side: usize, at: u32| self.inner[side] && self.sums[side][at as usize] == self.over;
        let said = |&(i, k): &(u32, u32)| k == 0 && alone(0, i) || i == 0 && alone(1, k);
        pairs.iter().filter(|pair| !said(pair)).for_each(|&pair| clause(pair));
    }
}

impl SumTree<'_> {
    fn merge(&self, children: [usize; 2]) -> NodeMerge<'_> {
        NodeMerge {
            sums: children.map(|child| &self.sums[child][..]),
            inner: children.map(|child| matches!(self.nodes[child], TreeNode::Sum(..))),
            over: self.over,
        }
    }

    /// Writes a sum of two nodes without gaps as a sorting network does, if that is smaller.
    fn sorted(
        &self,
        at: usize,
        children: [usize; 2],
        literals: &[Vec<Lit>; 2],
        template: &mut ClauseTemplate,
    ) -> Option<Vec<Lit>> {
        let sums = self.sums.get(at)?;
        if !children.iter().all(|&child| self.wanted[child][1..].iter().all(|&wanted| wanted)) {
            return None;
        }
        let wanted = || sums.iter().zip(&self.wanted[at]).filter(|&(_, &wanted)| wanted).map(|(&sum, _)| sum);
        let merge = self.merge(children);
        let Sorted { places, price } = merge.sorted(wanted())?;
        price?;
        let [p, q] = merge.below().map(|sums| sums.len() - 1);
        let [a, b] = [&literals[0][1..=p], &literals[1][1..=q]];
        let merged = odd_even::merge(template, a, b, &places);
        if wanted().next_back() == Some(self.over) {
            let last = places.iter().rposition(|&wanted| wanted).and_then(|last| merged[last]);
            last.into_iter().for_each(|last| enforce(template, &[!last]));
        }
        Some(beside(&self.wanted[at], merged.into_iter().flatten().collect()))
    }
}

/// The number of outputs.
fn count(wanted: &[bool]) -> usize {
    wanted.iter().filter(|&&wanted| wanted).count()
}

/// Adds that what some literals say together makes another true, or that it must not be.
#[inline]
fn push(template: &mut ClauseTemplate, premise: [Option<Lit>; 2], head: Option<Lit>) {
    match (premise, head) {
        ([Some(one), Some(other)], Some(head)) => define(template, &[one, other, head]),
        ([Some(one), None] | [None, Some(one)], Some(head)) => define(template, &[one, head]),
        ([None, None], Some(head)) => define(template, &[head]),
        ([Some(one), Some(other)], None) => enforce(template, &[one, other]),
        ([Some(one), None] | [None, Some(one)], None) => enforce(template, &[one]),
        ([None, None], None) => enforce(template, &[]),
    }
}

/// A literal beside each sum that is wanted, and some literal beside the others.
fn beside(wanted: &[bool], reached: Vec<Lit>) -> Vec<Lit> {
    let mut reached = reached.into_iter();
    let none = Lit::positive(0);
    wanted.iter().map(|&wanted| if wanted { reached.next().unwrap_or(none) } else { none }).collect()
}
