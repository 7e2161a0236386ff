//! Encodings of counts as [`Encoding`]s: every [`AtMostK`] is one, and [`One`] makes one of an [`AtMostOne`].
//!
//! A literal that is given more than once is a weight, which encodings of counts do not know: see
//! [`weights`](super::weights).

use rustsat::types::Lit;

use super::weights::Weighted;
use crate::amo::{Bimander, Bitwise, Commander, Ladder, Nested, Optimal, Pairwise, Product};
use crate::choose::AmoEncoding;
use crate::constraint::{Constraint, EncodingName, Sum};
use crate::encode::{AtMostK, AtMostOne, Decision, Encoding, Plan};
use crate::erase::erase;
use crate::guard::Guarded;
use crate::relation::Relation;
use crate::sink::ClauseSink;
use crate::size::Size;

#[diagnostic::do_not_recommend]
impl<E: AtMostK> Encoding for E {
    type Plan<'e>
        = CountingPlan<'e, E>
    where
        E: 'e;

    fn plan(&self, constraint: &Constraint<'_>) -> Option<CountingPlan<'_, E>> {
        Some(match constraint.sum {
            Sum::Count { lits, relation } => CountingPlan::Count(CountPlan::new(self, lits.len(), relation)),
            Sum::Weights { terms, relation } => CountingPlan::Weights(self, Weighted::plan(terms.all(), relation)),
        })
    }

    fn plan_iff(&self, r: Lit, constraint: &Constraint<'_>) -> Option<CountingPlan<'_, E>> {
        let (lits, relation) = constraint.counted()?;
        SharedPlan::new(self, r, lits.len(), relation).map(CountingPlan::Shared)
    }

    fn encoding_name(&self) -> Option<EncodingName> {
        AtMostK::encoding_name(self)
    }
}

/// The plan of a cardinality constraint.
///
/// ```
/// use cnfkit::constrain::CountingPlan;
/// use cnfkit::{CardEncoding, Constraint, Encoding, Lit, Plan, Relation};
/// let x: Vec<Lit> = (0..6).map(Lit::positive).collect();
/// let constraint = Constraint::count(&x, Relation::AtMost(2));
/// let plan: CountingPlan<'_, _> = CardEncoding::Combinatorial.plan(&constraint).expect("it has no budget");
/// assert_eq!(plan.size().clauses, 20);
/// ```
#[derive(Debug)]
pub enum CountingPlan<'e, E> {
    #[doc(hidden)]
    Count(CountPlan<'e, E>),
    #[doc(hidden)]
    Shared(SharedPlan<'e, E>),
    #[doc(hidden)]
    Weights(&'e E, Weighted),
}

impl<E: AtMostK> Plan for CountingPlan<'_, E> {
    fn size(&self) -> Size {
        match self {
            Self::Count(plan) => plan.size(),
            Self::Shared(plan) => plan.size(),
            Self::Weights(enc, plan) => plan.size(*enc),
        }
    }

    fn write<S: ClauseSink + ?Sized>(&self, constraint: &Constraint<'_>, sink: &mut S) -> Result<(), S::Error> {
        match self {
            Self::Count(plan) => plan.write(constraint, sink),
            Self::Shared(plan) => plan.write(constraint, sink),
            Self::Weights(enc, plan) => plan.write(sink, *enc),
        }
    }
}

/// A bound on any so many literals, by an encoding that has decided how.
#[derive(Debug)]
pub struct CountPlan<'e, E> {
    enc: &'e E,
    relation: Relation,
    decision: Decision,
    size: Size,
}

impl<E> Clone for CountPlan<'_, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for CountPlan<'_, E> {}

impl<'e, E: AtMostK> CountPlan<'e, E> {
    pub(crate) fn new(enc: &'e E, n: usize, relation: Relation) -> Self {
        let (decision, size) = enc.decide(relation, n);
        Self { enc, relation, decision, size }
    }
}

impl<E: AtMostK> Plan for CountPlan<'_, E> {
    fn size(&self) -> Size {
        self.size
    }

    fn write<S: ClauseSink + ?Sized>(&self, constraint: &Constraint<'_>, sink: &mut S) -> Result<(), S::Error> {
        match constraint.counted() {
            Some((lits, _)) => self.enc.write(self.decision, self.relation, sink, lits),
            None => Ok(()),
        }
    }
}

/// A reified bound on one structure that is defined in both directions: an encoding that
/// [counts](AtMostK::outputs) makes literals for *at least j*, and r is one of these, or says that one holds and the
/// next does not.
#[derive(Debug)]
pub struct SharedPlan<'e, E> {
    enc: &'e E,
    r: Lit,
    /// The outputs that are needed: of *exactly* two, otherwise one.
    first: usize,
    last: usize,
    size: Size,
}

impl<'e, E: AtMostK> SharedPlan<'e, E> {
    /// `None` where two halves under conditions have fewer variables + clauses, or the encoding does not count.
    fn new(enc: &'e E, r: Lit, n: usize, relation: Relation) -> Option<Self> {
        let (first, last) = match relation {
            Relation::AtMost(k) => (k + 1, k + 1),
            Relation::AtLeast(k) => (k, k),
            Relation::Exactly(k) => (k, k + 1),
        };
        let outputs = enc.outputs_size(n, first, last)?;
        let mut halves = Relation::AtMost(first - 1).size(enc, n) + Relation::AtLeast(last).size(enc, n);
        let mut size = outputs + Size::clauses(2, 2);
        if first < last {
            halves += Relation::Exactly(first).size(enc, n) + Size::variables(1);
            size += Size::clause(3);
        }
        (size.cost() <= halves.cost()).then_some(Self { enc, r, first, last, size })
    }
}

impl<E: AtMostK> Plan for SharedPlan<'_, E> {
    fn size(&self) -> Size {
        self.size
    }

    fn write<S: ClauseSink + ?Sized>(&self, constraint: &Constraint<'_>, sink: &mut S) -> Result<(), S::Error> {
        let Some((lits, relation)) = constraint.counted() else { return Ok(()) };
        let r = if matches!(relation, Relation::AtMost(_)) { !self.r } else { self.r };
        let outputs = self.enc.outputs(sink, lits, self.first, self.last)?;
        match outputs.as_deref() {
            Some(&[enough]) if self.first == self.last => {
                sink.add_clause(&[!r, enough])?;
                sink.add_clause(&[r, !enough])
            }
            Some(&[enough, more]) if self.first < self.last => {
                sink.add_clause(&[!r, enough])?;
                sink.add_clause(&[!r, !more])?;
                sink.add_clause(&[r, !enough, more])
            }
            // An encoding of somebody else's, whose `outputs_size` said otherwise: the formula is right all the same,
            // as if it did not count, and builds with debug assertions panic over its size.
            _ => {
                let few = (self.first < self.last).then(|| sink.new_lit());
                let mut half = |cond: &[Lit], relation: Relation| {
                    erase(&mut Guarded::new(sink, cond), |sink| relation.encode(self.enc, sink, lits))
                };
                let (below, above) = (Relation::AtMost(self.first - 1), Relation::AtLeast(self.last));
                match few {
                    None => half(&[!r], below).and_then(|()| half(&[r], above)),
                    Some(few) => {
                        half(&[r], relation)?;
                        half(&[!r, few], below)?;
                        half(&[!r, !few], above)
                    }
                }
            }
        }
    }
}

/// An encoding of at most one: of that bound, and of *exactly one*. Folding leaves no other of these two.
pub(crate) struct One<'o, E>(pub(crate) &'o E);

impl<'o, E: AtMostOne> Encoding for One<'o, E> {
    type Plan<'e>
        = OnePlan<'o, E>
    where
        Self: 'e;

    fn plan(&self, constraint: &Constraint<'_>) -> Option<OnePlan<'o, E>> {
        match constraint.counted()? {
            (lits, Relation::AtMost(1)) => {
                Some(OnePlan { enc: self.0, exactly: false, size: self.0.amo_size(lits.len()) })
            }
            (lits, Relation::Exactly(1)) => {
                let size = Size::clause(lits.len()) + self.0.amo_size(lits.len());
                Some(OnePlan { enc: self.0, exactly: true, size })
            }
            _ => None,
        }
    }

    fn takes_pairs(&self) -> bool {
        true
    }

    fn encoding_name(&self) -> Option<EncodingName> {
        self.0.encoding_name()
    }
}

/// Encodings of at most one alone.
macro_rules! ones {
    ($($enc:ty),*) => {$(
        crate::by_value!($enc);

        impl Encoding for $enc {
            type Plan<'e> = OnePlan<'e, $enc>;

            fn plan(&self, constraint: &Constraint<'_>) -> Option<OnePlan<'_, $enc>> {
                One(self).plan(constraint)
            }

            fn takes_pairs(&self) -> bool {
                true
            }

            fn encoding_name(&self) -> Option<EncodingName> {
                AtMostOne::encoding_name(self)
            }
        }
    )*};
}
ones!(AmoEncoding, Bimander, Bitwise, Commander, Ladder, Nested, Optimal, Pairwise, Product);

/// At most one, or exactly one, of any so many literals.
///
/// ```
/// use cnfkit::constrain::OnePlan;
/// use cnfkit::{Constraint, Encoding, Lit, Pairwise, Plan, Relation};
/// let x: Vec<Lit> = (0..6).map(Lit::positive).collect();
/// let constraint = Constraint::count(&x, Relation::Exactly(1));
/// let plan: OnePlan<'_, _> = Pairwise.plan(&constraint).expect("at most one, and a clause");
/// assert_eq!(plan.size().clauses, 15 + 1);
/// ```
#[derive(Debug)]
pub struct OnePlan<'o, E> {
    enc: &'o E,
    exactly: bool,
    size: Size,
}

impl<E: AtMostOne> Plan for OnePlan<'_, E> {
    fn size(&self) -> Size {
        self.size
    }

    fn write<S: ClauseSink + ?Sized>(&self, constraint: &Constraint<'_>, sink: &mut S) -> Result<(), S::Error> {
        let Some((lits, _)) = constraint.counted() else { return Ok(()) };
        if self.exactly {
            sink.add_clause(lits)?;
        }
        self.enc.at_most_one(sink, lits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Totalizer;
    use crate::testing::{Engine, Recorder, inputs};

    /// Says how large outputs are, and makes none.
    struct Forgetful;

    impl AtMostK for Forgetful {
        fn at_most<S: ClauseSink + ?Sized>(&self, sink: &mut S, lits: &[Lit], k: usize) -> Result<(), S::Error> {
            Totalizer::default().at_most(sink, lits, k)
        }

        fn amk_size(&self, n: usize, k: usize) -> Size {
            Totalizer::default().amk_size(n, k)
        }

        fn outputs_size(&self, _: usize, _: usize, _: usize) -> Option<Size> {
            Some(Size::ZERO)
        }
    }

    /// The formula is right although no output comes: each assignment has one value of r.
    #[test]
    fn outputs_that_do_not_come_are_done_without() {
        for relation in [Relation::AtMost(2), Relation::AtLeast(2), Relation::Exactly(2)] {
            let (lits, r) = (inputs(5), Lit::positive(5));
            let mut recorder = Recorder::new(6);
            let plan = SharedPlan::new(&Forgetful, r, 5, relation).expect("nothing is smaller");
            plan.write(&Constraint::count(&lits, relation), &mut recorder).unwrap();
            let mut engine = Engine::new(&recorder);
            for assignment in 0..1_u32 << 6 {
                let is_true = |lit: Lit| assignment >> lit.vidx() & 1 == 1;
                let expected = relation.allows(lits.iter().filter(|&&lit| is_true(lit)).count()) == is_true(r);
                let mark = engine.mark();
                let fits = inputs(6).iter().all(|&lit| engine.assume(if is_true(lit) { lit } else { !lit }));
                assert_eq!(fits && engine.satisfiable(), expected, "{relation} {assignment:b}");
                engine.undo(mark);
            }
        }
    }
}
