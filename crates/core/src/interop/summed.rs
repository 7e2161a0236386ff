//! Sums of weights whose bounds move and whose inputs come later, behind rustsat's traits of pseudo-Boolean encodings.
//!
//! There is a [`WeightedCounter`] for upper bounds and one for lower ones, because either may be encoded anew without
//! the other. Variables come from where [`Counted`](super::Counted) takes them, and are looked after in the same way.

use std::ops::{Range, RangeBounds};

use rustsat::OutOfMemory;
use rustsat::encodings::pb::{
    BoundBoth, BoundBothIncremental, BoundLower, BoundLowerIncremental, BoundUpper, BoundUpperIncremental, Encode,
    EncodeIncremental,
};
use rustsat::encodings::{CollectClauses, EncodeStats, EnforceError, IterWeightedInputs, Monotone};
use rustsat::instances::ManageVars;
use rustsat::types::Lit;

use super::bounds::{RangeSide, range_method};
use super::variables::EncodingVariables;
use crate::pb::{self, WeightedCounter};
use crate::sink::{ClauseSink, Tally};
use crate::size::Size;

/// A [`WeightedCounter`] behind rustsat's traits of pseudo-Boolean encodings: [`BoundUpperIncremental`],
/// [`BoundLowerIncremental`] and [`BoundBothIncremental`].
///
/// `Summed` stands where `rustsat::encodings::pb::GeneralizedTotalizer`, `DynamicPolyWatchdog`, `BinaryAdder` or their
/// inverted and double forms stood: it is made from literals with weights, takes [more](Extend) later, and a changed
/// range of bounds adds to the formula.
///
/// Four things are not as rustsat's encodings do them:
///
/// * A literal given twice counts twice. Weights of any size have a formula of polynomial size.
/// * A bound may be one assumption, or a dozen: those say the bits of the bound.
/// * [`encode_ub`](BoundUpper::encode_ub) and [`encode_lb`](BoundLower::encode_lb) start anew, with new variables and
///   in whatever collector is given. Use the `_change` methods to add to what is there.
/// * After an error, nothing counts as encoded.
///
/// The statistics sum up over all calls.
///
/// # Panics
/// Encoding a change panics when an input was added that is one of the auxiliaries taken before: the variable manager
/// was not asked for that input.
///
/// ```
/// use cnfkit::interop::Summed;
/// use cnfkit::rustsat::encodings::pb::{BoundUpper, BoundUpperIncremental};
/// use cnfkit::rustsat::instances::{BasicVarManager, Cnf};
/// use cnfkit::rustsat::{lit, types::Lit, var};
///
/// // was: rustsat::encodings::pb::GeneralizedTotalizer::from_iter(...)
/// let mut enc: Summed = [(lit![0], 4), (lit![1], 2), (lit![2], 2), (lit![3], 6)].into_iter().collect();
/// let (mut cnf, mut vars) = (Cnf::new(), BasicVarManager::from_next_free(var![5])); // after all inputs
/// enc.encode_ub(4..=4, &mut cnf, &mut vars).unwrap();
/// assert!(enc.enforce_ub(4).is_ok() && enc.enforce_ub(9).is_err() && enc.enforce_ub(14).unwrap().is_empty());
/// enc.extend([(lit![4], 1)]);
/// enc.encode_ub_change(0..10, &mut cnf, &mut vars).unwrap();
/// assert!(enc.enforce_ub(9).is_ok());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Summed {
    terms: Vec<(Lit, usize)>,
    size: Size,
    /// For upper and for lower bounds, where they are encoded.
    counters: [Option<WeightedCounter>; 2],
    auxiliaries: EncodingVariables,
}

impl From<Vec<(Lit, usize)>> for Summed {
    fn from(terms: Vec<(Lit, usize)>) -> Self {
        Self { terms, ..Self::default() }
    }
}

impl FromIterator<(Lit, usize)> for Summed {
    fn from_iter<T: IntoIterator<Item = (Lit, usize)>>(terms: T) -> Self {
        Self::from(terms.into_iter().collect::<Vec<_>>())
    }
}

impl Extend<(Lit, usize)> for Summed {
    fn extend<T: IntoIterator<Item = (Lit, usize)>>(&mut self, terms: T) {
        self.terms.extend(terms);
    }
}

impl IterWeightedInputs for Summed {
    type Iter<'a> = std::iter::Copied<std::slice::Iter<'a, (Lit, usize)>>;

    fn iter(&self) -> Self::Iter<'_> {
        self.terms.iter().copied()
    }
}

/// Counts what was emitted, saturating, however the collector simplified it.
impl EncodeStats for Summed {
    fn n_clauses(&self) -> usize {
        usize::try_from(self.size.clauses).unwrap_or(usize::MAX)
    }

    fn n_vars(&self) -> u32 {
        u32::try_from(self.size.vars).unwrap_or(u32::MAX)
    }
}

impl From<RangeSide> for pb::Side {
    fn from(side: RangeSide) -> Self {
        match side {
            RangeSide::Upper => Self::Upper,
            RangeSide::Lower => Self::Lower,
        }
    }
}

/// Lets `counter` sum up all of `terms`, and know the bounds.
fn grow<S: ClauseSink>(
    counter: &mut Option<WeightedCounter>,
    sink: &mut S,
    terms: &[(Lit, usize)],
    side: RangeSide,
    bounds: &Range<usize>,
) -> Result<(), S::Error> {
    let counter = counter.get_or_insert_default();
    let terms: Vec<(Lit, u64)> =
        terms.iter().filter(|&&(_, weight)| weight > 0).map(|&(lit, weight)| (lit, weight as u64)).collect();
    let summed = counter.terms().len();
    counter.extend(sink, &terms[summed..]);
    counter.widen(sink, side.into(), bounds.start as u64, bounds.end as u64 - 1)
}

impl Summed {
    /// The sum of all weights.
    fn total(&self) -> u128 {
        self.terms.iter().map(|&(_, weight)| weight as u128).sum()
    }

    /// Lets bounds from one side be enforced, in addition to what is there.
    fn change<C: CollectClauses>(
        &mut self,
        side: RangeSide,
        range: &impl RangeBounds<usize>,
        collector: &mut C,
        vars: &mut dyn ManageVars,
    ) -> Result<(), OutOfMemory> {
        let bounds = side.clip(range, self.weight_sum());
        if bounds.is_empty() {
            return Ok(());
        }
        let lits: Vec<Lit> = self.terms.iter().map(|&(lit, _)| lit).collect();
        let counter = &mut self.counters[side as usize];
        let result = self
            .auxiliaries
            .send(&mut self.size, (collector, vars), &lits, |sink| grow(counter, sink, &self.terms, side, &bounds));
        if result.is_err() {
            self.counters[side as usize] = None;
        }
        result
    }

    /// Lets bounds from one side be enforced, anew.
    fn encode<C: CollectClauses>(
        &mut self,
        side: RangeSide,
        range: &impl RangeBounds<usize>,
        collector: &mut C,
        vars: &mut dyn ManageVars,
    ) -> Result<(), OutOfMemory> {
        self.counters[side as usize] = None;
        self.change(side, range, collector, vars)
    }

    /// The assumptions for a bound that is not trivial, if it is encoded for all inputs.
    fn enforce(&self, side: RangeSide, bound: usize) -> Result<Vec<Lit>, EnforceError> {
        let inputs = self.terms.iter().filter(|&&(_, weight)| weight > 0).count();
        let counter = self.counters[side as usize].as_ref().filter(|counter| counter.terms().len() == inputs);
        counter.and_then(|counter| counter.assumptions(side.into(), bound as u64)).ok_or(EnforceError::NotEncoded)
    }
}

impl Encode for Summed {
    /// Saturating.
    fn weight_sum(&self) -> usize {
        usize::try_from(self.total()).unwrap_or(usize::MAX)
    }
}

impl EncodeIncremental for Summed {
    /// Takes the variables that all bounds on the present inputs need, if nothing is encoded yet; what later inputs
    /// need is taken when it comes.
    fn reserve(&mut self, var_manager: &mut dyn ManageVars) {
        if self.counters.iter().any(Option::is_some) || !self.auxiliaries.pool.is_empty() {
            return;
        }
        let (terms, sum) = (&self.terms, self.weight_sum());
        let lits: Vec<Lit> = terms.iter().map(|&(lit, _)| lit).collect();
        self.auxiliaries.reserve(var_manager, &lits, |start| {
            let mut tally = Tally::new(start as usize);
            for side in [RangeSide::Upper, RangeSide::Lower] {
                let bounds = side.clip(&.., sum);
                if !bounds.is_empty() {
                    let Ok(()) = grow(&mut None, &mut tally, terms, side, &bounds);
                }
            }
            tally.size().vars
        });
    }
}

impl BoundUpper for Summed {
    range_method!(encode_ub => encode(RangeSide::Upper));

    fn enforce_ub(&self, ub: usize) -> Result<Vec<Lit>, EnforceError> {
        if ub as u128 >= self.total() { Ok(Vec::new()) } else { self.enforce(RangeSide::Upper, ub) }
    }
}

impl BoundLower for Summed {
    range_method!(encode_lb => encode(RangeSide::Lower));

    fn enforce_lb(&self, lb: usize) -> Result<Vec<Lit>, EnforceError> {
        match lb {
            0 => Ok(Vec::new()),
            _ if lb as u128 > self.total() => Err(EnforceError::Unsat),
            _ => self.enforce(RangeSide::Lower, lb),
        }
    }
}

impl BoundBoth for Summed {}

impl BoundUpperIncremental for Summed {
    range_method!(encode_ub_change => change(RangeSide::Upper));
}

impl BoundLowerIncremental for Summed {
    range_method!(encode_lb_change => change(RangeSide::Lower));
}

impl BoundBothIncremental for Summed {}

impl Monotone for Summed {}
