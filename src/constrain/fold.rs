//! Folding: a literal slice loses what is constant, what cancels out, and its order, before anything is encoded.

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use rustsat::types::Lit;

use super::{Relation, check_known};
use crate::AtMostK;
use crate::sink::{ClauseSink, Size};

#[derive(Clone, Copy)]
pub(super) struct Bounds {
    pub(super) least: usize,
    pub(super) most: usize,
}

/// Inputs without constants and complementary pairs.
pub(super) struct Folded<'a> {
    pub(super) lits: Cow<'a, [Lit]>,
    /// How many inputs were found to be true: constants, and one for each complementary pair.
    pub(super) taken: usize,
    /// Some literal is left more than once.
    pub(super) repeats: bool,
}

pub(super) fn strictly_increasing(lits: &[Lit]) -> bool {
    lits.windows(2).all(|pair| pair[0].var() < pair[1].var())
}

pub(super) fn fold<'a, S: ClauseSink + ?Sized>(sink: &S, lits: &'a [Lit]) -> Folded<'a> {
    check_known(sink, lits);
    let mut taken = 0;
    let mut kept = Cow::Borrowed(lits);
    if sink.fixes_any() && lits.iter().any(|&lit| sink.fixed(lit).is_some()) {
        taken = lits.iter().filter(|&&lit| sink.fixed(lit) == Some(true)).count();
        kept = lits.iter().copied().filter(|&lit| sink.fixed(lit).is_none()).collect();
    }
    if strictly_increasing(&kept) {
        return Folded { lits: kept, taken, repeats: false };
    }
    let mut sorted = kept.to_vec();
    sorted.sort_unstable();
    if strictly_increasing(&sorted) {
        let lits = if sink.sorts_inputs() { Cow::Owned(sorted) } else { kept };
        return Folded { lits, taken, repeats: false };
    }
    // Some variable occurs twice: a literal and its negation are worth one together.
    let mut left: FxHashMap<Lit, usize> = FxHashMap::default();
    let mut repeats = false;
    for group in sorted.chunk_by(|a, b| a.var() == b.var()) {
        let positive = group.iter().filter(|lit| lit.is_pos()).count();
        let negative = group.len() - positive;
        taken += positive.min(negative);
        let lit = group[0].var().lit(negative > positive);
        repeats |= positive.abs_diff(negative) > 1;
        left.insert(lit, positive.abs_diff(negative));
    }
    let order = if sink.sorts_inputs() { &sorted } else { &*kept };
    let lits = order
        .iter()
        .copied()
        .filter(|lit| match left.get_mut(lit) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        })
        .collect();
    Folded { lits: Cow::Owned(lits), taken, repeats }
}

/// What bounds on n distinct literals come to.
#[derive(Clone, Copy)]
pub(super) enum Case {
    Nothing,
    NoneTrue,
    AllTrue,
    Relation(Relation),
}

impl Case {
    /// `bounds.least <= n`.
    pub(super) const fn of(n: usize, Bounds { least, most }: Bounds) -> Self {
        match (least, most) {
            (0, most) if most >= n => Self::Nothing,
            (_, 0) => Self::NoneTrue,
            (least, _) if least == n => Self::AllTrue,
            (0, most) => Self::Relation(Relation::AtMost(most)),
            (least, most) if most >= n => Self::Relation(Relation::AtLeast(least)),
            (k, _) => Self::Relation(Relation::Exactly(k)),
        }
    }

    pub(super) fn size<E: AtMostK + ?Sized>(self, enc: &E, n: usize) -> Size {
        match self {
            Self::Nothing => Size::ZERO,
            Self::NoneTrue | Self::AllTrue => Size::clauses(n as u64, 1),
            Self::Relation(relation) => relation.size(enc, n),
        }
    }
}
