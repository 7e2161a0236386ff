//! A plan as two lists, of sorters and of merges, ready to be emitted any number of times.
//!
//! A [`Program`] is a directed graph without circles: a sorter names its merge and the sorters of its parts, and a
//! merge names the merges inside it, each by its place in the list. What several use is there once. `compile` makes it,
//! `measure` counts its literals, `emit` makes clauses of it.

use std::cell::{Cell, OnceCell};

use super::demand::Demand;
use super::mode::NetworkQuestion;
use super::odd_even::Combine;
use super::shape::{Lens, ShapeMapping, WAYS};
use super::tape::Tape;
use crate::size::Size;

/// Clauses: a sorter or merge of more is not kept as a [`Tape`]. Playing a tape saves the walk down to single clauses,
/// which in large merges is short beside the clauses, and half a thousand tapes of this length stay within a few
/// megabytes (`cargo run --release -p cnfkit-peers -- encode`).
const MOST_KEPT: u64 = 1024;

/// A merge in use: which one, and how it takes its sequences from those at hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct MergeCall {
    pub(super) merge: u32,
    pub(super) lens: Lens,
    /// As in [`ShapeMapping`].
    pub(super) pick: [(u8, u32); WAYS],
    /// As in [`ShapeMapping`].
    pub(super) shift: u32,
}

/// A way to do a merge: a step of the plan with the merges inside it.
#[derive(Clone, Debug)]
pub(super) enum MergeKind {
    Pass,
    Direct { wide: bool },
    OddEven { combine: Combine, tight: bool, odd: Option<MergeCall>, even: Option<MergeCall> },
    Group { mask: u8, first: MergeCall, second: MergeCall, top: MergeCall },
}

/// A merge of sequences of lengths `lens`, of which `ways` are there, for the outputs in `demand`.
#[derive(Clone, Debug)]
pub(super) struct SequenceMerge {
    pub(super) demand: Demand,
    pub(super) ways: usize,
    pub(super) lens: Lens,
    pub(super) kind: MergeKind,
    pub(super) kept: ClauseRoom,
}

/// A sorter of the next `part` inputs.
#[derive(Clone, Debug)]
pub(super) struct Sorter {
    pub(super) part: u32,
    pub(super) kind: Sorting,
    pub(super) kept: ClauseRoom,
}

/// A way to sort inputs.
#[derive(Clone, Debug)]
pub(super) enum Sorting {
    /// One input is sorted.
    Input,
    /// Every output from every subset of the inputs.
    Direct { demand: Demand },
    /// By `ways` sorters, and a merge of what they give.
    Merge { parts: [u32; WAYS], ways: usize, call: MergeCall },
}

/// Room for the clauses of a sorter or merge; none where they are too many to keep.
pub(super) type ClauseRoom = Option<Keep>;

/// The clauses of a sorter or merge, from the second time on that it is emitted: recording them takes several times as
/// long as emitting them once.
#[derive(Clone, Debug, Default)]
pub(super) struct Keep {
    emitted: Cell<bool>,
    tape: OnceCell<Tape>,
}

impl Keep {
    /// The tape, which is made if this is not the first time.
    pub(super) fn tape(&self, record: impl FnOnce() -> Tape) -> Option<&Tape> {
        self.emitted.replace(true).then(|| self.tape.get_or_init(record))
    }
}

/// Room for so many clauses, if they are kept.
pub(super) fn kept(clauses: u64) -> ClauseRoom {
    (1..=MOST_KEPT).contains(&clauses).then(Keep::default)
}

/// Everything to emit for one bound.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) bound: NetworkQuestion,
    /// Exact; with more variables than there can be, there is no telling how many literals.
    pub(super) size: Size,
    pub(super) merges: Vec<SequenceMerge>,
    pub(super) sorters: Vec<Sorter>,
    /// The sorters of the parts at the top, with their inputs; none when every subset is forbidden.
    pub(super) top: Vec<u32>,
    /// The sequences at the top.
    pub(super) settled: Option<ShapeMapping>,
}
