//! [`Weight`]: the integers that weights are given in; and a sum with any of them as one of positive weights.

use rustsat::types::Lit;

use super::wide::WideRelation;
use crate::relation::PbRelation;

mod sealed {
    pub trait Sealed {}
}

/// The integers that weights and bounds are given in: all of up to 64 bits, signed or not.
///
/// Each sum has weights of one type, and its bound has that type, too. A negative weight of x is as much more where x
/// is false: −3x is 3¬x − 3. Sums and bounds are exact, whatever they come to.
///
/// ```
/// use cnfkit::{ClauseSink, Cnf, Constrain, PbEncoding, constrain::Weight};
/// let mut cnf = Cnf::new();
/// let x = cnf.new_lits(2);
/// cnf.pb_at_most(&[(x[0], 3_i64), (x[1], -4)], -1, PbEncoding::Auto)?; // x1, and then x0 may be true
/// assert!(cnf.clauses().eq([&[x[1]][..]]));
/// assert_eq!((7_usize.wide(), i64::MIN.wide()), (7, -(1 << 63)));
/// # Ok::<(), cnfkit::CapacityError>(())
/// ```
pub trait Weight: Copy + sealed::Sealed {
    /// The value.
    fn wide(self) -> i128;
}

macro_rules! weights {
    ($($integer:ty)*) => {$(
        impl sealed::Sealed for $integer {}

        impl Weight for $integer {
            #[allow(clippy::cast_lossless)] // of a size that is the machine's there is no other way
            fn wide(self) -> i128 {
                self as i128
            }
        }
    )*};
}
weights!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

/// A sum of positive weights, and its bound.
pub(super) struct Signed {
    pub(super) terms: Vec<(Lit, u64)>,
    /// `None` where no sum is like that.
    pub(super) relation: Option<WideRelation>,
}

impl Signed {
    pub(super) fn new<W: Weight>(terms: &[(Lit, W)], relation: PbRelation<W>) -> Self {
        let mut below = 0_u128;
        let positive = |&(lit, weight): &(Lit, W)| {
            let (is_negative, weight) = (weight.wide() < 0, weight.wide().unsigned_abs() as u64);
            below += if is_negative { weight.into() } else { 0 };
            (if is_negative { !lit } else { lit }, weight)
        };
        let terms = terms.iter().map(positive).collect();
        let bound = |bound: W| u128::try_from(bound.wide() + below.cast_signed()).ok();
        let relation = match relation {
            PbRelation::AtMost(most) => bound(most).map(WideRelation::AtMost),
            PbRelation::AtLeast(least) => Some(WideRelation::AtLeast(bound(least).unwrap_or(0))),
            PbRelation::Exactly(sum) => bound(sum).map(WideRelation::Exactly),
        };
        Self { terms, relation }
    }
}

/// A sum with weights of either sign as one of positive weights, with its bound. A bound that no sum meets becomes *at
/// least* one more than the sum of all; `None` where that is beyond 64 bits.
///
/// ```
/// use cnfkit::{ClauseSink, Cnf, PbRelation, constrain::positive};
/// let x = Cnf::new().new_lits(2);
/// let (terms, relation) = positive(&[(x[0], 2), (x[1], -3)], PbRelation::AtMost(1)).expect("small weights");
/// assert_eq!((terms, relation), (vec![(x[0], 2), (!x[1], 3)], PbRelation::AtMost(4)));
/// ```
pub fn positive<W: Weight>(terms: &[(Lit, W)], relation: PbRelation<W>) -> Option<(Vec<(Lit, u64)>, PbRelation)> {
    let Signed { terms, relation } = Signed::new(terms, relation);
    let beyond = terms.iter().try_fold(1_u64, |sum, &(_, weight)| sum.checked_add(weight))?;
    let bound = |bound: u128| u64::try_from(bound).unwrap_or(beyond);
    let relation = match relation {
        None => PbRelation::AtLeast(beyond),
        Some(WideRelation::AtMost(most)) => PbRelation::AtMost(bound(most)),
        Some(WideRelation::AtLeast(least)) => PbRelation::AtLeast(bound(least)),
        Some(WideRelation::Exactly(sum)) => PbRelation::Exactly(bound(sum)),
    };
    Some((terms, relation))
}
