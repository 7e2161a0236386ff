//! A tree of sums that are *exactly* a bound at its root: one structure for both sides.
//!
//! A node keeps only those of its sums that some choice of the other groups completes to the bound, its *values*. An
//! output says *the sum is at least this value*, and its negation that it is at most the value before. Both follow: the
//! output from pairs of outputs of the two children that together are more than the value before; its negation from
//! pairs that are less than the value. So a sum between two values, which nothing completes, makes an output true and
//! false at once, and is excluded on the way, not only at the root.
//!
//! Whatever the inputs are, an output may be *the values of the children together are at least this value*; a group's
//! value is that of its heaviest true literal, should there be several. Clauses that this choice satisfies define. The
//! others enforce: they exclude a sum between two values, one beyond the first or the last, or two values of a group.

use rustsat::types::Lit;

use super::leaf::{define, enforce};
use super::sums::{maximal_pairs, minimal_pairs, sumset};
use super::tree::{Budget, TreeNode};
use crate::constraint::Terms;
use crate::pb::prepared::ClauseTemplate;
use crate::sink::ClauseSink;
use crate::sort;

/// Writes to `template` that the sum is exactly `bound`; `None` when that is over the budget.
pub(in crate::pb) fn exactly(
    template: &mut ClauseTemplate,
    terms: &Terms<'_>,
    bound: u64,
    nodes: &[TreeNode],
    budget: &mut Budget,
) -> Option<()> {
    let groups: Vec<Vec<(Lit, u64)>> = local_groups(terms);
    let values = values(&groups, bound, nodes, budget)?;
    if values.is_empty() {
        enforce(template, &[]);
        return Some(());
    }
    let mut outputs: Vec<Vec<Lit>> = Vec::with_capacity(nodes.len());
    for (at, node) in nodes.iter().enumerate() {
        let own = match *node {
            TreeNode::Group(group) => leaf(template, &groups[group as usize], &values[at]),
            TreeNode::Sum(a, b) => {
                let [a, b] = [a, b].map(|child| child as usize);
                let children = [a, b].map(|child| ExactOutputs { values: &values[child], lits: &outputs[child] });
                sum(template, children, &values[at])
            }
        };
        outputs.push(own);
        if template.n_clauses() > budget.clauses {
            return None;
        }
    }
    Some(())
}

/// The groups with the literals of a template, in each the lightest first.
fn local_groups(terms: &Terms<'_>) -> Vec<Vec<(Lit, u64)>> {
    let mut at = 0;
    let groups = terms.groups().map(|group| {
        let mut local: Vec<(Lit, u64)> =
            group.iter().zip(at..).map(|(&(_, weight), at)| (Lit::positive(at), weight)).collect();
        at += group.len() as u32;
        sort::by_key(&mut local, |&(_, weight)| weight);
        local
    });
    groups.collect()
}

/// The values of every node, ascending; the root's is the bound. Empty if no choice of literals has that sum,
/// `None` when that is not found out within the budget.
fn values(groups: &[Vec<(Lit, u64)>], bound: u64, nodes: &[TreeNode], budget: &mut Budget) -> Option<Vec<Vec<u64>>> {
    let mut sums: Vec<Vec<u64>> = Vec::with_capacity(nodes.len());
    let mut stored = 0;
    // Sums over the bound are one number until they are left out.
    let over = bound + 1;
    for (at, node) in nodes.iter().enumerate() {
        let mut all = match *node {
            TreeNode::Group(group) => {
                let mut all = vec![0];
                all.extend(groups[group as usize].iter().map(|&(_, weight)| weight.min(over)));
                all.dedup();
                all
            }
            TreeNode::Sum(..) if at + 1 == nodes.len() => vec![bound],
            TreeNode::Sum(a, b) => sumset(&sums[a as usize], &sums[b as usize], over, &mut budget.work)?,
        };
        all.retain(|&sum| if at + 1 == nodes.len() { sum == bound } else { sum < over });
        if all.is_empty() {
            return Some(Vec::new());
        }
        stored += all.len() as u64;
        sums.push(all);
        if stored > budget.clauses {
            return None;
        }
    }
    for (at, node) in nodes.iter().enumerate().rev() {
        let TreeNode::Sum(a, b) = *node else { continue };
        let [a, b] = [a, b].map(|child| child as usize);
        let mut alive = [vec![false; sums[a].len()], vec![false; sums[b].len()]];
        let (few, many) = if sums[a].len() < sums[b].len() { (a, b) } else { (b, a) };
        for (k, &t) in sums[few].iter().enumerate() {
            budget.work.step((sums[many].len() + sums[at].len()) as u64 / 2 + 1)?;
            // Both lists ascend.
            let mut i = 0;
            for &whole in &sums[at] {
                let Some(s) = whole.checked_sub(t) else { continue };
                while i < sums[many].len() && sums[many][i] < s {
                    i += 1;
                }
                if i < sums[many].len() && sums[many][i] == s {
                    alive[usize::from(few == a)][i] = true;
                    alive[usize::from(few == b)][k] = true;
                }
            }
        }
        for (child, alive) in [a, b].into_iter().zip(alive) {
            let mut alive = alive.into_iter();
            sums[child].retain(|_| alive.next() == Some(true));
            if sums[child].is_empty() {
                return Some(Vec::new());
            }
        }
    }
    Some(sums)
}

/// Outputs of a node: literal i says that the sum is at least value i + 1.
#[derive(Clone, Copy)]
struct ExactOutputs<'a> {
    values: &'a [u64],
    lits: &'a [Lit],
}

impl ExactOutputs<'_> {
    /// The negation of *the sum is at least value `at`*, if that says something.
    fn unless_least(self, at: u32) -> Option<Lit> {
        (at > 0).then(|| !self.lits[at as usize - 1])
    }

    /// The negation of *the sum is at most value `at`*, if that says something.
    fn unless_most(self, at: u32) -> Option<Lit> {
        self.lits.get(at as usize).copied()
    }
}

/// Writes a group that adds one of `values`.
fn leaf(template: &mut ClauseTemplate, group: &[(Lit, u64)], values: &[u64]) -> Vec<Lit> {
    for &(lit, _) in group.iter().filter(|(_, weight)| !values.contains(weight)) {
        enforce(template, &[!lit]);
    }
    let of = |value: u64| {
        let first = group.partition_point(|&(_, weight)| weight < value);
        &group[first..group.partition_point(|&(_, weight)| weight <= value)]
    };
    // From the heaviest value down: a literal of that value, or the output above.
    let mut outputs: Vec<Lit> = Vec::with_capacity(values.len());
    let mut clause = Vec::new();
    for &value in values.iter().rev() {
        let own = of(value);
        let above = outputs.last().copied();
        if value == values[0] {
            if let Some(above) = above {
                own.iter().for_each(|&(lit, _)| enforce_apart(template, lit, above));
            }
            if value > 0 {
                clause.clear();
                clause.extend(own.iter().map(|&(lit, _)| lit));
                clause.extend(above);
                enforce(template, &clause);
            }
        } else if let (None, &[(lit, _)]) = (above, own) {
            outputs.push(lit);
        } else {
            let head = template.new_lit();
            if let Some(above) = above {
                own.iter().for_each(|&(lit, _)| enforce_apart(template, lit, above));
                define(template, &[!above, head]);
            }
            own.iter().for_each(|&(lit, _)| define(template, &[!lit, head]));
            clause.clear();
            clause.push(!head);
            clause.extend(own.iter().map(|&(lit, _)| lit));
            clause.extend(above);
            define(template, &clause);
            outputs.push(head);
        }
    }
    outputs.reverse();
    outputs
}

/// A literal of a value excludes the values above. That holds only where the group does, so it is no definition.
fn enforce_apart(template: &mut ClauseTemplate, lit: Lit, above: Lit) {
    enforce(template, &[!lit, !above]);
}

/// Writes the sum of two nodes.
fn sum(template: &mut ClauseTemplate, [a, b]: [ExactOutputs<'_>; 2], values: &[u64]) -> Vec<Lit> {
    let outputs: Vec<Lit> = values[1..].iter().map(|_| template.new_lit()).collect();
    let together = |&(i, k): &(u32, u32)| a.values[i as usize].saturating_add(b.values[k as usize]);
    let (mut up, mut down) = (Vec::new(), Vec::new());
    let mut clause = Vec::new();
    let write = |template: &mut ClauseTemplate, clause: &[Lit], defines| {
        if defines { define(template, clause) } else { enforce(template, clause) }
    };
    let (first, last) = (values[0], values[values.len() - 1]);
    // Beyond the first and the last value.
    minimal_pairs(a.values, b.values, last + 1, &mut up);
    for &(i, k) in &up {
        clause.clear();
        clause.extend(a.unless_least(i).into_iter().chain(b.unless_least(k)));
        write(template, &clause, false);
    }
    maximal_pairs(a.values, b.values, first, &mut down);
    for &(i, k) in &down {
        clause.clear();
        clause.extend(a.unless_most(i).into_iter().chain(b.unless_most(k)));
        write(template, &clause, false);
    }
    // Each output from above, whose pairs are known from the step before, and each from below.
    let mut linked_below = false;
    for (index, (&output, pair)) in outputs.iter().zip(values.windows(2)).enumerate() {
        let (before, value) = (pair[0], pair[1]);
        let next = values.get(index + 2).copied();
        minimal_pairs(a.values, b.values, before + 1, &mut up);
        maximal_pairs(a.values, b.values, value, &mut down);
        // Pairs of this output that the next one has, and pairs of the next that this one has.
        let linked = next.is_some_and(|next| {
            let beyond = up.iter().filter(|pair| (value + 1..=last).contains(&together(pair))).count();
            let mut after = Vec::new();
            maximal_pairs(a.values, b.values, next, &mut after);
            beyond + after.iter().filter(|pair| (first..value).contains(&together(pair))).count() > 1
        });
        for &(i, k) in &up {
            let sum = together(&(i, k));
            if sum > last || linked && sum > value {
                continue;
            }
            clause.clear();
            clause.extend(a.unless_least(i).into_iter().chain(b.unless_least(k)));
            clause.push(output);
            write(template, &clause, sum >= value);
        }
        for &(i, k) in &down {
            let sum = together(&(i, k));
            if sum < first || linked_below && sum < before {
                continue;
            }
            clause.clear();
            clause.extend(a.unless_most(i).into_iter().chain(b.unless_most(k)));
            clause.push(!output);
            write(template, &clause, true);
        }
        if linked {
            define(template, &[!outputs[index + 1], output]);
        }
        linked_below = linked;
    }
    outputs
}
