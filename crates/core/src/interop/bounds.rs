//! Rustsat's traits of ranges of bounds, of which one is enforced later, for [`Counted`](super::Counted) and
//! [`Selected`](super::Selected) alike.
//!
//! Upper and lower bounds mirror each other, so both structs have one method for both, told apart by [`RangeSide`], and
//! the macros here make rustsat's pairs of methods of it. A range is first clipped to the bounds that forbid something.

use std::ops::{Bound, Range, RangeBounds};

/// The side from which a bound comes.
#[derive(Clone, Copy)]
pub(super) enum RangeSide {
    Upper,
    Lower,
}

impl RangeSide {
    /// The bounds in `range` that forbid something to `n` literals.
    pub(super) fn clip(self, range: &impl RangeBounds<usize>, n: usize) -> Range<usize> {
        let start = match range.start_bound() {
            Bound::Included(&bound) => bound,
            Bound::Excluded(&bound) => bound.saturating_add(1),
            Bound::Unbounded => 0,
        };
        let end = match range.end_bound() {
            Bound::Included(&bound) => bound.checked_add(1),
            Bound::Excluded(&bound) => Some(bound),
            Bound::Unbounded => None,
        };
        let within = match self {
            Self::Upper => 0..n,
            Self::Lower => 1..n.saturating_add(1),
        };
        start.max(within.start)..end.map_or(within.end, |end| end.min(within.end))
    }
}

/// A method of rustsat's that takes a range of bounds, as one of our own: `encode_ub => encode(RangeSide::Upper)`.
macro_rules! range_method {
    ($(#[$doc:meta])* $method:ident => $ours:ident($arg:expr) $(, R: $clone:ident)?) => {
        $(#[$doc])*
        fn $method<Col, R>(
            &mut self,
            range: R,
            collector: &mut Col,
            var_manager: &mut dyn ::rustsat::instances::ManageVars,
        ) -> Result<(), ::rustsat::OutOfMemory>
        where
            Col: ::rustsat::encodings::CollectClauses,
            R: ::std::ops::RangeBounds<usize> $(+ $clone)?,
        {
            self.$ours($arg, &range, collector, var_manager)
        }
    };
}

/// `BoundUpper`, `BoundLower` and `BoundBoth` for a struct with the field `lits` and two methods:
/// `encode(side, &range, collector, variables)`, and `enforce(side, bound)` for bounds that are not trivial. Further
/// items of each trait follow.
macro_rules! bounds {
    ($name:ident: $bound:ident { upper { $($upper:tt)* } lower { $($lower:tt)* } both { $($both:tt)* } }) => {
        impl<E: $bound> BoundUpper for $name<E> {
            $crate::interop::bounds::range_method!(encode_ub => encode(RangeSide::Upper));

            fn enforce_ub(&self, ub: usize) -> Result<Vec<Lit>, NotEncoded> {
                if ub >= self.lits.len() {
                    return Ok(Vec::new());
                }
                self.enforce(RangeSide::Upper, ub).map_err(|_| NotEncoded)
            }

            $($upper)*
        }

        impl<E: $bound> BoundLower for $name<E> {
            $crate::interop::bounds::range_method!(encode_lb => encode(RangeSide::Lower));

            fn enforce_lb(&self, lb: usize) -> Result<Vec<Lit>, EnforceError> {
                match lb {
                    0 => Ok(Vec::new()),
                    _ if lb > self.lits.len() => Err(EnforceError::Unsat),
                    _ => self.enforce(RangeSide::Lower, lb),
                }
            }

            $($lower)*
        }

        impl<E: $bound> BoundBoth for $name<E> {
            $($both)*
        }
    };
}

pub(super) use {bounds, range_method};
