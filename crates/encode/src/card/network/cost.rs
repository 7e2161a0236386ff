//! The price of a plan, as one number.

/// Clauses + weight · variables, and of equally dear plans first the one with fewer variables.
///
/// The weighed sum is the upper half of the number and the variables are the lower half, so that one addition and one
/// comparison do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NetworkCost(u128);

/// The number of clauses from which on a plan is as good as impossible; below it, the sum of a plan's costs cannot
/// overflow its half.
const TOO_MANY_CLAUSES: u64 = 1 << 48;

impl NetworkCost {
    pub(super) const ZERO: Self = Self(0);
    /// More than anything that can be made costs, and little enough for a few to be added up.
    pub(super) const NEVER: Self = Self(1 << 124 | 1 << 60);

    pub(super) fn new(vars: u64, clauses: u64, weight: u32) -> Self {
        if clauses >= TOO_MANY_CLAUSES {
            return Self::NEVER;
        }
        let weighed = u128::from(clauses + vars * u64::from(weight));
        Self(weighed << 64 | u128::from(vars))
    }

    pub(super) const fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    pub(super) const fn vars(self) -> u64 {
        self.0 as u64
    }

    pub(super) fn clauses(self, weight: u32) -> u64 {
        let weighed = (self.0 >> 64) as u64;
        weighed.saturating_sub(self.vars().saturating_mul(weight.into()))
    }
}
