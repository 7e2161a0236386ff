//! At most k, at least k, exactly k: the trait, the encodings, and the choice among them.

mod combinatorial;
mod count;
mod encoding;
mod incremental;
mod sequential;
mod totalizer;
mod tree;

pub use combinatorial::Combinatorial;
pub use count::{Bound, Count, Counter};
pub use encoding::{CardEncoding, UnknownCardEncoding};
pub use incremental::IncTotalizer;
pub use sequential::{SequentialCounter, SequentialForm};
pub use totalizer::Totalizer;

use rustsat::types::Lit;

use crate::constrain::Relation;
use crate::sink::{ClauseSink, Size};

/// An encoding of *at most k of n literals are true*, and of its relatives.
///
/// Called by [`Constrain`](crate::Constrain) with literals of distinct variables and bounds that are not trivial; called
/// directly, it may rely on that:
///
/// | method | range |
/// |---|---|
/// | [`at_most`](Self::at_most) | 1 ≤ k ≤ n − 2 |
/// | [`at_least`](Self::at_least) | 2 ≤ k ≤ n − 1 |
/// | [`exactly`](Self::exactly) | 1 ≤ k ≤ n − 1, n ≥ 3 |
///
/// [`at_most`](Self::at_most) and [`amk_size`](Self::amk_size) are enough for an encoding; the rest follow from them by
/// negating literals and by saying both halves. Override them where sharing pays.
pub trait AtMostK {
    /// Adds the clauses that let at most `k` of `lits` be true; 1 ≤ `k` ≤ `lits.len()` − 2.
    ///
    /// # Errors
    /// As the sink fails.
    fn at_most<S: ClauseSink + ?Sized>(&self, sink: &mut S, lits: &[Lit], k: usize) -> Result<(), S::Error>;

    /// Adds the clauses that make at least `k` of `lits` true; 2 ≤ `k` ≤ `lits.len()` − 1.
    ///
    /// # Errors
    /// As the sink fails.
    fn at_least<S: ClauseSink + ?Sized>(&self, sink: &mut S, lits: &[Lit], k: usize) -> Result<(), S::Error> {
        let negated: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
        self.at_most(sink, &negated, lits.len() - k)
    }

    /// Adds the clauses that make exactly `k` of `lits` true; 1 ≤ `k` ≤ `lits.len()` − 1 and at least 3 literals.
    ///
    /// # Errors
    /// As the sink fails.
    fn exactly<S: ClauseSink + ?Sized>(&self, sink: &mut S, lits: &[Lit], k: usize) -> Result<(), S::Error> {
        at_most(self, sink, lits, k)?;
        at_least(self, sink, lits, k)
    }

    /// Exactly what [`at_most`](Self::at_most) adds.
    fn amk_size(&self, n: usize, k: usize) -> Size;

    /// Exactly what [`at_least`](Self::at_least) adds.
    fn alk_size(&self, n: usize, k: usize) -> Size {
        self.amk_size(n, n - k)
    }

    /// Exactly what [`exactly`](Self::exactly) adds.
    fn exk_size(&self, n: usize, k: usize) -> Size {
        at_most_size(self, n, k) + at_least_size(self, n, k)
    }
}

/// A reference to an encoding is one.
impl<E: AtMostK + ?Sized> AtMostK for &E {
    fn at_most<S: ClauseSink + ?Sized>(&self, sink: &mut S, lits: &[Lit], k: usize) -> Result<(), S::Error> {
        (**self).at_most(sink, lits, k)
    }

    fn at_least<S: ClauseSink + ?Sized>(&self, sink: &mut S, lits: &[Lit], k: usize) -> Result<(), S::Error> {
        (**self).at_least(sink, lits, k)
    }

    fn exactly<S: ClauseSink + ?Sized>(&self, sink: &mut S, lits: &[Lit], k: usize) -> Result<(), S::Error> {
        (**self).exactly(sink, lits, k)
    }

    fn amk_size(&self, n: usize, k: usize) -> Size {
        (**self).amk_size(n, k)
    }

    fn alk_size(&self, n: usize, k: usize) -> Size {
        (**self).alk_size(n, k)
    }

    fn exk_size(&self, n: usize, k: usize) -> Size {
        (**self).exk_size(n, k)
    }
}

/// At most `k`, 1 ≤ `k` < n, without an encoder where one clause does it.
pub(crate) fn at_most<S, E>(enc: &E, sink: &mut S, lits: &[Lit], k: usize) -> Result<(), S::Error>
where
    S: ClauseSink + ?Sized,
    E: AtMostK + ?Sized,
{
    Relation::AtMost(k).encode(enc, sink, lits)
}

/// At least `k`, 1 ≤ `k` < n, without an encoder where one clause does it.
pub(crate) fn at_least<S, E>(enc: &E, sink: &mut S, lits: &[Lit], k: usize) -> Result<(), S::Error>
where
    S: ClauseSink + ?Sized,
    E: AtMostK + ?Sized,
{
    Relation::AtLeast(k).encode(enc, sink, lits)
}

pub(crate) fn at_most_size<E: AtMostK + ?Sized>(enc: &E, n: usize, k: usize) -> Size {
    Relation::AtMost(k).size(enc, n)
}

pub(crate) fn at_least_size<E: AtMostK + ?Sized>(enc: &E, n: usize, k: usize) -> Size {
    Relation::AtLeast(k).size(enc, n)
}
