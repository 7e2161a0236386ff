//! [`LeafSum`]: a variable that one equation defines, and nothing else has, is no part of the search.
//!
//! Where an equation has the variable once, as what the rest adds up to, and the variable may have each of these sums,
//! every solution of the other constraints has one value for it. So neither the equation nor the variable is encoded,
//! and its value is computed from a solution. MiniZinc's objectives are of this kind. Bounds of a variable that stands
//! for a sum of two are comparisons of these.

use std::borrow::Cow;
use std::sync::Arc;

use super::PostedConstraint;
use super::constraint::Compare;
use super::node::ConstraintNode;
use super::rule::Linear;
use super::variables::{Domain, Domains, IntVar};
use super::writer::Needs;

/// A variable as a sum of multiples of others.
#[derive(Debug)]
pub(super) struct LeafSum {
    index: usize,
    terms: Vec<(IntVar, i64)>,
    constant: i64,
}

impl LeafSum {
    /// The value of the variable where the others have theirs goes to its place.
    pub(super) fn complete(&self, values: &mut [i64]) {
        let sum: i64 = self.terms.iter().map(|&(var, factor)| factor * values[var.index as usize]).sum();
        values[self.index] = self.constant + sum; // no sum is beyond 2⁶¹
    }

    /// Comparisons of two variables that keep the sum within the domain, none where it is; `None` where it takes more.
    fn limits(&self, own: &Domain, domains: &Domains) -> Option<Vec<Linear>> {
        let (mut least, mut greatest) = (i128::from(self.constant), i128::from(self.constant));
        for &(var, factor) in &self.terms {
            let (min, max) = domains.of(var).bounds();
            let ends = [min, max].map(|end| i128::from(factor) * i128::from(end));
            least += ends[0].min(ends[1]);
            greatest += ends[0].max(ends[1]);
        }
        let (min, max) = own.bounds();
        let mut limits = Vec::new();
        if i128::from(max) < greatest {
            limits.push(Linear { terms: self.terms.clone(), compare: Compare::AtMost, bound: max - self.constant });
        }
        if least < i128::from(min) {
            let terms = self.terms.iter().map(|&(var, factor)| (var, -factor)).collect();
            limits.push(Linear { terms, compare: Compare::AtMost, bound: self.constant - min });
        }
        let takes_few = limits.is_empty() || self.terms.len() <= 2;
        (own.ranges().count() == 1 && takes_few).then_some(limits)
    }
}

/// The constraints, with what only defines a leaf left out, and the leaves, each before those that it is made of.
/// Variables that are `used` in another way are none.
pub(super) fn without_leaves<'a>(
    posted: Cow<'a, [PostedConstraint]>,
    domains: &Domains,
    mut used: Needs,
) -> (Cow<'a, [PostedConstraint]>, Vec<LeafSum>) {
    let equations: Vec<Option<(Vec<(IntVar, i64)>, i64)>> =
        posted.iter().map(|posted| equation(&posted.node)).collect();
    if equations.iter().all(Option::is_none) {
        return (posted, Vec::new());
    }
    let (mut posted, mut leaves) = (posted.into_owned(), Vec::new());
    let mut uses = vec![0_u32; domains.len()];
    for (posted, equation) in posted.iter().zip(&equations) {
        match equation {
            Some((terms, _)) => terms.iter().for_each(|(var, _)| uses[var.index as usize] += 1),
            None => posted.node.needs(domains, &mut used),
        }
    }
    let is_used = used.by_variable();
    // What is made of others is made after them.
    for (posted, equation) in posted.iter_mut().zip(equations).rev() {
        let Some((terms, bound)) = equation else { continue };
        let leaf = terms.iter().find_map(|&(var, factor)| {
            let index = var.index as usize;
            let lone = !is_used[index] && uses[index] == 1 && factor.abs() == 1;
            let rest = terms.iter().filter(|other| other.0.index != var.index);
            let terms = rest.map(|&(var, other)| (var, -factor * other)).collect();
            lone.then_some(LeafSum { index, terms, constant: factor * bound })
                .and_then(|leaf| leaf.limits(domains.of(var), domains).map(|limits| (leaf, limits)))
        });
        let Some((leaf, limits)) = leaf else { continue };
        if limits.is_empty() {
            leaf.terms.iter().for_each(|(var, _)| uses[var.index as usize] -= 1);
        }
        let limits = limits.into_iter().map(|limit| ConstraintNode::Rule(Arc::new(limit)));
        posted.node = ConstraintNode::All(limits.collect());
        leaves.push(leaf);
    }
    (Cow::Owned(posted), leaves)
}

/// The sum and the number that it is, of an equation.
pub(super) fn equation(node: &ConstraintNode) -> Option<(Vec<(IntVar, i64)>, i64)> {
    let ConstraintNode::Rule(rule) = node else { return None };
    let [sum, negated] = <[_; 2]>::try_from(rule.rows()).ok()?;
    (negated.1 == -sum.1).then_some(sum)
}

#[cfg(test)]
mod tests {
    use crate::encoded::Want;
    use crate::{IntVar, Model, any, sum};

    /// The leaves of a model with x, of 0 to 3 each, and y and z up to so much.
    fn leaves(most: i64, post: impl Fn(&mut Model, &[IntVar], IntVar, IntVar)) -> (Model, usize, IntVar, IntVar) {
        let mut model = Model::new();
        let x = model.ints(4, 0..=3);
        let [y, z] = [0, 1].map(|_| model.int(0..=most));
        model.post(x[0].ne(x[1]));
        post(&mut model, &x, y, z);
        let n = model.encoded(Want::Solution, &model.asking.start()).unwrap().leaves();
        (model, n, y, z)
    }

    /// A bound of a difference is a comparison.
    #[test]
    fn bounds_of_a_difference_are_kept() {
        let mut model = Model::new();
        let [x, y] = [0, 1].map(|_| model.int(0..=9));
        let difference = model.int(-2..=3);
        model.post(difference.eq(x - y));
        model.post(x.ne(4));
        assert_eq!(model.encoded(Want::Solution, &model.asking.start()).unwrap().leaves(), 1);
        let best = model.maximum(5 * x - 4 * y).unwrap().unwrap();
        assert_eq!((best.value, best.solution.value(difference)), (5 * 9 - 4 * 6, 3));
        let best = model.minimum(5 * x - 6 * y).unwrap().unwrap();
        assert_eq!((best.value, best.solution.value(difference)), (5 * 7 - 6 * 9, -2));
        for (pairs, is_one) in [([(9, 5), (1, 4)], false), ([(9, 5), (1, 3)], true), ([(9, 6), (1, 4)], true)] {
            let mut model = model.clone();
            model.post(any(pairs.map(|(own, other)| x.eq(own).and(y.eq(other)))));
            assert_eq!(model.solve().unwrap().is_some(), is_one, "{pairs:?}");
        }
    }

    #[test]
    fn what_one_equation_alone_defines_is_computed() {
        let chain = |model: &mut Model, x: &[IntVar], y: IntVar, z: IntVar| {
            model.post(y.eq(sum(x)));
            model.post((z - y).eq(x[0] + x[1]));
        };
        let (model, n, y, z) = leaves(99, chain);
        assert_eq!(n, 2);
        let solution = model.solve().unwrap().unwrap();
        let [value, more] = [y, z].map(|var| solution.value(var));
        assert!(value <= 12 && (value + 1..=value + 5).contains(&more), "{value} {more}");
        let best = model.maximum(z).unwrap().unwrap();
        assert_eq!((best.value, best.is_optimal, best.solution.value(y)), (11 + 5, true, 11));
        assert_eq!(model.count(1_000).unwrap(), 12 * 16);

        // What z may not reach is no longer left to it, nor what something else says of it.
        assert_eq!(leaves(17, chain).1, 0);
        let alone = |model: &mut Model, x: &[IntVar], y: IntVar, _: IntVar| model.post(y.eq(sum(x)));
        assert_eq!([12, 11].map(|most| leaves(most, alone).1), [1, 0]);
        let told = |model: &mut Model, x: &[IntVar], y: IntVar, z: IntVar| {
            chain(model, x, y, z);
            model.post(z.ne(7));
        };
        assert_eq!(leaves(99, told).1, 0);
        let literal = |model: &mut Model, x: &[IntVar], y: IntVar, z: IntVar| {
            chain(model, x, y, z);
            model.lit(z.is(7));
        };
        assert_eq!(leaves(99, literal).1, 0);
        let hinted = |model: &mut Model, x: &[IntVar], y: IntVar, z: IntVar| {
            chain(model, x, y, z);
            model.set_hint(z, 7);
        };
        assert_eq!(leaves(99, hinted).1, 0);
        let doubled = |model: &mut Model, x: &[IntVar], _: IntVar, z: IntVar| model.post((2 * z).eq(sum(x)));
        assert_eq!(leaves(99, doubled).1, 0);
    }
}
