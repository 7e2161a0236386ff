//! A formula most of whose variables are in no clause and no constraint, numbered without gaps: what a solver takes in
//! memory depends on what the formula says then, not on the numbers of its variables.

use rustsat::types::Lit;

use super::Formula;
use crate::cnf::CapacityError;
use crate::constraint::{Sum, Terms};
use crate::sink::ClauseSink;

/// A formula of fewer variables is left as it is: it takes some megabytes at most.
const FROM: usize = 1 << 16;

impl Formula {
    /// This formula over the variables that occur in it, and these, ascending: the first is variable 0 there.
    /// `None` where there are not many others. Names are left out.
    ///
    /// # Errors
    /// When memory is short.
    #[doc(hidden)]
    pub fn without_gaps(&self) -> Result<Option<(Self, Vec<u32>)>, CapacityError> {
        let held = self.clauses.n_lits() + self.kept.n_lits() + self.objective.len();
        if self.n_vars() < FROM || self.n_vars() / 2 < held {
            return Ok(None);
        }
        let constraints = self.constraints().flat_map(|constraint| constraint.all_lits().collect::<Vec<Lit>>());
        let objective = self.objective.iter().map(|&(lit, _)| lit);
        let all = self.clauses().flatten().copied().chain(constraints).chain(objective);
        let mut used: Vec<u32> = all.map(Lit::vidx32).collect();
        used.sort_unstable();
        used.dedup();
        let new = |lit: Lit| Lit::new(used.partition_point(|&var| var < lit.vidx32()) as u32, lit.is_neg());
        let all = |lits: &[Lit]| lits.iter().map(|&lit| new(lit)).collect::<Vec<Lit>>();

        let mut whole =
            Self { order: self.order, by_mean: self.by_mean, counting: self.counting, ..Self::with_vars(used.len()) };
        whole = whole.with_limit(self.clauses.limit());
        self.clauses().try_for_each(|clause| whole.add_clause(&all(clause)))?;
        for constraint in self.constraints() {
            let (lits, weights): (Vec<Lit>, Vec<(Lit, u64)>);
            let sum = match constraint.sum {
                Sum::Count { lits: old, relation } => {
                    lits = all(old);
                    Sum::Count { lits: &lits, relation }
                }
                Sum::Parity { lits: old, odd } => {
                    lits = all(old);
                    Sum::Parity { lits: &lits, odd }
                }
                Sum::Weights { terms, relation } => {
                    weights = terms.all().iter().map(|&(lit, weight)| (new(lit), weight)).collect();
                    Sum::Weights { terms: Terms::of(&weights, terms.ends()), relation }
                }
            };
            let cond = all(constraint.cond);
            let mut renamed = constraint.when(&cond);
            (renamed.sum, renamed.iff) = (sum, constraint.iff.map(new));
            whole.kept.push_again(&renamed);
        }
        whole.objective = self.objective.iter().map(|&(lit, weight)| (new(lit), weight)).collect();
        whole.maximised = self.maximised;
        Ok(Some((whole, used)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CardEncoding, Constrain, PbEncoding, Relation};

    /// A formula with everything that can be said, whose variables are `spread` apart.
    fn spread(spread: u32) -> Formula {
        let mut formula = Formula::with_vars(7 * spread as usize + 1);
        let x: Vec<Lit> = (0..8).map(|var| Lit::new(var * spread, var % 3 == 1)).collect();
        let terms: Vec<(Lit, u64)> = x[..6].iter().copied().zip([3, 5, 7, 11, 13, 17]).collect();
        let (count, sum) = (CardEncoding::Auto, PbEncoding::Auto);
        formula.add_clause(&[x[1], !x[7], x[4]]).unwrap();
        formula.when(&[x[6]]).at_most(&x[..5], 2, &count).unwrap();
        formula.iff_at_least(x[7], &x[1..6], 3, &count).unwrap();
        formula.parity(&x[2..], true).unwrap();
        formula.keep_order().cardinality(&[x[5], x[2], x[3], x[0]], Relation::Exactly(2), &count).unwrap();
        formula.when(&[!x[7]]).pb_at_most(&terms, 29, &sum).unwrap();
        formula.pb_iff_at_least(x[6], &terms, 23, &sum).unwrap();
        formula.set_objective([(x[2], 3), (!x[5], -2), (x[6], 4)]);
        formula
    }

    #[test]
    fn the_formula_is_the_same_without_gaps() {
        let dense = spread(1);
        assert!(dense.without_gaps().unwrap().is_none());
        let (found, used) = spread(20_000).without_gaps().unwrap().expect("there are gaps");
        assert_eq!(used, (0..8).map(|var| 20_000 * var).collect::<Vec<u32>>());
        assert_eq!(found.encode().unwrap(), dense.encode().unwrap());
        assert_eq!(found.objective(), dense.objective());
    }
}
