//! Without the feature `relaxation` no objective has one.

#![allow(clippy::unnecessary_wraps, clippy::unused_self, clippy::needless_pass_by_value)] // as those that do something

use super::ladder::CostLadder;
use super::objective::Reduced;
use super::{Clock, Formula, MinimumSearch, NormalSum, SolveError};

pub(super) struct Relaxation;

pub(super) struct Branching;

impl Branching {
    pub(super) const fn new(_: Relaxation, _: &Reduced) -> Self {
        Self
    }
}

pub(super) const fn reduced(_: &Formula, _: &NormalSum, _: &Clock) -> Option<(Relaxation, Reduced)> {
    None
}

impl MinimumSearch<'_> {
    pub(super) const fn branch(
        &mut self,
        _: &mut Branching,
        _: Option<&mut CostLadder>,
        _: u64,
    ) -> Result<(), SolveError> {
        Ok(())
    }
}
