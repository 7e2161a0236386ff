//! Constraints on sums of weights in a formula: kept flat, merged, and put beside the groups of literals of which the
//! rest of the formula says that at most one is true.

mod groups;
mod kept;
mod opposed;
mod plan;
mod plans;

pub(super) use self::groups::Exclusions;
pub(super) use self::kept::KeptPb;
pub(super) use self::plan::{PbItem, PbItems};
pub(super) use self::plans::Plans;

#[cfg(test)]
mod tests;
