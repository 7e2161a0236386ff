//! [`AtMostOne`] and [`AtMostK`]: what kinds of constraints an encoding is for, and the sizes that callers ask for.

use rustsat::types::Lit;

use super::encoding::{AsEncoding, Encoding};
use crate::constraint::Constraint;
use crate::relation::Relation;
use crate::sink::ClauseSink;
use crate::size::Size;

/// An encoding of *at most one of n literals is true*: every [`AtMostK`], and those of at most one alone.
///
/// ```
/// use cnfkit::{AtMostOne, ClauseSink, Cnf, Pairwise};
/// let mut cnf = Cnf::new();
/// let x = cnf.new_lits(5);
/// AtMostOne::at_most_one(&Pairwise, &mut cnf, &x)?;
/// assert_eq!((cnf.n_clauses(), Pairwise.amo_size(5).clauses), (10, 10));
/// # Ok::<(), cnfkit::CapacityError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no encoding of *at most one*",
    note = "it takes `AmoEncoding` and what encodes *at most k*; `PbEncoding` is for sums of weights"
)]
pub trait AtMostOne: Encoding {
    /// Exactly what *at most one* of `n` literals adds.
    fn amo_size(&self, n: usize) -> Size {
        match n {
            0 | 1 => Size::ZERO,
            n => self.count_size(n, Relation::AtMost(1)).unwrap_or(Size::ZERO),
        }
    }

    /// Adds the clauses that let at most one of `lits` be true, which are two or more of distinct variables.
    ///
    /// # Errors
    /// As the sink fails.
    fn at_most_one<S: ClauseSink + ?Sized>(&self, sink: &mut S, lits: &[Lit]) -> Result<(), S::Error>
    where
        Self: Sized,
    {
        write(self, sink, lits, Relation::AtMost(1))
    }
}

#[diagnostic::do_not_recommend]
impl<E: AtMostK + ?Sized> AtMostOne for E {}

/// An encoding of *at most k of n literals are true*, and of its relatives.
///
/// An encoding of counts implements [`ByRelation`](super::ByRelation), and is one by that.
///
/// ```
/// use cnfkit::{AtMostK, ClauseSink, Cnf, SequentialCounter};
/// let mut cnf = Cnf::new();
/// let x = cnf.new_lits(5);
/// let enc = SequentialCounter::default();
/// enc.at_most(&mut cnf, &x, 2)?;
/// assert_eq!(cnf.n_clauses() as u64, enc.amk_size(5, 2).clauses);
/// # Ok::<(), cnfkit::CapacityError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no encoding of *at most k*",
    note = "counts take `CardEncoding` and `cnfkit::encodings` of counts, `AmoEncoding` is for *at most one*, and \
            `PbEncoding` for sums of weights"
)]
pub trait AtMostK: Encoding {
    /// Exactly what *at most `k`* of `n` literals adds: nothing, units or one clause for bounds that need no encoding,
    /// and [`u64::MAX`] of everything for n beyond rustsat's variables. So do [`alk_size`](Self::alk_size) and
    /// [`exk_size`](Self::exk_size).
    fn amk_size(&self, n: usize, k: usize) -> Size {
        size(self, n, Relation::AtMost(k))
    }

    /// Exactly what *at least `k`* of `n` literals adds.
    fn alk_size(&self, n: usize, k: usize) -> Size {
        size(self, n, Relation::AtLeast(k))
    }

    /// Exactly what *exactly `k`* of `n` literals adds.
    ///
    /// ```
    /// use cnfkit::{AtMostK, Totalizer};
    /// let enc = Totalizer::default();
    /// let (most, least, both) = (enc.amk_size(9, 4), enc.alk_size(9, 4), enc.exk_size(9, 4));
    /// assert!(both.cost() < most.cost() + least.cost()); // one tree for both
    /// ```
    fn exk_size(&self, n: usize, k: usize) -> Size {
        size(self, n, Relation::Exactly(k))
    }

    /// Adds the clauses that let at most `k` of `lits`, of distinct variables, be true.
    ///
    /// # Errors
    /// As the sink fails.
    fn at_most<S: ClauseSink + ?Sized>(&self, sink: &mut S, lits: &[Lit], k: usize) -> Result<(), S::Error>
    where
        Self: Sized,
    {
        write(self, sink, lits, Relation::AtMost(k))
    }

    /// Adds the clauses that make at least `k` of `lits`, of distinct variables, true.
    ///
    /// # Errors
    /// As the sink fails.
    fn at_least<S: ClauseSink + ?Sized>(&self, sink: &mut S, lits: &[Lit], k: usize) -> Result<(), S::Error>
    where
        Self: Sized,
    {
        write(self, sink, lits, Relation::AtLeast(k))
    }

    /// Adds the clauses that make exactly `k` of `lits`, of distinct variables, true.
    ///
    /// # Errors
    /// As the sink fails.
    fn exactly<S: ClauseSink + ?Sized>(&self, sink: &mut S, lits: &[Lit], k: usize) -> Result<(), S::Error>
    where
        Self: Sized,
    {
        write(self, sink, lits, Relation::Exactly(k))
    }
}

#[diagnostic::do_not_recommend]
impl<E: super::ByRelation> AtMostK for E {}

/// An encoding that is chosen at run time.
macro_rules! chosen {
    ($($kind:ident),*) => {$(
        impl<'e> AsEncoding for &'e (dyn $kind + 'e) {
            type Encoding = dyn $kind + 'e;

            fn as_encoding(&self) -> &dyn Encoding {
                *self
            }
        }
    )*};
}

chosen!(AtMostOne, AtMostK);

impl AtMostK for dyn Encoding + '_ {}

fn size<E: AtMostK + ?Sized>(enc: &E, n: usize, relation: Relation) -> Size {
    relation.folded(n).unwrap_or_else(|| enc.count_size(n, relation).unwrap_or(Size::ZERO))
}

impl Relation {
    /// The size of [`encode`](Self::encode) for `n` literals, for any bound.
    #[must_use]
    pub fn size(self, enc: &dyn Encoding, n: usize) -> Size {
        self.folded(n).unwrap_or_else(|| enc.count_size(n, self).unwrap_or(Size::ZERO))
    }
}

/// Writes a count by an encoding, or without it where that needs none.
fn write<S>(enc: &dyn Encoding, sink: &mut S, lits: &[Lit], relation: Relation) -> Result<(), S::Error>
where
    S: ClauseSink + ?Sized,
{
    sink.write_by(&mut |to| {
        let constraint = Constraint::count(lits, relation);
        match relation.simple(lits.len()) {
            Some(simple) if lits.len() != 2 || !enc.takes_pairs() => simple.write(to, lits),
            _ => enc.plan(&constraint).map_or(Ok(()), |plan| plan.write(&constraint, to)),
        }
    })
}
