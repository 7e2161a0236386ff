//! Many independent parts and the total of their traps.
//!
//! Each part contributes an amount out of a set (or with weights). The set (or weights) of all sums is a product, made
//! pairwise as in a tournament: a tree. Going down the same tree gives, for each part, what all *others* together leave
//! it when the total is fixed: at each node the amounts its subtree may have, from those of its parent and the product
//! of its sibling. That costs as much as going up, and needs no division, which would not be stable.
//!
//! Parts with equal sets (or weights) are one leaf, a power: on large boards there are a hundred thousand parts and
//! some hundreds of leaves.

/// The contribution of parts: a set of amounts, or a weight for each.
pub(crate) trait PartSum: Clone {
    /// The contribution of two parts together.
    fn plus(&self, other: &Self) -> Self;
    /// The amounts in `of` that the second of two parts may have, if both together may have `self`, and the first
    /// contributes `other`.
    fn minus(&self, other: &Self, of: &Self) -> Self;
}

/// The contribution of `n` equal parts together; n ≥ 1.
pub(crate) fn power<T: PartSum>(one: &T, n: usize) -> T {
    let mut all: Option<T> = None;
    for bit in (0..=n.ilog2()).rev() {
        all = all.map(|half| half.plus(&half));
        if n >> bit & 1 == 1 {
            all = Some(all.map_or_else(|| one.clone(), |all| all.plus(one)));
        }
    }
    all.unwrap_or_else(|| one.clone())
}

/// Products over the leaves, pairwise, level by level up to one.
#[derive(Clone, Debug)]
pub(crate) struct ProductTree<T> {
    levels: Vec<Vec<T>>,
}

impl<T: PartSum> ProductTree<T> {
    /// A tree of at least one leaf.
    pub(crate) fn new(leaves: Vec<T>) -> Self {
        let mut levels = vec![leaves];
        while let Some(level) = levels.last()
            && level.len() > 1
        {
            let next = level.chunks(2).map(|pair| match pair {
                [left, right] => left.plus(right),
                _ => pair[0].clone(),
            });
            let next = next.collect();
            levels.push(next);
        }
        Self { levels }
    }

    /// The contribution of all parts together.
    pub(crate) fn root(&self) -> &T {
        &self.levels[self.levels.len() - 1][0]
    }

    /// For each leaf what it may have, when all together have `root`.
    pub(crate) fn rests(&self, root: T) -> Vec<T> {
        let mut rests = vec![root];
        for level in self.levels.iter().rev().skip(1) {
            let mut next = Vec::with_capacity(level.len());
            for (pair, rest) in level.chunks(2).zip(rests) {
                match pair {
                    [left, right] => next.extend([rest.minus(right, left), rest.minus(left, right)]),
                    _ => next.push(rest),
                }
            }
            rests = next;
        }
        rests
    }

    /// For each leaf an amount, so that all together make `amount`: `share` divides one amount among two.
    pub(crate) fn shares(&self, amount: usize, mut share: impl FnMut(&T, &T, usize) -> usize) -> Vec<usize> {
        let mut amounts = vec![amount];
        for level in self.levels.iter().rev().skip(1) {
            let mut next = Vec::with_capacity(level.len());
            for (pair, amount) in level.chunks(2).zip(amounts) {
                match pair {
                    [left, right] => {
                        let left = share(left, right, amount);
                        next.extend([left, amount - left]);
                    }
                    _ => next.push(amount),
                }
            }
            amounts = next;
        }
        amounts
    }
}
