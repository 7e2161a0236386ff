//! Substitution: literals that are equal in all solutions are one in counts and sums of weights.
//!
//! Two literals are equal where a parity says so, be it one that elimination has found, or two clauses a ∨ ¬b and
//! ¬a ∨ b do. What says it is written all the same, so that every variable keeps its value. A count in which a literal
//! comes twice is a sum of weights, and is folded again; it takes the place of what was given unless it is larger, and
//! all of them do if the formula is smaller for it.

use rustc_hash::FxHashSet;
use rustsat::types::Lit;

use super::Formula;
use super::detect::{find, unite};
use super::go_on::TryGoOn;
use super::merge::{Items, MergeItem};
use super::parities::ParityRows;
use super::way::Way;
use crate::constrain::{Folded, Rest, fold_pb};
use crate::constraint::{Constraint, Sum, Terms};
use crate::encode::Full;
use crate::relation::{PbRelation, Relation};

/// For each literal, by index, one that is equal to it; the first of all that are has itself in the end.
#[derive(Debug, Default)]
pub(super) struct EqualLits(Vec<u32>);

impl EqualLits {
    /// The literals of which parities without a condition, or clauses, say that they are equal.
    pub(super) fn new(formula: &Formula, parities: &ParityRows) -> Self {
        let pair = |clause: &[Lit]| match *clause {
            [one, other] if one.var() != other.var() => Some([one.min(other), one.max(other)]),
            _ => None,
        };
        // Places of literals have 32 bits, and there are up to three versions of each constraint.
        let are_many = formula.kept.n_lits() > (u32::MAX / 4) as usize;
        if are_many || formula.constraints().all(|constraint| constraint.parity_of().is_some()) {
            return Self::default();
        }
        // Those whose first literal is positive, or negative.
        let pairs = |sign: bool| formula.clauses().filter_map(pair).filter(move |[one, _]| one.is_pos() == sign);
        let [negative, positive] = [false, true].map(|sign| pairs(sign).count());
        let fewer = positive < negative;
        // Without a look at any clause where there are none.
        let known: FxHashSet<[Lit; 2]> = pairs(fewer).take(negative.min(positive)).collect();
        let both = |[one, other]: &[Lit; 2]| known.contains(&[!*one, !*other]);
        let mut equal: Vec<[Lit; 2]> = pairs(!fewer).filter(both).map(|[one, other]| [!one, other]).collect();
        equal.extend(parities.equal());
        let mut of = Self::default();
        if !equal.is_empty() {
            of.0 = (0..2 * formula.n_vars() as u32).collect();
        }
        for [one, other] in equal {
            if of.first(one).var() != of.first(other).var() {
                unite(&mut of.0, one.lidx() as u32, other.lidx() as u32);
                unite(&mut of.0, (!one).lidx() as u32, (!other).lidx() as u32);
            }
        }
        of
    }

    pub(super) const fn are_some(&self) -> bool {
        !self.0.is_empty()
    }

    /// The first of all literals that are equal to this one.
    pub(super) fn first(&mut self, lit: Lit) -> Lit {
        let index = find(&mut self.0, lit.lidx() as u32);
        Lit::new(index / 2, index % 2 == 1)
    }

    /// Constraints that say the same as this one of a formula where equal literals are one; none where it has no other
    /// literals then, where these are in groups or have an order, where what it is equivalent to would be among them,
    /// or where what they say of a reified sum decides some of them.
    pub(super) fn substituted(&mut self, formula: &Formula, constraint: &Constraint<'_>) -> Option<Folded<'static>> {
        let (lits, terms, relation) = match constraint.sum {
            Sum::Count { lits, relation } => (lits, &[][..], PbRelation::from(relation)),
            Sum::Weights { terms, relation } if !terms.is_grouped() => (&[][..], terms.all(), relation),
            _ => return None,
        };
        if !self.are_some() || constraint.in_order {
            return None;
        }
        let given = lits.iter().map(|&lit| (lit, 1)).chain(terms.iter().copied());
        let mut terms: Vec<(Lit, u64)> = given.map(|(lit, weight)| (self.first(lit), weight)).collect();
        // Literals of the condition are true where it matters.
        let cond: Vec<Lit> = constraint.cond.iter().map(|&lit| self.first(lit)).collect();
        let mut known = terms.iter().filter(|(lit, _)| cond.contains(lit));
        let known = known.try_fold(0_u64, |all, &(_, weight)| all.checked_add(weight))?;
        let relation = match relation {
            PbRelation::AtMost(k) => PbRelation::AtMost(k.checked_sub(known)?),
            PbRelation::AtLeast(k) => PbRelation::AtLeast(k.saturating_sub(known)),
            PbRelation::Exactly(k) => PbRelation::Exactly(k.checked_sub(known)?),
        };
        let is_same = terms.iter().map(|&(lit, _)| lit).eq(constraint.lits());
        terms.retain(|(lit, _)| !cond.contains(lit) && !cond.contains(&!*lit));
        let has = |other: &Lit| terms.iter().any(|(lit, _)| lit.var() == other.var());
        if is_same && known == 0 || constraint.iff.iter().chain(constraint.cond).any(has) {
            return None;
        }
        let folded = fold_pb(formula, &Terms::new(&terms), relation);
        let is_open = folded.units.is_empty() && folded.rest.constraint().is_some();
        let is_kept = folded.clauses.is_empty() && (is_open || constraint.iff.is_none());
        is_kept.then_some(folded)
    }
}

/// The constraints that are left of a given one when it is folded.
pub(super) fn parts<'c>(folded: &'c Folded<'_>, given: &Constraint<'c>) -> impl Iterator<Item = Constraint<'c>> {
    let Folded { units, rest, .. } = folded;
    let units = (!units.is_empty()).then(|| Constraint::count(units, Relation::AtLeast(units.len())));
    let never = (*rest == Rest::Never).then(|| Constraint::count(&[], Relation::AtLeast(1)));
    let (cond, iff) = (given.cond, given.iff);
    units.into_iter().chain(never).chain(rest.constraint()).map(move |mut part| {
        (part.cond, part.iff) = (cond, iff);
        part
    })
}

impl Items {
    /// The constraint of this number where equal literals are one, as two items at most, unless these are larger;
    /// `None` where it stays as it is.
    pub(super) fn substitute(
        &mut self,
        formula: &Formula,
        equal: &mut EqualLits,
        (from, given): (u32, &Constraint<'_>),
        go_on: &mut TryGoOn<'_>,
    ) -> Result<Option<Vec<MergeItem>>, Full> {
        let Some(folded) = equal.substituted(formula, given) else { return Ok(None) };
        let asked = formula.kept.asked(from as usize);
        let all: Vec<MergeItem> = parts(&folded, given).filter_map(|part| self.item(from, &part, asked)).collect();
        let before = self.item(from, given, asked);
        let cost = |items: &[MergeItem], go_on: &mut TryGoOn<'_>| -> u64 {
            let mut cost =
                |item| Way::new(self, item, &mut || go_on().is_ok()).size(self, item, formula.n_vars()).cost();
            items.iter().map(&mut cost).sum()
        };
        let (after, before) = (cost(&all, go_on), cost(before.as_slice(), go_on));
        go_on()?;
        self.gains |= after < before;
        if after > before {
            return Ok(None);
        }
        self.substituted.push(from);
        Ok(Some(all))
    }
}
