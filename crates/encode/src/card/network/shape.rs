//! A merge up to symmetry, a [`MergeShape`]; how sequences at hand are brought into it, a [`ShapeMapping`]; and the
//! smaller merges it is made of.
//!
//! # Trimming
//!
//! Two kinds of elements cannot matter to a merge whose outputs `lo` to `hi` are needed, and [`MergeShape::new`] drops
//! both:
//!
//! * An element past place `hi` of its sequence: it is true only when output `hi` is true anyway.
//! * The first elements of a sequence that is so long that the others cannot fill up to `lo` without them. Outputs
//!   below `lo` are not asked for, so nothing is lost when these elements count as true. With d of them gone, every
//!   output moves down by d: that is the `shift`.
//!
//! Dropping some may make others superfluous, so this goes on until nothing changes. Afterwards `hi` is at least the
//! length of every sequence, and `lo` at most the number of elements outside any one sequence, plus 1: the invariant of
//! a `MergeShape`. Nothing breaks it, because a `MergeShape` is never changed; the merges inside one are trimmed anew.

use super::demand::{Demand, Span};
use super::mode::Mode;
use super::odd_even::Combine;
use super::shares::shares;

/// The most sorted sequences that one merge takes.
pub(super) const WAYS: usize = 4;

/// The lengths of the sequences of a merge; those that are not there are 0.
pub(super) type Lens = [u32; WAYS];

/// Past this output three or four sequences are not merged directly: at 100 that would take about 5,000 clauses for one
/// output of three, and far above it the count would overflow. A direct merge of three or four wins up to 20 outputs
/// (`plan`).
const MOST_DIRECT_OUTPUT: u32 = 100;
/// A merge up to symmetry: lengths from the longest down, trimmed. Merges of the same shape are planned once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct MergeShape {
    pub(super) lens: Lens,
    pub(super) demand: Demand,
}

/// The way from the sequences at hand to those of a [`MergeShape`].
#[derive(Clone, Copy, Debug)]
pub(super) struct ShapeMapping {
    pub(super) shape: MergeShape,
    /// For each sequence of the shape: which one it is, and how many elements at its start are known to be true.
    pub(super) pick: [(u8, u32); WAYS],
    /// By how much outputs moved down.
    pub(super) shift: u32,
}

impl MergeShape {
    /// The shape of a merge of sequences in any order.
    #[inline]
    pub(super) fn new(mut lens: Lens, mut demand: Demand) -> Self {
        trim(&mut lens, &mut demand);
        EXCHANGES.iter().for_each(|&(i, j)| (lens[i], lens[j]) = (lens[i].max(lens[j]), lens[i].min(lens[j])));
        Self { lens, demand }
    }

    /// The whole shape in two numbers, a key that is fast to hash; none where a length has more than 16 bits.
    #[inline]
    pub(super) fn packed(&self) -> Option<(u64, u64)> {
        let (lens, Demand { up, down }) = (self.lens, self.demand);
        let pack = |parts: [u32; WAYS]| parts.into_iter().fold(0, |packed, part| packed << 16 | u64::from(part));
        let highest = lens[0] | up.hi | down.hi | up.lo | down.lo;
        (highest < 1 << 16).then(|| (pack(lens), pack([up.lo, up.hi, down.lo, down.hi])))
    }

    /// The shape of a merge, and which sequence takes which place in it.
    pub(super) fn settle(mut lens: Lens, mut demand: Demand) -> ShapeMapping {
        let (drops, shift) = trim(&mut lens, &mut demand);
        // The longest first.
        let mut order: [u64; WAYS] = std::array::from_fn(|i| u64::from(!lens[i]) << 8 | i as u64);
        order.sort_unstable();
        let pick = order.map(|key| (key as u8, drops[usize::from(key as u8)]));
        let lens = pick.map(|(i, _)| lens[usize::from(i)]);
        ShapeMapping { shape: Self { lens, demand }, pick, shift }
    }

    /// The number of sequences.
    pub(super) fn ways(&self) -> usize {
        self.lens.iter().filter(|&&len| len > 0).count()
    }

    /// The last step, when odd and even places are merged apart.
    pub(super) fn combine(&self) -> Combine {
        Combine {
            ways: self.ways() as u32,
            odd: self.lens.iter().map(|len| len.div_ceil(2)).sum(),
            even: self.lens.iter().map(|len| len / 2).sum(),
        }
    }

    /// Clauses of the direct merge: one for every way to share an output among the sequences; [`u64::MAX`] when out of
    /// the question.
    pub(super) fn direct_clauses(&self) -> u64 {
        if self.ways() > 2 && self.demand.hull().hi > MOST_DIRECT_OUTPUT {
            return u64::MAX;
        }
        let lens = &self.lens[..self.ways()];
        shares(lens, self.demand.up, 0) + shares(lens, self.demand.down, 1)
    }

    /// True when the last output may be the conjunction of the last elements of two sequences: it is asked for, and
    /// only up.
    pub(super) fn last_is_pair(&self) -> bool {
        let last = self.lens.iter().sum();
        self.ways() == 2 && self.demand.up.contains(last) && self.demand.down.is_empty()
    }

    /// The merges of odd and of even places; none where the last step needs nothing of them.
    pub(super) fn halves(&self, mode: Mode) -> [Option<(Lens, Demand)>; 2] {
        let (odd, even) = self.combine().demands(self.demand);
        let (odd, even) = (mode.merged(odd), mode.merged(even));
        let half = |up: u32, demand: Demand| {
            let mut lens = self.lens;
            lens.iter_mut().for_each(|len| *len = u32::midpoint(*len, up));
            (!demand.hull().is_empty()).then_some((lens, demand))
        };
        [half(1, odd), half(0, even)]
    }

    /// The merges of the sequences in `mask`, of the others, and of the two results.
    pub(super) fn groups(&self, mask: u8) -> [(Lens, Demand); 3] {
        let (mut first, mut second) = ([0; WAYS], [0; WAYS]);
        for (i, &len) in self.lens.iter().enumerate() {
            *(if mask >> i & 1 == 1 { &mut first[i] } else { &mut second[i] }) = len;
        }
        let (inner, outer) = (first.iter().sum(), second.iter().sum());
        [
            (first, self.demand.cone(inner, outer).levelled()),
            (second, self.demand.cone(outer, inner).levelled()),
            ([inner, outer, 0, 0], self.demand),
        ]
    }
}

/// The comparators that sort four numbers.
const EXCHANGES: [(usize, usize); 5] = [(0, 1), (2, 3), (0, 2), (1, 3), (1, 2)];

/// Drops what cannot matter; returns how many elements went at the start of each sequence, and by how much outputs
/// moved down.
#[inline]
fn trim(lens: &mut Lens, demand: &mut Demand) -> (Lens, u32) {
    if shorten(lens, *demand) { (Lens::default(), 0) } else { drop_true_ones(lens, demand) }
}

/// Drops elements past the highest output; true when that is all there is to drop.
#[inline]
fn shorten(lens: &mut Lens, demand: Demand) -> bool {
    let Span { lo, hi } = demand.hull();
    *lens = lens.map(|len| len.min(hi));
    let total: u32 = lens.iter().sum();
    // The longest sequence loses most.
    let longest = lens[0].max(lens[1]).max(lens[2].max(lens[3]));
    lo + longest <= total + 1
}

/// Drops elements that count as true at the start, and what then is past the highest output, until nothing is left to
/// drop.
#[cold]
fn drop_true_ones(lens: &mut Lens, demand: &mut Demand) -> (Lens, u32) {
    let mut drops = [0; WAYS];
    let mut shift = 0;
    while !shorten(lens, *demand) {
        let total: u32 = lens.iter().sum();
        let mut dropped = 0;
        for (len, drop) in lens.iter_mut().zip(&mut drops) {
            let true_ones = (demand.hull().lo - 1).saturating_sub(total - *len);
            *len -= true_ones;
            *drop += true_ones;
            dropped += true_ones;
        }
        shift += dropped;
        *demand = demand.down_by(dropped);
    }
    (drops, shift)
}
