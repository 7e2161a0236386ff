//! Sums of weights are planned once for the size of the whole formula, and written when that was announced. Planning
//! takes longer than writing: [`Plans`] keeps what was planned.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use rustsat::types::Lit;

use crate::PbEncoding;
use crate::encode::{PbPlan, PseudoBoolean, Terms};
use crate::offer::Aim;
use crate::relation::PbRelation;

/// A plan of an encoding that is chosen, shared with those that are kept.
type Shared = Rc<<PbEncoding as PseudoBoolean>::Plan>;

/// Plans in the order in which they were made, from the first time that they are asked for to the second.
pub(in crate::formula) struct Plans {
    kept: RefCell<VecDeque<Kept>>,
    /// The literals of plans for which there is room.
    room: Cell<u64>,
    /// Plans are asked for a second time.
    again: Cell<bool>,
}

struct Kept {
    encoding: PbEncoding,
    terms: Vec<(Lit, u64)>,
    ends: Vec<usize>,
    relation: PbRelation,
    plan: Shared,
}

impl Plans {
    /// Literals of the plans that a formula keeps, which are some 100 MB.
    pub(in crate::formula) const ROOM: u64 = 1 << 23;

    /// So many plans are compared with what is asked for: of a sum that a sink knows more of, or takes as it is, the
    /// plan is not asked for again.
    const NEAR: usize = 8;

    /// No plans, and room for so many literals.
    pub(in crate::formula) const fn new(room: u64) -> Self {
        Self { kept: RefCell::new(VecDeque::new()), room: Cell::new(room), again: Cell::new(false) }
    }

    /// From now on plans are asked for a second time.
    pub(in crate::formula) fn begin_again(&self) {
        self.again.set(true);
    }

    /// An encoding whose plans are kept here, or taken from here.
    pub(in crate::formula) const fn of(&self, encoding: PbEncoding) -> Planning<'_> {
        Planning { encoding, plans: self }
    }

    /// Takes what was kept for that, and leaves out what was kept before it.
    fn take(&self, encoding: PbEncoding, terms: &Terms<'_>, relation: PbRelation) -> Option<Shared> {
        let mut kept = self.kept.borrow_mut();
        let same = |kept: &Kept| {
            kept.encoding == encoding && kept.relation == relation && Terms::of(&kept.terms, &kept.ends) == *terms
        };
        let at = kept.iter().take(Self::NEAR).position(same)?;
        kept.drain(..=at).next_back().map(|found| found.plan)
    }

    fn keep(&self, encoding: PbEncoding, terms: &Terms<'_>, relation: PbRelation, plan: &Shared) {
        let Some(room) = self.room.get().checked_sub(plan.size().lits) else { return };
        self.room.set(room);
        let ends = terms.groups().scan(0, |end, group| {
            *end += group.len();
            Some(*end)
        });
        let ends = if terms.is_grouped() { ends.collect() } else { Vec::new() };
        let (terms, plan) = (terms.all().to_vec(), Rc::clone(plan));
        self.kept.borrow_mut().push_back(Kept { encoding, terms, ends, relation, plan });
    }
}

/// An encoding, and the plans that it has made before.
pub(in crate::formula) struct Planning<'p> {
    encoding: PbEncoding,
    plans: &'p Plans,
}

impl PseudoBoolean for Planning<'_> {
    type Plan = Shared;

    fn plan(&self, terms: &Terms<'_>, relation: PbRelation) -> Option<Shared> {
        if self.plans.again.get()
            && let Some(plan) = self.plans.take(self.encoding, terms, relation)
        {
            return Some(plan);
        }
        let plan = Rc::new(self.encoding.plan(terms, relation)?);
        if !self.plans.again.get() {
            self.plans.keep(self.encoding, terms, relation, &plan);
        }
        Some(plan)
    }

    fn aim(&self) -> Option<Aim> {
        self.encoding.aim()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(weights: &[u64]) -> Vec<(Lit, u64)> {
        (0..).map(Lit::positive).zip(weights.iter().copied()).collect()
    }

    /// What is asked for again in the same order comes from memory, also where some is left out, and anything else is
    /// planned anew.
    #[test]
    fn plans_are_made_once() {
        let sums = [terms(&[3, 5, 7]), terms(&[2, 3, 4]), terms(&[5, 6, 8])];
        let plans = Plans::new(1000);
        let planning = plans.of(PbEncoding::Auto);
        let first: Vec<Shared> =
            sums.iter().map(|sum| planning.plan(&Terms::new(sum), PbRelation::AtMost(9)).unwrap()).collect();
        plans.begin_again();
        let is_first = |at: usize, relation| {
            let again = planning.plan(&Terms::new(&sums[at]), relation).unwrap();
            Rc::ptr_eq(&first[at], &again)
        };
        assert!(is_first(0, PbRelation::AtMost(9)));
        assert!(!is_first(1, PbRelation::AtMost(8)) && !is_first(1, PbRelation::AtLeast(9)));
        assert!(is_first(2, PbRelation::AtMost(9)));
        assert!(!is_first(1, PbRelation::AtMost(9)), "left out");
        let groups = Terms::grouped(&sums[0], &[1, 3]);
        let plans = Plans::new(1000);
        let grouped = plans.of(PbEncoding::Auto).plan(&groups, PbRelation::AtMost(9)).unwrap();
        plans.begin_again();
        let alone = plans.of(PbEncoding::Auto).plan(&Terms::new(&sums[0]), PbRelation::AtMost(9)).unwrap();
        let again = plans.of(PbEncoding::Auto).plan(&groups, PbRelation::AtMost(9)).unwrap();
        assert!(!Rc::ptr_eq(&grouped, &alone) && Rc::ptr_eq(&grouped, &again));
    }

    #[test]
    fn what_there_is_no_room_for_is_not_kept() {
        let sum = terms(&[3, 5, 7]);
        let plans = Plans::new(2);
        plans.of(PbEncoding::Auto).plan(&Terms::new(&sum), PbRelation::AtMost(9)).unwrap();
        assert!(plans.kept.borrow().is_empty() && plans.room.get() == 2);
    }

    /// A sink that knows values gets what it would have got without memory.
    #[cfg(feature = "any-solver")]
    #[test]
    fn a_sink_that_knows_more_gets_other_clauses() {
        use crate::{ClauseSink, Cnf, Constrain, Formula};

        let mut formula = Formula::with_vars(6);
        let weights = [terms(&[3, 5, 7, 11, 4, 6]), terms(&[2, 3, 9, 5, 7, 8]), terms(&[1, 4, 6, 8, 9, 11])];
        for sum in &weights {
            formula.pb_at_most(sum, 17, &PbEncoding::Auto).unwrap();
        }
        for cond in [vec![], vec![Lit::positive(0)], vec![Lit::negative(3), Lit::positive(1)]] {
            let mut cnf = Cnf::with_vars(6);
            formula.encode_into(&mut cnf.when(&cond)).unwrap();
            let mut models = 0;
            for bits in 0..64_u32 {
                let lit = |at: u32| Lit::new(at, bits >> at & 1 == 0);
                let holds = |lit: &Lit| lit.is_pos() == (bits >> lit.vidx32() & 1 == 1);
                let weight = |sum: &Vec<(Lit, u64)>| -> u64 {
                    sum.iter().filter(|(lit, _)| holds(lit)).map(|&(_, weight)| weight).sum()
                };
                let expected = !cond.iter().all(holds) || weights.iter().all(|sum| weight(sum) <= 17);
                let mut whole = cnf.clone();
                (0..6).for_each(|at| whole.add_clause(&[lit(at)]).unwrap());
                assert_eq!(whole.solve().unwrap().is_some(), expected, "{bits:b} under {cond:?}");
                models += u32::from(expected);
            }
            assert!((1..64).contains(&models));
        }
    }
}
