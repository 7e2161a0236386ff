//! The choice of an encoding of *at most one*, for both choosers: of `AmoEncoding`, and of `CardEncoding` where k = 1.

use rustsat::types::Lit;

use super::policy;
use crate::amo::Optimal;
use crate::constraint::Goal;
use crate::encode::AtMostOne;
use crate::sink::ClauseSink;
use crate::size::Size;

/// *At most one* by the encoding that suits a goal.
#[derive(Clone, Copy)]
pub(super) struct ChosenOne(pub(super) Goal);

impl AtMostOne for ChosenOne {
    fn at_most_one<S: ClauseSink + ?Sized>(&self, sink: &mut S, lits: &[Lit]) -> Result<(), S::Error> {
        match self.0 {
            Goal::Solving => policy::at_most_one(lits.len()).at_most_one(sink, lits),
            Goal::Size => Optimal::default().at_most_one(sink, lits),
        }
    }

    fn amo_size(&self, n: usize) -> Size {
        match self.0 {
            _ if n < 2 => Size::ZERO,
            Goal::Solving => policy::at_most_one(n).amo_size(n),
            Goal::Size => Optimal::default().amo_size(n),
        }
    }
}
