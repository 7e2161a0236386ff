//! At most one: literals meet in pairs, and whoever is true goes on to the next round.

use cnfkit::{AtMostOne, ClauseSink, Lit, Size};

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

impl AtMostOne for Tournament {
    fn at_most_one<S: ClauseSink + ?Sized>(&self, sink: &mut S, lits: &[Lit]) -> Result<(), S::Error> {
        let mut round = lits.to_vec();
        while round.len() > 1 {
            let is_final = round.len() == 2;
            let mut next = Vec::with_capacity(round.len().div_ceil(2));
            for pair in round.chunks(2) {
                let &[one, other] = pair else {
                    next.extend_from_slice(pair);
                    continue;
                };
                sink.add_clause(&[!one, !other])?;
                if !is_final {
                    let winner = sink.new_lit();
                    sink.define(&[!one, winner])?;
                    sink.define(&[!other, winner])?;
                    next.push(winner);
                }
            }
            round = next;
        }
        Ok(())
    }

    fn amo_size(&self, n: usize) -> Size {
        let n = n as u64;
        Size::variables(n - 2) + Size::clauses(3 * n - 5, 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    cnfkit::testing::amo_suite!(suite: Tournament, Gac);
}
