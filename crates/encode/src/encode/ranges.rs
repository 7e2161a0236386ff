//! [`ReifiedRange`]: a reified count as a range of sums, tied to the outputs of a counter.

use rustsat::types::Lit;

use crate::relation::Relation;
use crate::size::Size;
use crate::writer::{Full, Writer};

/// The range of a reified count: `r` is true if and only if at least `least` and at most `most` literals are. Of n
/// literals, the least is at least 1 or the most below n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReifiedRange {
    /// The literal that is true if and only if the count is in the range.
    pub r: Lit,
    /// The least sum.
    pub least: usize,
    /// The greatest sum.
    pub most: usize,
}

impl ReifiedRange {
    /// The range of a relation of `n` literals.
    #[must_use]
    pub fn of(r: Lit, relation: Relation, n: usize) -> Self {
        Self { r, least: relation.least().unwrap_or(0), most: relation.most().unwrap_or(n) }
    }

    /// The first and the last of the literals *at least j of n* that say the range.
    #[must_use]
    pub const fn outputs(&self, n: usize) -> (usize, usize) {
        let first = if self.least > 0 { self.least } else { self.most + 1 };
        (first, if self.most < n { self.most + 1 } else { self.least })
    }

    /// The first and the last of the literals that several ranges need; `None` where there are no ranges.
    pub(crate) fn span(ranges: &[Self], n: usize) -> Option<(usize, usize)> {
        let outputs = ranges.iter().map(|range| range.outputs(n));
        outputs.reduce(|(first, last), (start, end)| (first.min(start), last.max(end)))
    }

    /// The size of what ties `r` to these literals.
    #[must_use]
    pub fn tie_size(&self, n: usize) -> Size {
        let (first, last) = self.outputs(n);
        Size::clauses(2, 2) + if first < last { Size::clause(3) } else { Size::ZERO }
    }

    /// Ties `r` to the literals *at least j of n*.
    pub(super) fn tie(&self, n: usize, at_least: impl Fn(usize) -> Lit, to: &mut Writer<'_>) -> Result<(), Full> {
        let (first, last) = self.outputs(n);
        let (lower, upper) = (at_least(first), at_least(last));
        let r = if self.least > 0 { self.r } else { !self.r };
        to.clause(&[!r, lower])?;
        if first == last {
            return to.clause(&[r, !lower]);
        }
        to.clause(&[!r, !upper])?;
        to.clause(&[r, !lower, upper])
    }
}
