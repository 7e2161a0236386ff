//! [`AtMostK`], the trait of encodings of *at most*, *at least* and *exactly k*.

use rustsat::types::{Lit, Var};

use crate::constraint::EncodingName;
use crate::relation::Relation;
use crate::sink::ClauseSink;
use crate::size::Size;

/// An encoding of *at most k of n literals are true*, and of its relatives.
///
/// Called by [`Constrain`](crate::Constrain) with literals of distinct variables and bounds that are not trivial;
/// called directly, it may rely on that:
///
/// | method | range |
/// |---|---|
/// | [`at_most`](Self::at_most) | 1 ≤ k ≤ n − 2 |
/// | [`at_least`](Self::at_least) | 2 ≤ k ≤ n − 1 |
/// | [`exactly`](Self::exactly) | 1 ≤ k ≤ n − 1, n ≥ 3 |
///
/// [`at_most`](Self::at_most) and [`amk_size`](Self::amk_size) are enough for an encoding; the rest follow from them by
/// negating literals and by saying both halves. Override them where sharing pays.
///
/// ```
/// use cnfkit::{AtMostK, ClauseSink, Cnf, SequentialCounter};
/// let mut cnf = Cnf::new();
/// let x = cnf.new_lits(5);
/// let enc = SequentialCounter::default();
/// enc.at_most(&mut cnf, &x, 2)?;
/// assert_eq!(cnf.n_clauses() as u64, AtMostK::amk_size(&enc, 5, 2).clauses);
/// # Ok::<(), cnfkit::CapacityError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no encoding of *at most k*",
    note = "counts take `CardEncoding` and `cnfkit::encodings` of counts, `AmoEncoding` is for *at most one*, and \
            `PbEncoding` for sums of weights"
)]
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
        Relation::AtMost(k).encode(self, sink, lits)?;
        Relation::AtLeast(k).encode(self, sink, lits)
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
    ///
    /// ```
    /// use cnfkit::{AtMostK, CardEncoding};
    /// assert!(CardEncoding::Totalizer.outputs_size(9, 2, 3).is_some()); // at least 2, and at least 3, as literals
    /// assert_eq!(CardEncoding::Combinatorial.outputs_size(9, 2, 3), None);
    /// ```
    fn outputs_size(&self, n: usize, first: usize, last: usize) -> Option<Size> {
        let _ = (n, first, last);
        None
    }

    /// Exactly what [`at_most`](Self::at_most) adds, for bounds in its range. For other bounds, all encodings here
    /// return what the front door adds: nothing, units, or one clause; and for n beyond rustsat's variables,
    /// [`u64::MAX`] of everything. So do [`alk_size`](Self::alk_size) and [`exk_size`](Self::exk_size).
    fn amk_size(&self, n: usize, k: usize) -> Size;

    /// Exactly what [`at_least`](Self::at_least) adds, for bounds in its range.
    fn alk_size(&self, n: usize, k: usize) -> Size {
        Relation::AtLeast(k).folded(n).unwrap_or_else(|| self.amk_size(n, n - k))
    }

    /// Exactly what [`exactly`](Self::exactly) adds, for bounds in its range.
    ///
    /// ```
    /// use cnfkit::{AtMostK, Totalizer};
    /// let enc = Totalizer::default();
    /// let (most, least, both) = (enc.amk_size(9, 4), enc.alk_size(9, 4), enc.exk_size(9, 4));
    /// assert!(both.cost() < most.cost() + least.cost()); // one tree for both
    /// ```
    fn exk_size(&self, n: usize, k: usize) -> Size {
        let both = || Relation::AtMost(k).size(self, n) + Relation::AtLeast(k).size(self, n);
        Relation::Exactly(k).folded(n).unwrap_or_else(both)
    }

    /// The encoding as data: see [`Encoding::encoding_name`](crate::Encoding::encoding_name).
    fn encoding_name(&self) -> Option<EncodingName> {
        None
    }

    /// For encodings that choose among others: decides how `relation` is encoded on `n` literals, any bound in the
    /// ranges above, and says the exact size of that.
    fn decide(&self, relation: Relation, n: usize) -> (Decision, Size) {
        (Decision::default(), relation.size(self, n))
    }

    /// Writes what was [decided](Self::decide): for encodings that choose among others.
    ///
    /// # Errors
    /// As the sink fails.
    fn write<S>(&self, decision: Decision, relation: Relation, sink: &mut S, lits: &[Lit]) -> Result<(), S::Error>
    where
        S: ClauseSink + ?Sized,
    {
        let _ = decision;
        relation.encode(self, sink, lits)
    }
}

/// The decision of an encoding that chooses among others: a number of its own.
///
/// ```
/// use cnfkit::encode::Decision;
/// use cnfkit::{AtMostK, CardEncoding, Relation};
/// let (chosen, size) = CardEncoding::Smallest.decide(Relation::AtMost(2), 30);
/// assert_eq!(size, AtMostK::amk_size(&CardEncoding::Smallest, 30, 2));
/// assert_eq!(CardEncoding::Smallest.decide(Relation::AtMost(2), 30).0, chosen);
/// assert_eq!(Decision::default(), Decision(0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Decision(pub u32);

/// True if these are in the range of [`AtMostK::outputs`], and not more than there are variables.
pub(super) const fn countable(n: usize, first: usize, last: usize) -> bool {
    3 <= n && n <= Var::MAX_IDX as usize && 1 <= first && first <= last && last <= n
}
