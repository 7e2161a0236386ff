//! [`Bitwise`]: a binary code for each literal; and [`BinaryCodes`], the codes, for every encoding that hands some out.

use rustsat::types::Lit;

use crate::encode::Amo;
use crate::size::Size;
use crate::writer::{Full, Writer};

/// Every input gets a binary code, and says what the bits are when it is true.
///
/// | | |
/// |---|---|
/// | auxiliaries | b = ⌈log₂ n⌉ |
/// | clauses | n·b, or n·b − (2ᵇ − n) when [`tight`](Self::tight), of two literals each |
/// | strength | generalised arc consistent |
/// | direction | inputs → bits; without a true input the bits are free |
/// | under a condition | a clause for each one in a code is guarded, at most half of all |
///
/// Frisch, Peugniez, Doggett and Nightingale, *Solving Non-Boolean Satisfiability Problems with Stochastic Local
/// Search: A Comparison of Encodings*, Journal of Automated Reasoning 35, 2005, pages 143–179; also called binary or
/// logarithmic. It has the fewest auxiliaries of all. It is not made for speed: each bit is true or false for half of
/// the inputs, so that a decision on it says little.
///
/// ```
/// use cnfkit::{AtMostOne, Bitwise};
/// let plain = Bitwise::default().tight(false).amo_size(1000);
/// assert_eq!((plain.vars, plain.clauses), (10, 10_000));
/// assert_eq!(Bitwise::default().tight(true).amo_size(1000).clauses, 9976);
/// ```
#[doc(alias = "BitwiseEncoder")]
#[doc(alias = "am1::Bitwise")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Bitwise {
    /// True if inputs share the codes that are left over when n is no power of two. Then 2ᵇ − n of the inputs do
    /// without the last bit, which saves a clause for each of them and leaves that bit free. Off by default, which is
    /// the published encoding.
    pub tight: bool,
}

crate::encode::options!(Bitwise { tight: bool = false });

impl Amo for Bitwise {
    fn encode(&self, to: &mut Writer<'_>, lits: &[Lit]) -> Result<(), Full> {
        let codes = BinaryCodes::new(lits.len(), self.tight);
        let bits = codes.bits(to);
        lits.iter().enumerate().try_for_each(|(index, &lit)| codes.send(to, &bits, lit, index))
    }

    fn size(&self, n: usize) -> Size {
        BinaryCodes::new(n, self.tight).size(n, |shared| shared)
    }

    crate::encode::named!("bitwise");
}

/// A binary code for each of `count` groups: no code is the beginning of another.
#[derive(Clone, Copy, Debug)]
pub(super) struct BinaryCodes {
    /// The longest code.
    width: u32,
    /// The first so many codes lack the last bit.
    short: usize,
}

impl BinaryCodes {
    pub(super) const fn new(count: usize, tight: bool) -> Self {
        let width = if count < 2 { 0 } else { (count - 1).ilog2() + 1 };
        let spare = if width == usize::BITS { count.wrapping_neg() } else { (1 << width) - count };
        Self { width, short: if tight && count > 1 { spare } else { 0 } }
    }

    /// Fresh variables for the bits, the last bit first. True means zero: zeros are at least half of all bits, and so
    /// at least half of the clauses only define.
    pub(super) fn bits(self, to: &mut Writer<'_>) -> Vec<Lit> {
        to.lits(self.width as usize)
    }

    /// `lit` is in group `index`.
    #[inline]
    pub(super) fn send(self, to: &mut Writer<'_>, bits: &[Lit], lit: Lit, index: usize) -> Result<(), Full> {
        let (code, skip) = if index < self.short { (index << 1, 1) } else { (index + self.short, 0) };
        for (place, &zero) in bits.iter().enumerate().skip(skip) {
            if code >> place & 1 == 0 {
                to.define(&[!lit, zero])?;
            } else {
                to.clause(&[!lit, !zero])?;
            }
        }
        Ok(())
    }

    /// For `n` literals, of which `among(g)` are in the first `g` groups.
    pub(super) fn size(self, n: usize, among: impl Fn(usize) -> usize) -> Size {
        let clauses = (n as u64).saturating_mul(u64::from(self.width)) - among(self.short) as u64;
        Size::variables(u64::from(self.width)) + Size::clauses(clauses, 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::testing::amo_suite!(plain: Bitwise::default(), Gac);
    crate::testing::amo_suite!(tight: Bitwise { tight: true }, Gac);
}
