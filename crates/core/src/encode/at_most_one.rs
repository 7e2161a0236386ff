//! [`AtMostOne`], the trait of encodings of *at most one*.

use rustsat::types::Lit;

use super::AtMostK;
use crate::constraint::EncodingName;
use crate::relation::Relation;
use crate::sink::ClauseSink;
use crate::size::Size;

/// An encoding of *at most one of n literals is true*.
///
/// Called by [`Constrain`](crate::Constrain) with n ≥ 2 literals of distinct variables; called directly, it may rely on
/// that. Encodings that also do larger bounds implement [`AtMostK`] instead and get this trait from it.
///
/// ```
/// use cnfkit::{AtMostOne, ClauseSink, Cnf, Pairwise};
/// let mut cnf = Cnf::new();
/// let x = cnf.new_lits(5);
/// Pairwise.at_most_one(&mut cnf, &x)?;
/// assert_eq!((cnf.n_clauses(), Pairwise.amo_size(5).clauses), (10, 10));
/// # Ok::<(), cnfkit::CapacityError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no encoding of *at most one*",
    note = "it takes `AmoEncoding` and what encodes *at most k*; `PbEncoding` is for sums of weights"
)]
pub trait AtMostOne {
    /// Adds the clauses that let at most one of `lits` be true; `lits.len() >= 2`.
    ///
    /// # Errors
    /// As the sink fails.
    fn at_most_one<S: ClauseSink + ?Sized>(&self, sink: &mut S, lits: &[Lit]) -> Result<(), S::Error>;

    /// Exactly what [`at_most_one`](Self::at_most_one) adds for `n` ≥ 2 literals.
    fn amo_size(&self, n: usize) -> Size;

    /// The encoding as data: see [`Encoding::encoding_name`](crate::Encoding::encoding_name).
    fn encoding_name(&self) -> Option<EncodingName> {
        None
    }
}

#[diagnostic::do_not_recommend]
impl<E: AtMostK> AtMostOne for E {
    fn at_most_one<S: ClauseSink + ?Sized>(&self, sink: &mut S, lits: &[Lit]) -> Result<(), S::Error> {
        Relation::AtMost(1).encode(self, sink, lits)
    }

    fn amo_size(&self, n: usize) -> Size {
        Relation::AtMost(1).size(self, n)
    }

    fn encoding_name(&self) -> Option<EncodingName> {
        AtMostK::encoding_name(self)
    }
}
