//! How thorough the search for an order is, by the literals that there are: see [`search`](super::search).

/// How thorough the search for an order is.
#[derive(Clone, Copy, Debug)]
pub(super) struct OrderEffort {
    /// Rounds of colour refinement.
    pub(super) rounds: usize,
    /// Times that [`proximity`](super::proximity) runs.
    pub(super) sweeps: usize,
    /// An edge tells its members of what was placed when that has grown to so many quarters of what it told before.
    pub(super) factor: u32,
    /// Times that [`arrange`](super::arrange) goes through all variables.
    pub(super) passes: usize,
    /// Places that a variable may move at a time, either way.
    pub(super) reach: usize,
}

impl OrderEffort {
    /// Up to so many literals in all edges everything is done in full, in some 0.1 s.
    ///
    /// Chosen with the limit below so that 10⁶ variables in 10⁷ literals take less than 3 s of CPU time (`cargo bench
    /// -p cnfkit-speed --bench order`).
    pub(super) const FULL: usize = 400_000;

    /// Up to so many, edges say less often what was placed, and variables move less far; beyond, they do not move.
    const SOME: usize = 4_000_000;

    pub(super) const fn of(lits: usize) -> Self {
        if lits <= Self::FULL {
            Self { rounds: 3, sweeps: 2, factor: 5, passes: 6, reach: 8 }
        } else if lits <= Self::SOME {
            Self { rounds: 3, sweeps: 2, factor: 8, passes: 2, reach: 3 }
        } else {
            Self { rounds: 2, sweeps: 1, factor: 16, passes: 0, reach: 0 }
        }
    }
}
