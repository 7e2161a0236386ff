//! At most one: literals meet in pairs, and whoever is true goes on to the next round.

use cnfkit::encode::{Full, Writer};
use cnfkit::{AtMostOne, Constraint, Encoding, Lit, Plan, Relation, Size};

/// Literals meet in pairs, of which not both are true; an auxiliary that follows from either goes on to the next round,
/// until two are left.
///
/// n − 2 auxiliaries and 3n − 5 clauses, n − 1 of which enforce. Generalised arc consistent.
///
/// ```
/// use cnfkit::{AtMostOne, Size};
/// assert_eq!(outside::Tournament.amo_size(10), Size { vars: 8, clauses: 25, lits: 50 });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tournament;

impl AtMostOne for Tournament {}

impl Encoding for Tournament {
    fn plan(&self, constraint: &Constraint<'_>) -> Option<Plan<'_>> {
        let (lits, Relation::AtMost(1)) = constraint.counted()? else { return None };
        let n = lits.len() as u64;
        let size = Size::variables(n - 2) + Size::clauses(3 * n - 5, 2);
        Some(Plan::new(size, |constraint, to| rounds(constraint.lits().collect(), to)))
    }
}

fn rounds(mut round: Vec<Lit>, to: &mut Writer<'_>) -> Result<(), Full> {
    while round.len() > 1 {
        let is_final = round.len() == 2;
        let mut next = Vec::with_capacity(round.len().div_ceil(2));
        for pair in round.chunks(2) {
            let &[one, other] = pair else {
                next.extend_from_slice(pair);
                continue;
            };
            to.clause(&[!one, !other])?;
            if !is_final {
                let winner = to.lit();
                to.define(&[!one, winner])?;
                to.define(&[!other, winner])?;
                next.push(winner);
            }
        }
        round = next;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    cnfkit::testing::amo_suite!(suite: Tournament, Gac);
}
