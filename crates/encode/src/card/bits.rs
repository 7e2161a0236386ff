//! The clauses of full and half adders, each direction of sum and carry by itself.

use rustsat::types::Lit;

use crate::sink::ClauseSink;

/// Two or three bits of the same weight.
#[derive(Clone, Copy)]
pub(crate) struct Bits {
    pub(crate) a: Lit,
    pub(crate) b: Lit,
    pub(crate) third: Option<Lit>,
}

impl Bits {
    /// The sum and the carry, each defined in both directions.
    pub(crate) fn add<S: ClauseSink + ?Sized>(self, sink: &mut S) -> Result<(Lit, Lit), S::Error> {
        let (sum, carry) = (sink.new_lit(), sink.new_lit());
        self.carry_rises(sink, carry)?;
        self.sum_rises(sink, sum)?;
        self.carry_falls(sink, carry)?;
        self.sum_falls(sink, sum)?;
        Ok((sum, carry))
    }

    /// Two that are true make the carry true.
    #[inline]
    pub(crate) fn carry_rises<S: ClauseSink + ?Sized>(self, sink: &mut S, carry: Lit) -> Result<(), S::Error> {
        let Self { a, b, third } = self;
        sink.define(&[!a, !b, carry])?;
        if let Some(c) = third {
            sink.define(&[!a, !c, carry])?;
            sink.define(&[!b, !c, carry])?;
        }
        Ok(())
    }

    /// One or three that are true, the others false, make the sum true.
    #[inline]
    pub(crate) fn sum_rises<S: ClauseSink + ?Sized>(self, sink: &mut S, sum: Lit) -> Result<(), S::Error> {
        let Self { a, b, third } = self;
        let Some(c) = third else {
            sink.define(&[!a, b, sum])?;
            return sink.define(&[a, !b, sum]);
        };
        sink.define(&[!a, b, c, sum])?;
        sink.define(&[a, !b, c, sum])?;
        sink.define(&[a, b, !c, sum])?;
        sink.define(&[!a, !b, !c, sum])
    }

    /// Two of three that are false, or one of two, make the carry false.
    #[inline]
    pub(crate) fn carry_falls<S: ClauseSink + ?Sized>(self, sink: &mut S, carry: Lit) -> Result<(), S::Error> {
        let Self { a, b, third } = self;
        let Some(c) = third else {
            sink.define(&[a, !carry])?;
            return sink.define(&[b, !carry]);
        };
        sink.define(&[a, b, !carry])?;
        sink.define(&[a, c, !carry])?;
        sink.define(&[b, c, !carry])
    }

    /// None or two that are true, the others false, make the sum false.
    #[inline]
    pub(crate) fn sum_falls<S: ClauseSink + ?Sized>(self, sink: &mut S, sum: Lit) -> Result<(), S::Error> {
        let Self { a, b, third } = self;
        let Some(c) = third else {
            sink.define(&[a, b, !sum])?;
            return sink.define(&[!a, !b, !sum]);
        };
        sink.define(&[a, b, c, !sum])?;
        sink.define(&[a, !b, !c, !sum])?;
        sink.define(&[!a, b, !c, !sum])?;
        sink.define(&[!a, !b, c, !sum])
    }
}
