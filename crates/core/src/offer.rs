//! [`Offer`] and [`PbOffer`]: a constraint on its way from the front door to an encoding, shown to the sink first.

use rustsat::types::Lit;

use crate::relation::{PbRelation, Relation};

/// A constraint that is about to be encoded, as [`ClauseSink::offer`](crate::ClauseSink::offer) sees it: when all of
/// [`cond`](Self::cond) are true, the number of true [`lits`](Self::lits) is as [`relation`](Self::relation) says; with
/// [`iff`](Self::iff), that literal is true if and only if it is.
///
/// Folding has removed everything trivial:
///
/// * `lits` are at least 3, of distinct variables, none of which is in `cond` or `iff`, and none has a
///   [fixed](crate::ClauseSink::fixed) value;
/// * at most k has 1 ≤ k ≤ n − 2, at least k has 2 ≤ k ≤ n − 1, exactly k has 1 ≤ k ≤ n − 1;
/// * literals that count more than once are weights, which a [`PbOffer`] shows;
/// * `lits` are sorted by variable, unless [`in_order`](Self::in_order) is set or the sink says that it does not
///   [sort](crate::ClauseSink::sorts_inputs).
///
/// A sink that keeps the constraint can say it again later, at another sink, by the methods of
/// [`Constrain`](crate::Constrain): `sink.when(cond).cardinality(lits, relation, enc)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Offer<'a> {
    /// The conditions of all [`when`](crate::Constrain::when)s on the way: distinct literals, none of which is
    /// [fixed](crate::ClauseSink::fixed) to true. Conditions that contradict each other come as they are, some of them
    /// perhaps twice: then the constraint says nothing.
    pub cond: &'a [Lit],
    /// The literal that is true if and only if the relation holds, of a reified constraint.
    pub iff: Option<Lit>,
    /// The literals that are counted.
    pub lits: &'a [Lit],
    /// The number of `lits` that are true.
    pub relation: Relation,
    /// The caller asked to [keep the order](crate::Constrain::keep_order) of `lits`.
    pub in_order: bool,
    /// The aim for which an encoding would be chosen.
    pub aim: Aim,
}

impl<'a> Offer<'a> {
    /// The constraint alone: no condition, not reified, in any order.
    #[must_use]
    pub const fn new(lits: &'a [Lit], relation: Relation, aim: Aim) -> Self {
        Self { cond: &[], iff: None, lits, relation, in_order: false, aim }
    }
}

/// A constraint on a sum of weights that is about to be encoded, as
/// [`ClauseSink::offer_pb`](crate::ClauseSink::offer_pb) sees it: when all of [`cond`](Self::cond) are true, the
/// weights of the true literals of [`terms`](Self::terms) sum up to what [`relation`](Self::relation) says; with
/// [`iff`](Self::iff), that literal is true if and only if they do.
///
/// Folding has removed everything trivial:
///
/// * variables are distinct, none is in `cond` or `iff`, and no literal has a [fixed](crate::ClauseSink::fixed) value;
/// * no weight is 0, weights are not all alike unless there are groups, and they have no common divisor;
/// * the greatest sum, of each group its heaviest literal, is below 2⁶⁴ and above the bound, which is at least 1;
/// * for *at most* and *exactly*, no weight is above the bound; for *at least* and *exactly*, the bound can be reached
///   without any one literal (any one group);
/// * groups, or literals without groups, are sorted by variable, unless [`in_order`](Self::in_order) is set or the sink
///   says that it does not [sort](crate::ClauseSink::sorts_inputs).
///
/// A sink that keeps the constraint can say it again later by the methods of [`Constrain`](crate::Constrain).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PbOffer<'a> {
    /// The conditions, as those of [`Offer::cond`].
    pub cond: &'a [Lit],
    /// The literal that is true if and only if the relation holds, of a reified constraint.
    pub iff: Option<Lit>,
    /// The literals and their weights, group by group.
    pub terms: &'a [(Lit, u64)],
    /// Where each group ends, ascending; empty where there are none. At most one literal of a group is true, which is
    /// said elsewhere.
    pub group_ends: &'a [usize],
    /// The sum of the weights of the true literals.
    pub relation: PbRelation,
    /// The caller asked to [keep the order](crate::Constrain::keep_order) of `terms`.
    pub in_order: bool,
    /// The aim for which an encoding would be chosen.
    pub aim: Aim,
}

impl<'a> PbOffer<'a> {
    /// The constraint alone: no condition, not reified, no groups, in any order.
    #[must_use]
    pub const fn new(terms: &'a [(Lit, u64)], relation: PbRelation, aim: Aim) -> Self {
        Self { cond: &[], iff: None, terms, group_ends: &[], relation, in_order: false, aim }
    }
}

/// The aim of a chooser of encodings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Aim {
    /// Fast solving, as [`CardEncoding::Auto`](crate::CardEncoding::Auto) does.
    #[default]
    Solving,
    /// The fewest variables + clauses, as [`CardEncoding::Smallest`](crate::CardEncoding::Smallest) does.
    Size,
}
