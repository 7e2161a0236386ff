//! [`Pairwise`]: a clause for every pair; and the groups of pairs that other encodings end in.

use rustsat::types::Lit;

use crate::encode::Amo;
use crate::size::Size;
use crate::writer::{Full, Writer};

/// Every pair forbidden: `¬xᵢ ∨ ¬xⱼ` for i < j.
///
/// | | |
/// |---|---|
/// | auxiliaries | none |
/// | clauses | n(n−1)/2, of two literals each |
/// | strength | generalised arc consistent |
///
/// This is the folklore encoding, also called binomial or naive. It is best for groups of up to about 6 inputs; beyond
/// that, the quadratic number of clauses costs a solver more than a few auxiliaries do.
///
/// ```
/// use cnfkit::{AtMostOne, Pairwise};
/// assert_eq!(Pairwise.amo_size(1000).clauses, 499_500);
/// ```
#[doc(alias = "PairwiseEncoder")]
#[doc(alias = "am1::Pairwise")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pairwise;

impl Amo for Pairwise {
    fn encode(&self, to: &mut Writer<'_>, lits: &[Lit]) -> Result<(), Full> {
        for (i, &first) in lits.iter().enumerate() {
            for &second in &lits[i + 1..] {
                to.clause(&[!first, !second])?;
            }
        }
        Ok(())
    }

    fn size(&self, n: usize) -> Size {
        size(n)
    }

    fn one_model(&self) -> bool {
        true
    }

    crate::encode::named!("pairwise");
}

/// All pairs of `n`.
pub(super) const fn size(n: usize) -> Size {
    let n = n as u64;
    let clauses =
        if n.is_multiple_of(2) { (n / 2).saturating_mul(n.saturating_sub(1)) } else { n.saturating_mul(n / 2) };
    Size::clauses(clauses, 2)
}

/// All pairs of `lits` and `extra`; each of them implies `out`.
pub(super) fn group(to: &mut Writer<'_>, lits: &[Lit], extra: Option<Lit>, out: Option<Lit>) -> Result<(), Full> {
    Pairwise.encode(to, lits)?;
    if let Some(extra) = extra {
        lits.iter().try_for_each(|&lit| to.clause(&[!lit, !extra]))?;
    }
    if let Some(out) = out {
        lits.iter().try_for_each(|&lit| to.define(&[!lit, out]))?;
        if let Some(extra) = extra {
            to.define(&[!extra, out])?;
        }
    }
    Ok(())
}

#[cfg(test)]
crate::testing::amo_suite!(suite: Pairwise, Gac);
