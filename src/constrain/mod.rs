//! The front door: what a caller says about literals, folded once, on its way to an encoding.
//!
//! [`Constrain`] has a method for every constraint, on every sink. A literal slice goes through three steps here: it is
//! folded ([`fold()`]); the rest is sized and announced; and the rest is written, by the encoding that was asked for if
//! an encoding is needed at all. Every encoding, a third party's too, may rely on the result: distinct variables, and
//! bounds that are not trivial.

mod fold;
mod offer;
mod plan;
mod reify;
mod weights;

pub use self::fold::{Folded, Rest, fold};

use rustsat::types::Lit;

use self::offer::offered;
use self::plan::{Any, Encoder, One, Plan};
use crate::encode::{AtMostK, AtMostOne, check_known};
use crate::guard::{Guarded, KeepOrder};
use crate::relation::Relation;
use crate::sink::ClauseSink;

/// Cardinality constraints on every [`ClauseSink`].
///
/// `lits` is a multiset: a literal given twice counts twice, and a literal beside its negation counts exactly one.
/// Trivial cases (k = 0, k = n − 1, k ≥ n, no literals …) become units, one clause, or nothing, whatever the encoding;
/// a bound that cannot be met becomes the empty clause, or the negated condition under [`when`](Self::when). Literals
/// are sorted by variable before encoding unless [`keep_order`](Self::keep_order) says otherwise.
///
/// ```
/// use cnfkit::{CardEncoding, Cnf, ClauseSink, Constrain, Pairwise};
/// let mut cnf = Cnf::new();
/// let x = cnf.new_lits(5);
/// cnf.exactly_one(&x, &Pairwise).unwrap();
/// cnf.at_most(&x[1..], 2, &CardEncoding::Auto).unwrap();
/// cnf.when(&[x[0]]).at_least(&[!x[1], !x[2], !x[3]], 2, &CardEncoding::Auto).unwrap();
/// ```
///
/// # Errors
/// Every method fails only as the sink fails: a [`Cnf`](crate::Cnf) refuses what is larger than its limit.
///
/// # Panics
/// When a literal's variable is at or above [`next_var`](ClauseSink::next_var): a variable that the sink does not know
/// would later be handed out a second time as an auxiliary.
pub trait Constrain: ClauseSink {
    /// At most one of `lits` is true.
    ///
    /// # Errors
    /// As the sink fails.
    fn at_most_one<E: AtMostOne>(&mut self, lits: &[Lit], enc: &E) -> Result<(), Self::Error> {
        one(self, lits, Relation::AtMost(1), enc)
    }

    /// Exactly one of `lits` is true.
    ///
    /// # Errors
    /// As the sink fails.
    fn exactly_one<E: AtMostOne>(&mut self, lits: &[Lit], enc: &E) -> Result<(), Self::Error> {
        one(self, lits, Relation::Exactly(1), enc)
    }

    /// At most `k` of `lits` are true.
    ///
    /// # Errors
    /// As the sink fails.
    #[doc(alias = "atmost")]
    fn at_most<E: AtMostK>(&mut self, lits: &[Lit], k: usize, enc: &E) -> Result<(), Self::Error> {
        self.cardinality(lits, Relation::AtMost(k), enc)
    }

    /// At least `k` of `lits` are true.
    ///
    /// # Errors
    /// As the sink fails.
    #[doc(alias = "atleast")]
    fn at_least<E: AtMostK>(&mut self, lits: &[Lit], k: usize, enc: &E) -> Result<(), Self::Error> {
        self.cardinality(lits, Relation::AtLeast(k), enc)
    }

    /// Exactly `k` of `lits` are true.
    ///
    /// # Errors
    /// As the sink fails.
    #[doc(alias = "equals")]
    fn exactly<E: AtMostK>(&mut self, lits: &[Lit], k: usize, enc: &E) -> Result<(), Self::Error> {
        self.cardinality(lits, Relation::Exactly(k), enc)
    }

    /// As many of `lits` are true as `relation` says: the method behind [`at_most`](Self::at_most),
    /// [`at_least`](Self::at_least) and [`exactly`](Self::exactly), for a relation that is data.
    ///
    /// # Errors
    /// As the sink fails.
    fn cardinality<E: AtMostK>(&mut self, lits: &[Lit], relation: Relation, enc: &E) -> Result<(), Self::Error> {
        let folded = fold(self, lits, relation);
        post(self, folded, &Any(enc))
    }

    /// `r` is true if and only if at most `k` of `lits` are.
    ///
    /// One structure defined in both directions, where the encoding [counts](AtMostK::outputs) and that takes no more
    /// variables + clauses than two halves under conditions; otherwise the halves. [`iff_at_least`](Self::iff_at_least)
    /// and [`iff_exactly`](Self::iff_exactly) choose in the same way.
    ///
    /// # Errors
    /// As the sink fails.
    fn iff_at_most<E: AtMostK>(&mut self, r: Lit, lits: &[Lit], k: usize, enc: &E) -> Result<(), Self::Error> {
        reify::iff_at_most(self, r, lits, k, enc)
    }

    /// `r` is true if and only if at least `k` of `lits` are.
    ///
    /// # Errors
    /// As the sink fails.
    fn iff_at_least<E: AtMostK>(&mut self, r: Lit, lits: &[Lit], k: usize, enc: &E) -> Result<(), Self::Error> {
        match k.checked_sub(1) {
            Some(less) => self.iff_at_most(!r, lits, less, enc),
            None => {
                check_known(self, lits);
                check_known(self, &[r]);
                post(self, Folded::units(vec![r]), &Any(enc))
            }
        }
    }

    /// `r` is true if and only if exactly `k` of `lits` are.
    ///
    /// # Errors
    /// As the sink fails.
    fn iff_exactly<E: AtMostK>(&mut self, r: Lit, lits: &[Lit], k: usize, enc: &E) -> Result<(), Self::Error> {
        reify::iff_exactly(self, r, lits, k, enc)
    }

    /// Everything sent through the result holds when all of `cond` are true.
    ///
    /// Only clauses that enforce something get the negated condition; those that define auxiliaries stay as they are.
    ///
    /// # Panics
    /// When a literal of `cond` is at or above [`next_var`](ClauseSink::next_var).
    fn when(&mut self, cond: &[Lit]) -> Guarded<'_, Self> {
        check_known(self, cond);
        Guarded::new(self, cond)
    }

    /// Everything sent through the result is encoded in the order in which its literals are given.
    fn keep_order(&mut self) -> KeepOrder<'_, Self> {
        KeepOrder::new(self)
    }
}

impl<S: ClauseSink + ?Sized> Constrain for S {}

/// Posts at most one or exactly one.
fn one<S, E>(sink: &mut S, lits: &[Lit], relation: Relation, enc: &E) -> Result<(), S::Error>
where
    S: ClauseSink + ?Sized,
    E: AtMostOne,
{
    let mut folded = fold(sink, lits, relation);
    folded.units.sort_unstable();
    post(sink, folded, &One(enc))
}

/// Offers a folded constraint to the sink, or else announces it and writes it.
fn post<S, E>(sink: &mut S, folded: Folded<'_>, enc: &E) -> Result<(), S::Error>
where
    S: ClauseSink + ?Sized,
    E: Encoder,
{
    if offered(sink, &folded, enc.aim())? {
        return Ok(());
    }
    let plan = Plan::new(folded, enc);
    sink.reserve(&plan.size())?;
    plan.write(sink, enc)
}
