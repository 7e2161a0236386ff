//! [`Needless`]: what costs in a solution although nothing needs it.
//!
//! Solvers give solutions, not minimal ones: a literal that says that a soft constraint is violated may be true where
//! it holds. One after the other, the dearest first, literals become false where all their constraints hold without
//! them.

use rustsat::types::Lit;

use super::Formula;
use crate::constraint::Constraint;
use crate::sort;

/// The clauses and constraints of each literal of a sum.
#[derive(Debug)]
pub struct Needless<'a> {
    clauses: Vec<&'a [Lit]>,
    constraints: Vec<Constraint<'a>>,
    /// The literals, dearest first, with their clauses and constraints.
    of: Vec<(Lit, Vec<u32>, Vec<u32>)>,
    /// The literals that may be looked at in one solution.
    most: usize,
    n_vars: usize,
}

impl<'a> Needless<'a> {
    /// Of a formula, and a sum of weights in which each variable is once.
    #[must_use]
    pub fn new(formula: &'a Formula, terms: &[(Lit, u128)]) -> Self {
        let mut dearest = terms.to_vec();
        sort::by_wide_key(&mut dearest, |&(_, weight)| !weight);
        let mut of: Vec<(Lit, Vec<u32>, Vec<u32>)> =
            dearest.into_iter().map(|(lit, _)| (lit, Vec::new(), Vec::new())).collect();
        let mut place = vec![usize::MAX; formula.n_vars()];
        (0..).zip(&of).for_each(|(at, (lit, ..))| place[lit.vidx()] = at);
        let (mut clauses, mut constraints, mut n_lits) = (Vec::new(), Vec::new(), 0);
        for clause in formula.clauses() {
            let at = clauses.len() as u32;
            let own = clause.iter().filter_map(|lit| Some((lit, place[lit.vidx()])).filter(|own| own.1 < of.len()));
            let own: Vec<usize> = own.filter(|&(&lit, at)| of[at].0 == lit).map(|(_, at)| at).collect();
            if !own.is_empty() {
                own.into_iter().for_each(|place| of[place].1.push(at));
                clauses.push(clause);
                n_lits += clause.len();
            }
        }
        for constraint in formula.constraints() {
            let at = constraints.len() as u32;
            for lit in constraint.all_lits() {
                if let Some((_, _, own)) = of.get_mut(place[lit.vidx()])
                    && own.last() != Some(&at)
                {
                    own.push(at);
                }
                n_lits += 1;
            }
            constraints.push(constraint);
        }
        Self { clauses, constraints, of, most: 4 * n_lits + 1_000, n_vars: formula.n_vars() }
    }

    /// The number of variables of the formula.
    #[must_use]
    pub const fn n_vars(&self) -> usize {
        self.n_vars
    }

    /// Makes literals of the sum false which a solution, the value of each variable, does not need. Where constraints
    /// with many of them are long, some are not looked at.
    pub fn lower(&self, values: &mut [bool]) {
        let mut left = self.most;
        for (lit, clauses, constraints) in &self.of {
            if values[lit.vidx()] == lit.is_neg() {
                continue;
            }
            values[lit.vidx()] = lit.is_neg();
            let holds = {
                let is_true = |lit: Lit| values[lit.vidx()] != lit.is_neg();
                let mut pays = |n: usize| {
                    left = left.saturating_sub(n);
                    left > 0
                };
                let meets = |clause: &[Lit]| clause.iter().any(|&lit| is_true(lit));
                clauses.iter().map(|&at| self.clauses[at as usize]).all(|clause| pays(clause.len()) && meets(clause))
                    && constraints
                        .iter()
                        .map(|&at| &self.constraints[at as usize])
                        .all(|constraint| pays(constraint.lits().count()) && constraint.holds(is_true))
            };
            if !holds {
                values[lit.vidx()] = lit.is_pos();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::{CardEncoding, ClauseSink, Constrain, PbEncoding};

    /// Solutions stay solutions and cost no more; literals that say that something is violated say what is.
    #[test]
    fn solutions_without_what_they_do_not_need() {
        let (mut random, mut n_lowered) = (Random::new(5), 0);
        for _ in 0..500 {
            let n = 8;
            let mut formula = Formula::with_vars(n);
            let lit = |random: &mut Random| Lit::new(random.below(n) as u32, random.below(3) == 0);
            for _ in 0..4 {
                let lits: Vec<Lit> = (0..3).map(|_| lit(&mut random)).collect();
                let (cond, sum) =
                    ([lit(&mut random)], (0..n as u32).map(|var| (Lit::positive(var), 1 + u64::from(var))));
                match random.below(4) {
                    0 => formula.add_clause(&lits).unwrap(),
                    1 => formula.when(&cond).at_least(&lits, 2, CardEncoding::Auto).unwrap(),
                    2 => formula.iff_at_most(cond[0], &lits, 1, CardEncoding::Auto).unwrap(),
                    _ => formula.pb_at_least(sum.collect::<Vec<_>>(), 20, PbEncoding::Auto).unwrap(),
                }
            }
            let soft: Vec<Lit> = (0..3).map(|_| lit(&mut random)).collect();
            let violated = formula.new_lits(2);
            formula.add_clause(&[soft[0], soft[1], soft[2], violated[0]]).unwrap();
            formula.when(&[!violated[1]]).at_least(&soft, 2, CardEncoding::Auto).unwrap();
            let terms: Vec<(Lit, u128)> = (4..10).map(|var| (Lit::new(var, var == 5), 10 - u128::from(var))).collect();
            let needless = Needless::new(&formula, &terms);
            let holds = |values: &[bool]| {
                let is_true = |lit: Lit| values[lit.vidx()] != lit.is_neg();
                formula.clauses().all(|clause| clause.iter().any(|&lit| is_true(lit)))
                    && formula.constraints().all(|constraint| constraint.holds(is_true))
            };
            for all in 0..1_u32 << (n + 2) {
                let before: Vec<bool> = (0..n + 2).map(|var| all >> var & 1 == 1).collect();
                if !holds(&before) {
                    continue;
                }
                let mut after = before.clone();
                needless.lower(&mut after);
                assert!(holds(&after));
                n_lowered += u32::from(after != before);
                let is_true = |lit: Lit| after[lit.vidx()] != lit.is_neg();
                let cost = |values: &[bool]| {
                    let paid = terms.iter().filter(|(lit, _)| values[lit.vidx()] == lit.is_pos());
                    paid.map(|(_, weight)| weight).sum::<u128>()
                };
                assert!(cost(&after) <= cost(&before));
                let n_met = soft.iter().filter(|&&lit| is_true(lit)).count();
                assert_eq!((is_true(violated[0]), is_true(violated[1])), (n_met < 1, n_met < 2));
            }
        }
        assert!(n_lowered > 1_000, "{n_lowered}");
    }

    /// Many literals of one long count are looked at no longer than the formula is.
    #[test]
    fn long_counts_are_left() {
        let mut formula = Formula::new();
        let x = formula.new_lits(100_000);
        formula.at_least(&x, 50_000, CardEncoding::Auto).unwrap();
        let terms: Vec<(Lit, u128)> = x.iter().map(|&lit| (lit, 1)).collect();
        let mut values = vec![true; x.len()];
        Needless::new(&formula, &terms).lower(&mut values);
        assert_eq!(values.iter().filter(|&&value| !value).count(), 4);
    }
}
