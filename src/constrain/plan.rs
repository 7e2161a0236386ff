//! A folded constraint with its exact size, ready to be written.
//!
//! Between folding and the first clause the front door knows everything that will come: a [`Plan`] holds the units, the
//! literals or weights that are left, and the size of all of that. Where several constraints are written as one, as for
//! a reified bound, the sum of their sizes is announced before the first of them, so that a sink that refuses has seen
//! no clause.

use rustsat::types::Lit;

use super::fold::{Folded, Rest};
use super::weights::Weighted;
use crate::encode::{AtMostK, AtMostOne};
use crate::offer::Aim;
use crate::relation::Relation;
use crate::sink::{ClauseSink, Size};

/// An encoding as the front door asks it: by relation. The literals are of distinct variables, and 1 ≤ k < n.
pub(super) trait Encoder {
    /// The aim for which the encoding is chosen, where the choice is left to the library.
    fn aim(&self) -> Option<Aim>;

    fn size(&self, relation: Relation, n: usize) -> Size;

    fn encode<S: ClauseSink + ?Sized>(&self, relation: Relation, sink: &mut S, lits: &[Lit]) -> Result<(), S::Error>;
}

/// An encoding of any bound.
pub(super) struct Any<'e, E>(pub(super) &'e E);

impl<E: AtMostK> Encoder for Any<'_, E> {
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
#[derive(Debug)]
pub(super) struct Plan<'a> {
    folded: Folded<'a>,
    /// The way that weights take, where they are left.
    weighted: Option<Weighted>,
    size: Size,
}

impl<'a> Plan<'a> {
    pub(super) fn new<E: Encoder>(folded: Folded<'a>, enc: &E) -> Self {
        let mut weighted = None;
        let rest = match &folded.rest {
            Rest::Nothing => Size::ZERO,
            Rest::Never => Size::clause(0),
            Rest::Literals(lits, relation) => enc.size(*relation, lits.len()),
            Rest::Weights(terms, relation) => weighted.insert(Weighted::plan(terms, *relation)).size(enc),
        };
        let size = rest + Size::clauses(folded.units.len() as u64, 1);
        Self { folded, weighted, size }
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
    pub(super) fn write<S: ClauseSink + ?Sized, E: Encoder>(&self, sink: &mut S, enc: &E) -> Result<(), S::Error> {
        self.folded.units.iter().try_for_each(|&unit| sink.add_clause(&[unit]))?;
        match &self.folded.rest {
            Rest::Nothing => Ok(()),
            Rest::Never => sink.add_clause(&[]),
            Rest::Literals(lits, relation) => enc.encode(*relation, sink, lits),
            Rest::Weights(..) => self.weighted.as_ref().map_or(Ok(()), |weighted| weighted.write(sink, enc)),
        }
    }
}
