//! Bounds that are fixed when they are encoded, behind rustsat's traits of bounds that are enforced later.
//!
//! Each bound of a range is a formula of its own under a selector, a fresh literal that stands for "this bound holds".
//! The selectors are kept by bound, one map for each side; an input that is added makes all of them stale.

use std::collections::BTreeMap;
use std::ops::RangeBounds;

use rustsat::OutOfMemory;
use rustsat::encodings::card::{BoundBoth, BoundLower, BoundUpper, Encode};
use rustsat::encodings::{CollectClauses, ConstraintEncodingError, EnforceError, Monotone, NotEncoded};
use rustsat::instances::ManageVars;
use rustsat::types::Lit;
use rustsat::types::constraints::{CardEqConstr, CardLbConstr, CardUbConstr};

use super::bounds::RangeSide;
use super::collector::Collector;
use super::encoder::encoder;
use crate::constrain::Constrain;
use crate::encode::AtMostK;
use crate::sink::ClauseSink;
use crate::size::Size;

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
///   encoded earlier are then [not encoded](NotEncoded). Adding inputs with [`Extend`] has that effect too.
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
    /// The selector of each bound that is encoded: of upper ones, of lower ones.
    selectors: [BTreeMap<usize, Lit>; 2],
}

encoder!(Selected { selectors });

impl<E> Extend<Lit> for Selected<E> {
    fn extend<T: IntoIterator<Item = Lit>>(&mut self, lits: T) {
        let before = self.lits.len();
        self.lits.extend(lits);
        if self.lits.len() > before {
            self.selectors.iter_mut().for_each(BTreeMap::clear);
        }
    }
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

impl<E: AtMostK> Selected<E> {
    /// Encodes every bound of `range` on its own, anew.
    fn encode<C: CollectClauses>(
        &mut self,
        side: RangeSide,
        range: &impl RangeBounds<usize>,
        collector: &mut C,
        vars: &mut dyn ManageVars,
    ) -> Result<(), OutOfMemory> {
        self.selectors[side as usize].clear();
        let mut bounds = side.clip(range, self.lits.len());
        self.send(collector, vars, |sink, this| {
            bounds.try_for_each(|bound| {
                let select = selector(sink)?;
                match side {
                    RangeSide::Upper => sink.when(&[select]).at_most(&this.lits, bound, &this.enc)?,
                    RangeSide::Lower => sink.when(&[select]).at_least(&this.lits, bound, &this.enc)?,
                }
                this.selectors[side as usize].insert(bound, select);
                Ok(())
            })
        })
    }

    fn enforce(&self, side: RangeSide, bound: usize) -> Result<Vec<Lit>, EnforceError> {
        let select = self.selectors[side as usize].get(&bound);
        select.map(|&select| vec![select]).ok_or(EnforceError::NotEncoded)
    }
}

/// A method of rustsat's that encodes a whole constraint: without a selector.
macro_rules! constraint_method {
    ($method:ident($constraint:ty) -> $error:ty = $ours:ident $(, above n: $unsat:expr)?) => {
        fn $method<Col>(
            constr: $constraint,
            collector: &mut Col,
            var_manager: &mut dyn ManageVars,
        ) -> Result<(), $error>
        where
            Col: CollectClauses,
            Self: FromIterator<Lit> + Sized,
        {
            let (lits, b) = constr.decompose();
            $(if b > lits.len() {
                return Err($unsat);
            })?
            Self::from_iter(lits).send(collector, var_manager, |sink, this| sink.$ours(&this.lits, b, &this.enc))?;
            Ok(())
        }
    };
}

super::bounds::bounds!(Selected: AtMostK {
    upper {
        constraint_method!(encode_ub_constr(CardUbConstr) -> OutOfMemory = at_most);
    }
    lower {
        constraint_method!(encode_lb_constr(CardLbConstr) -> ConstraintEncodingError = at_least,
            above n: ConstraintEncodingError::Unsat);
    }
    both {
        constraint_method!(encode_eq_constr(CardEqConstr) -> ConstraintEncodingError = exactly,
            above n: ConstraintEncodingError::Unsat);
    }
});

impl<E> Monotone for Selected<E> {}
