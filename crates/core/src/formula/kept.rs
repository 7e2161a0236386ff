//! Constraints as they were given, flat in memory: four bytes a literal and a record a constraint.

use rustsat::types::Lit;

use crate::offer::{Aim, Offer};
use crate::relation::Relation;

/// All constraints of a formula.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    /// Condition and literals of each constraint, one after the other.
    lits: Vec<Lit>,
    records: Vec<Record>,
}

#[derive(Clone, Copy, Debug)]
struct Record {
    cond_end: u32,
    end: u32,
    iff: Option<Lit>,
    relation: Relation,
    in_order: bool,
    aim: Aim,
}

impl Kept {
    /// As many literals, and as many constraints, as four-byte positions can tell apart.
    pub(super) const MOST: usize = u32::MAX as usize;

    /// True if another constraint with so many literals, its condition included, finds room.
    pub(super) fn has_room(&mut self, lits: usize) -> bool {
        self.lits.len().checked_add(lits).is_some_and(|sum| sum <= Self::MOST)
            && self.records.len() < Self::MOST
            && self.lits.try_reserve(lits).is_ok()
            && self.records.try_reserve(1).is_ok()
    }

    pub(super) fn push(&mut self, constraint: &Offer<'_>) {
        let &Offer { cond, iff, lits, relation, in_order, aim } = constraint;
        self.lits.extend_from_slice(cond);
        let cond_end = self.lits.len() as u32;
        self.lits.extend_from_slice(lits);
        let end = self.lits.len() as u32;
        self.records.push(Record { cond_end, end, iff, relation, in_order, aim });
    }

    pub(super) fn len(&self) -> usize {
        self.records.len()
    }

    pub(super) fn n_lits(&self) -> usize {
        self.lits.len()
    }

    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = Offer<'_>> {
        (0..self.records.len()).map(|index| self.get(index))
    }

    fn get(&self, index: usize) -> Offer<'_> {
        let Record { cond_end, end, iff, relation, in_order, aim } = self.records[index];
        let start = if index == 0 { 0 } else { self.records[index - 1].end };
        let cond = &self.lits[start as usize..cond_end as usize];
        let lits = &self.lits[cond_end as usize..end as usize];
        Offer { cond, iff, in_order, ..Offer::new(lits, relation, aim) }
    }
}
