//! At most k: after each input, a register holds in unary how many were true so far.

use cnfkit::encode::{ByRelation, Full, Writer, own_name};
use cnfkit::{EncodingName, Lit, Relation, Size};

/// Sinz's sequential counter: a register after each input but the last, whose j-th auxiliary says that at least j
/// inputs were true so far.
///
/// With r = k·(n − 1) − k·(k − 1)/2:
///
/// | | auxiliaries | clauses | enforcing |
/// |---|---|---|---|
/// | at most k | r | 2·r + n − 2·k | n − k |
///
/// At least k is at most n − k of the negations, exactly k is both. Generalised arc consistent. Use it for small k.
///
/// Source: C. Sinz, *Towards an optimal CNF encoding of Boolean cardinality constraints*, CP 2005, pages 827–831;
/// auxiliaries that can only be false are left out.
///
/// ```
/// use cnfkit::{AtMostK, Size};
/// assert_eq!(outside::Registers.amk_size(10, 2), Size { vars: 17, clauses: 40, lits: 88 });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Registers;

impl ByRelation for Registers {
    fn encode(&self, to: &mut Writer<'_>, lits: &[Lit], relation: Relation) -> Result<(), Full> {
        let Relation::AtMost(k) = relation else { return relation.by_at_most(self, to, lits) };
        let mut before: Vec<Lit> = Vec::new();
        for (at, &lit) in lits.iter().enumerate() {
            if before.len() == k {
                to.clause(&[!lit, !before[k - 1]])?;
            }
            if at + 1 == lits.len() {
                break;
            }
            let register = to.lits(k.min(at + 1));
            to.define(&[!lit, register[0]])?;
            for (&less, &same) in before.iter().zip(&register) {
                to.define(&[!less, same])?;
            }
            for (&less, &more) in before.iter().zip(&register[1..]) {
                to.define(&[!lit, !less, more])?;
            }
            before = register;
        }
        Ok(())
    }

    fn size(&self, n: usize, relation: Relation) -> Size {
        let Relation::AtMost(k) = relation else { return relation.size_by_at_most(self, n) };
        let (n, k) = (n as u64, k as u64);
        let vars = k * (n - 1) - k * (k - 1) / 2;
        // The first of each register, what goes on from the one before, and what exceeds k; then what an input adds.
        Size::variables(vars) + Size::clauses((n - 1) + (vars - k) + (n - k), 2) + Size::clauses(vars - (n - 1), 3)
    }

    fn encoding_name(&self) -> Option<EncodingName> {
        Some(own_name::<Self>("registers"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    cnfkit::testing::card_suite!(suite: Registers, Gac);
}
