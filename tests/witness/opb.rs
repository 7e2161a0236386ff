//! Constraints in OPB, written from their definition alone: nothing of the library but `Lit` and `Relation`.

use std::collections::BTreeMap;
use std::fmt::Write;

use cnfkit::{Cnf, Lit, Relation};
use itertools::Itertools;

use super::problem::Problem;

/// Sums of weights that are at least a bound each, and what is to be minimised.
#[derive(Default)]
pub(crate) struct Opb {
    pub(crate) n_vars: usize,
    sums: Vec<(Vec<(i64, Lit)>, i64)>,
    goal: Vec<(Lit, i64)>,
}

impl Opb {
    /// The sum is at least `bound` if all of `cond` are true: each that is not adds what may be missing.
    fn at_least(&mut self, mut sum: Vec<(i64, Lit)>, bound: i64, cond: &[Lit]) {
        let least: i64 = sum.iter().map(|&(weight, _)| weight.min(0)).sum();
        sum.extend(cond.iter().map(|&lit| ((bound - least).max(0), !lit)));
        self.sums.push((sum, bound));
    }

    fn relation(&mut self, lits: &[Lit], relation: Relation, cond: &[Lit]) {
        let sum = |weight| lits.iter().map(|&lit| (weight, lit)).collect();
        if let Some(k) = relation.least() {
            self.at_least(sum(1), k as i64, cond);
        }
        if let Some(k) = relation.most() {
            self.at_least(sum(-1), -(k as i64), cond);
        }
    }

    /// The relation does not hold.
    fn not(&mut self, lits: &[Lit], relation: Relation, cond: &[Lit]) {
        match relation {
            Relation::AtMost(k) => self.relation(lits, Relation::AtLeast(k + 1), cond),
            Relation::AtLeast(k) | Relation::Exactly(k) => {
                let mut fewer = cond.to_vec();
                if matches!(relation, Relation::Exactly(_)) {
                    let which = Lit::positive(self.n_vars as u32);
                    self.n_vars += 1;
                    fewer.push(which);
                    self.relation(lits, Relation::AtLeast(k + 1), &[cond, &[!which]].concat());
                }
                match k.checked_sub(1) {
                    Some(less) => self.relation(lits, Relation::AtMost(less), &fewer),
                    None => self.at_least(Vec::new(), 1, &fewer),
                }
            }
        }
    }

    /// The file; with `counted`, the variables below it are those whose models are counted.
    pub(crate) fn text(&self, counted: Option<usize>) -> String {
        let mut text = format!("* #variable= {} #constraint= {}\n", self.n_vars, self.sums.len());
        text.extend(counted.map(projection));
        if !self.goal.is_empty() {
            // A negated literal is one less its variable: the constant does not matter.
            let signed = |&(lit, weight): &(Lit, i64)| (if lit.is_pos() { weight } else { -weight }, lit.vidx() + 1);
            text.push_str("min:");
            self.goal.iter().map(signed).for_each(|(weight, var)| write!(text, " {weight:+} x{var}").unwrap());
            text.push_str(" ;\n");
        }
        for (sum, bound) in &self.sums {
            // Each variable once, without negation: not every program sums up a literal beside its negation.
            let mut weights = BTreeMap::new();
            let mut bound = *bound;
            for &(weight, lit) in sum {
                // w·~x = w − w·x.
                let (signed, less) = if lit.is_pos() { (weight, 0) } else { (-weight, weight) };
                bound -= less;
                *weights.entry(lit.vidx() + 1).or_insert(0) += signed;
            }
            if weights.is_empty() {
                weights.insert(1, 0);
            }
            weights.iter().for_each(|(var, weight)| write!(text, "{weight:+} x{var} ").unwrap());
            writeln!(text, ">= {bound} ;").unwrap();
        }
        text
    }

    /// True if every sum is large enough.
    pub(crate) fn holds(&self, assignment: u32) -> bool {
        let is_true = |lit: Lit| (assignment >> lit.vidx() & 1 == 1) == lit.is_pos();
        let value = |sum: &[(i64, Lit)]| sum.iter().filter(|&&(_, lit)| is_true(lit)).map(|&(weight, _)| weight).sum();
        self.sums.iter().all(|(sum, bound)| *bound <= value(sum))
    }
}

/// The comment by which clasp counts models of some variables only.
pub(crate) fn projection(n: usize) -> String {
    format!("* project {} 0\n", (1..=n).map(|var| format!("x{var}")).join(" "))
}

/// A problem in OPB.
pub(crate) fn of_problem(problem: &Problem) -> Opb {
    let mut opb = Opb { n_vars: problem.n, goal: problem.goal.clone(), ..Opb::default() };
    for clause in &problem.clauses {
        opb.at_least(clause.iter().map(|&lit| (1, lit)).collect(), 1, &[]);
    }
    for constraint in &problem.constraints {
        let (cond, lits, relation) = (&constraint.cond[..], &constraint.lits[..], constraint.relation);
        match constraint.iff {
            None => opb.relation(lits, relation, cond),
            Some(r) => {
                opb.relation(lits, relation, &[cond, &[r]].concat());
                opb.not(lits, relation, &[cond, &[!r]].concat());
            }
        }
    }
    opb
}

/// Clauses in OPB: at least one literal of each.
pub(crate) fn of_clauses(cnf: &Cnf, goal: &[(Lit, i64)]) -> Opb {
    let mut opb = Opb { n_vars: cnf.n_vars(), goal: goal.to_vec(), ..Opb::default() };
    cnf.clauses().for_each(|clause| opb.at_least(clause.iter().map(|&lit| (1, lit)).collect(), 1, &[]));
    opb
}
