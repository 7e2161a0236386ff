use std::fmt;
use std::ops::{Range, RangeBounds};

use rustsat::OutOfMemory;
use rustsat::encodings::card::{
    BoundBoth, BoundBothIncremental, BoundLower, BoundLowerIncremental, BoundUpper, BoundUpperIncremental, Encode,
    EncodeIncremental,
};
use rustsat::encodings::{CollectClauses, EnforceError, Monotone, NotEncoded};
use rustsat::instances::ManageVars;
use rustsat::types::{Lit, Var};

use super::Collector;
use super::selected::clip;
use crate::card::{Bound, Count, Counter, IncTotalizer, Totalizer};
use crate::sink::{ClauseSink, Size};

/// What [`Counted`] counts with: [`IncTotalizer`], which grows, or any [`Counter`], which counts anew.
///
/// Not to be implemented elsewhere; implement [`Counter`].
pub trait Growing {
    /// A count of literals as it stands.
    #[doc(hidden)]
    type Count: Default + Clone + fmt::Debug;

    /// Lets `count`, which counted the first of `lits`, count all of them and at least up to `upto`.
    #[doc(hidden)]
    fn grow<S: ClauseSink>(
        &self,
        count: &mut Self::Count,
        sink: &mut S,
        lits: &[Lit],
        upto: usize,
    ) -> Result<(), S::Error>;

    /// What counting all of `n` literals takes at once.
    #[doc(hidden)]
    fn whole_size(&self, n: usize) -> Size;

    #[doc(hidden)]
    fn n(count: &Self::Count) -> usize;

    #[doc(hidden)]
    fn at_most(count: &Self::Count, k: usize) -> Option<Bound>;

    #[doc(hidden)]
    fn at_least(count: &Self::Count, k: usize) -> Option<Bound>;
}

impl<E: Counter> Growing for E {
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
        // Bounds that rise one by one are counted anew only so often.
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

impl Growing for IncTotalizer {
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

/// Our counters behind rustsat's incremental traits: [`BoundUpperIncremental`], [`BoundLowerIncremental`] and
/// [`BoundBothIncremental`].
///
/// `Counted<IncTotalizer>` stands where `rustsat::encodings::card::Totalizer` stood: a changed bound or an added input
/// [extends](Extend) the formula. With any other [`Counter`], as `Counted<SequentialCounter>`, adding inputs or a bound
/// higher than any before counts anew, with new variables; bounds within what is counted cost nothing.
///
/// What is not as rustsat's totalizer does it:
///
/// * Outputs are defined in both directions, whichever bound was asked for, and from 1 up: the lower end of a range is
///   ignored. So more bounds can be enforced than were encoded, and encoding lower bounds after upper ones by a `_change`
///   method adds nothing within the range. For one bound in one direction, [`Selected`](super::Selected) is smaller.
/// * [`encode_ub`](BoundUpper::encode_ub), [`encode_lb`](BoundLower::encode_lb) and
///   [`encode_both`](BoundBoth::encode_both) start anew, with new variables and in whatever collector is given. Use the
///   `_change` methods to add to what is there.
/// * [`reserve`](EncodeIncremental::reserve) takes the variables that counting the present inputs needs *once*; what
///   counting anew, or adding inputs, needs beyond is taken when it comes.
/// * After an error, nothing counts as encoded.
///
/// The statistics sum up over all calls.
///
/// # Panics
/// Encoding a change panics when an input was added that is one of the auxiliaries taken before: the variable manager was
/// not asked for that input.
///
/// ```
/// use cnfkit::IncTotalizer;
/// use cnfkit::interop::Counted;
/// use cnfkit::rustsat::encodings::EncodeStats;
/// use cnfkit::rustsat::encodings::card::{BoundUpper, BoundUpperIncremental};
/// use cnfkit::rustsat::instances::{BasicVarManager, Cnf};
/// use cnfkit::rustsat::{lit, types::Lit};
///
/// // was: rustsat::encodings::card::Totalizer::from(...)
/// let mut enc = Counted::<IncTotalizer>::from(vec![lit![0], lit![1], lit![2], lit![3]]);
/// let (mut cnf, mut vars) = (Cnf::new(), BasicVarManager::default());
/// enc.encode_ub(1..=1, &mut cnf, &mut vars).unwrap();
/// let before = enc.n_clauses();
/// enc.encode_ub_change(2..=2, &mut cnf, &mut vars).unwrap();
/// assert_eq!(enc.enforce_ub(2).unwrap().len(), 1);
/// assert!(before < enc.n_clauses());
/// ```
#[derive(Clone, Debug)]
pub struct Counted<E: Growing> {
    lits: Vec<Lit>,
    enc: E,
    size: Size,
    /// One for upper and lower bounds, or one each where they were encoded apart.
    counts: Vec<E::Count>,
    /// Which count upper bounds come from, when they are encoded.
    upper: Option<usize>,
    /// Which count lower bounds come from, when they are encoded.
    lower: Option<usize>,
    /// Taken by `reserve` and not handed out yet.
    pool: Range<u32>,
    /// Where the auxiliaries are.
    taken: Vec<Range<u32>>,
    /// So many of the inputs are known not to be auxiliaries.
    checked: usize,
}

super::encoder!(Counted: Growing { counts, upper, lower, pool, taken, checked });

impl<E: Growing + Default> Default for Counted<E> {
    fn default() -> Self {
        Self::new(E::default(), [])
    }
}

impl<E: Growing> Extend<Lit> for Counted<E> {
    fn extend<T: IntoIterator<Item = Lit>>(&mut self, lits: T) {
        self.lits.extend(lits);
    }
}

impl<E: Growing> Counted<E> {
    /// A count without outputs yet.
    fn fresh(&mut self) -> usize {
        if self.counts.is_empty() {
            self.taken = vec![self.pool.clone()];
        }
        self.counts.push(E::Count::default());
        self.counts.len() - 1
    }

    /// Keeps the count number `index` alone.
    fn keep(&mut self, index: Option<usize>) -> Option<usize> {
        let kept = index.map(|index| self.counts.swap_remove(index));
        self.counts.clear();
        kept.map(|count| {
            self.counts.push(count);
            0
        })
    }

    /// Lets upper or lower bounds, or both, reach `upto`.
    fn grow<C: CollectClauses>(
        &mut self,
        indices: [Option<usize>; 2],
        upto: usize,
        collector: &mut C,
        vars: &mut dyn ManageVars,
    ) -> Result<(), OutOfMemory> {
        for lit in &self.lits[self.checked..] {
            assert!(
                !self.taken.iter().any(|aux| aux.contains(&lit.vidx32())),
                "input {lit} is an auxiliary that this encoding took: ask the variable manager for inputs, or tell it of \
                 them, before encoding"
            );
        }
        self.checked = self.lits.len();
        let mut sink = Collector::new(collector, vars);
        sink.pool = self.pool.clone();
        sink.mark_used(&self.lits);
        let (lits, enc, counts) = (&self.lits, &self.enc, &mut self.counts);
        let result =
            indices.into_iter().flatten().try_for_each(|index| enc.grow(&mut counts[index], &mut sink, lits, upto));
        self.size += sink.size;
        self.pool = sink.pool;
        self.taken.push(sink.fresh);
        self.taken.retain(|aux| !aux.is_empty());
        if result.is_err() {
            self.counts.clear();
            (self.upper, self.lower) = (None, None);
        }
        result
    }

    /// What has to be assumed for `bound`, if it is encoded for all inputs.
    fn enforce(
        &self,
        index: Option<usize>,
        bound: impl Fn(&E::Count) -> Option<Bound>,
    ) -> Result<Vec<Lit>, EnforceError> {
        let count = index.map(|index| &self.counts[index]).filter(|count| E::n(count) == self.lits.len());
        match count.and_then(bound) {
            None => Err(EnforceError::NotEncoded),
            Some(Bound::Never) => Err(EnforceError::Unsat),
            Some(Bound::Always) => Ok(Vec::new()),
            Some(Bound::If(lit)) => Ok(vec![lit]),
        }
    }

    /// Up to which output the upper bounds in `range` reach; 0 when there are none.
    fn upto_upper(&self, range: &impl RangeBounds<usize>) -> usize {
        let bounds = clip(range, 0..self.lits.len());
        if bounds.is_empty() { 0 } else { bounds.end }
    }

    /// Up to which output the lower bounds in `range` reach; 0 when there are none.
    fn upto_lower(&self, range: &impl RangeBounds<usize>) -> usize {
        let bounds = clip(range, 1..self.lits.len() + 1);
        if bounds.is_empty() { 0 } else { bounds.end - 1 }
    }
}

impl<E: Growing> Encode for Counted<E> {
    fn n_lits(&self) -> usize {
        self.lits.len()
    }
}

impl<E: Growing> EncodeIncremental for Counted<E> {
    /// Takes the variables that counting the present inputs needs, if nothing is encoded yet.
    fn reserve(&mut self, var_manager: &mut dyn ManageVars) {
        if !self.counts.is_empty() || !self.pool.is_empty() {
            return;
        }
        if let Some(highest) = self.lits.iter().map(|lit| lit.var()).max() {
            var_manager.mark_used(highest);
        }
        let start = var_manager.max_var().map_or(0, |var| var.idx32() + 1);
        let end = u64::from(start).saturating_add(self.enc.whole_size(self.lits.len()).vars);
        // What rustsat has no variables for is refused when it is encoded.
        if let Some(end) = u32::try_from(end).ok().filter(|&end| end <= Var::MAX_IDX && end > start) {
            var_manager.increase_next_free(Var::new(end));
            self.pool = start..end;
        }
    }
}

impl<E: Growing> BoundUpper for Counted<E> {
    fn encode_ub<Col, R>(
        &mut self,
        range: R,
        collector: &mut Col,
        var_manager: &mut dyn ManageVars,
    ) -> Result<(), OutOfMemory>
    where
        Col: CollectClauses,
        R: RangeBounds<usize>,
    {
        (self.upper, self.lower) = (None, self.keep(self.lower));
        let upto = self.upto_upper(&range);
        if upto == 0 {
            return Ok(());
        }
        self.upper = Some(self.fresh());
        self.grow([self.upper, None], upto, collector, var_manager)
    }

    fn enforce_ub(&self, ub: usize) -> Result<Vec<Lit>, NotEncoded> {
        if ub >= self.lits.len() {
            return Ok(Vec::new());
        }
        self.enforce(self.upper, |count| E::at_most(count, ub)).map_err(|_| NotEncoded)
    }
}

impl<E: Growing> BoundUpperIncremental for Counted<E> {
    fn encode_ub_change<Col, R>(
        &mut self,
        range: R,
        collector: &mut Col,
        var_manager: &mut dyn ManageVars,
    ) -> Result<(), OutOfMemory>
    where
        Col: CollectClauses,
        R: RangeBounds<usize>,
    {
        let upto = self.upto_upper(&range);
        if upto == 0 {
            return Ok(());
        }
        self.upper = Some(self.upper.or(self.lower).unwrap_or_else(|| self.fresh()));
        self.grow([self.upper, None], upto, collector, var_manager)
    }
}

impl<E: Growing> BoundLower for Counted<E> {
    fn encode_lb<Col, R>(
        &mut self,
        range: R,
        collector: &mut Col,
        var_manager: &mut dyn ManageVars,
    ) -> Result<(), OutOfMemory>
    where
        Col: CollectClauses,
        R: RangeBounds<usize>,
    {
        (self.lower, self.upper) = (None, self.keep(self.upper));
        let upto = self.upto_lower(&range);
        if upto == 0 {
            return Ok(());
        }
        self.lower = Some(self.fresh());
        self.grow([self.lower, None], upto, collector, var_manager)
    }

    fn enforce_lb(&self, lb: usize) -> Result<Vec<Lit>, EnforceError> {
        if lb == 0 {
            return Ok(Vec::new());
        }
        if lb > self.lits.len() {
            return Err(EnforceError::Unsat);
        }
        self.enforce(self.lower, |count| E::at_least(count, lb))
    }
}

impl<E: Growing> BoundLowerIncremental for Counted<E> {
    fn encode_lb_change<Col, R>(
        &mut self,
        range: R,
        collector: &mut Col,
        var_manager: &mut dyn ManageVars,
    ) -> Result<(), OutOfMemory>
    where
        Col: CollectClauses,
        R: RangeBounds<usize>,
    {
        let upto = self.upto_lower(&range);
        if upto == 0 {
            return Ok(());
        }
        self.lower = Some(self.lower.or(self.upper).unwrap_or_else(|| self.fresh()));
        self.grow([self.lower, None], upto, collector, var_manager)
    }
}

impl<E: Growing> BoundBoth for Counted<E> {
    /// One count for both.
    fn encode_both<Col, R>(
        &mut self,
        range: R,
        collector: &mut Col,
        var_manager: &mut dyn ManageVars,
    ) -> Result<(), OutOfMemory>
    where
        Col: CollectClauses,
        R: RangeBounds<usize> + Clone,
    {
        (self.upper, self.lower) = (None, self.keep(None));
        self.encode_both_change(range, collector, var_manager)
    }
}

impl<E: Growing> BoundBothIncremental for Counted<E> {
    fn encode_both_change<Col, R>(
        &mut self,
        range: R,
        collector: &mut Col,
        var_manager: &mut dyn ManageVars,
    ) -> Result<(), OutOfMemory>
    where
        Col: CollectClauses,
        R: RangeBounds<usize> + Clone,
    {
        let upto = self.upto_upper(&range).max(self.upto_lower(&range));
        if upto == 0 {
            return Ok(());
        }
        self.upper = Some(self.upper.or(self.lower).unwrap_or_else(|| self.fresh()));
        self.lower = self.lower.or(self.upper);
        let apart = self.lower.filter(|_| self.lower != self.upper);
        self.grow([self.upper, apart], upto, collector, var_manager)
    }
}

impl<E: Growing> Monotone for Counted<E> {}
