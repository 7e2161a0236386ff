//! Lines of OPB that say constraints, one for each side of a bound.

use std::io;

use rustsat::types::{Lit, Var};

use super::Formula;
use super::keep::{KeptConstraints, half_bits};
use crate::certify::{Id, Lines};
use crate::constraint::{Constraint, Sum};
use crate::relation::PbRelation;

/// Sums of so few literals are encoded at once, also where they could be watched.
const FEW: usize = 5;

/// The literals of the constraints that only OPB has, from this variable on, one or more of each: that by which the sum
/// of a reified equality is below its bound, and the bits of half the sum of a long parity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpbLits(pub(crate) u32);

impl OpbLits {
    /// The last variables that there are, for clauses whose number of variables is not known.
    pub(super) fn last(formula: &Formula) -> Self {
        Self(Var::MAX_IDX - formula.kept.own_before(formula.kept.len()))
    }

    /// The first literal of a constraint.
    pub(super) fn of(self, kept: &KeptConstraints, constraint: usize) -> Lit {
        Lit::positive(self.0 + kept.own_before(constraint))
    }

    /// The literals, true or false, where those of the formula are.
    pub(crate) fn values(self, formula: &Formula, is_true: impl Fn(Lit) -> bool) -> Vec<Lit> {
        let mut values = Vec::new();
        for (constraint, at) in formula.constraints().zip(1..) {
            let (terms, relation) = weights(&constraint);
            let sum =
                terms.iter().filter(|&&(_, lit)| is_true(lit)).map(|&(weight, _)| u128::from(weight)).sum::<u128>();
            let bound = relation.most().or(relation.least()).unwrap_or(0);
            let bits = if constraint.parity_of().is_some() { sum / 2 } else { (sum < bound.into()).into() };
            let first = values.len() as u32;
            let own = first..formula.kept.own_before(at);
            values.extend(own.map(|var| Lit::new(self.0 + var, bits >> (var - first) & 1 == 0)));
        }
        values
    }
}

/// One line of OPB: the weights sum up to at least `least`, or a guard is true.
pub(super) struct OpbLine {
    pub(super) terms: Vec<(u64, Lit)>,
    pub(super) least: u128,
    pub(super) guards: Vec<Lit>,
}

/// The sum of a constraint as one of weights; that of a parity has no bound.
fn weights(constraint: &Constraint<'_>) -> (Vec<(u64, Lit)>, PbRelation) {
    match constraint.sum {
        Sum::Count { lits, relation } => (lits.iter().map(|&lit| (1, lit)).collect(), relation.into()),
        Sum::Weights { terms, relation } => {
            (terms.all().iter().map(|&(lit, weight)| (weight, lit)).collect(), relation)
        }
        Sum::Parity { lits, .. } => (lits.iter().map(|&lit| (1, lit)).collect(), PbRelation::AtLeast(0)),
    }
}

/// The lines that say a constraint; `few` is the literal by which a sum that is not exactly the bound is below it, or
/// the first bit of half a sum.
pub(super) fn sides(constraint: &Constraint<'_>, few: Lit) -> Vec<OpbLine> {
    if let Some((lits, odd)) = constraint.parity_of() {
        return match half_bits(lits.len(), odd) {
            0 => clauses_of_parity(lits, odd, constraint.cond),
            bits => sums_of_parity(lits, odd, constraint.cond, (0..bits).map(|bit| Lit::positive(few.vidx32() + bit))),
        };
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

/// The two lines of a parity as a sum: so many literals are true as twice a number says, and one more if that is odd.
fn sums_of_parity(lits: &[Lit], odd: bool, cond: &[Lit], half: impl Iterator<Item = Lit>) -> Vec<OpbLine> {
    let half: Vec<(u64, Lit)> = (1..).zip(half).map(|(power, lit)| (1 << power, lit)).collect();
    let all: u64 = half.iter().map(|(weight, _)| weight).sum();
    let side = |is_least: bool, least: u64| {
        let lits = lits.iter().map(|&lit| (1, if is_least { lit } else { !lit }));
        let half = half.iter().map(|&(weight, lit)| (weight, if is_least { !lit } else { lit }));
        let guards = cond.iter().map(|&lit| !lit).collect();
        OpbLine { terms: lits.chain(half).collect(), least: least.into(), guards }
    };
    vec![side(true, all + u64::from(odd)), side(false, lits.len() as u64 - u64::from(odd))]
}

/// The clauses of a short parity.
fn clauses_of_parity(lits: &[Lit], odd: bool, cond: &[Lit]) -> Vec<OpbLine> {
    let excluded = (0..1_u32 << lits.len()).filter(|values| (values.count_ones() % 2 == 1) != odd);
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

    pub(super) fn write(&self, lines: &mut Lines<'_>) -> io::Result<()> {
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
        let few = Lit::positive(9);
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
                let chosen = OpbLits(9).values(&formula, is_true)[0] == few;
                assert_eq!(meets(chosen), constraint.holds(is_true), "{bound} {values:b}");
                assert!(constraint.holds(is_true) || !meets(!chosen), "{bound} {values:b}");
            }
        }
    }
}
