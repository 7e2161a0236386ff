//! Constraints on sums of weights on their way to an encoding of them.
//!
//! What folding makes a count of goes to an encoding of counts: `Auto` or `Smallest`, by the aim of the encoding that
//! was asked for. What that encoding gives up on, because it would be over its budget, goes to [`BinaryAdder`], which
//! is small for any weights, and sums beyond 64 bits to [`WideAdder`].

use rustsat::types::Lit;

use super::fold::{Folded, fold_pb};
use super::inputs::{Goal, Inputs};
use super::plan::{Any, Encoder};
use super::reify::{self, Share};
use super::{post, reify::post_unit};
use crate::choose::{AmoEncoding, CardEncoding};
use crate::encode::{AtMostK, AtMostOne, PbPlan, PseudoBoolean, Terms, check_known};
use crate::offer::Aim;
use crate::pb::{BinaryAdder, WideAdder};
use crate::relation::{PbRelation, Relation};
use crate::sink::{ClauseSink, Size};

/// Posts that the weights of the true literals of `terms` sum up to what `relation` says.
pub(super) fn pb<S, E>(sink: &mut S, terms: &Terms<'_>, relation: PbRelation, enc: &E) -> Result<(), S::Error>
where
    S: ClauseSink + ?Sized,
    E: PseudoBoolean,
{
    let folded: Folded<'static> = fold_pb(sink, terms, relation);
    post(sink, folded, &Weighing(enc))
}

/// Makes `r` true if and only if they do.
pub(crate) fn iff_pb<S, E>(
    sink: &mut S,
    r: Lit,
    terms: &Terms<'_>,
    relation: PbRelation,
    enc: &E,
) -> Result<(), S::Error>
where
    S: ClauseSink + ?Sized,
    E: PseudoBoolean,
{
    check_known(sink, &[r]);
    let inputs = Inputs::weighted(sink, terms);
    let goal = Goal::from(relation);
    match inputs.counted(goal) {
        None => reify::iff(sink, r, &inputs, goal, &Weighing(enc)),
        Some((_, None)) => post_unit(sink, !r),
        Some((lits, Some(relation))) => reify::iff(sink, r, &lits, relation.into(), &Any(&Counting(enc.aim()))),
    }
}

/// An encoding of weights as the front door asks it.
struct Weighing<'e, E>(&'e E);

/// A plan of the encoding that was asked for, or of what takes over from it.
enum Planned<P> {
    Asked(P),
    Binary(<BinaryAdder as PseudoBoolean>::Plan),
    Wide(WideAdder),
}

impl<E: PseudoBoolean> Encoder for Weighing<'_, E> {
    type Weights = Planned<E::Plan>;

    fn aim(&self) -> Option<Aim> {
        self.0.aim()
    }

    fn size(&self, relation: Relation, n: usize) -> Size {
        relation.size(&Counting(self.0.aim()), n)
    }

    fn encode<S: ClauseSink + ?Sized>(&self, relation: Relation, sink: &mut S, lits: &[Lit]) -> Result<(), S::Error> {
        relation.encode(&Counting(self.0.aim()), sink, lits)
    }

    fn plan_weights(&self, terms: &Terms<'_>, relation: PbRelation) -> Self::Weights {
        let wide = || WideAdder::new(terms.all(), relation);
        if !terms.fits() {
            return Planned::Wide(wide());
        }
        if let Some(plan) = self.0.plan(terms, relation) {
            return Planned::Asked(plan);
        }
        BinaryAdder::default().plan(terms, relation).map_or_else(|| Planned::Wide(wide()), Planned::Binary)
    }

    fn weights_size(&self, plan: &Self::Weights) -> Size {
        match plan {
            Planned::Asked(plan) => plan.size(),
            Planned::Binary(plan) => plan.size(),
            Planned::Wide(plan) => plan.size(),
        }
    }

    fn write_weights<S: ClauseSink + ?Sized>(&self, plan: &Self::Weights, sink: &mut S) -> Result<(), S::Error> {
        match plan {
            Planned::Asked(plan) => plan.write(sink),
            Planned::Binary(plan) => plan.write(sink),
            Planned::Wide(plan) => plan.write(sink),
        }
    }
}

/// Halves alone: what two directions of one structure would save depends on the weights.
impl<E: PseudoBoolean> Share for Weighing<'_, E> {}

/// Counts, for weights that turn out to be alike.
struct Counting(Option<Aim>);

impl Counting {
    const fn one(&self) -> AmoEncoding {
        match self.0 {
            Some(Aim::Size) => AmoEncoding::Smallest,
            Some(Aim::Solving) | None => AmoEncoding::Auto,
        }
    }

    const fn many(&self) -> CardEncoding {
        match self.0 {
            Some(Aim::Size) => CardEncoding::Smallest,
            Some(Aim::Solving) | None => CardEncoding::Auto,
        }
    }
}

impl AtMostK for Counting {
    fn at_most<S: ClauseSink + ?Sized>(&self, sink: &mut S, lits: &[Lit], k: usize) -> Result<(), S::Error> {
        if k == 1 { self.one().at_most_one(sink, lits) } else { self.many().at_most(sink, lits, k) }
    }

    fn at_least<S: ClauseSink + ?Sized>(&self, sink: &mut S, lits: &[Lit], k: usize) -> Result<(), S::Error> {
        self.many().at_least(sink, lits, k)
    }

    fn exactly<S: ClauseSink + ?Sized>(&self, sink: &mut S, lits: &[Lit], k: usize) -> Result<(), S::Error> {
        if k == 1 {
            sink.add_clause(lits)?;
            self.one().at_most_one(sink, lits)
        } else {
            self.many().exactly(sink, lits, k)
        }
    }

    fn outputs<S: ClauseSink + ?Sized>(
        &self,
        sink: &mut S,
        lits: &[Lit],
        first: usize,
        last: usize,
    ) -> Result<Option<Vec<Lit>>, S::Error> {
        self.many().outputs(sink, lits, first, last)
    }

    fn outputs_size(&self, n: usize, first: usize, last: usize) -> Option<Size> {
        self.many().outputs_size(n, first, last)
    }

    fn amk_size(&self, n: usize, k: usize) -> Size {
        let own = || if k == 1 { self.one().amo_size(n) } else { self.many().amk_size(n, k) };
        Relation::AtMost(k).folded(n).unwrap_or_else(own)
    }

    fn alk_size(&self, n: usize, k: usize) -> Size {
        self.many().alk_size(n, k)
    }

    fn exk_size(&self, n: usize, k: usize) -> Size {
        let own = || if k == 1 { Size::clause(n) + self.one().amo_size(n) } else { self.many().exk_size(n, k) };
        Relation::Exactly(k).folded(n).unwrap_or_else(own)
    }

    fn aim(&self) -> Option<Aim> {
        self.0
    }
}
