//! A folded constraint with its exact size, ready to be written.
//!
//! Between folding and the first clause the front door knows everything that will come: a [`Plan`] holds the units, the
//! literals or weights that are left, and the size of all of that. Where several constraints are written as one, as for
//! a reified bound, the sum of their sizes is announced before the first of them, so that a sink that refuses has seen
//! no clause.

use rustsat::types::Lit;

use super::fold::{Folded, Rest};
use super::weights::Weighted;
use crate::encode::{AtMostK, AtMostOne, PbPlan, Terms};
use crate::offer::Aim;
use crate::pb::WideAdder;
use crate::relation::{PbRelation, Relation};
use crate::sink::{ClauseSink, Size};

/// An encoding as the front door asks it: by relation. The literals are of distinct variables, and 1 ≤ k < n.
pub(super) trait Encoder {
    /// The way that weights take.
    type Weights;

    /// The aim for which the encoding is chosen, where the choice is left to the library.
    fn aim(&self) -> Option<Aim>;

    fn size(&self, relation: Relation, n: usize) -> Size;

    fn encode<S: ClauseSink + ?Sized>(&self, relation: Relation, sink: &mut S, lits: &[Lit]) -> Result<(), S::Error>;

    /// Plans weights as folding leaves them.
    fn plan_weights(&self, terms: &Terms<'_>, relation: PbRelation) -> Self::Weights;

    fn weights_size(&self, plan: &Self::Weights) -> Size;

    fn write_weights<S: ClauseSink + ?Sized>(&self, plan: &Self::Weights, sink: &mut S) -> Result<(), S::Error>;
}

/// Weights of an encoding that counts come from literals given more than once.
macro_rules! weights_of_copies {
    () => {
        type Weights = Weighted;

        fn plan_weights(&self, terms: &Terms<'_>, relation: PbRelation) -> Weighted {
            Weighted::plan(terms.all(), relation)
        }

        fn weights_size(&self, plan: &Weighted) -> Size {
            plan.size(self)
        }

        fn write_weights<S: ClauseSink + ?Sized>(&self, plan: &Weighted, sink: &mut S) -> Result<(), S::Error> {
            plan.write(sink, self)
        }
    };
}

/// An encoding of any bound.
pub(super) struct Any<'e, E>(pub(super) &'e E);

impl<E: AtMostK> Encoder for Any<'_, E> {
    weights_of_copies!();

    fn aim(&self) -> Option<Aim> {
        self.0.aim()
    }

    fn size(&self, relation: Relation, n: usize) -> Size {
        relation.size(self.0, n)
    }

    fn encode<S: ClauseSink + ?Sized>(&self, relation: Relation, sink: &mut S, lits: &[Lit]) -> Result<(), S::Error> {
        relation.encode(self.0, sink, lits)
    }
}

/// An encoding of at most one. Folding leaves no other bound of *at most one* and *exactly one*.
pub(super) struct One<'e, E>(pub(super) &'e E);

impl<E: AtMostOne> Encoder for One<'_, E> {
    weights_of_copies!();

    fn aim(&self) -> Option<Aim> {
        self.0.aim()
    }

    fn size(&self, relation: Relation, n: usize) -> Size {
        let at_least_one = if relation.least().is_some() { Size::clause(n) } else { Size::ZERO };
        at_least_one + self.0.amo_size(n)
    }

    fn encode<S: ClauseSink + ?Sized>(&self, relation: Relation, sink: &mut S, lits: &[Lit]) -> Result<(), S::Error> {
        debug_assert_eq!(relation.most(), Some(1));
        if relation.least().is_some() {
            sink.add_clause(lits)?;
        }
        self.0.at_most_one(sink, lits)
    }
}

/// A constraint that is ready to be written, by an encoding that is given once more then.
pub(super) struct Plan<'a, E: Encoder> {
    folded: Folded<'a>,
    /// The way that weights take, where they are left.
    weights: Option<E::Weights>,
    wide: Option<WideAdder>,
    size: Size,
}

impl<'a, E: Encoder> Plan<'a, E> {
    pub(super) fn new(folded: Folded<'a>, enc: &E) -> Self {
        let mut weights = None;
        let rest = match &folded.rest {
            Rest::Nothing => Size::ZERO,
            Rest::Never => Size::clause(0),
            Rest::Literals(lits, relation) => enc.size(*relation, lits.len()),
            Rest::Weights { terms, ends, relation } => {
                enc.weights_size(weights.insert(enc.plan_weights(&Terms::of(terms, ends), *relation)))
            }
        };
        let wide = folded.wide.as_ref().map(|wide| WideAdder::at_least(&wide.terms, wide.least));
        let size = rest + folded.size_of_clauses() + wide.size();
        Self { folded, weights, wide, size }
    }

    /// The constraint itself.
    pub(super) const fn folded(&self) -> &Folded<'a> {
        &self.folded
    }

    /// Exactly what [`write`](Self::write) adds.
    pub(super) const fn size(&self) -> Size {
        self.size
    }

    /// Writes all clauses. The size was announced before.
    pub(super) fn write<S: ClauseSink + ?Sized>(&self, sink: &mut S, enc: &E) -> Result<(), S::Error> {
        self.folded.write_clauses(sink)?;
        self.wide.write(sink)?;
        match &self.folded.rest {
            Rest::Nothing => Ok(()),
            Rest::Never => sink.add_clause(&[]),
            Rest::Literals(lits, relation) => enc.encode(*relation, sink, lits),
            Rest::Weights { .. } => self.weights.as_ref().map_or(Ok(()), |plan| enc.write_weights(plan, sink)),
        }
    }
}
