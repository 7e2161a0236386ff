use rustsat::types::Lit;

use crate::{AtMostK, ClauseSink, Constrain, Size};

/// What a constraint allows: a range for the number of true literals.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    AtMost,
    AtLeast,
    Exactly,
}

pub(crate) const KINDS: [Kind; 3] = [Kind::AtMost, Kind::AtLeast, Kind::Exactly];

impl Kind {
    pub(crate) fn allows(self, count: usize, k: usize) -> bool {
        match self {
            Self::AtMost => count <= k,
            Self::AtLeast => count >= k,
            Self::Exactly => count == k,
        }
    }

    /// The constraint that holds where this one does not, if it is one of these.
    pub(super) fn negated(self, k: usize) -> Option<(Self, usize)> {
        match self {
            Self::AtMost => Some((Self::AtLeast, k + 1)),
            Self::AtLeast => k.checked_sub(1).map(|less| (Self::AtMost, less)),
            Self::Exactly => None,
        }
    }

    pub(crate) fn post<S: ClauseSink + ?Sized, E: AtMostK>(self, sink: &mut S, lits: &[Lit], k: usize, enc: &E) {
        let done = match self {
            Self::AtMost => sink.at_most(lits, k, enc),
            Self::AtLeast => sink.at_least(lits, k, enc),
            Self::Exactly => sink.exactly(lits, k, enc),
        };
        assert!(done.is_ok());
    }

    pub(crate) fn post_iff<S: ClauseSink + ?Sized, E: AtMostK>(
        self,
        sink: &mut S,
        r: Lit,
        lits: &[Lit],
        k: usize,
        enc: &E,
    ) {
        let done = match self {
            Self::AtMost => sink.iff_at_most(r, lits, k, enc),
            Self::AtLeast => sink.iff_at_least(r, lits, k, enc),
            Self::Exactly => sink.iff_exactly(r, lits, k, enc),
        };
        assert!(done.is_ok());
    }

    pub(super) fn predicted<E: AtMostK>(self, enc: &E, n: usize, k: usize) -> Option<Size> {
        match self {
            Self::AtMost => (k >= 1 && k + 2 <= n).then(|| enc.amk_size(n, k)),
            Self::AtLeast => (k >= 2 && k < n).then(|| enc.alk_size(n, k)),
            Self::Exactly => (k >= 1 && k < n && n >= 3).then(|| enc.exk_size(n, k)),
        }
    }
}
