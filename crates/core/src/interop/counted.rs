//! Bounds that move and inputs that come later, behind rustsat's incremental traits: a count whose outputs are the
//! bounds.
//!
//! Upper and lower bounds come from one count where they are encoded together, and from one each where they are encoded
//! apart: `counts` holds them, `used` says which side has which.

use std::ops::RangeBounds;

use rustsat::OutOfMemory;
use rustsat::encodings::card::{
    BoundBoth, BoundBothIncremental, BoundLower, BoundLowerIncremental, BoundUpper, BoundUpperIncremental, Encode,
    EncodeIncremental,
};
use rustsat::encodings::{CollectClauses, EnforceError, Monotone, NotEncoded};
use rustsat::instances::ManageVars;
use rustsat::types::Lit;

use super::bounds::{RangeSide, bounds, range_method};
use super::encoder::encoder;
use super::variables::EncodingVariables;
use crate::card::Bound;
use crate::size::Size;
use cnfkit_encode::card::growing::Growing;

/// Our counters behind rustsat's incremental traits: [`BoundUpperIncremental`], [`BoundLowerIncremental`] and
/// [`BoundBothIncremental`].
///
/// `Counted<`[`IncTotalizer`](crate::IncTotalizer)`>` stands where `rustsat::encodings::card::Totalizer` stood: a
/// changed bound or an added input [extends](Extend) the formula. With any other [`Counter`](crate::Counter), as
/// `Counted<SequentialCounter>`, adding inputs or a bound higher than any before re-encodes the count from scratch,
/// with new variables; bounds within what is counted cost nothing.
///
/// Four things are not as rustsat's totalizer does them:
///
/// * Outputs are defined in both directions, whichever bound was asked for, and from 1 up: the lower end of a range is
///   ignored. So more bounds can be enforced than were encoded, and encoding lower bounds after upper ones by a
///   `_change` method adds nothing within the range. For one bound in one direction, [`Selected`](super::Selected) is
///   smaller.
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
/// Encoding a change panics when an input was added that is one of the auxiliaries taken before: the variable manager
/// was not asked for that input.
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
    /// One count for upper and lower bounds, or one each where they were encoded apart.
    counts: Vec<E::Count>,
    /// The count that upper bounds come from and the count that lower bounds come from, where they are encoded.
    used: [Option<usize>; 2],
    auxiliaries: EncodingVariables,
}

encoder!(Counted: Growing { counts, used, auxiliaries });

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
            self.auxiliaries.forget();
        }
        self.counts.push(E::Count::default());
        self.counts.len() - 1
    }

    /// Forgets the count of `side`, unless it serves the other too.
    fn forget(&mut self, side: RangeSide) {
        let kept = self.used[1 - side as usize].map(|index| self.counts.swap_remove(index));
        self.used[side as usize] = None;
        self.used[1 - side as usize] = kept.as_ref().map(|_| 0);
        self.counts = kept.into_iter().collect();
    }

    /// Re-encodes the count from scratch, for `side` alone.
    fn encode<C: CollectClauses>(
        &mut self,
        side: RangeSide,
        range: &impl RangeBounds<usize>,
        collector: &mut C,
        vars: &mut dyn ManageVars,
    ) -> Result<(), OutOfMemory> {
        self.forget(side);
        let upto = self.upto(side, range);
        if upto == 0 {
            return Ok(());
        }
        self.used[side as usize] = Some(self.fresh());
        self.grow([self.used[side as usize], None], upto, collector, vars)
    }

    /// One count for both sides, anew.
    fn encode_shared<C: CollectClauses>(
        &mut self,
        sides: [RangeSide; 2],
        range: &impl RangeBounds<usize>,
        collector: &mut C,
        vars: &mut dyn ManageVars,
    ) -> Result<(), OutOfMemory> {
        sides.into_iter().for_each(|side| self.forget(side));
        self.change(sides, range, collector, vars)
    }

    /// Counts for each of `sides` as far as `range` needs; a side that has no count yet joins the other's.
    fn change<C: CollectClauses>(
        &mut self,
        sides: impl IntoIterator<Item = RangeSide> + Copy,
        range: &impl RangeBounds<usize>,
        collector: &mut C,
        vars: &mut dyn ManageVars,
    ) -> Result<(), OutOfMemory> {
        let upto = sides.into_iter().map(|side| self.upto(side, range)).max().unwrap_or(0);
        if upto == 0 {
            return Ok(());
        }
        let mut grown = [None; 2];
        for side in sides {
            let there = self.used[side as usize].or(self.used[1 - side as usize]);
            let index = there.unwrap_or_else(|| self.fresh());
            self.used[side as usize] = Some(index);
            grown[side as usize] = Some(index).filter(|_| !grown.contains(&Some(index)));
        }
        self.grow(grown, upto, collector, vars)
    }

    /// Lets upper or lower bounds, or both, reach `upto`.
    fn grow<C: CollectClauses>(
        &mut self,
        indices: [Option<usize>; 2],
        upto: usize,
        collector: &mut C,
        vars: &mut dyn ManageVars,
    ) -> Result<(), OutOfMemory> {
        let Self { lits, enc, counts, .. } = self;
        let result = self.auxiliaries.send(&mut self.size, (collector, vars), lits, |sink| {
            indices.into_iter().flatten().try_for_each(|index| enc.grow(&mut counts[index], sink, lits, upto))
        });
        if result.is_err() {
            self.counts.clear();
            self.used = [None; 2];
        }
        result
    }

    /// The assumptions for `bound`, if it is encoded for all inputs.
    fn enforce(&self, side: RangeSide, bound: usize) -> Result<Vec<Lit>, EnforceError> {
        let count = self.used[side as usize].map(|index| &self.counts[index]);
        let bound = count.filter(|count| E::n(count) == self.lits.len()).and_then(|count| match side {
            RangeSide::Upper => E::at_most(count, bound),
            RangeSide::Lower => E::at_least(count, bound),
        });
        match bound {
            None => Err(EnforceError::NotEncoded),
            Some(Bound::Never) => Err(EnforceError::Unsat),
            Some(Bound::Always) => Ok(Vec::new()),
            Some(Bound::If(lit)) => Ok(vec![lit]),
        }
    }

    /// The output up to which the bounds in `range` reach; 0 when there are none.
    fn upto(&self, side: RangeSide, range: &impl RangeBounds<usize>) -> usize {
        let bounds = side.clip(range, self.lits.len());
        match side {
            _ if bounds.is_empty() => 0,
            RangeSide::Upper => bounds.end,
            RangeSide::Lower => bounds.end - 1,
        }
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
        if self.counts.is_empty() && self.auxiliaries.pool.is_empty() {
            self.auxiliaries.reserve(var_manager, &self.lits, |_| self.enc.whole_size(self.lits.len()).vars);
        }
    }
}

bounds!(Counted: Growing {
    upper {}
    lower {}
    both {
        range_method!(
            /// One count for both.
            encode_both => encode_shared([RangeSide::Upper, RangeSide::Lower]), R: Clone
        );
    }
});

impl<E: Growing> BoundUpperIncremental for Counted<E> {
    range_method!(encode_ub_change => change([RangeSide::Upper]));
}

impl<E: Growing> BoundLowerIncremental for Counted<E> {
    range_method!(encode_lb_change => change([RangeSide::Lower]));
}

impl<E: Growing> BoundBothIncremental for Counted<E> {
    range_method!(encode_both_change => change([RangeSide::Upper, RangeSide::Lower]), R: Clone);
}

impl<E: Growing> Monotone for Counted<E> {}
