//! The words of a [`Relation`] without its number, for loops over all relations and bounds.

use rustsat::types::Lit;

use crate::{AtMostK, ClauseSink, Constrain, Relation, Size};

/// A relation whose bound is given apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kind(Relation);

pub(crate) const KINDS: [Kind; 3] = [Kind::AtMost, Kind::AtLeast, Kind::Exactly];

#[allow(non_upper_case_globals)] // named as the relations are
impl Kind {
    pub(crate) const AtMost: Self = Self(Relation::AtMost(0));
    pub(crate) const AtLeast: Self = Self(Relation::AtLeast(0));
    pub(crate) const Exactly: Self = Self(Relation::Exactly(0));
}

impl Kind {
    pub(crate) fn relation(self, k: usize) -> Relation {
        self.0.with_bound(k)
    }

    pub(crate) fn allows(self, count: usize, k: usize) -> bool {
        self.relation(k).allows(count)
    }

    /// The constraint that holds where this one does not, if it is one of these.
    pub(super) fn negated(self, k: usize) -> Option<(Self, usize)> {
        match self.0 {
            Relation::AtMost(_) => Some((Self::AtLeast, k + 1)),
            Relation::AtLeast(_) => k.checked_sub(1).map(|less| (Self::AtMost, less)),
            Relation::Exactly(_) => None,
        }
    }

    pub(crate) fn post<S: ClauseSink + ?Sized, E: AtMostK>(self, sink: &mut S, lits: &[Lit], k: usize, enc: &E) {
        assert!(sink.cardinality(lits, self.relation(k), enc).is_ok());
    }

    pub(crate) fn post_iff<S: ClauseSink + ?Sized, E: AtMostK>(
        self,
        sink: &mut S,
        r: Lit,
        lits: &[Lit],
        k: usize,
        enc: &E,
    ) {
        let done = match self.0 {
            Relation::AtMost(_) => sink.iff_at_most(r, lits, k, enc),
            Relation::AtLeast(_) => sink.iff_at_least(r, lits, k, enc),
            Relation::Exactly(_) => sink.iff_exactly(r, lits, k, enc),
        };
        assert!(done.is_ok());
    }

    /// The size that the encoding predicts, for bounds that it is asked for.
    pub(super) fn predicted<E: AtMostK>(self, enc: &E, n: usize, k: usize) -> Option<Size> {
        let relation = self.relation(k);
        let asked = n >= 3 && relation.folded(n).is_none();
        asked.then(|| relation.size(enc, n))
    }
}
