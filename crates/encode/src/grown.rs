//! [`Grown`]: what every structure that grows does around its clauses.

use rustsat::types::Lit;

use crate::encode::check_known;
use crate::sink::ClauseSink;
use crate::size::Size;
use crate::writer::Writing;

/// How far the sink was that a structure grew on: another sink, which does not know all variables up to there, would
/// hand out as an input what the structure has as an auxiliary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Grown(Option<Lit>);

impl Grown {
    /// Nothing has grown yet.
    pub(crate) const NONE: Self = Self(None);

    /// Panics when the sink does not know `lits`, or all variables that were known before.
    pub(crate) fn check<S: ClauseSink + ?Sized>(self, sink: &S, lits: &[Lit]) {
        check_known(sink, lits);
        check_known(sink, self.0.as_slice());
    }

    /// With all variables that the sink knows.
    pub(crate) fn on<S: ClauseSink + ?Sized>(sink: &S) -> Self {
        Self(sink.next_var().idx32().checked_sub(1).map(Lit::positive))
    }

    /// Announces `size`, and writes the clauses of what `words` name, whose variables are auxiliaries.
    ///
    /// # Errors
    /// As the sink fails. It has seen no clause if it refuses the size.
    pub(crate) fn write<S: ClauseSink + ?Sized>(
        sink: &mut S,
        words: &str,
        size: &Size,
        write: &mut Writing<'_>,
    ) -> Result<Self, S::Error> {
        sink.reserve(size)?;
        sink.write_by(&mut |to| to.writing(&words, write))?;
        Ok(Self::on(sink))
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use crate::{ClauseSink, Cnf, IncAtMostOne, IncExactlyOne, IncTotalizer, Tally, WeightedCounter};

    /// A sink with fewer variables would hand out as an auxiliary what is an input, or another auxiliary.
    #[test]
    fn another_sink_is_refused() {
        let mut cnf = Cnf::new();
        let x = cnf.new_lits(20);
        let (mut count, mut sum) = (IncTotalizer::new(), WeightedCounter::new());
        let (mut most, mut exactly) = (IncAtMostOne::new(), IncExactlyOne::new());
        count.extend(&mut cnf, &x).unwrap();
        sum.extend(&cnf, &x.iter().copied().zip(1..).collect::<Vec<_>>());
        most.extend(&mut cnf, &x).unwrap();
        exactly.extend(&mut cnf, &x).unwrap();
        sum.at_most(&mut cnf, 20).unwrap();
        let refused = |what: &str, call: &mut dyn FnMut(&mut Tally)| {
            let error = catch_unwind(AssertUnwindSafe(|| call(&mut Tally::new(3)))).expect_err(what);
            let text = error.downcast_ref::<String>().expect("words");
            assert!(text.contains("is not known to the sink"), "{what}: {text}");
        };
        refused("widen", &mut |other| count.clone().widen(other, 5).unwrap());
        refused("extend a count", &mut |other| count.clone().extend(other, &x[..3]).unwrap());
        // A bound that is known is one of the other sink's variables, too.
        refused("at most", &mut |other| assert!(sum.at_most(other, 20).is_ok()));
        refused("at least", &mut |other| assert!(sum.at_least(other, 30).is_ok()));
        refused("widen a sum", &mut |other| sum.widen(other, crate::pb::Side::Upper, 1, 9).unwrap());
        refused("extend a sum", &mut |other| sum.clone().extend(other, &[(x[0], 1)]));
        refused("at most one", &mut |other| most.clone().extend(other, &x[..3]).unwrap());
        refused("exactly one", &mut |other| exactly.clone().extend(other, &x[..3]).unwrap());
        refused("close", &mut |other| exactly.clone().close(other).unwrap());
        // Where it grew before, everything goes on.
        count.widen(&mut cnf, 5).unwrap();
        exactly.close(&mut cnf).unwrap();
        refused("extend after closing", &mut |other| exactly.clone().extend(other, &x[..3]).unwrap());
    }
}
