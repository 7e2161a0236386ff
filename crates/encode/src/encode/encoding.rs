//! [`Encoding`], the one verb: a constraint is planned, which gives its exact size, and the [`Plan`] is written.

use std::fmt;

use rustsat::types::Lit;

use super::{Amo, ByRelation, ReifiedRange, Simple, countable};
use crate::constraint::{Constraint, EncodingName};
use crate::relation::Relation;
use crate::size::Size;
use crate::writer::{Full, Writer};

/// Asked by what takes long whether to go on. Where it is false, what comes is of no use: the caller gives up.
#[doc(hidden)]
pub type GoOn<'g> = dyn FnMut() -> bool + 'g;

/// Clauses or nodes of a plan between two such questions.
pub(crate) const ONCE_IN: usize = 1 << 12;

/// An encoding of constraints: of counts, of sums of weights, or of both.
///
/// [`Constrain`](crate::Constrain) plans each constraint once and writes the plan. An encoding of counts implements
/// [`ByRelation`], and is an encoding by that; every other implements this trait. `CONTRIBUTING.md` walks through one
/// of each.
///
/// ```
/// use cnfkit::{ClauseSink, Cnf, Constraint, Encoding, PbEncoding, PbRelation, Terms};
/// let mut cnf = Cnf::new();
/// let x = cnf.new_lits(4);
/// let terms = [(x[0], 5), (x[1], 4), (x[2], 3), (x[3], 2)];
/// let constraint = Constraint::weights(Terms::new(&terms), PbRelation::AtMost(8));
/// let plan = PbEncoding::GeneralizedTotalizer.plan(&constraint).expect("small");
/// let size = plan.size();
/// cnf.write_by(&mut |to| plan.write(&constraint, to))?;
/// assert_eq!((size.clauses, size.vars), (cnf.n_clauses() as u64, cnf.n_vars() as u64 - 4));
/// # Ok::<(), cnfkit::CapacityError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no encoding of counts or of sums of weights",
    note = "counts take `CardEncoding`, sums of weights `PbEncoding`, and `AmoEncoding` is for *at most one*"
)]
pub trait Encoding: Send + Sync {
    /// Plans the clauses of `constraint`, without its condition, which [`when`](crate::Constrain::when) adds. It is
    /// not reified, and folded as [`Constraint`] says; an encoding may rely on that.
    ///
    /// `None` where the clauses would be more than this encoding's budget, and for constraints that it does not encode:
    /// [counts](Constraint::counted) or [sums of weights](Constraint::weighted). The front door then takes another way:
    /// a sum is added in binary, a count goes to [`CardEncoding`](crate::CardEncoding).
    fn plan(&self, constraint: &Constraint<'_>) -> Option<Plan<'_>>;

    /// [`plan`](Self::plan) while `go_on`, which is asked now and then by what takes long; `None` when it is false.
    #[doc(hidden)]
    fn plan_while(&self, constraint: &Constraint<'_>, go_on: &mut GoOn<'_>) -> Option<Plan<'_>> {
        let _ = go_on;
        self.plan(constraint)
    }

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
    fn plan_iff(&self, r: Lit, constraint: &Constraint<'_>) -> Option<Plan<'_>> {
        let _ = (r, constraint);
        None
    }

    /// Plans that at least `least` and at most `most` of any `n` literals are true, by one counter for both;
    /// 1 ≤ `least` ≤ `most` < `n`, and n ≥ 3. `None`, the default: the bounds are planned one by one.
    #[doc(hidden)]
    fn plan_between(&self, n: usize, least: usize, most: usize) -> Option<Plan<'_>> {
        let _ = (n, least, most);
        None
    }

    /// Plans that each of `ranges` of `n` literals is reified, by one counter for all. `None`, the default: they are
    /// planned one by one.
    #[doc(hidden)]
    fn plan_ranges(&self, n: usize, ranges: &[ReifiedRange]) -> Option<Plan<'_>> {
        let _ = (n, ranges);
        None
    }

    /// Plans bounds on the same terms, by one structure for all: each with its condition and what reifies it, both of
    /// variables that no term has. `None`, the default: they are planned one by one.
    #[doc(hidden)]
    fn plan_together(&self, all: &[Constraint<'_>], go_on: &mut GoOn<'_>) -> Option<Plan<'_>> {
        let _ = (all, go_on);
        None
    }

    /// The encoding as data, by which a sink that keeps constraints can plan it later; `None`, the default: constraints
    /// by this encoding are written at once, and no sink is [offered](crate::ClauseSink::offer) them.
    fn encoding_name(&self) -> Option<EncodingName> {
        None
    }

    /// True if every auxiliary follows from the inputs, by clauses that only [define](Writer::define): then a formula
    /// has exactly one model for each of its solutions, under any condition, too. Under such an encoding, models can be
    /// counted. False by default, and where only some bounds have that.
    ///
    /// ```
    /// use cnfkit::{CardEncoding, Encoding, OneModel, SequentialCounter, SequentialForm};
    /// assert!(Encoding::one_model(&CardEncoding::Combinatorial) && OneModel.one_model());
    /// assert!(Encoding::one_model(&SequentialCounter::default().form(SequentialForm::Full)));
    /// assert!(!Encoding::one_model(&CardEncoding::Sequential));
    /// ```
    fn one_model(&self) -> bool {
        false
    }

    /// The size of the plan of a count of any `n` literals.
    #[doc(hidden)]
    fn count_size(&self, n: usize, relation: Relation) -> Option<Size> {
        let lits: Vec<Lit> = (0..n as u32).map(Lit::positive).collect();
        Some(self.plan(&Constraint::count(&lits, relation))?.size())
    }

    /// True for encodings of at most one: they are asked for two literals, too, where one clause says it.
    #[doc(hidden)]
    fn takes_pairs(&self) -> bool {
        false
    }
}

/// An encoding as it is at hand: a reference to one, also of type `&dyn Encoding`, or one of the library by value. What
/// all methods of [`Constrain`](crate::Constrain) take.
///
/// ```
/// use cnfkit::{CardEncoding, ClauseSink, Constrain, Encoding, Formula, Totalizer};
/// let mut formula = Formula::new();
/// let x = formula.new_lits(6);
/// for enc in [CardEncoding::Auto, CardEncoding::Smallest] {
///     formula.at_most(&x, 2, enc)?;
///     formula.at_most(&x, 2, &enc)?;
/// }
/// let chosen: &dyn Encoding = &Totalizer::default();
/// formula.at_least(&x, 1, chosen)?;
/// # Ok::<(), cnfkit::CapacityError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no encoding by value",
    note = "an encoding of yours goes by reference: `&enc`"
)]
pub trait AsEncoding {
    /// The encoding's type.
    type Encoding: ?Sized;

    /// Does nothing. Because of it Clippy leaves `&CardEncoding::Auto` as it is, which is as good as the value:
    /// `needless_borrows_for_generic_args` passes over traits that have a method on `&mut self`.
    #[doc(hidden)]
    fn untouched(&mut self) {}

    /// The encoding.
    fn as_encoding(&self) -> &dyn Encoding;
}

impl<E: Encoding> AsEncoding for &E {
    type Encoding = E;

    fn as_encoding(&self) -> &dyn Encoding {
        *self
    }
}

impl<'e> AsEncoding for &'e (dyn Encoding + 'e) {
    type Encoding = dyn Encoding + 'e;

    fn as_encoding(&self) -> &dyn Encoding {
        *self
    }
}

/// Encodings that [`Constrain`](crate::Constrain) takes by value, too.
#[doc(hidden)]
#[macro_export]
macro_rules! by_value {
    ($($encoding:ty),*) => {$(
        impl $crate::encode::AsEncoding for $encoding {
            type Encoding = Self;

            fn as_encoding(&self) -> &dyn $crate::encode::Encoding {
                self
            }
        }
    )*};
}

/// The clauses of a constraint, ready to be written.
///
/// ```
/// use cnfkit::{ClauseSink, Cnf, Constraint, Plan, Relation, Size};
/// let mut cnf = Cnf::new();
/// let x = cnf.new_lits(3);
/// let plan = Plan::new(Size::clauses(1, 3), |constraint, to| to.clause(&constraint.lits().collect::<Vec<_>>()));
/// cnf.write_by(&mut |to| plan.write(&Constraint::count(&x, Relation::AtLeast(1)), to))?;
/// assert_eq!(cnf.clauses().next(), Some(&x[..]));
/// # Ok::<(), cnfkit::CapacityError>(())
/// ```
pub struct Plan<'e> {
    size: Size,
    by: By<'e>,
}

/// The writer of a plan. A count needs no allocation.
enum By<'e> {
    Relation(&'e dyn ByRelation, Relation),
    Simple(Simple),
    AtMostOne(&'e dyn Amo),
    /// A clause, and at most one.
    ExactlyOne(&'e dyn Amo),
    Terms(Box<dyn Prepared + 'e>),
    Other(Box<dyn Fn(&Constraint<'_>, &mut Writer<'_>) -> Result<(), Full> + Send + Sync + 'e>),
}

impl<'e> Plan<'e> {
    /// A plan of exactly `size`, written by `write`, which gets the constraint that was planned. What is planned of a
    /// count depends on how many literals it has, not on which: it may be written for others.
    pub fn new<W>(size: Size, write: W) -> Self
    where
        W: Fn(&Constraint<'_>, &mut Writer<'_>) -> Result<(), Full> + Send + Sync + 'e,
    {
        Self { size, by: By::Other(Box::new(write)) }
    }

    /// A count that needs no encoding.
    pub(crate) fn simple(simple: Simple, n: usize) -> Self {
        Self { size: simple.size(n), by: By::Simple(simple) }
    }

    /// The plan of a sum of weights, which has its literals.
    pub(crate) fn of_terms(plan: impl Prepared + 'e) -> Self {
        Self { size: plan.size(), by: By::Terms(Box::new(plan)) }
    }

    /// One counter for all ranges of a count of `n` literals; `None` where `enc` has no such outputs.
    pub(crate) fn by_ranges(enc: &'e dyn ByRelation, n: usize, ranges: &[ReifiedRange]) -> Option<Self> {
        let (first, last) = ReifiedRange::span(ranges, n)?;
        let size = if countable(n, first, last) { enc.outputs_size(n, first, last)? } else { return None };
        let size = size + ranges.iter().map(|range| range.tie_size(n)).sum::<Size>();
        let ranges = ranges.to_vec();
        Some(Self::new(size, move |constraint, to| {
            let Some((lits, _)) = constraint.counted() else { return Ok(()) };
            let outputs = enc.outputs(to, lits, first, last)?;
            ranges.iter().try_for_each(|range| range.tie(n, |j| outputs[j - first], to))
        }))
    }

    pub(crate) fn by_relation(enc: &'e dyn ByRelation, n: usize, relation: Relation) -> Self {
        let (enc, size) = enc.chosen(n, relation).unwrap_or_else(|| (enc, enc.size(n, relation)));
        Self { size, by: By::Relation(enc, relation) }
    }

    /// The plan of *at most one*, or of *exactly one*, of `n` literals.
    pub(crate) fn of_one(enc: &'e dyn Amo, n: usize, relation: Relation) -> Option<Self> {
        let at_most_one = || enc.size(n);
        match relation {
            Relation::AtMost(1) => Some(Self { size: at_most_one(), by: By::AtMostOne(enc) }),
            Relation::Exactly(1) => Some(Self { size: Size::clause(n) + at_most_one(), by: By::ExactlyOne(enc) }),
            _ => None,
        }
    }

    /// The plan with fewer variables + clauses; the second where they are as many.
    pub(crate) fn smaller(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        match (one, other) {
            (Some(one), Some(other)) => Some(if one.size.cost() < other.size.cost() { one } else { other }),
            (one, other) => one.or(other),
        }
    }

    /// Exactly what [`write`](Self::write) adds.
    #[must_use]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Adds the clauses of `constraint`, the one that was planned.
    ///
    /// # Errors
    /// When the sink takes no more.
    pub fn write(&self, constraint: &Constraint<'_>, to: &mut Writer<'_>) -> Result<(), Full> {
        let lits = constraint.counted().map_or(&[][..], |(lits, _)| lits);
        match &self.by {
            By::Relation(enc, relation) => enc.encode(to, lits, *relation),
            By::Simple(simple) => simple.write(to, lits),
            By::AtMostOne(enc) => enc.encode(to, lits),
            By::ExactlyOne(enc) => {
                to.clause(lits)?;
                enc.encode(to, lits)
            }
            By::Terms(plan) => plan.write(to),
            By::Other(write) => write(constraint, to),
        }
    }
}

impl fmt::Debug for Plan<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plan").field("size", &self.size).finish_non_exhaustive()
    }
}

/// A plan that has its literals: of a sum of weights.
#[doc(hidden)]
pub trait Prepared: Send + Sync {
    /// Exactly what [`write`](Self::write) adds.
    fn size(&self) -> Size;

    /// Adds the clauses.
    ///
    /// # Errors
    /// When the sink takes no more.
    fn write(&self, to: &mut Writer<'_>) -> Result<(), Full>;
}

impl<P: Prepared + ?Sized> Prepared for Box<P> {
    fn size(&self) -> Size {
        (**self).size()
    }

    fn write(&self, to: &mut Writer<'_>) -> Result<(), Full> {
        (**self).write(to)
    }
}

/// Nothing, or a plan.
impl<P: Prepared> Prepared for Option<P> {
    fn size(&self) -> Size {
        self.as_ref().map_or(Size::ZERO, P::size)
    }

    fn write(&self, to: &mut Writer<'_>) -> Result<(), Full> {
        self.as_ref().map_or(Ok(()), |plan| plan.write(to))
    }
}

/// Two plans, one after the other: both halves of *exactly*.
impl<A: Prepared, B: Prepared> Prepared for (A, B) {
    fn size(&self) -> Size {
        self.0.size() + self.1.size()
    }

    fn write(&self, to: &mut Writer<'_>) -> Result<(), Full> {
        self.0.write(to)?;
        self.1.write(to)
    }
}
