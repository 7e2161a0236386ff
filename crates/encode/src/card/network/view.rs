//! The place of a sorted sequence: every so many-th place of a list, so that odd or even places are a sequence without
//! being moved.
//!
//! `emit` keeps wires in such a list and `measure` their lengths; both walk through a program alike.

use super::shape::{Lens, WAYS};

/// A sorted sequence in a list.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SequenceView {
    pub(super) start: usize,
    pub(super) stride: usize,
    pub(super) len: usize,
}

impl SequenceView {
    /// The place of element `index`, from 1.
    pub(super) fn at(self, index: u32) -> usize {
        self.start + (index as usize - 1) * self.stride
    }

    /// The odd places, or with `skip` 1 the even ones. [`pick`] sets the end.
    pub(super) fn every_other(self, skip: usize) -> Self {
        Self { start: self.start.wrapping_add(skip * self.stride), stride: 2 * self.stride, len: 0 }
    }
}

/// Sequences of lengths `lens` one after another from `start` on.
pub(super) fn adjacent(mut start: usize, lens: Lens) -> [SequenceView; WAYS] {
    lens.map(|len| {
        let view = SequenceView { start, stride: 1, len: len as usize };
        start += view.len;
        view
    })
}

/// The outputs of a sorter or merge: where output `lo`, the first that is needed, is.
#[derive(Clone, Copy, Debug)]
pub(super) struct NetworkOutputs {
    pub(super) start: usize,
    pub(super) lo: u32,
}

impl NetworkOutputs {
    /// The place of output `index`.
    pub(super) fn at(self, index: u32) -> usize {
        self.start + (index - self.lo) as usize
    }

    /// A sequence that begins at output 1, be it there or not; [`pick`] sets the end.
    pub(super) fn view(self) -> SequenceView {
        SequenceView { start: self.start.wrapping_sub(self.lo as usize - 1), stride: 1, len: 0 }
    }
}

/// The sequences of a merge from those at hand: for each, which one it is and how many elements at its start are
/// dropped.
pub(super) fn pick(views: &[SequenceView; WAYS], pick: &[(u8, u32); WAYS], lens: Lens) -> [SequenceView; WAYS] {
    std::array::from_fn(|i| {
        let (which, drop) = pick[i];
        let view = views[usize::from(which)];
        SequenceView {
            start: view.start.wrapping_add(drop as usize * view.stride),
            stride: view.stride,
            len: lens[i] as usize,
        }
    })
}
