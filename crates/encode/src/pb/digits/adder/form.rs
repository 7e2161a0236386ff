//! The choice of what is added up: digits or their complements, signed or not, beside which constant.

use rustsat::types::Lit;

use super::circuit::{AdderCircuit, AdderComparison};
use super::column::ColumnRole;
use super::digits::{SumDigits, gains_by_sign};
use crate::constraint::Terms;
use crate::relation::PbRelation;

/// The number that a sum is compared with.
#[derive(Clone, Copy, Debug)]
pub(super) enum ComparedNumber {
    Most(u128),
    Least(u128),
    Exactly(u128),
}

impl From<PbRelation> for ComparedNumber {
    fn from(relation: PbRelation) -> Self {
        match relation {
            PbRelation::AtMost(bound) => Self::Most(bound.into()),
            PbRelation::AtLeast(bound) => Self::Least(bound.into()),
            PbRelation::Exactly(bound) => Self::Exactly(bound.into()),
        }
    }
}

/// The circuit of the least estimated cost.
pub(super) fn circuit(terms: &Terms<'_>, relation: PbRelation, full: bool) -> AdderCircuit {
    let mut saturated = Vec::new();
    let (terms, relation) = saturate(terms, relation, &mut saturated);
    let mut best: Option<(u64, AdderCircuit)> = None;
    for signed in [false, true] {
        if signed && !gains_by_sign(&terms) {
            break;
        }
        let mut circuit = AdderCircuit {
            digits: SumDigits::new(&terms, signed),
            negated: false,
            comparison: AdderComparison::Exact(0),
            full,
        };
        if let Some(cost) = circuit.settle(relation.into(), best.as_ref().map(|&(cost, _)| cost)) {
            best = Some((cost, circuit));
        }
    }
    best.expect("there is always a form without signs").1
}

/// The circuit for a sum of weights below 2¹²⁸, defined in both directions.
pub(super) fn wide(terms: &[(Lit, u128)], bound: ComparedNumber) -> AdderCircuit {
    let mut circuit = AdderCircuit {
        digits: SumDigits::wide(terms),
        negated: false,
        comparison: AdderComparison::Exact(0),
        full: true,
    };
    circuit.settle(bound, None);
    circuit
}

/// Weights that are more than what is left of the total above *at most*, or more than *at least*, are no more than just
/// that. Groups are left as they are.
fn saturate<'a>(
    terms: &Terms<'a>,
    relation: PbRelation,
    saturated: &'a mut Vec<(Lit, u64)>,
) -> (Terms<'a>, PbRelation) {
    let most = match relation {
        PbRelation::AtMost(bound) => terms.total() - bound,
        PbRelation::AtLeast(bound) => bound,
        PbRelation::Exactly(_) => u64::MAX,
    };
    if terms.is_grouped() || terms.all().iter().all(|&(_, weight)| weight <= most) {
        return (*terms, relation);
    }
    saturated.extend(terms.all().iter().map(|&(lit, weight)| (lit, weight.min(most))));
    let less: u64 = terms.all().iter().map(|&(_, weight)| weight.saturating_sub(most)).sum();
    let relation = match relation {
        PbRelation::AtMost(bound) => PbRelation::AtMost(bound - less),
        other => other,
    };
    (Terms::new(saturated), relation)
}

impl AdderCircuit {
    /// Takes the form of the least estimated cost; `None` when none is below `limit`.
    fn settle(&mut self, bound: ComparedNumber, limit: Option<u64>) -> Option<u64> {
        let (ComparedNumber::Most(plain) | ComparedNumber::Least(plain) | ComparedNumber::Exactly(plain)) = bound;
        let plain = plain + self.digits.offset;
        let rest = self.digits.greatest() - plain;
        let mut best = limit;
        let mut chosen = None;
        let mut consider = |circuit: &mut Self, negated: bool, comparison: AdderComparison| {
            (circuit.negated, circuit.comparison) = (negated, comparison);
            let cost = circuit.estimate();
            if best.is_none_or(|best| cost < best) {
                best = Some(cost);
                chosen = Some((negated, comparison));
            }
        };
        match bound {
            ComparedNumber::Most(_) => {
                each_most(plain, &mut |comparison| consider(self, false, comparison));
                least(rest).into_iter().for_each(|comparison| consider(self, true, comparison));
            }
            ComparedNumber::Least(_) => {
                least(plain).into_iter().for_each(|comparison| consider(self, false, comparison));
                each_most(rest, &mut |comparison| consider(self, true, comparison));
            }
            ComparedNumber::Exactly(_) => {
                consider(self, false, AdderComparison::Exact(plain));
                consider(self, true, AdderComparison::Exact(rest));
            }
        }
        (self.negated, self.comparison) = chosen?;
        best
    }

    /// Variables and clauses, from the numbers of bits alone: passed literals that meet themselves are not foreseen.
    fn estimate(&self) -> u64 {
        let mut carried = 0;
        let mut cost = 0;
        let bits = |column: usize| self.digits.columns.get(column).map_or(0, Vec::len);
        for (column, role) in (0..).map_while(|column| Some((column, self.comparison.role(column)?))) {
            let bits = bits(column) + carried;
            carried = role.carries(bits);
            cost += role.cost(bits, self.up(), self.down());
            cost += match role {
                ColumnRole::Digit => u64::from(bits > 0 && !self.comparison.has_digit(column)),
                ColumnRole::Top { .. } | ColumnRole::FixedTop => 2 * u64::from(bits > 3),
                _ => 0,
            };
        }
        cost + 1
    }
}

/// *At least*, by a constant that makes it a power of two; `None` where that has more than 128 bits.
fn least(bound: u128) -> Option<AdderComparison> {
    let log = u128::BITS - (bound - 1).leading_zeros();
    let power = 1_u128.checked_shl(log)?;
    Some(AdderComparison::Least { log: log as usize, added: power - bound })
}

/// *At most*, by every constant that makes some more of the lowest digits of the bound 1.
fn each_most(bound: u128, consider: &mut dyn FnMut(AdderComparison)) {
    let digits = u128::BITS - bound.leading_zeros();
    let mut before = None;
    for ones in 0..=digits {
        let added = u128::MAX.checked_shr(u128::BITS - ones).unwrap_or(0) & !bound;
        if before != Some(added) {
            before = Some(added);
            consider(AdderComparison::Most { bound: bound + added, added });
        }
    }
}
