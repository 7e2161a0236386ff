//! The totals of traps that a board's answers have.

use std::ops::RangeInclusive;

use super::count::Totals;

/// The totals of traps that a board's answers have, given traps included; made by
/// [`GemHunterEncoder::trap_totals`](crate::GemHunterEncoder::trap_totals). There is at least one.
///
/// ```
/// use cnfkit::GemHunterEncoder;
/// use cnfkit::gem_hunter::TrapTotals;
/// let totals: TrapTotals = GemHunterEncoder::new("_, 1, _, 1, _".parse()?).trap_totals()?.expect("two answers");
/// assert_eq!(totals.ranges().collect::<Vec<_>>(), [1..=2]);
/// assert!(totals.contains(2) && !totals.contains(3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TrapTotals {
    totals: Totals,
}

impl TrapTotals {
    pub(super) const fn new(totals: Totals) -> Self {
        Self { totals }
    }

    /// True if some answer has so many traps.
    #[must_use]
    pub fn contains(&self, total: usize) -> bool {
        self.totals.left(total).is_some()
    }

    /// The fewest traps an answer has.
    #[must_use]
    pub fn min(&self) -> usize {
        self.totals.fewest + self.totals.all().from(0).unwrap_or(0)
    }

    /// The most traps an answer has.
    #[must_use]
    pub fn max(&self) -> usize {
        self.totals.fewest + self.totals.all().len() - 1
    }

    /// The greatest possible total up to this one, and the least from it on: both are the total itself if it is
    /// possible.
    #[must_use]
    pub fn nearest(&self, total: usize) -> (Option<usize>, Option<usize>) {
        let all = self.totals.all();
        let below = total.checked_sub(self.totals.fewest).and_then(|at| all.up_to(at));
        let above = all.from(total.saturating_sub(self.totals.fewest));
        (below.map(|at| at + self.totals.fewest), above.map(|at| at + self.totals.fewest))
    }

    /// All possible totals, as ranges with gaps between them, ascending.
    pub fn ranges(&self) -> impl Iterator<Item = RangeInclusive<usize>> {
        self.totals.all().runs().map(|(first, last)| self.totals.fewest + first..=self.totals.fewest + last)
    }
}
