//! At most k, at least k, exactly k: the trait, the encodings, and the choice among them.

mod adder;
mod combinatorial;
mod count;
mod diagram;
mod encoding;
mod incremental;
mod modulo;
mod network;
mod product;
mod sequential;
mod totalizer;
mod tree;

pub use adder::{Adder, ParallelCounter};
pub use combinatorial::Combinatorial;
pub use count::{Bound, Count, Counter};
pub use diagram::DecisionDiagram;
pub use encoding::{CardEncoding, UnknownCardEncoding};
pub use incremental::IncTotalizer;
pub use modulo::{KModuloTotalizer, ModuloTotalizer};
pub use network::{CardinalityNetwork, Network};
pub use product::GeneralizedProduct;
pub use sequential::{SequentialCounter, SequentialForm};
pub use totalizer::Totalizer;

use rustsat::types::{Lit, Var};

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

    /// Defines a literal for each of *at least `first`* to *at least `last`* of `lits`, in both directions;
    /// 1 ≤ `first` ≤ `last` ≤ `lits.len()`, and at least 3 literals. `None`, the default: this encoding does not count.
    ///
    /// All clauses are [definitions](ClauseSink::define). Reified constraints are made of this where
    /// [`outputs_size`](Self::outputs_size) says that it pays, and of two halves under conditions otherwise.
    ///
    /// # Errors
    /// As the sink fails.
    fn outputs<S: ClauseSink + ?Sized>(
        &self,
        sink: &mut S,
        lits: &[Lit],
        first: usize,
        last: usize,
    ) -> Result<Option<Vec<Lit>>, S::Error> {
        let _ = (sink, lits, first, last);
        Ok(None)
    }

    /// Exactly what [`outputs`](Self::outputs) adds; `None`, the default, where that is `None`, and outside its range.
    fn outputs_size(&self, n: usize, first: usize, last: usize) -> Option<Size> {
        let _ = (n, first, last);
        None
    }

    /// Exactly what [`at_most`](Self::at_most) adds, for bounds in its range. For others all encodings here say what the
    /// front door adds: nothing, units, or one clause; and for n beyond rustsat's variables, [`u64::MAX`] of everything. The
    /// same for the other two.
    fn amk_size(&self, n: usize, k: usize) -> Size;

    /// Exactly what [`at_least`](Self::at_least) adds, for bounds in its range.
    fn alk_size(&self, n: usize, k: usize) -> Size {
        Relation::AtLeast(k).folded(n).unwrap_or_else(|| self.amk_size(n, n - k))
    }

    /// Exactly what [`exactly`](Self::exactly) adds, for bounds in its range.
    fn exk_size(&self, n: usize, k: usize) -> Size {
        let both = || at_most_size(self, n, k) + at_least_size(self, n, k);
        Relation::Exactly(k).folded(n).unwrap_or_else(both)
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

    fn outputs<S: ClauseSink + ?Sized>(
        &self,
        sink: &mut S,
        lits: &[Lit],
        first: usize,
        last: usize,
    ) -> Result<Option<Vec<Lit>>, S::Error> {
        (**self).outputs(sink, lits, first, last)
    }

    fn outputs_size(&self, n: usize, first: usize, last: usize) -> Option<Size> {
        (**self).outputs_size(n, first, last)
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

/// Whether these are in the range of [`AtMostK::outputs`], and not more than there are variables.
pub(crate) const fn countable(n: usize, first: usize, last: usize) -> bool {
    3 <= n && n <= Var::MAX_IDX as usize && 1 <= first && first <= last && last <= n
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

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::Tally;
    use crate::testing::{Engine, KINDS, Kind, Recorder, inputs};

    /// Predicted size against emitted, for all n ≤ 64 and every k, and for some large n.
    pub(crate) fn check_sizes_and_large<E: AtMostK>(enc: &E) {
        let small = (3..=64).flat_map(|n| (1..n).map(move |k| (n, k)));
        for (n, k) in small.chain([(1000, 10), (1000, 500), (1000, 990), (10_000, 10), (10_000, 9_990)]) {
            for (kind, size) in KINDS.into_iter().zip([enc.amk_size(n, k), enc.alk_size(n, k), enc.exk_size(n, k)]) {
                if matches!(kind, Kind::AtMost) && k + 1 == n || matches!(kind, Kind::AtLeast) && k == 1 {
                    continue;
                }
                let mut tally = Tally::new(n);
                kind.post(&mut tally, &inputs(n), k, enc);
                assert_eq!(tally.size(), size, "{kind:?} {k} of {n}");
            }
        }
    }

    /// As many models as the inputs have: auxiliaries follow from them.
    pub(crate) fn check_one_model_each<E: AtMostK>(enc: &E) {
        for n in 3..=8 {
            for (k, kind) in (1..n).flat_map(|k| KINDS.map(|kind| (k, kind))) {
                let mut recorder = Recorder::new(n);
                kind.post(&mut recorder, &inputs(n), k, enc);
                let models = (0..=n).filter(|&count| kind.allows(count, k));
                let expected: u64 = models.map(|count| combinatorial::binomial(n as u64, count as u64)).sum();
                assert_eq!(Engine::new(&recorder).count(0) as u64, expected, "{kind:?} {k} of {n}");
            }
        }
    }
}
