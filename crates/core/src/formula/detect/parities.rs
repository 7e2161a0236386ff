//! Parities among clauses: of k variables 2ᵏ⁻¹ clauses whose numbers of negations are all even, or all odd.

use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;
use rustsat::types::Lit;

use super::Detected;
use crate::constraint::Constraint;
use crate::sort;

/// The number of literals of the parities that are looked for. Equal and opposite literals are left to solvers.
const LENGTHS: std::ops::RangeInclusive<usize> = 3..=6;

/// A clause by its variables, ascending, and which of them are negated there.
#[derive(Debug, PartialEq, Eq)]
struct SignedClause {
    vars: Vec<u32>,
    negations: u32,
}

/// A parity of positive literals, and the places of its clauses, in rising order.
#[derive(Debug)]
pub(super) struct FoundParity {
    lits: Vec<Lit>,
    odd: bool,
    places: Vec<u32>,
}

impl SignedClause {
    /// `None` where some variable stands twice.
    fn new(clause: &[Lit]) -> Option<Self> {
        let mut lits = clause.to_vec();
        lits.sort_unstable();
        let negations = lits.iter().rev().fold(0, |signs, lit| signs << 1 | u32::from(lit.is_neg()));
        let vars: Vec<u32> = lits.iter().map(|lit| lit.vidx32()).collect();
        vars.windows(2).all(|pair| pair[0] < pair[1]).then_some(Self { vars, negations })
    }

    /// The parity, odd or not, that would have such a clause.
    const fn odd(&self) -> bool {
        self.negations.count_ones().is_multiple_of(2)
    }

    fn hash(&self) -> u64 {
        FxBuildHasher.hash_one((&self.vars, self.odd()))
    }
}

impl Detected<'_> {
    /// The parities among the clauses that are left, in time linear in these, but for a logarithm.
    pub(super) fn parities(&self) -> Vec<FoundParity> {
        let mut replaced = self.replaced.iter().copied().peekable();
        let clauses = (0_u32..).zip(self.of.clauses()).filter(|(at, _)| replaced.next_if_eq(at).is_none());
        let short = clauses.filter(|(_, clause)| LENGTHS.contains(&clause.len()));
        let mut all: Vec<(u64, u32)> =
            short.filter_map(|(at, clause)| Some((SignedClause::new(clause)?.hash(), at))).collect();
        all.sort_unstable();
        let mut found: Vec<FoundParity> = Vec::new();
        for same in all.chunk_by(|one, other| one.0 == other.0) {
            let clause = |at: u32| SignedClause::new(self.of.clauses.clause(at as usize));
            let Some(first) = clause(same[0].1).filter(|first| same.len() >= 1 << (first.vars.len() - 1)) else {
                continue;
            };
            let is_of = |other: &SignedClause| other.vars == first.vars && other.odd() == first.odd();
            let (mut seen, mut places) = (0_u64, Vec::new());
            for &(_, at) in same {
                if let Some(other) = clause(at).filter(is_of) {
                    seen |= 1 << other.negations;
                    places.push(at);
                }
            }
            if seen.count_ones() == 1 << (first.vars.len() - 1) {
                let lits = first.vars.iter().map(|&var| Lit::positive(var)).collect();
                found.push(FoundParity { lits, odd: first.odd(), places });
            }
        }
        sort::by_key(&mut found, |found| found.places[0].into());
        found
    }

    /// This, with these parities in the place of their clauses.
    pub(super) fn with_parities(mut self, found: &[FoundParity]) -> Self {
        for FoundParity { lits, odd, places } in found {
            self.found.push_again(&Constraint::parity(lits, *odd));
            self.replaced.extend(places);
        }
        self.replaced.sort_unstable();
        self
    }
}

#[cfg(test)]
mod tests {
    use crate::random::Random;
    use crate::{CardEncoding, ClauseSink, Cnf, Constrain, Formula, Lit};

    /// Parities of three to six literals among other clauses, whole and without one clause.
    #[test]
    fn whole_parities_are_found() {
        let mut random = Random::new(9);
        for round in 0..200 {
            let n = 3 + round % 4;
            let mut cnf = Cnf::with_vars(9);
            let mut all: Vec<Lit> = (0..9).map(|var| Lit::new(var, random.below(2) == 1)).collect();
            random.shuffle(&mut all);
            let odd = random.below(2) == 1;
            let mut clauses: Vec<Vec<Lit>> = Vec::new();
            for values in (0..1_u32 << n).filter(|values| (values.count_ones() % 2 == 1) != odd) {
                clauses.push((0..n).map(|at| if values >> at & 1 == 1 { !all[at] } else { all[at] }).collect());
            }
            let is_whole = round % 3 > 0;
            clauses.truncate(clauses.len() - usize::from(!is_whole));
            clauses.push(vec![all[0], all[7], all[8]]);
            clauses.push(vec![all[0], all[7], !all[8]]);
            clauses.extend((round % 2 == 0).then(|| clauses[1].clone()));
            random.shuffle(&mut clauses);
            clauses.iter().for_each(|clause| cnf.add_clause(clause).unwrap());
            let formula = Formula::read_dimacs(cnf.to_string().as_bytes()).unwrap();
            let detected = formula.detect();
            let found = detected.constraints().find_map(|constraint| constraint.parity_of());
            assert_eq!(found.is_some(), is_whole, "{cnf}");
            let new = detected.formula();
            assert_eq!(new.n_clauses() + detected.replaced().len(), cnf.n_clauses());
            if let Some((lits, odd)) = found {
                assert!(lits.len() == n && new.n_clauses() == 2);
                for values in 0..1_u32 << 9 {
                    let is_true = |lit: Lit| (values >> lit.vidx32() & 1 == 1) != lit.is_neg();
                    let holds = clauses.iter().all(|clause| clause.iter().any(|&lit| is_true(lit)));
                    let others = new.clauses().all(|clause| clause.iter().any(|&lit| is_true(lit)));
                    let parity = (lits.iter().filter(|&&lit| is_true(lit)).count() % 2 == 1) == odd;
                    assert_eq!(holds, others && parity, "{values:b} {cnf}");
                }
            }
        }
    }

    /// A long parity comes back as its pieces, whose sum is what was said.
    #[test]
    fn pieces_of_long_parities_are_found() {
        let mut formula = Formula::with_vars(30);
        let x: Vec<Lit> = (0..30).map(Lit::positive).collect();
        formula.parity(&x, true).unwrap();
        formula.at_most(&x[..9], 3, CardEncoding::Totalizer).unwrap();
        let clauses = Formula::read_dimacs(formula.encode().unwrap().to_string().as_bytes()).unwrap();
        let detected = clauses.detect();
        assert_eq!(detected.constraints().filter_map(|one| one.parity_of()).count(), 28);
        assert!(detected.formula().size().clauses <= clauses.size().clauses);
    }
}
