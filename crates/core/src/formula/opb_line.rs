//! Lines of OPB that say constraints, one for each side of a bound.

use std::io::{self, Write};

use rustsat::types::{Lit, Var};

use super::Formula;
use crate::certify::{Id, Lines};
use crate::constraint::{Constraint, Sum};
use crate::relation::PbRelation;

/// Sums of so few literals are encoded at once, also where they could be watched.
const FEW: usize = 5;

/// The literals by which the sums of reified equalities are below their bounds, one for each constraint from this
/// variable on, which no clause has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FewLits(pub(crate) u32);

impl FewLits {
    /// The last variables that there are, for clauses whose number of variables is not known.
    pub(super) fn last(formula: &Formula) -> Self {
        Self(Var::MAX_IDX - formula.constraints().len() as u32)
    }

    /// The literal of a constraint.
    pub(super) fn of(self, constraint: usize) -> Lit {
        Lit::positive(self.0 + constraint as u32)
    }

    /// The literals, true or false, that say on which side of its bound each reified equality is.
    pub(crate) fn sides(self, formula: &Formula, is_true: impl Fn(Lit) -> bool) -> Vec<Lit> {
        let side = |(at, constraint): (usize, Constraint<'_>)| {
            let (terms, relation) = weights(&constraint);
            let sum =
                terms.iter().filter(|&&(_, lit)| is_true(lit)).map(|&(weight, _)| u128::from(weight)).sum::<u128>();
            let is_few = sum < relation.most().or(relation.least()).unwrap_or(0).into();
            if is_few { self.of(at) } else { !self.of(at) }
        };
        formula.constraints().enumerate().map(side).collect()
    }
}

/// One line of OPB: the weights sum up to at least `least`, or a guard is true.
pub(super) struct OpbLine {
    pub(super) terms: Vec<(u64, Lit)>,
    pub(super) least: u128,
    pub(super) guards: Vec<Lit>,
}

/// Parities of more literals have no certificate: they are lines of so many literals, 2ⁿ⁻¹ of them.
pub(super) const LONGEST_PARITY: usize = 8;

/// The sum of a constraint as one of weights; nothing of a parity.
fn weights(constraint: &Constraint<'_>) -> (Vec<(u64, Lit)>, PbRelation) {
    match constraint.sum {
        Sum::Count { lits, relation } => (lits.iter().map(|&lit| (1, lit)).collect(), relation.into()),
        Sum::Weights { terms, relation } => {
            (terms.all().iter().map(|&(lit, weight)| (weight, lit)).collect(), relation)
        }
        Sum::Parity { .. } => (Vec::new(), PbRelation::AtLeast(0)),
    }
}

/// The lines that say a constraint; `few` is the literal by which a sum that is not exactly the bound is below it.
pub(super) fn sides(constraint: &Constraint<'_>, few: Lit) -> Vec<OpbLine> {
    if let Some((lits, odd)) = constraint.parity_of() {
        return clauses_of_parity(lits, odd, constraint.cond);
    }
    let (terms, relation) = weights(constraint);
    let all: u128 = terms.iter().map(|&(weight, _)| u128::from(weight)).sum();
    let mut sides = Vec::new();
    let mut side = |least: bool, bound: u128, when: &[Lit]| {
        let guards = constraint.cond.iter().chain(when).map(|&lit| !lit).collect();
        let terms = terms.iter().map(|&(weight, lit)| (weight, if least { lit } else { !lit })).collect();
        let least = if least { bound } else { all.saturating_sub(bound) };
        sides.push(OpbLine { terms, least, guards });
    };
    let r: Vec<Lit> = constraint.iff.into_iter().collect();
    let most = relation.most().map(u128::from);
    let least = relation.least().map(u128::from);
    least.into_iter().for_each(|least| side(true, least, &r));
    most.into_iter().for_each(|most| side(false, most, &r));
    if let Some(r) = constraint.iff {
        let both = most.is_some() && least.is_some();
        let when = |few: Lit| if both { vec![!r, few] } else { vec![!r] };
        if let Some(least) = least.filter(|&least| least > 0) {
            side(false, least - 1, &when(few));
        }
        if let Some(most) = most {
            side(true, most + 1, &when(!few));
        }
    }
    sides
}

/// The clauses that a parity of [`LONGEST_PARITY`] literals at most is; more have none.
fn clauses_of_parity(lits: &[Lit], odd: bool, cond: &[Lit]) -> Vec<OpbLine> {
    let all = if lits.len() > LONGEST_PARITY { 0 } else { 1_u32 << lits.len() };
    let excluded = (0..all).filter(|values| (values.count_ones() % 2 == 1) != odd);
    let line = |values: u32| {
        let terms = lits.iter().enumerate().map(|(at, &lit)| (1, if values >> at & 1 == 1 { !lit } else { lit }));
        OpbLine { terms: terms.collect(), least: 1, guards: cond.iter().map(|&lit| !lit).collect() }
    };
    excluded.map(line).collect()
}

/// A line of a proof: weights sum up to at most `most` where all of `cond` are true.
#[derive(Debug)]
pub(crate) struct ProofLine {
    pub(crate) terms: Vec<(Lit, u64)>,
    pub(crate) most: u64,
    pub(crate) cond: Vec<Lit>,
    pub(crate) id: Id,
}

impl OpbLine {
    /// This line, by its number.
    pub(super) fn line(&self, id: Id) -> ProofLine {
        let cond = self.guards.iter().map(|&guard| !guard).collect();
        let terms: Vec<(Lit, u64)> = self.terms.iter().map(|&(weight, lit)| (!lit, weight)).collect();
        let all: u128 = terms.iter().map(|&(_, weight)| u128::from(weight)).sum();
        ProofLine { terms, most: (all - self.least) as u64, cond, id }
    }

    /// True if clauses do not say the same as briefly, and it fits what a solver watches with its guards.
    pub(super) fn is_watchable(&self) -> bool {
        let all: u128 = self.terms.iter().map(|&(weight, _)| u128::from(weight)).sum();
        let fits = || all + self.least * self.guards.len() as u128 <= u64::MAX.into();
        self.terms.len() > FEW && self.least <= all && fits()
    }

    pub(super) fn write<W: Write>(&self, lines: &mut Lines<W>) -> io::Result<()> {
        let guards = self.guards.iter().map(|&guard| (self.least, guard));
        let terms = self.terms.iter().map(|&(weight, lit)| (weight.into(), lit));
        lines.sum(guards.chain(terms), self.least);
        lines.end(" ;\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choose::PbEncoding;
    use crate::constrain::Constrain;

    /// Short sums, those that cannot be reached, and those that with a guard are beyond 64 bits are no sums to watch.
    #[test]
    fn what_can_be_watched() {
        let line = |weights: &[u64], least: u128, guards: usize| OpbLine {
            terms: weights.iter().map(|&weight| (weight, Lit::positive(0))).collect(),
            least,
            guards: vec![Lit::positive(1); guards],
        };
        let huge = u64::MAX / 6;
        for (line, expected) in [
            (line(&[1; 5], 2, 0), false),
            (line(&[1; 6], 2, 0), true),
            (line(&[1; 6], 6, 0), true),
            (line(&[1; 6], 7, 0), false),
            (line(&[huge; 6], huge.into(), 0), true),
            (line(&[huge; 6], huge.into(), 1), false),
            (line(&[huge; 6], 3, 1), true),
            (line(&[huge; 6], 4, 1), false),
            (line(&[huge; 6], 3, 2), false),
        ] {
            assert_eq!(line.is_watchable(), expected, "{} {}", line.least, line.guards.len());
        }
    }

    /// All values of four literals and of the literal that says the equality: where the constraint holds its lines do
    /// with the literal by which the sum is below the bound, and where it does not no value of that literal meets them.
    #[test]
    fn lines_of_a_reified_equality_say_it() {
        let terms: Vec<(Lit, u64)> = (0..4).map(|var| (Lit::positive(var), u64::from(var) + 2)).collect();
        let few = FewLits(9).of(0);
        for bound in [5, 6, 7, 8, 9] {
            let mut formula = Formula::with_vars(5);
            formula.pb_iff_exactly(Lit::positive(4), &terms, bound, PbEncoding::Auto).unwrap();
            let constraint = formula.constraints().next().unwrap();
            let lines = sides(&constraint, few);
            for values in 0..32_u32 {
                let is_true = |lit: Lit| (values >> lit.vidx32() & 1 == 1) != lit.is_neg();
                let meets = |few_is: bool| {
                    let is_true = |lit: Lit| if lit.var() == few.var() { few_is != lit.is_neg() } else { is_true(lit) };
                    lines.iter().all(|line| {
                        let sum = line.terms.iter().filter(|&&(_, lit)| is_true(lit));
                        sum.map(|&(weight, _)| u128::from(weight)).sum::<u128>() >= line.least
                            || line.guards.iter().any(|&guard| is_true(guard))
                    })
                };
                let chosen = FewLits(9).sides(&formula, is_true)[0] == few;
                assert_eq!(meets(chosen), constraint.holds(is_true), "{bound} {values:b}");
                assert!(constraint.holds(is_true) || !meets(!chosen), "{bound} {values:b}");
            }
        }
    }
}
