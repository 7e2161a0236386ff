//! [`PseudoBoolean`], the trait of encodings of constraints on a sum of weights, and [`Terms`], what they get.

use std::rc::Rc;

use rustsat::types::Lit;

use crate::offer::Aim;
use crate::relation::PbRelation;
use crate::sink::{ClauseSink, Size};

/// An encoding of *the weights of the true literals sum up to at most, at least, or exactly a bound*.
///
/// The size of such an encoding depends on every weight. So encoding has two steps: a [plan](Self::plan) of everything,
/// whose size is exact, and [writing](PbPlan::write) it.
///
/// Called by [`Constrain`](crate::Constrain) with folded terms; called directly, an encoding may rely on that:
///
/// * there are at least two terms, their variables are distinct, and no weight is 0;
/// * the sum of all weights is below 2⁶⁴, and the bound b has 1 ≤ b < `total`, the greatest sum ([`Terms::total`]);
/// * for *at most* and *exactly*, no weight is above the bound; for *at least* and *exactly*, the bound can be reached
///   without any one literal (any one group).
pub trait PseudoBoolean {
    /// What is written once its size is known.
    type Plan: PbPlan;

    /// Plans the clauses that make `relation` hold for `terms`; `None` where they would be more than this encoding's
    /// budget. The front door then takes an encoding that is small for any weights.
    fn plan(&self, terms: &Terms<'_>, relation: PbRelation) -> Option<Self::Plan>;

    /// The aim for which the encoding is chosen, where the choice is left to the library, as by
    /// [`PbEncoding::Auto`](crate::PbEncoding::Auto): a sink that keeps constraints may then
    /// [keep](ClauseSink::offer) the constraint as it is. `None`, the default: an encoding that is named is used.
    fn aim(&self) -> Option<Aim> {
        None
    }
}

/// A reference to an encoding is one.
impl<E: PseudoBoolean + ?Sized> PseudoBoolean for &E {
    type Plan = E::Plan;

    fn plan(&self, terms: &Terms<'_>, relation: PbRelation) -> Option<E::Plan> {
        (**self).plan(terms, relation)
    }

    fn aim(&self) -> Option<Aim> {
        (**self).aim()
    }
}

/// A constraint that is ready to be written.
pub trait PbPlan {
    /// Exactly what [`write`](Self::write) adds.
    fn size(&self) -> Size;

    /// Adds the clauses: those that only define auxiliaries by [`define`](ClauseSink::define).
    ///
    /// # Errors
    /// As the sink fails.
    fn write<S: ClauseSink + ?Sized>(&self, sink: &mut S) -> Result<(), S::Error>;
}

/// Nothing, or a plan.
impl<P: PbPlan> PbPlan for Option<P> {
    fn size(&self) -> Size {
        self.as_ref().map_or(Size::ZERO, P::size)
    }

    fn write<S: ClauseSink + ?Sized>(&self, sink: &mut S) -> Result<(), S::Error> {
        self.as_ref().map_or(Ok(()), |plan| plan.write(sink))
    }
}

/// A plan that is shared.
impl<P: PbPlan> PbPlan for Rc<P> {
    fn size(&self) -> Size {
        (**self).size()
    }

    fn write<S: ClauseSink + ?Sized>(&self, sink: &mut S) -> Result<(), S::Error> {
        (**self).write(sink)
    }
}

/// Two plans, one after the other: both halves of *exactly*.
impl<A: PbPlan, B: PbPlan> PbPlan for (A, B) {
    fn size(&self) -> Size {
        self.0.size() + self.1.size()
    }

    fn write<S: ClauseSink + ?Sized>(&self, sink: &mut S) -> Result<(), S::Error> {
        self.0.write(sink)?;
        self.1.write(sink)
    }
}

/// Weighted literals as an encoding gets them, in groups of which at most one literal is true.
///
/// That at most one literal of a group is true is said elsewhere, by the caller; an encoding may make use of it, or
/// may not. Without groups every literal is a group of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms<'a> {
    terms: &'a [(Lit, u64)],
    /// The ends of the groups, ascending; empty where each term is a group.
    ends: &'a [usize],
}

impl<'a> Terms<'a> {
    /// Terms without groups.
    #[must_use]
    pub const fn new(terms: &'a [(Lit, u64)]) -> Self {
        Self { terms, ends: &[] }
    }

    /// Terms in groups: each group ends before the position that `ends` has for it.
    ///
    /// # Panics
    /// When `ends` does not ascend to the number of terms.
    #[must_use]
    pub fn grouped(terms: &'a [(Lit, u64)], ends: &'a [usize]) -> Self {
        assert!(ends.windows(2).all(|pair| pair[0] < pair[1]), "groups that are empty or overlap: {ends:?}");
        assert!(ends.first() != Some(&0) && ends.last().copied().unwrap_or(0) == terms.len(), "groups end: {ends:?}");
        if ends.len() == terms.len() { Self::new(terms) } else { Self { terms, ends } }
    }

    /// Terms with the ends of their groups, or none where each is a group.
    pub(crate) fn of(terms: &'a [(Lit, u64)], ends: &'a [usize]) -> Self {
        if ends.is_empty() { Self::new(terms) } else { Self::grouped(terms, ends) }
    }

    /// All terms, group by group.
    #[must_use]
    pub const fn all(&self) -> &'a [(Lit, u64)] {
        self.terms
    }

    /// The number of literals.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.terms.len()
    }

    /// True if there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// True if some group has more than one literal.
    #[must_use]
    pub const fn is_grouped(&self) -> bool {
        !self.ends.is_empty()
    }

    /// The groups.
    pub fn groups(&self) -> impl Iterator<Item = &'a [(Lit, u64)]> + use<'a> {
        let Self { terms, ends } = *self;
        let count = if ends.is_empty() { terms.len() } else { ends.len() };
        (0..count).map(move |at| match ends.get(at) {
            None => &terms[at..=at],
            Some(&end) => &terms[at.checked_sub(1).map_or(0, |before| ends[before])..end],
        })
    }

    /// The greatest sum: of each group its heaviest literal. [`u64::MAX`] where it is beyond that, which no encoding is
    /// called with by [`Constrain`](crate::Constrain).
    #[must_use]
    pub fn total(&self) -> u64 {
        let heaviest = |group: &[(Lit, u64)]| group.iter().map(|&(_, weight)| weight).max().unwrap_or(0);
        self.groups().fold(0, |total, group| total.saturating_add(heaviest(group)))
    }

    /// True if the sum of all weights is below 2⁶⁴, also for encodings that make no use of groups.
    pub(crate) fn fits(&self) -> bool {
        self.terms.iter().try_fold(0_u64, |sum, &(_, weight)| sum.checked_add(weight)).is_some()
    }
}
