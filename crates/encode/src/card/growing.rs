//! Counts that grow with their inputs: [`IncTotalizer`] adds to what is there, any other [`Counter`] is re-encoded from
//! scratch. What `interop::Counted` counts with.
//!
//! The trait that tells them apart is sealed: its methods are in a trait that cannot be named outside.

use std::fmt;

use rustsat::types::Lit;

use super::{Bound, Count, Counter, IncTotalizer, Totalizer};
use crate::sink::ClauseSink;
use crate::size::Size;

/// An encoding that `Counted` counts with: [`IncTotalizer`], which grows, or any [`Counter`], which
/// is re-encoded from scratch.
///
/// It is sealed: implement [`Counter`] for an encoding of yours.
///
/// ```compile_fail
/// struct Mine;
/// impl cnfkit::interop::Growing for Mine {}
/// ```
///
/// ```
/// use cnfkit::interop::Growing;
/// use cnfkit::{IncTotalizer, Totalizer};
/// fn grows<E: Growing>(_: &E) -> bool {
///     true
/// }
/// assert!(grows(&IncTotalizer::new()) && grows(&Totalizer::default()));
/// ```
pub trait Growing: Grow {}

impl<E: Grow> Growing for E {}

/// The methods of [`Growing`].
pub trait Grow {
    /// A count of literals as it stands.
    type Count: Default + Clone + fmt::Debug;

    /// Lets `count`, which counted the first of `lits`, count all of them and at least up to `upto`.
    fn grow<S: ClauseSink>(
        &self,
        count: &mut Self::Count,
        sink: &mut S,
        lits: &[Lit],
        upto: usize,
    ) -> Result<(), S::Error>;

    /// The size of counting all of `n` literals at once.
    fn whole_size(&self, n: usize) -> Size;

    /// The number of literals that are counted.
    fn n(count: &Self::Count) -> usize;

    /// The condition for at most `k` to be true, if that is counted.
    fn at_most(count: &Self::Count, k: usize) -> Option<Bound>;

    /// The condition for at least `k` to be true, if that is counted.
    fn at_least(count: &Self::Count, k: usize) -> Option<Bound>;
}

impl<E: Counter> Grow for E {
    type Count = Option<Count>;

    fn grow<S: ClauseSink>(
        &self,
        count: &mut Option<Count>,
        sink: &mut S,
        lits: &[Lit],
        upto: usize,
    ) -> Result<(), S::Error> {
        let before = match count {
            Some(count) if count.n() == lits.len() && count.outputs().len() >= upto.min(lits.len()) => return Ok(()),
            Some(count) => count.outputs().len(),
            None => 0,
        };
        // The range doubles, so that bounds that rise one by one are rarely counted anew.
        let upto = if before == 0 { upto } else { upto.max(2 * before) };
        *count = Some(self.count(sink, lits, upto.min(lits.len()))?);
        Ok(())
    }

    fn whole_size(&self, n: usize) -> Size {
        self.count_size(n, n)
    }

    fn n(count: &Option<Count>) -> usize {
        count.as_ref().map_or(0, Count::n)
    }

    fn at_most(count: &Option<Count>, k: usize) -> Option<Bound> {
        count.as_ref()?.at_most(k)
    }

    fn at_least(count: &Option<Count>, k: usize) -> Option<Bound> {
        count.as_ref()?.at_least(k)
    }
}

impl Grow for IncTotalizer {
    type Count = Self;

    fn grow<S: ClauseSink>(&self, count: &mut Self, sink: &mut S, lits: &[Lit], upto: usize) -> Result<(), S::Error> {
        let counted = count.n();
        count.extend(sink, &lits[counted..])?;
        count.widen(sink, upto)
    }

    fn whole_size(&self, n: usize) -> Size {
        Totalizer::default().count_size(n, n)
    }

    fn n(count: &Self) -> usize {
        count.n()
    }

    fn at_most(count: &Self, k: usize) -> Option<Bound> {
        count.at_most(k)
    }

    fn at_least(count: &Self, k: usize) -> Option<Bound> {
        count.at_least(k)
    }
}
