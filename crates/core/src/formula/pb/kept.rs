//! Constraints on sums of weights as they were given, flat in memory: 16 bytes a term and a record a constraint.

use rustsat::types::Lit;

use crate::offer::{Aim, PbOffer};
use crate::relation::PbRelation;

/// All constraints on sums of weights of a formula.
#[derive(Clone, Debug, Default)]
pub(in crate::formula) struct KeptPb {
    /// The condition of each constraint, one after the other.
    conds: Vec<Lit>,
    /// The terms of each constraint, one after the other.
    terms: Vec<(Lit, u64)>,
    /// Where the groups of each constraint end among its own terms.
    group_ends: Vec<usize>,
    records: Vec<Record>,
}

#[derive(Clone, Copy, Debug)]
struct Record {
    cond_end: usize,
    terms_end: usize,
    groups_end: usize,
    iff: Option<Lit>,
    relation: PbRelation,
    in_order: bool,
    aim: Aim,
}

impl KeptPb {
    /// True if another constraint with so many terms, groups and conditions finds room.
    pub(in crate::formula) fn has_room(&mut self, offer: &PbOffer<'_>) -> bool {
        self.conds.try_reserve(offer.cond.len()).is_ok()
            && self.terms.try_reserve(offer.terms.len()).is_ok()
            && self.group_ends.try_reserve(offer.group_ends.len()).is_ok()
            && self.records.try_reserve(1).is_ok()
    }

    pub(in crate::formula) fn push(&mut self, offer: &PbOffer<'_>) {
        let &PbOffer { cond, iff, terms, group_ends, relation, in_order, aim } = offer;
        self.conds.extend_from_slice(cond);
        self.terms.extend_from_slice(terms);
        self.group_ends.extend_from_slice(group_ends);
        let (cond_end, terms_end, groups_end) = (self.conds.len(), self.terms.len(), self.group_ends.len());
        self.records.push(Record { cond_end, terms_end, groups_end, iff, relation, in_order, aim });
    }

    pub(in crate::formula) fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    pub(in crate::formula) fn len(&self) -> usize {
        self.records.len()
    }

    /// The number of literals of conditions and terms.
    pub(in crate::formula) fn n_lits(&self) -> usize {
        self.conds.len() + self.terms.len()
    }

    pub(in crate::formula) fn iter(&self) -> impl ExactSizeIterator<Item = PbOffer<'_>> {
        (0..self.records.len()).map(|index| self.get(index))
    }

    fn get(&self, index: usize) -> PbOffer<'_> {
        let Record { cond_end, terms_end, groups_end, iff, relation, in_order, aim } = self.records[index];
        let before = index.checked_sub(1).map(|before| self.records[before]);
        let [cond, terms, groups] =
            before.map_or([0; 3], |before| [before.cond_end, before.terms_end, before.groups_end]);
        PbOffer {
            cond: &self.conds[cond..cond_end],
            iff,
            group_ends: &self.group_ends[groups..groups_end],
            in_order,
            ..PbOffer::new(&self.terms[terms..terms_end], relation, aim)
        }
    }
}
