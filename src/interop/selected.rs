use std::collections::BTreeMap;
use std::ops::{Bound, Range, RangeBounds};

use rustsat::OutOfMemory;
use rustsat::encodings::card::{BoundBoth, BoundLower, BoundUpper, Encode};
use rustsat::encodings::{CollectClauses, ConstraintEncodingError, EnforceError, Monotone, NotEncoded};
use rustsat::instances::ManageVars;
use rustsat::types::Lit;
use rustsat::types::constraints::{CardEqConstr, CardLbConstr, CardUbConstr};

use super::Collector;
use crate::card::AtMostK;
use crate::constrain::Constrain;
use crate::sink::{ClauseSink, Size};

/// Any of our cardinality encodings behind rustsat's [`BoundUpper`], [`BoundLower`] and [`BoundBoth`].
///
/// These traits encode a *range* of bounds first and enforce one of them later, by assumptions. Our encodings are made
/// for one bound, so every bound of the range is encoded on its own, under a selector: a fresh literal that
/// [`enforce_ub`](BoundUpper::enforce_ub) or [`enforce_lb`](BoundLower::enforce_lb) returns. Only the clauses that
/// enforce carry the selector (see [`Constrain::when`]).
///
/// * Ask for the bounds you need: a range of r bounds costs r encodings. Where bounds move, a counter is smaller.
/// * `encode_ub_constr`, `encode_lb_constr`, `encode_eq_constr` and `encode_constr` know the bound: they encode it
///   without selector, and an equality as *one* exactly-k.
/// * Encoding upper (lower) bounds again starts anew, with new variables and in whatever collector is given; bounds
///   encoded earlier are then [not encoded](NotEncoded). So they are after adding inputs with [`Extend`].
/// * The statistics sum up over all calls.
///
/// ```
/// use cnfkit::SequentialCounter;
/// use cnfkit::interop::Selected;
/// use cnfkit::rustsat::encodings::card::{BoundBoth, BoundUpper, BoundLower};
/// use cnfkit::rustsat::instances::{BasicVarManager, Cnf};
/// use cnfkit::rustsat::{lit, types::Lit};
///
/// // was: rustsat::encodings::card::Totalizer::from(...)
/// let mut enc = Selected::<SequentialCounter>::from(vec![lit![0], lit![1], lit![2], lit![3]]);
/// let (mut cnf, mut vars) = (Cnf::new(), BasicVarManager::default());
/// enc.encode_both(2..=2, &mut cnf, &mut vars).unwrap();
/// let assumptions = enc.enforce_eq(2).unwrap();
/// assert_eq!(assumptions.len(), 2);
/// assert!(enc.enforce_ub(1).is_err(), "not in the range");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Selected<E> {
    lits: Vec<Lit>,
    enc: E,
    size: Size,
    /// The selector of each upper bound that is encoded.
    upper: BTreeMap<usize, Lit>,
    /// The selector of each lower bound that is encoded.
    lower: BTreeMap<usize, Lit>,
}

super::encoder!(Selected { upper, lower });

impl<E> Extend<Lit> for Selected<E> {
    fn extend<T: IntoIterator<Item = Lit>>(&mut self, lits: T) {
        let before = self.lits.len();
        self.lits.extend(lits);
        if self.lits.len() > before {
            self.upper.clear();
            self.lower.clear();
        }
    }
}

/// The bounds of `range` that lie in `within`.
pub(super) fn clip(range: &impl RangeBounds<usize>, within: Range<usize>) -> Range<usize> {
    let start = match range.start_bound() {
        Bound::Included(&bound) => bound,
        Bound::Excluded(&bound) => bound.saturating_add(1),
        Bound::Unbounded => 0,
    };
    let end = match range.end_bound() {
        Bound::Included(&bound) => bound.saturating_add(1),
        Bound::Excluded(&bound) => bound,
        Bound::Unbounded => usize::MAX,
    };
    start.max(within.start)..end.min(within.end)
}

impl<E> Selected<E> {
    /// Sends to the collector what `encode` says about the inputs, and keeps the statistics.
    fn send<C, T>(
        &mut self,
        collector: &mut C,
        vars: &mut dyn ManageVars,
        encode: impl FnOnce(&mut Collector<'_, C>, &mut Self) -> Result<T, OutOfMemory>,
    ) -> Result<T, OutOfMemory>
    where
        C: CollectClauses,
    {
        let mut sink = Collector::new(collector, vars);
        sink.mark_used(&self.lits);
        let result = encode(&mut sink, self);
        self.size += sink.size();
        result
    }
}

/// A fresh selector.
fn selector<S: ClauseSink>(sink: &mut S) -> Result<Lit, S::Error> {
    sink.reserve(&Size::variables(1))?;
    Ok(sink.new_lit())
}

impl<E> Encode for Selected<E> {
    fn n_lits(&self) -> usize {
        self.lits.len()
    }
}

impl<E: AtMostK> BoundUpper for Selected<E> {
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
        self.upper.clear();
        let mut bounds = clip(&range, 0..self.lits.len());
        self.send(collector, var_manager, |sink, this| {
            bounds.try_for_each(|bound| {
                let select = selector(sink)?;
                sink.when(&[select]).at_most(&this.lits, bound, &this.enc)?;
                this.upper.insert(bound, select);
                Ok(())
            })
        })
    }

    fn enforce_ub(&self, ub: usize) -> Result<Vec<Lit>, NotEncoded> {
        if ub >= self.lits.len() {
            return Ok(Vec::new());
        }
        self.upper.get(&ub).map(|&select| vec![select]).ok_or(NotEncoded)
    }

    fn encode_ub_constr<Col>(
        constr: CardUbConstr,
        collector: &mut Col,
        var_manager: &mut dyn ManageVars,
    ) -> Result<(), OutOfMemory>
    where
        Col: CollectClauses,
        Self: FromIterator<Lit> + Sized,
    {
        let (lits, ub) = constr.decompose();
        Self::from_iter(lits).send(collector, var_manager, |sink, this| sink.at_most(&this.lits, ub, &this.enc))
    }
}

impl<E: AtMostK> BoundLower for Selected<E> {
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
        self.lower.clear();
        let mut bounds = clip(&range, 1..self.lits.len() + 1);
        self.send(collector, var_manager, |sink, this| {
            bounds.try_for_each(|bound| {
                let select = selector(sink)?;
                sink.when(&[select]).at_least(&this.lits, bound, &this.enc)?;
                this.lower.insert(bound, select);
                Ok(())
            })
        })
    }

    fn enforce_lb(&self, lb: usize) -> Result<Vec<Lit>, EnforceError> {
        if lb == 0 {
            return Ok(Vec::new());
        }
        if lb > self.lits.len() {
            return Err(EnforceError::Unsat);
        }
        self.lower.get(&lb).map(|&select| vec![select]).ok_or(EnforceError::NotEncoded)
    }

    fn encode_lb_constr<Col>(
        constr: CardLbConstr,
        collector: &mut Col,
        var_manager: &mut dyn ManageVars,
    ) -> Result<(), ConstraintEncodingError>
    where
        Col: CollectClauses,
        Self: FromIterator<Lit> + Sized,
    {
        let (lits, lb) = constr.decompose();
        if lb > lits.len() {
            return Err(ConstraintEncodingError::Unsat);
        }
        Self::from_iter(lits).send(collector, var_manager, |sink, this| sink.at_least(&this.lits, lb, &this.enc))?;
        Ok(())
    }
}

impl<E: AtMostK> BoundBoth for Selected<E> {
    fn encode_eq_constr<Col>(
        constr: CardEqConstr,
        collector: &mut Col,
        var_manager: &mut dyn ManageVars,
    ) -> Result<(), ConstraintEncodingError>
    where
        Col: CollectClauses,
        Self: FromIterator<Lit> + Sized,
    {
        let (lits, b) = constr.decompose();
        if b > lits.len() {
            return Err(ConstraintEncodingError::Unsat);
        }
        Self::from_iter(lits).send(collector, var_manager, |sink, this| sink.exactly(&this.lits, b, &this.enc))?;
        Ok(())
    }
}

impl<E> Monotone for Selected<E> {}
