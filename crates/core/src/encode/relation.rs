//! A [`Relation`] through an encoding: which cases need none, and which method of [`AtMostK`] stands for the others.

use rustsat::types::{Lit, Var};

use super::AtMostK;
use crate::relation::Relation;
use crate::sink::{ClauseSink, Size};

impl Relation {
    /// The size where no encoder is asked: nothing, units, one clause; or where there are more literals than rustsat
    /// has variables.
    pub(crate) fn folded(self, n: usize) -> Option<Size> {
        match self {
            Self::AtMost(k) if k >= n => Some(Size::ZERO),
            Self::AtLeast(0) => Some(Size::ZERO),
            Self::AtLeast(k) | Self::Exactly(k) if k > n => Some(Size::clause(0)),
            Self::AtMost(0) | Self::Exactly(0) => Some(Size::clauses(n as u64, 1)),
            Self::AtLeast(k) | Self::Exactly(k) if k == n => Some(Size::clauses(n as u64, 1)),
            Self::AtMost(k) if k + 1 == n => Some(Size::clause(n)),
            Self::AtLeast(1) => Some(Size::clause(n)),
            Self::Exactly(1) if n == 2 => Some(Size::clauses(2, 2)),
            _ if n > Var::MAX_IDX as usize => Some(Size { vars: u64::MAX, clauses: u64::MAX, lits: u64::MAX }),
            _ => None,
        }
    }

    /// The size of [`encode`](Self::encode) for `n` literals; for bounds out of its range, that of what the front door
    /// adds.
    pub(crate) fn size<E: AtMostK + ?Sized>(self, enc: &E, n: usize) -> Size {
        self.folded(n).unwrap_or_else(|| match self {
            Self::AtMost(k) => enc.amk_size(n, k),
            Self::AtLeast(k) => enc.alk_size(n, k),
            Self::Exactly(k) => enc.exk_size(n, k),
        })
    }

    /// Encodes the relation, 1 ≤ k < n, on literals of distinct variables by `enc`, or without it where one or two
    /// clauses do.
    pub(crate) fn encode<S, E>(self, enc: &E, sink: &mut S, lits: &[Lit]) -> Result<(), S::Error>
    where
        S: ClauseSink + ?Sized,
        E: AtMostK + ?Sized,
    {
        match self {
            Self::AtMost(k) if k + 1 == lits.len() => {
                let negated: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
                sink.add_clause(&negated)
            }
            Self::AtLeast(1) => sink.add_clause(lits),
            Self::AtMost(k) => enc.at_most(sink, lits, k),
            Self::AtLeast(k) => enc.at_least(sink, lits, k),
            Self::Exactly(1) if lits.len() == 2 => {
                sink.add_clause(lits)?;
                sink.add_clause(&[!lits[0], !lits[1]])
            }
            Self::Exactly(k) => enc.exactly(sink, lits, k),
        }
    }
}
