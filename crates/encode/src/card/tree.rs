//! The tree that totalizers share: a balanced tree of unary counts, cut to the outputs that matter, and its exact size.

use rustsat::types::Lit;

use crate::size::Size;
use crate::writer::{Full, Writer};

/// The outputs of a node over `n` literals that exist: number `first`, `first` + 1, … Output j says that at least j of
/// them are true.
#[derive(Clone, Copy)]
pub(super) struct NodeOutputs<'a> {
    pub(super) n: usize,
    pub(super) first: usize,
    pub(super) lits: &'a [Lit],
}

impl<'a> NodeOutputs<'a> {
    #[inline]
    fn at(self, j: usize) -> Lit {
        self.lits[j - self.first]
    }

    /// Output j, if there are so many literals.
    #[inline]
    fn get(self, j: usize) -> Option<Lit> {
        if j <= self.n { Some(self.at(j)) } else { None }
    }

    /// Output j − `others`, if it takes more than those.
    #[inline]
    fn beyond(self, others: usize, j: usize) -> Option<Lit> {
        if j > others { Some(self.at(j - others)) } else { None }
    }

    /// Outputs number `from` to `to`; none when `from` > `to`.
    #[inline]
    fn range(self, from: usize, to: usize) -> std::slice::Iter<'a, Lit> {
        if from > to { [].iter() } else { self.lits[from - self.first..=to - self.first].iter() }
    }
}

/// Outputs i of `a` and j − i of `b`, for each i.
#[inline]
fn together<'a>(a: NodeOutputs<'a>, b: NodeOutputs<'a>, j: usize) -> impl Iterator<Item = (&'a Lit, &'a Lit)> {
    let (least, most) = (1.max(j.saturating_sub(b.n)), a.n.min(j - 1));
    a.range(least, most).zip(b.range(j - most, j - least).rev())
}

/// At least j on both sides together makes `head` true: at least i of `a` and at least j − i of `b`, for each i;
/// `alone` includes at least j on one side.
pub(super) fn up(
    to: &mut Writer<'_>,
    a: NodeOutputs,
    b: NodeOutputs,
    j: usize,
    head: Lit,
    alone: bool,
) -> Result<(), Full> {
    if alone {
        if let Some(one) = b.get(j) {
            to.define(&[!one, head])?;
        }
        if let Some(one) = a.get(j) {
            to.define(&[!one, head])?;
        }
    }
    together(a, b, j).try_for_each(|(&a, &b)| to.define(&[!a, !b, head]))
}

/// Fewer than j on both sides together makes `head` false: fewer than i of `a` and fewer than j + 1 − i of `b`, for
/// each i.
pub(super) fn down(to: &mut Writer<'_>, a: NodeOutputs, b: NodeOutputs, j: usize, head: Lit) -> Result<(), Full> {
    if let Some(one) = b.beyond(a.n, j) {
        to.define(&[one, !head])?;
    }
    if let Some(one) = a.beyond(b.n, j) {
        to.define(&[one, !head])?;
    }
    together(a, b, j + 1).try_for_each(|(&a, &b)| to.define(&[a, b, !head]))
}

/// Forbids j on both sides together: [`up`] without a head.
fn forbid_many(to: &mut Writer<'_>, a: NodeOutputs, b: NodeOutputs, j: usize, alone: bool) -> Result<(), Full> {
    if alone {
        [b, a].iter().filter_map(|side| side.get(j)).try_for_each(|one| to.clause(&[!one]))?;
    }
    together(a, b, j).try_for_each(|(&a, &b)| to.clause(&[!a, !b]))
}

/// Forbids fewer than j on both sides together: [`down`] without a head.
fn forbid_few(to: &mut Writer<'_>, a: NodeOutputs, b: NodeOutputs, j: usize) -> Result<(), Full> {
    [(b, a), (a, b)]
        .iter()
        .filter_map(|(side, other)| side.beyond(other.n, j))
        .try_for_each(|one| to.clause(&[one]))?;
    together(a, b, j + 1).try_for_each(|(&a, &b)| to.clause(&[a, b]))
}

/// Numbers of outputs, both ends included.
type Range = (usize, usize);

/// The least and the greatest count that is allowed, as far as there are bounds.
pub(super) type AllowedCounts = (Option<usize>, Option<usize>);

/// The outputs that the root needs, from which those of every node follow.
#[derive(Clone, Copy)]
pub(super) struct TotalizerTree {
    /// All literals.
    pub(super) n: usize,
    /// The root's outputs that the inputs make true.
    pub(super) up: Option<Range>,
    /// The root's outputs that the inputs make false.
    pub(super) down: Option<Range>,
    /// Output j + 1 implies output j.
    pub(super) order: bool,
    /// The outputs of this number, the highest, are one variable that all nodes share: somewhere there are that many.
    pub(super) overflow: Option<usize>,
}

/// A tree under construction.
struct TotalizerBuilder<'a, 'w> {
    tree: TotalizerTree,
    to: &'a mut Writer<'w>,
    /// The outputs of finished nodes whose parent is not finished.
    stack: Vec<Lit>,
    /// The variable behind [`TotalizerTree::overflow`], where some node has that many literals.
    over: Option<Lit>,
}

impl TotalizerTree {
    /// Of the outputs `wanted` at the root, those that a node over `m` literals contributes to.
    #[inline]
    fn part(&self, wanted: Option<Range>, m: usize) -> Option<Range> {
        wanted.map(|(least, most)| (1.max((least + m).saturating_sub(self.n)), m.min(most)))
    }

    /// All outputs of a node over `m` literals. The two directions overlap or adjoin.
    #[inline]
    fn outputs(&self, m: usize) -> Range {
        match (self.part(self.up, m), self.part(self.down, m)) {
            (Some(up), Some(down)) => (up.0.min(down.0), up.1.max(down.1)),
            (Some(range), None) | (None, Some(range)) => range,
            (None, None) => (1, 0),
        }
    }

    /// True if a node over `m` literals has the output that is shared.
    #[inline]
    fn overflows(&self, m: usize) -> bool {
        self.overflow.is_some_and(|count| count <= m)
    }

    /// The counts of all of `lits`, one output for each that is wanted.
    pub(super) fn count(self, to: &mut Writer<'_>, lits: &[Lit]) -> Result<Vec<Lit>, Full> {
        let mut builder = TotalizerBuilder { tree: self, to, stack: Vec::new(), over: None };
        builder.node(lits)?;
        Ok(builder.stack)
    }

    /// Forbids counts below the first and above the second of these, where the root has no outputs.
    pub(super) fn enforce(self, to: &mut Writer<'_>, lits: &[Lit], (least, most): AllowedCounts) -> Result<(), Full> {
        let over = self.overflows(lits.len().div_ceil(2)).then(|| to.lit());
        let mut builder = TotalizerBuilder { tree: self, to, stack: Vec::new(), over };
        let middle = builder.children(lits)?;
        let TotalizerBuilder { to, stack, .. } = builder;
        let (a, b) = self.halves(lits.len(), &stack, middle);
        if let Some(over) = over {
            to.clause(&[!over])?;
        }
        if let Some(most) = most {
            forbid_many(to, a, b, most + 1, over.is_none())?;
        }
        if let Some(least) = least {
            forbid_few(to, a, b, least)?;
        }
        Ok(())
    }

    /// The outputs of the halves of a node over `m` literals, the second of which begin at `middle`.
    #[inline]
    fn halves<'a>(&self, m: usize, stack: &'a [Lit], middle: usize) -> (NodeOutputs<'a>, NodeOutputs<'a>) {
        let (left, right) = stack.split_at(middle);
        let half = |n: usize, lits| NodeOutputs { n, first: self.outputs(n).0, lits };
        (half(m / 2, left), half(m - m / 2, right))
    }

    /// The size of [`count`](Self::count).
    pub(super) fn count_size(&self) -> Size {
        self.node_size(self.n) + self.below()
    }

    /// The size of [`enforce`](Self::enforce).
    pub(super) fn enforce_size(&self, (least, most): AllowedCounts) -> Size {
        let (p, q) = (self.n / 2, self.n - self.n / 2);
        let headless = |size: Size| Size { lits: size.lits - size.clauses, ..size };
        let mut size = self.below();
        if self.overflows(q) {
            size += Size::variables(1) + Size::clause(1);
        }
        if let Some(most) = most {
            size += headless(self.up_size(p, q, (most + 1, most + 1)));
        }
        if let Some(least) = least {
            size += headless(down_size(p, q, (least, least)));
        }
        size
    }

    /// All nodes but the root. On each level they have one of two sizes that differ by one.
    fn below(&self) -> Size {
        let mut total = Size::ZERO;
        let (mut m, mut small, mut large) = (self.n, 1_u64, 0_u64);
        while m > 1 {
            (small, large) = if m % 2 == 0 { (2 * small + large, large) } else { (small, small + 2 * large) };
            m /= 2;
            total += self.node_size(m) * small + self.node_size(m + 1) * large;
        }
        total
    }

    fn node_size(&self, m: usize) -> Size {
        if m < 2 {
            return Size::ZERO;
        }
        let (p, q) = (m / 2, m - m / 2);
        let (first, last) = self.outputs(m);
        let outputs = (last + 1 - first - usize::from(self.overflows(m))) as u64;
        let mut size = Size::variables(outputs);
        if let Some(range) = self.part(self.up, m) {
            size += self.up_size(p, q, range);
        }
        if let Some(range) = self.part(self.down, m) {
            size += down_size(p, q, range);
        }
        if self.order {
            size += Size::clauses(outputs.saturating_sub(1), 2);
        }
        size
    }

    /// [`up_size`] without the clauses that would say that the shared output implies itself.
    fn up_size(&self, p: usize, q: usize, range: Range) -> Size {
        let size = up_size(p, q, range);
        let passed_on = [p, q].into_iter().filter(|&side| self.overflows(side)).count() as u64;
        Size { clauses: size.clauses - passed_on, lits: size.lits - 2 * passed_on, ..size }
    }
}

impl TotalizerBuilder<'_, '_> {
    /// Pushes the outputs of both halves of `lits`; says where the second begin.
    fn children(&mut self, lits: &[Lit]) -> Result<usize, Full> {
        let (left, right) = lits.split_at(lits.len() / 2);
        self.node(left)?;
        let middle = self.stack.len();
        self.node(right)?;
        Ok(middle)
    }

    /// Pushes the outputs of the node over `lits`.
    fn node(&mut self, lits: &[Lit]) -> Result<(), Full> {
        if let &[lit] = lits {
            self.stack.push(lit);
            return Ok(());
        }
        let m = lits.len();
        let start = self.stack.len();
        let middle = self.children(lits)?;
        let Self { tree, to, stack, over } = self;
        let end = stack.len();
        let over = over.filter(|_| tree.overflows(m));
        let (first, last) = tree.outputs(m);
        stack.extend((first..=last - usize::from(over.is_some())).map(|_| to.lit()));
        if tree.order {
            stack[end..].windows(2).try_for_each(|pair| to.define(&[!pair[1], pair[0]]))?;
        }
        stack.extend(over);

        let (children, own) = stack[start..].split_at(end - start);
        let (a, b) = tree.halves(m, children, middle - start);
        if let Some((least, most)) = tree.part(tree.up, m) {
            for j in least..=most {
                up(to, a, b, j, own[j - first], over.is_none() || j < last)?;
            }
        }
        if let Some((least, most)) = tree.part(tree.down, m) {
            (least..=most).try_for_each(|j| down(to, a, b, j, own[j - first]))?;
        }
        stack.drain(start..end);
        Ok(())
    }
}

/// The size of [`up`] for all of `range`, with heads.
pub(super) fn up_size(p: usize, q: usize, (first, last): Range) -> Size {
    let clauses = splits(p, q, last) - splits(p, q, first - 1);
    let one_sided = |side: usize| (last.min(side) + 1).saturating_sub(first) as u64;
    Size { lits: 3 * clauses - one_sided(p) - one_sided(q), ..Size::clauses(clauses, 0) }
}

/// The size of [`down`] for all of `range`, with heads.
pub(super) fn down_size(p: usize, q: usize, (first, last): Range) -> Size {
    let clauses = splits(p, q, last - 1) - if first > 1 { splits(p, q, first - 2) } else { 0 };
    let one_sided = |side: usize| last.saturating_sub(side.max(first - 1)) as u64;
    Size { lits: 3 * clauses - one_sided(p) - one_sided(q), ..Size::clauses(clauses, 0) }
}

/// The number of ways to write a number up to `most` as the sum of one up to `p` and one up to `q`; `most` ≤ `p` + `q`.
pub(super) fn splits(p: usize, q: usize, most: usize) -> u64 {
    let triangle = |n: usize| n as u64 * (n as u64 + 1) / 2;
    let up_to = |side: usize| triangle(side.min(most)) + side as u64 * most.saturating_sub(side) as u64;
    // For each sum: the first part runs from max(0, sum − q) to min(p, sum).
    up_to(p) + most as u64 + 1 - triangle(most.saturating_sub(q))
}
