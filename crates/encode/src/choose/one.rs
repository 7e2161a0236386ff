//! The choice of an encoding of *at most one*, for both choosers: of `AmoEncoding`, and of `CardEncoding` where k = 1.

use rustsat::types::Lit;

use super::policy;
use crate::amo::{Commander, Optimal};
use crate::constraint::Goal;
use crate::encode::Amo;
use crate::size::Size;
use crate::writer::{Full, Writer};

/// *At most one* by the encoding that suits a goal.
#[derive(Clone, Copy)]
pub(super) struct ChosenOne(pub(super) Goal);

impl Amo for ChosenOne {
    fn encode(&self, to: &mut Writer<'_>, lits: &[Lit]) -> Result<(), Full> {
        match self.0 {
            Goal::Solving => policy::at_most_one(lits.len()).encode(to, lits),
            Goal::Size => Optimal::default().encode(to, lits),
            Goal::Counting => commanders(lits.len()).encode(to, lits),
        }
    }

    fn size(&self, n: usize) -> Size {
        match self.0 {
            _ if n < 2 => Size::ZERO,
            Goal::Solving => policy::at_most_one(n).size(n),
            Goal::Size => Optimal::default().size(n),
            Goal::Counting => commanders(n).size(n),
        }
    }

    fn one_model(&self) -> bool {
        self.0 == Goal::Counting
    }
}

/// Groups whose commanders follow from them, of the size that makes the fewest variables + clauses; one group is
/// pairwise.
fn commanders(n: usize) -> Commander {
    let of = |group: usize| Commander { group, full: true };
    [n, 4, 3].map(of).into_iter().min_by_key(|enc| enc.size(n).cost()).unwrap_or(of(3))
}
