//! [`Nested`]: halves that an auxiliary connects; and the trees of pairwise groups that [`Optimal`](crate::Optimal)
//! shares.

use rustsat::types::Lit;

use super::pairwise;
use crate::encode::Amo;
use crate::size::Size;
use crate::writer::{Full, Writer};

/// Splits the inputs in two, again and again: an auxiliary stands for the right half in the left one.
///
/// | | |
/// |---|---|
/// | auxiliaries | ⌈n/2⌉ − 2 (none for n ≤ 4) |
/// | clauses | 3n − 6 (one for n = 2), of two literals each |
/// | strength | generalised arc consistent |
/// | direction | inputs → auxiliaries upwards; an auxiliary may be true without an input |
/// | under a condition | about half of the clauses are guarded |
///
/// At most one of L ∪ R is at most one of L ∪ {y}, and at most one of R with `r → y` for every r in R; groups of four
/// are pairwise. The split is balanced, so that the auxiliaries form a tree of logarithmic depth. It is known from
/// `LogicNG` and `PBLib` as the nested encoding, and has here the fewest auxiliaries that 3n − 6 clauses allow. It is
/// the smallest encoding up to n ≈ 24, and one of the best for solvers; beyond n ≈ 100 [`Optimal`](crate::Optimal)
/// saves a quarter of the clauses.
///
/// ```
/// use cnfkit::{AtMostOne, Nested, Size};
/// assert_eq!(Nested.amo_size(9), Size { vars: 3, clauses: 21, lits: 42 });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Nested;

/// Groups of at most four, as few as possible.
fn leaves(n: usize) -> usize {
    n.saturating_sub(2).div_ceil(2).max(1)
}

impl Amo for Nested {
    fn encode(&self, to: &mut Writer<'_>, lits: &[Lit]) -> Result<(), Full> {
        tree(to, lits, None, None, leaves(lits.len()))
    }

    fn size(&self, n: usize) -> Size {
        let inputs = n as u64;
        Size::variables(leaves(n) as u64 - 1)
            + Size::clauses(inputs.saturating_mul(3).saturating_sub(6).max(inputs.saturating_sub(1)), 2)
    }

    crate::encode::named!("nested");
}

/// The number of places that `leaves` pairwise groups have together: one for each of `n`, two for each link.
const fn places(n: usize, leaves: usize) -> usize {
    n + 2 * (leaves - 1)
}

/// The size of [`tree`] for `n` literals, `out` among them, in `leaves` groups.
pub(super) fn tree_size(n: usize, leaves: usize) -> Size {
    let places = places(n, leaves);
    let (least, larger) = (places / leaves, places % leaves);
    pairwise::size(least + 1) * larger as u64
        + pairwise::size(least) * (leaves - larger) as u64
        + Size::variables(leaves as u64 - 1)
}

/// At most one of `lits` and `extra`, in `leaves` pairwise groups of almost equal size that auxiliaries connect to a
/// balanced tree; any of them implies `out`.
///
/// Every defining clause has exactly one literal that is not a negated input or auxiliary, every enforcing clause none:
/// unit propagation finds every contradiction, also when the enforcing clauses are under a condition.
pub(super) fn tree(
    to: &mut Writer<'_>,
    lits: &[Lit],
    extra: Option<Lit>,
    out: Option<Lit>,
    leaves: usize,
) -> Result<(), Full> {
    if leaves <= 1 {
        return pairwise::group(to, lits, extra, out);
    }
    // The first `larger` leaves have a place more. The left half keeps a place for the link and one for `out`.
    let n = lits.len() + usize::from(extra.is_some()) + usize::from(out.is_some());
    let places = places(n, leaves);
    let half = leaves / 2;
    let left_places = places / leaves * half + half.min(places % leaves);
    let kept = left_places - 2 * (half - 1) - 1 - usize::from(out.is_some());
    let (left, right) = lits.split_at(kept);
    let link = to.lit();
    tree(to, right, extra, Some(link), leaves - half)?;
    tree(to, left, Some(link), out, half)
}

#[cfg(test)]
crate::testing::amo_suite!(suite: Nested, Gac);
