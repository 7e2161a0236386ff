//! [`Folded`]: a constraint without its trivial parts.

use std::borrow::Cow;
use std::fmt;

use rustsat::types::Lit;

use crate::choose::Conjuncts;
use crate::constraint::{Constraint, EncodingName, Sum, Terms};
use crate::encode::{GoOn, Simple};
use crate::erase::AnySink;
use crate::pb::DefinedSum;
use crate::relation::{PbRelation, Relation};
use crate::size::Size;
use crate::writer::{Full, Writer};

/// A constraint without its trivial parts; made by [`fold`](super::fold()) and [`fold_pb`](super::fold_pb).
///
/// It holds if and only if all of `units` are true, all of `clauses` hold, and `rest` holds.
///
/// ```
/// use cnfkit::constrain::{Folded, Rest, fold};
/// use cnfkit::{Relation, Tally};
/// let x = Tally::new(4).inputs();
/// let folded: Folded<'_> = fold(&Tally::new(4), &x, Relation::AtLeast(4));
/// assert_eq!((folded.units, folded.rest), (x.clone(), Rest::Nothing));
/// assert_eq!(fold(&Tally::new(4), &x, Relation::AtLeast(5)).rest, Rest::Never);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Folded<'a> {
    /// Literals that must be true, of distinct variables.
    pub units: Vec<Lit>,
    /// Of each of these some literal must be true: they are what is left of groups of a weighted constraint. There are
    /// none without groups.
    pub clauses: Vec<Vec<Lit>>,
    /// The part that is not decided by units. Its variables are disjoint from those of the units.
    pub rest: Rest<'a>,
    /// Parts whose numbers are beyond 64 bits: none but of the opposite of *at most `u64::MAX`*, and of sums with
    /// negative weights.
    pub(super) wide: Vec<WideBound>,
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
    /// The number of true ones among these literals, two at least, all positive and of distinct variables, is odd, or
    /// even.
    Parity(Vec<Lit>, bool),
}

/// The weights of the true literals sum up to at least so much.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WideBound {
    pub(super) terms: Vec<(Lit, u128)>,
    pub(super) least: u128,
}

impl WideBound {
    /// The bound as one whose auxiliaries follow from the inputs.
    pub(super) fn defined(&self) -> DefinedSum {
        DefinedSum::new(self.terms.clone(), Some(self.least), None, &mut || true)
    }
}

/// In the words of a [`Sum`].
impl fmt::Display for WideBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at least {} of a sum of {} weights", self.least, self.terms.len())?;
        self.terms.first().map_or(Ok(()), |(lit, _)| write!(f, ", from x{} on", lit.vidx32() + 1))
    }
}

impl Rest<'_> {
    /// The part that is left as a constraint; `None` where there is none, or it cannot hold.
    #[must_use]
    pub fn constraint(&self) -> Option<Constraint<'_>> {
        match self {
            Self::Nothing | Self::Never => None,
            Self::Literals(lits, relation) => Some(Constraint::count(lits, *relation)),
            Self::Weights { terms, ends, relation } => Some(Constraint::weights(Terms::of(terms, ends), *relation)),
            Self::Parity(lits, odd) => Some(Constraint::parity(lits, *odd)),
        }
    }
}

impl<'a> Folded<'a> {
    pub(super) const fn never() -> Self {
        Self { units: Vec::new(), clauses: Vec::new(), rest: Rest::Never, wide: Vec::new() }
    }

    pub(super) const fn units(units: Vec<Lit>) -> Self {
        Self { units, clauses: Vec::new(), rest: Rest::Nothing, wide: Vec::new() }
    }

    /// True if nothing is within both bounds, this one from above and `lower` from below: one cannot hold, or they are
    /// of the same count, and leave no number between them.
    pub(super) fn excludes(&self, lower: &Self) -> bool {
        match (&self.rest, &lower.rest) {
            (Rest::Never, _) | (_, Rest::Never) => true,
            (Rest::Literals(lits, Relation::AtMost(most)), Rest::Literals(others, Relation::AtLeast(least))) => {
                most < least && lits == others
            }
            _ => false,
        }
    }

    /// A copy that borrows nothing.
    #[doc(hidden)]
    #[must_use]
    pub fn into_owned(self) -> Folded<'static> {
        let rest = match self.rest {
            Rest::Nothing => Rest::Nothing,
            Rest::Never => Rest::Never,
            Rest::Literals(lits, relation) => Rest::Literals(lits.into_owned().into(), relation),
            Rest::Weights { terms, ends, relation } => Rest::Weights { terms, ends, relation },
            Rest::Parity(lits, odd) => Rest::Parity(lits, odd),
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
            Sum::Parity { .. } => true,
        })
    }

    /// All literals.
    pub(super) fn all_lits(&self) -> impl Iterator<Item = Lit> {
        let rest: Vec<Lit> = self.rest.constraint().map(|constraint| constraint.lits().collect()).unwrap_or_default();
        let wide = self.wide.iter().flat_map(|wide| wide.terms.iter().map(|&(lit, _)| lit));
        self.units.iter().copied().chain(self.clauses.iter().flatten().copied()).chain(rest).chain(wide)
    }

    /// The size of units and clauses.
    pub(super) fn size_of_clauses(&self) -> Size {
        let clauses = self.clauses.iter().map(|clause| Size::clause(clause.len())).sum::<Size>();
        Size::clauses(self.units.len() as u64, 1) + clauses
    }

    /// Adds units and clauses.
    pub(super) fn write_clauses(&self, to: &mut Writer<'_>) -> Result<(), Full> {
        self.units.iter().try_for_each(|&unit| to.clause(&[unit]))?;
        self.clauses.iter().try_for_each(|clause| to.clause(clause))
    }

    /// Offers the constraint to the sink, if its encoding has a name; where the sink takes it, adds the units and
    /// clauses that belong to it.
    pub(super) fn offer(&self, sink: &mut AnySink<'_>, name: Option<EncodingName>) -> Result<bool, Full> {
        let Some((constraint, name)) = self.rest_proper().zip(name) else { return Ok(false) };
        let beside = self.size_of_clauses();
        let taken = sink.offer(&Constraint { beside, ..constraint.by(name) })?;
        if taken && beside != Size::ZERO {
            sink.reserve(&beside)?;
            sink.write_by(&mut |to| self.write_clauses(to))?;
        }
        Ok(taken)
    }

    /// The constraint as literals and clauses that are all true if and only if it holds; `sum` is planned for what is
    /// left, where that is a sum of weights.
    pub(super) fn conjuncts(&self, sums: &[DefinedSum], to: &mut Writer<'_>) -> Result<Conjuncts, Full> {
        let mut all = Conjuncts::default();
        all.lits(self.units.iter().copied());
        self.clauses.iter().for_each(|clause| all.clause(clause.clone()));
        match &self.rest {
            Rest::Nothing | Rest::Weights { .. } => {}
            Rest::Never => all.never(),
            Rest::Parity(..) => unreachable!("a reified parity is a parity of one literal more"),
            Rest::Literals(lits, relation) => all.count(lits, *relation, to)?,
        }
        sums.iter().try_for_each(|sum| all.sum(sum, to))?;
        Ok(all)
    }

    /// The sums of weights that are left, planned so that auxiliaries follow from the inputs.
    pub(super) fn defined_sums(&self, go_on: &mut GoOn<'_>) -> Vec<DefinedSum> {
        let mut sums: Vec<DefinedSum> = self.wide.iter().map(WideBound::defined).collect();
        if let Rest::Weights { terms, relation, .. } = &self.rest {
            let terms = terms.iter().map(|&(lit, weight)| (lit, weight.into())).collect();
            let (least, most) = (relation.least().map(u128::from), relation.most().map(u128::from));
            sums.push(DefinedSum::new(terms, least, most, go_on));
        }
        sums
    }

    /// Settles bounds that decide everything, for literals of distinct variables.
    pub(super) fn literals(lits: Cow<'a, [Lit]>, relation: Relation) -> Self {
        match relation.simple(lits.len()) {
            Some(Simple::Always) => Self::units(Vec::new()),
            Some(Simple::Never) => Self::never(),
            Some(Simple::AllTrue) => Self::units(lits.into_owned()),
            Some(Simple::AllFalse) => Self::units(lits.iter().map(|&lit| !lit).collect()),
            Some(Simple::AnyTrue | Simple::AnyFalse | Simple::OneOfTwo) | None => {
                Self { rest: Rest::Literals(lits, relation), ..Self::units(Vec::new()) }
            }
        }
    }
}
