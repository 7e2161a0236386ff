//! [`PbEncoding::smallest_of_any_strength`]: the smallest encoding of a constraint, arc consistent or not.

use super::Constrain;
use crate::choose::PbEncoding;
use crate::constraint::Constraint;
use crate::sink::Tally;

impl PbEncoding {
    /// The name of the fewest variables + clauses for this constraint, of encodings that are not generalised arc
    /// consistent, too: [`Smallest`](Self::Smallest), unless one of those is smaller. All are planned.
    ///
    /// ```
    /// use cnfkit::{ClauseSink, Cnf, Constrain, Constraint, PbEncoding, PbRelation, Terms};
    /// let mut cnf = Cnf::new();
    /// let terms: Vec<_> = (1..=40).map(|at| (cnf.new_lit(), at * at)).collect();
    /// let constraint = Constraint::weights(Terms::new(&terms), PbRelation::AtMost(9_000));
    /// let enc = PbEncoding::smallest_of_any_strength(&constraint);
    /// assert_eq!(enc, PbEncoding::BinaryAdder);
    /// cnf.post(&constraint, enc)?;
    /// assert!(cnf.n_clauses() < 3_000);
    /// # Ok::<(), cnfkit::CapacityError>(())
    /// ```
    #[must_use]
    pub fn smallest_of_any_strength(constraint: &Constraint<'_>) -> Self {
        let n_vars = constraint.all_lits().map(|lit| lit.vidx() + 1).max().unwrap_or(0);
        let cost = |enc: Self| {
            let mut tally = Tally::new(n_vars);
            tally.post(constraint, enc).map_or(u64::MAX, |()| tally.size().cost())
        };
        let weaker = Self::ALL.iter().filter(|&&enc| !enc.is_gac() && enc != Self::Auto);
        [Self::Smallest].into_iter().chain(weaker.copied()).min_by_key(|&enc| cost(enc)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::Terms;
    use crate::relation::PbRelation;
    use crate::testing::pb::{drawn, terms};

    #[test]
    fn nothing_is_smaller_than_the_smallest_of_any_strength() {
        let mut weaker = 0;
        for (n, most) in [(4, 9), (8, 8), (12, 40), (20, 30), (30, 1_000)] {
            let (weights, bound) = drawn(n, most, 1);
            let terms = terms(&weights);
            for relation in [PbRelation::AtMost(bound), PbRelation::AtLeast(bound), PbRelation::Exactly(bound)] {
                let constraint = Constraint::weights(Terms::new(&terms), relation);
                let cost = |enc: PbEncoding| {
                    let mut tally = Tally::new(n);
                    tally.post(&constraint, enc).unwrap();
                    tally.size().cost()
                };
                let best = PbEncoding::smallest_of_any_strength(&constraint);
                weaker += usize::from(!best.is_gac());
                let least = PbEncoding::ALL.iter().map(|&enc| cost(enc)).min().unwrap();
                assert_eq!(cost(best), least, "{relation} of {weights:?}: {best}");
            }
        }
        assert!((3..15).contains(&weaker), "{weaker}");
    }
}
