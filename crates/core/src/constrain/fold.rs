//! Folding: [`fold`] and [`fold_pb`] take a constraint apart into what needs no encoding and what does.
//!
//! Folding happens once, where a constraint enters the front door, in this order:
//!
//! 1. [`inputs`](super::inputs): literals with known values and pairs of a literal and its negation are taken out, and
//!    what is left is sorted.
//! 2. Bounds that decide everything become units, or nothing, or an impossibility.
//! 3. [`reduce`](super::reduce): weights, given as such or by repeating literals, become a count wherever that says the
//!    same, and are made as small as may be elsewhere.
//!
//! So an encoding gets distinct variables and a bound that is not trivial. A slice of distinct variables in ascending
//! order, by far the most frequent, is passed on as it is: nothing is copied.

use std::borrow::Cow;

use rustsat::types::Lit;

use super::inputs::Inputs;
use crate::constraint::{Constraint, Sum, Terms};
use crate::encode::Simple;
use crate::relation::{PbRelation, Relation};
use crate::sink::ClauseSink;
use crate::size::Size;

/// A constraint without its trivial parts; made by [`fold`] and [`fold_pb`].
///
/// It holds if and only if all of `units` are true, all of `clauses` hold, and `rest` holds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Folded<'a> {
    /// Literals that must be true, of distinct variables.
    pub units: Vec<Lit>,
    /// Clauses that must hold: the rest of groups of a weighted constraint. There are none without groups.
    pub clauses: Vec<Vec<Lit>>,
    /// The part that is not decided by units. Its variables are disjoint from theirs.
    pub rest: Rest<'a>,
    /// A part whose numbers are beyond 64 bits. Only the opposite of *at most `u64::MAX`* has it.
    pub(super) wide: Option<Wide>,
}

/// The part of a constraint that folding leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rest<'a> {
    /// The constraint is said by the units and clauses alone.
    Nothing,
    /// The constraint cannot hold. There are no units and no clauses.
    Never,
    /// As many of these literals as the relation says are true. Their variables are distinct; the bound k has 1 ≤ k < n
    /// for n literals.
    Literals(Cow<'a, [Lit]>, Relation),
    /// The weights of those literals that are true sum up to what the relation says. Variables are distinct, no weight
    /// is 0, the weights are not all alike or there are groups, and no literal is decided by its weight alone: each may
    /// be true, and each may be false.
    #[non_exhaustive]
    Weights {
        /// The literals and their weights, group by group.
        terms: Vec<(Lit, u64)>,
        /// Where each group ends, ascending; empty where there are none. At most one literal of a group is true.
        ends: Vec<usize>,
        /// The sum of the weights of the true literals.
        relation: PbRelation,
    },
}

/// The weights of the true literals sum up to at least so much.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wide {
    pub(super) terms: Vec<(Lit, u128)>,
    pub(super) least: u128,
}

/// Folds the constraint that as many of `lits` as `relation` says are true, for `sink`: with what is
/// [fixed](ClauseSink::fixed) there, and in the order that it [asks for](ClauseSink::sorts_inputs).
///
/// The methods of [`Constrain`](crate::Constrain) do this for their encodings. Use it to send constraints elsewhere: to
/// a propagator, into a file, or to an encoding that is not one of those traits.
///
/// ```
/// use cnfkit::constrain::{Rest, fold};
/// use cnfkit::{Lit, Relation, Tally};
/// let x: Vec<Lit> = Tally::new(4).inputs();
/// // Exactly 3 of x0, ¬x0, x1, x1, x1, x2, x3: x0 and ¬x0 together count one, and x1 would count three.
/// let lits = [x[0], !x[0], x[1], x[1], x[1], x[2], x[3]];
/// let folded = fold(&Tally::new(4), &lits, Relation::Exactly(3));
/// assert_eq!(folded.units, [!x[1], x[2], x[3]]);
/// assert_eq!(folded.rest, Rest::Nothing);
/// // Nothing to fold: the slice itself.
/// let folded = fold(&Tally::new(4), &x, Relation::AtMost(2));
/// assert!(folded.units.is_empty());
/// assert_eq!(folded.rest, Rest::Literals(x[..].into(), Relation::AtMost(2)));
/// ```
///
/// # Panics
/// When a literal's variable is at or above [`next_var`](ClauseSink::next_var).
#[must_use]
pub fn fold<'a, S: ClauseSink + ?Sized>(sink: &S, lits: &'a [Lit], relation: Relation) -> Folded<'a> {
    Inputs::new(sink, lits).fold(relation)
}

/// Folds the constraint that the weights of the true literals sum up to what `relation` says, as [`fold`] does for
/// literals that weigh one each. Here `terms` may be any: weights of 0, and literals that repeat or complement each
/// other. Of each of their groups at most one literal is true, which is said elsewhere.
///
/// ```
/// use cnfkit::constrain::{Rest, fold_pb};
/// use cnfkit::{Lit, PbRelation, Relation, Tally, Terms};
/// let x: Vec<Lit> = Tally::new(4).inputs();
/// let terms = [(x[0], 7), (x[1], 4), (x[2], 3), (x[3], 3)];
/// // 7 is too heavy, and of the others no two are light enough.
/// let folded = fold_pb(&Tally::new(4), &Terms::new(&terms), PbRelation::AtMost(5));
/// assert_eq!(folded.units, [!x[0]]);
/// assert_eq!(folded.rest, Rest::Literals(x[1..].into(), Relation::AtMost(1)));
/// // At most 6, with 3 + 3 but not 4 + 3, is no count.
/// let folded = fold_pb(&Tally::new(4), &Terms::new(&terms), PbRelation::AtMost(6));
/// assert!(matches!(folded.rest, Rest::Weights { relation: PbRelation::AtMost(_), .. }));
/// ```
///
/// # Panics
/// When a literal's variable is at or above [`next_var`](ClauseSink::next_var).
#[must_use]
pub fn fold_pb<S: ClauseSink + ?Sized>(sink: &S, terms: &Terms<'_>, relation: PbRelation) -> Folded<'static> {
    Inputs::weighted(sink, terms).fold(relation)
}

/// Folds a constraint whose variables are distinct, in its order; its condition and what reifies it aside.
pub(crate) fn fold_distinct<'a>(constraint: &Constraint<'a>) -> Folded<'a> {
    let (inputs, goal) = Inputs::of(constraint);
    inputs.fold(goal)
}

impl Rest<'_> {
    /// The part that is left as a constraint; `None` where there is none, or it cannot hold.
    #[must_use]
    pub fn constraint(&self) -> Option<Constraint<'_>> {
        match self {
            Self::Nothing | Self::Never => None,
            Self::Literals(lits, relation) => Some(Constraint::count(lits, *relation)),
            Self::Weights { terms, ends, relation } => Some(Constraint::weights(Terms::of(terms, ends), *relation)),
        }
    }
}

impl<'a> Folded<'a> {
    pub(super) const fn never() -> Self {
        Self { units: Vec::new(), clauses: Vec::new(), rest: Rest::Never, wide: None }
    }

    pub(super) const fn units(units: Vec<Lit>) -> Self {
        Self { units, clauses: Vec::new(), rest: Rest::Nothing, wide: None }
    }

    /// A copy that borrows nothing.
    pub(crate) fn into_owned(self) -> Folded<'static> {
        let rest = match self.rest {
            Rest::Nothing => Rest::Nothing,
            Rest::Never => Rest::Never,
            Rest::Literals(lits, relation) => Rest::Literals(lits.into_owned().into(), relation),
            Rest::Weights { terms, ends, relation } => Rest::Weights { terms, ends, relation },
        };
        Folded { units: self.units, clauses: self.clauses, rest, wide: self.wide }
    }

    /// The whole constraint, where folding leaves it as one that an encoding is asked for, and numbers have 64 bits.
    pub(super) fn proper(&self) -> Option<Constraint<'_>> {
        if self.units.is_empty() && self.clauses.is_empty() { self.rest_proper() } else { None }
    }

    /// The part that is left, where an encoding is asked for it, and numbers have 64 bits.
    pub(super) fn rest_proper(&self) -> Option<Constraint<'_>> {
        self.rest.constraint().filter(|constraint| match constraint.sum {
            Sum::Count { lits, relation } => relation.simple(lits.len()).is_none(),
            Sum::Weights { terms, .. } => terms.fits(),
        })
    }

    /// The size of units and clauses.
    pub(super) fn size_of_clauses(&self) -> Size {
        let clauses = self.clauses.iter().map(|clause| Size::clause(clause.len())).sum::<Size>();
        Size::clauses(self.units.len() as u64, 1) + clauses
    }

    /// Adds units and clauses.
    pub(super) fn write_clauses<S: ClauseSink + ?Sized>(&self, sink: &mut S) -> Result<(), S::Error> {
        self.units.iter().try_for_each(|&unit| sink.add_clause(&[unit]))?;
        self.clauses.iter().try_for_each(|clause| sink.add_clause(clause))
    }

    /// Step 2, for literals of distinct variables.
    pub(super) fn literals(lits: Cow<'a, [Lit]>, relation: Relation) -> Self {
        match relation.simple(lits.len()) {
            Some(Simple::Always) => Self::units(Vec::new()),
            Some(Simple::Never) => Self::never(),
            Some(Simple::All) => Self::units(lits.into_owned()),
            Some(Simple::None) => Self::units(lits.iter().map(|&lit| !lit).collect()),
            Some(Simple::Some | Simple::NotAll | Simple::OneOfTwo) | None => {
                Self { rest: Rest::Literals(lits, relation), ..Self::units(Vec::new()) }
            }
        }
    }
}
