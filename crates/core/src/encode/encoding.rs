//! [`Encoding`], the one verb: a constraint is planned, which gives its exact size, and the [`Plan`] is written.

use rustsat::types::Lit;

use crate::constraint::{Constraint, EncodingName};
use crate::sink::ClauseSink;
use crate::size::Size;

/// An encoding of constraints: of counts, of sums of weights, or of both.
///
/// [`Constrain`](crate::Constrain) plans each constraint once and writes the plan. Every [`AtMostK`](crate::AtMostK) is
/// an encoding of counts by that alone; encodings of sums of weights, whose size depends on every weight, implement
/// this trait. `CONTRIBUTING.md` walks through one of each.
///
/// ```
/// use cnfkit::{ClauseSink, Cnf, Constraint, Encoding, PbEncoding, PbRelation, Plan, Terms};
/// let mut cnf = Cnf::new();
/// let x = cnf.new_lits(4);
/// let terms = [(x[0], 5), (x[1], 4), (x[2], 3), (x[3], 2)];
/// let constraint = Constraint::weights(Terms::new(&terms), PbRelation::AtMost(8));
/// let plan = PbEncoding::GeneralizedTotalizer.plan(&constraint).expect("small");
/// let size = plan.size();
/// plan.write(&constraint, &mut cnf)?;
/// assert_eq!((size.clauses, size.vars), (cnf.n_clauses() as u64, cnf.n_vars() as u64 - 4));
/// # Ok::<(), cnfkit::CapacityError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no encoding of counts or of sums of weights",
    note = "counts take `CardEncoding`, sums of weights `PbEncoding`, and `AmoEncoding` is for *at most one*"
)]
pub trait Encoding {
    /// A constraint ready to be written, of known size. For counts a small value that allocates nothing.
    type Plan<'e>: Plan
    where
        Self: 'e;

    /// Plans the clauses of `constraint`, without its condition, which [`when`](crate::Constrain::when) adds. It is
    /// not reified, and folded as [`Constraint`] says; an encoding may rely on that.
    ///
    /// `None` where the clauses would be more than this encoding's budget, and for constraints that it does not encode:
    /// [counts](Constraint::counted) or [sums of weights](Constraint::weighted). The front door then takes another way:
    /// a sum is added in binary, a count goes to [`CardEncoding`](crate::CardEncoding).
    fn plan(&self, constraint: &Constraint<'_>) -> Option<Self::Plan<'_>>;

    /// Plans the clauses that make `r` true if and only if `constraint` holds, in one structure for both values of `r`,
    /// a variable that the constraint does not have. `None`, the default: two or three halves under conditions are
    /// planned one by one.
    ///
    /// ```
    /// use cnfkit::{CardEncoding, Constraint, Encoding, Lit, Relation};
    /// let x: Vec<Lit> = (0..6).map(Lit::positive).collect();
    /// let constraint = Constraint::count(&x[..5], Relation::AtMost(2));
    /// assert!(CardEncoding::Totalizer.plan_iff(x[5], &constraint).is_some()); // its outputs serve both values
    /// assert!(CardEncoding::Combinatorial.plan_iff(x[5], &constraint).is_none());
    /// ```
    fn plan_iff(&self, r: Lit, constraint: &Constraint<'_>) -> Option<Self::Plan<'_>> {
        let _ = (r, constraint);
        None
    }

    /// True for encodings of at most one: they are asked for two literals, too, where one clause says it.
    #[doc(hidden)]
    fn takes_pairs(&self) -> bool {
        false
    }

    /// The encoding as data, by which a sink that keeps constraints can plan it later; `None`, the default: constraints
    /// by this encoding are written at once, and no sink is [offered](ClauseSink::offer) them.
    fn encoding_name(&self) -> Option<EncodingName> {
        None
    }
}

/// An encoding as it is at hand: a reference to one, or one of the library by value. What all methods of
/// [`Constrain`](crate::Constrain) take.
///
/// ```
/// use cnfkit::{CardEncoding, ClauseSink, Constrain, Formula, Totalizer};
/// let mut formula = Formula::new();
/// let x = formula.new_lits(6);
/// for enc in [CardEncoding::Auto, CardEncoding::Smallest] {
///     formula.at_most(&x, 2, enc)?;
///     formula.at_most(&x, 2, &enc)?;
/// }
/// formula.at_least(&x, 1, Totalizer::default())?;
/// # Ok::<(), cnfkit::CapacityError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no encoding by value",
    note = "an encoding of yours goes by reference: `&enc`"
)]
pub trait AsEncoding {
    /// The encoding's type.
    type Encoding;

    /// Does nothing. Because of it Clippy leaves `&CardEncoding::Auto` as it is, which is as good as the value:
    /// `needless_borrows_for_generic_args` passes over traits that have a method on `&mut self`.
    #[doc(hidden)]
    fn untouched(&mut self) {}

    /// The encoding.
    ///
    /// ```
    /// use cnfkit::CardEncoding;
    /// use cnfkit::encode::AsEncoding;
    /// assert_eq!(CardEncoding::Auto.as_encoding(), (&CardEncoding::Auto).as_encoding());
    /// ```
    fn as_encoding(&self) -> &Self::Encoding;
}

impl<E> AsEncoding for &E {
    type Encoding = E;

    fn as_encoding(&self) -> &E {
        self
    }
}

/// Encodings that [`Constrain`](crate::Constrain) takes by value, too.
#[doc(hidden)]
#[macro_export]
macro_rules! by_value {
    ($($encoding:ty),*) => {$(
        impl $crate::encode::AsEncoding for $encoding {
            type Encoding = Self;

            fn as_encoding(&self) -> &Self {
                self
            }
        }
    )*};
}

/// The clauses of a constraint, ready to be written.
pub trait Plan {
    /// Exactly what [`write`](Self::write) adds.
    fn size(&self) -> Size;

    /// Adds the clauses of `constraint`, the one that was planned: those that only define auxiliaries by
    /// [`define`](ClauseSink::define). What is planned of a count depends on how many literals it has, not on which: it
    /// may be written for others.
    ///
    /// # Errors
    /// As the sink fails.
    fn write<S: ClauseSink + ?Sized>(&self, constraint: &Constraint<'_>, sink: &mut S) -> Result<(), S::Error>;
}

/// A plan that has its literals: of a sum of weights. Encodings here implement this, which makes a [`Plan`] of it.
#[doc(hidden)]
pub trait Prepared {
    /// Exactly what [`write`](Self::write) adds.
    fn size(&self) -> Size;

    /// Adds the clauses.
    ///
    /// # Errors
    /// As the sink fails.
    fn write<S: ClauseSink + ?Sized>(&self, sink: &mut S) -> Result<(), S::Error>;
}

impl<P: Prepared> Plan for P {
    fn size(&self) -> Size {
        Prepared::size(self)
    }

    fn write<S: ClauseSink + ?Sized>(&self, _: &Constraint<'_>, sink: &mut S) -> Result<(), S::Error> {
        Prepared::write(self, sink)
    }
}

/// Nothing, or a plan.
impl<P: Prepared> Prepared for Option<P> {
    fn size(&self) -> Size {
        self.as_ref().map_or(Size::ZERO, P::size)
    }

    fn write<S: ClauseSink + ?Sized>(&self, sink: &mut S) -> Result<(), S::Error> {
        self.as_ref().map_or(Ok(()), |plan| plan.write(sink))
    }
}

/// Two plans, one after the other: both halves of *exactly*.
impl<A: Prepared, B: Prepared> Prepared for (A, B) {
    fn size(&self) -> Size {
        self.0.size() + self.1.size()
    }

    fn write<S: ClauseSink + ?Sized>(&self, sink: &mut S) -> Result<(), S::Error> {
        self.0.write(sink)?;
        self.1.write(sink)
    }
}
