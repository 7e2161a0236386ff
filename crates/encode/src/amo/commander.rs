//! [`Commander`]: groups of literals with a commander each.

use rustsat::types::Lit;

use super::pairwise;
use crate::encode::Amo;
use crate::size::Size;
use crate::writer::{Full, Writer};

/// Groups with a commander each, and at most one of the commanders, recursively.
///
/// | | |
/// |---|---|
/// | auxiliaries | about n/(g−1) for [`group`](Self::group) = g; n/2 for g = 3 |
/// | clauses | about (g+1)/2 · n·g/(g−1); 3n for g = 3; two literals each |
/// | strength | generalised arc consistent |
/// | direction | inputs → commander; a commander may be true without a soldier |
/// | under a condition | the pairs are guarded, the clauses to the commanders are not |
///
/// Klieber and Kwon, *Efficient CNF Encoding for Selecting 1 from N Objects*, Constraints in Formal Verification (CFV),
/// 2007, who recommend groups of three. Their clauses that make a commander without soldiers false are left out:
/// nothing needs them, and they cost propagation. Up to g + 2 literals are pairwise, and a group of one is its own
/// commander. It is among the best encodings for solvers.
///
/// ```
/// use cnfkit::{AtMostOne, Commander, Size};
/// assert_eq!(Commander::default().amo_size(9), Size { vars: 3, clauses: 21, lits: 42 });
/// ```
#[doc(alias = "am1::Commander")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Commander {
    /// Literals in a group, at least 2 (less counts as 2). 3 by default.
    pub group: usize,
    /// Makes a commander without a true soldier false, by a clause more a group: exactly one model per model of the
    /// inputs, for counting.
    pub full: bool,
}

crate::encode::options!(Commander { group: usize = 3, full: bool = false });

impl Commander {
    fn width(self) -> usize {
        self.group.max(2)
    }

    fn is_pairwise(self, n: usize) -> bool {
        n <= self.width().saturating_add(2)
    }

    /// One level: groups of `lits` to commanders in place of `up`, which is empty.
    fn level(self, to: &mut Writer<'_>, lits: &[Lit], up: &mut Vec<Lit>) -> Result<(), Full> {
        for group in lits.chunks(self.width()) {
            if let &[own] = group {
                up.push(own);
                continue;
            }
            let commander = to.lit();
            pairwise::group(to, group, None, Some(commander))?;
            if self.full {
                let some: Vec<Lit> = group.iter().copied().chain([!commander]).collect();
                to.define(&some)?;
            }
            up.push(commander);
        }
        Ok(())
    }
}

impl Amo for Commander {
    fn encode(&self, to: &mut Writer<'_>, lits: &[Lit]) -> Result<(), Full> {
        if self.is_pairwise(lits.len()) {
            return pairwise::group(to, lits, None, None);
        }
        let mut low = Vec::with_capacity(lits.len().div_ceil(self.width()));
        self.level(to, lits, &mut low)?;
        let mut high = Vec::with_capacity(low.len().div_ceil(self.width()));
        while !self.is_pairwise(low.len()) {
            self.level(to, &low, &mut high)?;
            std::mem::swap(&mut low, &mut high);
            high.clear();
        }
        pairwise::group(to, &low, None, None)
    }

    fn size(&self, mut n: usize) -> Size {
        let mut size = Size::ZERO;
        while !self.is_pairwise(n) {
            let (full, rest) = (n / self.width(), n % self.width());
            // With `out` a group is like a group of one more.
            let group = |lits: usize| {
                let falls = if self.full { Size::clause(lits + 1) } else { Size::ZERO };
                pairwise::size(lits + 1) + Size::variables(1) + falls
            };
            size += group(self.width()) * full as u64;
            if rest > 1 {
                size += group(rest);
            }
            n = full + usize::from(rest > 0);
        }
        size + pairwise::size(n)
    }

    fn one_model(&self) -> bool {
        self.full
    }

    crate::encode::named!("commander");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AtMostOne;

    crate::testing::amo_suite!(pairs: Commander { group: 0, full: false }, Gac);
    crate::testing::amo_suite!(triples: Commander::default(), Gac);
    crate::testing::amo_suite!(fours: Commander { group: 4, full: false }, Gac);
    crate::testing::amo_suite!(one: Commander { group: usize::MAX, full: false }, Gac);
    crate::testing::amo_suite!(full: Commander { group: 3, full: true }, Gac);
    crate::testing::amo_suite!(full_fours: Commander { group: 4, full: true }, Gac);

    #[test]
    fn what_stays_pairwise() {
        for (group, n, vars, clauses) in [(2, 4, 0, 6), (2, 5, 2, 9), (3, 5, 0, 10), (3, 6, 2, 13), (4, 7, 2, 17)] {
            assert_eq!(
                Commander { group, full: false }.amo_size(n),
                Size::variables(vars) + Size::clauses(clauses, 2),
                "{group} {n}"
            );
        }
    }
}
