//! [`Ladder`]: a counter that climbs to one.

use rustsat::types::Lit;

use crate::encode::Amo;
use crate::size::Size;
use crate::writer::{Full, Writer};

/// A ladder of auxiliaries: rung i says that one of the first i inputs is true.
///
/// | | |
/// |---|---|
/// | auxiliaries | n − 1 |
/// | clauses | 3n − 4, of two literals each |
/// | strength | generalised arc consistent |
/// | direction | inputs → rungs, lower rungs → higher rungs; a rung may be true without an input |
/// | under a condition | n − 1 clauses are guarded |
///
/// With rungs sᵢ: `xᵢ → sᵢ`, `sᵢ → sᵢ₊₁` and `sᵢ → ¬xᵢ₊₁`. This is the order encoding of Gent and Nightingale (*A New
/// Encoding of `AllDifferent` into SAT*, Modelling and Reformulating Constraint Satisfaction Problems, 2004), and at
/// the same time the sequential counter of Sinz (2005) for k = 1. It is good where the order of the inputs means
/// something (times, values of an integer), because a rung splits the range. It is not small, and on large n a fact
/// travels through up to n rungs.
///
/// ```
/// use cnfkit::{AtMostOne, Ladder, Size};
/// assert_eq!(Ladder.amo_size(1000), Size { vars: 999, clauses: 2996, lits: 5992 });
/// ```
#[doc(alias = "LadderEncoder")]
#[doc(alias = "am1::Ladder")]
#[doc(alias = "regular")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ladder;

impl Amo for Ladder {
    fn encode(&self, to: &mut Writer<'_>, lits: &[Lit]) -> Result<(), Full> {
        let Some((&first, rest)) = lits.split_first() else { return Ok(()) };
        let Some((&last, middle)) = rest.split_last() else { return Ok(()) };
        let mut rung = to.lit();
        to.define(&[!first, rung])?;
        for &lit in middle {
            let next = to.lit();
            to.clause(&[!rung, !lit])?;
            to.define(&[!lit, next])?;
            to.define(&[!rung, next])?;
            rung = next;
        }
        to.clause(&[!rung, !last])
    }

    fn size(&self, n: usize) -> Size {
        let n = n as u64;
        Size::variables(n.saturating_sub(1)) + Size::clauses(n.saturating_mul(3).saturating_sub(4), 2)
    }

    crate::encode::named!("ladder");
}

#[cfg(test)]
crate::testing::amo_suite!(suite: Ladder, Gac);
