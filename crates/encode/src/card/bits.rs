//! The clauses of full and half adders, each direction of sum and carry by itself.

use crate::writer::{Full, Writer};
use rustsat::types::Lit;

/// Two or three bits of the same weight.
#[derive(Clone, Copy)]
pub(crate) struct AdderInputs {
    pub(crate) a: Lit,
    pub(crate) b: Lit,
    pub(crate) third: Option<Lit>,
}

impl AdderInputs {
    /// The sum and the carry, each defined in both directions.
    pub(crate) fn add(self, to: &mut Writer<'_>) -> Result<(Lit, Lit), Full> {
        let (sum, carry) = (to.lit(), to.lit());
        self.carry_rises(to, carry)?;
        self.sum_rises(to, sum)?;
        self.carry_falls(to, carry)?;
        self.sum_falls(to, sum)?;
        Ok((sum, carry))
    }

    /// Two that are true make the carry true.
    #[inline]
    pub(crate) fn carry_rises(self, to: &mut Writer<'_>, carry: Lit) -> Result<(), Full> {
        let Self { a, b, third } = self;
        to.define(&[!a, !b, carry])?;
        if let Some(c) = third {
            to.define(&[!a, !c, carry])?;
            to.define(&[!b, !c, carry])?;
        }
        Ok(())
    }

    /// One or three that are true, the others false, make the sum true.
    #[inline]
    pub(crate) fn sum_rises(self, to: &mut Writer<'_>, sum: Lit) -> Result<(), Full> {
        let Self { a, b, third } = self;
        let Some(c) = third else {
            to.define(&[!a, b, sum])?;
            return to.define(&[a, !b, sum]);
        };
        to.define(&[!a, b, c, sum])?;
        to.define(&[a, !b, c, sum])?;
        to.define(&[a, b, !c, sum])?;
        to.define(&[!a, !b, !c, sum])
    }

    /// Two of three that are false, or one of two, make the carry false.
    #[inline]
    pub(crate) fn carry_falls(self, to: &mut Writer<'_>, carry: Lit) -> Result<(), Full> {
        let Self { a, b, third } = self;
        let Some(c) = third else {
            to.define(&[a, !carry])?;
            return to.define(&[b, !carry]);
        };
        to.define(&[a, b, !carry])?;
        to.define(&[a, c, !carry])?;
        to.define(&[b, c, !carry])
    }

    /// None or two that are true, the others false, make the sum false.
    #[inline]
    pub(crate) fn sum_falls(self, to: &mut Writer<'_>, sum: Lit) -> Result<(), Full> {
        let Self { a, b, third } = self;
        let Some(c) = third else {
            to.define(&[a, b, !sum])?;
            return to.define(&[!a, !b, !sum]);
        };
        to.define(&[a, b, c, !sum])?;
        to.define(&[a, !b, !c, !sum])?;
        to.define(&[!a, b, !c, !sum])?;
        to.define(&[!a, !b, c, !sum])
    }
}
