//! [`Constraint`]: a bound on a number of literals or on a sum of weights, with its condition, as data.
//!
//! The front door folds what a caller says to constraints; a sink is [offered](crate::ClauseSink::offer) one; a
//! `Formula` keeps them; readers of text make them, and encodings [plan](crate::Encoding::plan) them.

use std::fmt;

use rustsat::types::Lit;
use std::any::Any;
use std::hash::{Hash, Hasher};

use crate::relation::{PbRelation, Relation};
use crate::size::Size;

/// A cardinality or pseudo-Boolean constraint, or a parity, as data: when all of [`cond`](Self::cond) are true, the
/// [`sum`](Self::sum) is as its relation says; with [`iff`](Self::iff), that literal is true if and only if it is.
///
/// [`Constrain::post`](crate::Constrain::post) says it at any sink, whatever the literals. One that comes from the
/// library, from [`ClauseSink::offer`](crate::ClauseSink::offer) or `Formula::constraints`, is
/// *folded*:
///
/// * variables are distinct, none of the sum is in `cond` or `iff`, and none has a
///   [fixed](crate::ClauseSink::fixed) value;
/// * of a count of n literals, n ≥ 3: at most k has 1 ≤ k ≤ n − 2, at least k has 2 ≤ k ≤ n − 1, exactly k has
///   1 ≤ k ≤ n − 1;
/// * no weight is 0; weights are not all alike unless there are groups, and have no common divisor; the greatest sum,
///   of each group its heaviest literal, is below 2⁶⁴ and above the bound, which is at least 1; for *at most* and
///   *exactly*, no weight is above the bound; for *at least* and *exactly*, the bound can be reached without any one
///   literal (any one group);
/// * a parity has at least two literals, all of them positive, and is not reified;
/// * literals, or groups, are sorted by variable, unless [`in_order`](Self::in_order) is set or the sink says that it
///   does not [sort](crate::ClauseSink::sorts_inputs); a count that is left of groups of weights may be unsorted.
///
/// ```
/// use cnfkit::{CardEncoding, ClauseSink, Cnf, Constrain, Constraint, Relation};
/// let mut cnf = Cnf::new();
/// let x = cnf.new_lits(6);
/// let constraint = Constraint::count(&x[1..], Relation::AtMost(2)).when(&x[..1]);
/// cnf.post(&constraint, &CardEncoding::Auto)?;
/// # let mut other = Cnf::with_vars(6);
/// # other.when(&x[..1]).at_most(&x[1..], 2, &CardEncoding::Auto)?;
/// # assert_eq!(cnf, other);
/// # Ok::<(), cnfkit::CapacityError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Constraint<'a> {
    /// The condition: a conjunction of literals, true where there are none. From the library: distinct literals, none
    /// of which is [fixed](crate::ClauseSink::fixed) to true. It may be inconsistent (x and ¬x, perhaps repeated or
    /// fixed); the constraint is then vacuous.
    pub cond: &'a [Lit],
    /// The literal that is true if and only if the relation holds, of a reified constraint.
    pub iff: Option<Lit>,
    /// The literals, their weights, and the bound.
    pub sum: Sum<'a>,
    /// The caller asked to [keep the order](crate::Constrain::keep_order) of the literals.
    pub in_order: bool,
    /// The encoding that was asked for.
    pub encoding: EncodingName,
    /// The size of units and clauses that folding has split off from the constraint: they are sent to a sink right
    /// after it has taken the constraint.
    pub beside: Size,
    /// The constraint gives [`iff`](Self::iff), an auxiliary, its value, also where no condition holds.
    #[doc(hidden)]
    pub defines: bool,
}

/// The part of a [`Constraint`] that is bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sum<'a> {
    /// A number of literals.
    Count {
        /// The literals that are counted.
        lits: &'a [Lit],
        /// The bound on the number of true ones.
        relation: Relation,
    },
    /// A sum of weights.
    Weights {
        /// The literals with their weights, in groups of which at most one literal is true, as is said elsewhere.
        terms: Terms<'a>,
        /// The bound on the sum of the weights of the true ones.
        relation: PbRelation,
    },
    /// A parity, the exclusive or.
    Parity {
        /// The literals.
        lits: &'a [Lit],
        /// The number of true ones is odd, not even.
        odd: bool,
    },
}

/// In words: `at least 9 of a sum of 4 weights, from x1 on`.
impl fmt::Display for Sum<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = match self {
            Self::Count { lits, relation } => {
                write!(f, "{relation} of {} literals", lits.len())?;
                lits.first()
            }
            Self::Weights { terms, relation } => {
                write!(f, "{relation} of a sum of {} weights", terms.len())?;
                terms.all().first().map(|(lit, _)| lit)
            }
            Self::Parity { lits, odd } => {
                write!(f, "an {} number of {} literals", if *odd { "odd" } else { "even" }, lits.len())?;
                lits.first()
            }
        };
        first.map_or(Ok(()), |lit| write!(f, ", from x{} on", lit.vidx32() + 1))
    }
}

impl<'a> Constraint<'a> {
    /// A bound on the number of true literals: no condition, not reified, in any order, encoded as the library chooses.
    #[must_use]
    pub const fn count(lits: &'a [Lit], relation: Relation) -> Self {
        Self::new(Sum::Count { lits, relation })
    }

    /// A bound on the sum of the weights of the true literals: no condition, not reified, in any order, encoded as the
    /// library chooses.
    #[must_use]
    pub const fn weights(terms: Terms<'a>, relation: PbRelation) -> Self {
        Self::new(Sum::Weights { terms, relation })
    }

    /// An odd number of the literals are true, or an even number: no condition, not reified, in any order.
    ///
    /// ```
    /// use cnfkit::{ClauseSink, Cnf, Constrain, Constraint, ParityCut};
    /// let mut cnf = Cnf::new();
    /// let x = cnf.new_lits(3);
    /// let parity = Constraint::parity(&x, false);
    /// assert_eq!(parity.parity_of(), Some((&x[..], false)));
    /// assert!(parity.holds(|lit| lit != x[0]) && !parity.holds(|_| true));
    /// cnf.post(&parity, ParityCut::default())?;
    /// assert_eq!(cnf.n_clauses(), 4);
    /// # Ok::<(), cnfkit::CapacityError>(())
    /// ```
    #[must_use]
    #[doc(alias = "xor")]
    pub const fn parity(lits: &'a [Lit], odd: bool) -> Self {
        Self::new(Sum::Parity { lits, odd })
    }

    const fn new(sum: Sum<'a>) -> Self {
        Self {
            cond: &[],
            iff: None,
            sum,
            in_order: false,
            encoding: EncodingName::Open(Goal::Solving),
            beside: Size::ZERO,
            defines: false,
        }
    }

    /// The constraint under a condition, instead of the one that it had.
    #[must_use]
    pub const fn when(self, cond: &'a [Lit]) -> Self {
        Self { cond, ..self }
    }

    /// The reified constraint: `r` is true if and only if it holds.
    #[must_use]
    pub const fn iff(self, r: Lit) -> Self {
        Self { iff: Some(r), ..self }
    }

    /// The constraint with its literals in the order in which they are given.
    ///
    /// ```
    /// use cnfkit::{Constraint, Lit, Relation};
    /// let x = [Lit::positive(2), Lit::positive(0), Lit::positive(1)];
    /// let constraint = Constraint::count(&x, Relation::AtMost(1)).in_order();
    /// assert!(constraint.in_order && constraint.lits().eq(x));
    /// ```
    #[must_use]
    pub const fn in_order(self) -> Self {
        Self { in_order: true, ..self }
    }

    /// The constraint, to be encoded by `encoding`.
    #[must_use]
    pub const fn by(self, encoding: EncodingName) -> Self {
        Self { encoding, ..self }
    }

    /// The literals of a count and the bound; `None` for other constraints.
    #[must_use]
    pub const fn counted(&self) -> Option<(&'a [Lit], Relation)> {
        if let Sum::Count { lits, relation } = self.sum { Some((lits, relation)) } else { None }
    }

    /// The terms of a sum of weights and the bound; `None` for other constraints.
    #[must_use]
    pub const fn weighted(&self) -> Option<(Terms<'a>, PbRelation)> {
        if let Sum::Weights { terms, relation } = self.sum { Some((terms, relation)) } else { None }
    }

    /// The literals of a parity, and whether the number of true ones is odd; `None` for other constraints.
    #[must_use]
    pub const fn parity_of(&self) -> Option<(&'a [Lit], bool)> {
        if let Sum::Parity { lits, odd } = self.sum { Some((lits, odd)) } else { None }
    }

    /// True if the constraint holds where `is_true` says which literals are true.
    ///
    /// ```
    /// use cnfkit::{Constraint, Lit, Relation};
    /// let x: Vec<Lit> = (0..4).map(Lit::positive).collect();
    /// let constraint = Constraint::count(&x[..3], Relation::AtMost(1)).when(&x[3..]);
    /// assert!(!constraint.holds(|_| true));
    /// assert!(constraint.holds(|lit| lit != x[3]));
    /// ```
    #[must_use]
    pub fn holds(&self, is_true: impl Fn(Lit) -> bool) -> bool {
        let allows = match self.sum {
            Sum::Count { lits, relation } => relation.allows(lits.iter().filter(|&&lit| is_true(lit)).count()),
            Sum::Weights { terms, relation } => {
                let weights = terms.all().iter().filter(|&&(lit, _)| is_true(lit)).map(|&(_, weight)| weight);
                // No bound is above what fits.
                weights
                    .clone()
                    .try_fold(0_u64, u64::checked_add)
                    .map_or(relation.most().is_none(), |sum| relation.allows(sum))
            }
            Sum::Parity { lits, odd } => (lits.iter().filter(|&&lit| is_true(lit)).count() % 2 == 1) == odd,
        };
        !self.cond.iter().all(|&lit| is_true(lit)) || self.iff.map_or(allows, |r| is_true(r) == allows)
    }

    /// The literals of the sum.
    pub fn lits(&self) -> impl Iterator<Item = Lit> + use<'a> {
        let (count, terms) = match self.sum {
            Sum::Count { lits, .. } | Sum::Parity { lits, .. } => (lits, &[][..]),
            Sum::Weights { terms, .. } => (&[][..], terms.all()),
        };
        count.iter().copied().chain(terms.iter().map(|&(lit, _)| lit))
    }
}

impl<'a> Constraint<'a> {
    /// All literals: of the condition, of the sum, and the one that is reified.
    #[doc(hidden)]
    pub fn all_lits(&self) -> impl Iterator<Item = Lit> + use<'a> {
        self.cond.iter().copied().chain(self.lits()).chain(self.iff)
    }
}

impl Constraint<'_> {
    /// True if the constraint is a reified *exactly*, which is a [conjunction](Self::linear) of bounds on sums with one
    /// more variable only.
    #[doc(hidden)]
    #[must_use]
    pub const fn reifies_exactly(&self) -> bool {
        let is_exactly = match self.sum {
            Sum::Count { relation, .. } => matches!(relation, Relation::Exactly(_)),
            Sum::Weights { relation, .. } => matches!(relation, PbRelation::Exactly(_)),
            Sum::Parity { .. } => false,
        };
        self.iff.is_some() && is_exactly
    }

    /// The constraint as bounds on sums of weights, without a condition: as it is where it has none and is not reified,
    /// otherwise as lower bounds, with literals that meet these alone where they do not apply. It is folded.
    ///
    /// Where a reified *exactly* applies and does not hold, `below` is true if and only if the sum is below the bound;
    /// otherwise it is true, so that there are as many solutions as without it. It is no parity.
    #[doc(hidden)]
    pub fn linear<E>(
        &self,
        below: Lit,
        mut say: impl FnMut(&[(Lit, u64)], PbRelation) -> Result<(), E>,
    ) -> Result<(), E> {
        let (lits, terms, relation) = match self.sum {
            Sum::Count { lits, relation } => (lits, &[][..], relation.into()),
            Sum::Weights { terms, relation } => (&[][..], terms.all(), relation),
            Sum::Parity { .. } => unreachable!("parities become clauses before"),
        };
        let terms: Vec<(Lit, u64)> = lits.iter().map(|&lit| (lit, 1)).chain(terms.iter().copied()).collect();
        if self.cond.is_empty() && self.iff.is_none() {
            return say(&terms, relation);
        }
        let all: u64 = terms.iter().map(|&(_, weight)| weight).sum();
        let mut line = Vec::new();
        // If all of `when` are true, at least `bound` of the literals, or of their negations.
        let mut at_least = |bound: u64, negated: bool, when: &[Lit]| {
            line.clear();
            line.extend(self.cond.iter().chain(when).map(|&lit| (!lit, bound)));
            line.extend(terms.iter().map(|&(lit, weight)| (if negated { !lit } else { lit }, weight)));
            say(&line, PbRelation::AtLeast(bound))
        };
        if let Some(least) = relation.least() {
            at_least(least, false, self.iff.as_slice())?;
        }
        if let Some(most) = relation.most() {
            at_least(all - most, true, self.iff.as_slice())?;
        }
        match (relation, self.iff) {
            (PbRelation::AtMost(most), Some(r)) => at_least(most + 1, false, &[!r]),
            (PbRelation::AtLeast(least), Some(r)) => at_least(all - least + 1, true, &[!r]),
            (PbRelation::Exactly(bound), Some(r)) => {
                at_least(all + 1 - bound, true, &[!r, below])?;
                at_least(bound + 1, false, &[!r, !below])?;
                let mut applies = self.cond.iter().copied().chain([!r]);
                applies.try_for_each(|lit| say(&[(lit, 1), (below, 1)], PbRelation::AtLeast(1)))
            }
            (_, None) => Ok(()),
        }
    }
}

/// The encoding that a constraint was given with, as data.
///
/// ```
/// use cnfkit::{CardEncoding, Encoding, EncodingName, Goal};
/// assert_eq!(Encoding::encoding_name(&CardEncoding::Smallest), Some(EncodingName::Open(Goal::Size)));
/// assert_eq!(Encoding::encoding_name(&CardEncoding::Totalizer), Some(EncodingName::Named("totalizer")));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EncodingName {
    /// The choice is left to the library: `auto` or `smallest`.
    Open(Goal),
    /// An encoding by its name: one of [`AmoEncoding`](crate::AmoEncoding), [`CardEncoding`](crate::CardEncoding) or
    /// [`PbEncoding`](crate::PbEncoding), or a name of a third party's own.
    Named(&'static str),
    /// The default value of a type, by the name that it gives itself: see
    /// [`encode::own_name`](crate::encode::own_name).
    Own(Own),
}

impl EncodingName {
    /// The goal of a choice that is left to the library.
    ///
    /// ```
    /// use cnfkit::{EncodingName, Goal};
    /// assert_eq!(EncodingName::Open(Goal::Size).goal(), Some(Goal::Size));
    /// assert_eq!(EncodingName::Named("totalizer").goal(), None);
    /// ```
    #[must_use]
    pub const fn goal(self) -> Option<Goal> {
        match self {
            Self::Open(goal) => Some(goal),
            Self::Named(_) | Self::Own(_) => None,
        }
    }

    /// The name of an encoding; `None` where the choice is left to the library.
    ///
    /// ```
    /// use cnfkit::{CardEncoding, Encoding, Totalizer};
    /// let name = Encoding::encoding_name(&Totalizer::default());
    /// assert_eq!(name.and_then(|name| name.name()), Some("totalizer"));
    /// assert_eq!(CardEncoding::Totalizer.to_string(), "totalizer");
    /// ```
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        match self {
            Self::Open(_) => None,
            Self::Named(name) | Self::Own(Own { name, .. }) => Some(name),
        }
    }
}

/// The name of an encoding, and all that it takes to plan its constraints later; equal to another of that name.
///
/// ```
/// use cnfkit::encode::own_name;
/// use cnfkit::{EncodingName, SequentialCounter};
/// assert_eq!(own_name::<SequentialCounter>("a"), own_name::<SequentialCounter>("a"));
/// let EncodingName::Own(own) = own_name::<SequentialCounter>("mine") else { unreachable!() };
/// assert_eq!(EncodingName::Own(own).name(), Some("mine"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Own {
    pub(crate) name: &'static str,
    /// An `OwnEncoding`, of a room below.
    pub(crate) encoding: &'static (dyn Any + Send + Sync),
}

impl PartialEq for Own {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Own {}

impl Hash for Own {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

/// The name by which an encoding is asked for.
impl fmt::Display for EncodingName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Open(Goal::Solving) => "auto",
            Self::Open(Goal::Size) => "smallest",
            Self::Open(Goal::Counting) => "one-model",
            Self::Named(name) | Self::Own(Own { name, .. }) => name,
        })
    }
}

/// The goal of a chooser of encodings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Goal {
    /// Fast solving, as [`CardEncoding::Auto`](crate::CardEncoding::Auto) does.
    #[default]
    Solving,
    /// The fewest variables + clauses, as [`CardEncoding::Smallest`](crate::CardEncoding::Smallest) does.
    Size,
    /// One model for each solution, as [`OneModel`](crate::OneModel) has.
    Counting,
}

/// Weighted literals as an encoding gets them, in groups of which at most one literal is true.
///
/// That at most one literal of a group is true is said elsewhere, by the caller; an encoding may make use of it, or
/// may not. Without groups every literal is a group of its own.
///
/// ```
/// use cnfkit::{Constraint, Lit, PbRelation, Sum, Terms};
/// let x: Vec<Lit> = (0..3).map(Lit::positive).collect();
/// let costs = [(x[0], 3), (x[1], 4), (x[2], 5)];
/// let terms = Terms::grouped(&costs, &[2, 3]); // at most one of the first two is true
/// assert!(terms.is_grouped() && terms.groups().count() == 2);
/// let constraint = Constraint::weights(terms, PbRelation::AtMost(8));
/// assert!(matches!(constraint.sum, Sum::Weights { relation: PbRelation::AtMost(8), .. }));
/// ```
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
    #[must_use]
    pub fn of(terms: &'a [(Lit, u64)], ends: &'a [usize]) -> Self {
        if ends.is_empty() { Self::new(terms) } else { Self::grouped(terms, ends) }
    }

    /// Where the groups end, ascending; none where each term is a group.
    #[must_use]
    pub const fn ends(&self) -> &'a [usize] {
        self.ends
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
