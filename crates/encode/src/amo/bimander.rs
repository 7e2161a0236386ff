//! [`Bimander`]: groups of literals with a binary code each.

use rustsat::types::Lit;

use super::bitwise::BinaryCodes;
use super::pairwise;
use crate::encode::Amo;
use crate::size::Size;
use crate::writer::{Full, Writer};

/// Groups: pairwise inside, binary codes between them.
///
/// | | |
/// |---|---|
/// | groups | m = ⌈n/g⌉ of [`group`](Self::group) = g inputs or one less |
/// | auxiliaries | b = ⌈log₂ m⌉ |
/// | clauses | n·b, less what [`tight`](Self::tight) saves, and about n(g−1)/2 pairs in groups; two literals each |
/// | strength | generalised arc consistent |
/// | direction | inputs → bits; without a true input the bits are free |
/// | under a condition | pairs, and a clause for each one in a code, are guarded |
///
/// Hölldobler and Nguyen, *An Efficient Encoding of the At-Most-One Constraint*, technical report KRR 2013-04, TU
/// Dresden, 2013, who recommend groups of two. It stands between [`Bitwise`](crate::Bitwise) (groups of one) and
/// [`Pairwise`](crate::Pairwise) (one group), and has very few auxiliaries. From n ≈ 20 on other encodings are smaller.
///
/// ```
/// use cnfkit::{AtMostOne, Bimander};
/// let size = Bimander::default().amo_size(16);
/// assert_eq!((size.vars, size.clauses), (3, 3 * 16 + 8));
/// ```
#[doc(alias = "am1::Bimander")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Bimander {
    /// Inputs in a group, at least 1 (0 counts as 1). 2 by default.
    pub group: usize,
    /// True if groups share the codes that are left over, as in [`Bitwise`](crate::Bitwise). Off by default.
    pub tight: bool,
}

crate::encode::options!(Bimander { group: usize = 2, tight: bool = false });

/// `count` groups of almost equal size, the larger first.
#[derive(Clone, Copy, Debug)]
struct BimanderGroups {
    count: usize,
    least: usize,
    larger: usize,
}

impl BimanderGroups {
    const fn new(n: usize, group: usize) -> Self {
        let count = if n == 0 { 1 } else { n.div_ceil(if group == 0 { 1 } else { group }) };
        Self { count, least: n / count, larger: n % count }
    }

    /// Inputs in the first `groups` groups.
    fn among(self, groups: usize) -> usize {
        groups * self.least + groups.min(self.larger)
    }
}

impl Amo for Bimander {
    fn encode(&self, to: &mut Writer<'_>, lits: &[Lit]) -> Result<(), Full> {
        let groups = BimanderGroups::new(lits.len(), self.group);
        let codes = BinaryCodes::new(groups.count, self.tight);
        let bits = codes.bits(to);
        for index in 0..groups.count {
            let group = &lits[groups.among(index)..groups.among(index + 1)];
            pairwise::group(to, group, None, None)?;
            group.iter().try_for_each(|&lit| codes.send(to, &bits, lit, index))?;
        }
        Ok(())
    }

    fn size(&self, n: usize) -> Size {
        let groups = BimanderGroups::new(n, self.group);
        BinaryCodes::new(groups.count, self.tight).size(n, |shared| groups.among(shared))
            + pairwise::size(groups.least.saturating_add(1)) * groups.larger as u64
            + pairwise::size(groups.least) * (groups.count - groups.larger) as u64
    }

    crate::encode::named!("bimander");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AtMostOne;

    crate::testing::amo_suite!(pairs: Bimander::default(), Gac);
    crate::testing::amo_suite!(triples: Bimander { group: 3, tight: false }, Gac);
    crate::testing::amo_suite!(tight: Bimander { group: 2, tight: true }, Gac);
    crate::testing::amo_suite!(tight_triples: Bimander { group: 3, tight: true }, Gac);
    crate::testing::amo_suite!(single: Bimander { group: 0, tight: false }, Gac);
    crate::testing::amo_suite!(one: Bimander { group: usize::MAX, tight: true }, Gac);

    #[test]
    fn groups_of_one_are_bitwise() {
        for (n, tight) in (2..100).flat_map(|n| [(n, false), (n, true)]) {
            assert_eq!(Bimander { group: 1, tight }.amo_size(n), crate::Bitwise { tight }.amo_size(n));
        }
    }
}
